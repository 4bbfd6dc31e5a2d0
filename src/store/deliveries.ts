import type { Contact } from '../domain/address.ts'
import type { DeliveryStatus, VehicleType } from '../domain/delivery-states.ts'
import type { Place } from '../domain/food.ts'
import type { Point } from '../domain/geo.ts'
import type { Money } from '../domain/money.ts'
import type { Proof } from '../domain/proof.ts'

/** Somebody on the way from one point to another: where he is follows from the time. Milliseconds. */
export type Leg = { from: Point; to: Point; starts_at: number; ends_at: number }

export type CourierRecord = {
  courier_id: string
  sort: number
  name: string
  vehicle_type: VehicleType
  /** E.164; shown masked only. */
  phone: string
  rating_tenths: number
  home: Point
}

export type DeliveryStop = {
  place: Place
  /** The place's point: its own, or that of its address. */
  point: Point
  contact: Contact | null
  notes: string | null
}

/** What a delivery holds beyond its searchable columns. Times in milliseconds. */
export type DeliveryDoc = {
  pickup: DeliveryStop
  dropoff: DeliveryStop & { verification: ('photo' | 'signature' | 'pincode')[] }
  parcel: {
    size: 'small' | 'medium' | 'large' | 'xl'
    weight_grams: number | null
    description: string
    value: Money | null
    requires_id: boolean
  }
  /** Zero for an order's delivery: the order was charged for it. */
  price: Money
  dropoff_pincode: string | null
  courier: CourierRecord | null
  leg: Leg | null
  /** How often it was offered, and how often a courier gave it back. */
  offers: number
  drops: number
  pickup_eta_at: number | null
  dropoff_eta_at: number | null
  pickup_proof: Proof | null
  proof_of_delivery: Proof | null
  undeliverable: { reason_code: string; action: 'return' } | null
  history: {
    status: DeliveryStatus
    at: number
    by: 'customer' | 'store' | 'courier' | 'system'
    reason: string | null
  }[]
  /** Where it has been, oldest first, at most 50 points. */
  trail: Point[]
  scenario: { name: string; options: Record<string, string> } | null
}

export type DeliveryRecord = {
  delivery_id: string
  seq: number
  ordinal: number
  account_id: string
  /** The order that it brings; its row is the lock of both. */
  order_id: string | null
  quote_id: string | null
  status: DeliveryStatus
  created_at: number
  updated_at: number
  delivered_at: number | null
  doc: DeliveryDoc
}
