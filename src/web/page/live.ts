/**
 * Keeps a page up to date: it listens to the service, and asks now and then where it cannot. The tabs of a browser
 * share one connection, because a browser opens only six to a service.
 */
export type Change = { type: string; id: string }

/** How well a page hears the service. */
export type Hearing = 'live' | 'polling'

export type LiveOptions = {
  page: string
  /** The build of the page; with another one at the service it loads itself anew. */
  build: string
  /** Called when something may have changed; without changes when the page shall look at everything. */
  onChange(changes: readonly Change[]): void
  onTime(time: { now: number; rate: number } | null): void
  onHearing(hearing: Hearing): void
}

type Message =
  | { kind: 'hello'; data: { build: string; time: { now: number; rate: number } | null } }
  | { kind: 'change'; data: Change[] }
  | { kind: 'time'; data: { now: number; rate: number } }
  /** A tab asks the one with the connection whether it has it. */
  | { kind: 'ask'; data: null }

/** The service says something every 20 seconds. */
const SILENCE_MS = 50_000
const POLL_MS = 5_000
/** Also a page that hears everything looks now and then: nothing may stay unseen. */
const LOOK_MS = 60_000

/** Starts it; returns a function that ends it. */
export function listen({ page, build, onChange, onTime, onHearing }: LiveOptions): () => void {
  const channel = 'BroadcastChannel' in window ? new BroadcastChannel(`dray ${page}`) : undefined
  let heard = -Infinity
  let looked = performance.now()
  let source: EventSource | undefined
  let release: (() => void) | undefined
  let ended = false

  function take(message: Message): void {
    if (message.kind === 'ask') return
    const wasLive = isLive()
    heard = performance.now()
    if (message.kind === 'hello') {
      if (message.data.build !== build) return location.reload()
      onTime(message.data.time)
      look([])
    } else if (message.kind === 'change') look(message.data)
    else onTime(message.data)
    if (!wasLive) onHearing('live')
  }
  function isLive(): boolean {
    return performance.now() - heard < SILENCE_MS
  }
  function look(changes: readonly Change[]): void {
    looked = performance.now()
    onChange(changes)
  }

  function open(): void {
    source?.close()
    source = new EventSource(`/pages/events?page=${page}`)
    for (const kind of ['hello', 'change', 'time'] as const) {
      source.addEventListener(kind, ({ data }: MessageEvent<string>) => {
        const message = { kind, data: JSON.parse(data) } as Message
        channel?.postMessage(message)
        take(message)
      })
    }
    source.addEventListener('error', () => {
      heard = -Infinity
      onHearing('polling')
    })
  }

  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'ask') take(data)
    else if (source !== undefined && isLive())
      channel.postMessage({ kind: 'hello', data: { build, time: null } })
  })
  if (navigator.locks === undefined || channel === undefined) open()
  else {
    channel.postMessage({ kind: 'ask', data: null })
    void navigator.locks.request(`dray ${page}`, async () => {
      if (ended) return
      open()
      await new Promise<void>((resolve) => (release = resolve))
    })
  }
  const timer = setInterval(() => {
    const since = performance.now() - looked
    if (source !== undefined && !isLive() && source.readyState === EventSource.CLOSED && since >= POLL_MS)
      open()
    if (since >= (isLive() ? LOOK_MS : POLL_MS)) {
      if (!isLive()) onHearing('polling')
      look([])
    }
  }, 1000)

  return () => {
    ended = true
    clearInterval(timer)
    source?.close()
    release?.()
    channel?.close()
  }
}
