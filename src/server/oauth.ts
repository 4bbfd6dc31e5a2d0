/** The login endpoints: they read forms and answer in OAuth's own form (RFC 6749, 7009, 7662, 8414, 8628, 9728). */
import type { IncomingMessage } from 'node:http'
import { SCOPES } from '../core/account.ts'
import { commonHeaders } from '../gateway/gateway.ts'
import { toPublicError } from '../gateway/public-error.ts'
import type { GatewayResponse } from '../gateway/request.ts'
import type { ClientCredential } from '../oauth/clients.ts'
import { readDeviceName } from '../oauth/device.ts'
import { OAuthError } from '../oauth/refusal.ts'
import { GRANT_TYPES, type Logins } from '../oauth/service.ts'
import { decodeFormText, type FormParams, receiveForm } from './form.ts'
import { type IpLimit, makeIpLimit } from './ip-limit.ts'
import { readClientAddress, readRequestOrigin } from './origin.ts'
import type { HandlerRequest, OAuthLimits, OAuthDeps, Route, RouteLogFields } from './route.ts'

const BODY_LIMIT = 16_384

const LIMITS: OAuthLimits = { devices: 30, failures: 30 }

type Reply = { status?: number; value: object; headers?: Record<string, string> }
type Handler = (form: FormParams, incoming: HandlerRequest, note: RouteLogFields) => Promise<Reply>

/** Returns the routes of the login endpoints. */
export function oauthRoutes(deps: OAuthDeps): Route[] {
  const { logins, approval, limits = LIMITS } = deps
  const devices = makeIpLimit({ name: 'devices', points: limits.devices, seconds: 60 })
  const failures = makeIpLimit({ name: 'failures', points: limits.failures, seconds: 60 })

  const post = (name: string, handle: Handler): Route => ({
    name: `oauth:${name}`,
    method: 'POST',
    path: `/oauth/${name}`,
    crossOrigin: 'allowed',
    answer: (incoming, note) =>
      answer(deps, incoming, async () => handle(await receiveForm(incoming, BODY_LIMIT), incoming, note)),
  })

  return [
    ...(approval
      ? [
          post('device_authorization', async (form, { raw }) => {
            const wait = await devices.take(readClientAddress(raw))
            if (wait !== undefined) return tooMany(wait)
            return guarded(failures, raw, () => authorizeDevice(logins, form, raw))
          }),
        ]
      : []),
    post('token', (form, { raw }, note) => guarded(failures, raw, () => giveTokens(logins, form, raw, note))),
    post('revoke', async (form) => {
      await logins.revoke(tokenOf(form))
      return { value: {} }
    }),
    post('introspect', (form, { raw }) =>
      guarded(failures, raw, async () => {
        const found = await logins.introspect(tokenOf(form))
        if (!found.active) await failures.take(readClientAddress(raw))
        return { value: found }
      }),
    ),
    authorizeRoute(deps),
    ...metadataRoutes(deps),
  ]
}

/** Rejects an address that failed too often, and counts another failure. */
async function guarded(limit: IpLimit, raw: IncomingMessage, work: () => Promise<Reply>): Promise<Reply> {
  const address = readClientAddress(raw)
  const wait = await limit.look(address)
  if (wait !== undefined) return tooMany(wait)
  try {
    return await work()
  } catch (error) {
    const guess =
      error instanceof OAuthError && (error.code === 'invalid_client' || error.code === 'invalid_grant')
    if (guess) await limit.take(address)
    throw error
  }
}

function tooMany(wait: number): Reply {
  return {
    status: 429,
    value: { error: 'rate_limited', error_description: `Too many tries. Come again in ${wait} seconds.` },
    headers: { 'Retry-After': String(wait) },
  }
}

async function authorizeDevice(logins: Logins, form: FormParams, raw: IncomingMessage): Promise<Reply> {
  const { deviceCode, userCode, expiresIn, interval } = await logins.startDevice({
    ...readClient(raw, form),
    scope: form.get('scope'),
    device: readDeviceName(form.get('device_name'), raw.headers['user-agent']),
  })
  const page = `${readRequestOrigin(raw)}/device`
  return {
    value: {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: expiresIn,
      interval,
    },
  }
}

async function giveTokens(
  logins: Logins,
  form: FormParams,
  raw: IncomingMessage,
  note: RouteLogFields,
): Promise<Reply> {
  const { tokens, accountId } = await logins.exchange({
    ...readClient(raw, form),
    grantType: form.get('grant_type'),
    deviceCode: form.get('device_code'),
    refreshToken: form.get('refresh_token'),
    scope: form.get('scope'),
  })
  note.account = accountId
  return { value: tokens }
}

function tokenOf(form: FormParams): string {
  const token = form.get('token')
  if (token === undefined) throw new OAuthError('invalid_request', 'token is missing.')
  return token
}

/** Reads the client's credential from HTTP Basic or from the body, never from both (RFC 6749 2.3). */
function readClient({ headersDistinct }: IncomingMessage, form: FormParams): ClientCredential {
  const inBody = { clientId: form.get('client_id'), secret: form.get('client_secret') }
  const headers = headersDistinct['authorization']
  if (headers === undefined) return inBody
  const basic = headers.length === 1 ? readBasic(headers[0] ?? '') : undefined
  if (basic === undefined)
    throw new OAuthError(
      'invalid_client',
      'Authorization must be HTTP Basic with client_id and client_secret.',
    )
  if (inBody.secret !== undefined || (inBody.clientId ?? basic.clientId) !== basic.clientId)
    throw new OAuthError('invalid_request', 'Send the client by HTTP Basic or in the body, not by both.')
  return basic
}

function readBasic(header: string): { clientId: string; secret: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const at = text.indexOf(':')
  const clientId = at === -1 ? undefined : decodeFormText(text.slice(0, at))
  const secret = at === -1 ? undefined : decodeFormText(text.slice(at + 1))
  return clientId === undefined || secret === undefined ? undefined : { clientId, secret }
}

/** The authorization endpoint, which this service does not support. It tells the browser what to do instead. */
function authorizeRoute(deps: OAuthDeps): Route {
  return {
    name: 'oauth:authorize',
    method: 'GET',
    path: '/oauth/authorize',
    answer: (incoming) =>
      answer(deps, incoming, async () => {
        throw new OAuthError(
          'unsupported_response_type',
          'This server has no browser code flow. Log in with a device code (`dray login`), or with client_credentials.',
        )
      }),
  }
}

function metadataRoutes(deps: OAuthDeps): Route[] {
  const get = (name: string, describe: (origin: string) => object): Route => ({
    name,
    method: 'GET',
    path: `/.well-known/${name}`,
    crossOrigin: 'allowed',
    answer: (incoming) =>
      answer(deps, incoming, async () => ({ value: describe(readRequestOrigin(incoming.raw)) })),
  })
  return [
    get('oauth-authorization-server', (origin) => ({
      issuer: origin,
      ...(deps.approval && { device_authorization_endpoint: `${origin}/oauth/device_authorization` }),
      // Common clients reject metadata without it.
      authorization_endpoint: `${origin}/oauth/authorize`,
      token_endpoint: `${origin}/oauth/token`,
      revocation_endpoint: `${origin}/oauth/revoke`,
      introspection_endpoint: `${origin}/oauth/introspect`,
      scopes_supported: SCOPES,
      response_types_supported: [],
      grant_types_supported: Object.values(GRANT_TYPES).filter(
        (grant) => deps.approval || grant !== GRANT_TYPES.device,
      ),
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['none'],
      introspection_endpoint_auth_methods_supported: ['none'],
    })),
    get('oauth-protected-resource', (origin) => ({
      resource: origin,
      authorization_servers: [origin],
      scopes_supported: SCOPES,
      bearer_methods_supported: ['header'],
      resource_name: 'dray',
    })),
  ]
}

async function answer(
  deps: OAuthDeps,
  { requestId }: HandlerRequest,
  work: () => Promise<Reply>,
): Promise<GatewayResponse> {
  const {
    status = 200,
    value,
    headers,
  } = await work().catch((error: unknown) => refuse(error, requestId, deps.onBug))
  const time = await deps.serviceTime().catch(() => undefined)
  return {
    status,
    headers: {
      ...commonHeaders(requestId, time),
      'Content-Type': 'application/json',
      Pragma: 'no-cache',
      ...headers,
    },
    body: JSON.stringify(value),
  }
}

function refuse(error: unknown, requestId: string, onBug: OAuthDeps['onBug']): Reply {
  if (error instanceof OAuthError) {
    return {
      status: error.status,
      value: { error: error.code, error_description: error.message },
      ...(error.status === 401 && { headers: { 'WWW-Authenticate': 'Basic realm="dray"' } }),
    }
  }
  const { entry, message } = toPublicError(error, requestId, onBug)
  const status = entry.status ?? 500
  return {
    status,
    value: { error: nameOf(status), error_description: message },
    ...(status === 503 && { headers: { 'Retry-After': '1' } }),
  }
}

function nameOf(status: number): string {
  if (status < 500) return 'invalid_request'
  return status === 503 ? 'temporarily_unavailable' : 'server_error'
}
