/** How a login is had from a service, renewed and given back: RFC 8628 (devices), RFC 6749, RFC 7009. */
import { AppError } from '../core/errors.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { Machine } from '../core/machine.ts'
import { contentType, notOurs, toError } from './answers.ts'
import { openDispatcher, readBase } from './connection.ts'
import { exchange } from './exchange.ts'
import type { Reply } from './exchange.ts'
import { makeSender } from './sender.ts'
import type { Request } from './sender.ts'
import type { Login } from './session.ts'

/** Sends one request to the service; not twice unless that is harmless. */
export type Send = (
  request: Request,
  options: { repeatable: boolean; signal?: AbortSignal | undefined },
) => Promise<Reply>

type OAuthClientDeps = Pick<Machine, 'env' | 'now' | 'elapsed' | 'weakRandomBytes' | 'sleep'> & {
  debug(line: string): void
  warn?(line: string): void
}

/** The program itself, as a client that has no secret. */
const CLIENT_ID = 'dray-cli'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** Nothing that is said here is long. */
const MAX_ANSWER_BYTES = 65_536
const BEARER = /^[\x21-\x7e]{1,4096}$/

/** A connection for logging in and out, without a token of its own. Throws AppError('config_error'). */
export async function openOAuth(
  baseUrl: string,
  timeoutMs: number,
  deps: OAuthClientDeps,
): Promise<{ send: Send; close(): Promise<void> }> {
  const base = readBase(baseUrl)
  const dispatcher = await openDispatcher(base, deps)
  const send = makeSender((outgoing, limits) => exchange(dispatcher, outgoing, limits), base, deps)
  return {
    send: (request, options) => send(request, { ...options, limitMs: timeoutMs }),
    close: () => dispatcher.destroy(),
  }
}

/** Whether people log in to this service with a code; throws when the address is not that of a service. */
export async function offersCodes(send: Send): Promise<boolean> {
  const path = '/.well-known/oauth-authorization-server'
  const headers = { Accept: 'application/json' }
  const reply = await send({ method: 'GET', path, headers, maxBytes: MAX_ANSWER_BYTES }, { repeatable: true })
  if (reply.status === 404 || reply.status === 405) return false
  if (reply.status !== 200) throw toError(reply)
  const { grant_types_supported: grants } = readObject(reply)
  return Array.isArray(grants) && grants.includes(DEVICE_GRANT)
}

/** A code that a person enters on a page of the service. Times in milliseconds. */
export type DeviceCode = {
  deviceCode: string
  userCode: string
  page: URL
  /** The page with the code filled in. */
  pageWithCode: URL | undefined
  validMs: number
  intervalMs: number
}

const MAX_VALID_S = 3600
const MAX_INTERVAL_S = 60

/** Asks for a code. Throws AppError. */
export async function startDevice(
  send: Send,
  { deviceName, scope }: { deviceName: string; scope: string | undefined },
): Promise<DeviceCode> {
  const reply = await post(send, '/oauth/device_authorization', {
    client_id: CLIENT_ID,
    device_name: deviceName,
    scope,
  })
  if (reply.status !== 200) throw refusalOf(reply)
  const told = readObject(reply)
  const page = webPage(told['verification_uri'])
  const code = told['user_code']
  const secret = told['device_code']
  if (!isToken(secret) || page === undefined || typeof code !== 'string' || !/^[\w-]{4,40}$/.test(code))
    throw notOurs('it gave no code to log in with')
  return {
    deviceCode: secret,
    userCode: code,
    page,
    pageWithCode: webPage(told['verification_uri_complete']),
    validMs: seconds(told['expires_in'], MAX_VALID_S, 600) * 1000,
    intervalMs: seconds(told['interval'], MAX_INTERVAL_S, 5) * 1000,
  }
}

/** What became of a code: decided, or to be asked again. */
export type Poll = { login: Login } | { again: 'pending' | 'slow_down' }

/** Asks once whether a person has approved it. Throws `login_denied`, `login_expired`, or what else is final. */
export async function pollDevice(send: Send, { deviceCode }: DeviceCode): Promise<Poll> {
  const reply = await post(send, '/oauth/token', {
    grant_type: DEVICE_GRANT,
    device_code: deviceCode,
    client_id: CLIENT_ID,
  })
  if (reply.status === 200) return { login: readLogin(reply) }
  const error = errorOf(reply) ?? ''
  if (error === 'authorization_pending') return { again: 'pending' }
  if (error === 'slow_down') return { again: 'slow_down' }
  const over = Object.hasOwn(OVER, error) ? OVER[error] : undefined
  throw over === undefined ? refusalOf(reply) : new AppError(...over)
}

/** How a code ends without a login. */
const OVER: Readonly<Record<string, [ErrorCode, string]>> = {
  access_denied: ['login_denied', 'The login was denied on the page; nothing was saved.'],
  expired_token: ['login_expired', 'Nobody approved the login in time; nothing was saved.'],
  invalid_grant: ['login_expired', 'The code is not good any more; nothing was saved.'],
}

/** A token for a program with a secret of its own. Throws AppError. */
export async function loginAsClient(send: Send, client: NonNullable<Login['client']>): Promise<Login> {
  const reply = await post(send, '/oauth/token', {
    grant_type: 'client_credentials',
    client_id: client.id,
    client_secret: client.secret,
    scope: client.scope,
  })
  if (reply.status !== 200) throw refusalOf(reply)
  return { token: readLogin(reply).token, client }
}

/** Another login in the place of one whose token is not taken any more. Throws `invalid_token` when it is over. */
export async function renewLogin(send: Send, login: Login): Promise<Login> {
  const next =
    login.client === undefined ? await rotate(send, login) : await loginAsClient(send, login.client)
  return { ...login, ...next }
}

async function rotate(send: Send, { refreshToken }: Login): Promise<Login> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: CLIENT_ID }
  // After a lost answer the service gives the same pair again; without another try the login would be lost.
  const reply = await post(send, '/oauth/token', form, { repeatable: true }).catch((error: unknown) => {
    throw unanswered(error)
  })
  if (reply.status === 200) return readLogin(reply)
  if (errorOf(reply) === 'invalid_grant')
    throw new AppError('invalid_token', 'The login is over: it was revoked, or not used for too long.')
  throw refusalOf(reply)
}

/** The service may have renewed it all the same: then what is kept here is used up, and only a new login helps. */
function unanswered(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'network_error') return error
  return new AppError(
    error.code,
    `The login had to be renewed first, and that was not answered. ${error.message}`,
    {
      hint: 'Try again; if the login is refused then, run `dray login`.',
      cause: error,
    },
  )
}

/** Makes the service forget a login: all of it for a refresh token. Throws AppError when it cannot be reached. */
export async function revokeLogin(send: Send, { token, refreshToken, client }: Login): Promise<void> {
  const reply = await post(send, '/oauth/revoke', {
    token: refreshToken ?? token,
    token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
    client_id: client?.id ?? CLIENT_ID,
    client_secret: client?.secret,
  })
  if (reply.status !== 200) throw refusalOf(reply)
}

function post(
  send: Send,
  path: string,
  form: Readonly<Record<string, string | undefined>>,
  { repeatable }: { repeatable: boolean } = { repeatable: false },
): Promise<Reply> {
  const given = Object.entries(form).filter((field): field is [string, string] => field[1] !== undefined)
  const headers = { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(given).toString()
  return send({ method: 'POST', path, headers, body, maxBytes: MAX_ANSWER_BYTES }, { repeatable })
}

/** Tokens are for the bearer, whatever else a service calls them. */
function readLogin(reply: Reply): Login {
  const { access_token: token, refresh_token: refreshToken, token_type: type } = readObject(reply)
  if (!isToken(token) || (typeof type === 'string' && type.toLowerCase() !== 'bearer'))
    throw notOurs('it gave no token')
  return { token, ...(isToken(refreshToken) && { refreshToken }) }
}

/** `error` of RFC 6749; undefined for what is no answer of its kind. */
function errorOf(reply: Reply): string | undefined {
  const told = reply.status === 400 || reply.status === 401
  if (!told || contentType(reply) !== 'application/json') return undefined
  const { error } = readObject(reply)
  return typeof error === 'string' ? error : undefined
}

/** What the service says against it, in the words of this program where it has any. */
function refusalOf(reply: Reply): AppError {
  const error = errorOf(reply)
  if (error === undefined) return toError(reply)
  const { error_description: told } = readObject(reply)
  const why = typeof told === 'string' ? `: ${told.slice(0, 300).replace(/\.$/, '')}` : ''
  if (reply.status === 429) return new AppError('rate_limited', `The service takes no more logins now${why}.`)
  switch (error) {
    case 'invalid_client':
      return new AppError(
        'invalid_token',
        `The service does not know this client id with this secret${why}.`,
        {
          hint: 'Check --client-id and the file of --client-secret-file.',
        },
      )
    case 'invalid_scope':
      return new AppError('insufficient_scope', `The service gives none of these scopes${why}.`, {
        hint: 'Leave --scope out to ask for everything the account may do.',
      })
    case 'unauthorized_client':
    case 'unsupported_grant_type':
      return new AppError('invalid_request', `The service does not take this way to log in${why}.`, {
        hint: 'With a token of it: the same command with --token-file FILE.',
      })
    default:
      return new AppError('invalid_request', `The service refused the login (${error.slice(0, 40)})${why}.`)
  }
}

function readObject({ body }: Reply): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // said below
  }
  throw notOurs('its JSON is cut off, damaged or no object')
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && BEARER.test(value)
}

/** A page for a browser: nothing that runs a program or opens a file. */
function webPage(value: unknown): URL | undefined {
  const url = typeof value === 'string' && value.length <= 2000 ? URL.parse(value) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  return url
}

function seconds(value: unknown, most: number, usual: number): number {
  return typeof value === 'number' && value >= 1 ? Math.min(value, most) : usual
}
