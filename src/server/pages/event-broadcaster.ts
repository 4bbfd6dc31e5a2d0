/** Tells open pages what happens. The store is asked once for all pages of this process. */
import type { EventStream } from '../streams.ts'
import type { PageEvent, PageBackend, PageTime, ReadMark, BrowserSession } from './backend.ts'
import { toEventNotice, type EventNotice } from './rights.ts'

const POLL_MS = 1000
/** A page that hears nothing for longer than twice this knows that it is cut off. */
const TIME_INTERVAL_MS = 20_000
/** A session that ended on another node still hears so long. */
const CHECK_MS = 15_000
const BATCH = 500

export type BroadcasterDeps = {
  desk: Pick<PageBackend, 'readEvents' | 'liveSessions'>
  /** A monotonic clock in milliseconds. */
  elapsed: () => number
  onError: (error: unknown) => void
}

export type EventBroadcaster = {
  /**
   * Returns the stream of a page. `build` names its files: a page of another build loads itself again. With
   * `everything` it is told of all accounts' events.
   */
  listen(session: BrowserSession, page: { build: string; everything: boolean }): EventStream
  /** Returns the stream of a page without a session, which is told of its own resource alone. */
  follow(link: FollowedLink, build: string): EventStream
  /** Ends the streams of a session that signed out, or of a link that was withdrawn. */
  end(id: string): void
}

/** A shared link and its resource. */
type FollowedLink = { id: string; resource: string }

type Listener = {
  /** The id of its session, or of its shared link. */
  id: string
  tell: (event: PageEvent) => EventNotice | undefined
  write: (text: string) => void
  end: () => void
}

/** Makes the hub. It works only while pages listen. */
export function makeBroadcaster(deps: BroadcasterDeps): EventBroadcaster {
  const hub: BroadcasterState = {
    deps,
    listeners: new Set(),
    after: undefined,
    time: undefined,
    at: 0,
    beaten: 0,
    checked: 0,
  }
  return {
    listen: (session, { build, everything }) =>
      streamOf(hub, build, {
        id: session.id,
        caller: session.account.account_id,
        tell: (event) => (everything ? newsOf(event) : toEventNotice(session, event)),
      }),
    follow: ({ id, resource }, build) =>
      streamOf(hub, build, {
        id,
        // A visitor who opens a link often takes no place from its owner.
        caller: `link ${id}`,
        tell: (event) => toChangeNotice(resource, event),
      }),
    end(ended) {
      for (const { id, end } of hub.listeners) if (id === ended) end()
    },
  }
}

function streamOf(
  hub: BroadcasterState,
  build: string,
  { caller, ...told }: Pick<Listener, 'id' | 'tell'> & { caller: string },
): EventStream {
  return {
    caller,
    open(write, end) {
      const listener = { ...told, write, end }
      hub.listeners.add(listener)
      write(`retry: 2000\n${message('hello', { build, time: timeNow(hub) })}`)
      if (hub.listeners.size === 1) start(hub)
      return () => {
        hub.listeners.delete(listener)
        if (hub.listeners.size === 0) stop(hub)
      }
    },
  }
}

/** It says only that something changed: the type of an event may tell of a payment. */
function toChangeNotice(resource: string, { resource_id, order_id }: PageEvent): EventNotice | undefined {
  return resource === resource_id || resource === order_id ? { type: 'changed', id: '' } : undefined
}

type BroadcasterState = {
  deps: BroadcasterDeps
  listeners: Set<Listener>
  /** The last event that was sent; undefined without a listener. */
  after: ReadMark | undefined
  /** The clock as it was last read, and when. */
  time: PageTime | undefined
  at: number
  beaten: number
  checked: number
  timer?: NodeJS.Timeout | undefined
}

function start(hub: BroadcasterState): void {
  const { elapsed } = hub.deps
  hub.after = undefined
  hub.beaten = elapsed()
  hub.checked = elapsed()
  hub.timer = setTimeout(() => void turn(hub), 0)
}

function stop(hub: BroadcasterState): void {
  clearTimeout(hub.timer)
  hub.timer = undefined
  hub.time = undefined
}

async function turn(hub: BroadcasterState): Promise<void> {
  const { timer } = hub
  let more = false
  try {
    more = await poll(hub)
    if (hub.deps.elapsed() - hub.checked >= CHECK_MS) await check(hub)
  } catch (error) {
    hub.deps.onError(error)
  }
  // The last listener left, or a new one came since.
  if (hub.timer !== timer || timer === undefined) return
  hub.timer = setTimeout(() => void turn(hub), more ? 0 : POLL_MS)
}

/** Says what happened since the last time. Returns whether there is more. */
async function poll(hub: BroadcasterState): Promise<boolean> {
  const { deps, listeners } = hub
  const { events, last, time } = await deps.desk.readEvents(hub.after, BATCH)
  const before = hub.after
  const first = before === undefined
  hub.after = last
  if (!first && before.generation !== last.generation) endAll(hub)
  emitTime(hub, time, first)
  if (events.length > 0)
    for (const { tell, write } of listeners) {
      const told = withoutRepeats(events, tell)
      if (told.length > 0) write(message('change', told))
    }
  return events.length === BATCH
}

/**
 * Ends all streams: the store was reset or replaced, and its sessions, accounts and resources are other ones. Browsers come back
 * at once, and look at everything again.
 */
function endAll({ listeners }: BroadcasterState): void {
  for (const { end } of listeners) end()
}

/** Returns what a page is told, each resource once: a page asks for its present state anyway. */
function withoutRepeats(
  events: readonly PageEvent[],
  tell: (event: PageEvent) => EventNotice | undefined,
): EventNotice[] {
  const told = new Map<string, EventNotice>()
  for (const event of events) {
    const one = tell(event)
    if (one !== undefined) told.set(`${one.type} ${one.id}`, one)
  }
  return [...told.values()]
}

function newsOf({ type, resource_id }: PageEvent): EventNotice {
  return { type, id: resource_id }
}

/** Tells the time when the clock was moved, while it runs at another speed, and now and then. */
function emitTime(hub: BroadcasterState, time: PageTime, first: boolean): void {
  const { deps, listeners } = hub
  const expected = timeNow(hub)
  const isMoved =
    expected === null ||
    expected.rate !== time.rate ||
    Math.abs(expected.now - time.now) > 1500 * Math.max(1, time.rate)
  hub.time = time
  hub.at = deps.elapsed()
  const isDue = hub.at - hub.beaten >= TIME_INTERVAL_MS
  if (!first && !isMoved && !isDue) return
  hub.beaten = hub.at
  const text = message('time', time)
  for (const { write } of listeners) write(text)
}

function timeNow({ time, at, deps }: BroadcasterState): PageTime | null {
  return time === undefined ? null : { ...time, now: time.now + time.rate * (deps.elapsed() - at) }
}

/** Ends the streams of sessions and links that have ended. */
async function check(hub: BroadcasterState): Promise<void> {
  const listening = new Set([...hub.listeners].map(({ id }) => id))
  const live = await hub.deps.desk.liveSessions([...listening])
  hub.checked = hub.deps.elapsed()
  for (const { id, end } of hub.listeners) if (listening.has(id) && !live.has(id)) end()
}

function message(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
