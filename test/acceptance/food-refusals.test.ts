/** Errors that keep people from buying what they did not want or cannot get. */
import { expect } from 'vitest'
import {
  performStoreAction,
  AT_THE_TABLE,
  BREAD,
  buyFood,
  confirmFoodQuote,
  readMatchingViews,
  orders,
  quoteFoodBasket,
  refuseFoodQuote,
  TO_COLLECT,
} from '../support/food-story.ts'
import { acceptanceTest } from '../support/story.ts'

acceptanceTest('a table is one party’s at one time, and free again when they call off', async (told) => {
  const [first, second] = [
    await quoteFoodBasket(told, `${AT_THE_TABLE} --for 13:00`),
    await quoteFoodBasket(told, `${AT_THE_TABLE} --for 13:00`),
  ]
  expect(first.slot).toEqual({ starts_at: '2026-11-20T13:00:00.000Z', ends_at: '2026-11-20T13:15:00.000Z' })
  const { order_id } = await confirmFoodQuote(told, first)
  const refusal = await refuseFoodQuote(told, second, 7)
  expect(refusal).toMatchObject({ code: 'slot_unavailable', alternatives: expect.any(Array) })
  await told.dray(`food quote ${AT_THE_TABLE} --for 13:00 --json`, { exit: 7 })
  await told.dray(`food cancel ${order_id} --confirm ${order_id} --json`)
  await confirmFoodQuote(told, second)
  expect(await orders(told)).toEqual(['placed', 'cancelled'])
})

acceptanceTest(
  'members pay a tenth less; who lapsed cannot order, and still sees and cancels',
  async (told) => {
    const before = await quoteFoodBasket(told, TO_COLLECT)
    expect(before.discounts).toMatchObject([
      { type: 'member', amount: { amount: Math.round(before.subtotal.amount / 10) } },
    ])
    expect(before.total.amount).toBe(
      before.subtotal.amount + before.fees_total.amount - before.discount_total.amount,
    )
    const order = await buyFood(told, TO_COLLECT)
    await told.control('set_membership', { account: 'everything', status: 'expired' })
    const after = await quoteFoodBasket(told, TO_COLLECT)
    expect(after).toMatchObject({
      discounts: [],
      total: { amount: after.subtotal.amount + after.fees_total.amount },
    })
    expect(await refuseFoodQuote(told, before, 6)).toMatchObject({
      code: 'membership_required',
      required_entitlement: 'service_one',
    })
    expect(await readMatchingViews(told, order)).toMatchObject({ status: 'placed' })
    expect((await told.dray(`food track ${order.order_id} --json`, { exit: 8 })).stdout).toContain('placed')
    await told.dray(`food cancel ${order.order_id} --confirm ${order.order_id} --json`)
    expect(await readMatchingViews(told, order)).toMatchObject({
      status: 'cancelled',
      payment: { status: 'refunded' },
    })
    expect(await orders(told)).toEqual(['cancelled'])
  },
)

acceptanceTest(
  'an item that became unavailable after its quote is not sold until it is available again',
  async (told) => {
    const quoted = await quoteFoodBasket(told, TO_COLLECT)
    const [line] = quoted.lines
    const availability = (value: string) => `business catalog available ${line?.item_id} ${value} --json`
    await told.dray(availability('false'))
    expect(await refuseFoodQuote(told, quoted, 7)).toMatchObject({
      code: 'item_unavailable',
      item_ids: [line?.item_id],
    })
    expect(await orders(told)).toEqual([])
    await told.dray(`food quote ${TO_COLLECT} --json`, { exit: 7 })
    await told.dray(availability('true'))
    const order = await confirmFoodQuote(told, quoted)
    // When an item runs out, the customer is told and it is not sold again.
    const { order_id: id } = order
    await told.dray(
      `business orders reject ${id} --reason item_unavailable --item ${line?.item_id} --mark-unavailable --confirm ${id} --json`,
    )
    expect((await readMatchingViews(told, order)).rejection).toMatchObject({
      reason_code: 'item_unavailable',
      item_ids: [line?.item_id],
    })
    await told.dray(`food quote ${TO_COLLECT} --json`, { exit: 7 })
  },
)

acceptanceTest('a price holds whatever the store changes, and only that price is paid', async (told) => {
  const quoted = await quoteFoodBasket(told, TO_COLLECT)
  const [line] = quoted.lines
  const itemId = String(line?.item_id)
  await told.dray(`business catalog update ${itemId} --price 9.99 --json --confirm ${itemId}`)
  const dearer = await quoteFoodBasket(told, TO_COLLECT)
  expect(dearer.subtotal.amount).toBe(1998)
  // A script that has seen the old price does not pay the new one.
  const seen = (quoted.total.amount / 100).toFixed(2)
  expect(await refuseFoodQuote(told, dearer, 7, `--expected-total ${seen}`)).toMatchObject({ exit_code: 7 })
  expect(await refuseFoodQuote(told, dearer, 7, '--max-total 15.00')).toMatchObject({ exit_code: 7 })
  expect(await orders(told)).toEqual([])
  const order = await confirmFoodQuote(told, quoted, `--expected-total ${seen}`)
  expect(order.total).toEqual(quoted.total)
  expect(order.lines).toMatchObject(quoted.lines)
  await performStoreAction(told, 'accept', order)
  expect(await readMatchingViews(told, order)).toMatchObject({ total: quoted.total })
})

acceptanceTest('above a limit nothing is bought', async (told) => {
  const line = `food order ${BREAD} --fulfillment pickup --pay card --payment-token tok_ok --yes`
  await told.dray(`${line} --max-total 5 --json`, { exit: 7 })
  expect(await orders(told)).toEqual([])
  await told.dray(`${line} --max-total 50 --json`)
  expect(await orders(told)).toEqual(['placed'])
})

acceptanceTest('a quote is bought once, and never after it expired', async (told) => {
  const [quoted, late] = [await quoteFoodBasket(told, TO_COLLECT), await quoteFoodBasket(told, TO_COLLECT)]
  const { order_id } = await confirmFoodQuote(told, quoted)
  const again = await refuseFoodQuote(told, quoted, 7, '--new')
  expect(again).toMatchObject({ code: 'quote_already_used', order_id })
  await told.advance('14m59s999ms')
  // The account did not use the store, so its staff accepted in the meantime.
  expect(await orders(told)).toEqual(['preparing'])
  await told.advance('1ms')
  expect(await refuseFoodQuote(told, late, 7)).toMatchObject({
    code: 'quote_expired',
    quote_operation: 'quote_food_order',
  })
  expect(await orders(told)).toEqual(['preparing'])
})
