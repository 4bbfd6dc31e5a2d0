import type { Static } from 'typebox'
import { haversineMetres, type Point } from '../../core/geometry.ts'
import type { OpeningClock } from '../../core/opening-hours.ts'
import { toTimestamp } from '../../core/time.ts'
import type { ReadyMinutes } from '../couriers/life/free.ts'
import { deliveryMinutes } from '../merchants/rules.ts'
import type { MerchantRecord } from '../merchants/store.ts'
import type { merchant } from './schema.ts'

/** Shows a store to customers at a point. */
export function toMerchant(
  record: MerchantRecord,
  { point, clock, readyMinutes }: { point: Point; clock: OpeningClock; readyMinutes: ReadyMinutes },
): Static<typeof merchant> {
  const { location, timezone, week, paused, doc } = record
  const { fee, minimum_order, radius_m } = doc.delivery ?? {}
  const distance_m = Math.round(haversineMetres(point, location))
  const until = paused ? undefined : clock.closesAt(week, timezone)
  return {
    merchant_id: record.merchant_id,
    name: record.name,
    description: doc.description,
    kind: record.kind,
    cuisines: doc.cuisines,
    address: doc.address,
    location,
    timezone,
    distance_m,
    is_open: !paused && clock.isOpen(week, timezone),
    open_until: until === undefined ? null : toTimestamp(until),
    opening_hours: doc.opening_hours,
    fulfillment_types: doc.fulfillment_types,
    delivery:
      fee === undefined || minimum_order === undefined || radius_m === undefined
        ? null
        : {
            available: distance_m <= radius_m,
            fee,
            minimum_order,
            radius_m,
            ...deliveryMinutes(readyMinutes(doc.prep_time_minutes), location, point),
          },
    prep_time_minutes: doc.prep_time_minutes,
    rating: doc.rating_tenths === null ? null : doc.rating_tenths / 10,
    rating_count: doc.rating_count,
    price_level: doc.price_level,
    currency: record.currency,
  }
}
