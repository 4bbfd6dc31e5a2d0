import { AppError } from './errors.ts'

/** A failure to write a file: `storage_full` where there is no room. `tell` is given the reason of the file system. */
export function writeError(error: unknown, tell: (why: string) => string, hint?: string): AppError {
  const { code, message } = error as NodeJS.ErrnoException
  const full = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
  return new AppError(full ? 'storage_full' : 'file_error', tell(code ?? message), {
    ...(hint !== undefined && { hint }),
    cause: error,
  })
}
