import type { FulfillmentType, Place, PricedBasket, Span, Table } from '../domain/food.ts'
import type { Money } from '../domain/money.ts'

export type QuoteKind = 'food' | 'ride' | 'delivery' | 'service' | 'task'

/** A price that holds until it expires (`contract.md` A8). Times in milliseconds of service time. */
export type QuoteRecord<Doc> = {
  quote_id: string
  account_id: string
  kind: QuoteKind
  created_at: number
  /** Fresh while `now < expires_at`. */
  expires_at: number
  /** What it was confirmed as. */
  used_by: string | null
  doc: Doc
}

/** The priced inputs of an order, and all that its answer shows. */
export type FoodQuoteDoc = PricedBasket & {
  merchant_id: string
  merchant_name: string
  fulfillment_type: FulfillmentType
  dropoff: Place | null
  table: Table | null
  /** When it was asked for, and the slot of 15 minutes that this claims at confirm. */
  scheduled_for: number | null
  slot: Span | null
  prep_time_minutes: number
  estimated_ready_at: number
  estimated_delivery_window: Span | null
  tip: Money | null
  warnings: string[]
}
