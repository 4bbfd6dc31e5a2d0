/** Gets, renews and revokes a login at a service: RFC 8628 (devices), RFC 6749, RFC 7009. */
import { AppError } from '../core/errors.ts'
import type { ErrorCode } from '../core/errors.ts'
import type { Machine } from '../core/machine.ts'
import { isRecord } from '../core/record.ts'
import { contentType, foreignServerError, toError } from './answers.ts'
import { readBase } from './base.ts'
import { openDispatcher } from './connection.ts'
import { exchange } from './exchange.ts'
import type { ExchangeResponse } from './exchange.ts'
import { formatProxySuffix } from './proxy.ts'
import { makeSender } from './sender.ts'
import type { SenderRequest } from './sender.ts'
import type { Login } from './session.ts'

/** Sends one request to the service. Retries only when it is `repeatable`. */
export type RequestSender = (
  request: SenderRequest,
  options: { repeatable: boolean; signal?: AbortSignal | undefined },
) => Promise<ExchangeResponse>

type OAuthClientDeps = Pick<Machine, 'env' | 'now' | 'elapsed' | 'weakRandomBytes' | 'sleep'> & {
  debug(line: string): void
  warn?(line: string): void
}

/** The public client id of this program. */
const CLIENT_ID = 'dray-cli'
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** The largest response of the login endpoints. */
const MAX_ANSWER_BYTES = 65_536
const BEARER = /^[\x21-\x7e]{1,4096}$/

/** Opens a connection for logging in and out, without a token. Throws AppError('config_error'). */
export async function openOAuth(
  baseUrl: string,
  timeoutMs: number,
  deps: OAuthClientDeps,
): Promise<{ send: RequestSender; close(): Promise<void> }> {
  const base = readBase(baseUrl)
  const dispatcher = await openDispatcher(base, deps)
  const send = makeSender((outgoing, limits) => exchange(dispatcher, outgoing, limits), base, {
    ...deps,
    through: formatProxySuffix(base, deps.env),
  })
  return {
    send: (request, options) => send(request, { ...options, limitMs: timeoutMs }),
    close: () => dispatcher.destroy(),
  }
}

/** Returns whether the service supports the login with a code. Throws when the address is not that of a service. */
export async function offersCodes(send: RequestSender): Promise<boolean> {
  const path = '/.well-known/oauth-authorization-server'
  const headers = { Accept: 'application/json' }
  const reply = await send({ method: 'GET', path, headers, maxBytes: MAX_ANSWER_BYTES }, { repeatable: true })
  if (reply.status === 404 || reply.status === 405) return false
  if (reply.status !== 200) throw toError(reply)
  const { grant_types_supported: grants } = readObject(reply)
  return Array.isArray(grants) && grants.includes(DEVICE_GRANT)
}

/** A code that a person enters on a page of the service. Times are in milliseconds. */
export type DeviceCode = {
  deviceCode: string
  userCode: string
  page: URL
  /** The page with the code filled in; undefined when the service gives none. */
  pageWithCode: URL | undefined
  validMs: number
  intervalMs: number
}

const MAX_VALID_S = 3600
const MAX_INTERVAL_S = 60

/** Requests a code. Throws AppError. */
export async function requestDeviceCode(
  send: RequestSender,
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
    throw foreignServerError('it gave no code to log in with')
  return {
    deviceCode: secret,
    userCode: code,
    page,
    pageWithCode: webPage(told['verification_uri_complete']),
    validMs: seconds(told['expires_in'], MAX_VALID_S, 600) * 1000,
    intervalMs: seconds(told['interval'], MAX_INTERVAL_S, 5) * 1000,
  }
}

/** The state of a code: a login, or a request to poll again. */
export type Poll = { login: Login } | { again: 'pending' | 'slow_down' }

/**
 * Polls once whether a person has approved the code. Throws `login_denied`, `login_expired`, or another final error.
 */
export async function pollDevice(send: RequestSender, { deviceCode }: DeviceCode): Promise<Poll> {
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

/** The final errors of a code. */
const OVER: Readonly<Record<string, [ErrorCode, string]>> = {
  access_denied: ['login_denied', 'The login was denied on the page; nothing was saved.'],
  expired_token: ['login_expired', 'Nobody approved the login in time; nothing was saved.'],
  invalid_grant: ['login_expired', 'The code is not good any more; nothing was saved.'],
}

/** Gets a token for a program with its own secret. Throws AppError. */
export async function loginAsClient(
  send: RequestSender,
  client: NonNullable<Login['client']>,
): Promise<Login> {
  const reply = await post(send, '/oauth/token', {
    grant_type: 'client_credentials',
    client_id: client.id,
    client_secret: client.secret,
    scope: client.scope,
  })
  if (reply.status !== 200) throw refusalOf(reply)
  return { token: readLogin(reply).token, client }
}

/** Renews a login after its token was rejected. Throws `invalid_token` when the login has ended. */
export async function renewLogin(send: RequestSender, login: Login): Promise<Login> {
  const next =
    login.client === undefined ? await rotate(send, login) : await loginAsClient(send, login.client)
  return { ...login, ...next }
}

async function rotate(send: RequestSender, { refreshToken }: Login): Promise<Login> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: CLIENT_ID }
  // After a lost response the service returns the same pair again; without a retry the login would be lost.
  const reply = await post(send, '/oauth/token', form, { repeatable: true }).catch((error: unknown) => {
    throw unanswered(error)
  })
  if (reply.status === 200) return readLogin(reply)
  if (errorOf(reply) === 'invalid_grant')
    throw new AppError('invalid_token', 'The login is over: it was revoked, or not used for too long.')
  throw refusalOf(reply)
}

/**
 * Returns the error of a renewal without a response. The service may have renewed the login; then the stored token is
 * used up, and only a new login helps.
 */
function unanswered(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'network_error') return error
  return new AppError(
    error.code,
    `The login had to be renewed first, but there was no response. ${error.message}`,
    {
      hint: 'Try again; if the login is rejected, run `dray login`.',
      cause: error,
    },
  )
}

/**
 * Revokes a login at the service; with a refresh token, the whole login. Throws AppError when the service is
 * unreachable.
 */
export async function revokeLogin(
  send: RequestSender,
  { token, refreshToken, client }: Login,
): Promise<void> {
  const reply = await post(send, '/oauth/revoke', {
    token: refreshToken ?? token,
    token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
    client_id: client?.id ?? CLIENT_ID,
    client_secret: client?.secret,
  })
  if (reply.status !== 200) throw refusalOf(reply)
}

function post(
  send: RequestSender,
  path: string,
  form: Readonly<Record<string, string | undefined>>,
  { repeatable }: { repeatable: boolean } = { repeatable: false },
): Promise<ExchangeResponse> {
  const given = Object.entries(form).filter((field): field is [string, string] => field[1] !== undefined)
  const headers = { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(given).toString()
  return send({ method: 'POST', path, headers, body, maxBytes: MAX_ANSWER_BYTES }, { repeatable })
}

/** Reads the tokens of a response. Rejects token types other than bearer. */
function readLogin(reply: ExchangeResponse): Login {
  const { access_token: token, refresh_token: refreshToken, token_type: type } = readObject(reply)
  if (!isToken(token) || (typeof type === 'string' && type.toLowerCase() !== 'bearer'))
    throw foreignServerError('it gave no token')
  return { token, ...(isToken(refreshToken) && { refreshToken }) }
}

/** Returns the `error` field of RFC 6749; undefined for other responses. */
function errorOf(reply: ExchangeResponse): string | undefined {
  const told = reply.status === 400 || reply.status === 401
  if (!told || contentType(reply) !== 'application/json') return undefined
  const { error } = readObject(reply)
  return typeof error === 'string' ? error : undefined
}

/** Returns the service's error, with this program's own words where it has some. */
function refusalOf(reply: ExchangeResponse): AppError {
  const error = errorOf(reply)
  if (error === undefined) return toError(reply)
  const { error_description: told } = readObject(reply)
  const why = typeof told === 'string' ? `: ${told.slice(0, 300).replace(/\.$/, '')}` : ''
  if (reply.status === 429)
    return new AppError('rate_limited', `The server accepts no more logins now${why}.`)
  switch (error) {
    case 'invalid_client':
      return new AppError('invalid_token', `Unknown client ID or wrong secret${why}.`, {
        hint: 'Check --client-id and the file of --client-secret-file.',
      })
    case 'invalid_scope':
      return new AppError('insufficient_scope', `The server grants none of these scopes${why}.`, {
        hint: 'Leave out --scope to request all permissions of the account.',
      })
    case 'unauthorized_client':
    case 'unsupported_grant_type':
      return new AppError('invalid_request', `The server does not support this login method${why}.`, {
        hint: 'With a token of it: the same command with --token-file FILE.',
      })
    default:
      return new AppError('invalid_request', `The server rejected the login (${error.slice(0, 40)})${why}.`)
  }
}

function readObject({ body }: ExchangeResponse): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (isRecord(value)) return value
  } catch {
    // the error below reports it
  }
  throw foreignServerError('its JSON is cut off, damaged or no object')
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && BEARER.test(value)
}

/** Returns a URL that is safe to open in a browser: only http and https, without a password. */
function webPage(value: unknown): URL | undefined {
  const url = typeof value === 'string' && value.length <= 2000 ? URL.parse(value) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  return url
}

function seconds(value: unknown, most: number, usual: number): number {
  return typeof value === 'number' && value >= 1 ? Math.min(value, most) : usual
}
