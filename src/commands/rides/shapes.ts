/** What the ride operations answer, as far as the commands read it (`contract.md` B3). */
import type { FareLineType } from '../../areas/rides/rules.ts'
import type { RideStatus, Tier } from '../../areas/rides/states.ts'
import type { Point } from '../../core/geometry.ts'
import type { Money } from '../../core/money.ts'
import type { Place } from '../../core/places/place.ts'
import type { Quote } from '../../journal/quotes.ts'

export type Fare = {
  tier: Tier
  name: string
  capacity: number
  fare: Money
  tax_included: Money
  lines: { type: FareLineType; amount: Money }[]
  surge_bps: number
  available: boolean
  pickup_eta_seconds: number | null
}

/** Its total is that of the tier that was chosen. */
export type RideQuote = Quote & {
  created_at: string
  expires_in_seconds: number
  pickup: Place
  dropoff: Place
  stops: Place[]
  scheduled_for: string | null
  road_distance_m: number
  driving_time_seconds: number
  fares: Fare[]
}

export type Ride = {
  ride_id: string
  status: RideStatus
  tier: Tier
  pickup: Place
  dropoff: Place
  stops: Place[]
  fare: Money
  payment: { status: string }
  refund: { status: string; amount: Money; destination: string } | null
  driver: { name: string; rating: number } | null
  vehicle: { make: string; model: string; colour: string; licence_plate: string } | null
  vehicle_location: (Point & { bearing: number; at: string }) | null
  pickup_eta_seconds: number | null
  dropoff_eta_at: string | null
  pickup_pin: string
  cancellation_fee: Money | null
  cancellation: { reason_code: string; fee: Money; balance_due: Money | null } | null
  receipt: { charged: Money } | null
  status_history: { status: RideStatus; at: string; by: string; reason: string | null }[]
  scheduled_for: string | null
}
