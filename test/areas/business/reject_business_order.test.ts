import { describe, expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
import {
  performAction,
  readBothViews,
  placeTestOrder,
  refuseAction,
  type StoreAction,
} from '../../support/order-life.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('a customer hears why, and has the money in the wallet', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id, total, lines } = await placeTestOrder(world)
    const item_ids = lines.map(({ item_id }) => item_id)
    const input = { order_id, reason_code: 'cannot_fulfil_note', note: 'We have no nuts', item_ids }
    const rejected = await world.ok('reject_business_order', input)
    const rejection = {
      reason_code: 'cannot_fulfil_note',
      note: 'We have no nuts',
      at: '2026-11-20T09:00:00.000Z',
      item_ids,
    }
    expect(rejected).toMatchObject({
      status: 'rejected',
      rejection,
      payment: { status: 'refunded' },
      refund: { destination: 'platform_wallet', amount: total },
    })
    const { order } = await readBothViews(world, order_id)
    expect(order).toMatchObject({
      status: 'rejected',
      rejection,
      refund: rejected.refund,
      cancellable: false,
    })
    expect((await callTestControl(world, 'get_wallet', { account: 'member' })).balance.amount).toBe(
      5000 + total.amount,
    )
  })

  test('with mark_unavailable the items are off sale at once, for the menu and for quotes', async () => {
    const world = await openTestSandbox({ engine })
    const placed = await placeTestOrder(world)
    const [line] = placed.lines
    const { order_id, merchant } = placed
    const item_id = line?.item_id ?? ''
    await world.ok('reject_business_order', {
      order_id,
      reason_code: 'item_unavailable',
      item_ids: [item_id],
      mark_unavailable: true,
    })
    const menu = await world.ok('get_restaurant_menu', { merchant_id: merchant.merchant_id })
    const shown = menu.categories.flatMap(({ items }) => items).find((item) => item.item_id === item_id)
    expect(shown).toMatchObject({ available: false })
    expect(
      await world.refused('quote_food_order', {
        merchant_id: merchant.merchant_id,
        fulfillment_type: 'pickup',
        items: [{ item_id, quantity: 1 }],
      }),
    ).toMatchObject({ code: 'item_unavailable', item_ids: [item_id] })
  })
})

test.each([
  ['accepted', ['accept']],
  ['preparing', ['accept', 'preparing']],
  ['ready', ['accept', 'ready']],
] as const)('an order that is %s can still be rejected', async (_, actions: readonly StoreAction[]) => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world)
  await performAction(world, order_id, actions)
  expect(await performAction(world, order_id, ['reject'])).toMatchObject({
    status: 'rejected',
    rejection: { reason_code: 'other', note: null, item_ids: [] },
  })
})

test.each([
  ['completed', ['accept', 'complete']],
  ['rejected', ['reject']],
] as const)('one that is %s cannot', async (status, actions: readonly StoreAction[]) => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world)
  await performAction(world, order_id, actions)
  expect(await refuseAction(world, order_id, 'reject')).toMatchObject({
    code: 'invalid_state',
    current_status: status,
  })
})

test('items that were not ordered are rejected, and so is marking none', async () => {
  const world = await openTestSandbox()
  const { order_id, lines } = await placeTestOrder(world)
  const strange = 'itm_01m7vkystgf7vtyybg4s0p9p1s'
  const item_ids = [lines[0]?.item_id, strange]
  expect(await refuseAction(world, order_id, 'reject', { item_ids })).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/item_ids/1', code: 'not_in_menu' }],
  })
  expect(await refuseAction(world, order_id, 'reject', { mark_unavailable: true })).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/item_ids', code: 'required' }],
  })
  expect((await readBothViews(world, order_id)).order.status).toBe('placed')
})

test('a rejection that fails makes no item unavailable', async () => {
  const world = await openTestSandbox()
  const { order_id, lines } = await placeTestOrder(world)
  await performAction(world, order_id, ['accept', 'complete'])
  const item_ids = lines.map(({ item_id }) => item_id)
  await refuseAction(world, order_id, 'reject', { item_ids, mark_unavailable: true })
  const { data } = await world.ok('list_catalog_items', { available: true, limit: 100 })
  expect(data.map(({ item_id }) => item_id)).toEqual(expect.arrayContaining(item_ids))
})

test('a deleted item does not prevent a rejection', async () => {
  const world = await openTestSandbox()
  const { order_id, lines } = await placeTestOrder(world)
  const item_ids = lines.map(({ item_id }) => item_id)
  await world.ok('delete_catalog_item', { item_id: item_ids[0] })
  const input = { order_id, item_ids, mark_unavailable: true }
  expect(await world.ok('reject_business_order', input)).toMatchObject({ status: 'rejected' })
})
