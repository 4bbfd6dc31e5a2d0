import type { Contact } from '../domain/address.ts'
import type { FulfillmentType, Place, PricedBasket, Span, Table } from '../domain/food.ts'
import type { Point } from '../domain/geo.ts'
import type { Money } from '../domain/money.ts'
import type { OrderCancelReason, OrderStatus, RejectReason } from '../domain/order-states.ts'
import type { Proof } from '../domain/proof.ts'

/** Who moved an order. */
export type OrderActor = 'customer' | 'store' | 'courier' | 'system'

/** One entry of the history, oldest first, never changed. `note` is the store's own and not for the customer. */
export type OrderStep = {
  status: OrderStatus
  at: number
  by: OrderActor
  reason: string | null
  note: string | null
}

export type TableCheck = {
  check_id: string
  status: 'open' | 'closed'
  opened_at: number
  closed_at: number | null
  balance: Money
}

/** What an order holds beyond its searchable columns. Times in milliseconds. */
export type OrderDoc = PricedBasket & {
  merchant: {
    name: string
    phone: string | null
    location: Point
    place: Place
    timezone: string
    /** The business agreement of the store; null where nobody of the sandbox owns it. */
    agreement_id: string | null
  }
  /** As the store sees its customer; `orders_count` is this one's number among the customer's orders there, from 1. */
  customer: { name: string; phone: string | null; orders_count: number }
  contact: Contact | null
  notes: string | null
  /** The skus of the lines by item, for the store only. */
  skus: Record<string, string>
  dropoff: Place | null
  table: Table | null
  scheduled_for: number | null
  slot: Span | null
  prep_time_minutes: number
  accepted_at: number | null
  preparing_at: number | null
  ready_at: number | null
  estimated_ready_at: number
  estimated_delivery_at: number | null
  completed_at: number | null
  collection_instructions: string | null
  collected_by_name: string | null
  history: OrderStep[]
  check: TableCheck | null
  cancellation: { by: OrderActor; reason_code: OrderCancelReason; note: string | null; at: number } | null
  rejection: { reason_code: RejectReason; note: string | null; at: number; item_ids: string[] } | null
  proof_of_delivery: Proof | null
  /** Whether the sandbox plays the store, and how it plays this order. */
  auto: boolean
  scenario: { name: string; options: Record<string, string> } | null
}

/** One record, two views: the customer's food order and the store's business order. */
export type OrderRecord = {
  order_id: string
  seq: number
  /** Which order of the whole store (database) it is, from 1: every draw about it derives from this. */
  ordinal: number
  account_id: string
  merchant_id: string
  quote_id: string
  status: OrderStatus
  fulfillment_type: FulfillmentType
  /** Local date of the store, within which the display number is unique. */
  display_day: string
  display_number: string
  delivery_id: string | null
  created_at: number
  updated_at: number
  doc: OrderDoc
}
