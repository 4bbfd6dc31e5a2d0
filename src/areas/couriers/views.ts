/** The courier of a delivery or of an order, as the customer sees it. Pure. */
import type { Point } from '../../core/geometry.ts'
import { maskPhone } from '../../core/privacy.ts'
import { toTimestampOrNull } from '../../core/time.ts'
import { computeLastPosition, type VehicleType } from '../../core/travel.ts'
import type { DeliveryStatus } from './states.ts'

/** The statuses in which a courier is on the way and the customer sees the position. */
export const WITH_COURIER: readonly DeliveryStatus[] = [
  'assigned',
  'arrived_at_pickup',
  'picked_up',
  'arrived_at_dropoff',
]

const BEFORE_PICKUP: readonly DeliveryStatus[] = ['assigned', 'arrived_at_pickup']
/** The fields of a delivery that locate its courier. */
export type DeliveryProgress = {
  status: DeliveryStatus
  doc: {
    courier: { courier_id: string; name: string; vehicle_type: VehicleType; phone: string } | null
    leg: { from: Point; to: Point; starts_at: number; ends_at: number } | null
    pickup_eta_at: number | null
    dropoff_eta_at: number | null
  }
}

/**
 * Returns the courier of a delivery at an instant with both arrival times; null while there is none. After the delivery
 * it has no position and no times: the next jobs of a courier are private.
 */
export function serializeCourier(
  { status, doc }: DeliveryProgress,
  now: number,
  followedIn: readonly DeliveryStatus[] = WITH_COURIER,
) {
  const { courier, leg } = doc
  const isFollowed = followedIn.includes(status)
  if (courier === null || !(isFollowed || status === 'delivered')) return null
  const { courier_id, name, vehicle_type, phone } = courier
  return {
    courier_id,
    name,
    vehicle_type,
    phone_masked: maskPhone(phone),
    location: isFollowed ? leg && computeLastPosition(leg, now) : null,
    pickup_eta_at: BEFORE_PICKUP.includes(status) ? toTimestampOrNull(doc.pickup_eta_at) : null,
    dropoff_eta_at: isFollowed ? toTimestampOrNull(doc.dropoff_eta_at) : null,
  }
}
