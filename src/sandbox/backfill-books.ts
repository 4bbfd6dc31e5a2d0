/** Writes the books of the stores of an older schema: the entries of all their orders. */
import { toBusinessDay } from '../areas/business/days.ts'
import { listDays } from '../areas/business/queries.ts'
import { listOrdersAfter } from '../areas/orders/queries/orders.ts'
import { insertStoreEntries, removeOlderEntries } from '../areas/orders/queries/store-entries.ts'
import { listOrderBookEntries } from '../areas/orders/rules/shares.ts'
import { type StoreEntry, toStoreEntry } from '../areas/orders/rules/store-entries.ts'
import { findPayments } from '../areas/payments/queries/ledger.ts'
import type { Tx } from '../core/db.ts'

/** The orders that are read at once. */
const PAGE = 500

/**
 * Completes the migration that made the table. An entry keeps the closed day in which it counts. An adjustment without money had
 * none of its own: it counts in the day of its order's payment if it was made before that was closed, and else in the next one.
 */
export async function fillStoreEntries(tx: Tx, now: number): Promise<void> {
  const days = await removeOlderEntries(tx)
  const closings = new Map<string, Closings>()
  for (let after = 0; ;) {
    const orders = await listOrdersAfter(tx, after, PAGE)
    const last = orders.at(-1)
    if (last === undefined) return
    const payments = await findPayments(
      tx,
      orders.map(({ order_id }) => order_id),
    )
    const entries: ClosedEntry[] = []
    for (const order of orders) {
      const { merchant_id, order_id } = order
      const payment = payments.get(order_id)
      if (payment === undefined) continue
      if (days.has(order_id) && !closings.has(merchant_id))
        closings.set(merchant_id, await closingsOf(tx, merchant_id))
      for (const entry of listOrderBookEntries(order.doc, payment)) {
        const stored = toStoreEntry(order, payment, entry)
        entries.push({ ...stored, closed_day: closedDayOf(stored, days, closings.get(merchant_id)) })
      }
    }
    await insertStoreEntries(tx, now, entries)
    after = last.seq
  }
}

type ClosedEntry = StoreEntry & { closed_day: number | undefined }

/** The times at which the days of a store were closed, by their numbers. */
type Closings = ReadonlyMap<number, number>

function closedDayOf(
  { kind, at, order_id, refund_id }: StoreEntry,
  days: ReadonlyMap<string, number>,
  closings: Closings | undefined,
): number | undefined {
  const day = days.get(refund_id ?? order_id)
  if (kind !== 'adjustment' || day === undefined) return day
  return at <= (closings?.get(day) ?? -1) ? day : undefined
}

async function closingsOf(tx: Tx, merchantId: string): Promise<Closings> {
  const days = await listDays(tx, merchantId, { limit: Number.MAX_SAFE_INTEGER })
  return new Map(days.map((day) => [day.number, Date.parse(toBusinessDay(day).closed_at)]))
}
