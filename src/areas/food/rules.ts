/** Prices a basket: lines with their modifiers, fees, the member's discount and taxes. Pure. */
import { type Money, mulBps, formatBasisPoints } from '../../core/money.ts'
import type { Place } from '../../core/places/place.ts'
import type { TimeWindow } from '../../core/time.ts'
import type { FulfillmentType, DiningTable } from '../merchants/rules.ts'
import { assertAmount, type BasketOrderLine } from '../orders/rules/lines.ts'
import {
  type Discount,
  type Fee,
  type OrderLine,
  type PricedBasket,
  allocateByWeight,
  sum,
  type TaxLine,
  taxOn,
} from '../payments/rules/price.ts'
import type { IfAbsent } from '../proofs/rules/absent.ts'

/** The fees and rates of a basket, all in one currency; null for a fee that is not charged. */
export type BasketTerms = {
  currency: string
  prices_include_tax: boolean
  /** The store's rate, for items without their own. */
  tax_rate_bps: number
  /** The rate of the market, for fees. */
  fee_tax_rate_bps: number
  tax_name: string
  delivery_fee: Money | null
  service_fee: Money | null
  small_order_fee: Money | null
  courier_tip: Money | null
  /** Basis points of the subtotal; 0 for customers without a membership (docs/rules/money.md#the-discount-of-a-member). */
  discount_bps: number
}

/** Prices lines. Throws `invalid_request` when the total is above the largest amount of money. */
export function priceBasket(basket: readonly BasketOrderLine[], terms: BasketTerms): PricedBasket {
  const lines = basket.map((line) => ({ ...line, tax_rate_bps: line.tax_rate_bps ?? terms.tax_rate_bps }))
  const money = (amount: number): Money => ({ amount, currency: terms.currency })
  const subtotal = sum(lines.map(({ total }) => total.amount))
  const fees = listFees(terms)
  const feesTotal = sum(fees.map(({ amount }) => amount.amount))
  assertAmount(subtotal + feesTotal)
  const discount = mulBps(subtotal, terms.discount_bps)
  const taxes = listTaxes(lines, fees, discount, terms)
  const taxTotal = sum(taxes.map(({ amount }) => amount.amount))
  const net = subtotal + feesTotal - discount
  const total = terms.prices_include_tax ? net : net + taxTotal
  assertAmount(total)
  return {
    lines,
    subtotal: money(subtotal),
    fees,
    fees_total: money(feesTotal),
    discounts: listDiscounts(money(discount), terms.discount_bps),
    discount_total: money(discount),
    taxes,
    tax_total: money(taxTotal),
    prices_include_tax: terms.prices_include_tax,
    total: money(total),
  }
}

function listFees({ delivery_fee, service_fee, small_order_fee, courier_tip }: BasketTerms): Fee[] {
  const fees: [Fee['type'], string, Money | null][] = [
    ['delivery_fee', 'Delivery', delivery_fee],
    ['service_fee', 'Service', service_fee],
    ['small_order_fee', 'Small order', small_order_fee],
    ['courier_tip', 'Tip for the courier', courier_tip],
  ]
  return fees.flatMap(([type, label, amount]) => (amount === null ? [] : [{ type, label, amount }]))
}

function listDiscounts(amount: Money, bps: number): Discount[] {
  if (amount.amount === 0) return []
  return [
    { type: 'member', label: `Member discount (${formatBasisPoints(bps)})`, amount, funded_by: 'platform' },
  ]
}

/**
 * Returns the taxes by rate, the highest first
 * (docs/rules/money.md#tax-is-computed-by-rate-not-by-line). They apply to the lines less their share of the discount and to the
 * fees, but not to the tip.
 */
function listTaxes(
  lines: readonly OrderLine[],
  fees: readonly Fee[],
  discount: number,
  { currency, prices_include_tax: included, fee_tax_rate_bps, tax_name }: BasketTerms,
): TaxLine[] {
  const shares = allocateByWeight(
    discount,
    lines.map(({ total }) => total.amount),
  )
  const taxed = new Map<number, number>()
  const add = (rate: number, amount: number) => taxed.set(rate, (taxed.get(rate) ?? 0) + amount)
  for (const [index, { total, tax_rate_bps }] of lines.entries()) {
    add(tax_rate_bps, total.amount - (shares[index] ?? 0))
  }
  for (const { type, amount } of fees) if (type !== 'courier_tip') add(fee_tax_rate_bps, amount.amount)
  return [...taxed]
    .filter(([, amount]) => amount > 0)
    .toSorted(([a], [b]) => b - a)
    .map(([rate_bps, gross]): TaxLine => {
      const { net, tax } = taxOn(gross, rate_bps, included)
      return {
        name: tax_name,
        rate_bps,
        taxable_amount: { amount: net, currency },
        amount: { amount: tax, currency },
        included,
      }
    })
}

/** The priced inputs of an order, and everything that its quote shows. */
export type FoodQuoteDoc = PricedBasket & {
  merchant_id: string
  merchant_name: string
  fulfillment_type: FulfillmentType
  dropoff: Place | null
  /** Null without delivery; absent in older quotes. */
  if_absent?: IfAbsent | null
  table: DiningTable | null
  /** The requested time, and the slot of 15 minutes that the confirm reserves for it. */
  scheduled_for: number | null
  slot: TimeWindow | null
  prep_time_minutes: number
  estimated_ready_at: number
  estimated_delivery_window: TimeWindow | null
  tip: Money | null
  warnings: string[]
}
