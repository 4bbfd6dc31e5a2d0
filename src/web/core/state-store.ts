/** The state of a page: held in one place, shown after each change, with the notices of what happened. */
import type { Notice } from './notices.tsx'

export type StateStore<T> = {
  readonly state: T
  set(change: Partial<T>): void
  say(kind: Notice['kind'], text: string): void
  dismiss(id: number): void
}

/** Holds a state. Calls `show` with each new one. The newest `mostNotices` notices stay. */
export function createStateStore<T extends { notices: readonly Notice[] }>(
  first: T,
  show: (state: T) => void,
  mostNotices: number,
): StateStore<T> {
  let state = first
  let said = 0
  const set = (change: Partial<T>) => {
    state = { ...state, ...change }
    show(state)
  }
  const setNotices = (notices: readonly Notice[]) => set({ notices } as Partial<T>)
  return {
    get state() {
      return state
    },
    set,
    say: (kind, text) => setNotices([...state.notices, { id: ++said, kind, text }].slice(-mostNotices)),
    dismiss: (id) => setNotices(state.notices.filter((notice) => notice.id !== id)),
  }
}

/** Joins calls of the same work: those that come while it runs make it run once more, and end with that. */
export function joinCalls(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let again = false
  const run = async () => {
    do {
      again = false
      await work()
    } while (again)
  }
  return () => {
    if (running !== undefined) again = true
    running ??= run().finally(() => (running = undefined))
    return running
  }
}
