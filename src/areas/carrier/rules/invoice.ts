/** The invoice of a month: the charges of a parcel, and their sums. Pure, over stored parcels. */
import type { Money } from '../../../core/money.ts'
import { localDate, startOfDay } from '../../../core/time.ts'
import { addWorkingDays } from '../../../core/working-days.ts'
import type { ShipmentRecord } from '../queries/shipments.ts'

export const INVOICE_KINDS = ['parcel', 'return', 'claim', 'cash'] as const

export type InvoiceKind = (typeof INVOICE_KINDS)[number]

/** A line of an invoice, in minor units. Amounts below 0 are owed to the sender. Nothing changes it later. */
export type InvoiceCharge = {
  kind: InvoiceKind
  /** The time by which it belongs to a month, in milliseconds. */
  at: number
  subtotal: number
  /** Subtotal and surcharges, on which the VAT of `vat_bps` is due. */
  net: number
  vat_bps: number
  vat: number
}

type BilledShipment = Pick<ShipmentRecord, 'doc' | 'delivered_at'>

/** Returns all charges of a parcel until now. */
export function listCharges(parcel: BilledShipment): InvoiceCharge[] {
  return [...listPostage(parcel), ...listCredits(parcel), ...listCash(parcel)]
}

/**
 * A parcel is billed when it is first scanned, whatever becomes of it
 * (docs/rules/parcels.md#an-invoice-bills-the-first-scan); nothing is due for one that never was.
 */
export function listPostage({
  doc: { collected_at: at, price, return_of },
}: BilledShipment): InvoiceCharge[] {
  if (at === null) return []
  const subtotal = price.subtotal.amount
  const net = subtotal + price.surcharges_total.amount
  const kind = return_of === undefined ? 'parcel' : 'return'
  return [{ kind, at, subtotal, net, vat_bps: price.tax.rate_bps, vat: price.tax.amount.amount }]
}

/** An accepted claim gives back the postage with its VAT, and the value without VAT. */
export function listCredits(parcel: BilledShipment): InvoiceCharge[] {
  const claim = parcel.doc.claims?.find(({ status }) => status === 'accepted')
  if (claim === undefined) return []
  const at = claim.decided_at ?? claim.due_at
  const back = listPostage(parcel).map(({ subtotal, net, vat_bps, vat }): InvoiceCharge => ({
    kind: 'claim',
    at,
    subtotal: -subtotal,
    net: -net,
    vat_bps,
    vat: -vat,
  }))
  const value = -claim.value.amount
  return value === 0
    ? back
    : [...back, { kind: 'claim', at, subtotal: value, net: value, vat_bps: 0, vat: 0 }]
}

/**
 * Working days from the handover of a parcel to the day on which its cash is owed
 * (docs/rules/parcels.md#cash-on-delivery-is-owed-after-two-working-days).
 */
const CASH_AFTER_DAYS = 2

/** Cash collected at the door is owed to the sender, without VAT. */
export function listCash({
  delivered_at,
  doc: { proof_of_delivery: proof, timezone },
}: BilledShipment): InvoiceCharge[] {
  if (proof?.cash_collected === undefined || delivered_at === null) return []
  const day = addWorkingDays(localDate(delivered_at, timezone), CASH_AFTER_DAYS)
  const credit = -proof.cash_collected.amount.amount
  return [{ kind: 'cash', at: startOfDay(day, timezone), subtotal: credit, net: credit, vat_bps: 0, vat: 0 }]
}

/** The sum of the lines of one kind and VAT rate. */
export type ChargeSum = Pick<InvoiceCharge, 'kind' | 'vat_bps' | 'net' | 'vat'> & { lines: number }

/** Returns the sums of an invoice, which are those of its lines to the penny. */
export function sumInvoice(parts: readonly ChargeSum[], currency: string) {
  const money = (amount: number): Money => ({ amount, currency })
  const sum = (wanted: (part: ChargeSum) => boolean) => {
    const some = parts.filter(wanted)
    const add = (key: 'lines' | 'net' | 'vat') => some.reduce((all, part) => all + part[key], 0)
    const [net, vat] = [add('net'), add('vat')]
    return { lines: add('lines'), net: money(net), vat: money(vat), total: money(net + vat) }
  }
  const isBilled = ({ kind }: ChargeSum): boolean => kind !== 'cash'
  const rates = [...new Set(parts.filter(isBilled).map(({ vat_bps }) => vat_bps))].toSorted((a, b) => a - b)
  return {
    kinds: INVOICE_KINDS.map((kind) => ({ kind, ...sum((part) => part.kind === kind) })),
    vat: rates.map((rate_bps) => {
      const { net, vat } = sum((part) => isBilled(part) && part.vat_bps === rate_bps)
      return { rate_bps, net, vat }
    }),
    billed: sum(isBilled).total,
    due: sum(() => true).total,
  }
}
