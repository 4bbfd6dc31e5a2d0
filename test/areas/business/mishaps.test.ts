/**
 * Mishaps of a store's sales, listed in `mishaps.txt`: each is ended at a terminal, on a page or by a tool, and then all sums
 * are right. A further mishap is a line there and an entry here.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ClientOperationName } from '../../../src/client/operations.ts'
import { PAGES } from '../../../src/core/pages.ts'
import { assertIntegrity } from '../../../src/db/integrity.ts'
import { PLANNED_EVENTS } from '../../../src/sandbox/due-events.ts'
import { completed, gbp, type TestSaleOptions, placeTestSale } from '../../support/adjusting.ts'
import { openHome, startAgent } from '../../support/agent.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { performAction, readBothViews, FORNO } from '../../support/order-life.ts'
import { makeSandboxClient, runIn } from '../../support/world-client.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The store's net sales, and the money that stays: payments less refunds. In pence. */
type RemainingSales = readonly [net: number, money: number]
/** Three Focaccia of a field at the counter: 14.85, less 1.49, and 1.75 for service. */
const WHOLE: RemainingSales = [1485, 1511]
/** Two of three are left. */
const TWO: RemainingSales = [990, 1066]
const NONE: RemainingSales = [0, 0]

const REFUND = '--refund 1=1 --reason missing'

/** Runs a line of the store, with the confirmation that it wants for an order. */
function store(world: TestSandbox, verb: string, id: string, flags = '', exit = 0): Promise<string> {
  return runIn(world, `business orders ${verb} ${id} ${flags} --confirm ${id} --json`, exit)
}

/** Rejects a line of the store with this code, and moves no money. */
async function refuses(world: TestSandbox, verb: string, id: string, flags: string, code: string) {
  expect(await store(world, verb, id, flags, 7)).toContain(`"${code}"`)
}

const problem = (world: TestSandbox, id: string, flags: string, exit = 0) =>
  runIn(world, `food problem ${id} ${flags} --as member --json`, exit)

/** Makes a call that the kitchen's page declares. */
function page(world: TestSandbox, operation: ClientOperationName, input: Record<string, unknown>) {
  expect(PAGES.kitchen.calls['orders.manage']).toContain(operation)
  return world.ok(operation, input, { via: 'page' })
}

/** Calls a tool of an agent, whose person agrees. */
async function tool(world: TestSandbox, name: string, input: Record<string, unknown>, as = 'everything') {
  const { home } = await openHome()
  const agent = await startAgent(home, {
    service: makeSandboxClient(world, as),
    answer: () => ({ action: 'accept', content: { confirm: true } }),
  })
  return agent.call(name, input)
}

const paid = async (world: TestSandbox, sale: TestSaleOptions = {}) => {
  const { order_id } = await placeTestSale(world, sale)
  return order_id
}

const CASES: Readonly<Record<string, (world: TestSandbox) => Promise<RemainingSales>>> = {
  async 'A dish is missing from an order that a card paid: one of three is refunded, and the store bears it.'(
    world,
  ) {
    await store(world, 'adjust', await completed(world), REFUND)
    return TWO
  },
  async 'Each of three units is refunded alone: together they give back the line to the penny.'(world) {
    const id = await completed(world)
    for (let unit = 0; unit < 3; unit++) await store(world, 'adjust', id, REFUND)
    // 14.85 less 1.49 is back; service stays.
    return [0, 175]
  },
  async 'A dish is missing from a delivered order: fees and tip stay where they are.'(world) {
    await store(world, 'adjust', await completed(world, { type: 'delivery', tip: 1000 }), REFUND)
    const { held } = await statement(world)
    expect(held).toEqual({ fees: gbp(524), tips: gbp(1000) })
    return [990, 2415]
  },
  async 'A dish of another rate of VAT is refunded at a table: only its own rate loses net and tax.'(world) {
    const made = { category: 'Tests', tax_rate_bps: 2000 }
    await world.ok('create_catalog_item', { ...made, name: 'Roast', price: gbp(1150) })
    await world.ok('create_catalog_item', { ...made, name: 'Bread', price: gbp(395), tax_rate_bps: 0 })
    const sale: TestSaleOptions = {
      type: 'dine_in',
      service: 135,
      token: 'tok_store',
      items: { Roast: 2, Bread: 1 },
    }
    await store(world, 'adjust', await completed(world, sale), '--refund Bread --reason wrong')
    expect((await statement(world)).vat).toEqual([
      { rate_bps: 2000, net: gbp(1917), vat: gbp(383), gross: gbp(2300) },
    ])
    return [2300, 2205]
  },
  async 'One of three is taken off before the cash is paid: only the rest is paid, and nothing goes back.'(
    world,
  ) {
    const id = await paid(world, { method: 'cash', whole: true })
    await performAction(world, id, ['accept'])
    await store(world, 'adjust', id, '--remove 1=1 --reason out_of_stock')
    await performAction(world, id, ['ready', 'complete'])
    return [990, 1165]
  },
  async 'One of three is taken off after the card paid, before the order is ready: its share goes back to the card.'(
    world,
  ) {
    const id = await paid(world)
    await store(world, 'adjust', id, '--remove 1=1 --reason out_of_stock')
    expect((await readBothViews(world, id)).order.refund).toMatchObject({ destination: 'original_method' })
    await performAction(world, id, ['accept', 'ready', 'complete'])
    return TWO
  },
  async 'A refund of goods that the store collected in cash goes to the customer’s wallet.'(world) {
    const id = await completed(world, { method: 'cash' })
    await store(world, 'adjust', id, REFUND)
    expect((await readBothViews(world, id)).order.refund).toMatchObject({ destination: 'platform_wallet' })
    return TWO
  },
  async 'A refund of goods that the store’s own processor collected goes back through it.'(world) {
    const id = await completed(world, { token: 'tok_store' })
    await store(world, 'adjust', id, REFUND)
    expect((await readBothViews(world, id)).order.refund).toMatchObject({
      destination: 'card_via_store_processor',
    })
    return TWO
  },
  async 'More units than the line has left are refunded: the refusal moves no money.'(world) {
    await refuses(
      world,
      'adjust',
      await completed(world),
      '--refund 1=4 --reason missing',
      'amount_exceeds_paid',
    )
    return WHOLE
  },
  async 'An amount above the cost of the line is refunded: the refusal moves no money.'(world) {
    const id = await completed(world)
    await refuses(world, 'adjust', id, '--refund 1=13.37 --reason quality', 'amount_exceeds_paid')
    return WHOLE
  },
  async 'The last line is taken off: the refusal names reject, and moves no money.'(world) {
    const id = await paid(world)
    const said = await store(world, 'adjust', id, '--remove 1 --reason out_of_stock', 7)
    expect(said).toContain('reject')
    await performAction(world, id, ['accept', 'ready', 'complete'])
    return WHOLE
  },
  async 'A line is taken off an order that was completed: the refusal moves no money.'(world) {
    const id = await completed(world)
    await refuses(world, 'adjust', id, '--remove 1=1 --reason missing', 'adjustment_not_allowed')
    return WHOLE
  },
  async 'The agreed amount of an adjustment differs from its price: the refusal moves no money.'(world) {
    const order_id = await completed(world)
    const { problem: refusal } = await tool(world, 'adjust_business_order', {
      order_id,
      kind: 'refunded',
      lines: [{ line_id: 'line_1', quantity: 1 }],
      reason_code: 'missing',
      expected_amount: gbp(444),
    })
    expect(refusal).toBeDefined()
    return WHOLE
  },
  async 'The same adjustment is sent twice under one key: it gives back once.'(world) {
    const id = await completed(world)
    const line = `business orders adjust ${id} ${REFUND} --confirm ${id} --idempotency-key once`
    await runIn(world, [line, line])
    return TWO
  },
  async 'An order is refunded a month later: the refusal moves no money.'(world) {
    const id = await completed(world)
    await world.advance(31 * DAY)
    await refuses(world, 'adjust', id, REFUND, 'adjustment_not_allowed')
    return WHOLE
  },
  async 'The customer reports a missing dish, and the store accepts: the store bears it.'(world) {
    const id = await completed(world)
    await problem(world, id, '--line 1=1 --reason missing')
    await store(world, 'answer', id, '--accept full')
    return TWO
  },
  async 'The store accepts a part of a problem: the rest stays paid.'(world) {
    const id = await completed(world)
    await problem(world, id, '--line 1=2 --reason quality')
    await store(world, 'answer', id, '--accept part --line 1=1')
    return TWO
  },
  async 'The store declines a problem: nothing goes back.'(world) {
    const id = await completed(world)
    await problem(world, id, '--line 1=1 --reason missing')
    await store(world, 'answer', id, '--accept none --note "All three were packed"')
    return WHOLE
  },
  async 'The store leaves a problem unanswered for a day: the platform pays, and the store’s sales stay.'(
    world,
  ) {
    const order_id = await completed(world)
    await problem(world, order_id, '--line 1=1 --reason missing')
    await world.advance(DAY + HOUR)
    expect((await readBothViews(world, order_id)).order.refund).toMatchObject({ borne_by: 'platform' })
    return [1485, 1066]
  },
  async 'A delivery is late, and the store accepts: the delivery fee goes back, and the store’s sales stay.'(
    world,
  ) {
    const id = await completed(world, { type: 'delivery', scenario: 'courier_delay;seconds=1800' })
    await problem(world, id, '--reason late')
    await store(world, 'answer', id, '--accept full')
    return WHOLE
  },
  async 'A problem is reported three days later: the refusal moves no money.'(world) {
    const id = await completed(world)
    await world.advance(3 * DAY)
    expect(await problem(world, id, '--line 1=1 --reason missing', 7)).toContain('problem_window_over')
    return WHOLE
  },
  async 'A problem is about a dish that was refunded already: the refusal moves no money.'(world) {
    const id = await completed(world)
    await store(world, 'adjust', id, '--refund 1 --reason missing')
    expect(await problem(world, id, '--line 1=1 --reason missing', 7)).toContain('amount_exceeds_paid')
    return [0, 175]
  },
  async 'The store rejects a paid order: all of it goes back.'(world) {
    const order_id = await paid(world)
    await page(world, 'reject_business_order', { order_id, reason_code: 'too_busy' })
    return NONE
  },
  async 'The store rejects an order of which a part was taken off: the rest goes back, and no more.'(world) {
    const order_id = await paid(world)
    await store(world, 'adjust', order_id, '--remove 1=1 --reason out_of_stock')
    await page(world, 'reject_business_order', { order_id, reason_code: 'too_busy' })
    const { refunds, payment } = (await readBothViews(world, order_id)).order
    expect(refunds.map(({ amount }) => amount.amount)).toEqual([445, 1066])
    expect(payment.amount).toEqual(gbp(1511))
    return NONE
  },
  async 'The customer cancels before the kitchen begins: all of it goes back.'(world) {
    const order_id = await paid(world)
    const { problem: refusal } = await tool(world, 'cancel_food_order', { order_id }, 'member')
    expect(refusal).toBeUndefined()
    return NONE
  },
  async 'The customer cancels a table’s order that nobody paid: no sums have it.'(world) {
    const id = await paid(world, { type: 'dine_in', method: 'pay_at_table' })
    await runIn(world, `food cancel ${id} --confirm ${id} --as member`)
    expect((await statement(world)).orders).toBe(0)
    return NONE
  },
  async 'An order ends before its pending card has settled: no sums have it.'(world) {
    const id = await paid(world, { token: 'tok_pending' })
    await runIn(world, `food cancel ${id} --confirm ${id} --as member`)
    expect((await statement(world)).orders).toBe(0)
    return NONE
  },
  async 'Nobody is at the door at two attempts: nothing goes back, and the store keeps its sales.'(world) {
    const id = await paid(world, { type: 'delivery', scenario: 'undeliverable' })
    await performAction(world, id, ['accept', 'ready'])
    await world.advance(5 * HOUR)
    const shown = JSON.parse(await runIn(world, `food show ${id} --as member --json`)) as object
    expect(shown).toMatchObject({ status: 'failed', refunds: [] })
    return [1485, 1860]
  },
  async 'An order at the counter is unpaid at the end of the day: the day stays open, and the refusal names it.'(
    world,
  ) {
    const id = await paid(world, { method: 'cash' })
    await performAction(world, id, ['accept', 'ready'])
    expect(await runIn(world, 'business day close --through today --confirm 2026-11-20 --json', 7)).toContain(
      id,
    )
    expect((await world.ok('list_business_days')).data).toEqual([])
    return NONE
  },
  async 'A refund comes after the day was closed: the next day has it, and the closed one stays.'(world) {
    const id = await completed(world)
    await runIn(world, 'business day close --through 2026-11-20 --confirm 2026-11-20')
    const closed = await world.ok('get_business_day', { number: 1 })
    await store(world, 'adjust', id, REFUND)
    // The next evening, after the last opening hours.
    await world.advance(DAY + 14 * HOUR)
    await runIn(world, 'business day close --yes')
    expect(await world.ok('get_business_day', { number: 1 })).toEqual(closed)
    const { statement: next } = await world.ok('get_business_day', { number: 2 })
    expect(next).toMatchObject({ net_sales: gbp(-495), opening: closed.statement.closing })
    return TWO
  },
  async 'An item of which two are left is ordered three times: the refusal names two, and no stock moves.'(
    world,
  ) {
    const item = await counted(world, 2)
    expect(await order(world, item, 3, 7)).toContain('"available_quantity": 2')
    expect(await stockOf(world, item)).toBe(2)
    return NONE
  },
  async 'An order is rejected before the kitchen begins: its stock is there again.'(world) {
    const item = await counted(world, 2)
    const { order_id } = JSON.parse(await order(world, item, 2)) as { order_id: string }
    expect(await stockOf(world, item)).toBe(0)
    await page(world, 'reject_business_order', { order_id, reason_code: 'too_busy' })
    expect(await stockOf(world, item)).toBe(2)
    return NONE
  },
}

/** Makes an item with this stock; returns its name. */
async function counted(world: TestSandbox, stock: number): Promise<string> {
  await world.ok('create_catalog_item', { name: 'Laksa', category: 'Soups', price: gbp(1250), stock })
  return 'Laksa'
}

async function stockOf(world: TestSandbox, name: string): Promise<number | null | undefined> {
  return (await world.ok('list_catalog_items', { q: name })).data[0]?.stock
}

function order(world: TestSandbox, name: string, units: number, exit = 0): Promise<string> {
  const basket = `"${FORNO}" --item "${name} x${units}" --fulfillment pickup`
  return runIn(
    world,
    `food order ${basket} --yes --max-total 99 --as member --scenario store_manual --json`,
    exit,
  )
}

/** The statement of all time that a test plays. */
function statement(world: TestSandbox) {
  return world.ok('get_store_statement', { from: '2026-11-20T00:00:00.000Z', to: '2027-01-20T00:00:00.000Z' })
}

/** Checks all sums an hour later, and returns what is left. */
async function leftOf(world: TestSandbox): Promise<RemainingSales> {
  await world.advance(HOUR)
  const { net_sales, vat, held, discounts, borne_by_platform, payments, due, closing } =
    await statement(world)
  const kept = payments.reduce((sum, { captured, refunded }) => sum + captured.amount - refunded.amount, 0)
  const platform = held.fees.amount - discounts.platform.amount - borne_by_platform.amount
  expect(net_sales.amount + platform + held.tips.amount).toBe(kept)
  expect(vat.reduce((sum, { gross }) => sum + gross.amount, 0)).toBe(net_sales.amount)
  expect(due).toEqual(closing)
  expect(await checkInvariants(world.db)).toEqual([])
  await world.db.read((tx) =>
    assertIntegrity(tx, world.db.kind, PLANNED_EVENTS, (why) => new Error(why) as never),
  )
  return [net_sales.amount, kept]
}

test('each mishap of the list is played', () => {
  const listed = readFileSync(new URL('mishaps.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  expect(Object.keys(CASES).map((each) => each.replaceAll('’', "'"))).toEqual(listed)
})

describe('a mishap ends with right sums', () => {
  test.each(Object.entries(CASES))('%s', async (_, play) => {
    const world = await openTestSandbox({ at: Date.parse('2026-11-20T12:00:00.000Z') })
    const left = await play(world)
    expect(await leftOf(world)).toEqual(left)
  })
})
