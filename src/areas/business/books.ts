/** Reads the orders of a statement. */
import type { Context } from '../../core/context.ts'
import { findSections } from '../catalog/store.ts'
import { findOrders, type OrderRecord } from '../orders/store/orders.ts'
import { keptOf, type Payment } from '../payments/rules/payment.ts'
import { findPayments } from '../payments/store.ts'
import { listUnpaid } from '../payments/store/sales.ts'
import type { DayStatement } from './statement-schema.ts'
import { addSale, type Book } from './statement.ts'

/** The orders that are read at once. */
const PAGE = 500
/** The name of the section of an item that is not known any more. */
const NO_SECTION = 'Other'

type Reader = Pick<Context, 'tx'>

/** Adds the entries of these orders that count in the book; returns it. */
export async function fillBook({ tx }: Reader, book: Book, orderIds: readonly string[]): Promise<Book> {
  for (let at = 0; at < orderIds.length; at += PAGE) {
    const page = orderIds.slice(at, at + PAGE)
    const sales = await findSales({ tx }, page)
    const items = sales.flatMap(({ order }) => order.doc.lines.map(({ item_id }) => item_id))
    const sections = await findSections(tx, [...new Set(items)])
    for (const { order, payment } of sales)
      addSale(book, { sold: order.doc, payment }, (item) => sections.get(item) ?? NO_SECTION)
  }
  return book
}

async function findSales(
  { tx }: Reader,
  ids: readonly string[],
): Promise<{ order: OrderRecord; payment: Payment }[]> {
  const [orders, payments] = [await findOrders(tx, ids), await findPayments(tx, ids)]
  return ids.flatMap((id) => {
    const [order, payment] = [orders.get(id), payments.get(id)]
    return order === undefined || payment === undefined ? [] : [{ order, payment }]
  })
}

type Unpaid = DayStatement['unpaid'][number]

/** Returns the orders that were placed before an instant and are still to be paid, if they are promised before `promisedBefore`. */
export async function findUnpaid(
  { tx }: Reader,
  merchantId: string,
  before: number,
  promisedBefore = Infinity,
): Promise<Unpaid[]> {
  const sales = await findSales({ tx }, await listUnpaid(tx, merchantId, before))
  return sales
    .filter(({ order }) => promisedAt(order) < promisedBefore)
    .map(({ order: { order_id, display_number }, payment }) => {
      const amount = keptOf({ payment, refunds: payment.refunds })
      return { order_id, display_number, method: payment.method, amount }
    })
}

/** Returns the time for which an order is promised: that of its slot, or else the expected one. */
export function promisedAt({ doc }: OrderRecord): number {
  const { slot, scheduled_for, estimated_delivery_at, estimated_ready_at } = doc
  return slot?.starts_at ?? scheduled_for ?? estimated_delivery_at ?? estimated_ready_at
}
