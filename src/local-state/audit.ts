/**
 * The audit file: one line of JSON before each call and one after it. Lines are only ever appended. It holds no
 * secret, no address and no argument.
 */
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AppError } from '../core/errors.ts'
import { makeFolders } from '../core/folders.ts'
import type { Money } from '../core/money.ts'
import { toWriteError } from '../core/write-error.ts'

export type AuditLine = {
  event: 'call' | 'answer'
  /** By the machine's clock. */
  at: string
  /** By the service's clock; null before its first response. */
  service_time: string | null
  /** The name that the MCP client gives itself. It is not verified. */
  client: string | null
  profile: string
  service: string
  account: string | null
  tool: string
  arguments_sha256: string
  idempotency_key: string | null
  quote_id: string | null
  total: Money | null
  /** The reason why the purchase was allowed or rejected; null for calls that buy nothing. */
  gate: 'open' | 'accepted' | 'approved' | 'repeated' | 'asked' | 'waiting' | 'declined' | null
  /** `ok`, or the error code; null in the line before the call. */
  outcome: string | null
  replayed: boolean | null
  request_id: string | null
}

const NEWLINE = 10

/**
 * Appends one whole line. With `sync` it is on the disk before this returns. Throws AppError('storage_full' |
 * 'file_error').
 */
export function appendAudit(path: string, line: AuditLine, { sync }: { sync: boolean }): void {
  try {
    const fd = open(path)
    try {
      // A full disk may have cut off the last line; this one must not become part of it.
      const text = `${endsInLine(fd) ? '' : '\n'}${JSON.stringify(line)}\n`
      const bytes = Buffer.from(text)
      if (writeSync(fd, bytes) < bytes.length)
        throw Object.assign(new Error('Not everything was written.'), { code: 'ENOSPC' })
      if (sync) fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    throw refusal(error, path)
  }
}

/** Creates the file if needed. Throws AppError('storage_full' | 'file_error') when `appendAudit` would. */
export function assertAudit(path: string): void {
  try {
    closeSync(open(path))
  } catch (error) {
    throw refusal(error, path)
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'a+', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    makeFolders(dirname(path), 0o700)
    return openSync(path, 'a+', 0o600)
  }
}

function endsInLine(fd: number): boolean {
  const { size } = fstatSync(fd)
  const last = Buffer.alloc(1)
  return size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE)
}

function refusal(error: unknown, path: string): AppError {
  return toWriteError(
    error,
    (why) => `The audit file ${path} cannot be written (${why}), so nothing was bought.`,
    'Free disk space, or start the server with --audit and a writable file.',
  )
}
