/** The invoice of a month: pure, over stored parcels. */
import type { Money } from '../../../core/money.ts'
import type { Stretch } from '../../../core/period.ts'
import { localDate, startOfDay } from '../../../core/time.ts'
import { workingDaysAfter } from '../../../core/working-days.ts'
import type { ListedShipment } from '../store/shipment-list.ts'
import type { ShipmentDoc } from '../store/shipments.ts'

export const INVOICE_KINDS = ['parcel', 'return', 'claim', 'cash'] as const

export type InvoiceKind = (typeof INVOICE_KINDS)[number]

/** A line of an invoice. Amounts below 0 are owed to the sender. */
export type InvoiceLine = {
  kind: InvoiceKind
  at: number
  parcel: BilledParcel
  subtotal: number
  surcharges: number
  /** Subtotal and surcharges, on which the VAT of `vat_bps` is due. */
  net: number
  vat_bps: number
  vat: number
  total: number
}

export type BilledParcel = Omit<ListedShipment, 'doc'> & { doc: ShipmentDoc }

/** Returns the lines of a parcel whose time is within the stretch. */
export function linesOf(parcel: BilledParcel, { from, to }: Stretch): InvoiceLine[] {
  return [...postage(parcel), ...credits(parcel), ...cash(parcel)].filter(({ at }) => at >= from && at < to)
}

/** A parcel is billed when it is first scanned, whatever becomes of it; nothing is due for one that never was. */
function postage(parcel: BilledParcel): InvoiceLine[] {
  const { collected_at: at, price } = parcel.doc
  if (at === null) return []
  const [subtotal, surcharges] = [price.subtotal.amount, price.surcharges_total.amount]
  const tax = { vat_bps: price.tax.rate_bps, vat: price.tax.amount.amount }
  const net = subtotal + surcharges
  const kind = parcel.doc.return_of === undefined ? 'parcel' : 'return'
  return [{ kind, at, parcel, subtotal, surcharges, net, ...tax, total: price.total.amount }]
}

/** An accepted claim gives back the postage with its VAT, and the value without VAT. */
function credits(parcel: BilledParcel): InvoiceLine[] {
  const claim = parcel.doc.claims?.find(({ status }) => status === 'accepted')
  if (claim === undefined) return []
  const at = claim.decided_at ?? claim.due_at
  const back = postage(parcel).map(({ subtotal, surcharges, net, vat, total, ...line }): InvoiceLine => ({
    ...line,
    kind: 'claim',
    at,
    subtotal: -subtotal,
    surcharges: -surcharges,
    net: -net,
    vat: -vat,
    total: -total,
  }))
  const value = -claim.value.amount
  const worth = { subtotal: value, surcharges: 0, net: value, vat_bps: 0, vat: 0, total: value }
  return value === 0 ? back : [...back, { kind: 'claim', at, parcel, ...worth }]
}

/** Working days from the handover of a parcel to the day on which its cash is owed. */
const CASH_AFTER_DAYS = 2

/** Cash collected at the door is owed to the sender, without VAT. */
function cash(parcel: BilledParcel): InvoiceLine[] {
  const { proof_of_delivery: proof, timezone } = parcel.doc
  if (proof?.cash_collected === undefined || parcel.delivered_at === null) return []
  const day = workingDaysAfter(localDate(parcel.delivered_at, timezone), CASH_AFTER_DAYS)
  const credit = -proof.cash_collected.amount.amount
  const none = { subtotal: credit, surcharges: 0, vat_bps: 0, vat: 0 }
  return [{ kind: 'cash', at: startOfDay(day, timezone), parcel, ...none, net: credit, total: credit }]
}

/** The lines, oldest first, as an invoice shows them; and their sums, which are those of the lines to the penny. */
export function sumInvoice(lines: readonly InvoiceLine[], currency: string) {
  const money = (amount: number): Money => ({ amount, currency })
  const sum = (part: readonly InvoiceLine[]) => {
    const add = (key: 'net' | 'vat' | 'total') => money(part.reduce((all, line) => all + line[key], 0))
    return { lines: part.length, net: add('net'), vat: add('vat'), total: add('total') }
  }
  const billed = lines.filter(({ kind }) => kind !== 'cash')
  const rates = [...new Set(billed.map(({ vat_bps }) => vat_bps))].toSorted((a, b) => a - b)
  const total = sum(lines).total
  return {
    kinds: INVOICE_KINDS.map((kind) => ({ kind, ...sum(lines.filter((line) => line.kind === kind)) })),
    vat: rates.map((rate_bps) => {
      const { net, vat } = sum(billed.filter(({ vat_bps }) => vat_bps === rate_bps))
      return { rate_bps, net, vat }
    }),
    billed: sum(billed).total,
    due: total,
  }
}
