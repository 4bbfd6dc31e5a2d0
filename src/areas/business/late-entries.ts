/**
 * Entries that were made after their business day had been closed: the document of the next day counts them. With their sums, the
 * documents of whole days add up to the statement of the same time.
 */
import type { OperationContext } from '../../core/context.ts'
import { toTimestamp } from '../../core/time.ts'
import type { MerchantRecord } from '../merchants/queries.ts'
import { type EntryFilter, listStoreEntries, sumStoreEntries } from '../orders/queries/store-entries.ts'
import { sum } from '../payments/rules/price.ts'
import type { LateEntries } from './statement-schema.ts'
import { makeStatement } from './statement.ts'

type Reader = Pick<OperationContext, 'tx'>

/** Returns these entries with their sums. */
export async function readLateEntries(
  { tx }: Reader,
  { merchant_id, currency }: MerchantRecord,
  { payouts, ...wanted }: Omit<EntryFilter, 'merchant_id'> & { payouts: number },
): Promise<LateEntries> {
  const filter = { ...wanted, merchant_id }
  const money = (amount: number) => ({ amount, currency })
  const named = filter.from < filter.to ? await listStoreEntries(tx, filter) : []
  const sums = named.length === 0 ? { entries: [], parts: [] } : await sumStoreEntries(tx, filter)
  const frame = { stretch: filter, merchant_id, currency, unpaid: [], opening: 0, closing: 0, payouts }
  const { net_sales, vat, payments } = makeStatement(sums, new Map(), frame)
  return {
    entries: named.map(({ at, amount, ...entry }) => ({
      ...entry,
      at: toTimestamp(at),
      amount: money(amount),
    })),
    net_sales,
    vat: money(sum(vat.map((each) => each.vat.amount))),
    captured: money(sum(payments.map(({ captured }) => captured.amount))),
    refunded: money(sum(payments.map(({ refunded }) => refunded.amount))),
    payouts: money(payouts),
  }
}
