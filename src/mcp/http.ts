/** MCP over streamable HTTP, without sessions: every request names its caller and gets its own server. */
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { ServiceFacts } from '../client/client.ts'
import { askFacts } from './facts.ts'
import { makeServer } from './server.ts'
import type { McpDeps } from './server.ts'

/** The most streams that wait for changes of the tool list. It never changes, so few connections suffice. */
const MAX_SUBSCRIPTIONS = 16

export type HttpHandler = {
  /** Answers one request. Its body was read and its caller authenticated before. */
  answer(request: Request, body: unknown, deps: McpDeps): Promise<Response>
  /** Ends the waiting streams. */
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
  return {
    // The library expects a token; the caller was authenticated before, so the token is left out.
    async answer(request, parsedBody, deps) {
      const facts = isGreeting(parsedBody) ? await askFacts(deps.client) : deps.client.latestFacts()
      return handler.fetch(request, {
        parsedBody,
        authInfo: { token: '', clientId: '', scopes: [], extra: { deps, facts } },
      })
    },
    close: () => handler.close(),
  }
}

/** Returns whether the response contains the instructions. Other requests need not wait for the service's time. */
function isGreeting(body: unknown): boolean {
  const method = typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined
  return method === 'initialize' || method === 'server/discover'
}
