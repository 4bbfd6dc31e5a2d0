/**
 * What a store's service was asked: one line for each call, in a file beside the store. No bodies, no tokens. It keeps
 * the last ones, and what it loses nothing else needs.
 */
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { codeIn } from '../core/log-line.ts'
import { isPostgresUrl } from '../core/network.ts'
import type { Gateway } from '../gateway/gateway.ts'

export type LoggedRequest = {
  /** By the machine's clock, and by the service's. */
  time: string
  service_time: string | null
  request_id: string
  /** How it came; null in lines of an older program. */
  transport: 'http' | 'mcp' | 'embedded' | null
  operation: string
  /** Its id over HTTP; in process the name it was given. */
  account: string | null
  status: number
  /** The error code of a refusal. */
  code: string | null
  duration_ms: number
  /** It is the answer of an earlier call with the same key. */
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
  elapsed?(): number
  paths?: { state: string }
  /** How the calls come that come not over HTTP. */
  transport?: 'mcp' | undefined
}

/** Beyond this the older half goes. */
const MAX_BYTES = 1_048_576
/** Lines are written together: a served call waits for no disk. */
const DELAY_MS = 50

/** The log of a store; undefined for one in memory, which nobody else can ask. */
export async function openRequestLog(
  store: string,
  { paths }: RequestLogDeps,
): Promise<RequestLog | undefined> {
  if (store === ':memory:') return undefined
  if (!isPostgresUrl(store)) return makeLog(`${store}.requests`)
  if (paths === undefined) return undefined
  const { controlTokenFile } = await import('../client/control-token.ts')
  return makeLog(controlTokenFile(store, paths.state).replace(/\.control$/, '.requests'))
}

/** A gateway whose calls are written down. */
export function withLog(
  { invoke }: Gateway,
  log: RequestLog,
  { now, elapsed = now, transport }: RequestLogDeps,
): Gateway {
  return {
    async invoke(request) {
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
      const started = elapsed()
      const answer = await invoke(heard)
      log.add({
        time: new Date(now()).toISOString(),
        service_time: answer.headers['Service-Time']?.split(';', 1)[0] ?? null,
        request_id: answer.headers['Request-Id'] ?? '',
        transport: http === undefined ? (transport ?? 'embedded') : 'http',
        operation: operation.slice(0, 60),
        account,
        status: answer.status,
        code: answer.status < 400 ? null : codeIn(answer.body),
        duration_ms: Math.round((elapsed() - started) * 1000) / 1000,
        replayed: answer.headers['Idempotent-Replayed'] === 'true',
      })
      return answer
    },
  }
}

function makeLog(path: string): RequestLog {
  let waiting: string[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const text = waiting.join('')
    waiting = []
    try {
      appendIn(path, text)
    } catch {
      // A folder where nothing can be written, or a full disk: what was asked for is done all the same.
    }
  }
  return {
    add(entry) {
      waiting.push(`${JSON.stringify(entry)}\n`)
      timer ??= setTimeout(flush, DELAY_MS).unref()
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
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
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

/** One process at a time; what another one writes meanwhile is lost. */
function shorten(path: string, size: number): void {
  const next = `${path}.next`
  // Left behind by one that died at it.
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
      return [{ transport: null, ...(JSON.parse(line) as Omit<LoggedRequest, 'transport'>) }]
    } catch {
      // The end of the file, or a line that a full disk cut off.
      return []
    }
  })
}
