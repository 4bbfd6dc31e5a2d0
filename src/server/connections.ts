/** Manages every connection that the server accepts, from its first byte to its end. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../core/network.ts'
import { makeFairQuota } from './fair-quota.ts'
import type { QuotaPart } from './fair-quota.ts'

export type ConnectionDeps = {
  /** The most open connections. */
  limit: number
  /** The addresses whose peers keep connections to reuse them, and for how many milliseconds those may be idle. */
  pooled: { includes(address: string): boolean; keepAlive: number }
  /** Returns whether the service works on a request of this connection. Other connections wait for their callers. */
  isWorking(socket: Socket): boolean
  /** Called when a connection has ended, even if Node forgot its requests. */
  onClose(socket: Socket): void
  /** Called when a connection could not be accepted. */
  onError(error: Error): void
}

export type Connections = {
  /** Notes that a request began: its connection is closed last, and after the response kept as its peer needs. */
  use(response: ServerResponse): void
  /** The number of open connections, and of those whose peers keep them to reuse them. */
  readonly open: number
  readonly pooled: number
}

/** Node's copy of the server's setting, from which it writes the header `Keep-Alive` of one response. */
type HttpResponse = ServerResponse & { _keepAliveTimeout?: number }

/**
 * Gives each connection of a server listeners that stay until its end, so that no event of a connection ends the
 * process. When too many connections are open, the address with the most loses the one that is idle longest.
 */
export function ownConnections(server: Server, deps: ConnectionDeps): Connections {
  const shares = makeFairQuota(deps.limit)
  const open = new WeakMap<Socket, QuotaPart>()
  const pooled = new Set<Socket>()
  let count = 0

  server.on('connection', (socket) => {
    const share = shares.take(networkOf(socket.remoteAddress ?? ''), () => {
      if (deps.isWorking(socket)) return false
      socket.destroy()
      return true
    })
    open.set(socket, share)
    count += 1
    if (deps.pooled.includes(socket.remoteAddress ?? '')) pooled.add(socket)
    // An error is always followed by 'close'. Node removes its own listener and its timeout at CONNECT.
    socket.on('error', () => {})
    socket.on('timeout', () => socket.destroy())
    socket.once('close', () => {
      share.end()
      count -= 1
      pooled.delete(socket)
      deps.onClose(socket)
    })
    share.grow(1)
  })
  // A connection that could not be accepted must not end the server.
  server.on('error', (error) => {
    if (server.listening) deps.onError(error)
  })
  // Node counts closed connections a moment longer, and its own limit must not reject new ones in the meantime.
  server.maxConnections = 2 * deps.limit
  return {
    use(response: HttpResponse) {
      const { socket } = response.req
      open.get(socket)?.renew()
      if (!pooled.has(socket)) return
      response._keepAliveTimeout = deps.pooled.keepAlive
      response.once('finish', () => extendKeepAlive(server, socket, deps.pooled.keepAlive))
    },
    get open() {
      return count
    },
    get pooled() {
      return pooled.size
    },
  }
}

/** Replaces the time limit that Node has just set for an idle connection. A connection that goes on has another one. */
function extendKeepAlive(
  { keepAliveTimeout, keepAliveTimeoutBuffer: buffer }: Server,
  socket: Socket,
  ms: number,
): void {
  if (socket.timeout === keepAliveTimeout + buffer) socket.setTimeout(ms + buffer)
}
