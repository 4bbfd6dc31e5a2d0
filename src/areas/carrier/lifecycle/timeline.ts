/**
 * The next event of a parcel, and when it is due, without interference
 * (docs/rules/parcels.md#a-parcel-is-lost-after-fourteen-days). Pure.
 */
import { seededInt, jitter } from '../../../core/hash.ts'
import type { PriceZone } from '../../../core/places/postcode.ts'
import { addDays, resolveLocalTime, localDate } from '../../../core/time.ts'
import { isWorkingDay, nextWorkingDay, addWorkingDays } from '../../../core/working-days.ts'
import type { NextEvent } from '../../../db/lifecycle.ts'
import type { TimelineEvent } from '../../../db/timeline.ts'
import type { FailureReason } from '../../proofs/rules/failures.ts'
import type { ShipmentRecord } from '../queries/shipments.ts'
import { SERVICE_LEVELS, type ServiceLevel } from '../rules/rates.ts'
import { MAX_DELIVERY_ATTEMPTS, type ShipmentEventCode } from '../states.ts'

/** The next event of a parcel: due when, and why if that needs a reason. */
type NextScan = { code: ShipmentEventCode; due_at: number; reason?: FailureReason }

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** From the collecting to the delivering hub, in hours. */
const ZONE_HOURS: Readonly<Record<PriceZone, number>> = { A: 8, B: 16, C: 26, D: 40 }
const OUT_FOR_DELIVERY = '08:00'
/** A parcel that is promised for a day is at its hub by then, or up to that many seconds before. */
const AT_DEPOT_BY = '06:30'
const EARLIER_BY_S = 7200
const RESCHEDULED = '07:00'
const HELD_FOR_PICKUP_MS = 7 * DAY
const LOST_AFTER_MS = 14 * DAY

/** Reasons after which the carrier does not try again (docs/rules/parcels.md#three-attempts-then-the-hub). */
const FINAL_REASONS: readonly FailureReason[] = ['refused', 'damaged']

export function isFinalReason(reason: FailureReason): boolean {
  return FINAL_REASONS.includes(reason)
}

/** Returns the event that follows the one a parcel has just had; undefined where the plan stays as it is. */
export function nextShipmentEvent(
  seed: string,
  shipment: ShipmentRecord,
  reason?: FailureReason,
): NextEvent<ShipmentEventCode> | undefined {
  const { doc, status } = shipment
  const plan = planOf(seed, shipment, reason)
  const next = status === 'cancelled' ? afterCancellation(plan) : FOLLOWS[doc.status_detail]?.(plan)
  return next && toNext(plan, next)
}

/**
 * Returns the event that follows a redirect, given the one that was planned. `moved` says that the parcel now goes to
 * another hub.
 */
export function afterRedirect(
  seed: string,
  shipment: ShipmentRecord,
  { event, due_at, payload }: Pick<TimelineEvent, 'event' | 'due_at' | 'payload'>,
  moved: boolean,
): NextEvent<ShipmentEventCode> {
  const plan = planOf(seed, shipment, undefined)
  const code = event as ShipmentEventCode
  const isAtDepot = code === 'out_for_delivery' || code === 'available_for_pickup'
  if (shipment.status === 'delivery_attempted') return toNext(plan, afterMissed(plan))
  if (isAtDepot && moved) return toNext(plan, { code: 'departed_facility', due_at: plan.after(4 * HOUR) })
  if (isAtDepot) {
    const isAsked = shipment.doc.options.not_before_date !== undefined
    return toNext(plan, {
      code: 'out_for_delivery',
      due_at: isAsked ? nextMorning(shipment, plan.at) : due_at,
    })
  }
  const reason = payload['reason'] as FailureReason | undefined
  return toNext(plan, { code, due_at, ...(reason !== undefined && { reason }) })
}

/** A parcel that a courier could not hand over, and that was redirected since. */
function afterMissed({ at, shipment }: Plan): NextScan {
  const { timezone, options } = shipment.doc
  const date = workingDaysLater(shipment, localDate(at, timezone), 1)
  if (options.pickup_hub_id !== undefined)
    return { code: 'available_for_pickup', due_at: resolveLocalTime(date, RESCHEDULED, timezone) }
  const asked = options.not_before_date ?? date
  return { code: 'rescheduled', due_at: resolveLocalTime(asked > date ? asked : date, RESCHEDULED, timezone) }
}

function planOf(seed: string, shipment: ShipmentRecord, reason: FailureReason | undefined): Plan {
  const { doc, ordinal } = shipment
  const at = doc.last_at
  return {
    shipment,
    at,
    reason,
    level: levelOf(shipment),
    after: (ms) => at + 1000 * jitter(ms / 1000, seed, ['shipment', ordinal, doc.sequence, 'duration']),
    between: (least, most) =>
      at +
      least +
      1000 * seededInt((most - least) / 1000 + 1, seed, ['shipment', ordinal, doc.sequence, 'duration']),
    below: (limit, purpose) => seededInt(limit, seed, ['shipment', ordinal, 0, purpose]),
  }
}

function toNext(plan: Plan, next: NextScan): NextEvent<ShipmentEventCode> {
  const { code, due_at, reason } = atWork(plan, asAsked(plan, next))
  return { event: code, due_at, payload: reason === undefined ? {} : { reason } }
}

/** No courier sets off before the day that was requested, nor with a parcel that is collected at a hub. */
function asAsked({ shipment }: Plan, next: NextScan): NextScan {
  const { options, timezone } = shipment.doc
  if (next.code !== 'out_for_delivery') return next
  if (options.pickup_hub_id !== undefined) return { ...next, code: 'available_for_pickup' }
  const asked = options.not_before_date
  if (asked === undefined || asked <= localDate(next.due_at, timezone)) return next
  return { ...next, due_at: nextMorning(shipment, resolveLocalTime(asked, '00:00', timezone)) }
}

/** A scan of a Sunday or a holiday moves to the next day of work, before the couriers set off. */
function atWork({ shipment, below }: Plan, next: NextScan): NextScan {
  const { timezone } = shipment.doc
  const date = localDate(next.due_at, timezone)
  if (next.code === 'lost' || isWorkingDay(date, { saturday: true })) return next
  const morning = resolveLocalTime(nextWorkingDay(date, { saturday: true }), AT_DEPOT_BY, timezone)
  return { ...next, due_at: morning - 1000 * below(EARLIER_BY_S, 'earlier') }
}

/** The day on which a courier sets off with a parcel that is being delayed. */
export function dayAfterDelay(seed: string, shipment: ShipmentRecord): string {
  const { last_at, timezone } = shipment.doc
  const goesOn = nextShipmentEvent(seed, shipment)?.due_at ?? last_at
  return localDate(nextMorning(shipment, goesOn + HOUR), timezone)
}

/** Returns the last day on which a parcel arrives that is collected at an instant. */
export function arrivalDay(shipment: ShipmentRecord, at: number): string {
  const days = levelOf(shipment).transit_days_max
  return workingDaysLater(shipment, localDate(at, shipment.doc.timezone), days)
}

/** Later by a number of working days of the parcel's service. */
function workingDaysLater(shipment: ShipmentRecord, date: string, days: number): string {
  return addWorkingDays(date, days, levelOf(shipment))
}

type Plan = {
  shipment: ShipmentRecord
  at: number
  reason: FailureReason | undefined
  level: ServiceLevel
  /** After a time that varies by a fifth. */
  after: (ms: number) => number
  between: (least: number, most: number) => number
  /** A draw that stays the same all the parcel's life. */
  below: (limit: number, purpose: string) => number
}

const FOLLOWS: Readonly<Partial<Record<ShipmentEventCode, (plan: Plan) => NextScan | undefined>>> = {
  collected: ({ after, level }) => ({
    code: 'arrived_at_facility',
    due_at: level.transit_days_max === 0 ? after(30 * MINUTE) : after(2 * HOUR),
  }),
  arrived_at_facility: (plan) => (plan.shipment.status === 'in_transit' ? afterArrival(plan) : undefined),
  departed_facility: (plan) => (plan.shipment.status === 'in_transit' ? afterDeparture(plan) : undefined),
  delayed: ({ after, shipment }) => ({
    code: shipment.doc.departed ? 'arrived_at_facility' : 'departed_facility',
    due_at: after(delayMs(shipment)),
  }),
  held: ({ after, shipment }) => ({
    code: shipment.doc.departed ? 'out_for_delivery' : 'departed_facility',
    due_at: shipment.doc.departed ? nextMorning(shipment, after(DAY)) : after(DAY),
  }),
  out_for_delivery: afterSettingOff,
  delivery_attempted: afterAttempt,
  rescheduled: ({ at, shipment }) => ({ code: 'out_for_delivery', due_at: nextMorning(shipment, at) }),
  available_for_pickup: afterPickupNotice,
  damaged: ({ shipment, after }) =>
    shipment.status === 'returning'
      ? { code: 'return_started', due_at: after(HOUR), reason: 'damaged' }
      : undefined,
  return_started: ({ after }) => ({ code: 'returned', due_at: after(36 * HOUR) }),
}

function afterArrival({ shipment, at, after, level, below }: Plan): NextScan {
  const { doc } = shipment
  if (level.transit_days_max === 0) return { code: 'out_for_delivery', due_at: after(30 * MINUTE) }
  if (!doc.departed) return { code: 'departed_facility', due_at: after(4 * HOUR) }
  const promised = resolveLocalTime(promisedDay(shipment, level, below), OUT_FOR_DELIVERY, doc.timezone)
  return { code: 'out_for_delivery', due_at: nextMorning(shipment, Math.max(at, promised)) }
}

function afterDeparture({ shipment, at, after, level, below }: Plan): NextScan {
  const { doc } = shipment
  const travel = ZONE_HOURS[doc.zone] * HOUR
  if (doc.scenario?.name === 'lost') return { code: 'lost', due_at: at + LOST_AFTER_MS }
  if (doc.scenario?.name === 'delayed')
    return { code: 'delayed', due_at: after(travel / 2), reason: 'weather' }
  const promised = resolveLocalTime(promisedDay(shipment, level, below), AT_DEPOT_BY, doc.timezone)
  const latest = promised - 1000 * below(EARLIER_BY_S, 'earlier')
  return { code: 'arrived_at_facility', due_at: Math.max(at + 30 * MINUTE, Math.min(after(travel), latest)) }
}

function afterSettingOff({ shipment, between, level }: Plan): NextScan {
  const { scenario, attempts } = shipment.doc
  const due_at = level.transit_days_max === 0 ? between(HOUR, 3 * HOUR) : between(HOUR, 8 * HOUR)
  if (scenario?.name === 'damaged') return { code: 'damaged', due_at, reason: 'damaged' }
  const failing = failingAttempts(scenario)
  if (attempts < failing.times) return { code: 'delivery_attempted', due_at, reason: failing.reason }
  return { code: 'delivered', due_at }
}

/** A recipient who asked for the hub comes for the parcel that day; none comes for one that could not be handed over. */
function afterPickupNotice({ shipment: { doc }, at, between }: Plan): NextScan {
  const isAwaited = doc.options.pickup_hub_id !== undefined && failingAttempts(doc.scenario).times === 0
  if (isAwaited) return { code: 'delivered', due_at: between(2 * HOUR, 10 * HOUR) }
  return { code: 'return_started', due_at: at + HELD_FOR_PICKUP_MS, reason: 'recipient_unavailable' }
}

function afterAttempt({ shipment, at, after, reason = 'other' }: Plan): NextScan {
  const { doc, status } = shipment
  if (status === 'returning') return { code: 'return_started', due_at: after(HOUR), reason }
  if (doc.attempts >= MAX_DELIVERY_ATTEMPTS) return { code: 'available_for_pickup', due_at: after(2 * HOUR) }
  const date = workingDaysLater(shipment, localDate(at, doc.timezone), 1)
  return { code: 'rescheduled', due_at: resolveLocalTime(date, RESCHEDULED, doc.timezone) }
}

/** A parcel that was already on its way comes back; the scan changes nothing but the record. */
function afterCancellation({ shipment, after }: Plan): NextScan | undefined {
  const { status_detail, cancellation } = shipment.doc
  if (status_detail !== 'cancelled' || cancellation?.disposition !== 'intercept_and_return') return undefined
  return { code: 'returned', due_at: after(36 * HOUR) }
}

/** The number of attempts that the parcel's scenario lets fail, and the reason. */
function failingAttempts(scenario: ShipmentRecord['doc']['scenario']): {
  times: number
  reason: FailureReason
} {
  const reason = scenario?.options['reason'] as FailureReason | undefined
  if (scenario?.name === 'attempt_fails') {
    return { times: Number(scenario.options['times'] ?? 1), reason: reason ?? 'recipient_unavailable' }
  }
  return { times: scenario?.name === 'returned' ? MAX_DELIVERY_ATTEMPTS : 0, reason: reason ?? 'refused' }
}

function delayMs({ doc }: ShipmentRecord): number {
  return Number(doc.scenario?.options['hours'] ?? 24) * HOUR
}

/** The day a courier sets off with it: within the transit days of its service, and not before the day that was requested. */
function promisedDay(shipment: ShipmentRecord, level: ServiceLevel, below: Plan['below']): string {
  const { collected_at, timezone, options } = shipment.doc
  const days =
    level.transit_days_min + below(level.transit_days_max - level.transit_days_min + 1, 'transit_days')
  const collected = localDate(collected_at ?? shipment.created_at, timezone)
  const promised = workingDaysLater(shipment, collected, days)
  const asked = options.not_before_date
  return asked !== undefined && asked > promised ? asked : promised
}

/** The first 08:00 of a working day at or after an instant. */
function nextMorning(shipment: ShipmentRecord, from: number): number {
  const { timezone } = shipment.doc
  const service = levelOf(shipment)
  let date = localDate(from, timezone)
  while (!isWorkingDay(date, service) || resolveLocalTime(date, OUT_FOR_DELIVERY, timezone) < from)
    date = addDays(date, 1)
  return resolveLocalTime(date, OUT_FOR_DELIVERY, timezone)
}

/** The parcel's service, without Saturdays where none are worked. */
function levelOf({ service_level, doc }: ShipmentRecord): ServiceLevel {
  const level = SERVICE_LEVELS.find(({ code }) => code === service_level)
  if (level === undefined) throw new Error(`${service_level} is not a service level`)
  return doc.zone === 'D' ? { ...level, saturday: false } : level
}
