/** The kinds of store, how customers get their orders, and how long a courier takes. */
import { computeRoadTravelSeconds, type Point, roadDistanceMetres } from '../../core/geometry.ts'

/** Minutes between the earliest and the latest time at which a courier arrives. */
export const SPREAD_MINUTES = 10

/** Minutes that a courier usually needs to be at the store and to take what is ready. */
const COLLECT_MINUTES = 3

/**
 * Returns the minutes from an order to its delivery by bicycle. `readyMinutes` pass until the food is ready and a
 * courier is free. A search calls this for every store; only a quote looks up real couriers.
 */
export function computeDeliveryMinutes(
  readyMinutes: number,
  from: Point,
  to: Point,
): { eta_min_minutes: number; eta_max_minutes: number } {
  const ride = Math.ceil(computeRoadTravelSeconds(roadDistanceMetres(from, to), 'bicycle') / 60)
  const eta_min_minutes = readyMinutes + COLLECT_MINUTES + ride
  return { eta_min_minutes, eta_max_minutes: eta_min_minutes + SPREAD_MINUTES }
}

/** Returns the minutes that a store needs for an order at an instant. */
export function computePrepMinutes(
  store: { prep_time_minutes: number; busy_minutes: number; busy_until: number | null },
  at: number,
): number {
  const isBusy = store.busy_until === null || at < store.busy_until
  return store.prep_time_minutes + (isBusy ? store.busy_minutes : 0)
}

export const MERCHANT_KINDS = ['restaurant', 'grocery', 'shop'] as const
export type MerchantKind = (typeof MERCHANT_KINDS)[number]

export const FULFILLMENT_TYPES = ['delivery', 'pickup', 'dine_in'] as const
export type FulfillmentType = (typeof FULFILLMENT_TYPES)[number]

export type DiningTable = { table_number: string; party_size: number | null }
