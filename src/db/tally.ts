import type { StoreTally } from '../core/db.ts'
import { PROCESS_EVENT_LOOP, type EventLoop } from '../core/event-loop.ts'

export type TallyCounter = {
  tally: Readonly<StoreTally>
  /** Starts the time of a transaction. The function that it returns counts its changes, and passes a result on. */
  begin(): <T>(changes: number, result: T) => T
  /** Counts transactions that have to run again. */
  repeat(count: number): void
}

/** Counts the transactions of a store with their changes. */
export function makeTally({ elapsed }: Pick<EventLoop, 'elapsed'> = PROCESS_EVENT_LOOP): TallyCounter {
  const tally = { writes: 0, groups: 0, busyMs: 0, repeats: 0 }
  return {
    tally,
    begin() {
      const started = elapsed()
      return (changes, result) => {
        if (changes === 0) return result
        tally.writes += changes
        tally.groups += 1
        tally.busyMs += elapsed() - started
        return result
      }
    },
    repeat: (count) => void (tally.repeats += count),
  }
}
