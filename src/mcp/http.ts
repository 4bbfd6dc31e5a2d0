/** MCP over streamable HTTP, without sessions: every request names its caller and gets its own server. */
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { AuthInfo, Server } from '@modelcontextprotocol/server'
import type { ServiceFacts } from '../client/client.ts'
import { AppError } from '../core/errors.ts'
import { parseStrictJson } from '../core/strict-json.ts'
import { fetchServiceFacts } from './facts.ts'
import { readMessage } from './message.ts'
import type { ReceivedMessage } from './message.ts'
import { makeServer } from './server.ts'
import type { McpDeps } from './server.ts'

/** The most streams that wait for changes of the tool list. It never changes, so few connections suffice. */
const MAX_SUBSCRIPTIONS = 16
/** The time for running calls to finish when the server stops. */
const GRACE_MS = 10_000
/** The status of nginx for a caller that left before the response; no client receives it. */
const CALLER_LEFT = 499

export type HttpHandler = {
  /** Answers one request. Its body was received and its caller authenticated before. */
  answer(request: Request, body: Uint8Array, deps: McpDeps): Promise<Response>
  /** Lets the running calls finish, then ends the waiting streams. */
  close(): Promise<void>
}

/** Makes the handler of MCP requests over HTTP. Errors of the library go to `onError`. */
export function makeHttpHandler(onError: (error: unknown) => void): HttpHandler {
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { deps, facts } = (authInfo?.extra ?? {}) as { deps: McpDeps; facts: ServiceFacts | undefined }
      return makeServer(deps, facts)
    },
    { onerror: onError, maxSubscriptions: MAX_SUBSCRIPTIONS },
  )
  const running = new Set<Promise<Response>>()
  let isClosed = false
  return {
    // The library expects a token; the caller was authenticated before, so the token is omitted.
    async answer(request, body, deps) {
      if (isClosed)
        throw new AppError('service_unavailable', 'The server is stopping and accepts no new calls.')
      const received = readBody(body)
      if ('refusals' in received) return refusal(received.refusals)
      const { message, fault } = received
      const facts = needsFacts(message) ? await fetchServiceFacts(deps.client) : deps.client.latestFacts()
      // The library does not look at a caller who has left before.
      if (request.signal.aborted) return new Response(null, { status: CALLER_LEFT })
      const readsStreams = request.headers.get('accept')?.includes('text/event-stream') === true
      const extra = { deps: { ...deps, faultOf: () => fault, silent: !readsStreams }, facts }
      const options = { parsedBody: message, authInfo: { token: '', clientId: '', scopes: [], extra } }
      // Only for older revisions the library always answers with a stream.
      const asJson = !readsStreams && (await isLegacyRequest(request, message))
      const answering = asJson
        ? answerAsJson(makeServer(extra.deps, facts), request, options)
        : handler.fetch(request, options)
      running.add(answering)
      return answering.finally(() => running.delete(answering))
    },
    async close() {
      // The library would end the running calls, and their callers would never learn the outcome.
      isClosed = true
      const { promise, resolve } = Promise.withResolvers<void>()
      const late = setTimeout(resolve, GRACE_MS)
      await Promise.race([Promise.allSettled(running), promise])
      clearTimeout(late)
      await handler.close()
    },
  }
}

/** Answers one request of an older revision as JSON, for a caller that reads no streams. */
async function answerAsJson(
  server: Server,
  given: Request,
  options: { parsedBody: unknown; authInfo: AuthInfo },
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  const left = Promise.withResolvers<Response>()
  const onLeft = (): void => left.resolve(new Response(null, { status: CALLER_LEFT }))
  given.signal.addEventListener('abort', onLeft, { once: true })
  const request = new Request(given)
  // The library responds only to clients that name both.
  request.headers.set('accept', 'application/json, text/event-stream')
  try {
    await server.connect(transport)
    return await Promise.race([transport.handleRequest(request, options), left.promise])
  } finally {
    given.signal.removeEventListener('abort', onLeft)
    await server.close()
  }
}

/** Reads the body. The library answers batches: programs of older revisions send them. */
function readBody(body: Uint8Array): ReceivedMessage | { message: unknown; fault?: undefined } {
  const parsed = parseStrictJson(body)
  return 'value' in parsed && Array.isArray(parsed.value) ? { message: parsed.value } : readMessage(body)
}

/** Rejects a message that cannot be read; several where the body is a batch. */
function refusal(refusals: readonly string[]): Response {
  const body = refusals.length === 1 ? refusals[0] : `[${refusals.join(',')}]`
  return new Response(body, { status: 400, headers: { 'Content-Type': 'application/json' } })
}

/**
 * Returns whether the response contains the instructions, or the tools, which a live service lists differently. Other
 * requests need not wait for the service's time.
 */
function needsFacts(body: unknown): boolean {
  const method = typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined
  return method === 'initialize' || method === 'server/discover' || method === 'tools/list'
}
