/** Compares quotes of rides, deliveries, bookings and tasks with the model. */
import { expect } from 'vitest'
import type { ErrorCode } from '../../src/core/errors.ts'
import { metresBetween, type GeoPoint } from '../support/distance.ts'
import {
  callAndCompare,
  pickAt,
  type Body,
  iso,
  omitUndefined,
  NOWHERE,
  type Result,
  UNKNOWN_ID,
} from '../support/model-calls.ts'
import { amountOf } from '../support/money.ts'
import type { MovingRun } from './moving-life.ts'
import {
  CELL,
  countHalfHours,
  DAY,
  fareOf,
  HOUR,
  isStartFree,
  jobPrice,
  type Judgement,
  type ModelQuoteKind,
  MINUTE,
  type MovingModelQuote,
  type MovingModel,
  resultsOf,
  runPrice,
} from './moving-model.ts'
import type { MovingStepOf } from './moving-steps.ts'

export const CITY: GeoPoint = { latitude: 51.5129, longitude: -0.0864 }
const AWAY: readonly GeoPoint[] = [
  { latitude: 51.5308, longitude: -0.1238 },
  { latitude: 51.5207, longitude: -0.0873 },
  { latitude: 51.4875, longitude: -0.1687 },
]
const SUBURB = { latitude: 51.42, longitude: -0.2 }
const MANCHESTER = { location: { latitude: 53.48, longitude: -2.24 } }
const TTL: Readonly<Record<ModelQuoteKind, number>> = {
  ride: 300_000,
  delivery: 300_000,
  food: 900_000,
  service: 900_000,
  task: 900_000,
}

/** A fault of a request; so many parts of ten have none. */
type Flaw = { code: ErrorCode; over: Body } | undefined
function flawOf(variant: number, flaws: readonly { code: ErrorCode; over: Body }[]): Flaw {
  return variant % 3 === 0 ? pickAt(flaws, Math.floor(variant / 3)) : undefined
}

export async function runMovingQuoteStep(life: MovingRun, step: MovingStepOf<'quote'>): Promise<void> {
  await QUOTES[step.area](life, step)
}

const QUOTES: Readonly<
  Record<MovingStepOf<'quote'>['area'], (life: MovingRun, step: MovingStepOf<'quote'>) => Promise<void>>
> = {
  ride: quoteRide,
  delivery: quoteRun,
  booking: quoteJob,
  task: quoteTask,
}

/** Requests a quote and adds it to the model. */
async function ask(
  life: MovingRun,
  name: string,
  kind: ModelQuoteKind,
  {
    as,
    input,
    flaw,
    rule,
    scenario,
  }: {
    as: string
    input: Body
    flaw: Flaw
    rule?: () => Result[]
    scenario?: string | undefined
  },
): Promise<{ made: MovingModelQuote; body: Body } | undefined> {
  const { model } = life
  const malformed = flaw?.code === 'invalid_request'
  const body = await callAndCompare(life, name, {
    as,
    input: omitUndefined({ ...input, ...flaw?.over }),
    malformed,
    rule: () => (flaw === undefined ? (rule?.() ?? []) : [flaw.code]),
    scenario,
  })
  if (body === undefined) return undefined
  const expires = model.now + TTL[kind]
  expect([body['kind'], body['status'], body['expires_at'], body['expires_in_seconds']]).toEqual([
    kind,
    'open',
    iso(expires),
    TTL[kind] / 1000,
  ])
  const total = kind === 'ride' ? 0 : amountOf(body['total'])
  if (kind !== 'ride') {
    const lines = body['lines'] as { amount: unknown }[]
    expect(lines.reduce((sum, { amount }) => sum + amountOf(amount), 0)).toBe(total)
  }
  const made = { id: String(body['quote_id']), account: as, kind, expires, usedBy: undefined, total, body }
  model.quotes.push(made)
  return { made, body }
}

async function quoteRide(life: MovingRun, { as, variant, pick, more }: MovingStepOf<'quote'>): Promise<void> {
  const to = pickAt(AWAY, pick) ?? CITY
  const later = [undefined, undefined, 40 * MINUTE, 18 * HOUR][more % 4]
  const surge = pick % 4 === 0 ? 10_000 + 500 * (more % 17) : undefined
  const passengers = more % 2 === 0 ? 1 + (Math.floor(more / 2) % 6) : undefined
  const flaw = flawOf(variant, [
    { code: 'address_unresolvable', over: { dropoff: NOWHERE } },
    { code: 'pickup_equals_dropoff', over: { dropoff: { location: CITY } } },
    { code: 'outside_service_area', over: { pickup: MANCHESTER } },
    { code: 'distance_limit_exceeded', over: { dropoff: MANCHESTER } },
    { code: 'invalid_request', over: { passengers: 9 } },
    { code: 'invalid_request', over: { scheduled_for: iso(life.model.now + 10 * MINUTE) } },
  ])
  const found = await ask(life, 'quote_ride', 'ride', {
    as,
    input: {
      pickup: { location: CITY },
      dropoff: { location: to },
      ...(later !== undefined && { scheduled_for: iso(life.model.now + later) }),
      ...(passengers !== undefined && { passengers }),
    },
    flaw,
    scenario: surge === undefined ? undefined : `surge;bps=${surge}`,
  })
  if (found === undefined) return
  const { body } = found
  const metres = Math.round(1.3 * metresBetween(CITY, to))
  const seconds = Math.round(metres / 8.33) + 60
  expect([body['road_distance_m'], body['driving_time_seconds']]).toEqual([metres, seconds])
  const fares = body['fares'] as Body[]
  if (passengers !== undefined && passengers > 4) expect(fares.map((fare) => fare['tier'])).toEqual(['xl'])
  else expect(fares).toHaveLength(5)
  for (const fare of fares) {
    const bps = Number(fare['surge_bps'])
    if (surge !== undefined) expect(bps).toBe(surge)
    expect(bps).toBeGreaterThanOrEqual(10_000)
    expect(bps).toBeLessThanOrEqual(18_000)
    const lines = fare['lines'] as { amount: unknown }[]
    const total = amountOf(fare['fare'])
    expect(lines.reduce((sum, { amount }) => sum + amountOf(amount), 0)).toBe(total)
    const due = balanceOf(fare)
    expect(total, JSON.stringify(fare)).toBe(fareOf(String(fare['tier']), metres, seconds, bps) + due)
  }
}

/** Returns the part of a fare for earlier unpaid rides. */
export function balanceOf(fare: Body): number {
  const lines = fare['lines'] as { type: string; amount: unknown }[]
  return amountOf(lines.find(({ type }) => type === 'balance_due')?.amount ?? { amount: 0 })
}

async function quoteRun(life: MovingRun, { as, variant, pick, more }: MovingStepOf<'quote'>): Promise<void> {
  const to = pickAt(AWAY, pick) ?? CITY
  const size = pickAt(['small', 'medium', 'large', 'xl'], more) ?? 'small'
  const parcel = { size, description: 'A set of keys' }
  const flaw = flawOf(variant, [
    { code: 'address_unresolvable', over: { pickup: NOWHERE } },
    { code: 'pickup_equals_dropoff', over: { dropoff: { location: CITY } } },
    { code: 'outside_service_area', over: { dropoff: MANCHESTER } },
    {
      code: 'distance_limit_exceeded',
      over: {
        pickup: { location: { latitude: 51.38, longitude: -0.1 } },
        dropoff: { location: { latitude: 51.65, longitude: -0.39 } },
      },
    },
    { code: 'parcel_limits_exceeded', over: { vehicle_type: 'walker', parcel: { ...parcel, size: 'xl' } } },
    { code: 'prohibited_item', over: { parcel: { ...parcel, description: 'Fireworks' } } },
    { code: 'currency_mismatch', over: { parcel: { ...parcel, value: { amount: 1, currency: 'EUR' } } } },
    { code: 'invalid_request', over: { parcel: { ...parcel, weight_grams: 25_001 } } },
  ])
  const found = await ask(life, 'quote_delivery', 'delivery', {
    as,
    input: { pickup: { location: CITY }, dropoff: { location: to }, parcel },
    flaw,
    rule: () => resultsOf(judgeCourier(life.model)),
  })
  if (found === undefined) return
  const metres = Math.round(1.3 * metresBetween(CITY, to))
  expect(found.body['road_distance_m']).toBe(metres)
  expect(found.made.total).toBe(runPrice(size, metres))
}

/** The model does not know which of the few vans are free. */
export function judgeCourier({ couriersAway }: MovingModel): Judgement {
  const refused: ErrorCode[] = ['no_courier_available']
  return couriersAway.length > 0 ? { must: refused } : { must: [], may: refused }
}

async function quoteJob(life: MovingRun, { as, variant, pick, more }: MovingStepOf<'quote'>): Promise<void> {
  const { model } = life
  const provider = pickAt(model.providers, pick)
  const service = pickAt(provider?.services ?? [], more)
  if (provider === undefined || service === undefined) return
  const minutes = service.hourly && more % 2 === 0 ? service.least + 30 : undefined
  const taken = minutes ?? service.minutes
  const cells = countHalfHours(taken, service.buffer)
  const place = { location: provider.point }
  const start = more % 3 === 0 ? undefined : pickHalfHour(life, provider.hours, more, pick)
  const flaw = flawOf(variant, [
    { code: 'address_unresolvable', over: { place: NOWHERE } },
    { code: 'outside_service_area', over: { place: MANCHESTER } },
    { code: 'provider_not_found', over: { provider_id: `prv_${UNKNOWN_ID}` } },
    { code: 'service_not_offered', over: { service_code: 'no_such_thing' } },
    { code: 'duration_not_allowed', over: { duration_minutes: taken + 7 } },
    { code: 'invalid_request', over: { duration_minutes: 7 } },
  ])
  const found = await ask(life, 'quote_service', 'service', {
    as,
    input: {
      provider_id: provider.id,
      service_code: service.code,
      place,
      ...(minutes !== undefined && { duration_minutes: minutes }),
      ...(start !== undefined && { starts_at: iso(start) }),
    },
    flaw,
    rule: () =>
      start === undefined ? [] : resultsOf(judgeStart(isStartFree(model, provider, start, cells))),
  })
  if (found === undefined) return
  const { body, made } = found
  expect(body['duration_minutes']).toBe(taken)
  expect(body['slot_required']).toBe(service.slotRequired)
  expect(made.total, JSON.stringify(body)).toBe(jobPrice(provider, service.code, taken, provider.point))
}

export function judgeStart(free: boolean | undefined): Judgement {
  if (free === undefined) return { must: [], may: ['slot_unavailable'] }
  return { must: free ? [] : ['slot_unavailable'] }
}

/** Returns a half hour of the next days, rarely one without work; few values, so that bookings collide. */
export function pickHalfHour(
  { model }: MovingRun,
  hours: ReadonlySet<number>,
  day: number,
  nth: number,
): number {
  if (nth % 9 === 0) return model.now - (model.now % CELL) - (nth % 2) * HOUR
  const from = model.now - (model.now % DAY) + (1 + (day % 2)) * DAY
  const own = [...hours].filter((cell) => cell >= from && cell < from + DAY).toSorted((a, b) => a - b)
  return pickAt(own.slice(0, 3), nth) ?? from
}

export const REQUIREMENTS: Readonly<Record<string, Body>> = {
  shelf_audit: { store_name: 'Goosefoot Grocers', products: ['Oat milk 1 l'] },
  storefront_verification: { business_name: 'Goosefoot Grocers' },
  item_pickup: { item: 'A parcel', pickup_name: 'Ana Reid' },
}
export const EVIDENCE: Readonly<Record<string, { id: string; most: number }>> = {
  shelf_audit: { id: 'shelf_photos', most: 8 },
  storefront_verification: { id: 'storefront', most: 4 },
  item_pickup: { id: 'item', most: 4 },
}

async function quoteTask(life: MovingRun, { as, variant, pick, more }: MovingStepOf<'quote'>): Promise<void> {
  const { now } = life.model
  const type = pickAt(Object.keys(REQUIREMENTS), pick) ?? 'shelf_audit'
  const evidence = EVIDENCE[type]
  // the nearest workers are far from there, and may be late
  const short = more % 3 === 0
  const flaw = flawOf(variant, [
    { code: 'task_type_not_found', over: { task_type: 'no_such_thing' } },
    {
      code: 'no_qualified_provider',
      over: { task_type: 'document_drop', requirements: undefined, evidence_rules: undefined },
    },
    { code: 'outside_service_area', over: { place: MANCHESTER } },
    { code: 'address_unresolvable', over: { place: NOWHERE } },
    { code: 'requirements_invalid', over: { requirements: { wrong: true } } },
    {
      code: 'evidence_rules_invalid',
      over: { evidence_rules: [{ requirement_id: 'nothing', min_count: 2 }] },
    },
    {
      code: 'evidence_rules_invalid',
      over: { evidence_rules: [{ requirement_id: evidence?.id, geofence_radius_m: 5000 }] },
    },
    { code: 'window_invalid', over: { window: { starts_at: iso(now), ends_at: iso(now + 20 * MINUTE) } } },
    { code: 'window_invalid', over: { window: { starts_at: iso(now - DAY), ends_at: iso(now - HOUR) } } },
    { code: 'invalid_request', over: { urgency: 'whenever' } },
  ])
  await ask(life, 'quote_task', 'task', {
    as,
    input: {
      task_type: type,
      place: { location: short ? SUBURB : CITY },
      ...(more % 2 === 0 && { requirements: REQUIREMENTS[type] }),
      ...(short && { window: { starts_at: iso(now), ends_at: iso(now + 31 * MINUTE) } }),
      ...(more % 7 === 0 && { evidence_rules: [{ requirement_id: evidence?.id, min_count: 3 }] }),
      ...(more % 4 === 0 && { urgency: 'express' }),
    },
    flaw,
    rule: () => (short ? ['ok', 'window_invalid', 'no_qualified_provider'] : []),
  })
}
