/** The sums of a sender's report: pure, over the parcels of a list. */
import type { Static } from 'typebox'
import type { Money } from '../../core/money.ts'
import { bucketIndex, formatTimeRange, type TimeRange } from '../../core/period.ts'
import { findDestination } from '../../core/places/coverage.ts'
import { localDate } from '../../core/time.ts'
import { daysLate, daysLateNow } from './rules/lateness.ts'
import {
  type CollectingHub,
  computeDeliveryEstimate,
  restrictServiceToZone,
  clampDeliveryDate,
  SERVICE_LEVEL_CODES,
  SERVICE_LEVELS,
  type ServiceLevelCode,
} from './rules/rates.ts'
import type { shipmentSummary } from './schema.ts'
import { MAX_DELIVERY_ATTEMPTS, SHIPMENT_STATUSES, type ShipmentStatus } from './states.ts'

/** The fields of a parcel that its report reads. */
export type ReportedParcel = Pick<
  Static<typeof shipmentSummary>,
  | 'tracking_number'
  | 'reference'
  | 'status'
  | 'status_detail'
  | 'service_level'
  | 'hub_id'
  | 'recipient'
  | 'options'
  | 'price'
  | 'estimated_delivery_date'
  | 'promised_date'
  | 'attempts'
  | 'created_at'
  | 'delivered_at'
>

/** The hubs by id, as far as they are known, and the time zone of the others. */
export type HubDirectory = { known: ReadonlyMap<string, CollectingHub>; timezone: string }

type Count = { parcels: number; total: Money }
type Punctual = { parcels: number; on_time: number; late: number }

/** The sums of one period, as `--json` prints them. */
export type ParcelSums = {
  from: string
  to: string
  /** Parcels created in the period; each of the three lists adds up to them. */
  created: Count & {
    by_status: (Count & { status: ShipmentStatus })[]
    by_service: (Count & { service_level: ServiceLevelCode })[]
    by_hub: (Count & { hub_id: string })[]
  }
  /** Parcels delivered in the period, whenever they were created. */
  delivered: Punctual & {
    /** The number of attempts that they took; none where the recipient came for it. */
    by_attempt: { attempts: number; parcels: number }[]
    by_service: (Punctual & { service_level: ServiceLevelCode })[]
    by_hub: (Punctual & { hub_id: string })[]
  }
  timeline: { from: string; to: string; created: number; delivered: number; late: number }[]
}

/** A parcel that is on its way after the day that it was promised for. */
export type LateParcel = {
  tracking_number: string
  reference: string | null
  status: ShipmentStatus
  status_detail: ReportedParcel['status_detail']
  service_level: ServiceLevelCode
  hub_id: string
  promised: string
  estimated_delivery_date: string
  days_late: number
}

type Tally = { parcels: number; amount: number }

/** The running sums of one period. */
type Tallies = {
  period: TimeRange
  parts: readonly TimeRange[]
  created: {
    statuses: Map<ShipmentStatus, Tally>
    services: Map<ServiceLevelCode, Tally>
    hubs: Map<string, Tally>
  }
  delivered: {
    attempts: Map<number, Tally>
    services: Map<ServiceLevelCode, Punctual>
    hubs: Map<string, Punctual>
  }
  timeline: { created: number; delivered: number; late: number }[]
}

/** Begins the sums of a period with a timeline of these parts. All prices must be in one currency. */
export function startParcelTallies(period: TimeRange, parts: readonly TimeRange[]): Tallies {
  return {
    period,
    parts,
    created: { statuses: new Map(), services: new Map(), hubs: new Map() },
    delivered: { attempts: new Map(), services: new Map(), hubs: new Map() },
    timeline: parts.map(() => ({ created: 0, delivered: 0, late: 0 })),
  }
}

/** Adds a parcel that was created in the period. */
export function addCreated({ created, timeline, parts }: Tallies, parcel: ReportedParcel): void {
  const { amount } = parcel.price.total
  count(created.statuses, parcel.status, amount)
  count(created.services, parcel.service_level, amount)
  count(created.hubs, parcel.hub_id, amount)
  const part = timeline[bucketIndex(parts, Date.parse(parcel.created_at)) ?? -1]
  if (part !== undefined) part.created += 1
}

/** Adds a parcel that was delivered in the period. */
export function addDelivered(
  { delivered, timeline, parts }: Tallies,
  parcel: ReportedParcel & { delivered_at: string },
  hubs: HubDirectory,
): void {
  const at = Date.parse(parcel.delivered_at)
  const isLate = daysLate(promisedDay(parcel, hubs), localDate(at, zoneOf(parcel, hubs))) > 0
  count(delivered.attempts, parcel.attempts, 0)
  judge(delivered.services, parcel.service_level, isLate)
  judge(delivered.hubs, parcel.hub_id, isLate)
  const part = timeline[bucketIndex(parts, at) ?? -1]
  if (part === undefined) return
  part.delivered += 1
  if (isLate) part.late += 1
}

/** Returns the sums so far. */
export function toParcelSums(
  { period, parts, created, delivered, timeline }: Tallies,
  currency: string,
): ParcelSums {
  const shown = ({ parcels, amount }: Tally): Count => ({ parcels, total: { amount, currency } })
  const judged = together([...delivered.services.values()])
  return {
    ...formatTimeRange(period),
    created: {
      ...shown(addUp([...created.statuses.values()])),
      by_status: SHIPMENT_STATUSES.map((status) => ({
        status,
        ...shown(created.statuses.get(status) ?? tally()),
      })),
      by_service: SERVICE_LEVEL_CODES.map((level) => ({
        service_level: level,
        ...shown(created.services.get(level) ?? tally()),
      })),
      by_hub: byCount(created.hubs).map(([hub_id, each]) => ({ hub_id, ...shown(each) })),
    },
    delivered: {
      ...judged,
      by_attempt: Array.from({ length: MAX_DELIVERY_ATTEMPTS + 1 }, (_, attempts) => ({
        attempts,
        parcels: delivered.attempts.get(attempts)?.parcels ?? 0,
      })),
      by_service: SERVICE_LEVEL_CODES.map((level) => ({
        service_level: level,
        ...(delivered.services.get(level) ?? punctual()),
      })),
      by_hub: byCount(delivered.hubs).map(([hub_id, each]) => ({ hub_id, ...each })),
    },
    timeline: parts.map((part, at) => ({
      ...formatTimeRange(part),
      ...(timeline[at] ?? { created: 0, delivered: 0, late: 0 }),
    })),
  }
}

/** Returns the parcel as a late one, if it is on its way after its promised day. */
export function findLate(parcel: ReportedParcel, now: number, hubs: HubDirectory): LateParcel | undefined {
  const promised = promisedDay(parcel, hubs)
  const days_late = daysLateNow({ ...parcel, promised_date: promised }, localDate(now, zoneOf(parcel, hubs)))
  if (days_late === 0) return undefined
  const { tracking_number, reference, status, status_detail, service_level, hub_id } = parcel
  const { estimated_delivery_date } = parcel
  return {
    tracking_number,
    reference,
    status,
    status_detail,
    service_level,
    hub_id,
    promised,
    estimated_delivery_date,
    days_late,
  }
}

/**
 * Returns the day that a parcel was promised for when it was created. A parcel of an older version does not say it: its
 * announced day, which a delay moves, counts where the hub is unknown, or where it is earlier.
 */
function promisedDay(parcel: ReportedParcel, { known }: HubDirectory): string {
  if (typeof parcel.promised_date === 'string') return parcel.promised_date
  const { estimated_delivery_date: announced, options, recipient } = parcel
  const hub = known.get(parcel.hub_id)
  const level = SERVICE_LEVELS.find(({ code }) => code === parcel.service_level)
  const { country_code, postal_code } = recipient.address
  const destination = findDestination(country_code, postal_code)
  if (hub === undefined || level === undefined || typeof destination === 'string') return announced
  const service = restrictServiceToZone(level, destination.zone)
  const { estimated_delivery_date } = computeDeliveryEstimate(service, hub, Date.parse(parcel.created_at))
  const promised = clampDeliveryDate(estimated_delivery_date, options.not_before_date, service)
  return promised < announced ? promised : announced
}

function zoneOf({ hub_id }: ReportedParcel, { known, timezone }: HubDirectory): string {
  return known.get(hub_id)?.timezone ?? timezone
}

function tally(): Tally {
  return { parcels: 0, amount: 0 }
}

function punctual(): Punctual {
  return { parcels: 0, on_time: 0, late: 0 }
}

function count<K>(map: Map<K, Tally>, key: K, amount: number): void {
  const held = map.get(key) ?? tally()
  held.parcels += 1
  held.amount += amount
  map.set(key, held)
}

function judge<K>(map: Map<K, Punctual>, key: K, isLate: boolean): void {
  const held = map.get(key) ?? punctual()
  held.parcels += 1
  held[isLate ? 'late' : 'on_time'] += 1
  map.set(key, held)
}

function byCount<T extends { parcels: number }>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].toSorted(([a, one], [b, other]) => other.parcels - one.parcels || (a < b ? -1 : 1))
}

function addUp(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, { parcels, amount }) => ({ parcels: sum.parcels + parcels, amount: sum.amount + amount }),
    tally(),
  )
}

function together(all: readonly Punctual[]): Punctual {
  return all.reduce(
    (sum, { parcels, on_time, late }) => ({
      parcels: sum.parcels + parcels,
      on_time: sum.on_time + on_time,
      late: sum.late + late,
    }),
    punctual(),
  )
}
