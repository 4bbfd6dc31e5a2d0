/**
 * Pipelined requests: those sent behind another one on the same connection. Each begins when the response before it
 * has left. So a caller that reads no responses makes the service write one of them, and not hundreds.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { makeFairQuota } from './fair-quota.ts'
import type { QuotaPart } from './fair-quota.ts'

export type Pipelines = {
  /** Calls `begin` when all earlier responses of the connection have left; never if the connection ends before. */
  enter(response: ServerResponse, begin: () => void): void
  /** Forgets the waiting requests of a connection. */
  drop(socket: Socket): void
}

/**
 * Makes the queues. `limit` is the number of waiting requests on all connections. Above it, the caller with the most
 * loses a connection.
 */
export function makePipelines(limit: number, callerOf: (request: IncomingMessage) => string): Pipelines {
  const shares = makeFairQuota(limit)
  const waiting = new Map<Socket, { share: QuotaPart; requests: number }>()

  function wait({ req: request }: ServerResponse): void {
    const { socket } = request
    const line = waiting.get(socket) ?? {
      share: shares.take(callerOf(request), () => socket.destroy().destroyed),
      requests: 0,
    }
    waiting.set(socket, line)
    line.requests += 1
    // Data in the kernel's buffer costs no memory here. Paused inside the parser, the socket would not read again.
    process.nextTick(() => {
      if (waiting.has(socket)) socket.pause()
    })
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
      // Node assigns the socket to a response when all earlier ones are written.
      if (response.socket !== null) return begin()
      wait(response)
      response.once('socket', (socket: Socket) => {
        leave(socket)
        // The end of the earlier response is reported first. It may have announced that it is the last one.
        process.nextTick(() => {
          if (socket.writable) begin()
        })
      })
    },
    drop,
  }
}
