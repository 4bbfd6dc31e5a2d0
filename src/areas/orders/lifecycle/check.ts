/**
 * The check of a table (docs/rules/food-and-stores.md#a-table-pays-before-it-is-complete): opened when guests will pay
 * there, or by staff; closed when it is paid.
 */
import { AppError } from '../../../core/errors.ts'
import { sandboxId } from '../../../core/ids.ts'
import { appendEvents } from '../../../db/events.ts'
import { clampToLastUpdate, type ChangeContext } from '../../../db/lifecycle.ts'
import { settleUnpaidPayment } from '../../payments/lifecycle/payment.ts'
import { loadPayment } from '../../payments/queries/ledger.ts'
import type { Payment } from '../../payments/rules/payment.ts'
import { type OrderActor, type OrderRecord, updateOrder } from '../queries/orders.ts'
import { partsLeft } from '../rules/shares.ts'
import { splitTableBill, type TableShare } from '../rules/table-shares.ts'
import { isOrderOver, type OrderStatus } from '../states.ts'
import { enterCapture } from './books.ts'

/** Staff open a check for a table. Throws `invalid_state` unless guests sit there without one. */
export async function openTableCheck(given: ChangeContext, order: OrderRecord): Promise<void> {
  const { doc, status, fulfillment_type: type, display_number } = order
  const seated: readonly OrderStatus[] = ['accepted', 'preparing', 'ready']
  if (type !== 'dine_in' || doc.check !== null || !seated.includes(status)) {
    throw new AppError(
      'invalid_state',
      `Order ${display_number} (${type.replace('_', '-')}) is ${status}${doc.check === null ? '' : ` and its check is ${doc.check.status}`}: no bill can be opened.`,
      { extra: { current_status: status }, hint: hintToOpen(order, seated.includes(status)) },
    )
  }
  const scene = clampToLastUpdate(given, order)
  startCheck(scene, order, await loadPayment(scene.tx, order.order_id))
  await touch(scene, order)
  await emitCheckEvent(scene, order, { from: null, by: 'store' })
}

/** Returns the command that leads on from a check that cannot be opened. */
function hintToOpen(
  { doc, status, fulfillment_type: type, display_number }: OrderRecord,
  seated: boolean,
): string {
  if (doc.check?.status === 'open')
    return `\`dray sandbox check settle ${display_number}\` lets the guests pay it.`
  if (type === 'dine_in' && status === 'placed')
    return `\`dray business orders accept ${display_number}\` accepts the order first.`
  if (type === 'dine_in' && seated)
    return `\`dray business orders complete ${display_number}\` completes the order.`
  return '`dray food order --fulfillment dine_in` places a dine-in order.'
}

/** Returns the command that leads on from an order without an open check. */
function hintToSettle({ doc, status, fulfillment_type: type, display_number }: OrderRecord): string {
  if (type === 'dine_in' && doc.check === null && status === 'placed')
    return `\`dray business orders accept ${display_number}\` accepts the order; then its bill can be opened.`
  return type === 'dine_in' && doc.check === null && !isOrderOver(status)
    ? `\`dray sandbox check open ${display_number}\` opens one.`
    : `\`dray food show ${display_number}\` shows how the order is paid.`
}

/**
 * The guests pay what is left: the check is closed, and the order paid. `shares` are those of the whole table; the order pays alone
 * unless it has others. Throws `invalid_state` without an open check.
 */
export async function settleTableCheck(
  given: ChangeContext,
  order: OrderRecord,
  { by = 'customer', shares }: { by?: OrderActor; shares?: readonly TableShare[] } = {},
): Promise<void> {
  if (order.doc.check?.status !== 'open') {
    throw new AppError('invalid_state', `Order ${order.display_number} has no open table bill.`, {
      extra: { current_status: order.status },
      hint: hintToSettle(order),
    })
  }
  const scene = clampToLastUpdate(given, order)
  const { amount } = order.doc.check.balance
  shutCheck(order, scene.at, shares ?? splitTableBill([{ order_id: order.order_id, amount }], 1))
  await touch(scene, order)
  await settleOrderPayment(scene, order)
  await emitCheckEvent(scene, order, { from: 'open', by })
}

/** Settles the checks of a table at one time, in these shares. Its orders are locked, and each has an open check. Returns the time. */
export async function settleTableChecks(
  given: ChangeContext,
  orders: readonly OrderRecord[],
  shares: readonly TableShare[],
): Promise<number> {
  const scene = orders.reduce(clampToLastUpdate, given)
  for (const order of orders) await settleTableCheck(scene, order, { by: 'store', shares })
  return scene.at
}

/** Settles the unpaid amount of an order; the store gets its part of it. */
export async function settleOrderPayment(
  { tx, world, at }: ChangeContext,
  order: OrderRecord,
): Promise<void> {
  const { order_id, doc } = order
  const payment = await loadPayment(tx, order_id)
  const paid = await settleUnpaidPayment({ tx, world, at }, order_id, partsLeft(doc, payment).store)
  if (payment.paid_at === null) await enterCapture({ tx, at }, order, paid)
}

async function touch({ tx, at }: ChangeContext, order: OrderRecord): Promise<void> {
  order.updated_at = at
  await updateOrder(tx, order)
}

/** It shows the amount that is left to pay. */
export function startCheck(
  { world: { seed }, at }: ChangeContext,
  order: OrderRecord,
  { status, amount }: Payment,
): void {
  order.doc.check = {
    check_id: sandboxId('chk', { seed, ordinal: order.ordinal, at }),
    status: 'open',
    opened_at: at,
    closed_at: null,
    balance: status === 'unpaid' ? amount : { ...amount, amount: 0 },
  }
}

/** Closes the check of an order, which was paid in these shares, or ended unpaid. */
export function shutCheck({ doc }: OrderRecord, at: number, shares: readonly TableShare[] = []): void {
  if (doc.check === null) return
  const { balance } = doc.check
  doc.check = { ...doc.check, status: 'closed', closed_at: at, balance: { ...balance, amount: 0 }, shares }
}

export async function emitCheckEvent(
  { tx, world, at }: ChangeContext,
  { order_id, account_id, merchant_id, doc }: OrderRecord,
  { from, by }: { from: 'open' | null; by: OrderActor },
): Promise<void> {
  if (doc.check === null) return
  const { check_id, status } = doc.check
  await appendEvents(tx, world, at, [
    {
      type: from === null ? 'table_check.opened' : 'table_check.closed',
      resource_id: check_id,
      owner_id: account_id,
      occurred_at: at,
      from,
      to: status,
      by,
      data: { order_id, merchant_id },
    },
  ])
}
