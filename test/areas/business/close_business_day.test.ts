/** The close of business days over HTTP's gateway: documents in a chain, and every payment and refund in exactly one. */
import { describe, expect, test } from 'vitest'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { businessDateOf } from '../../../src/core/period.ts'
import { type AnsweredOrder, listDayProblems } from '../../support/check-days.ts'
import { callTestControl } from '../../support/control.ts'
import { findStore } from '../../support/food.ts'
import { performAction, attend, FORNO, placeTestOrder } from '../../support/order-life.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const DAY_MS = 86_400_000
const MANUAL = { scenario: 'store_manual' }
const DONE = ['accept', 'ready', 'complete'] as const

type Close = OperationOutput<'close_business_day'>

const close = (world: TestSandbox, input: Record<string, unknown> = {}): Promise<Close> =>
  world.ok('close_business_day', input)

/** Closes the present day, too, which has not ended. */
const closeNow = async (world: TestSandbox, input: Record<string, unknown> = {}): Promise<Close> =>
  close(world, { through: businessDateOf(await world.now(), 'Europe/London'), ...input })

const dates = ({ data }: Close): string[] => data.map(({ date }) => date)

/** Sells an order that is paid at once, and hands it over. */
async function sell(world: TestSandbox, token = 'tok_ok'): Promise<string> {
  const { order_id } = await placeTestOrder(world, { ...MANUAL, token })
  await performAction(world, order_id, DONE)
  return order_id
}

/** Returns the faults of all closed days, by the answers of the service alone. */
async function faults(world: TestSandbox): Promise<string[]> {
  const { data } = await world.ok('list_business_days', { limit: 100 })
  const texts = await Promise.all(
    data.toReversed().map(async ({ number }) => (await world.call('get_business_day', { number })).text),
  )
  const { data: orders } = await world.ok('list_business_orders', { limit: 100 })
  const whole = await Promise.all(
    orders.map(({ order_id }) => world.ok('get_business_order', { order_id }) as Promise<unknown>),
  )
  return listDayProblems(texts, whole as AnsweredOrder[])
}

describe.each(ENGINES)('on $name', (engine) => {
  test('days close in a chain without gaps, and each payment and refund counts once', async () => {
    const world = await openTestSandbox({ engine })
    await attend(world)
    await sell(world)
    const cash = await placeTestOrder(world, { ...MANUAL, method: 'cash' })
    const problem = await world.refused('close_business_day', { through: '2026-11-20' })
    expect(problem).toMatchObject({
      code: 'unpaid_orders_open',
      orders: [{ order_id: cash.order_id, display_number: cash.display_number }],
    })
    await performAction(world, cash.order_id, DONE)
    const later = await placeTestOrder(world, { ...MANUAL, token: 'tok_store' })
    await world.advance(60_000)
    const first = await closeNow(world, { counted_cash: { amount: cash.total.amount - 5, currency: 'GBP' } })
    expect(dates(first)).toEqual(['2026-11-20'])
    expect(first.data[0]?.cash).toEqual({
      expected: cash.total,
      counted: { amount: cash.total.amount - 5, currency: 'GBP' },
      difference: { amount: -5, currency: 'GBP' },
    })
    // The same instant, the same evening and two days later: none of them changes the first document.
    const { merchant_id } = await findStore(world, FORNO)
    await callTestControl(world, 'pay_out', { merchant_id, amount: { amount: 100, currency: 'GBP' } })
    await world.advance(60_000)
    await performAction(world, later.order_id, ['reject'])
    await sell(world)
    await world.advance(2 * DAY_MS)
    await sell(world)
    const more = await close(world, { through: '2026-11-21' })
    expect(dates(more)).toEqual(['2026-11-21'])
    expect(more.data[0]?.statement.payouts.amount).toBe(100)
    await world.advance(60_000)
    expect(dates(await closeNow(world))).toEqual(['2026-11-22'])
    expect(await faults(world)).toEqual([])
    expect(await world.refused('close_business_day')).toMatchObject({ code: 'invalid_state' })
  })

  test('what is paid around the time of a close counts in this day or the next, and once', async () => {
    const world = await openTestSandbox({ engine })
    await attend(world)
    await sell(world)
    const late: { order_id: string }[] = []
    for (const hour of [12, 13, 14, 15])
      late.push(
        await placeTestOrder(world, { ...MANUAL, token: 'tok_pending', at: `2026-11-21T${hour}:00:00.000Z` }),
      )
    const pay = async ({ order_id }: { order_id: string }) =>
      callTestControl(world, 'settle_payment', { order_id })
    const lost = await placeTestOrder(world, { ...MANUAL, token: 'tok_store' })
    const answers = await Promise.all([
      ...late.slice(0, 2).map(pay),
      closeNow(world),
      performAction(world, lost.order_id, ['reject']),
      ...late.slice(2).map(pay),
      placeTestOrder(world, MANUAL),
    ])
    expect(answers).toHaveLength(7)
    await world.advance(DAY_MS)
    await closeNow(world)
    const { data } = await world.ok('list_business_days')
    const sum = (of: (day: (typeof data)[number]) => number) =>
      data.reduce((total, day) => total + of(day), 0)
    expect(sum(({ statement }) => statement.orders)).toBe(7)
    expect(data.map(({ statement }) => statement.due)).toEqual(data.map(({ statement }) => statement.closing))
    const whole = await world.ok('get_store_statement', { from: '2026-11-20', to: '2026-11-23' })
    expect(sum(({ statement }) => statement.net_sales.amount)).toBe(whole.net_sales.amount)
    expect(data[0]?.statement.closing).toEqual(whole.closing)
  })
})

test('a day goes from 05:00 to 05:00 at the store, also where the clocks change, and older days are closed first', async () => {
  const world = await openTestSandbox({ at: Date.parse('2026-10-23T12:00:00.000Z') })
  await attend(world)
  const { order_id } = await placeTestOrder(world, { ...MANUAL, at: '2026-10-24T12:00:00.000Z' })
  await world.advanceTo('2026-10-24T03:59:00.000Z')
  await performAction(world, order_id, ['reject'])
  await world.advanceTo('2026-10-25T12:00:00.000Z')
  const { data } = await closeNow(world)
  // 04:59 in summer time is still the day before; the night of the change has one hour more.
  expect(
    data.map(({ date, from, to, statement }) => [date, from, to, statement.refunded_goods.length]),
  ).toEqual([
    ['2026-10-23', '2026-10-23T04:00:00.000Z', '2026-10-24T04:00:00.000Z', 1],
    ['2026-10-24', '2026-10-24T04:00:00.000Z', '2026-10-25T05:00:00.000Z', 0],
    ['2026-10-25', '2026-10-25T05:00:00.000Z', '2026-10-26T05:00:00.000Z', 0],
  ])
})

test('a call closes 31 days at most, the earliest first, and tells how many are left', async () => {
  const world = await openTestSandbox()
  await sell(world)
  await world.advance(40 * DAY_MS)
  const first = await close(world)
  expect([first.data.length, first.open_days, dates(first)[0]]).toEqual([31, 9, '2026-11-20'])
  const rest = await close(world)
  // The present day has not ended.
  expect([rest.data.length, rest.open_days, dates(rest).at(-1)]).toEqual([9, 0, '2026-12-29'])
  expect(await faults(world)).toEqual([])
})

test('a wrong day or a wrong count is rejected by name, and closes nothing', async () => {
  const world = await openTestSandbox()
  await sell(world)
  await world.advance(DAY_MS)
  const counted_cash = { amount: 100, currency: 'GBP' }
  const refusals: [Record<string, unknown>, string, string][] = [
    [{ through: '2026-11-22' }, 'invalid_request', '/through'],
    [{ through: '2026-11-19' }, 'invalid_request', '/through'],
    [{ through: '2026-11-21', counted_cash }, 'invalid_request', '/counted_cash'],
    [
      { through: '2026-11-20', counted_cash: { ...counted_cash, currency: 'EUR' } },
      'currency_mismatch',
      '/counted_cash/currency',
    ],
  ]
  for (const [input, code, pointer] of refusals)
    expect(await world.refused('close_business_day', input)).toMatchObject({ code, errors: [{ pointer }] })
  expect((await world.ok('list_business_days')).data).toEqual([])
  expect((await close(world, { through: '2026-11-20', counted_cash })).data[0]?.cash.difference).toEqual(
    counted_cash,
  )
})

test('an unpaid order for another day does not delay the close, and is listed in it as unpaid', async () => {
  const world = await openTestSandbox()
  await attend(world)
  const { order_id } = await placeTestOrder(world, {
    ...MANUAL,
    method: 'cash',
    at: '2026-11-21T12:00:00.000Z',
  })
  const { data } = await closeNow(world)
  expect(data[0]?.statement.unpaid.map((each) => each.order_id)).toEqual([order_id])
})

describe.each(ENGINES)('on $name, a close that names no day', (engine) => {
  test('takes the days that have ended: the morning after it leaves the present day open', async () => {
    // A Sunday, and the Monday after it at 11:00.
    const world = await openTestSandbox({ engine, at: Date.parse('2026-11-29T12:00:00.000Z') })
    await attend(world)
    await sell(world)
    expect(await world.refused('close_business_day')).toMatchObject({
      code: 'invalid_state',
      detail: 'The business day 2026-11-29 has not ended: it runs until 05:00 on 2026-11-30 at the store.',
      hint: expect.stringContaining('dray business day close --through 2026-11-29'),
      business_day: '2026-11-29',
      day_ends_at: '2026-11-30T05:00:00.000Z',
    })
    await world.advanceTo('2026-11-30T11:00:00.000Z')
    await sell(world)
    const shown = await close(world, { preview: true })
    expect([dates(shown), shown.not_ended]).toEqual([['2026-11-29'], 0])
    expect((await world.ok('list_business_days')).data).toEqual([])
    expect(await close(world)).toEqual(shown)
    await sell(world)
    expect(await world.refused('close_business_day')).toMatchObject({ business_day: '2026-11-30' })
    await world.advanceTo('2026-12-01T05:00:00.000Z')
    const next = await close(world)
    expect(next.data.map(({ date, statement }) => [date, statement.orders])).toEqual([['2026-11-30', 2]])
    expect(await faults(world)).toEqual([])
  })

  test('takes the present day after its last opening hours, unless an order for it is open', async () => {
    const world = await openTestSandbox({ engine })
    await attend(world)
    await sell(world)
    // Forno closes at 22:30.
    await world.advanceTo('2026-11-20T22:20:00.000Z')
    const { order_id } = await placeTestOrder(world, MANUAL)
    await world.ok('accept_business_order', { order_id })
    await placeTestOrder(world, { ...MANUAL, at: '2026-11-21T12:00:00.000Z' })
    await world.advanceTo('2026-11-20T22:29:59.000Z')
    expect(await world.refused('close_business_day')).toMatchObject({ code: 'invalid_state' })
    await world.advanceTo('2026-11-20T22:31:00.000Z')
    expect(await world.refused('close_business_day')).toMatchObject({ business_day: '2026-11-20' })
    await performAction(world, order_id, ['ready', 'complete'])
    const made = await close(world)
    expect([dates(made), made.not_ended, made.open_days]).toEqual([['2026-11-20'], 0, 0])
  })
})

test('a day on which the store never opens ends with the next one', async () => {
  const world = await openTestSandbox()
  await sell(world)
  await world.ok('set_store_hours', { dates: [{ date: '2026-11-21', spans: [] }] })
  await world.advanceTo('2026-11-21T23:30:00.000Z')
  expect(dates(await close(world))).toEqual(['2026-11-20'])
  expect(await world.refused('close_business_day')).toMatchObject({ business_day: '2026-11-21' })
})

test('a day that has not ended is closed when it is named, with all open days before it', async () => {
  const world = await openTestSandbox()
  await sell(world)
  await world.advance(DAY_MS)
  const shown = await close(world, { through: '2026-11-21', preview: true })
  expect([dates(shown), shown.not_ended]).toEqual([['2026-11-20', '2026-11-21'], 1])
  // Each entry is in one of both documents of a preview, too.
  expect(shown.data.map(({ statement }) => statement.orders)).toEqual([1, 0])
  const made = await close(world, { through: '2026-11-21' })
  expect(made).toEqual(shown)
})
