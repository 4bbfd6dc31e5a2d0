import { createWriteStream } from 'node:fs'
import { AppError } from '../core/errors.ts'
import { toTimestamp } from '../core/time.ts'
import type { Served } from './route.ts'

/** One line of the log. Never holds a token, a body or a query. */
export type LogEntry = {
  time: string
  request_id: string
  /** Of the request line; null for what was no request. */
  method: string | null
  /** As the interface writes it, with `{member}` for what varies; null when there is no such path. */
  path: string | null
  /** The operation, the control call (`sandbox:…`), or what else was served; null when there is no such path. */
  operation: string | null
  account_id: string | null
  status: number
  /** The error code of a refusal. */
  code: string | null
  duration_ms: number
}

/** The line of a request that took `duration` milliseconds, or of what was no request. */
export function toEntry(
  now: number,
  { id, method }: { id: string; method: string | null },
  { operation, path, account, code }: Served,
  status: number,
  duration: number,
): LogEntry {
  return {
    time: toTimestamp(now),
    request_id: id,
    method,
    path: path ?? null,
    operation,
    account_id: account ?? null,
    status,
    code: code ?? null,
    duration_ms: Math.round(duration * 1000) / 1000,
  }
}

export type Log = {
  write: (entry: LogEntry) => void
  /** What a bug left behind: its stack, and the request or the place it happened in. */
  note(now: number, where: string, error: unknown): void
  /** What happened that is no request and no bug. */
  tell(now: number, where: string, message: string): void
  close(): Promise<void>
}

/** JSON lines to a file, appended, readable by its owner only; to the given sink without one. */
export async function openLog(file: string | undefined, sink: (line: string) => void): Promise<Log> {
  if (file === undefined) return makeLog(sink, async () => {})
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 })
  await new Promise((resolve, reject) => {
    stream.once('open', resolve)
    stream.once('error', (error) =>
      reject(
        new AppError('file_error', `The log ${file} cannot be written: ${reasonOf(error)}.`, {
          cause: error,
        }),
      ),
    )
  })
  // A full disk must not end the service; the log has a gap then.
  stream.on('error', () => {})
  return makeLog(
    (line) => void stream.write(line),
    () => new Promise((resolve) => stream.end(() => resolve())),
  )
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not write there',
  EROFS: 'its disk can only be read',
}

function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  return REASONS[code] ?? message
}

function makeLog(sink: (line: string) => void, close: Log['close']): Log {
  const put = (value: object): void => sink(`${JSON.stringify(value)}\n`)
  return {
    write: put,
    note: (now, where, error) =>
      put({ time: toTimestamp(now), where, error: error instanceof Error ? error.stack : String(error) }),
    tell: (now, where, message) => put({ time: toTimestamp(now), where, message }),
    close,
  }
}

/** Nothing is logged. */
export const silentLog: Log = { write() {}, note() {}, tell() {}, close: async () => {} }
