/** Several orders of one table: each has a bill of its own, told by its number, so that nobody pays for another's twice. */
import { expect, test } from 'vitest'
import { statementOf } from '../../../support/adjusting.ts'
import { callTestControl } from '../../../support/control.ts'
import { performAction, placeTestOrder } from '../../../support/order-life.ts'
import { openTestSandbox } from '../../../support/world.ts'

test('two orders of one table are paid apart, each once and by its number', async () => {
  const world = await openTestSandbox()
  const wish = { type: 'dine_in', method: 'pay_at_table', table: '4', scenario: 'store_manual' } as const
  const [first, second] = [await placeTestOrder(world, wish), await placeTestOrder(world, wish)]
  for (const { order_id } of [first, second]) await performAction(world, order_id, ['accept', 'ready'])

  const { data } = await world.ok('list_business_orders', { active: true })
  const bills = data.map(({ display_number, total, table }) => ({
    display_number,
    total,
    of: table?.table_number,
    bill: table?.check?.check_id,
    balance: table?.check?.balance,
  }))
  expect(new Set(bills.map(({ bill }) => bill)).size).toBe(2)
  for (const { total, of, balance } of bills) expect({ of, balance }).toEqual({ of: '4', balance: total })

  await callTestControl(world, 'settle_check', { check_id: first.order_id })
  expect((await statementOf(world)).unpaid).toEqual([
    {
      order_id: second.order_id,
      display_number: second.display_number,
      method: 'pay_at_table',
      amount: second.total,
    },
  ])
  expect(await world.ok('get_business_order', { order_id: second.order_id })).toMatchObject({
    payment: { status: 'unpaid' },
    table: { check: { status: 'open', balance: second.total } },
  })
  await expect(callTestControl(world, 'settle_check', { check_id: first.order_id })).rejects.toMatchObject({
    code: 'invalid_state',
    message: `Order ${first.display_number} has no open table bill.`,
  })
  await callTestControl(world, 'settle_check', { check_id: second.order_id })
  const { unpaid, payments } = await statementOf(world)
  expect(unpaid).toEqual([])
  expect(payments).toEqual([
    {
      method: 'pay_at_table',
      collected_by: 'store',
      captured: { amount: first.total.amount + second.total.amount, currency: 'GBP' },
      refunded: { amount: 0, currency: 'GBP' },
    },
  ])
})
