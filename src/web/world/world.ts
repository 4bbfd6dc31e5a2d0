/** Keeps what the page knows of the world up to date, changes it, and says what happened. */
import { ConnectionLostError, ProblemError, SessionExpiredError } from '../core/call.ts'
import type { TimedResult } from '../core/call.ts'
import type { Clock } from '../core/clock.ts'
import type { Notice } from '../core/notices.tsx'
import { createStateStore, joinCalls } from '../core/state-store.ts'
import type { StateStore } from '../core/state-store.ts'
import { timeOf } from './people.ts'
import type { Account, World } from './people.ts'

export type WorldState = {
  /** Undefined until it is known. */
  world: World | undefined
  accounts: readonly Account[] | undefined
  /** The reason why nothing can be shown. */
  refused: string | undefined
  /** The time at which the service was last heard of, while it does not answer. */
  lostSince: number | undefined
  signedOut: boolean
  /** True if something is being done to the clock. */
  busy: boolean
  notices: readonly Notice[]
}

export const NOTHING: WorldState = {
  world: undefined,
  accounts: undefined,
  refused: undefined,
  lostSince: undefined,
  signedOut: false,
  busy: false,
  notices: [],
}

export type WorldDeps = {
  load(): Promise<TimedResult<World>>
  loadAccounts(): Promise<readonly Account[]>
  clock: Clock
  /** Called with each new state. */
  show(known: WorldState): void
}

export type WorldController = {
  /** Looks at the service again. Calls while it looks are joined. */
  refresh(): Promise<void>
  /** Does something, says how it went, and looks again. A second one in the meantime does nothing. */
  act(what: string, work: () => Promise<string | undefined>): Promise<void>
  dismiss(id: number): void
}

const MAX_WORLD_NOTICES = 2

type Inner = {
  deps: WorldDeps
  held: StateStore<WorldState>
  refresh(): Promise<void>
}

/** Runs the page's world. */
export function runWorld(deps: WorldDeps): WorldController {
  const inner: Inner = {
    deps,
    held: createStateStore(NOTHING, deps.show, MAX_WORLD_NOTICES),
    refresh: joinCalls(() => refreshWorld(inner)),
  }
  return {
    refresh: inner.refresh,
    act: (what, work) => act(inner, what, work),
    dismiss: (id) => inner.held.dismiss(id),
  }
}

async function refreshWorld(inner: Inner): Promise<void> {
  const { deps } = inner
  try {
    const { value: world } = await deps.load()
    deps.clock.tell(timeOf(world))
    inner.held.set({ world, refused: undefined, lostSince: undefined })
    if (inner.held.state.accounts === undefined) inner.held.set({ accounts: await deps.loadAccounts() })
  } catch (error) {
    fail(inner, error)
  }
}

function fail(inner: Inner, error: unknown): void {
  if (error instanceof SessionExpiredError) return inner.held.set({ signedOut: true })
  if (error instanceof ProblemError) return inner.held.set({ refused: error.message })
  // Anything else is a page that cannot read the answer; it must not look as if all were well.
  inner.held.set({ lostSince: inner.held.state.lostSince ?? inner.deps.clock.now() })
  if (!(error instanceof ConnectionLostError)) throw error
}

async function act(inner: Inner, what: string, work: () => Promise<string | undefined>): Promise<void> {
  if (inner.held.state.busy) return
  inner.held.set({ busy: true })
  try {
    const done = await work()
    if (done !== undefined) inner.held.say('done', done)
  } catch (error) {
    if (error instanceof SessionExpiredError) inner.held.set({ signedOut: true })
    else if (error instanceof ProblemError || error instanceof ConnectionLostError)
      inner.held.say('refused', `${what}: ${error.message}`)
    else throw error
  } finally {
    inner.held.set({ busy: false })
    await inner.refresh()
  }
}
