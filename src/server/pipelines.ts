/**
 * Requests that are sent behind another one on the same connection. Each begins when the answer before it has left:
 * a caller that reads no answers then makes the service write one of them, and not hundreds.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { makeShares } from './shares.ts'
import type { Share } from './shares.ts'

export type Pipelines = {
  /** Calls `begin` when all earlier answers of the connection have left; never where the connection ends before. */
  enter(response: ServerResponse, begin: () => void): void
  /** Forgets the requests that wait on a connection. */
  drop(socket: Socket): void
}

/** `limit` counts the requests that wait on all connections. The caller with the most loses a connection. */
export function makePipelines(limit: number, callerOf: (request: IncomingMessage) => string): Pipelines {
  const shares = makeShares(limit)
  const waiting = new Map<Socket, { share: Share; requests: number }>()

  function wait({ req: request }: ServerResponse): void {
    const { socket } = request
    const line = waiting.get(socket) ?? {
      share: shares.take(callerOf(request), () => socket.destroy().destroyed),
      requests: 0,
    }
    waiting.set(socket, line)
    line.requests += 1
    // What the kernel holds back costs no memory here.
    socket.pause()
    line.share.grow(1)
  }

  function leave(socket: Socket): void {
    const line = waiting.get(socket)
    if (line === undefined) return
    line.requests -= 1
    line.share.grow(-1)
    if (line.requests > 0) return
    drop(socket)
    socket.resume()
  }

  function drop(socket: Socket): void {
    waiting.get(socket)?.share.end()
    waiting.delete(socket)
  }

  return {
    enter(response, begin) {
      // Node gives a response its socket when all before it are written.
      if (response.socket !== null) return begin()
      wait(response)
      response.once('socket', (socket: Socket) => {
        leave(socket)
        // The end of the answer before is told first. It may have said that it is the last one.
        process.nextTick(() => {
          if (socket.writable) begin()
        })
      })
    },
    drop,
  }
}
