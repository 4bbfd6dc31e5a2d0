/** The transport over HTTP: one pool of connections to one service, deadlines, and retries that do nothing twice. */
import type { Dispatcher } from 'undici'
import Pool from 'undici/lib/dispatcher/pool.js'
import { randomId } from '../domain/ids.ts'
import { AppError } from '../errors.ts'
import { load } from '../generated/registry.ts'
import { isRead } from '../operation.ts'
import type { Runtime } from '../runtime.ts'
import { assertFits, contentType, notOurs, readValue, toError } from './answers.ts'
import { backoff, readRetryAfter } from './backoff.ts'
import { parseServiceTime } from './client.ts'
import type { CallOptions, CallResult, Client, Target } from './client.ts'
import { exchange, ExchangeError } from './exchange.ts'
import type { Outgoing, Reply } from './exchange.ts'

export type RemoteParts = Pick<
  Runtime,
  'env' | 'paths' | 'now' | 'elapsed' | 'random' | 'noise' | 'sleep'
> & {
  debug(line: string): void
  /** Something the user should know, said whether or not it is asked for. */
  warn?(line: string): void
}

type RemoteTarget = Extract<Target, { kind: 'remote' }>
type Request = Omit<Outgoing, 'origin'>
type Sending = {
  /** Whether the call may be sent again: reads, and calls with a key. */
  repeatable: boolean
  limitMs: number
  signal?: AbortSignal | undefined
  /** Told to a caller that cannot know whether it was done. */
  key?: string | undefined
}

const READ_LIMIT_MS = 30_000
const WRITE_LIMIT_MS = 90_000
/** One try of a call that has time for several. */
const TRY_LIMIT_MS = 10_000
const CONNECT_LIMIT_MS = 10_000
const MAX_REDIRECTS = 5
const RETRIED = new Set([429, 502, 503, 504])

/** Connects on first use. Throws `config_error` for an address to which no token may go. */
export async function openRemote(target: RemoteTarget, parts: RemoteParts): Promise<Client> {
  const base = readBase(target.baseUrl)
  if (base.protocol === 'https:' && parts.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    parts.warn?.(
      'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked, so anybody on the way can read and change what is sent.',
    )
  }
  const dispatcher = await openDispatcher(base, parts.env)
  const send = makeSender(dispatcher, base, parts)
  const limitOf = (read: boolean): number => target.timeoutMs ?? (read ? READ_LIMIT_MS : WRITE_LIMIT_MS)

  async function call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions = {},
  ): Promise<CallResult> {
    const operation = (await load(name))?.operation
    if (operation === undefined)
      throw new AppError('route_not_found', `There is no operation ${name.slice(0, 60)}.`)
    const key =
      operation.idempotency === 'none'
        ? undefined
        : (options.idempotencyKey ?? randomId('key', parts.now(), parts.random(10)))
    const request = toRequest(operation, input, {
      ...bearer(await accessToken()),
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...(options.scenario !== undefined && { 'Sandbox-Scenario': options.scenario }),
    })
    const reply = await send(request, {
      repeatable: true,
      limitMs: limitOf(isRead(operation)),
      signal: options.signal,
      key,
    })
    const value = readValue(reply)
    assertFits(operation, input, value)
    const serviceTime = parseServiceTime(reply.headers['service-time'])
    return {
      value,
      status: reply.status,
      replayed: reply.headers['idempotent-replayed'] === 'true',
      requestId: reply.headers['request-id'] ?? '',
      // A proxy may have dropped the header.
      serviceTime: Number.isNaN(serviceTime.now) ? { ...serviceTime, now: parts.now() } : serviceTime,
    }
  }

  async function control(name: string, input: Readonly<Record<string, unknown>>): Promise<unknown> {
    const { findControl } = await import('../control/index.ts')
    const found = await findControl(name)
    if (found === undefined)
      throw new AppError('route_not_found', `There is no control call ${name.slice(0, 60)}.`)
    const read = found.method === 'GET'
    const request = toRequest(found, input, bearer(await controlToken()))
    return readValue(await send(request, { repeatable: read, limitMs: limitOf(read) }))
  }

  async function controlToken(): Promise<string> {
    const { findServedToken } = await import('./control-token.ts')
    const port = Number(base.port === '' ? 80 : base.port)
    const token =
      target.controlToken ?? (isLoopback(base) ? findServedToken(port, parts.paths.state) : undefined)
    if (token !== undefined) return token
    throw new AppError('not_logged_in', `The control token of ${base.origin} is not known here.`, {
      hint: 'Run sandbox commands on the machine, and as the user, that runs `dray serve`.',
    })
  }

  let minted: Promise<string> | undefined
  /** The target's token, or one for the account that was asked for instead. */
  async function accessToken(): Promise<string> {
    if (target.account !== undefined) return (minted ??= mint(target.account))
    if (target.token === undefined)
      throw new AppError('not_logged_in', `There is no token for ${base.origin}.`)
    return target.token
  }
  async function mint(account: string): Promise<string> {
    const { token } = (await control('mint_token', { account })) as { token?: unknown }
    if (typeof token !== 'string') throw notOurs('it minted no token')
    return token
  }

  return {
    call,
    control,
    async media(mediaId) {
      const path = `/media/${encodeURIComponent(mediaId)}`
      const request: Request = { method: 'GET', path, headers: bearer(await accessToken()) }
      const reply = await send(request, { repeatable: true, limitMs: limitOf(true) })
      if (reply.status !== 200) throw toError(reply)
      return { contentType: contentType(reply), bytes: reply.body }
    },
    close: () => dispatcher.destroy(),
  }
}

/** Sends, again where that is harmless, until there is an answer that stands or the time is over. */
function makeSender(
  dispatcher: Dispatcher,
  base: URL,
  parts: RemoteParts,
): (request: Request, sending: Sending) => Promise<Reply> {
  const prefix = base.pathname.replace(/\/+$/, '')

  async function once(request: Request, timeoutMs: number, signal: AbortSignal | undefined): Promise<Reply> {
    const started = parts.elapsed()
    const say = (outcome: string): void => {
      parts.debug(
        `${request.method} ${request.path.split('?', 1)[0]} ${outcome} in ${(parts.elapsed() - started).toFixed(1)} ms`,
      )
    }
    try {
      const reply = await exchange(dispatcher, { ...request, origin: base.origin }, { timeoutMs, signal })
      say(`${reply.status} ${reply.headers['request-id'] ?? ''}`)
      return reply
    } catch (error) {
      say(error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  async function follow(
    request: Request,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Reply> {
    let path = prefix + request.path
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const reply = await once({ ...request, path }, timeoutMs, signal)
      const next = request.method === 'GET' ? redirectOf(reply, base, path) : undefined
      if (next === undefined) return reply
      path = next
    }
    throw notOurs('it redirects in a circle')
  }

  return async (request, { repeatable, limitMs, signal, key }) => {
    const deadline = parts.elapsed() + limitMs
    for (let tries = 0; ; tries++) {
      const left = deadline - parts.elapsed()
      const timeoutMs = repeatable ? Math.min(left, Math.max(TRY_LIMIT_MS, limitMs / 3)) : left
      const result = await follow(request, timeoutMs, signal).catch((error: unknown) => {
        if (error instanceof ExchangeError) return error
        throw error
      })
      const again = repeatable && (result instanceof ExchangeError ? isLost(result) : isRefusedForNow(result))
      const wait = again ? waitFor(result, tries) : Infinity
      if (wait < deadline - parts.elapsed()) {
        await parts.sleep(wait, signal)
        continue
      }
      if (!(result instanceof ExchangeError)) return result
      // Ctrl-C is told as what it is, not as a failure of the service.
      if (result.kind === 'interrupted' && signal?.reason instanceof Error) throw signal.reason
      throw toAppError(result, base, limitMs, key)
    }
  }

  function waitFor(result: Reply | ExchangeError, tries: number): number {
    const chance = Buffer.from(parts.noise(4)).readUInt32BE() / 2 ** 32
    const asked = result instanceof ExchangeError ? 0 : readRetryAfter(result.headers, parts.now())
    return Math.max(asked, backoff(tries, chance))
  }
}

function isLost({ kind }: ExchangeError): boolean {
  return kind === 'lost' || kind === 'timeout'
}

/** Too many calls, a service that is not up, or a copy of this very call that is still running. */
function isRefusedForNow(reply: Reply): boolean {
  return RETRIED.has(reply.status) || (reply.status === 409 && reply.headers['retry-after'] !== undefined)
}

/** The path to read instead, on the same origin; undefined when the answer is no redirect that may be followed. */
function redirectOf({ status, headers }: Reply, base: URL, path: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  const to = URL.parse(headers['location'] ?? '', new URL(path, base))
  return to !== null && to.origin === base.origin ? to.pathname + to.search : undefined
}

type Addressed = { method: Outgoing['method']; path: string; pathParameters: readonly string[] }

/** Each member of the input where it travels: in the path, in the query of a GET, else in the body. */
function toRequest(
  { method, path, pathParameters }: Addressed,
  input: Readonly<Record<string, unknown>>,
  headers: Record<string, string>,
): Request {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(toText(input[name])))
  const rest = Object.entries(input).filter(
    ([name, value]) => !pathParameters.includes(name) && value !== undefined,
  )
  const accept = { ...headers, Accept: 'application/json', 'Accept-Encoding': 'gzip' }
  if (method === 'GET') {
    const query = new URLSearchParams(
      rest.flatMap(([name, value]) => [value].flat().map((one) => [name, toText(one)])),
    )
    return { method, path: query.size === 0 ? filled : `${filled}?${query.toString()}`, headers: accept }
  }
  return {
    method,
    path: filled,
    headers: { ...accept, 'Content-Type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(rest)),
  }
}

/** Of a path or a query: what is no text, number or boolean is refused by the service. */
function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

function bearer(token: string): Record<string, string> {
  if (/^[\x21-\x7e]+$/.test(token)) return { Authorization: `Bearer ${token}` }
  throw new AppError('config_error', 'The token holds characters that no token has.')
}

function readBase(text: string): URL {
  const base = URL.parse(text)
  const safe = base?.protocol === 'https:' || (base?.protocol === 'http:' && isLoopback(base))
  if (base === null || !safe || base.username !== '' || base.password !== '' || base.port === '0') {
    throw new AppError(
      'config_error',
      'The address of the service must be https, or http on this machine, without a user name.',
    )
  }
  return base
}

function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** A proxy is used for other machines only: what goes to this one must not leave it. */
async function openDispatcher(base: URL, env: RemoteParts['env']): Promise<Dispatcher> {
  const options = { allowH2: false, connectTimeout: CONNECT_LIMIT_MS, connections: 16 }
  const httpProxy = env['http_proxy'] ?? env['HTTP_PROXY']
  const httpsProxy = env['https_proxy'] ?? env['HTTPS_PROXY']
  if (isLoopback(base) || !(httpProxy || httpsProxy)) return new Pool(base.origin, options)
  const { EnvHttpProxyAgent } = await import('undici')
  try {
    return new EnvHttpProxyAgent({
      ...options,
      ...(httpProxy && { httpProxy }),
      ...(httpsProxy && { httpsProxy }),
      noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
    })
  } catch (error) {
    throw new AppError('config_error', 'HTTP_PROXY or HTTPS_PROXY is not an address.', { cause: error })
  }
}

function toAppError(
  { kind, message, cause }: ExchangeError,
  base: URL,
  limitMs: number,
  key: string | undefined,
): AppError {
  const unknown = key !== undefined && (kind === 'lost' || kind === 'timeout' || kind === 'interrupted')
  const hint = unknown
    ? `Whether it was done is not known; with --idempotency-key ${key} the same call is never done twice.`
    : undefined
  const options = {
    cause,
    ...(hint !== undefined && { hint }),
    ...(unknown && { extra: { idempotency_key: key } }),
  }
  switch (kind) {
    case 'timeout':
      return new AppError(
        'network_error',
        `${base.origin} gave no answer within ${limitMs / 1000} s.`,
        options,
      )
    case 'lost':
      return new AppError('network_error', `${base.origin} cannot be reached: ${message}.`, options)
    case 'interrupted':
      return new AppError('network_error', 'The call was interrupted.', options)
    case 'certificate':
      return new AppError('network_error', `The certificate of ${base.origin} is not trusted: ${message}.`, {
        cause,
        hint: 'If it is your own authority, name its file in NODE_EXTRA_CA_CERTS.',
      })
    case 'too large':
    case 'unreadable':
      return notOurs(message)
  }
}
