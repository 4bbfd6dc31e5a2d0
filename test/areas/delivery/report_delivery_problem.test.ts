/** A run that came late, or whose goods broke: its record decides what goes back. */
import { describe, expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
import {
  advanceToDeliveryStatus,
  type DeliveryOptions,
  fetchDelivery,
  PARCEL_OF_KEYS,
  sendRun,
} from '../../support/deliveries.ts'
import { newKey } from '../../support/food.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { gbp } from '../../support/money.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
const report = (world: TestSandbox, delivery_id: string, reason_code: string) =>
  world.ok('report_delivery_problem', { delivery_id, reason_code }, { as: 'member', key: newKey() })
const refuse = (world: TestSandbox, delivery_id: string, reason_code: string) =>
  world.refused('report_delivery_problem', { delivery_id, reason_code }, { as: 'member', key: newKey() })
const bring = async (world: TestSandbox, scenario: string, run: DeliveryOptions = {}, end = 'delivered') => {
  const { delivery_id } = await sendRun(world, { scenario, ...run })
  return advanceToDeliveryStatus(world, delivery_id, end)
}
const worth = (amount: number): DeliveryOptions => ({
  quote: { parcel: { ...PARCEL_OF_KEYS, value: gbp(amount) } },
})
const entries = async (world: TestSandbox) => {
  const { entries: all } = await callTestControl(world, 'get_wallet', { account: 'member' })
  return all.map(({ kind, amount }) => [kind, amount.amount])
}

describe.each(ENGINES)('on $name', (engine) => {
  test('more than 15 minutes after the promise give the price back, 15 nothing', async () => {
    const world = await openTestSandbox({ engine })
    const late = await bring(world, 'courier_late;minutes=16')
    expect(Date.parse(late.delivered_at ?? '') - Date.parse(late.promised_delivery_at ?? '')).toBe(
      16 * MINUTE,
    )
    expect(await report(world, late.delivery_id, 'late')).toMatchObject({
      problems: [{ reason_code: 'late', amount: late.price, goodwill: null }],
      refunded: late.price,
      refund: { destination: 'original_method' },
      payment: { status: 'refunded' },
    })
    const just = await bring(world, 'courier_late;minutes=15')
    expect(await refuse(world, just.delivery_id, 'late')).toMatchObject({
      code: 'adjustment_not_allowed',
      promised_at: just.promised_delivery_at,
      came_at: just.delivered_at,
    })
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('damaged goods give their value, what is more than was paid in the wallet', async () => {
    const world = await openTestSandbox({ engine })
    const { delivery_id, price } = await bring(world, 'goods_damaged', worth(4000))
    expect(await report(world, delivery_id, 'damaged')).toMatchObject({
      problems: [{ reason_code: 'damaged', amount: gbp(4000), goodwill: gbp(4000 - price.amount) }],
      refunded: price,
    })
    expect((await entries(world))[0]).toEqual(['goodwill', 4000 - price.amount])
    expect(await refuse(world, delivery_id, 'damaged')).toMatchObject({ code: 'adjustment_not_allowed' })
    expect(await checkInvariants(world.db)).toEqual([])
  })
})

test('goods give £250.00 at most, and the price where they have no value', async () => {
  const world = await openTestSandbox()
  const dear = await bring(world, 'goods_damaged', worth(90_000))
  expect((await report(world, dear.delivery_id, 'damaged')).problems[0]?.amount).toEqual(gbp(25_000))
  const plain = await bring(world, 'goods_damaged')
  expect(await report(world, plain.delivery_id, 'damaged')).toMatchObject({
    problems: [{ amount: plain.price, goodwill: null }],
    refunded: plain.price,
  })
})

test('damage at the door, its price refunded already, adds what its value is more', async () => {
  const world = await openTestSandbox()
  const { delivery_id, price, refunded } = await bring(
    world,
    'undeliverable;reason=damaged',
    worth(4000),
    'returned',
  )
  expect(refunded).toEqual(price)
  expect(await report(world, delivery_id, 'damaged')).toMatchObject({
    problems: [{ amount: gbp(4000 - price.amount) }],
    refunded: price,
  })
  const plain = await bring(world, 'undeliverable;reason=damaged', {}, 'returned')
  expect(await refuse(world, plain.delivery_id, 'damaged')).toMatchObject({ code: 'adjustment_not_allowed' })
})

test('an unpaid price is not refunded, the value of broken goods is', async () => {
  const world = await openTestSandbox()
  const unpaid = { request: { payment: { method: 'cash' } } }
  const refused = 'undeliverable;reason=damaged'
  const plain = await bring(world, refused, unpaid, 'returned')
  expect(plain.payment?.status).toBe('failed')
  expect((await refuse(world, plain.delivery_id, 'damaged')).detail).toBe(
    `Nothing is paid for delivery ${plain.delivery_id}.`,
  )
  const dear = await bring(world, refused, { ...unpaid, ...worth(4000) }, 'returned')
  expect(await report(world, dear.delivery_id, 'damaged')).toMatchObject({
    problems: [{ amount: gbp(4000), goodwill: gbp(4000), refund_id: null }],
    refunds: [],
  })
  expect(await checkInvariants(world.db)).toEqual([])
})

test('it is reported within 48 hours, and about a run of one’s own', async () => {
  const world = await openTestSandbox()
  const { delivery_id, delivered_at } = await bring(world, 'courier_late;minutes=30')
  await world.advanceTo(Date.parse(delivered_at ?? '') + 48 * HOUR + 1)
  expect(await refuse(world, delivery_id, 'late')).toMatchObject({ code: 'problem_window_over' })
  const under = await sendRun(world)
  expect(await refuse(world, under.delivery_id, 'late')).toMatchObject({ code: 'adjustment_not_allowed' })
  expect((await fetchDelivery(world, under.delivery_id)).problems).toEqual([])
})
