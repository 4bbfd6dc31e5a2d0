/**
 * Keeps a page up to date: it listens to the service, and asks now and then where it cannot. The tabs of a browser
 * share one connection, because a browser opens only six to a service.
 */
export type Change = { type: string; id: string }

/** The quality with which a page hears the service. */
export type ConnectionState = 'live' | 'polling'

export type LiveOptions = {
  page: string
  /** The path of its events, where it is not that of the pages of accounts. */
  events?: string
  /** The build of the page; with another one at the service it loads itself again. */
  build: string
  /** Called when something may have changed; without changes when the page shall look at everything. */
  onChange(changes: readonly Change[]): void
  onTime(time: { now: number; rate: number } | null): void
  onHearing(hearing: ConnectionState): void
}

type Message =
  | { kind: 'hello'; data: { build: string; time: { now: number; rate: number } | null } }
  | { kind: 'change'; data: Change[] }
  | { kind: 'time'; data: { now: number; rate: number } }
  /** A tab asks the one with the connection whether it has it. */
  | { kind: 'ask'; data: null }

/** The service says something every 20 seconds. */
const SILENCE_MS = 50_000
/** A page that hears nothing asks so often. */
export const POLL_MS = 5_000
/** Also a page that hears everything looks now and then: nothing may stay unseen. */
const LOOK_MS = 60_000

type Inner = {
  options: LiveOptions
  channel: BroadcastChannel | undefined
  /** The time at which the service was last heard, and when the page last looked. */
  heard: number
  looked: number
  /** The connection, in the tab that holds it. */
  source: EventSource | undefined
  release: (() => void) | undefined
  ended: boolean
}

/** Starts it; returns a function that ends it. */
export function listen(options: LiveOptions): () => void {
  const channel = 'BroadcastChannel' in window ? new BroadcastChannel(nameOf(options)) : undefined
  const inner: Inner = {
    options,
    channel,
    heard: -Infinity,
    looked: performance.now(),
    source: undefined,
    release: undefined,
    ended: false,
  }
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => hear(inner, data))
  connect(inner)
  const timer = setInterval(() => watch(inner), 1000)
  return () => {
    inner.ended = true
    clearInterval(timer)
    inner.source?.close()
    inner.release?.()
    channel?.close()
  }
}

function nameOf({ page }: LiveOptions): string {
  return `dray ${page}`
}

/** Opens the connection in the one tab that holds the lock. Where there are no locks each tab has its own. */
function connect(inner: Inner): void {
  const { channel, options } = inner
  // The type says that there always are, but they need a secure context.
  const locks = navigator.locks as LockManager | undefined
  if (locks === undefined || channel === undefined) return open(inner)
  channel.postMessage({ kind: 'ask', data: null })
  void locks.request(nameOf(options), async () => {
    if (inner.ended) return
    open(inner)
    await new Promise<void>((resolve) => (inner.release = resolve))
  })
}

function open(inner: Inner): void {
  const { options, channel } = inner
  inner.source?.close()
  inner.source = new EventSource(options.events ?? `/pages/events?page=${options.page}`)
  for (const kind of ['hello', 'change', 'time'] as const) {
    inner.source.addEventListener(kind, ({ data }: MessageEvent<string>) => {
      const message = { kind, data: JSON.parse(data) } as Message
      channel?.postMessage(message)
      handleMessage(inner, message)
    })
  }
  inner.source.addEventListener('error', () => {
    const wasLive = isLive(inner)
    inner.heard = -Infinity
    options.onHearing('polling')
    // The page says at once that its service is gone; the browser goes on to try.
    if (wasLive) notifyChanges(inner, [])
  })
}

/** Hears another tab. */
function hear(inner: Inner, message: Message): void {
  if (message.kind !== 'ask') return handleMessage(inner, message)
  if (inner.source === undefined || !isLive(inner)) return
  inner.channel?.postMessage({ kind: 'hello', data: { build: inner.options.build, time: null } })
}

function handleMessage(inner: Inner, message: Message): void {
  const { onTime, onHearing, build } = inner.options
  if (message.kind === 'ask') return
  const wasLive = isLive(inner)
  inner.heard = performance.now()
  if (message.kind === 'hello') {
    if (message.data.build !== build) return location.reload()
    onTime(message.data.time)
    notifyChanges(inner, [])
  } else if (message.kind === 'change') notifyChanges(inner, message.data)
  else onTime(message.data)
  if (!wasLive) onHearing('live')
}

function isLive({ heard }: Inner): boolean {
  return performance.now() - heard < SILENCE_MS
}

function notifyChanges(inner: Inner, changes: readonly Change[]): void {
  inner.looked = performance.now()
  inner.options.onChange(changes)
}

/** Asks where nothing is heard, and opens the connection again where the browser gave it up. */
function watch(inner: Inner): void {
  const { source, looked, options } = inner
  const since = performance.now() - looked
  if (since < (isLive(inner) ? LOOK_MS : POLL_MS)) return
  if (!isLive(inner)) {
    if (source?.readyState === EventSource.CLOSED) open(inner)
    options.onHearing('polling')
  }
  notifyChanges(inner, [])
}
