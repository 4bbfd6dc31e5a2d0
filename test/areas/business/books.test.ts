/** What a store's statement and its closed days are read from: the entries of its orders, and no order. */
import { describe, expect, test } from 'vitest'
import { insertStoreEntries } from '../../../src/areas/orders/queries/store-entries.ts'
import type { StoreEntry } from '../../../src/areas/orders/rules/store-entries.ts'
import type { Db } from '../../../src/core/db.ts'
import { adjustTestOrder, completed, gbp, placeTestSale } from '../../support/adjusting.ts'
import { findStore } from '../../support/food.ts'
import { performAction, FORNO } from '../../support/order-life.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox, sandboxOverStore } from '../../support/world.ts'

const DAY = 86_400_000
const DAYS = ['2026-11-20', '2026-11-21', '2026-11-22'] as const

const statement = (world: TestSandbox, from: string, to: string) =>
  world.ok('get_store_statement', { from, to })

/** Replaces a dish of 20% by one of no tax and the same price, a day after it was paid: no money moves. */
async function moveBetweenRates(world: TestSandbox): Promise<void> {
  const dish = { category: 'Tests', price: gbp(600) }
  await world.ok('create_catalog_item', { ...dish, name: 'Roast', tax_rate_bps: 2000 })
  const bread = await world.ok('create_catalog_item', { ...dish, name: 'Bread', tax_rate_bps: 0 })
  const { order_id } = await placeTestSale(world, {
    items: { Roast: 2 },
    whole: true,
    over: { substitutions: 'replace' },
  })
  await performAction(world, order_id, ['accept'])
  await world.advance(DAY)
  const one = { line_id: 'line_1', quantity: 1, replacement: { item_id: bread.item_id } }
  const { refunds } = await adjustTestOrder(world, order_id, { kind: 'replaced', lines: [one] })
  expect(refunds).toEqual([])
  await performAction(world, order_id, ['ready', 'complete'])
}

const moved = [
  { rate_bps: 2000, net: gbp(-500), vat: gbp(-100), gross: gbp(-600) },
  { rate_bps: 0, net: gbp(600), vat: gbp(0), gross: gbp(600) },
]

describe.each(ENGINES)('on $name', (engine) => {
  test('an adjustment without money counts when it is made, also where nothing else of its order does', async () => {
    const world = await openTestSandbox({ engine })
    await moveBetweenRates(world)
    const [first, second] = [
      await statement(world, DAYS[0], DAYS[1]),
      await statement(world, DAYS[1], DAYS[2]),
    ]
    expect(first.vat).toEqual([{ rate_bps: 2000, net: gbp(1000), vat: gbp(200), gross: gbp(1200) }])
    expect(second).toMatchObject({ orders: 0, payments: [], net_sales: gbp(0), vat: moved })
    const closed = await world.ok('close_business_day', { through: DAYS[1] })
    expect(closed.data.map((day) => day.statement.vat)).toEqual([first.vat, moved])
  })

  test('an adjustment without money after the close of its order’s day counts in the next day', async () => {
    const world = await openTestSandbox({ engine })
    await world.ok('create_catalog_item', {
      category: 'Tests',
      name: 'Tea',
      price: gbp(600),
      tax_rate_bps: 2000,
    })
    const cake = { category: 'Tests', name: 'Cake', price: gbp(600), tax_rate_bps: 0 }
    const { item_id } = await world.ok('create_catalog_item', cake)
    const { order_id } = await placeTestSale(world, {
      items: { Tea: 2 },
      whole: true,
      over: { substitutions: 'replace' },
    })
    await world.ok('close_business_day', { through: DAYS[0] })
    await performAction(world, order_id, ['accept'])
    await adjustTestOrder(world, order_id, {
      kind: 'replaced',
      lines: [{ line_id: 'line_1', quantity: 1, replacement: { item_id } }],
    })
    await world.advance(DAY)
    const { data } = await world.ok('close_business_day', { through: DAYS[1] })
    expect(data.map((day) => day.statement.vat)).toEqual([moved])
  })

  test('entries by the thousand sum as they do one by one, and are read in parts of 5,000', async () => {
    const world = await openTestSandbox({ engine })
    await adjustTestOrder(world, await completed(world, { type: 'delivery', tip: 250 }))
    await completed(world, { method: 'cash' })
    const { merchant_id } = await findStore(world, FORNO)
    const one = await statement(world, DAYS[0], DAYS[1])
    const copies = 4001
    await world.write((tx) => copyEntries(tx, copies - 1))
    const counted = countReads(world.db)
    const all = await sandboxOverStore(counted.db).ok('get_store_statement', { from: DAYS[0], to: DAYS[1] })
    const times = (amount: { amount: number }) => gbp(amount.amount * copies)
    expect(all).toMatchObject({
      orders: one.orders * copies,
      net_sales: times(one.net_sales),
      gross_goods: one.gross_goods.map(({ section, amount }) => ({ section, amount: times(amount) })),
      vat: one.vat.map(({ rate_bps, net, vat, gross }) => ({
        rate_bps,
        net: times(net),
        vat: times(vat),
        gross: times(gross),
      })),
      held: { fees: times(one.held.fees), tips: times(one.held.tips) },
      due: times(one.due),
      merchant_id,
    })
    // 12,003 entries: three parts, each with a position and two sums.
    expect(
      counted.statements().filter((sql) => /from store_entries|store_entry_parts/.test(sql)),
    ).toHaveLength(9)
    expect(counted.statements().filter((sql) => /\bdoc\b.* from orders/s.test(sql))).toEqual([])
  })
})

/** Writes the entries of a world so many more times. */
async function copyEntries(
  tx: Parameters<Parameters<TestSandbox['write']>[0]>[0],
  times: number,
): Promise<void> {
  const rows = await tx.all('select * from store_entries order by seq')
  const parts = await tx.all('select * from store_entry_parts order by seq, kind, key')
  const entries = rows.map((row) => ({
    ...row,
    is_posted: true,
    parts: parts.filter(({ seq }) => seq === row['seq']),
  })) as unknown as StoreEntry[]
  for (let at = 0; at < times; at += 500)
    await insertStoreEntries(tx, 0, Array.from({ length: Math.min(500, times - at) }, () => entries).flat())
}

/** Returns a store that lists the statements of its reads. */
function countReads(db: Db): { db: Db; statements: () => readonly string[] } {
  const statements: string[] = []
  const counting = new Proxy(db, {
    get(target, name) {
      if (name !== 'read') return Reflect.get(target, name, target) as unknown
      const read: Db['read'] = (work, ...rest) =>
        target.read(
          (tx) =>
            work(
              new Proxy(tx, {
                get(inner, method) {
                  const value: unknown = Reflect.get(inner, method, inner)
                  if (typeof value !== 'function') return value
                  return (...given: unknown[]) => {
                    if (typeof given[0] === 'string') statements.push(given[0])
                    return value.apply(inner, given) as unknown
                  }
                },
              }),
            ),
          ...rest,
        )
      return read
    },
  })
  return { db: counting, statements: () => statements }
}
