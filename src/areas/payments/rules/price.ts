/** A priced basket: its lines, fees, discounts and taxes (`contract.md` A3). Types only. */
import type { Money } from '../../../core/money.ts'

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
}

export type Fee = {
  type: 'delivery_fee' | 'service_fee' | 'small_order_fee' | 'courier_tip'
  label: string
  amount: Money
}

export type Discount = { type: 'member' | 'promotion'; label: string; amount: Money }
export type TaxLine = {
  name: string
  rate_bps: number
  taxable_amount: Money
  amount: Money
  included: boolean
}

/** A basket with its price: the same members on a quote, on the customer's order and on the store's (`contract.md` A3). */
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
