import { createWriteStream, type WriteStream } from 'node:fs'
import { AppError } from '../core/errors.ts'
import { toTimestamp } from '../core/time.ts'
import type { RouteLogFields } from './route.ts'

/** One line of the log. It never holds a token, a body or a query. */
export type LogEntry = {
  time: string
  request_id: string
  /** The method of the request line; null without a request. */
  method: string | null
  /** The path of the route, with `{member}` for parameters; null when there is no such path. */
  path: string | null
  /** The operation, the control call (`sandbox:…`), or another route's name; null when there is no such path. */
  operation: string | null
  account_id: string | null
  status: number
  /** The error code of a failed request. */
  code: string | null
  duration_ms: number
  /** The caller's trace, as its header `traceparent` names it. */
  traceparent: string | null
}

/** Returns the line of a request that took `duration` milliseconds, or of data that was no valid request. */
export function toEntry(
  now: number,
  { id, method }: { id: string; method: string | null },
  { operation, path, account, code, traceparent }: RouteLogFields,
  { status, duration }: { status: number; duration: number },
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
    traceparent: traceparent ?? null,
  }
}

export type Log = {
  write: (entry: LogEntry) => void
  /** Logs a bug: its stack, and the request or the place where it happened. */
  note(now: number, where: string, error: unknown): void
  /** Logs an event that is neither a request nor a bug. */
  tell(now: number, where: string, message: string): void
  /** Opens the file again, after another program moved it away. Throws `file_error`, and then goes on with the old one. */
  reopen(): Promise<void>
  close(): Promise<void>
}

/** A line of the log: a request, or an event at a place, which may be a bug. */
export type LogLine = LogEntry | { time: string; where: string; message?: string; error?: string | undefined }

/**
 * Opens a log: JSON lines appended to a file that only its owner may read. Without a file, `sink` gets each line as
 * `toText` writes it.
 */
export async function openLog(
  file: string | undefined,
  sink: (line: string) => void,
  toText: (line: LogLine) => string = JSON.stringify,
): Promise<Log> {
  if (file === undefined) return makeLog(sink, { reopen: async () => {}, close: async () => {} }, toText)
  let stream = await openFile(file)
  return makeLog((line) => void stream.write(line), {
    async reopen() {
      const next = await openFile(file)
      stream.end()
      stream = next
    },
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  })
}

async function openFile(file: string): Promise<WriteStream> {
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
  // A full disk must not end the service; the log then has a gap.
  stream.on('error', () => {})
  return stream
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

function makeLog(
  sink: (line: string) => void,
  file: Pick<Log, 'reopen' | 'close'>,
  toText: (line: LogLine) => string = JSON.stringify,
): Log {
  const put = (line: LogLine): void => sink(`${toText(line)}\n`)
  return {
    write: put,
    note: (now, where, error) =>
      put({ time: toTimestamp(now), where, error: error instanceof Error ? error.stack : String(error) }),
    tell: (now, where, message) => put({ time: toTimestamp(now), where, message }),
    ...file,
  }
}

/** A log that drops everything. */
export const silentLog: Log = {
  write() {},
  note() {},
  tell() {},
  reopen: async () => {},
  close: async () => {},
}
