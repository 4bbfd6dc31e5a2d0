/** MCP over streamable HTTP, without sessions: every request brings its caller, and gets a server of its own. */
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { ServiceFacts } from '../client/client.ts'
import { askFacts } from './facts.ts'
import { makeServer } from './server.ts'
import type { McpParts } from './server.ts'

/** Streams that only wait for changes of the list, which never changes: a few, so that they hold no connections up. */
const MAX_SUBSCRIPTIONS = 16

export type HttpHandler = {
  /** Answers one request whose body was read; whose it is was settled before. */
  answer(request: Request, body: unknown, parts: McpParts): Promise<Response>
  /** Ends the streams that wait. */
  close(): Promise<void>
}

export function makeHttpHandler(onError: (error: unknown) => void): HttpHandler {
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { parts, facts } = (authInfo?.extra ?? {}) as { parts: McpParts; facts: ServiceFacts | undefined }
      return makeServer(parts, facts)
    },
    { onerror: onError, maxSubscriptions: MAX_SUBSCRIPTIONS },
  )
  return {
    // The library knows a caller by its token; here it was checked, and goes no further.
    async answer(request, parsedBody, parts) {
      const facts = isGreeting(parsedBody) ? await askFacts(parts.client) : parts.client.heard()
      return handler.fetch(request, {
        parsedBody,
        authInfo: { token: '', clientId: '', scopes: [], extra: { parts, facts } },
      })
    },
    close: () => handler.close(),
  }
}

/** Whether the instructions are read in the answer: all other requests need not wait for the service's time. */
function isGreeting(body: unknown): boolean {
  const method = typeof body === 'object' && body !== null && 'method' in body ? body.method : undefined
  return method === 'initialize' || method === 'server/discover'
}
