/** The orders of a report as rows with fixed columns: what is the store's apart from what is not. */
import { paidOf, toPricedOrder } from '../../../areas/orders/rules/adjust.ts'
import { partsLeft } from '../../../areas/orders/rules/shares.ts'
import { netPaid } from '../../../areas/payments/rules/payment.ts'
import { sum } from '../../../areas/payments/rules/price.ts'
import { formatGroupedMoney } from '../../../core/money.ts'
import { businessDateOf } from '../../../core/period.ts'
import { formatLocalDateTime } from '../../../core/time.ts'
import type { ReportTableRow } from '../../report/report.ts'
import { formatCountWithNoun } from '../../report/words.ts'
import type { ReportOrder } from './load.ts'

/** The columns of the rows, in their order. */
export const ORDER_COLUMNS = [
  'order_id',
  'number',
  'placed_at',
  'status',
  'fulfillment_type',
  'payment_method',
  'payment_status',
  'collected_by',
  'net',
  'vat',
  'gross',
  'fees',
  'tip',
  'platform_discount',
  'total',
  'paid',
  'refunded',
  'kept',
  'merchant_id',
  'business_day',
] as const

/** Returns the row of an order, as it is now: net sales and VAT of the store, fees and tip after all refunds. */
export function orderRow(
  order: ReportOrder,
  timezone: string,
): ReportTableRow & Record<(typeof ORDER_COLUMNS)[number], unknown> {
  const { payment, total, merchant_id, order_id } = order
  const money = (amount: number) => ({ amount, currency: total.currency })
  const paid = paidOf(order)
  const isRated = hasRates(order)
  const isPaid = paid.paid_at !== null
  const parts = partsLeft(toPricedOrder(order), paid)
  const net = sum([...parts.vat.values()].map((each) => each.net))
  const vat = sum([...parts.vat.values()].map((each) => each.tax))
  const kept = isPaid ? netPaid(order).amount : 0
  return {
    order_id,
    number: order.display_number,
    placed_at: formatLocalDateTime(Date.parse(order.placed_at), timezone),
    status: order.status,
    fulfillment_type: order.fulfillment_type,
    payment_method: payment.method,
    payment_status: payment.status,
    collected_by: payment.collected_by,
    net: isRated ? money(net) : null,
    vat: isRated ? money(vat) : null,
    gross: isRated ? money(net + vat) : null,
    fees: money(parts.fees),
    tip: money(parts.courier),
    platform_discount: money(parts.discounts.platform),
    total,
    paid: money(isPaid ? payment.amount.amount : 0),
    refunded: money(isPaid ? payment.amount.amount - kept : 0),
    kept: money(kept),
    merchant_id,
    business_day: businessDateOf(Date.parse(order.placed_at), timezone),
  }
}

/** Returns whether each line has a rate of VAT. A service from before lines had one sends none. */
function hasRates({ lines }: ReportOrder): boolean {
  return lines.every(({ tax_rate_bps }) => (tax_rate_bps as number | undefined) !== undefined)
}

/** Says for which orders, and for how much, the VAT columns are blank; undefined where they are for none. */
export function blankWords(orders: readonly ReportOrder[]): string | undefined {
  const [first, ...more] = orders.filter((order) => !hasRates(order)).map(({ total }) => total)
  if (first === undefined) return undefined
  const total = { ...first, amount: first.amount + sum(more.map(({ amount }) => amount)) }
  return `net, vat and gross are blank for ${formatCountWithNoun(more.length + 1, 'order')} of ${formatGroupedMoney(total)}: this service tells no VAT rate of their lines.`
}
