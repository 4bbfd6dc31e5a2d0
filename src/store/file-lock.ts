import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../core/errors.ts'

const TIMEOUT = 10_000
const SQLITE_BUSY = 5
const SQLITE_FULL = 13

/**
 * Runs `work` while nobody else holds the lock at `path`, an empty file that is made for it. The system frees the lock
 * when its holder dies, however it dies, so there is nothing to clean up and nothing to guess. Waits at most ten
 * seconds; throws AppError('config_error') after that.
 */
export function withFileLock<T>(path: string, work: () => T, timeout = TIMEOUT): T {
  let lock
  try {
    lock = take(path, timeout)
  } catch (error) {
    throw refusal(error, path, timeout)
  }
  try {
    return work()
  } finally {
    lock.close()
  }
}

const PATIENCE = 90_000
const GLANCE = 25

/** The same for work that takes its time, such as a question to a service: others go on meanwhile and look again. */
export async function whileFileLocked<T>(
  path: string,
  work: () => Promise<T>,
  sleep: (ms: number) => Promise<void>,
): Promise<T> {
  const lock = await takeBetweenOthers(path, sleep)
  try {
    return await work()
  } finally {
    lock.close()
  }
}

async function takeBetweenOthers(path: string, sleep: (ms: number) => Promise<void>): Promise<DatabaseSync> {
  for (let waited = 0; ; waited += GLANCE) {
    try {
      return take(path, 0)
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY || waited >= PATIENCE)
        throw refusal(error, path, PATIENCE)
    }
    await sleep(GLANCE)
  }
}

/** SQLite's own file locks are the only ones that Node offers on every system. */
function take(path: string, timeout: number): DatabaseSync {
  createPrivately(path)
  const lock = new DatabaseSync(path, { timeout })
  try {
    lock.exec('begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    throw error
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
