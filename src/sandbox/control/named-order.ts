import * as Type from 'typebox'
import { orderStatus, tableCheck } from '../../areas/orders/schema.ts'
import { findOrder, findOrderByCheck, lockOrder, type OrderRecord } from '../../areas/orders/store/orders.ts'
import { payment } from '../../areas/payments/schema.ts'
import { loadPayment } from '../../areas/payments/store.ts'
import { showPayment } from '../../areas/payments/views.ts'
import type { Tx } from '../../core/db.ts'
import { AppError } from '../../core/errors.ts'
import { closed, nullable } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import type { World } from '../../core/world.ts'
import { drainDue } from '../drain.ts'

/** The order of an id or of its check's id, for a change, after what was due for it. Throws `order_not_found`. */
export async function holdOrder(tx: Tx, world: World, now: number, id: string): Promise<OrderRecord> {
  const named = (await findOrder(tx, id)) ?? (await findOrderByCheck(tx, id))
  if (named === undefined)
    throw new AppError('order_not_found', `There is no order ${id.slice(0, 40)}.`, {
      hint: '`dray food list` shows your orders with their ids, `dray sandbox events` those of everybody.',
    })
  await drainDue(tx, world, now, { resource: named.order_id })
  const order = await lockOrder(tx, named.order_id)
  if (order === undefined) throw new Error(`${named.order_id} is gone`)
  return order
}

export const orderId = Type.String({ minLength: 1, maxLength: 60, description: 'the order' })

/** The answer of the calls that move money or checks. */
export const orderMoney = closed({
  order_id: Type.String({ label: 'Id' }),
  display_number: Type.String({ label: 'Order' }),
  status: orderStatus,
  payment,
  check: nullable(tableCheck),
})

export const orderMoneyColumns = [
  'display_number',
  'order_id',
  'status',
  'payment.method',
  'payment.status',
  'payment.amount',
  'check.status',
  'check.balance',
]

export async function showOrderMoney(
  tx: Tx,
  { order_id, display_number, status, doc }: OrderRecord,
): Promise<Type.Static<typeof orderMoney>> {
  const paid = await loadPayment(tx, order_id)
  const { check } = doc
  return {
    order_id,
    display_number,
    status,
    payment: showPayment(paid),
    check: check && {
      ...check,
      opened_at: toTimestamp(check.opened_at),
      closed_at: check.closed_at === null ? null : toTimestamp(check.closed_at),
    },
  }
}
