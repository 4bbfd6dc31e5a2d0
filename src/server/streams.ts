/**
 * Responses that go on: a page listens to what happens. They take no place among the running requests, and the caller
 * with the most of them loses the oldest one.
 */
import type { ServerResponse } from 'node:http'
import { makeFairQuota } from './fair-quota.ts'

/** A response that is written piece by piece until either side ends it. */
export type EventStream = {
  /** The caller that it counts for. */
  caller: string
  /** Begins it. Returns the function that is called once it has ended. */
  open(write: (text: string) => void, end: () => void): () => void
}

export type Streams = {
  begin(response: ServerResponse, stream: EventStream): void
  /** The number of open streams. */
  readonly open: number
  /** Ends all streams; their pages come back to the service, or to its successor. */
  endAll(): void
}

/** A page that reads nothing for so many bytes is cut off. */
const MAX_UNREAD = 65_536

/** Makes the streams. `limit` is how many of them may be open. */
export function makeStreams(limit: number): Streams {
  const shares = makeFairQuota(limit)
  const open = new Set<ServerResponse>()
  return {
    begin(response, { caller, open: start }) {
      const { socket } = response.req
      const share = shares.take(caller, () => {
        response.end()
        return true
      })
      open.add(response)
      const stop = start(
        (text) => {
          if (response.writableEnded || socket.destroyed) return
          response.write(text)
          if (response.writableLength > MAX_UNREAD) socket.destroy()
        },
        () => response.end(),
      )
      response.once('close', () => {
        open.delete(response)
        share.end()
        stop()
      })
      share.grow(1)
    },
    get open() {
      return open.size
    },
    endAll() {
      for (const response of open) response.end()
    },
  }
}
