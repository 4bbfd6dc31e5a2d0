import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../errors.ts'

/** Counts connections with requests under way, and refuses a request on one more than `limit` with 503. */
export function makeLoad(limit: number): {
  enter(request: IncomingMessage): void
  leave(request: IncomingMessage): void
} {
  const busy = new Map<Socket, number>()
  return {
    enter({ socket, url }) {
      const running = busy.get(socket) ?? 0
      busy.set(socket, running + 1)
      if (running > 0 || busy.size <= limit) return
      for (const one of busy.keys()) if (one.destroyed) busy.delete(one)
      // Whether the process lives is asked most when it has much to do.
      if (busy.size <= limit || url === '/healthz') return
      throw new AppError(
        'service_unavailable',
        'The service has more to do than it can; try again in a moment.',
      )
    },
    leave({ socket }) {
      const running = (busy.get(socket) ?? 1) - 1
      if (running > 0) busy.set(socket, running)
      else busy.delete(socket)
    },
  }
}
