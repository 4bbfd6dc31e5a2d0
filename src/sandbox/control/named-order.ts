import * as Type from 'typebox'
import {
  findOrder,
  findOrderByCheck,
  listOrdersByDisplayNumber,
  lockOrder,
  type OrderRecord,
} from '../../areas/orders/queries/orders.ts'
import { orderStatus, tableCheck } from '../../areas/orders/schema.ts'
import { isOrderOver } from '../../areas/orders/states.ts'
import { serializeTableCheck } from '../../areas/orders/views.ts'
import { loadPayment } from '../../areas/payments/queries/ledger.ts'
import { payment } from '../../areas/payments/schema.ts'
import { serializePayment } from '../../areas/payments/views.ts'
import type { Tx } from '../../core/db.ts'
import { AppError } from '../../core/errors.ts'
import { describeField, component, nullable } from '../../core/schema.ts'
import type { WorldSettings } from '../../core/world.ts'
import type { ChangeContext } from '../../db/lifecycle.ts'
import { runDueEvents } from '../due-events.ts'
import type { ControlContext } from './control.ts'
import { partiesOf } from './holders.ts'

/**
 * Changes the order that an id, the id of its check, or a number names, and returns its payment and check. Throws
 * `order_not_found`, `invalid_request` for a number of several orders, and what the change throws.
 */
export function changeOrderMoney(
  { write }: ControlContext,
  id: string,
  change: (scene: ChangeContext, order: OrderRecord) => Promise<void>,
): Promise<Type.Static<typeof orderMoney>> {
  return write(async (tx, { world }, now) => {
    const order = await lockNamedOrder(tx, world, now, id)
    await changeOrder(tx, order, () => change({ tx, world, at: now }, order))
    return serializeOrderMoney(tx, order)
  })
}

/**
 * The order of an id, of its check's id, or of the number on its ticket; for a change, after what was
 * due for it. Throws `order_not_found`, and `invalid_request` for a number of several orders.
 */
async function lockNamedOrder(tx: Tx, world: WorldSettings, now: number, id: string): Promise<OrderRecord> {
  const named =
    (await findOrder(tx, id)) ?? (await findOrderByCheck(tx, id)) ?? (await findNumberedOrder(tx, id))
  if (named === undefined)
    throw new AppError('order_not_found', `No order ${id.slice(0, 40)}.`, {
      hint: '`dray food list` lists your orders with their IDs, `dray sandbox events` those of all accounts.',
    })
  await runDueEvents({ tx, world, at: now }, { resource: named.order_id })
  const order = await lockOrder(tx, named.order_id)
  if (order === undefined) throw new Error(`${named.order_id} is gone`)
  return order
}

/** Runs a change of an order. The commands in its error act as the store or as the customer of the order. */
async function changeOrder(tx: Tx, order: OrderRecord, change: () => Promise<void>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (!(error instanceof AppError) || error.hint === undefined) throw error
    const { account, store_account } = await partiesOf(tx, order)
    const accounts = { food: account, business: store_account }
    const hint = error.hint.replace(
      /`(dray (food|business) [^`]*)`/g,
      (whole, command: string, area: 'food' | 'business') =>
        accounts[area] === null ? whole : `\`${command} --as ${accounts[area]}\``,
    )
    const { code, message, errors, extra } = error
    throw new AppError(code, message, { hint, errors, extra, cause: error })
  }
}

/** The number on a ticket, and its day where the number repeats. */
const NUMBER = /^#?([0-9A-Z]{4})(?:@(\d{4}-\d\d-\d\d))?$/i

/**
 * Returns the order with this number, of any store: the active one, else one that has ended. Throws `invalid_request`, with their
 * days, when several have it.
 */
export async function findNumberedOrder(tx: Tx, text: string): Promise<OrderRecord | undefined> {
  const [, number = '', day] = NUMBER.exec(text) ?? []
  if (number === '') return undefined
  const alike = await listOrdersByDisplayNumber(tx, number.toUpperCase())
  const all = alike.filter(({ display_day }) => day === undefined || display_day === day)
  const active = all.filter(({ status }) => !isOrderOver(status))
  const orders = active.length > 0 ? active : all
  if (orders.length > 1)
    throw new AppError(
      'invalid_request',
      `Several orders have the number ${number.toUpperCase()}: ${orders.map(({ order_id, display_day }) => `${order_id} of ${display_day}`).join(', ')}.`,
      { hint: `Use the order ID instead, or the day: ${number.toUpperCase()}@${orders[0]?.display_day}.` },
    )
  return orders[0]
}

export const namedOrderId = Type.String({
  minLength: 1,
  maxLength: 60,
  description: 'order ID or number, such as X7KH or X7KH@2026-11-20',
})

/** The answer of the calls that move money or checks. */
export const orderMoney = component('OrderMoney', {
  order_id: Type.String({ meaning: 'Order', label: 'ID' }),
  display_number: Type.String({ meaning: 'Number on the ticket', label: 'Order' }),
  status: describeField('Status of the order', orderStatus),
  payment: describeField('Payment', payment),
  check: nullable('Table check; null without one', tableCheck),
  account: Type.String({ description: 'Account that ordered' }),
  store_account: nullable('Account that runs the store', Type.String()),
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

async function serializeOrderMoney(tx: Tx, order: OrderRecord): Promise<Type.Static<typeof orderMoney>> {
  const { order_id, display_number, status, doc } = order
  const paid = await loadPayment(tx, order_id)
  return {
    order_id,
    display_number,
    status,
    payment: serializePayment(paid),
    check: serializeTableCheck(doc.check),
    ...(await partiesOf(tx, order)),
  }
}
