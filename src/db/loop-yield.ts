import type { EventLoop } from '../core/event-loop.ts'

/**
 * Lets others run between two statements. SQLite's statements hold the event loop, and `await` alone gives way only to
 * promises.
 */
export type LoopYield = {
  /** Returns whether the event loop has been held long enough, or so long that a commit should have a turn of its own. */
  isDue(before?: 'commit'): boolean
  /** Returns once the event loop has turned. Those who wait go on in the order in which they came. */
  take(): Promise<void>
}

/** The time after which a statement waits: with a slow one after it, the loop must not be held longer than 50 ms. */
const MAX_HOLD_MS = 25
/** The same before a commit, which may copy the log into the file. */
const MAX_HOLD_BEFORE_COMMIT_MS = 10

/** `onPause` is called at the end of each pause. */
export function makeLoopYield({ elapsed, turn }: EventLoop, onPause?: () => void): LoopYield {
  /** The time at which this turn of the loop ran its first statement. */
  let since: number | undefined
  let pause: Promise<void> | undefined
  return {
    isDue(before) {
      if (pause !== undefined) return true
      const now = elapsed()
      if (since !== undefined)
        return now - since > (before === 'commit' ? MAX_HOLD_BEFORE_COMMIT_MS : MAX_HOLD_MS)
      since = now
      turn(() => {
        since = undefined
      })
      return false
    },
    take: () =>
      (pause ??= new Promise((resolve) => {
        turn(() => {
          pause = undefined
          try {
            onPause?.()
          } finally {
            resolve()
          }
        })
      })),
  }
}
