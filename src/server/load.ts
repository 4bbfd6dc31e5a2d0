import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../errors.ts'

/** So long requests that were read together may keep the next from being read; the rest of them stands in line. */
const SLICE_MS = 20
/** Who stood in line for longer is asked to come back instead. */
const PATIENCE_MS = 5000

type Parts = {
  /** Connections with a request under way, at a time. */
  limit: number
  /** Milliseconds since some moment. */
  elapsed: () => number
  /** Calls when everything has been read that was ready to be. */
  afterReading: (next: () => void) => void
}

type Waiting = { request: IncomingMessage; since: number; go: (refusal?: AppError) => void }

export type Load = {
  /** Lets a request in: at once, or when its caller's turn comes, or with a refusal when that takes too long. */
  enter(request: IncomingMessage, go: Waiting['go']): void
  /** Of a request that was answered, or whose caller has gone. */
  leave(request: IncomingMessage): void
}

/**
 * Lets callers begin in turns when there is more to do than can be done at once: one with a thousand requests keeps
 * nobody waiting but themselves. A store in this process does its work while nothing else is read, so what counts is
 * time as well as number.
 */
export function makeLoad({ limit, elapsed, afterReading }: Parts): Load {
  const running = new Set<IncomingMessage>()
  /** How many of them came by each connection. */
  const busy = new Map<Socket, number>()
  /** By caller, in the order of their turns; nobody is in it with nothing. */
  const lines = new Map<string, Waiting[]>()
  /** When reading began, until everything is read. */
  let reading: number | undefined
  let scheduled = false

  function isSliceOver(): boolean {
    if (reading !== undefined) return elapsed() - reading >= SLICE_MS
    reading = elapsed()
    afterReading(() => (reading = undefined))
    return false
  }

  function begin(request: IncomingMessage, go: () => void): void {
    running.add(request)
    busy.set(request.socket, (busy.get(request.socket) ?? 0) + 1)
    go()
  }

  /** One connection at a time: what its request does is only done when this has returned. */
  function serveNext(): void {
    scheduled = false
    while (busy.size < limit) {
      const [first, ...behind] = takeNext()
      if (first === undefined) return
      if (elapsed() - first.since <= PATIENCE_MS) {
        for (const one of [first, ...behind]) begin(one.request, one.go)
        break
      }
      for (const one of [first, ...behind]) one.go(tooMuch())
    }
    schedule()
  }

  /** What the next caller has sent on one connection. */
  function takeNext(): Waiting[] {
    for (const [caller, line] of lines) {
      const socket = line[0]?.request.socket
      const { taken = [], left = [] } = Object.groupBy(line, ({ request }) =>
        request.socket === socket ? 'taken' : 'left',
      )
      lines.delete(caller)
      if (left.length > 0) lines.set(caller, left)
      if (socket?.destroyed === false) return taken
    }
    return []
  }

  function schedule(): void {
    if (scheduled || lines.size === 0 || busy.size >= limit) return
    scheduled = true
    afterReading(serveNext)
  }

  return {
    enter(request, go) {
      // What was sent behind another on one connection waits for that one only.
      const hasRoom = busy.has(request.socket) || (lines.size === 0 && busy.size < limit && !isSliceOver())
      // Whether the process lives is asked most when it has much to do.
      if (hasRoom || request.url === '/healthz') return begin(request, go)
      const waiting = { request, since: elapsed(), go }
      const caller = callerOf(request)
      const line = lines.get(caller)
      if (line === undefined) lines.set(caller, [waiting])
      else line.push(waiting)
      schedule()
    },
    leave(request) {
      if (!running.delete(request)) return
      const left = (busy.get(request.socket) ?? 1) - 1
      if (left > 0) busy.set(request.socket, left)
      else busy.delete(request.socket)
      schedule()
    },
  }
}

/** Whoever has the same credential is one caller; without one, whoever comes from the same address. */
function callerOf({ headers, socket }: IncomingMessage): string {
  return headers.authorization ?? socket.remoteAddress ?? ''
}

function tooMuch(): AppError {
  return new AppError('service_unavailable', 'The service has more to do than it can; try again in a moment.')
}
