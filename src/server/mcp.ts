/** MCP beside the other routes: it is admitted, measured and logged as they are, and its caller checked before its body is read. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AppError } from '../core/errors.ts'
import { parseStrictJson } from '../core/strict-json.ts'
import { commonHeaders, failure } from '../gateway/gateway.ts'
import type { Answer, Credential } from '../gateway/request.ts'
import { toVisible } from '../gateway/visible.ts'
import { readCredential } from './bearer.ts'
import { jsonAnswer } from './json-answer.ts'
import { originOf } from './origin.ts'
import type { Incoming, Route, RouteDeps } from './route.ts'
import { mediaRoute } from './routes.ts'

/** As the largest body of an operation, and what stands around it. */
const BODY_LIMIT = 8 * 1_048_576

/** Who calls, and how calls of theirs are answered. */
export type McpCaller = {
  accountId: string | undefined
  /** `origin` is where the caller knows this server. */
  answer(request: Request, body: unknown, origin: string): Promise<Response>
  /** A picture of theirs. Throws `media_not_found`. */
  media(mediaId: string): ReturnType<RouteDeps['media']>
}

export type McpRouteDeps = Pick<RouteDeps, 'serviceTime' | 'onBug'> & {
  /** Throws `missing_token`, `invalid_token`. */
  admit: (credential: Credential | undefined) => Promise<McpCaller>
  /** How a caller gets in. */
  next: string
  /** Whether programs can find out here where to get a token. */
  discovery: boolean
  /** Whether that is a sandbox; undefined where it is not known. */
  environment: () => 'sandbox' | 'live' | undefined
  /** Throws when what is behind the tools does not answer. */
  ready: () => Promise<unknown>
}

/** `/mcp`, the pictures that its answers name, and whether the process and what it stands on are there. */
export function mcpRoutes(parts: McpRouteDeps): Route[] {
  const { serviceTime } = parts
  const pictures = mediaRoute({
    serviceTime,
    async media(credential, mediaId) {
      const caller = await parts.admit(credential).catch((error: unknown) => {
        throw error instanceof AppError ? withNext(error, parts.next) : error
      })
      return caller.media(mediaId)
    },
  })
  const get = (name: string, body: string, time: () => Promise<string | undefined>): Route => ({
    name,
    method: 'GET',
    path: `/${name}`,
    answer: async ({ requestId }) => jsonAnswer(requestId, await time(), body),
  })
  return [
    {
      name: 'mcp',
      method: 'POST',
      path: '/mcp',
      answer: (incoming, note) => answerMessage(parts, incoming, note),
    },
    {
      ...pictures,
      answer: async (incoming, note) => behind(parts, await pictures.answer(incoming, note)),
    },
    get('healthz', '{"status":"ok"}', async () => undefined),
    get('readyz', '{"status":"ready"}', async () => {
      await parts.ready().catch((cause: unknown) => {
        throw new AppError('service_unavailable', 'What is behind the tools does not answer.', { cause })
      })
      return serviceTime().catch(() => undefined)
    }),
  ]
}

/** Answers one message of the protocol. */
async function answerMessage(
  parts: McpRouteDeps,
  incoming: Incoming,
  note: Parameters<Route['answer']>[1],
): ReturnType<Route['answer']> {
  const { raw, requestId } = incoming
  const time = await parts.serviceTime().catch(() => undefined)
  let caller: McpCaller
  try {
    caller = await parts.admit(readCredential(raw))
  } catch (error) {
    const visible = toVisible(error, requestId, parts.onBug)
    return behind(parts, refuse(withNext(visible, parts.next), raw, requestId, time, parts.discovery))
  }
  if (caller.accountId !== undefined) note.account = caller.accountId
  // Without an account it brought the one token of this server.
  note.caller = caller.accountId ?? 'mcp'
  const parsed = parseStrictJson(await incoming.readBody(BODY_LIMIT))
  if ('problem' in parsed) {
    const error = { code: -32_700, message: parsed.problem }
    return jsonAnswer(requestId, time, JSON.stringify({ jsonrpc: '2.0', id: null, error }), 400)
  }
  const { request, done } = toRequest(raw)
  try {
    const response = await caller.answer(request, parsed.value, originOf(raw))
    return behind(parts, toAnswer(response, requestId, time, done))
  } catch (error) {
    done()
    throw error
  }
}

/** The head of a request in the words of the web; its body is handed on beside it. */
function toRequest(raw: IncomingMessage): { request: Request; done: () => void } {
  const gone = new AbortController()
  const onClose = (): void => gone.abort()
  raw.socket.once('close', onClose)
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(raw.headersDistinct)) {
    // Nobody needs the token any more.
    if (name !== 'authorization') for (const value of values) headers.append(name, value)
  }
  return {
    // Its address tells nothing, and the name that it was sent to need not be one of the web.
    request: new Request('http://localhost/mcp', { method: 'POST', headers, signal: gone.signal }),
    done: () => raw.socket.off('close', onClose),
  }
}

/** Whether an answer is of a sandbox is for the service behind the tools to say. */
function behind<A extends { headers: Readonly<Record<string, string>> }>(
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

/** The token is one of this server: what helps elsewhere does not help here. */
function withNext(error: AppError, next: string): AppError {
  const { code, message, errors, extra, cause } = error
  if (code !== 'missing_token' && code !== 'invalid_token') return error
  return new AppError(code, message, { errors, extra, cause, hint: next })
}

/** A 401 also tells where the token comes from (RFC 9728). */
function refuse(
  error: AppError,
  raw: IncomingMessage,
  requestId: string,
  time: string | undefined,
  discovery: boolean,
): Answer {
  const answer = failure(error, requestId, time)
  const challenge = answer.headers['WWW-Authenticate']
  if (challenge === undefined || !discovery) return answer
  const metadata = `resource_metadata="${originOf(raw)}/.well-known/oauth-protected-resource"`
  return { ...answer, headers: { ...answer.headers, 'WWW-Authenticate': `${challenge}, ${metadata}` } }
}
