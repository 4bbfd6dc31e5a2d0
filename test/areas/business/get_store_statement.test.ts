/** A store's statement over HTTP's gateway: what it says agrees with orders, payments and the ledger. */
import { describe, expect, test } from 'vitest'
import { lossReasonOf, sumLosses } from '../../../src/areas/orders/rules/losses.ts'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { assertIntegrity } from '../../../src/db/integrity.ts'
import { PLANNED_EVENTS } from '../../../src/sandbox/due-events.ts'
import { completed, gbp } from '../../support/adjusting.ts'
import { callTestControl } from '../../support/control.ts'
import { findStore } from '../../support/food.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { performAction, attend, FORNO, placeTestOrder } from '../../support/order-life.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

type Statement = OperationOutput<'get_store_statement'>

const DAY = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' }

function statement(world: TestSandbox, stretch: { from: string; to: string } = DAY): Promise<Statement> {
  return world.ok('get_store_statement', stretch)
}

/** The identities that hold over any stretch of time. */
function checkSums(each: Statement): void {
  const { net_sales, vat, held, discounts, borne_by_platform, payments, due, closing } = each
  const money = payments.reduce((sum, { captured, refunded }) => sum + captured.amount - refunded.amount, 0)
  const platform = held.fees.amount - discounts.platform.amount - borne_by_platform.amount
  expect(money).toBe(net_sales.amount + platform + held.tips.amount)
  expect(vat.reduce((sum, { gross }) => sum + gross.amount, 0)).toBe(net_sales.amount)
  expect(due).toEqual(closing)
}

/** Plays a day with every way to pay and to end; returns the orders that are still to be paid. */
async function playDay(world: TestSandbox): Promise<string[]> {
  await attend(world)
  const manual = { scenario: 'store_manual' }
  const done = ['accept', 'ready', 'complete'] as const
  const cash = await placeTestOrder(world, { ...manual, method: 'cash' })
  await performAction(world, cash.order_id, done)
  const table = await placeTestOrder(world, { ...manual, type: 'dine_in', method: 'pay_at_table' })
  await performAction(world, table.order_id, ['accept', 'ready'])
  await callTestControl(world, 'settle_check', { check_id: table.order_id })
  await performAction(world, table.order_id, ['complete'])
  for (const token of ['tok_ok', 'tok_store']) {
    const { order_id } = await placeTestOrder(world, { ...manual, token })
    await performAction(world, order_id, done)
    const lost = await placeTestOrder(world, { ...manual, token })
    await performAction(world, lost.order_id, ['reject'])
  }
  const unpaid = await placeTestOrder(world, { ...manual, method: 'cash' })
  await performAction(world, unpaid.order_id, ['reject'])
  await world.advance(60_000)
  const taken = await placeTestOrder(world, { ...manual, method: 'wallet' })
  const cancel = { order_id: taken.order_id, reason_code: 'changed_mind' }
  await world.ok('cancel_food_order', cancel, { as: 'member' })
  const open = await placeTestOrder(world, { ...manual, method: 'cash' })
  return [open.order_id]
}

describe.each(ENGINES)('on $name', (engine) => {
  test('a day adds up to the penny, whoever collected and whatever went back', async () => {
    const world = await openTestSandbox({ engine })
    const unpaid = await playDay(world)
    await world.advance(120_000)
    const day = await statement(world)
    checkSums(day)
    expect(day.orders).toBe(7)
    expect(day.unpaid.map(({ order_id }) => order_id)).toEqual(unpaid)
    expect(day.payments.map(({ method, collected_by }) => `${method} ${collected_by}`)).toEqual([
      'card platform',
      'card store_processor',
      'cash store',
      'pay_at_table store',
      'wallet platform',
    ])
    expect(day.refunded_goods.map(({ reason }) => reason).toSorted()).toEqual(['changed_mind', 'other'])
    expect(day.earlier.amount).toBe(0)
    const { data } = await world.ok('list_business_orders', { limit: 100 })
    const lost = data.filter((order) => lossReasonOf(order) !== undefined)
    expect(day.lost.map(({ reason, orders }) => ({ reason, orders }))).toEqual([
      { reason: 'cancelled', orders: 1 },
      { reason: 'rejected', orders: 3 },
    ])
    // The board and the kitchen page add up the same orders by themselves.
    expect(day.lost.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(sumLosses(lost)?.amount)
    expect(await checkInvariants(world.db)).toEqual([])
    await world.db.read((tx) =>
      assertIntegrity(tx, world.db.kind, PLANNED_EVENTS, (why) => new Error(why) as never),
    )
  })

  test('one stretch goes on where the one before ended, and a payout lowers what is due', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id } = await placeTestOrder(world, { scenario: 'store_manual' })
    await performAction(world, order_id, ['accept', 'ready', 'complete'])
    const { merchant_id } = await findStore(world, FORNO)
    const first = await statement(world)
    expect(first.due.amount).toBe(first.net_sales.amount)
    await world.advanceTo('2026-11-21T09:00:00.000Z')
    const paid = await callTestControl(world, 'pay_out', {
      merchant_id,
      amount: { amount: 100, currency: 'GBP' },
    })
    expect(paid.due.amount).toBe(first.due.amount - 100)
    const second = await statement(world, { from: DAY.to, to: '2026-11-22T00:00:00.000Z' })
    expect(second).toMatchObject({ opening: first.closing, payouts: { amount: 100 }, closing: paid.due })
    checkSums(second)
    await callTestControl(world, 'pay_out', { merchant_id })
    await expect(callTestControl(world, 'pay_out', { merchant_id })).rejects.toMatchObject({
      code: 'invalid_state',
    })
    expect((await statement(world, { from: DAY.to, to: '2026-11-22T00:00:00.000Z' })).due.amount).toBe(0)
  })
})

test('a stretch that ends before it begins, or is longer than a year, is rejected by name', async () => {
  const world = await openTestSandbox()
  for (const to of ['2026-11-20', '2027-12-01']) {
    const problem = await world.refused('get_store_statement', { from: '2026-11-20', to })
    expect(problem).toMatchObject({ code: 'invalid_request', errors: [{ parameter: 'to' }] })
  }
  expect(
    (await world.refused('get_store_statement', { from: '2026-11-20', to: '2026-11-21' }, { as: 'member' }))
      .code,
  ).toBe('insufficient_scope')
})

test('a date is a business day: a sale at two o’clock at night belongs to the day before, in every list', async () => {
  const world = await openTestSandbox({ at: Date.parse('2026-11-20T20:00:00.000Z') })
  await attend(world)
  const weekly = ['fri', 'sat'].map((day) => ({ day, opens: '09:00', closes: '04:00' }))
  await world.ok('set_store_hours', { weekly })
  const sell = async () => {
    const { order_id } = await placeTestOrder(world, { scenario: 'store_manual' })
    await performAction(world, order_id, ['accept', 'ready', 'complete'])
    return order_id
  }
  const evening = await sell()
  await world.advanceTo('2026-11-21T02:00:00.000Z')
  const night = await sell()
  const day = await statement(world, { from: '2026-11-20', to: '2026-11-21' })
  expect(day).toMatchObject({ from: '2026-11-20T05:00:00.000Z', to: '2026-11-21T05:00:00.000Z', orders: 2 })
  const { data } = await world.ok('list_business_orders', {
    created_from: '2026-11-20',
    created_to: '2026-11-21',
  })
  expect(data.map(({ order_id }) => order_id)).toEqual([night, evening])
  const none = await world.ok('list_business_orders', { created_from: '2026-11-21' })
  expect(none.data).toEqual([])
  // A time of day is taken as it is.
  const hours = await statement(world, { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' })
  expect(hours).toMatchObject({ from: '2026-11-20T00:00:00.000Z', orders: 1 })
})

test('goods of items without a rate of their own are listed apart: they count at the rate of the store', async () => {
  const world = await openTestSandbox()
  const dish = { category: 'Tests', price: gbp(600) }
  await world.ok('create_catalog_item', { ...dish, name: 'Tea' })
  await world.ok('create_catalog_item', { ...dish, name: 'Roll', tax_rate_bps: 0 })
  for (const name of ['Tea', 'Roll']) await completed(world, { items: { [name]: 1 }, whole: true })
  expect(await statement(world)).toMatchObject({
    without_rate: { goods: gbp(600), rate_bps: 2000 },
    vat: [
      { rate_bps: 2000, gross: gbp(600) },
      { rate_bps: 0, gross: gbp(600) },
    ],
  })
})
