/**
 * The MCP endpoint. Requests are admitted, measured and logged as on other routes, and the caller is checked before
 * the body is read.
 */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AppError } from '../core/errors.ts'
import { commonHeaders, toErrorResponse } from '../gateway/gateway.ts'
import { toPublicError } from '../gateway/public-error.ts'
import type { GatewayResponse, Credential } from '../gateway/request.ts'
import { acceptedTypes, assertAcceptsJson } from './accept.ts'
import { readCredential } from './bearer.ts'
import { jsonAnswer } from './json-response.ts'
import { readRequestOrigin } from './origin.ts'
import type { HandlerRequest, Route, RouteDeps } from './route.ts'
import { mediaRoute, probeRoutes } from './routes.ts'

/** The largest body of an operation, with room for the message around it. */
const BODY_LIMIT = 8 * 1_048_576
const JSON_TYPE = 'application/json'
const EVENT_STREAM = 'text/event-stream'

/** An authenticated caller, and the functions that response it. */
export type McpCaller = {
  accountId: string | undefined
  /** Answers one message, or why it cannot be read. `origin` is this server's origin as the caller knows it. */
  answer(request: Request, body: Uint8Array, origin: string): Promise<Response>
  /** Reads a picture that belongs to the caller. Throws `media_not_found`. */
  media(mediaId: string): ReturnType<RouteDeps['media']>
}

export type McpRouteDeps = Pick<RouteDeps, 'serviceTime' | 'onBug'> & {
  /** Authenticates a caller. Throws `missing_token`, `invalid_token`. */
  admit: (credential: Credential | undefined) => Promise<McpCaller>
  /** The hint that says how to get a token. */
  next: string
  /** True if programs can discover here where to get a token. */
  discovery: boolean
  /** Returns the environment of the service; undefined when it is not known. */
  environment: () => 'sandbox' | 'live' | undefined
  /** Throws when the service behind the tools does not answer. */
  ready: () => Promise<unknown>
}

/** Returns the routes: `/mcp`, the pictures in its responses, and the health and readiness checks. */
export function mcpRoutes(deps: McpRouteDeps): Route[] {
  const { serviceTime } = deps
  const pictures = mediaRoute({
    serviceTime,
    async media(credential, mediaId) {
      const caller = await deps.admit(credential).catch((error: unknown) => {
        throw error instanceof AppError ? withNext(error, deps.next) : error
      })
      return caller.media(mediaId)
    },
  })
  return [
    // Some programs add a slash to the address that a person gave them.
    ...['/mcp', '/mcp/'].map((path): Route => ({
      name: 'mcp',
      method: 'POST',
      path,
      crossOrigin: 'allowed',
      answer: (incoming, note) => answerMessage(deps, incoming, note),
    })),
    {
      ...pictures,
      answer: async (incoming, note) => withEnvironment(deps, await pictures.answer(incoming, note)),
    },
    ...probeRoutes('healthz', async ({ requestId }) => jsonAnswer(requestId, undefined, '{"status":"ok"}')),
    ...probeRoutes('readyz', async ({ requestId }) => {
      await deps.ready().catch((cause: unknown) => {
        throw new AppError('service_unavailable', 'The server behind the tools does not respond.', { cause })
      })
      const time = await serviceTime().catch(() => undefined)
      return jsonAnswer(requestId, time, '{"status":"ready"}')
    }),
  ]
}

/** Answers one message of the protocol. */
async function answerMessage(
  deps: McpRouteDeps,
  incoming: HandlerRequest,
  note: Parameters<Route['answer']>[1],
): ReturnType<Route['answer']> {
  const { raw, requestId } = incoming
  const time = await deps.serviceTime().catch(() => undefined)
  let caller: McpCaller
  try {
    caller = await deps.admit(readCredential(raw))
  } catch (error) {
    const visible = toPublicError(error, requestId, deps.onBug)
    return withEnvironment(
      deps,
      refuse(withNext(visible, deps.next), raw, { requestId, time }, deps.discovery),
    )
  }
  if (caller.accountId !== undefined) note.account = caller.accountId
  // A caller without an account has the one token of this server.
  note.caller = caller.accountId ?? 'mcp'
  assertAcceptsJson(raw.headers.accept)
  const body = await incoming.readBody(BODY_LIMIT)
  const { request, done } = toRequest(raw)
  try {
    const response = await caller.answer(request, body, readRequestOrigin(raw))
    return withEnvironment(deps, toAnswer(response, requestId, time, done))
  } catch (error) {
    done()
    throw error
  }
}

/** Converts the headers to a web `Request`; the body is passed separately. */
function toRequest(raw: IncomingMessage): { request: Request; done: () => void } {
  const gone = new AbortController()
  const onClose = (): void => gone.abort()
  // The caller may have left while its body was read, and its account looked up.
  if (raw.socket.destroyed) onClose()
  raw.socket.once('close', onClose)
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(raw.headersDistinct)) {
    // The token is omitted, because no later code needs it.
    if (name !== 'authorization') for (const value of values) headers.append(name, value)
  }
  headers.set('accept', acceptOf(raw))
  return {
    // The address is fixed, because no code reads it and the Host may not be a valid one.
    request: new Request('http://localhost/mcp', { method: 'POST', headers, signal: gone.signal }),
    done: () => raw.socket.off('close', onClose),
  }
}

/** Returns the form in which the library expects what the caller accepts: JSON alone, or also a stream of events. */
function acceptOf({ headers }: IncomingMessage): string {
  return acceptedTypes(headers.accept).includes(EVENT_STREAM) ? `${JSON_TYPE}, ${EVENT_STREAM}` : JSON_TYPE
}

/** Sets the `Environment` header to that of the service behind the tools. */
function withEnvironment<A extends { headers: Readonly<Record<string, string>> }>(
  { environment }: Pick<McpRouteDeps, 'environment'>,
  answer: A,
): A {
  const { Environment: _, ...headers } = answer.headers
  const known = environment()
  return { ...answer, headers: { ...headers, ...(known !== undefined && { Environment: known }) } }
}

function toAnswer(
  response: Response,
  requestId: string,
  time: string | undefined,
  done: () => void,
): Awaited<ReturnType<Route['answer']>> {
  const body = response.body === null ? '' : Readable.fromWeb(response.body as ReadableStream<Uint8Array>)
  if (typeof body === 'string') done()
  else body.once('close', done)
  const headers = { ...Object.fromEntries(response.headers), ...commonHeaders(requestId, time) }
  return { status: response.status, headers, body }
}

/** Replaces the hint: the token is of this server, and the usual hint does not help. */
function withNext(error: AppError, next: string): AppError {
  const { code, message, errors, extra, cause } = error
  if (code !== 'missing_token' && code !== 'invalid_token') return error
  return new AppError(code, message, { errors, extra, cause, hint: next })
}

/** Adds to a 401 where the token comes from (RFC 9728). */
function refuse(
  error: AppError,
  raw: IncomingMessage,
  { requestId, time }: { requestId: string; time: string | undefined },
  discovery: boolean,
): GatewayResponse {
  const answer = toErrorResponse(error, requestId, time)
  const challenge = answer.headers['WWW-Authenticate']
  if (challenge === undefined || !discovery) return answer
  const metadata = `resource_metadata="${readRequestOrigin(raw)}/.well-known/oauth-protected-resource"`
  return { ...answer, headers: { ...answer.headers, 'WWW-Authenticate': `${challenge}, ${metadata}` } }
}
