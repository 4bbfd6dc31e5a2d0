/** The tables of a store and the orders of their guests. */
import type { Tx } from '../../core/db.ts'
import { AppError } from '../../core/errors.ts'
import { firstName } from '../../core/privacy.ts'
import { toTimestamp, toTimestampOrNull } from '../../core/time.ts'
import type { MerchantRecord } from '../merchants/queries.ts'
import { listStoreOrders, type OrderRecord } from '../orders/queries/orders.ts'
import { listTableBillLines, sumTableBill, type TableBillOrder } from '../orders/rules/table-shares.ts'
import { ACTIVE_ORDER_STATUSES } from '../orders/states.ts'
import { serializeTableCheck } from '../orders/views.ts'
import { findPayments } from '../payments/queries/ledger.ts'
import { type Payment, PAYMENT_STATUSES } from '../payments/rules/payment.ts'
import type { TableBillView } from './table-schema.ts'

/** The orders that are read at once. */
const PAGE = 100

/** Returns the active orders at the tables of a store by their table, the oldest first. */
export async function listOrdersByTable(tx: Tx, merchantId: string): Promise<Map<string, OrderRecord[]>> {
  const kinds = { payment_statuses: PAYMENT_STATUSES, fulfillment_types: ['dine_in'] as const }
  const found: OrderRecord[] = []
  for (let after: { created_at: number; seq: number } | undefined; ;) {
    const slice = { after, limit: PAGE }
    const page = await listStoreOrders(tx, merchantId, { statuses: ACTIVE_ORDER_STATUSES, kinds }, slice)
    found.push(...page)
    if (page.length < PAGE) break
    after = page.at(-1)
  }
  return Map.groupBy(found.toReversed(), ({ doc }) => doc.table?.table_number ?? '')
}

/** Returns the numbers of a store's tables. */
export function listTableNumbers(
  { doc }: Pick<MerchantRecord, 'doc'>,
  orders: ReadonlyMap<string, unknown>,
): string[] {
  return [...new Set([...doc.tables, ...orders.keys()])]
}

/** Throws `table_not_found` unless the store has the table. */
export function assertTable(
  store: Pick<MerchantRecord, 'doc' | 'name'>,
  tableNumber: string,
  orders: ReadonlyMap<string, unknown>,
): void {
  const tables = listTableNumbers(store, orders)
  if (tables.includes(tableNumber)) return
  const has = tables.length === 0 ? 'no tables' : `the tables ${tables.join(', ')}`
  throw new AppError('table_not_found', `${store.name} has no table ${tableNumber}.`, {
    extra: { tables },
    hint: `It has ${has}.`,
  })
}

/** Returns whether the bill of an order is open. */
export function isOnTableBill({ doc }: Pick<OrderRecord, 'doc'>): boolean {
  return doc.check?.status === 'open'
}

/** Returns an order as the bill of its table has it. */
export function toTableBillOrder({ order_id, display_number, doc }: OrderRecord): TableBillOrder {
  const amount = doc.check?.status === 'open' ? doc.check.balance.amount : 0
  return { order_id, display_number, amount, lines: amount === 0 ? [] : listTableBillLines(doc) }
}

/** Looks up the payments of orders; returns a function that shows a table with its orders. */
export async function makeTableSerializer(
  tx: Tx,
  { merchant_id, currency }: Pick<MerchantRecord, 'merchant_id' | 'currency'>,
  orders: readonly OrderRecord[],
): Promise<(tableNumber: string, guests: readonly OrderRecord[]) => TableBillView> {
  const payments = await findPayments(
    tx,
    orders.map(({ order_id }) => order_id),
  )
  return (table_number, guests) => {
    const opened = guests.flatMap(({ doc }) => (doc.check?.status === 'open' ? doc.check.opened_at : []))
    return {
      merchant_id,
      table_number,
      open_since: toTimestampOrNull(opened.length === 0 ? null : Math.min(...opened)),
      total: { amount: sumTableBill(guests.map(toTableBillOrder)), currency },
      orders: guests.map((order) => serializeGuestOrder(order, payments.get(order.order_id))),
    }
  }
}

function serializeGuestOrder(
  order: OrderRecord,
  payment: Payment | undefined,
): TableBillView['orders'][number] {
  if (payment === undefined) throw new Error(`${order.order_id} has no payment`)
  const { order_id, display_number, status, created_at, doc } = order
  const { amount, lines } = toTableBillOrder(order)
  const money = (minor: number) => ({ ...doc.total, amount: minor })
  return {
    order_id,
    display_number,
    status,
    first_name: firstName(doc.contact?.name ?? doc.customer.name),
    placed_at: toTimestamp(created_at),
    payment_method: payment.method,
    payment_status: payment.status,
    check: serializeTableCheck(doc.check),
    to_pay: money(amount),
    lines: lines.map(({ cost, ...line }) => ({ ...line, amount: money(cost) })),
  }
}
