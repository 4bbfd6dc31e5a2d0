import { AppError } from '../../core/errors.ts'

/** The reason why a file cannot be used at all. */
export type FileErrorCode =
  | 'missing_column'
  | 'duplicate_column'
  | 'unknown_column'
  | 'empty_file'
  | 'bad_encoding'
  | 'malformed_csv'
  | 'workbook_locked'
  | 'workbook_damaged'
  | 'file_too_large'

/** A `file_error` (exit 2, nothing sent) whose problem document carries `reason: {code, ...more}`. */
export function fileError(
  code: FileErrorCode,
  detail: string,
  more: { hint?: string; [member: string]: unknown } = {},
): AppError {
  const { hint, ...reason } = more
  return new AppError('file_error', detail, {
    ...(hint !== undefined && { hint }),
    extra: { reason: { code, ...reason } },
  })
}
