/** What the delivery operations answer, as far as the commands read it (`contract.md` B4). */
import type { DeliveryStatus } from '../../areas/couriers/states.ts'
import type { Proof } from '../../areas/proofs/rules/proof.ts'
import type { Point } from '../../core/geometry.ts'
import type { Money } from '../../core/money.ts'
import type { Place } from '../../core/places/place.ts'
import type { VehicleType } from '../../core/travel.ts'
import type { Quote } from '../../journal/quotes.ts'

export type DeliveryQuote = Quote & {
  created_at: string
  expires_in_seconds: number
  pickup: Place
  dropoff: Place
  parcel: { size: string; weight_grams: number | null; description: string; requires_id: boolean }
  vehicle_type: VehicleType
  road_distance_m: number
  lines: { type: 'base' | 'distance' | 'size'; amount: Money }[]
  tax_included: Money
  pickup_eta_at: string
  dropoff_eta_at: string
}

export type Delivery = {
  delivery_id: string
  origin: { kind: 'customer_request' | 'food_order' }
  status: DeliveryStatus
  pickup: { place: Place }
  dropoff: { place: Place; verification: string[] }
  parcel: { description: string }
  price: Money
  refund: { status: string; amount: Money; destination: string } | null
  courier: { name: string; vehicle_type: string; rating: number; location: Point | null } | null
  pickup_eta_at: string | null
  dropoff_eta_at: string | null
  courier_imminent: boolean
  dropoff_pincode: string | null
  pickup_proof: Proof | null
  proof_of_delivery: Proof | null
  undeliverable: { reason_code: string } | null
  status_history: { status: DeliveryStatus; at: string; by: string; reason: string | null }[]
}
