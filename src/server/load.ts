import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../core/errors.ts'

/** So long requests that were read together may keep the next from being read; the rest of them stands in line. */
const SLICE_MS = 20
/** Who stood in line for longer is asked to come back instead. */
const PATIENCE_MS = 5000

type Parts = {
  /** Connections with a request under way, at a time. */
  limit: number
  /** How many of them one caller may have. */
  share: number
  /** Milliseconds since some moment. */
  elapsed: () => number
  /** Calls when everything has been read that was ready to be. */
  afterReading: (next: () => void) => void
  /** Calls after so many milliseconds; gives what takes that back. */
  after: (ms: number, next: () => void) => () => void
}

/** A request that its caller's turn lets begin, and what ends its patience while it waits. */
type Entry = { request: IncomingMessage; caller: string; go: (refusal?: AppError) => void; calm?: () => void }

export type Load = {
  /**
   * Lets a request in: at once, or when its caller's turn comes, or with a refusal when that takes too long. A connection
   * may have one request in here at a time.
   */
  enter(request: IncomingMessage, caller: string, go: Entry['go']): void
  /** Gives back the place of a request that was answered, that waits for its body, or whose caller has gone. */
  leave(request: IncomingMessage): void
  /** Gives back the place of a connection. */
  drop(socket: Socket): void
  /** Whether a request of a connection is under way. */
  isBusy(socket: Socket): boolean
}

/**
 * Lets callers begin in turns when there is more to do than can be done at once: one with a thousand requests keeps
 * nobody waiting but themselves. A store in this process does its work while nothing else is read, so what counts is
 * time as well as number.
 */
export function makeLoad({ limit, share, elapsed, afterReading, after }: Parts): Load {
  const busy = new Map<Socket, Entry>()
  /** How many of them each caller has. */
  const taken = new Map<string, number>()
  /** The requests that wait. */
  const queued = new Map<IncomingMessage, Entry>()
  /** The same by caller, in the order of their turns; no caller is in it with an empty line. */
  const lines = new Map<string, Set<Entry>>()
  /** When reading began, until everything is read. */
  let reading: number | undefined
  let scheduled = false

  function isSliceOver(): boolean {
    if (reading !== undefined) return elapsed() - reading >= SLICE_MS
    reading = elapsed()
    afterReading(() => (reading = undefined))
    return false
  }

  function hasShare(caller: string): boolean {
    return (taken.get(caller) ?? 0) < share
  }

  function begin(entry: Entry): void {
    busy.set(entry.request.socket, entry)
    taken.set(entry.caller, (taken.get(entry.caller) ?? 0) + 1)
    entry.go()
  }

  function free({ request, caller }: Entry): void {
    busy.delete(request.socket)
    const left = (taken.get(caller) ?? 1) - 1
    if (left > 0) taken.set(caller, left)
    else taken.delete(caller)
    schedule()
  }

  function queue(entry: Entry): void {
    const { caller, request } = entry
    const line = lines.get(caller) ?? new Set()
    lines.set(caller, line.add(entry))
    queued.set(request, entry)
    entry.calm = after(PATIENCE_MS, () => {
      unqueue(entry)
      entry.go(tooMuch())
    })
  }

  function unqueue(entry: Entry): void {
    const line = lines.get(entry.caller)
    entry.calm?.()
    queued.delete(entry.request)
    line?.delete(entry)
    if (line?.size === 0) lines.delete(entry.caller)
  }

  /** One request at a time: its work is only done when this has returned. */
  function serveNext(): void {
    scheduled = false
    if (busy.size >= limit) return
    const next = takeNext()
    if (next === undefined) return
    begin(next)
    // Where all who wait have their share, the next who leaves goes on with this.
    schedule()
  }

  /** The next request of the next caller. */
  function takeNext(): Entry | undefined {
    for (const [caller, line] of lines) {
      if (!hasShare(caller)) continue
      // The turn after this one is another caller's.
      lines.delete(caller)
      lines.set(caller, line)
      for (const entry of line) {
        unqueue(entry)
        if (!entry.request.socket.destroyed) return entry
      }
    }
    return undefined
  }

  function schedule(): void {
    if (scheduled || lines.size === 0 || busy.size >= limit) return
    scheduled = true
    afterReading(serveNext)
  }

  return {
    enter(request, caller, go) {
      const isFree = (): boolean =>
        lines.size === 0 && busy.size < limit && hasShare(caller) && !isSliceOver()
      const entry = { request, caller, go }
      // Whether the process lives is asked most when it has much to do.
      if (request.url === '/healthz' || isFree()) return begin(entry)
      queue(entry)
      schedule()
    },
    leave(request) {
      const under = busy.get(request.socket)
      if (under?.request === request) return free(under)
      const waiting = queued.get(request)
      if (waiting !== undefined && request.socket.destroyed) unqueue(waiting)
    },
    drop(socket) {
      const entry = busy.get(socket)
      if (entry !== undefined) free(entry)
    },
    isBusy: (socket) => busy.has(socket),
  }
}

function tooMuch(): AppError {
  return new AppError('service_unavailable', 'The service has more to do than it can; try again in a moment.')
}
