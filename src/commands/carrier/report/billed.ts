/** The charges of a period, out of the invoices of its months. */
import { INVOICE_KINDS, type InvoiceKind } from '../../../areas/carrier/rules/invoice.ts'
import type { Client } from '../../../client/client.ts'
import { nullIfUnsupported, orIfFilterUnsupported } from '../../../client/fallbacks.ts'
import { MARKET_TIMEZONE } from '../../../core/market.ts'
import { type Money, formatGroupedMoney } from '../../../core/money.ts'
import { splitRange, type TimeRange } from '../../../core/period.ts'
import { localDate, toTimestamp } from '../../../core/time.ts'
import type { Breakdown } from '../../report/report.ts'
import { humanizeKey } from '../../report/words.ts'
import { toCustomerFilter } from '../customer.ts'

/** The sums of the lines by kind, and what is to be paid: below 0 to the sender. */
export type BilledTotals = { kinds: { kind: InvoiceKind; parcels: number; total: Money }[]; due: Money }

/** Says that a service is too old to have such invoices. */
export const NO_INVOICE =
  'This service has no invoices of a period or a customer: what is to be paid is not told.'

/**
 * Returns what was charged in a stretch, in one currency, for all parcels or those of one customer (empty: without one);
 * null from a service that has no such invoices. Throws AppError.
 */
export async function loadBilled(
  client: Client,
  stretch: TimeRange,
  { currency, customer }: { currency: string; customer?: string | undefined },
): Promise<BilledTotals | null> {
  const totals = new Map<InvoiceKind, { parcels: number; amount: number }>()
  for (const { from, to } of splitRange(stretch, 'month', { kind: 'calendar', timezone: MARKET_TIMEZONE })) {
    const month = localDate(from, MARKET_TIMEZONE).slice(0, 7)
    const part = { from: toTimestamp(from), to: toTimestamp(to), lines: false, ...toCustomerFilter(customer) }
    const asked = client.call('get_carrier_invoice', { month, ...part })
    const invoice = await orIfFilterUnsupported(nullIfUnsupported(asked), null)
    if (invoice === null) return null
    if (invoice.value.currency !== currency) continue
    for (const { kind, lines, total } of invoice.value.kinds) {
      const { parcels, amount } = totals.get(kind) ?? { parcels: 0, amount: 0 }
      totals.set(kind, { parcels: parcels + lines, amount: amount + total.amount })
    }
  }
  const due = [...totals.values()].reduce((sum, { amount }) => sum + amount, 0)
  return {
    kinds: INVOICE_KINDS.map((kind) => {
      const { parcels, amount } = totals.get(kind) ?? { parcels: 0, amount: 0 }
      return { kind, parcels, total: { amount, currency } }
    }),
    due: { amount: due, currency },
  }
}

/** Returns the section of a report; undefined where nothing was charged. */
export function billedSection(billed: BilledTotals | null): Breakdown | undefined {
  const rows = billed?.kinds.filter(({ parcels }) => parcels > 0) ?? []
  if (billed === null || rows.length === 0) return undefined
  return {
    kind: 'breakdown',
    title: 'Invoiced',
    headings: ['Invoiced', 'Lines', 'Total'],
    rows: rows.map(({ kind, parcels, total }) => ({
      label: humanizeKey(kind),
      cells: [parcels.toLocaleString('en-GB'), formatGroupedMoney(total)],
    })),
    total: { label: 'To pay', cells: ['', formatGroupedMoney(billed.due)] },
  }
}
