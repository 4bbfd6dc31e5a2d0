import { AppError } from './errors.ts'

/**
 * Returns the error of a failed write: `storage_full` when the disk is full, else `file_error`. `tell` makes its
 * sentence from the system's reason.
 */
export function toWriteError(error: unknown, tell: (why: string) => string, hint?: string): AppError {
  const { code, message } = error as NodeJS.ErrnoException
  const full = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
  return new AppError(full ? 'storage_full' : 'file_error', tell(code ?? message), {
    ...(hint !== undefined && { hint }),
    cause: error,
  })
}

/** The hint of an error for a file that the user named, when its disk fails. */
export const FREE_SPACE = 'Free space on that disk, or use another one, and run the same command again.'
