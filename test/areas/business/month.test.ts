/** A few days of five stores, drawn; `test/programs/books.test.ts` plays a month of them, and has a second program agree. */
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../src/client/operations.ts'
import { PLANNED_EVENTS } from '../../../src/sandbox/drain.ts'
import { assertSums } from '../../../src/store/sums.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { faultsOfBooks, plantFee, plantFloat, readBooks } from '../../support/month/books.ts'
import { playMonth } from '../../support/month/play.ts'
import { compareStatements } from '../../support/statement-reference.ts'
import { ENGINES } from '../../support/stores.ts'
import { openWorld } from '../../support/world.ts'

const HOUR = 3_600_000

type Order = Answer<'list_business_orders'>['data'][number]

const isReplaced = ({ adjustments }: Order) => adjustments.some(({ kind }) => kind === 'replaced')

/** The store keeps the sale of an order that nobody took at the door. */
const isAbsent = ({ status, payment }: Order) => status === 'failed' && payment.status === 'paid'

describe.each(ENGINES)('on $name', (engine) => {
  test('the books of drawn days add up to the penny, and a planted fee and a planted float are found', async () => {
    const world = await openWorld({ engine, at: Date.parse('2026-11-20T12:00:00.000Z') })
    const { shops, orders } = await playMonth(world, { days: 2, ordersADay: 16, seed: 3 })
    const books = await readBooks(
      async (as, operation, input) => world.ok(operation, input, { as }) as Promise<Answer<never>>,
      shops,
      [],
    )
    expect(orders).toBeGreaterThan(20)
    expect(books.stores.flatMap(({ orders: each }) => each)).toHaveLength(orders)
    const played = books.stores.flatMap((store) => store.orders)
    expect(played.filter(isReplaced).length).toBeGreaterThan(1)
    expect(played.filter(isAbsent).length).toBeGreaterThan(0)
    expect(faultsOfBooks(books)).toEqual([])
    expect(faultsOfBooks(plantFee(books))).not.toEqual([])
    expect(faultsOfBooks(plantFloat(books))).not.toEqual([])
    const [begin, end] = [Date.parse('2026-11-20T12:00:00.000Z'), await world.now()]
    // The whole, and parts of five hours: orders that are paid in one have refunds in others.
    const stretches = [{ from: begin, to: end + 1 }]
    for (let from = begin; from < end; from += 5 * HOUR) stretches.push({ from, to: from + 5 * HOUR })
    for (const shop of shops) await compareStatements(world, shop, stretches)
    expect(await checkInvariants(world.db)).toEqual([])
    await world.db.read((tx) =>
      assertSums(tx, world.db.kind, PLANNED_EVENTS, (why) => new Error(why) as never),
    )
  })
})
