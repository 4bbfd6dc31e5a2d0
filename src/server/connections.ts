/** Manages every connection that the server accepts, from its first byte to its end. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../core/network.ts'
import { makeShares } from './shares.ts'
import type { Share } from './shares.ts'

export type ConnectionDeps = {
  /** The most open connections. */
  limit: number
  /** Returns whether the service works on a request of this connection. Other connections wait for their callers. */
  isWorking(socket: Socket): boolean
  /** Called when a connection has ended, even if Node forgot its requests. */
  onClose(socket: Socket): void
  /** Called when a connection could not be accepted. */
  onError(error: Error): void
}

export type Connections = {
  /** Marks a connection as used, so that it is closed last. */
  renew(socket: Socket): void
}

/**
 * Gives each connection of a server listeners that stay until its end, so that no event of a connection ends the
 * process. When too many connections are open, the address with the most loses the one that is idle longest.
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
    // An error is always followed by 'close'. Node removes its own listener and its timeout at CONNECT.
    socket.on('error', () => {})
    socket.on('timeout', () => socket.destroy())
    socket.once('close', () => {
      share.end()
      deps.onClose(socket)
    })
    share.grow(1)
  })
  // A connection that could not be accepted must not end the server.
  server.on('error', (error) => {
    if (server.listening) deps.onError(error)
  })
  // Node counts closed connections a moment longer, and its own limit must not reject new ones meanwhile.
  server.maxConnections = 2 * deps.limit
  return { renew: (socket) => open.get(socket)?.renew() }
}
