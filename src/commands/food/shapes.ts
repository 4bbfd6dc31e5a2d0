/** What the food operations answer, as far as the commands read it (`contract.md` B2). */
import type { ModifierGroup } from '../../areas/catalog/rules/modifiers.ts'
import type { FulfillmentType } from '../../areas/merchants/rules.ts'
import type { OrderStatus } from '../../areas/orders/states.ts'
import type { PricedBasket } from '../../areas/payments/rules/price.ts'
import type { Proof } from '../../areas/proofs/rules/proof.ts'
import type { Money } from '../../core/money.ts'
import type { Place } from '../../core/places/place.ts'
import type { Quote } from '../../journal/quotes.ts'

export type Merchant = {
  merchant_id: string
  name: string
  cuisines: string[]
  distance_m: number
  open_until: string | null
  fulfillment_types: FulfillmentType[]
  delivery: { fee: Money; eta_min_minutes: number; eta_max_minutes: number } | null
  rating: number | null
}

export type MenuItem = {
  item_id: string
  name: string
  description: string | null
  price: Money
  available: boolean
  unavailable_until: string | null
  dietary_tags: string[]
  allergens: string[]
  modifier_groups: ModifierGroup[]
}

export type Menu = {
  merchant_id: string
  currency: string
  categories: { category_id: string; name: string; items: MenuItem[] }[]
}

type Window = { starts_at: string; ends_at: string }

export type FoodQuote = Quote &
  PricedBasket & {
    created_at: string
    expires_in_seconds: number
    merchant_name: string
    fulfillment_type: FulfillmentType
    dropoff: Place | null
    table: { table_number: string; party_size: number | null } | null
    slot: Window | null
    estimated_ready_at: string
    estimated_delivery_window: Window | null
    warnings: string[]
  }

export type FoodOrder = {
  order_id: string
  display_number: string
  merchant: { name: string }
  status: OrderStatus
  fulfillment_type: FulfillmentType
  total: Money
  courier: {
    name: string
    vehicle_type: string
    status: string
    eta_at: string | null
  } | null
  status_history: { status: OrderStatus; at: string; by: string; reason: string | null }[]
  refund: { status: string; amount: Money; destination: string } | null
  proof_of_delivery: Proof | null
  estimated_ready_at: string
  estimated_delivery_at: string | null
}
