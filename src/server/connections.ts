/** The owner of every connection that the server accepts, from its first byte to its end. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../core/network.ts'
import { makeShares } from './shares.ts'
import type { Share } from './shares.ts'

export type ConnectionDeps = {
  /** Connections that may be open at a time. */
  limit: number
  /** Whether the service works on a request of this connection. Other connections wait for their callers. */
  isWorking(socket: Socket): boolean
  /** Told when a connection has ended, also when Node forgot the requests that were on it. */
  onClose(socket: Socket): void
  /** Told when a connection could not be accepted. */
  onError(error: Error): void
}

export type Connections = {
  /** Tells that a request came: a connection that was used lately is the last one to be closed. */
  renew(socket: Socket): void
}

/**
 * Gives each connection of a server listeners that stay until its end. No event of a connection can then end the
 * process. When too many connections are open, the address with the most loses the one that waited longest.
 */
export function ownConnections(server: Server, deps: ConnectionDeps): Connections {
  const shares = makeShares(deps.limit)
  const open = new WeakMap<Socket, Share>()

  server.on('connection', (socket) => {
    const share = shares.take(networkOf(socket.remoteAddress ?? ''), () => {
      if (deps.isWorking(socket)) return false
      socket.destroy()
      return true
    })
    open.set(socket, share)
    // An error is always followed by 'close'. Node takes its own listener away at CONNECT, and its timeout too.
    socket.on('error', () => {})
    socket.on('timeout', () => socket.destroy())
    socket.once('close', () => {
      share.end()
      deps.onClose(socket)
    })
    share.grow(1)
  })
  // A connection that could not be accepted harms no other.
  server.on('error', (error) => {
    if (server.listening) deps.onError(error)
  })
  // Closed connections leave Node's count a moment later: its own limit must not hit a newcomer meanwhile.
  server.maxConnections = 2 * deps.limit
  return { renew: (socket) => open.get(socket)?.renew() }
}
