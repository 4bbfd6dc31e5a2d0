/** A few days of five stores, drawn; `test/interop/books.test.ts` plays a month of them, and has a second program agree. */
import { describe, expect, test } from 'vitest'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { assertIntegrity } from '../../../src/db/integrity.ts'
import { PLANNED_EVENTS } from '../../../src/sandbox/due-events.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { listBookProblems, plantFee, plantFloat, readBooks } from '../../support/month/books.ts'
import {
  CUSTOMER_FAULTS,
  listCustomerProblems,
  plantCustomerFault,
  readCustomerBooks,
} from '../../support/month/customer-books.ts'
import { playCustomers, type PlayedStep } from '../../support/month/customers.ts'
import { playMonth } from '../../support/month/play.ts'
import { compareStatements } from '../../support/statement-reference.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000

type Order = OperationOutput<'list_business_orders'>['data'][number]

const isReplaced = ({ adjustments }: Order) => adjustments.some(({ kind }) => kind === 'replaced')

/** The store keeps the sale of an order that nobody took at the door. */
const isAbsent = ({ status, payment }: Order) => status === 'failed' && payment.status === 'paid'

/** Compares the sum of a store's listed entries with its statement. Returns their kinds. */
async function sumEntries(
  world: TestSandbox,
  { keeper, merchant_id }: { keeper: string; merchant_id: string },
): Promise<string[]> {
  const asked = { merchant_id, from: '2026-11-01', to: '2026-12-01' }
  const { due, opening } = await world.ok('get_store_statement', asked, { as: keeper })
  const entries: OperationOutput<'list_statement_entries'>['data'] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const input = { ...asked, limit: 7, ...(cursor !== undefined && { cursor }) }
    const page = await world.ok('list_statement_entries', input, { as: keeper })
    entries.push(...page.data)
    cursor = page.next_cursor
  }
  expect(entries.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(due.amount - opening.amount)
  expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted())
  return entries.map(({ kind }) => kind)
}

function countAnswers(steps: readonly PlayedStep[]): Record<string, number> {
  const names = steps.map(({ action, answer }) => `${action} ${answer}`)
  return Object.fromEntries(names.map((name) => [name, names.filter((each) => each === name).length]))
}

describe.each(ENGINES)('on $name', (engine) => {
  test('the books of drawn days add up to the penny, and a planted fee and a planted float are found', async () => {
    const world = await openTestSandbox({ engine, at: Date.parse('2026-11-20T12:00:00.000Z') })
    const { shops, orders } = await playMonth(world, { days: 2, ordersADay: 16, seed: 3 })
    const books = await readBooks(
      async (as, operation, input) => world.ok(operation, input, { as }) as Promise<OperationOutput<never>>,
      shops,
      [],
    )
    expect(orders).toBeGreaterThan(20)
    expect(books.stores.flatMap(({ orders: each }) => each)).toHaveLength(orders)
    const played = books.stores.flatMap((store) => store.orders)
    expect(played.filter(isReplaced).length).toBeGreaterThan(1)
    expect(played.filter(isAbsent).length).toBeGreaterThan(0)
    expect(listBookProblems(books)).toEqual([])
    expect(listBookProblems(plantFee(books))).not.toEqual([])
    expect(listBookProblems(plantFloat(books))).not.toEqual([])
    const [begin, end] = [Date.parse('2026-11-20T12:00:00.000Z'), await world.now()]
    // The whole, and parts of five hours: orders that are paid in one have refunds in others.
    const stretches = [{ from: begin, to: end + 1 }]
    for (let from = begin; from < end; from += 5 * HOUR) stretches.push({ from, to: from + 5 * HOUR })
    for (const shop of shops) await compareStatements(world, shop, stretches)
    const kinds = new Set<string>()
    for (const shop of shops) for (const kind of await sumEntries(world, shop)) kinds.add(kind)
    expect(kinds.size).toBeGreaterThan(3)
    expect(await checkInvariants(world.db)).toEqual([])
    await world.db.read((tx) =>
      assertIntegrity(tx, world.db.kind, PLANNED_EVENTS, (why) => new Error(why) as never),
    )
  })

  test('rides, runs and visits of drawn days are charged and paid back to the penny, and each planted fault is found', async () => {
    const world = await openTestSandbox({ engine, at: Date.parse('2026-11-20T12:00:00.000Z') })
    const books = await readCustomerBooks(world, await playCustomers(world, 3))
    expect(listCustomerProblems(books)).toEqual([])
    const { purchases } = books
    expect(new Set(purchases.map(({ played }) => played.method))).toEqual(new Set(['card', 'cash', 'wallet']))
    expect(countAnswers(purchases.flatMap(({ played }) => played.steps))).toEqual({
      'report ok': 9,
      'report adjustment_not_allowed': 9,
      'report problem_window_over': 3,
      'cancel ok': 5,
      'move ok': 1,
      'move not_movable': 1,
    })
    for (const name of Object.keys(CUSTOMER_FAULTS))
      expect(listCustomerProblems(plantCustomerFault(books, name)), name).not.toEqual([])
    expect(await checkInvariants(world.db)).toEqual([])
  })
})
