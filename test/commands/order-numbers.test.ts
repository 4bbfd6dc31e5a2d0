/** Orders that people name by the number on their ticket, as long as anything can be done with them. */
import { describe, expect, test } from 'vitest'
import { completed, placeTestSale } from '../support/adjusting.ts'
import { makeHome } from '../support/home.ts'
import { runLine } from '../support/printed-hints.ts'
import { ENGINES } from '../support/stores.ts'
import { runIn } from '../support/world-client.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const DAY = 86_400_000

/** Gives an order the number of another: a number repeats after a million orders. */
async function renumber(world: TestSandbox, orderId: string, number: string): Promise<void> {
  await world.db.write((tx) =>
    tx.run('update orders set display_number = $2 where order_id = $1', orderId, number),
  )
}

/** Places that many further orders. */
async function placeMore(world: TestSandbox, count: number): Promise<void> {
  for (let at = 0; at < count; at++) await placeTestSale(world, { method: 'cash', items: { Focaccia: 1 } })
}

const numberOf = async (world: TestSandbox, order_id: string) =>
  (await world.ok('get_business_order', { order_id })).display_number

describe.each(ENGINES)('an order is named by its number on $name', (engine) => {
  test('after 101 other orders, by its customer and by its store', async () => {
    const world = await openTestSandbox({ engine })
    const order_id = await completed(world)
    const number = await numberOf(world, order_id)
    await placeMore(world, 101)
    const shown = JSON.parse(await runIn(world, `food show ${number} --as member --json`)) as object
    expect(shown).toMatchObject({ order_id, status: 'completed' })
    await runIn(world, `food problem ${number} --line 1=1 --reason quality --as member`)
    expect(await runIn(world, `business orders show #${number.toLowerCase()} --json`)).toContain(order_id)
    await runIn(world, `business orders answer ${number} --accept none --note Sorry`)
    // The store may refund for 30 days.
    await world.advance(29 * DAY)
    await runIn(world, `business orders adjust ${number} --refund 1=1 --reason missing --confirm ${number}`)
    const { refunds, problems } = await world.ok('get_food_order', { order_id }, { as: 'member' })
    expect([refunds.length, problems.map(({ status }) => status)]).toEqual([1, ['declined']])
  })

  test('in a list, which finds it at once and for its owner alone', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id, display_number } = await placeTestSale(world)
    await placeMore(world, 2)
    const lower = display_number.toLowerCase()
    const own = await world.ok('list_food_orders', { display_number: lower }, { as: 'member' })
    expect(own.data.map((order) => order.order_id)).toEqual([order_id])
    const sold = await world.ok('list_business_orders', { display_number })
    expect([sold.data.map((order) => order.order_id), sold.has_more]).toEqual([[order_id], false])
    expect((await world.ok('list_food_orders', { display_number }, { as: 'guest' })).data).toEqual([])
    expect((await world.ok('list_business_orders', { display_number }, { as: 'chain' })).data).toEqual([])
    for (const [operation, filter] of [
      ['list_food_orders', { status: ['placed'] }],
      ['list_business_orders', { active: true }],
      ['list_business_orders', { problem: 'open' }],
    ] as const)
      expect(await world.refused(operation, { display_number, ...filter })).toMatchObject({
        code: 'invalid_request',
        errors: [{ parameter: Object.keys(filter)[0], code: 'mutually_exclusive' }],
      })
    expect(await world.refused('list_food_orders', { display_number: 'ILOU' })).toMatchObject({
      errors: [{ parameter: 'display_number' }],
    })
  })

  test('with its day where the number repeats', async () => {
    const world = await openTestSandbox({ engine })
    const earlier = await completed(world)
    const number = await numberOf(world, earlier)
    await world.advance(7 * DAY)
    const later = await completed(world)
    await renumber(world, later, number)
    const several = `Several orders have the number ${number}: ${number}@2026-11-27 (completed, `
    for (const line of [
      `food show ${number} --as member`,
      `business orders show ${number}`,
      `business orders adjust ${number} --refund 1=1 --reason missing`,
    ]) {
      const said = await runIn(world, line, 2)
      expect(said).toContain(several)
      expect(said).toContain(`; ${number}@2026-11-20 (completed, `)
      expect(said).toContain(` ${number}@2026-11-27`)
    }
    const show = async (line: string) =>
      (JSON.parse(await runIn(world, line)) as { order_id: string }).order_id
    expect(await show(`food show ${number}@2026-11-20 --as member --json`)).toBe(earlier)
    expect(await show(`business orders show ${number}@2026-11-27 --json`)).toBe(later)
    const none = await runIn(world, `business orders show ${number}@2026-11-25`, 5)
    expect(none).toContain(`No order has the number ${number}@2026-11-25.`)
    const word = `${number}@2026-11-20`
    await runIn(world, `business orders adjust ${word} --refund 1=1 --reason missing --confirm ${number}`)
    expect((await world.ok('get_business_order', { order_id: earlier })).refunds).toHaveLength(1)
    // What ended more than 30 days ago can only be shown: the number means the other one.
    await world.advance(31 * DAY)
    const { order_id: newest } = await placeTestSale(world, { method: 'cash' })
    await renumber(world, newest, number)
    expect(await show(`business orders show ${number} --json`)).toBe(newest)
  })

  test('while it is active, by a command that fits active orders only', async () => {
    const world = await openTestSandbox({ engine })
    const earlier = await completed(world)
    const number = await numberOf(world, earlier)
    await world.advance(DAY)
    const { order_id } = await placeTestSale(world)
    await renumber(world, order_id, number)
    await runIn(world, `business orders accept ${number}`)
    expect((await world.ok('get_business_order', { order_id })).status).toBe('accepted')
    await runIn(world, `food cancel ${number} --as member --confirm ${number}`)
    expect((await world.ok('get_business_order', { order_id })).status).toBe('cancelled')
  })
})

test('the store of a number need not be named, and two stores may have it on one day', async () => {
  const world = await openTestSandbox()
  const { order_id, display_number: number } = await placeTestSale(world)
  const other = await placeTestSale(world)
  await world.db.write((tx) =>
    tx.run(
      `update orders set display_number = $2, merchant_id = (select merchant_id from merchants where merchant_id <> orders.merchant_id
         order by merchant_id limit 1) where order_id = $1`,
      other.order_id,
      number,
    ),
  )
  const said = await runIn(world, `business orders show ${number}`, 2)
  expect(said).toContain(`${order_id} of 2026-11-20 (placed, `)
  expect(said).toContain(`${other.order_id} of 2026-11-20 (placed, `)
  expect(said).toMatch(/Name the ID: `dray business orders show ord_/)
})

test('the controls of the sandbox take a number, too, with its day where it repeats', async () => {
  const world = await openTestSandbox()
  const earlier = await placeTestSale(world, { method: 'cash' })
  const number = earlier.display_number
  await world.advance(DAY)
  const later = await placeTestSale(world, { method: 'cash' })
  await renumber(world, later.order_id, number)
  // The earlier one has ended: nobody accepted it.
  expect(await runIn(world, `sandbox step ${number} --json`)).toContain(later.order_id)
  expect(await runIn(world, `sandbox settle ${number}@2026-11-20 --json`, 7)).toContain('rejected')
})

test('the next step names an order by its number', async () => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' })
  const line =
    'dray food order "Forno Santa Rosa" --item "Margherita x2" --fulfillment pickup --yes --max-total 90'
  const { err } = await runLine(home, line)
  const number = /dray food track ([0-9A-Z]{4})\n/.exec(err)?.[1]
  for (const [verb, next] of [
    ['accept', 'prepare'],
    ['prepare', 'ready'],
    ['ready', 'show'],
  ])
    expect((await runLine(home, `dray business orders ${verb} ${number}`)).err).toContain(
      `dray business orders ${next} ${number}\n`,
    )
})
