import { beforeAll, describe, expect, test } from 'vitest'
import { findCaller } from '../../src/areas/account/queries/accounts.ts'
import type { Db, Tx } from '../../src/core/db.ts'
import { nextOrdinal, nextSeq } from '../../src/db/counters.ts'
import { loadWorld, lockWorld, saveSupply } from '../../src/db/world.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox } from '../support/world.ts'

const LATER = 4_000_000_000_000

describe.each(ENGINES)('the counters of a store on $name', (engine) => {
  let db: Db

  beforeAll(async () => {
    db = (await openTestSandbox({ engine })).db
  })

  const stored = (tx: Tx): Promise<unknown[]> =>
    Promise.all([
      tx.get('select seq, clock_high from world'),
      tx.get('select last from ordinals where kind = $1', 'box'),
    ])

  test('continue where the last transaction ended, and are written once it commits', async () => {
    const take = (): Promise<number[]> =>
      db.write(async (tx) => [
        await nextSeq(tx, LATER, 2),
        await nextOrdinal(tx, 'box'),
        await nextSeq(tx, 1),
      ])
    const [seq = 0, ordinal = 0] = await take()
    expect(await take()).toEqual([seq + 3, ordinal + 1, seq + 5])
    expect(await db.read(stored)).toMatchObject([{ seq: seq + 5, clock_high: LATER }, { last: ordinal + 1 }])
  })

  test('are seen by every statement of their own transaction', async () => {
    await db.write(async (tx) => {
      const seq = await nextSeq(tx, LATER + 1)
      const ordinal = await nextOrdinal(tx, 'box')
      expect(await stored(tx)).toMatchObject([{ seq, clock_high: LATER + 1 }, { last: ordinal }])
      expect((await lockWorld(tx)).clock.high).toBe(LATER + 1)
      await nextSeq(tx, LATER + 2)
      await saveSupply(tx, 'scarce')
      expect(await nextSeq(tx, 1)).toBe(seq + 2)
      const { world, clock } = await loadWorld(tx)
      expect([world.supply, clock.high]).toEqual(['scarce', LATER + 2])
    })
  })

  test('stay in memory when a caller is looked up, whose clock knows the latest instant', async () => {
    await db.write(async (tx) => {
      await nextSeq(tx, LATER + 3)
      const { stored: found, account } = await findCaller(tx, { idOrHandle: 'everything' })
      expect([found.clock.high, account?.handle]).toEqual([LATER + 3, 'everything'])
      expect(tx.counters?.held?.changed.world).toBe(true)
    })
  })

  test('take back what a failed savepoint took', async () => {
    const refusal = new Error('refused')
    await db.write(async (tx) => {
      const attempt = async (fails: boolean): Promise<number[]> => {
        let taken: number[] = []
        const work = async (): Promise<void> => {
          taken = [await nextSeq(tx, LATER + 5), await nextOrdinal(tx, 'box')]
          await stored(tx)
          taken.push(await nextSeq(tx, LATER + 5))
          if (fails) throw refusal
        }
        const failure: unknown = await tx.savepoint(work).catch((error: unknown) => error)
        expect(failure).toBe(fails ? refusal : undefined)
        return taken
      }
      // The first savepoint locks the world's row itself, the second finds it locked.
      const first = await attempt(true)
      const [seq = 0] = await attempt(false)
      expect(first[0]).toBe(seq)
      expect(await attempt(true)).toEqual(await attempt(false))
    })
  })

  test('give every number once, whoever asks at the same time', async () => {
    const take = (): Promise<number[]> =>
      db.write(async (tx) => [await nextSeq(tx, 1), await nextOrdinal(tx, 'box')])
    const [seq = 0, ordinal = 0] = await take()
    const taken = await Promise.all(Array.from({ length: 30 }, take))
    const order = taken.toSorted(([a = 0], [b = 0]) => a - b)
    expect(order).toEqual(Array.from({ length: 30 }, (_, at) => [seq + 1 + at, ordinal + 1 + at]))
  })

  test('give the numbers of a write that fails to another one, whoever asks at the same time', async () => {
    const take = (_: unknown, at: number): Promise<number[]> =>
      db.write(async (tx) => {
        const taken = [await nextSeq(tx, 1), await nextOrdinal(tx, 'box')]
        if (at % 3 === 1) await stored(tx)
        if (at % 3 === 2) throw new Error('refused')
        return taken
      })
    const [seq = 0, ordinal = 0] = await take(undefined, 0)
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, take))
    const taken = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    const order = taken.toSorted(([a = 0], [b = 0]) => a - b)
    expect(order).toEqual(Array.from({ length: 20 }, (_, at) => [seq + 1 + at, ordinal + 1 + at]))
  })
})
