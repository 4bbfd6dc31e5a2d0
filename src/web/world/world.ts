/** Keeps what the page knows of the world up to date, changes it, and says what happened. */
import { Lost, Refusal, SignedOut } from '../page/call.ts'
import type { Answered } from '../page/call.ts'
import type { Clock } from '../page/clock.ts'
import type { Notice } from '../page/notices.tsx'
import { timeOf } from './people.ts'
import type { Account, World } from './people.ts'

export type Known = {
  /** Undefined until it is known. */
  world: World | undefined
  accounts: readonly Account[] | undefined
  /** Why nothing can be shown. */
  refused: string | undefined
  /** When the service was last heard of, while it does not answer. */
  lostSince: number | undefined
  signedOut: boolean
  /** Whether something is being done to the clock. */
  busy: boolean
  notices: readonly Notice[]
}

export const NOTHING: Known = {
  world: undefined,
  accounts: undefined,
  refused: undefined,
  lostSince: undefined,
  signedOut: false,
  busy: false,
  notices: [],
}

export type WorldDeps = {
  load(): Promise<Answered<World>>
  loadAccounts(): Promise<readonly Account[]>
  clock: Clock
  /** Called with each new state. */
  show(known: Known): void
}

export type Running = {
  /** Looks at the service again. Calls while it looks are joined. */
  refresh(): Promise<void>
  /** Does something, says how it went, and looks again. A second one meanwhile does nothing. */
  act(what: string, work: () => Promise<string | undefined>): Promise<void>
  dismiss(id: number): void
}

const MOST_NOTICES = 2

type Inner = {
  deps: WorldDeps
  known: Known
  looking: Promise<void> | undefined
  again: boolean
  notices: number
}

/** Runs the page's world. */
export function runWorld(deps: WorldDeps): Running {
  const inner: Inner = { deps, known: NOTHING, looking: undefined, again: false, notices: 0 }
  return {
    refresh: () => refresh(inner),
    act: (what, work) => act(inner, what, work),
    dismiss: (id) => set(inner, { notices: inner.known.notices.filter((notice) => notice.id !== id) }),
  }
}

function set(inner: Inner, change: Partial<Known>): void {
  inner.known = { ...inner.known, ...change }
  inner.deps.show(inner.known)
}

function say(inner: Inner, kind: Notice['kind'], text: string): void {
  const notice = { id: ++inner.notices, kind, text }
  set(inner, { notices: [...inner.known.notices, notice].slice(-MOST_NOTICES) })
}

function refresh(inner: Inner): Promise<void> {
  if (inner.looking !== undefined) inner.again = true
  inner.looking ??= lookUntilDone(inner).finally(() => (inner.looking = undefined))
  return inner.looking
}

async function lookUntilDone(inner: Inner): Promise<void> {
  do {
    inner.again = false
    await look(inner)
  } while (inner.again)
}

async function look(inner: Inner): Promise<void> {
  const { deps } = inner
  try {
    const { value: world } = await deps.load()
    deps.clock.tell(timeOf(world))
    set(inner, { world, refused: undefined, lostSince: undefined })
    if (inner.known.accounts === undefined) set(inner, { accounts: await deps.loadAccounts() })
  } catch (error) {
    fail(inner, error)
  }
}

function fail(inner: Inner, error: unknown): void {
  if (error instanceof SignedOut) return set(inner, { signedOut: true })
  if (error instanceof Refusal) return set(inner, { refused: error.message })
  // Anything else is a page that cannot read the answer; it must not look as if all were well.
  set(inner, { lostSince: inner.known.lostSince ?? inner.deps.clock.now() })
  if (!(error instanceof Lost)) throw error
}

async function act(inner: Inner, what: string, work: () => Promise<string | undefined>): Promise<void> {
  if (inner.known.busy) return
  set(inner, { busy: true })
  try {
    const done = await work()
    if (done !== undefined) say(inner, 'done', done)
  } catch (error) {
    if (error instanceof SignedOut) set(inner, { signedOut: true })
    else if (error instanceof Refusal || error instanceof Lost)
      say(inner, 'refused', `${what}: ${error.message}`)
    else throw error
  } finally {
    set(inner, { busy: false })
    await refresh(inner)
  }
}
