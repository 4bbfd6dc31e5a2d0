/** Sends a request, with retries, until there is a final response or the time has ended. */
import { AppError } from '../core/errors.ts'
import type { Machine } from '../core/machine.ts'
import { isLoopback } from '../core/network.ts'
import { foreignServerError } from './answers.ts'
import { backoff, readRetryAfter } from './backoff.ts'
import { ExchangeError } from './exchange.ts'
import type { ExchangeLimits, ExchangeRequest, ExchangeResponse } from './exchange.ts'

export type SenderRequest = Omit<ExchangeRequest, 'origin'>

type SenderOptions = {
  /** True if the call may be sent again: reads, and calls with a key. */
  repeatable: boolean
  limitMs: number
  signal?: AbortSignal | undefined
  /** The key that the error shows when the outcome is unknown. */
  key?: string | undefined
}

/** Makes one exchange over the connections to one service. Throws ExchangeError. */
type Exchange = (outgoing: ExchangeRequest, limits: ExchangeLimits) => Promise<ExchangeResponse>

type SenderDeps = Pick<Machine, 'now' | 'elapsed' | 'weakRandomBytes' | 'sleep'> & {
  /** The words of an error that name the proxy on the way; empty without one. */
  through: string
  debug(line: string): void
}

/** The timeouts of a call with its retries. */
export const READ_LIMIT_MS = 30_000
export const WRITE_LIMIT_MS = 90_000
/** The silence after which an attempt is given up, when the call has time for several. */
const TRY_LIMIT_MS = 10_000
const MAX_REDIRECTS = 5
/** The statuses of a service, or of a proxy such as Cloudflare, that has no time or no way just now. */
const RETRIED = new Set([408, 429, 502, 503, 504, 509, 520, 521, 522, 523, 524, 525, 529, 530])
/** The statuses of a fault, which may go away or may not. */
const FAULTS = new Set([500, 507])
/** The number of times that a read is sent again after such a status. */
const FAULT_RETRIES = 2

/** The header that orders a fault of the sandbox for one attempt. */
export const FAULT_HEADER = 'Sandbox-Fault'

/**
 * Returns a function that sends a request. It retries where that is harmless, until there is a final response or the
 * time has ended.
 */
export function makeSender(
  exchange: Exchange,
  base: URL,
  deps: SenderDeps,
): (request: SenderRequest, sending: SenderOptions) => Promise<ExchangeResponse> {
  const connection: Connection = { exchange, base, deps }
  return (request, sending) => sendUntilAnswered(connection, request, sending)
}

/** The parts with which each request to a service is sent. */
type Connection = { exchange: Exchange; base: URL; deps: SenderDeps }

async function once(
  { exchange, base, deps }: Connection,
  request: SenderRequest,
  limits: ExchangeLimits,
): Promise<ExchangeResponse> {
  const started = deps.elapsed()
  const say = (outcome: string): void => {
    const line = `${request.method} ${request.path.split('?', 1)[0]} ${outcome} in ${(deps.elapsed() - started).toFixed(1)} ms`
    // Escapes it for the terminal, because part of it came from another machine.
    deps.debug(line.replaceAll(/[^\x20-\x7e]/g, '?'))
  }
  try {
    const reply = await exchange({ ...request, origin: base.origin }, limits)
    say(`${reply.status} ${reply.headers['request-id'] ?? ''}`)
    return reply
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    throw error
  }
}

async function follow(
  connection: Connection,
  request: SenderRequest,
  limits: ExchangeLimits,
): Promise<ExchangeResponse> {
  const { base, deps } = connection
  let path = base.pathname.replace(/\/+$/, '') + request.path
  const deadline = deps.elapsed() + limits.timeoutMs
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const left = deadline - deps.elapsed()
    if (left <= 0) throw new ExchangeError('timeout', 'no answer in time')
    const reply = await once(connection, { ...request, path }, { ...limits, timeoutMs: left })
    const next = request.method === 'GET' ? redirectOf(reply, base, path) : undefined
    if (next === undefined) return reply
    path = next
  }
  throw foreignServerError('it redirects in a circle')
}

/** Sends a request, and retries where that is harmless, until there is a final response or the time has ended. */
async function sendUntilAnswered(
  connection: Connection,
  request: SenderRequest,
  { repeatable, limitMs, signal, key }: SenderOptions,
): Promise<ExchangeResponse> {
  const { deps } = connection
  const deadline = deps.elapsed() + limitMs
  let lost = false
  const before: Earlier = { faults: 0 }
  for (let tries = 0; ; tries++) {
    const left = deadline - deps.elapsed()
    const silenceMs = repeatable ? Math.min(left, Math.max(TRY_LIMIT_MS, limitMs / 3)) : left
    const sent = tries === 0 ? request : withoutFault(request)
    const result = await follow(connection, sent, { timeoutMs: left, silenceMs, signal }).catch(
      (error: unknown) => {
        if (error instanceof ExchangeError) return error
        throw error
      },
    )
    lost ||= result instanceof ExchangeError
    recordSendResult(before, result)
    const again = repeatable && mayPass(result, before, key)
    const wait = again ? waitFor(deps, result, tries) : Infinity
    if (wait < deadline - deps.elapsed()) {
      await deps.sleep(wait, signal)
      continue
    }
    if (!(result instanceof ExchangeError)) return lost ? { ...result, afterLoss: true } : result
    // For a read, the failure of an earlier attempt explains more than the timeout of the last one.
    const earlier: Partial<Earlier> = key === undefined && result.kind === 'timeout' ? before : {}
    if (earlier.refusal !== undefined) return earlier.refusal
    throw toFailure(earlier.failure ?? result, connection, limitMs, { key, signal })
  }
}

function withoutFault(request: SenderRequest): SenderRequest {
  const { [FAULT_HEADER]: _, ...headers } = request.headers
  return { ...request, headers }
}

function waitFor(deps: SenderDeps, result: ExchangeResponse | ExchangeError, tries: number): number {
  const { buffer, byteOffset } = deps.weakRandomBytes(4)
  const fraction = new DataView(buffer, byteOffset).getUint32(0) / 2 ** 32
  const asked = result instanceof ExchangeError ? 0 : readRetryAfter(result.headers, deps.now())
  return Math.max(asked, backoff(tries, fraction))
}

/** The last response and the last failure of the attempts so far, and how many of them met a fault. */
type Earlier = { refusal?: ExchangeResponse; failure?: ExchangeError; faults: number }

function recordSendResult(earlier: Earlier, result: ExchangeResponse | ExchangeError): void {
  if (!(result instanceof ExchangeError)) {
    earlier.refusal = result
    if (FAULTS.has(result.status)) earlier.faults++
  } else if (result.kind === 'lost') earlier.failure = result
}

/** Converts a failed exchange to an AppError. Ctrl-C is reported as such, not as a failure of the service. */
function toFailure(
  error: ExchangeError,
  connection: Connection,
  limitMs: number,
  { key, signal }: Pick<SenderOptions, 'key' | 'signal'>,
): Error {
  const { reason } = signal ?? {}
  return error.kind === 'interrupted' && reason instanceof Error
    ? reason
    : toAppError(error, connection, limitMs, key)
}

/** Returns whether a retry may help. A change is not sent again after a fault: it may have met the fault at its end. */
function mayPass(
  result: ExchangeResponse | ExchangeError,
  { faults }: Earlier,
  key: string | undefined,
): boolean {
  if (result instanceof ExchangeError) return isLost(result)
  if (FAULTS.has(result.status)) return key === undefined && faults <= FAULT_RETRIES
  return isRefusedForNow(result)
}

function isLost({ kind }: ExchangeError): boolean {
  return kind === 'lost' || kind === 'timeout'
}

/** Returns whether nothing listens at the address. */
function isAbsent(cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED'
}

/**
 * Returns whether a retry may help: too many calls, a service that is not ready, or a copy of this call that is still
 * running.
 */
function isRefusedForNow(reply: ExchangeResponse): boolean {
  return RETRIED.has(reply.status) || (reply.status === 409 && reply.headers['retry-after'] !== undefined)
}

/** Returns the redirect's path on the same origin; undefined for other responses and other origins. */
function redirectOf({ status, headers }: ExchangeResponse, base: URL, path: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  const to = URL.parse(headers['location'] ?? '', new URL(path, base))
  return to !== null && to.origin === base.origin ? to.pathname + to.search : undefined
}

/** Returns what to check where a service gave no response. */
function hintOf(cause: unknown, { hostname }: URL, through: string): string | undefined {
  if (isAbsent(cause) && isLoopback(hostname)) return 'Is `dray serve` running there?'
  return through === '' ? undefined : `If no proxy leads there, name ${hostname} in NO_PROXY.`
}

function toAppError(
  { kind, message, cause }: ExchangeError,
  { base, deps }: Connection,
  limitMs: number,
  key: string | undefined,
): AppError {
  const { through } = deps
  const unknown = key !== undefined && (kind === 'lost' || kind === 'timeout' || kind === 'interrupted')
  const hint = unknown
    ? `Whether it was done is not known; with --idempotency-key ${key} the same call is never done twice.`
    : hintOf(cause, base, through)
  const options = {
    cause,
    ...(hint !== undefined && { hint }),
    ...(unknown && { extra: { idempotency_key: key } }),
  }
  switch (kind) {
    case 'timeout':
      return new AppError(
        'network_error',
        `${base.origin} did not respond${through} within ${limitMs / 1000} s.`,
        options,
      )
    case 'lost':
      return new AppError('network_error', `${base.origin} cannot be reached${through}: ${message}.`, options)
    case 'interrupted':
      return new AppError('network_error', 'The call was interrupted.', options)
    case 'certificate':
      return new AppError(
        'network_error',
        `The certificate of ${base.origin}${through} is not trusted: ${message}.`,
        {
          cause,
          hint: 'If it is your own authority, name its file in NODE_EXTRA_CA_CERTS.',
        },
      )
    case 'too large':
    case 'unreadable':
      return foreignServerError(message + through)
  }
}
