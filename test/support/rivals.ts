/** Two calls on PostgreSQL, of which the first has done all but its end when the second begins. */
import { expect } from 'vitest'
import type { Tx } from '../../src/core/db.ts'
import { lockWorld } from '../../src/db/world.ts'
import type { TestSandbox } from './world.ts'

/** The outcome of a call of a test: `ok`, or the code of its error. */
export type RivalOutcome = string

/**
 * Begins two calls, each of a server of its own, while `holder` holds the world's row: every change waits for it before its end.
 * The second one begins once the first waits there. So a lock is seen: without it both decide by the same rows. Returns what each
 * came to.
 */
export async function runRivals(
  holder: TestSandbox,
  calls: readonly [() => Promise<RivalOutcome>, () => Promise<RivalOutcome>],
): Promise<RivalOutcome[]> {
  const begun: Promise<RivalOutcome>[] = []
  await whileHeld(holder, async () => {
    for (const call of calls) {
      const running = call()
      begun.push(running)
      await expectWaiting(holder, begun.length, running)
    }
  })
  return Promise.all(begun)
}

/** Runs `work` in a transaction of `holder` that holds the world's row. */
export async function whileHeld(holder: TestSandbox, work: (tx: Tx) => Promise<void>): Promise<void> {
  await holder.db.write(async (tx) => {
    await lockWorld(tx)
    await work(tx)
  })
}

/** Resolves once so many transactions wait for a lock. Throws where the latest call ends without having waited. */
export async function expectWaiting(
  { db }: TestSandbox,
  count: number,
  running: Promise<unknown>,
): Promise<void> {
  let outcome: { of: unknown } | undefined
  running.then(
    (of) => (outcome = { of }),
    (of: unknown) => (outcome = { of }),
  )
  await expect
    .poll(async () => {
      const row = await db.read((tx) =>
        tx.get(
          `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      )
      return outcome !== undefined || Number(row?.['n']) === count
    })
    .toBe(true)
  expect(outcome, 'a call ended without having waited').toBeUndefined()
}
