/** A month of drawn days, some closed early, with sales, refunds and payouts after that: documents and statement still add up. */
import { describe, expect, test } from 'vitest'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { addDays } from '../../../src/core/time.ts'
import { adjustTestOrder, completed } from '../../support/adjusting.ts'
import { callTestControl } from '../../support/control.ts'
import { findStore } from '../../support/food.ts'
import { FORNO } from '../../support/order-life.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

type Day = OperationOutput<'get_business_day'>
type Statement = OperationOutput<'get_store_statement'>
type Sums = readonly [
  orders: number,
  net: number,
  vat: number,
  captured: number,
  refunded: number,
  payouts: number,
]

const total = (amounts: readonly { amount: number }[]): number =>
  amounts.reduce((sum, { amount }) => sum + amount, 0)

function sumsOf({ orders, net_sales, vat, payments, payouts }: Day['statement']): Sums {
  return [
    orders,
    net_sales.amount,
    total(vat.map((each) => each.vat)),
    total(payments.map(({ captured }) => captured)),
    total(payments.map(({ refunded }) => refunded)),
    payouts.amount,
  ]
}

function sumsOfLate({
  entries,
  net_sales,
  vat,
  captured,
  refunded,
  payouts,
}: Statement['counted_later']): Sums {
  const of = (kind: string) => total(entries.flatMap((each) => (each.kind === kind ? each.amount : [])))
  expect([of('capture'), of('refund')]).toEqual([captured.amount, refunded.amount])
  const orders = entries.filter(({ kind }) => kind === 'capture').length
  return [orders, net_sales.amount, vat.amount, captured.amount, refunded.amount, payouts.amount]
}

const add = (all: readonly Sums[]): number[] =>
  all.reduce<number[]>((sums, each) => sums.map((sum, at) => sum + (each[at] ?? 0)), [0, 0, 0, 0, 0, 0])
const negate = (sums: Sums): Sums => sums.map((sum) => -sum) as unknown as Sums

/** Each number follows from the one before: the same days in every run. */
function makeIndexSampler(seed: number): (count: number) => number {
  let state = seed
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
}

const statement = (world: TestSandbox, from: string, to: string): Promise<Statement> =>
  world.ok('get_store_statement', { from, to })

/** Plays a day: a sale, perhaps an early close, then perhaps a sale, a refund of an earlier order, and a payout. */
async function playDay(world: TestSandbox, date: string, draw: (count: number) => number, paid: string[]) {
  const { merchant_id } = await findStore(world, FORNO)
  await world.advanceTo(`${date}T12:00:00.000Z`)
  paid.push(await completed(world))
  const fate = draw(4)
  if (fate < 2) await world.ok('close_business_day', { through: date })
  await world.advanceTo(`${date}T20:00:00.000Z`)
  if (draw(2) === 0) paid.push(await completed(world))
  const earlier = paid[draw(paid.length)]
  if (draw(2) === 0 && earlier !== undefined)
    await adjustTestOrder(world, earlier, {
      kind: 'refunded',
      lines: [{ line_id: 'line_1', amount: { amount: 1 + draw(60), currency: 'GBP' } }],
    })
  if (draw(2) === 0)
    await callTestControl(world, 'pay_out', {
      merchant_id,
      amount: { amount: 1 + draw(99), currency: 'GBP' },
    })
  await world.advanceTo(`${addDays(date, 1)}T06:00:00.000Z`)
  // Some days wait for the close of a later one.
  if (fate === 2) await world.ok('close_business_day', { through: date })
}

describe.each(ENGINES)('on $name', (engine) => {
  test('the documents of any days add up to their statement, but for the entries that both name', async () => {
    const dates = Array.from({ length: engine.name === 'SQLite' ? 9 : 4 }, (_, at) =>
      addDays('2026-11-26', at),
    )
    const world = await openTestSandbox({ engine, at: Date.parse('2026-11-26T09:00:00.000Z') })
    const draw = makeIndexSampler(8)
    const paid: string[] = []
    let waiting = 0
    for (const date of dates) {
      await playDay(world, date, draw, paid)
      waiting += (await statement(world, date, addDays(date, 1))).counted_later.entries.length
    }
    expect(waiting).toBeGreaterThan(0)
    const last = dates.at(-1) ?? ''
    await world.ok('close_business_day', { through: addDays(last, 1) })

    const { data } = await world.ok('list_business_days', { limit: 100 })
    const days = data.toReversed()
    expect(days.map(({ date }) => date)).toEqual([...dates, addDays(last, 1)])
    let named = 0
    for (const [at, first] of days.entries())
      for (const [until, end] of days.entries()) {
        if (until < at) continue
        const month = await statement(world, first.date, addDays(end.date, 1))
        const { counted_later, from_earlier } = month
        expect(add(days.slice(at, until + 1).map((day) => sumsOf(day.statement)))).toEqual(
          add([sumsOf(month), negate(sumsOfLate(counted_later)), sumsOfLate(from_earlier)]),
        )
        expect(from_earlier).toEqual(first.late)
        named += counted_later.entries.length
      }
    expect(named).toBeGreaterThan(1)
  })
})

test('a statement by times of day names no entry that its day’s document has', async () => {
  const world = await openTestSandbox({ at: Date.parse('2026-11-26T12:00:00.000Z') })
  await completed(world)
  await world.advanceTo('2026-11-27T06:00:00.000Z')
  await world.ok('close_business_day', {})
  const { counted_later, from_earlier } = await statement(
    world,
    '2026-11-26T10:00:00Z',
    '2026-11-26T13:00:00Z',
  )
  expect([counted_later.entries, from_earlier.entries]).toEqual([[], []])
})

test('a day without an early close names nothing', async () => {
  const world = await openTestSandbox({ at: Date.parse('2026-11-26T12:00:00.000Z') })
  const order = await completed(world)
  await world.advanceTo('2026-11-28T12:00:00.000Z')
  await adjustTestOrder(world, order, { kind: 'refunded', lines: [{ line_id: 'line_1', quantity: 1 }] })
  const { data } = await world.ok('close_business_day', { through: '2026-11-28' })
  expect(data.map(({ late }) => late?.entries.length)).toEqual([0, 0, 0])
  const whole = await statement(world, '2026-11-26', '2026-11-29')
  expect([whole.counted_later.entries, whole.from_earlier.entries]).toEqual([[], []])
})
