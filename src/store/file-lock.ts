import { chmodSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../errors.ts'

const TIMEOUT = 10_000

/**
 * Runs `work` while nobody else holds the lock at `path`, an empty file that is made for it. The system frees the lock
 * when its holder dies, however it dies, so there is nothing to clean up and nothing to guess. Waits at most ten
 * seconds; throws AppError('config_error') after that.
 */
export function withFileLock<T>(path: string, work: () => T, timeout = TIMEOUT): T {
  // SQLite's own file locks are the only ones that Node offers on every system.
  let lock
  try {
    lock = new DatabaseSync(path, { timeout })
    lock.exec('begin exclusive')
    chmodSync(path, 0o600)
  } catch (error) {
    lock?.close()
    throw refusal(error, path, timeout)
  }
  try {
    return work()
  } finally {
    lock.close()
  }
}

function refusal(error: unknown, path: string, timeout: number): AppError {
  // 5 is SQLITE_BUSY
  if ((error as { errcode?: number }).errcode === 5) {
    return new AppError('config_error', `Another process has held ${path} for ${timeout / 1000} s.`, {
      cause: error,
    })
  }
  return new AppError('config_error', `${path} cannot be locked: ${(error as Error).message}.`, {
    hint: 'Its folder must be writable and on a disk with room left.',
    cause: error,
  })
}
