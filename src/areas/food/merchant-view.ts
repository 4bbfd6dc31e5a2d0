import type { Static } from 'typebox'
import { haversineMetres, type Point } from '../../core/geometry.ts'
import { JsonText, serializeMembers } from '../../core/json-text.ts'
import type { OpeningClock } from '../../core/opening-hours.ts'
import { toTimestamp } from '../../core/time.ts'
import type { ReadyMinutes } from '../couriers/lifecycle/free.ts'
import type { MerchantRecord } from '../merchants/queries.ts'
import { computeDeliveryMinutes, computePrepMinutes } from '../merchants/rules.ts'
import type { merchant } from './schema.ts'

type Merchant = Static<typeof merchant>

/** The fields of a store that are the same for every customer and at any time, as text. */
type StaticMerchantText = {
  prep: number
  before: string
  hours: string
  delivery: string | undefined
  after: string
}

/** Stores that are kept in memory are written once, until they change. */
const written = new WeakMap<MerchantRecord, StaticMerchantText>()

/** Shows a store to customers at a point. */
export function toMerchantText(
  record: MerchantRecord,
  { point, clock, readyMinutes }: { point: Point; clock: OpeningClock; readyMinutes: ReadyMinutes },
): JsonText<Merchant> {
  const { location, timezone, week, paused_until: pausedUntil, doc } = record
  const prep = computePrepMinutes({ ...record, prep_time_minutes: doc.prep_time_minutes }, clock.now)
  const distance_m = Math.round(haversineMetres(point, location))
  const { before, hours, delivery, after } = lastingOf(record, prep)
  const isOpen = clock.isOpen(week, timezone, pausedUntil)
  const until = isOpen ? clock.closesAt(week, timezone) : undefined
  const opens = isOpen ? undefined : clock.nextOpening(week, timezone, pausedUntil)
  const now = serializeMembers<Pick<Merchant, 'distance_m' | 'is_open' | 'open_until' | 'opens_at'>>({
    distance_m,
    is_open: isOpen,
    open_until: until === undefined ? null : toTimestamp(until),
    opens_at: opens === undefined ? null : toTimestamp(opens),
  })
  if (delivery === undefined) return new JsonText(`{${before},${now},${hours},"delivery":null,${after}}`)
  const minutes = serializeMembers(computeDeliveryMinutes(readyMinutes(prep), location, point))
  const available = distance_m <= (doc.delivery?.radius_m ?? 0)
  return new JsonText(
    `{${before},${now},${hours},"delivery":{"available":${available},${delivery},${minutes}},${after}}`,
  )
}

function lastingOf(record: MerchantRecord, prep: number): StaticMerchantText {
  const found = written.get(record)
  if (found?.prep === prep) return found
  const { doc } = record
  const { fee, minimum_order, radius_m } = doc.delivery ?? {}
  const made = {
    prep,
    before: serializeMembers<Partial<Merchant>>({
      merchant_id: record.merchant_id,
      name: record.name,
      description: doc.description,
      kind: record.kind,
      cuisines: doc.cuisines,
      address: doc.address,
      location: record.location,
      timezone: record.timezone,
    }),
    hours: serializeMembers<Partial<Merchant>>({
      opening_hours: doc.opening_hours,
      fulfillment_types: doc.fulfillment_types,
    }),
    delivery:
      fee === undefined || minimum_order === undefined || radius_m === undefined
        ? undefined
        : serializeMembers({ fee, minimum_order, radius_m }),
    after: serializeMembers<Partial<Merchant>>({
      prep_time_minutes: prep,
      rating: doc.rating_tenths === null ? null : doc.rating_tenths / 10,
      rating_count: doc.rating_count,
      price_level: doc.price_level,
      currency: record.currency,
    }),
  }
  written.set(record, made)
  return made
}
