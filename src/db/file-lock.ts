import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../core/errors.ts'

const TIMEOUT = 10_000
const SQLITE_BUSY = 5
const SQLITE_FULL = 13

/**
 * Runs `work` while no other process holds the lock at `path`, an empty file that it creates. The system frees the
 * lock when its holder dies, so no stale lock remains. Waits at most ten seconds; then throws
 * AppError('config_error').
 */
export function withFileLock<T>(path: string, work: () => T, timeout = TIMEOUT): T {
  let lock
  try {
    lock = lockFileAt(path, timeout)
  } catch (error) {
    throw refusal(error, path, timeout)
  }
  try {
    return work()
  } finally {
    lock.close()
  }
}

const LONG_TIMEOUT = 90_000
const RETRY_EVERY = 25

/**
 * Runs asynchronous `work`, such as a request to a service, under the lock. Other processes continue in the meantime and
 * retry.
 */
export async function whileFileLocked<T>(
  path: string,
  work: () => Promise<T>,
  sleep: (ms: number) => Promise<void>,
): Promise<T> {
  const lock = await lockWithRetries(path, sleep)
  try {
    return await work()
  } finally {
    lock.close()
  }
}

async function lockWithRetries(path: string, sleep: (ms: number) => Promise<void>): Promise<DatabaseSync> {
  for (let waited = 0; ; waited += RETRY_EVERY) {
    try {
      return lockFileAt(path, 0)
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY || waited >= LONG_TIMEOUT)
        throw refusal(error, path, LONG_TIMEOUT)
    }
    await sleep(RETRY_EVERY)
  }
}

/**
 * Takes the lock at `path` for as long as the process lives, or until it is closed; undefined when another process has it.
 * Throws AppError('config_error').
 */
export function tryFileLock(path: string): { close(): void } | undefined {
  try {
    return lockFileAt(path, 0)
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw refusal(error, path, 0)
  }
}

/** Takes the lock by SQLite, whose file locks are the only ones that Node offers on every system. */
function lockFileAt(path: string, timeout: number): DatabaseSync {
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

/** Creates the file as private, because SQLite would make it readable for every user. */
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
    return new AppError('storage_full', `No disk space to lock ${path}.`, { cause: error })
  }
  return new AppError('config_error', `${path} cannot be locked: ${(error as Error).message}.`, {
    hint: 'Its folder must be writable.',
    cause: error,
  })
}
