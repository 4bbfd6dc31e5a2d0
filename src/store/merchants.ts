import type { Address } from '../domain/address.ts'
import type { FulfillmentType, MerchantKind, OpeningHours } from '../domain/food.ts'
import type { Money } from '../domain/money.ts'
import type { PaymentMethod } from '../domain/payment.ts'

/** What a store holds beyond its searchable columns. */
export type MerchantDoc = {
  description: string | null
  cuisines: string[]
  address: Address
  phone: string | null
  opening_hours: OpeningHours[]
  fulfillment_types: FulfillmentType[]
  /** Null where the store sends no couriers. */
  delivery: {
    fee: Money
    minimum_order: Money
    /** Charged instead of refusing a basket below the minimum; null refuses it. */
    small_order_fee: Money | null
    radius_m: number
  } | null
  service_fee: Money
  prep_time_minutes: number
  rating_tenths: number | null
  rating_count: number
  price_level: 1 | 2 | 3 | 4
  prices_include_tax: boolean
  /** Of fees, and of items that name none. */
  tax_rate_bps: number
  tax_name: string
  payment_methods: PaymentMethod[]
  /** The sandbox accepts and cooks for it. */
  auto_accept: boolean
  /** Orders for one slot of 15 minutes. */
  slot_capacity: number
  /** Table numbers, where one can eat. */
  tables: string[]
}

export type MerchantRecord = {
  merchant_id: string
  seq: number
  /** The business agreement that owns it; null where nobody of the sandbox does. */
  agreement_id: string | null
  name: string
  kind: MerchantKind
  location: { latitude: number; longitude: number }
  timezone: string
  currency: string
  paused: boolean
  menu_version: number
  menu_updated_at: number
  doc: MerchantDoc
}
