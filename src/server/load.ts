import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../core/errors.ts'

/** Requests that were read together may run this long before the next reading; the rest of them queue. */
const SLICE_MS = 20
/** A request that queued longer than this gets `service_unavailable`. */
const MAX_WAIT_MS = 5000

type LoadDeps = {
  /** The most connections with a running request. */
  limit: number
  /** The most of them for one caller. */
  share: number
  /** A monotonic clock in milliseconds. */
  elapsed: () => number
  /** Calls `next` when all ready input has been read. */
  afterReading: (next: () => void) => void
  /** Calls `next` after a number of milliseconds. Returns a function that cancels it. */
  after: (ms: number, next: () => void) => () => void
}

/** A queued request, and the function that cancels its timeout. */
type LoadEntry = {
  request: IncomingMessage
  caller: string
  go: (refusal?: AppError) => void
  cancelTimeout?: () => void
}

export type RequestScheduler = {
  /**
   * Starts a request: at once, or at its caller's turn, or with an error when that takes too long. A connection may
   * have only one request here at a time.
   */
  enter(request: IncomingMessage, caller: string, go: LoadEntry['go']): void
  /** Releases the place of a request that was answered, that waits for its body, or whose caller is gone. */
  leave(request: IncomingMessage): void
  /** Releases the place of a connection. */
  drop(socket: Socket): void
  /** Returns whether a request of a connection is running. */
  isBusy(socket: Socket): boolean
  /** Returns how many requests run, and how many are queued. */
  count(): { running: number; waiting: number }
}

/**
 * Starts requests of callers in turns when there are too many. A caller with a thousand requests then delays only
 * itself. A store in this process blocks it while it works, so time counts as well as number.
 */
export function makeLoad(deps: LoadDeps): RequestScheduler {
  const turns: Turns = {
    deps,
    busy: new Map(),
    taken: new Map(),
    queued: new Map(),
    lines: new Map(),
    reading: undefined,
    scheduled: false,
  }
  const { busy, queued } = turns
  return {
    enter: (request, caller, go) => enter(turns, { request, caller, go }),
    leave(request) {
      const under = busy.get(request.socket)
      if (under?.request === request) return free(turns, under)
      const waiting = queued.get(request)
      if (waiting !== undefined && request.socket.destroyed) unqueue(turns, waiting)
    },
    drop(socket) {
      const entry = busy.get(socket)
      if (entry !== undefined) free(turns, entry)
    },
    isBusy: (socket) => busy.has(socket),
    count: () => ({ running: busy.size, waiting: queued.size }),
  }
}

/** The running and the queued requests. */
type Turns = {
  deps: LoadDeps
  busy: Map<Socket, LoadEntry>
  /** The number of running requests of each caller. */
  taken: Map<string, number>
  /** The queued requests. */
  queued: Map<IncomingMessage, LoadEntry>
  /** The queued requests by caller, in the order of turns; no queue in it is empty. */
  lines: Map<string, Set<LoadEntry>>
  /** The time when reading began, until everything is read. */
  reading: number | undefined
  scheduled: boolean
}

function enter(turns: Turns, entry: LoadEntry): void {
  const { request, caller } = entry
  const { lines, busy, deps } = turns
  const isFree = (): boolean =>
    lines.size === 0 && busy.size < deps.limit && hasShare(turns, caller) && !isSliceOver(turns)
  // The health check is most needed under load, so it never queues.
  if (request.url === '/healthz' || isFree()) return begin(turns, entry)
  queue(turns, entry)
  schedule(turns)
}

function isSliceOver(turns: Turns): boolean {
  const { elapsed, afterReading } = turns.deps
  if (turns.reading !== undefined) return elapsed() - turns.reading >= SLICE_MS
  turns.reading = elapsed()
  afterReading(() => (turns.reading = undefined))
  return false
}

function hasShare({ deps, taken }: Turns, caller: string): boolean {
  return (taken.get(caller) ?? 0) < deps.share
}

function begin({ busy, taken }: Turns, entry: LoadEntry): void {
  busy.set(entry.request.socket, entry)
  taken.set(entry.caller, (taken.get(entry.caller) ?? 0) + 1)
  entry.go()
}

function free(turns: Turns, { request, caller }: LoadEntry): void {
  const { busy, taken } = turns
  busy.delete(request.socket)
  const left = (taken.get(caller) ?? 1) - 1
  if (left > 0) taken.set(caller, left)
  else taken.delete(caller)
  schedule(turns)
}

function queue(turns: Turns, entry: LoadEntry): void {
  const { lines, queued } = turns
  const { caller, request } = entry
  const line = lines.get(caller) ?? new Set()
  lines.set(caller, line.add(entry))
  queued.set(request, entry)
  entry.cancelTimeout = turns.deps.after(MAX_WAIT_MS, () => {
    unqueue(turns, entry)
    entry.go(tooMuch())
  })
}

function unqueue({ lines, queued }: Turns, entry: LoadEntry): void {
  const line = lines.get(entry.caller)
  entry.cancelTimeout?.()
  queued.delete(entry.request)
  line?.delete(entry)
  if (line?.size === 0) lines.delete(entry.caller)
}

/** Starts only one request, because its work is done only after this function returns. */
function serveNext(turns: Turns): void {
  turns.scheduled = false
  if (turns.busy.size >= turns.deps.limit) return
  const next = removeNextEntry(turns)
  if (next === undefined) return
  begin(turns, next)
  // If all queued callers have their share, the next finished request continues here.
  schedule(turns)
}

/** Returns the next request of the next caller. */
function removeNextEntry(turns: Turns): LoadEntry | undefined {
  const { lines } = turns
  for (const [caller, line] of lines) {
    if (!hasShare(turns, caller)) continue
    // The caller moves to the end, so that the next turn is another's.
    lines.delete(caller)
    lines.set(caller, line)
    for (const entry of line) {
      unqueue(turns, entry)
      if (!entry.request.socket.destroyed) return entry
    }
  }
  return undefined
}

function schedule(turns: Turns): void {
  const { scheduled, lines, busy, deps } = turns
  if (scheduled || lines.size === 0 || busy.size >= deps.limit) return
  turns.scheduled = true
  deps.afterReading(() => serveNext(turns))
}

function tooMuch(): AppError {
  return new AppError('service_unavailable', 'The service has more to do than it can; try again in a moment.')
}
