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
  /** Calls after so many milliseconds; gives what takes that back. */
  after: (ms: number, next: () => void) => () => void
}

type Waiting = { request: IncomingMessage; go: (refusal?: AppError) => void }
/** What was sent on one connection, and what ends its patience. */
type Queue = { waiting: Waiting[]; calm: () => void }

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
export function makeLoad({ limit, elapsed, afterReading, after }: Parts): Load {
  const running = new Set<IncomingMessage>()
  /** How many of them came by each connection. */
  const busy = new Map<Socket, number>()
  /** By caller and connection, in the order of their turns; nobody is in it with nothing. */
  const lines = new Map<string, Map<Socket, Queue>>()
  /** When reading began, until everything is read. */
  let reading: number | undefined
  let scheduled = false

  function isSliceOver(): boolean {
    if (reading !== undefined) return elapsed() - reading >= SLICE_MS
    reading = elapsed()
    afterReading(() => (reading = undefined))
    return false
  }

  function begin({ request, go }: Waiting): void {
    running.add(request)
    busy.set(request.socket, (busy.get(request.socket) ?? 0) + 1)
    go()
  }

  function queue(caller: string, waiting: Waiting): void {
    const { socket } = waiting.request
    const line = lines.get(caller) ?? new Map<Socket, Queue>()
    lines.set(caller, line)
    const before = line.get(socket)
    if (before !== undefined) return void before.waiting.push(waiting)
    const calm = after(PATIENCE_MS, () => {
      for (const { go } of unqueue(caller, socket)) go(tooMuch())
    })
    line.set(socket, { waiting: [waiting], calm })
  }

  /** What waited on a connection, which it no longer does. */
  function unqueue(caller: string, socket: Socket): Waiting[] {
    const line = lines.get(caller)
    const found = line?.get(socket)
    if (line === undefined || found === undefined) return []
    found.calm()
    line.delete(socket)
    if (line.size === 0) lines.delete(caller)
    return found.waiting
  }

  /** One connection at a time: what its request does is only done when this has returned. */
  function serveNext(): void {
    scheduled = false
    if (busy.size < limit) for (const one of takeNext()) begin(one)
    schedule()
  }

  /** What the next caller has sent on one connection. */
  function takeNext(): Waiting[] {
    for (const [caller, line] of lines) {
      // The turn after this one is another caller's.
      lines.delete(caller)
      lines.set(caller, line)
      for (const socket of line.keys()) {
        const taken = unqueue(caller, socket)
        if (!socket.destroyed) return taken
      }
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
      if (hasRoom || request.url === '/healthz') return begin({ request, go })
      queue(callerOf(request), { request, go })
      schedule()
    },
    leave(request) {
      if (!running.delete(request)) {
        if (request.socket.destroyed) unqueue(callerOf(request), request.socket)
        return
      }
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
