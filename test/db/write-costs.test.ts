/** What a change costs one caller: the statements that SQLite runs, and the bytes that it writes to its log. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { frozenClock } from '../../src/core/clock.ts'
import { openStore } from '../../src/db/open.ts'
import { DEFAULT_SEED, seedStore } from '../../src/sandbox/seed.ts'
import { afterFile } from '../support/after-file.ts'
import { makeConfirm } from '../support/baskets.ts'
import { newKey } from '../support/food.ts'
import { ORIGINAL_KEY } from '../support/originals.ts'
import { makeParcel } from '../support/parcel.ts'
import { makeTempFolder } from '../support/stores.ts'
import { NINE_AM, type TestSandbox, sandboxOverStore } from '../support/world.ts'

type Cost = { statements: number; bytes: number }

/** With these the numbers were as they are now; one page of the store more, 4,120 bytes, is let pass. */
const MAX_COSTS: Readonly<Record<string, Cost>> = {
  'a parcel with a reference of 17': { statements: 16, bytes: 103_928 },
  'a parcel with a reference of 36': { statements: 16, bytes: 115_773 },
  // With the entry in the books of its store: a number, its row and its goods and taxes, and three pages.
  'placing an order': { statements: 28, bytes: 189_932 },
  'accepting an order': { statements: 19, bytes: 98_056 },
}

/** So many that the index of words merges its parts several times. */
const PARCELS = 40
const ORDERS = 10

test('a parcel, an order and its acceptance by one caller cost few statements and few bytes', async () => {
  const path = join(await makeTempFolder(), 'store.db')
  const options = { seed: DEFAULT_SEED, clock: frozenClock(NINE_AM), cursorKey: ORIGINAL_KEY }
  const db = await openStore(path, { seed: (tx) => seedStore(tx, options), random: () => 0.5 })
  afterFile(() => db.close())
  const world = sandboxOverStore(db)
  const counted = countStatements()
  const measure = async (work: () => Promise<unknown>): Promise<Cost> => {
    const [statements, bytes] = [counted(), statSync(`${path}-wal`).size]
    await work()
    return { statements: counted() - statements, bytes: statSync(`${path}-wal`).size - bytes }
  }
  const costs: Record<string, Cost> = {}
  for (const length of [17, 36]) {
    await createParcel(world, `first-${length}`)
    emptyLog(path)
    const each: Cost[] = []
    for (let at = 1; at <= PARCELS; at++)
      each.push(await measure(() => createParcel(world, referenceOf(length, at))))
    costs[`a parcel with a reference of ${length}`] = meanOf(each)
  }
  const [placing, accepting]: [Cost[], Cost[]] = [[], []]
  emptyLog(path)
  for (let at = 0; at < ORDERS; at++) {
    const confirm = await makeConfirm(world)
    let order_id = ''
    placing.push(
      await measure(async () => {
        ;({ order_id } = await world.ok('place_food_order', confirm, { key: newKey() }))
      }),
    )
    accepting.push(await measure(() => world.ok('accept_business_order', { order_id }, { key: newKey() })))
  }
  costs['placing an order'] = meanOf(placing)
  costs['accepting an order'] = meanOf(accepting)
  for (const [what, most] of Object.entries(MAX_COSTS)) {
    const { statements = Infinity, bytes = Infinity } = costs[what] ?? {}
    expect([what, statements <= most.statements, bytes <= most.bytes], JSON.stringify(costs)).toEqual([
      what,
      true,
      true,
    ])
  }
})

/** Brings the log into the file: at 16 MB it would begin again by itself, and not grow. */
function emptyLog(path: string): void {
  using db = new DatabaseSync(path)
  db.exec('pragma wal_checkpoint(truncate)')
}

function createParcel(world: TestSandbox, reference: string): Promise<unknown> {
  return world.ok('create_shipment', makeParcel({ reference }), { key: newKey() })
}

/** Returns a reference of digits in no order: as different as those of a real shop. */
function referenceOf(length: number, at: number): string {
  const digits = (BigInt(at) * 0x9e3779b97f4a7c15f39cc0605cedc8341082276bf3a27251n).toString()
  return digits.slice(-length)
}

function meanOf(costs: readonly Cost[]): Cost {
  const sum = (pick: (cost: Cost) => number): number =>
    Math.round(costs.reduce((total, cost) => total + pick(cost), 0) / costs.length)
  return { statements: sum(({ statements }) => statements), bytes: sum(({ bytes }) => bytes) }
}

/** Returns a function that says how many statements have run since. */
function countStatements(): () => number {
  let statements = 0
  for (const name of ['run', 'get', 'all'] as const) {
    const original = StatementSync.prototype[name] as (...given: unknown[]) => unknown
    vi.spyOn(StatementSync.prototype, name as 'run').mockImplementation(function (
      this: StatementSync,
      ...given
    ) {
      statements++
      return original.apply(this, given) as never
    })
  }
  return () => statements
}
