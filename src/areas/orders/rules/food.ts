/** The words of food and business (`contract.md` B2, B8): baskets, fulfilment, places, modifiers. Types only. */
import type { Address } from '../../../core/address.ts'
import type { Point } from '../../../core/geometry.ts'
import type { Money } from '../../../core/money.ts'
import type { Weekday } from '../../../core/time.ts'

export const FULFILLMENT_TYPES = ['delivery', 'pickup', 'dine_in'] as const
export type FulfillmentType = (typeof FULFILLMENT_TYPES)[number]

export const MERCHANT_KINDS = ['restaurant', 'grocery', 'shop'] as const
export type MerchantKind = (typeof MERCHANT_KINDS)[number]

/** `contract.md` A5: an address, a point, or both. */
export type Place = { address?: Address; location?: Point; name?: string }

/** A stretch of one weekday in local time, `HH:MM`; one that closes at or before it opens ends the next day. */
export type OpeningHours = {
  day: Weekday
  opens: string
  closes: string
}

export type Modifier = {
  modifier_id: string
  name: string
  price_delta: Money
  available: boolean
  is_default: boolean
}

/** A choice on an item: at least so many, at most so many (null is no limit) of its modifiers. */
export type ModifierGroup = {
  modifier_group_id: string
  name: string
  min_selections: number
  max_selections: number | null
  /** Whether one modifier may be chosen more than once. */
  allow_repeats: boolean
  modifiers: Modifier[]
}

/** One line as ordered: names and prices as they were, whatever the catalogue says later. */
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

export type Table = { table_number: string; party_size: number | null }
/** Half-open, milliseconds. */
export type Span = { starts_at: number; ends_at: number }
