/**
 * Lets writes of one process that wait at the same time share one transaction: they take the world's row once, and are
 * committed once. A group that fails runs again write by write, so a shared transaction answers as one apart does.
 */
import type { Tx } from '../core/db.ts'
import type { Deadline } from './deadline.ts'

/** A write that waits for its transaction. */
export type GroupWrite = { work: (tx: Tx) => Promise<unknown>; deadline: Deadline }

/** The outcome of a write of a group. `retry-alone` is one that needs a transaction of its own; nothing of it is left. */
export type GroupWriteOutcome = { result: unknown } | { error: unknown } | 'retry-alone'

type GroupDeps = {
  /** Runs a write in a transaction of its own. */
  runApart(write: GroupWrite): Promise<unknown>
  /**
   * Runs writes in one transaction. Calls `onNext` after each, and `onSent` when the commit is under way. Returns their
   * outcomes once it is committed. Never throws.
   */
  runGroup(
    group: readonly GroupWrite[],
    on: { onNext: () => void; onSent: () => void },
  ): Promise<GroupWriteOutcome[]>
}

/** The most writes of a group. Each takes two savepoints, and the server tells 64 of a transaction apart quickly. */
const MAX_GROUP_WRITES = 32
/**
 * A group does not wait longer than this, in milliseconds, for one write of the group before it, which may wait for a row.
 * It waits for a group that goes on: it would only meet that one's locks.
 */
const MAX_GROUP_WAIT_MS = 50

type PendingWrite = GroupWrite & { resolve(result: unknown): void; reject(error: unknown): void }

/** Returns a function that runs a write, in a group with those that wait at the same time. */
export function makeGroupCommit({ runApart, runGroup }: GroupDeps): (write: GroupWrite) => Promise<unknown> {
  const waiting: PendingWrite[] = []
  let planned = false
  /** Stands for the transaction that later writes wait for: at its end they wait no longer. */
  let current: NodeJS.Timeout | undefined

  function plan(): void {
    if (planned || current !== undefined || waiting.length === 0) return
    planned = true
    // Requests that arrived together reach the store in one turn of the event loop.
    setImmediate(() => {
      planned = false
      const group = waiting.splice(0, MAX_GROUP_WRITES)
      const own = setTimeout(() => goOn(own), MAX_GROUP_WAIT_MS)
      current = own
      const goOnNow = (): void => goOn(own)
      void run(group, { onNext: () => own.refresh(), onSent: goOnNow }).finally(goOnNow)
    })
  }

  function goOn(own: NodeJS.Timeout): void {
    clearTimeout(own)
    if (current !== own) return
    current = undefined
    plan()
  }

  async function run(group: readonly PendingWrite[], on: Parameters<typeof runGroup>[1]): Promise<void> {
    const outcomes = group.length === 1 ? ['retry-alone' as const] : await runGroup(group, on)
    const late = group.map((write, index) => settle(write, outcomes[index] ?? 'retry-alone'))
    // The first of a process does not wait; those that left a group must not hold up the next one.
    if (group.length === 1) await Promise.all(late)
  }

  async function settle(write: PendingWrite, outcome: GroupWriteOutcome): Promise<void> {
    if (outcome === 'retry-alone') await runApart(write).then(write.resolve, write.reject)
    else if ('error' in outcome) write.reject(outcome.error)
    else write.resolve(outcome.result)
  }

  return (write) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...write, resolve, reject })
      plan()
    })
}
