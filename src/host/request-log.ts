/**
 * The requests to a store's service: one line for each call, in a file beside the store. It holds no bodies and no
 * tokens. Only the latest lines are kept.
 */
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { PROCESS_EVENT_LOOP, type EventLoop, type ScheduledCall } from '../core/event-loop.ts'
import { makeFolders } from '../core/folders.ts'
import { codeIn } from '../core/log-line.ts'
import { isPostgresUrl } from '../core/network.ts'
import { toTimestamp } from '../core/time.ts'
import type { Gateway } from '../gateway/gateway.ts'

export type LoggedRequest = {
  /** By the machine's clock, and by the service's. */
  time: string
  service_time: string | null
  request_id: string
  /** The transport; null in lines that an older version wrote. */
  transport: 'http' | 'mcp' | 'embedded' | null
  operation: string
  /** The account's id over HTTP; in process the id or name that the caller gave. */
  account: string | null
  status: number
  /** The error code of a refusal. */
  code: string | null
  /** The status of the one resource in the response. */
  state: string | null
  duration_ms: number
  /** True if the response is that of an earlier call with the same key. */
  replayed: boolean
}

export type RequestLog = {
  add(entry: LoggedRequest): void
  /** Oldest first. */
  read(): LoggedRequest[]
  close(): void
}

type RequestLogDeps = {
  now(): number
  /** Defaults to that of this process. */
  loop?: EventLoop | undefined
  paths?: { state: string }
  /** The transport of calls that do not arrive over HTTP; defaults to `embedded`. */
  transport?: 'mcp' | undefined
}

/** A larger file loses its older half. */
const MAX_BYTES = 1_048_576
/** Lines are written in groups, so that no call waits for the disk. */
const DELAY_MS = 50

/** Opens the log of a store; undefined for one in memory, which no other process can read. */
export async function openRequestLog(
  store: string,
  { paths, loop = PROCESS_EVENT_LOOP }: RequestLogDeps,
): Promise<RequestLog | undefined> {
  if (store === ':memory:') return undefined
  if (!isPostgresUrl(store)) return makeLog(`${store}.requests`, loop)
  if (paths === undefined) return undefined
  const { controlTokenFile } = await import('../client/control-token.ts')
  return makeLog(controlTokenFile(store, paths.state).replace(/\.control$/, '.requests'), loop)
}

/** Returns a gateway that logs each call. */
export function withLog(
  { invoke, carry }: Gateway,
  log: RequestLog,
  { now, loop = PROCESS_EVENT_LOOP, transport }: RequestLogDeps,
): Gateway {
  return {
    carry,
    async invoke(request) {
      if (request.silent === true) return invoke(request)
      const { credential, http, operation } = request
      let account = credential !== undefined && 'account' in credential ? credential.account : null
      const heard =
        http === undefined
          ? request
          : {
              ...request,
              http: {
                ...http,
                onCaller(id: string) {
                  account = id
                  http.onCaller?.(id)
                },
              },
            }
      const started = loop.elapsed()
      const answer = await invoke(heard)
      log.add({
        time: toTimestamp(now()),
        service_time: answer.headers['Service-Time']?.split(';', 1)[0] ?? null,
        request_id: answer.headers['Request-Id'] ?? '',
        transport: http === undefined ? (transport ?? 'embedded') : 'http',
        operation: operation.slice(0, 60),
        account,
        status: answer.status,
        code: answer.status < 400 ? null : codeIn(answer.body),
        state: answer.state ?? null,
        duration_ms: Math.round((loop.elapsed() - started) * 1000) / 1000,
        replayed: answer.headers['Idempotent-Replayed'] === 'true',
      })
      return answer
    },
  }
}

function makeLog(path: string, { later }: EventLoop): RequestLog {
  let waiting: string[] = []
  let planned: ScheduledCall | undefined
  const flush = (): void => {
    planned?.[Symbol.dispose]()
    planned = undefined
    if (waiting.length === 0) return
    const text = waiting.join('')
    waiting = []
    try {
      appendIn(path, text)
    } catch {
      // A read-only folder or a full disk must not fail the call.
    }
  }
  return {
    add(entry) {
      waiting.push(`${JSON.stringify(entry)}\n`)
      if (planned === undefined) (planned = later(flush, DELAY_MS)).unref()
    },
    read() {
      flush()
      return readEntries(path)
    },
    close: flush,
  }
}

function appendIn(path: string, text: string): void {
  try {
    append(path, text)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    makeFolders(dirname(path), 0o700)
    append(path, text)
  }
}

function append(path: string, text: string): void {
  const file = openSync(path, 'a', 0o600)
  let size: number
  try {
    writeSync(file, text)
    ;({ size } = fstatSync(file))
  } finally {
    closeSync(file)
  }
  if (size > MAX_BYTES) shorten(path, size)
}

/** Removes the older half. Only one process does so at a time; lines that another process writes in the meantime are lost. */
function shorten(path: string, size: number): void {
  const next = `${path}.next`
  // Removes the leftover of a truncation that crashed.
  if (size > 2 * MAX_BYTES) rmSync(next, { force: true })
  const all = readFileSync(path, 'utf8')
  writeFileSync(next, all.slice(all.indexOf('\n', all.length / 2) + 1), { mode: 0o600, flag: 'wx' })
  renameSync(next, path)
}

function readEntries(path: string): LoggedRequest[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap((line): LoggedRequest[] => {
    try {
      return [
        { transport: null, state: null, ...(JSON.parse(line) as Omit<LoggedRequest, 'transport' | 'state'>) },
      ]
    } catch {
      // The empty end of the file, or a line that a full disk cut off.
      return []
    }
  })
}
