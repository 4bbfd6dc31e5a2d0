/** Reads what a statement is made of. No document of an order is read for its sums. */
import type { OperationContext } from '../../core/context.ts'
import type { TimeRange } from '../../core/period.ts'
import { findItemsWithDeleted } from '../catalog/queries/catalog.ts'
import type { MerchantRecord } from '../merchants/queries.ts'
import { findOrders, type OrderRecord } from '../orders/queries/orders.ts'
import { type EntryFilter, sumStoreEntries } from '../orders/queries/store-entries.ts'
import { listUnpaid } from '../payments/queries/sales.ts'
import { sum } from '../payments/rules/price.ts'
import type { DayStatement } from './statement-schema.ts'
import { makeStatement } from './statement.ts'

type Reader = Pick<OperationContext, 'tx'>

type Ledger = { opening: number; closing: number; payouts: number }

/**
 * Returns the statement of a store's entries: all of a stretch of time, or those that `entries` picks; and the goods in it of items
 * that have no tax rate of their own.
 */
export async function readStatement(
  { tx }: Reader,
  store: MerchantRecord,
  { stretch, entries, ...ledger }: Ledger & { stretch: TimeRange; entries: Omit<EntryFilter, 'merchant_id'> },
): Promise<{ statement: DayStatement; withoutRate: number }> {
  const { merchant_id, currency } = store
  const sums = await sumStoreEntries(tx, { ...entries, merchant_id })
  const goods = sums.parts.filter(({ kind }) => kind === 'goods')
  const items = await findItemsWithDeleted(
    tx,
    goods.map(({ key }) => key),
  )
  const sections = new Map(items.map(({ item_id, category }) => [item_id, category.name]))
  const unrated = new Set(items.flatMap(({ item_id, doc }) => (doc.tax_rate_bps === null ? item_id : [])))
  const unpaid = await findUnpaid({ tx }, store, stretch.to)
  return {
    statement: makeStatement(sums, sections, { stretch, merchant_id, currency, unpaid, ...ledger }),
    withoutRate: sum(goods.map(({ key, net }) => (unrated.has(key) ? net : 0))),
  }
}

type Unpaid = DayStatement['unpaid'][number]

/** Returns the orders that were placed before an instant and are still to be paid. */
export async function findUnpaid(
  { tx }: Reader,
  { merchant_id, currency }: MerchantRecord,
  before: number,
): Promise<Unpaid[]> {
  const unpaid = await listUnpaid(tx, merchant_id, before)
  return unpaid.map(({ amount, ...order }) => ({ ...order, amount: { amount, currency } }))
}

/** The number of orders per read of documents. */
const PAGE = 100

/** Returns those of the orders that are promised before an instant. */
export async function promisedBefore(
  { tx }: Reader,
  unpaid: readonly Unpaid[],
  before: number,
): Promise<Unpaid[]> {
  const promised: Unpaid[] = []
  for (let at = 0; at < unpaid.length; at += PAGE) {
    const page = unpaid.slice(at, at + PAGE)
    const orders = await findOrders(
      tx,
      page.map(({ order_id }) => order_id),
    )
    promised.push(
      ...page.filter(({ order_id }) => {
        const order = orders.get(order_id)
        return order !== undefined && promisedAt(order) < before
      }),
    )
  }
  return promised
}

/** Returns the time for which an order is promised: that of its slot, or else the expected one. */
export function promisedAt({ doc }: OrderRecord): number {
  const { slot, scheduled_for, estimated_delivery_at, estimated_ready_at } = doc
  return slot?.starts_at ?? scheduled_for ?? estimated_delivery_at ?? estimated_ready_at
}
