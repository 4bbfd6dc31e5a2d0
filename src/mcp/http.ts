/** MCP over streamable HTTP, without sessions: every request brings its caller, and gets a server of its own. */
import { createMcpHandler } from '@modelcontextprotocol/server'
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
  const handler = createMcpHandler(({ authInfo }) => makeServer(authInfo?.extra?.['parts'] as McpParts), {
    onerror: onError,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
  })
  return {
    // The library knows a caller by its token; here it was checked, and goes no further.
    answer: (request, parsedBody, parts) =>
      handler.fetch(request, {
        parsedBody,
        authInfo: { token: '', clientId: '', scopes: [], extra: { parts } },
      }),
    close: () => handler.close(),
  }
}
