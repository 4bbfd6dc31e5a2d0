/** What both sides of an order, or of what else is bought, see of it, in the form that travels. Pure. */
import type { Point } from '../../../core/geometry.ts'
import { maskPhone } from '../../../core/privacy.ts'
import { toTimestamp } from '../../../core/time.ts'
import { positionAt } from '../../../core/travel.ts'
import type { DeliveryStatus, VehicleType } from '../../couriers/states.ts'
import type { Payment, Refund } from '../../payments/rules/payment.ts'
import type { PricedBasket, Span } from './food.ts'

export function showTime(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms)
}

export function showSpan(span: Span | null): { starts_at: string; ends_at: string } | null {
  return span && { starts_at: toTimestamp(span.starts_at), ends_at: toTimestamp(span.ends_at) }
}

/** What every quote shows of itself when it is made. */
export function showQuote<Kind extends string>(
  kind: Kind,
  { quote_id, created_at, expires_at }: { quote_id: string; created_at: number; expires_at: number },
) {
  return {
    quote_id,
    kind,
    status: 'open' as const,
    created_at: toTimestamp(created_at),
    expires_at: toTimestamp(expires_at),
    expires_in_seconds: (expires_at - created_at) / 1000,
  }
}

/** The price of a basket, without its lines and without whatever else the holder has. */
export function showPrice(basket: PricedBasket): Omit<PricedBasket, 'lines'> {
  const {
    subtotal,
    fees,
    fees_total,
    discounts,
    discount_total,
    taxes,
    tax_total,
    prices_include_tax,
    total,
  } = basket
  return {
    subtotal,
    fees,
    fees_total,
    discounts,
    discount_total,
    taxes,
    tax_total,
    prices_include_tax,
    total,
  }
}

export function showPayment({ payment_id, method, status, collected_by, amount }: Payment) {
  return { payment_id, method, status, collected_by, amount }
}

export function showRefund(refund: Refund | null) {
  return (
    refund && {
      ...refund,
      created_at: toTimestamp(refund.created_at),
      settled_at: showTime(refund.settled_at),
    }
  )
}

/** The states in which a courier is on the way to a customer, and can be followed. */
export const WITH_COURIER: readonly DeliveryStatus[] = [
  'assigned',
  'arrived_at_pickup',
  'picked_up',
  'arrived_at_dropoff',
]
const BEFORE_PICKUP: readonly DeliveryStatus[] = ['assigned', 'arrived_at_pickup']

/** What of a delivery tells where its courier is. */
export type Run = {
  status: DeliveryStatus
  doc: {
    courier: { courier_id: string; name: string; vehicle_type: VehicleType; phone: string } | null
    leg: { from: Point; to: Point; starts_at: number; ends_at: number } | null
    pickup_eta_at: number | null
    dropoff_eta_at: number | null
  }
}

/**
 * The courier of a delivery at an instant, with both arrivals; null while there is none. Afterwards only who it was: where
 * a courier goes next is nobody's business.
 */
export function showCourier(
  { status, doc }: Run,
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
    location: isFollowed ? leg && positionAt(leg, now) : null,
    pickup_eta_at: BEFORE_PICKUP.includes(status) ? showTime(doc.pickup_eta_at) : null,
    dropoff_eta_at: isFollowed ? showTime(doc.dropoff_eta_at) : null,
  }
}
