/** Prices and durations of home services (docs/rules/services.md#how-a-service-is-priced). Pure. */
import type { Money } from '../../core/money.ts'
import type { ResolvedPlace } from '../../core/places/place.ts'

/** The number of days ahead for which a request may ask. */
export const MAX_DAYS_AHEAD = 365

/** The reasons why a provider has no open start on some dates. */
export const NO_STARTS = ['closed_that_day', 'too_long', 'too_soon', 'fully_booked'] as const

export const PRICING_MODELS = ['fixed', 'hourly'] as const

export type ServiceOffer = {
  service_code: string
  name: string
  description: string
  pricing: {
    model: (typeof PRICING_MODELS)[number]
    /** For the whole job, or for an hour. */
    price: Money
    minimum_minutes: number
    /** Charged once for each visit; zero when there is none. */
    callout_fee: Money
  }
  default_duration_minutes: number
  /** Minutes kept free after the job. */
  buffer_minutes: number
  /** True if it needs a start time and cannot be booked on request. */
  slot_required: boolean
}

export type Travel = {
  /** The distance to which the provider comes, as the crow flies, in metres. */
  radius_m: number
  /** The distance without a charge, in metres. */
  free_radius_m: number
  per_km: Money
}

const MINUTE = 60_000
/** Until so long before the start a booking is cancelled without a charge, and its start can be moved. */
const FREE_UNTIL_MS = 24 * 60 * MINUTE
/**
 * A provider who has not set off this long after the start did not come
 * (docs/rules/services.md#a-provider-who-does-not-come-is-refunded).
 */
export const MAX_PROVIDER_DELAY_MS = 30 * MINUTE

/**
 * The goodwill for a missed visit, in minor units of the market's currency
 * (docs/rules/services.md#a-provider-who-does-not-come-is-refunded).
 */
export const MISSED_VISIT_GOODWILL = 1000

/**
 * The terms of every provider, which `computeKept` and `findMovableUntil` apply
 * (docs/rules/services.md#a-customer-who-is-not-at-home-pays).
 */
export const CANCELLATION_POLICY =
  'You can cancel free or move the start until 24 hours before it. Later half of the total is kept, from the start all of it. Once work has begun you cannot cancel. All goes back if the provider declines, cancels or does not come. Nobody at home 15 minutes after arrival pays in full.'

/**
 * Returns what is kept of a price, in minor units, when a booking with this start is cancelled at an instant
 * (docs/rules/services.md#cancelling-a-booking-costs-by-the-time).
 */
export function computeKept(total: number, startsAt: number | null, at: number): number {
  if (startsAt === null || at <= startsAt - FREE_UNTIL_MS) return 0
  return at < startsAt ? total - Math.floor(total / 2) : total
}

/** Returns the last instant at which a start can be moved. */
export function findMovableUntil(startsAt: number): number {
  return startsAt - FREE_UNTIL_MS
}

export const SERVICE_LINES = ['labour', 'callout', 'travel'] as const

export type ServiceLine = { type: (typeof SERVICE_LINES)[number]; amount: Money }

export const MIN_SERVICE_MINUTES = 15
export const MAX_SERVICE_MINUTES = 480
/** Hours are sold in quarters of an hour. */
const STEP_MINUTES = 15

/** Returns why a duration does not fit a service, as the end of a sentence; undefined when it fits. */
export function durationFault(
  { pricing, default_duration_minutes }: ServiceOffer,
  minutes: number,
): string | undefined {
  if (pricing.model === 'fixed') {
    if (minutes === default_duration_minutes) return undefined
    return `it has a fixed price and takes ${default_duration_minutes} minutes`
  }
  if (minutes % STEP_MINUTES !== 0) return `it is sold in steps of ${STEP_MINUTES} minutes`
  if (minutes >= pricing.minimum_minutes && minutes <= MAX_SERVICE_MINUTES) return undefined
  return `it is sold from ${pricing.minimum_minutes} to ${MAX_SERVICE_MINUTES} minutes`
}

/** Returns the lines of a price, tax included. Zero amounts have no line, except labour. */
export function priceService(
  { pricing }: ServiceOffer,
  travel: Travel,
  { minutes, distance_m }: { minutes: number; distance_m: number },
): { lines: ServiceLine[]; total: Money } {
  const { model, price, callout_fee } = pricing
  const { currency } = price
  const labour = model === 'fixed' ? price.amount : share(price.amount, minutes, 60)
  const beyond = Math.max(0, distance_m - travel.free_radius_m)
  const lines: ServiceLine[] = [
    { type: 'labour', amount: { amount: labour, currency } },
    { type: 'callout', amount: callout_fee },
    { type: 'travel', amount: { amount: share(travel.per_km.amount, beyond, 1000), currency } },
  ]
  const charged = lines.filter(({ type, amount }) => type === 'labour' || amount.amount > 0)
  const total = charged.reduce((sum, { amount }) => sum + amount.amount, 0)
  return { lines: charged, total: { amount: total, currency } }
}

/** Returns `amount * part / whole` in whole minor units, rounded half up. */
function share(amount: number, part: number, whole: number): number {
  const twice = 2 * amount * part + whole
  return (twice - (twice % (2 * whole))) / (2 * whole)
}

/** The priced inputs of a booking, and everything that its quote shows. */
export type ServiceQuoteDoc = {
  provider_id: string
  provider_name: string
  service_code: string
  service_name: string
  duration_minutes: number
  buffer_minutes: number
  slot_required: boolean
  place: ResolvedPlace
  starts_at: number | null
  notes: string | null
  lines: ServiceLine[]
  total: Money
  tax_included: Money
}
