/** A priced basket: its lines, fees, discounts and taxes, and how taxes and shares are rounded. Pure. */
import { type Money, mulBps } from '../../../core/money.ts'

/**
 * One ordered line with its names and prices at the time of the quote; later changes of the catalogue do not change it.
 */
export type OrderLine = {
  line_id: string
  item_id: string
  name: string
  quantity: number
  unit_price: Money
  modifiers: {
    modifier_id: string
    modifier_group_id: string
    name: string
    quantity: number
    price_delta: Money
  }[]
  notes: string | null
  total: Money
  tax_rate_bps: number
}

export type Fee = {
  type: 'delivery_fee' | 'service_fee' | 'small_order_fee' | 'courier_tip'
  label: string
  amount: Money
}

/**
 * The party that a discount costs money. A third party's does not lower the tax of the store
 * (docs/rules/money.md#a-third-partys-discount-leaves-the-stores-tax).
 */
export const FUNDERS = ['platform', 'store'] as const

export type Discount = {
  type: 'member' | 'promotion'
  label: string
  amount: Money
  funded_by: (typeof FUNDERS)[number]
}
export type TaxLine = {
  name: string
  rate_bps: number
  taxable_amount: Money
  amount: Money
  included: boolean
}

/** A basket with its price: the same fields on a quote, on the customer's order and on the store's. */
export type PricedBasket = {
  lines: OrderLine[]
  subtotal: Money
  fees: Fee[]
  fees_total: Money
  discounts: Discount[]
  discount_total: Money
  taxes: TaxLine[]
  tax_total: Money
  prices_include_tax: boolean
  total: Money
}

/** Returns the tax at a rate on an amount which contains it, or to which it is added. The net is rounded half up. */
export function taxOn(amount: number, rateBps: number, included: boolean): { net: number; tax: number } {
  if (!included) return { net: amount, tax: mulBps(amount, rateBps) }
  const divisor = 10_000 + rateBps
  const net = Math.floor((2 * amount * 10_000 + divisor) / (2 * divisor))
  return { net, tax: amount - net }
}

/**
 * Shares an amount among weights in whole units by largest remainder: the shares add up to it exactly
 * (docs/rules/money.md#shares-add-up-exactly).
 */
export function allocateByWeight(amount: number, weights: readonly number[]): number[] {
  const whole = sum(weights)
  if (whole === 0) return weights.map(() => 0)
  // The product of two amounts can be more than a number represents exactly.
  const products = weights.map((weight) => BigInt(amount) * BigInt(weight))
  const shares = products.map((product) => Number(product / BigInt(whole)))
  const byRemainder = products
    .map((product, index) => ({ index, remainder: product % BigInt(whole) }))
    .toSorted((a, b) => Number(b.remainder - a.remainder) || a.index - b.index)
  const left = amount - sum(shares)
  for (const { index } of byRemainder.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1
  return shares
}

/** Returns the sum of amounts in minor units. */
export function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0)
}
