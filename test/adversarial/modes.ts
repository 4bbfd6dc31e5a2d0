/** The modes of serving, each with a call of a polite caller. */
import type { PoliteOrder } from './polite.ts'

export type Mode = {
  name: string
  words: string
  /** A path that accepts a body. */
  path: string
  call: Pick<PoliteOrder, 'method' | 'path' | 'body'>
}

const LIST = { method: 'GET', path: '/v1/shipments?limit=1' }
const PING = { method: 'POST', path: '/mcp', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) }

export const MODES: readonly Mode[] = [
  { name: 'dray serve', words: 'serve', path: '/v1/shipments', call: LIST },
  { name: 'dray serve --cluster 3', words: 'serve --cluster 3', path: '/v1/shipments', call: LIST },
  { name: 'dray mcp --http', words: 'mcp --http', path: '/mcp', call: PING },
]
