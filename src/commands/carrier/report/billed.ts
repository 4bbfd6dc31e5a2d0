/** The charges of a period, out of the invoices of its months. */
import { INVOICE_KINDS, type InvoiceKind } from '../../../areas/carrier/rules/invoice.ts'
import type { Client } from '../../../client/client.ts'
import { unlessOlder } from '../../../client/unless.ts'
import { MARKET_TIMEZONE } from '../../../core/market.ts'
import { type Money, spellMoney } from '../../../core/money.ts'
import { divide, type Stretch } from '../../../core/period.ts'
import { localDate } from '../../../core/time.ts'
import type { Breakdown } from '../../report/report.ts'
import { word } from '../../report/words.ts'

/** The sums of the lines by kind, and what is to be paid: below 0 to the sender. */
export type Billed = { kinds: { kind: InvoiceKind; parcels: number; total: Money }[]; due: Money }

/** Says that a service is too old to have invoices. */
export const NO_INVOICE = 'This service has no invoices: what is to be paid is not told.'

/** Returns what was charged in a stretch, in one currency; null from a service that has no invoices. Throws AppError. */
export async function loadBilled(client: Client, stretch: Stretch, currency: string): Promise<Billed | null> {
  const months = divide(stretch, 'month', MARKET_TIMEZONE)
  const totals = new Map<InvoiceKind, { parcels: number; amount: number }>()
  for (const { from } of months) {
    const month = localDate(from, MARKET_TIMEZONE).slice(0, 7)
    const invoice = await unlessOlder(client.call('get_carrier_invoice', { month }))
    if (invoice === null) return null
    if (invoice.value.currency !== currency) continue
    for (const { kind, at, total } of invoice.value.lines) {
      const time = Date.parse(at)
      if (time < stretch.from || time >= stretch.to) continue
      const { parcels, amount } = totals.get(kind) ?? { parcels: 0, amount: 0 }
      totals.set(kind, { parcels: parcels + 1, amount: amount + total.amount })
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
export function billedSection(billed: Billed | null): Breakdown | undefined {
  const rows = billed?.kinds.filter(({ parcels }) => parcels > 0) ?? []
  if (billed === null || rows.length === 0) return undefined
  return {
    kind: 'breakdown',
    title: 'Invoiced',
    headings: ['Invoiced', 'Lines', 'Total'],
    rows: rows.map(({ kind, parcels, total }) => ({
      label: word(kind),
      cells: [parcels.toLocaleString('en-GB'), spellMoney(total)],
    })),
    total: { label: 'To pay', cells: ['', spellMoney(billed.due)] },
  }
}
