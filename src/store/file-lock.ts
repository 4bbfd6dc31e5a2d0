import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../errors.ts'

const TIMEOUT = 10_000
const SQLITE_BUSY = 5
const SQLITE_FULL = 13

/**
 * Runs `work` while nobody else holds the lock at `path`, an empty file that is made for it. The system frees the lock
 * when its holder dies, however it dies, so there is nothing to clean up and nothing to guess. Waits at most ten
 * seconds; throws AppError('config_error') after that.
 */
export function withFileLock<T>(path: string, work: () => T, timeout = TIMEOUT): T {
  // SQLite's own file locks are the only ones that Node offers on every system.
  let lock
  try {
    createPrivately(path)
    lock = new DatabaseSync(path, { timeout })
    lock.exec('begin exclusive')
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

/** SQLite would let everybody read it. */
function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function refusal(error: unknown, path: string, timeout: number): AppError {
  const { errcode, code } = error as { errcode?: number; code?: string }
  if (errcode === SQLITE_BUSY) {
    return new AppError('config_error', `Another process has held ${path} for ${timeout / 1000} s.`, {
      cause: error,
    })
  }
  if (errcode === SQLITE_FULL || code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError('storage_full', `There is no room to lock ${path}.`, { cause: error })
  }
  return new AppError('config_error', `${path} cannot be locked: ${(error as Error).message}.`, {
    hint: 'Its folder must be writable.',
    cause: error,
  })
}
