import { describe, expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
import { performAction, readBothViews, placeTestOrder } from '../../support/order-life.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox } from '../../support/world.ts'

const UNKNOWN = 'ord_01m7vkystgfp1b10jk5dh9yvxy'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('a wallet shows what is left and where it went, newest first', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id, total } = await placeTestOrder(world, { method: 'wallet' })
    const wallet = await callTestControl(world, 'get_wallet', { account: 'member' })
    expect(wallet.balance).toEqual({ amount: 5000 - total.amount, currency: 'GBP' })
    expect(wallet.entries.map(({ kind, direction, amount }) => [kind, direction, amount.amount])).toEqual([
      ['capture', 'out', total.amount],
      ['opening', 'in', 5000],
    ])
    expect(wallet.entries[0]).toMatchObject({ resource_id: order_id, at: '2026-11-20T09:00:00.000Z' })
    const byId = await callTestControl(world, 'get_wallet', { account: wallet.account_id })
    expect(byId).toEqual(wallet)
  })

  test('a step of an order is the next thing of it or of its delivery', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id } = await placeTestOrder(world, { type: 'delivery', scenario: 'store_auto' })
    const events: string[] = []
    while ((await readBothViews(world, order_id)).order.status !== 'completed')
      events.push((await callTestControl(world, 'step_resource', { resource_id: order_id })).event)
    expect(events).toEqual([
      'accept',
      'preparing',
      'ready',
      'assigned',
      'arrived_at_pickup',
      'picked_up',
      'arrived_at_dropoff',
      'delivered',
    ])
    expect((await readBothViews(world, order_id)).order.completed_at).toBe('2026-11-20T09:00:00.000Z')
    await expect(callTestControl(world, 'step_resource', { resource_id: order_id })).rejects.toMatchObject({
      code: 'invalid_state',
    })
  })

  test('the status counts orders by their state', async () => {
    const world = await openTestSandbox({ engine })
    const { order_id } = await placeTestOrder(world)
    await placeTestOrder(world, { method: 'cash' })
    await performAction(world, order_id, ['accept'])
    expect((await callTestControl(world, 'get_status')).counts).toMatchObject({
      orders: 2,
      orders_by_status: { accepted: 1, placed: 1 },
    })
  })
})

describe('an unknown resource or a wrong status is refused', () => {
  test.each([
    ['settle_payment', { order_id: UNKNOWN }, 'order_not_found', 'dray food list'],
    ['open_check', { order_id: UNKNOWN }, 'order_not_found', 'dray food list'],
    ['settle_check', { check_id: 'chk_01m7vkystgfp1b10jk5dh9yvxy' }, 'order_not_found', 'dray food list'],
    ['get_wallet', { account: 'nobody' }, 'account_not_found', 'dray sandbox account list'],
    ['step_resource', { resource_id: UNKNOWN }, 'order_not_found', 'dray sandbox events'],
    [
      'step_resource',
      { resource_id: 'dlv_01m7vkystgfp1b10jk5dh9yvxy' },
      'delivery_not_found',
      'dray sandbox events',
    ],
    ['step_resource', { resource_id: 'ZC968043370GB' }, 'shipment_not_found', 'dray sandbox events'],
    [
      'scan_shipment',
      { tracking_number: 'ZC968043370GB', code: 'collected' },
      'shipment_not_found',
      'dray sandbox events',
    ],
    [
      'scan_shipment',
      { tracking_number: 'ZC968043370GB', code: 'collected', hub_id: 'X' },
      'hub_not_found',
      'dray carrier hubs',
    ],
  ] as const)('%s %j, with the command to run next', async (name, input, code, next) => {
    const world = await openTestSandbox()
    await expect(callTestControl(world, name, input)).rejects.toMatchObject({
      code,
      hint: expect.stringContaining(`\`${next}\``),
    })
  })

  test('a payment that is not pending cannot be settled', async () => {
    const world = await openTestSandbox()
    for (const wish of [{}, { method: 'cash' }, { method: 'wallet' }] as const) {
      const { order_id, display_number } = await placeTestOrder(world, wish)
      await expect(callTestControl(world, 'settle_payment', { order_id })).rejects.toMatchObject({
        code: 'invalid_state',
        hint: `\`dray food show ${display_number} --as member\` shows how the order is paid.`,
      })
    }
    const { order_id } = await placeTestOrder(world, { token: 'tok_pending' })
    await world.ok('cancel_food_order', { order_id }, { as: 'member' })
    await expect(callTestControl(world, 'settle_payment', { order_id })).rejects.toMatchObject({
      code: 'invalid_state',
    })
  })

  test('only guests at a table get a check, once, after they were accepted; a refusal says what to run', async () => {
    const world = await openTestSandbox()
    const open = async (order_id: string) => callTestControl(world, 'open_check', { order_id })
    const settle = async (check_id: string) => callTestControl(world, 'settle_check', { check_id })
    const refused = (next: string) => ({ code: 'invalid_state', hint: expect.stringContaining(`\`${next}`) })
    const pickup = await placeTestOrder(world)
    await performAction(world, pickup.order_id, ['accept'])
    await expect(open(pickup.order_id)).rejects.toMatchObject(refused('dray food order'))
    await expect(settle(pickup.order_id)).rejects.toMatchObject(
      refused(`dray food show ${pickup.display_number} --as member\``),
    )
    const { order_id, display_number } = await placeTestOrder(world, { type: 'dine_in' })
    await expect(open(order_id)).rejects.toMatchObject(
      refused(`dray business orders accept ${display_number} --as everything\``),
    )
    await expect(settle(order_id)).rejects.toMatchObject(
      refused(`dray business orders accept ${display_number} --as everything\``),
    )
    await performAction(world, order_id, ['accept'])
    await expect(settle(order_id)).rejects.toMatchObject(
      refused(`dray sandbox check open ${display_number}\``),
    )
    const { check } = await open(order_id)
    await expect(open(order_id)).rejects.toMatchObject(
      refused(`dray sandbox check settle ${display_number}\``),
    )
    await callTestControl(world, 'settle_check', { check_id: check?.check_id })
    await expect(open(order_id)).rejects.toMatchObject(
      refused(`dray business orders complete ${display_number} --as everything\``),
    )
    const { data } = await callTestControl(world, 'list_events', { limit: 1000 })
    const told = data.filter(({ resource_id }) => resource_id === check?.check_id)
    expect(told.map(({ type, from, to }) => [type, from, to])).toEqual([
      ['table_check.opened', null, 'open'],
      ['table_check.closed', 'open', 'closed'],
    ])
  })
})

test('an order goes by the number on its ticket, and the answer tells whose it is', async () => {
  const world = await openTestSandbox()
  const { order_id, display_number } = await placeTestOrder(world, { token: 'tok_pending' })
  const whose = { order_id, account: 'member', store_account: 'everything' }
  expect(
    await callTestControl(world, 'settle_payment', { order_id: `#${display_number.toLowerCase()}` }),
  ).toMatchObject(whose)
  expect(await callTestControl(world, 'step_resource', { resource_id: display_number })).toMatchObject({
    resource_id: order_id,
    account: 'member',
  })
  const table = await placeTestOrder(world, { type: 'dine_in' })
  await performAction(world, table.order_id, ['accept'])
  await callTestControl(world, 'open_check', { order_id: table.display_number })
  await callTestControl(world, 'settle_check', { check_id: table.display_number })
  await world.ok('complete_business_order', { order_id: table.order_id }, { as: 'everything' })
  await expect(
    callTestControl(world, 'open_check', { order_id: table.display_number }),
  ).rejects.toMatchObject({
    code: 'invalid_state',
  })
  await expect(callTestControl(world, 'open_check', { order_id: 'ZZZZ' })).rejects.toMatchObject({
    code: 'order_not_found',
  })
})
