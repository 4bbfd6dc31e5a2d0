import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../core/errors.ts'

/** So long requests that were read together may keep the next from being read; the rest of them stands in line. */
const SLICE_MS = 20
/** Who stood in line for longer is asked to come back instead. */
const PATIENCE_MS = 5000

type LoadDeps = {
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
type LoadEntry = {
  request: IncomingMessage
  caller: string
  go: (refusal?: AppError) => void
  cancelTimeout?: () => void
}

export type Load = {
  /**
   * Lets a request in: at once, or when its caller's turn comes, or with a refusal when that takes too long. A connection
   * may have one request in here at a time.
   */
  enter(request: IncomingMessage, caller: string, go: LoadEntry['go']): void
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
export function makeLoad(deps: LoadDeps): Load {
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
  }
}

/** Who has begun, and who waits for a turn. */
type Turns = {
  deps: LoadDeps
  busy: Map<Socket, LoadEntry>
  /** How many of them each caller has. */
  taken: Map<string, number>
  /** The requests that wait. */
  queued: Map<IncomingMessage, LoadEntry>
  /** The same by caller, in the order of their turns; no caller is in it with an empty line. */
  lines: Map<string, Set<LoadEntry>>
  /** When reading began, until everything is read. */
  reading: number | undefined
  scheduled: boolean
}

function enter(turns: Turns, entry: LoadEntry): void {
  const { request, caller } = entry
  const { lines, busy, deps } = turns
  const isFree = (): boolean =>
    lines.size === 0 && busy.size < deps.limit && hasShare(turns, caller) && !isSliceOver(turns)
  // Whether the process lives is asked most when it has much to do.
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
  entry.cancelTimeout = turns.deps.after(PATIENCE_MS, () => {
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

/** One request at a time: its work is only done when this has returned. */
function serveNext(turns: Turns): void {
  turns.scheduled = false
  if (turns.busy.size >= turns.deps.limit) return
  const next = takeNext(turns)
  if (next === undefined) return
  begin(turns, next)
  // Where all who wait have their share, the next who leaves goes on with this.
  schedule(turns)
}

/** The next request of the next caller. */
function takeNext(turns: Turns): LoadEntry | undefined {
  const { lines } = turns
  for (const [caller, line] of lines) {
    if (!hasShare(turns, caller)) continue
    // The turn after this one is another caller's.
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
