/**
 * The time that a provider needs between two visits. Where the place of a visit is known, that is the
 * way to the visits before and after it. Where it is not, as in a list of starts, each visit keeps as much free on both
 * sides as the way to any other place where the provider comes takes: what is shown can be booked from anywhere
 * (docs/rules/services.md#every-start-that-is-shown-can-be-booked).
 */
import { computeRoadTravelSeconds, haversineMetres, type Point, roadMetres } from '../../../core/geometry.ts'
import { countCells, CELL_MS, listCellsWithin, makeSlotCalendar } from '../../../core/slots.ts'
import { addDays, localDate } from '../../../core/time.ts'
import { toRoadVehicle, travelSeconds } from '../../../core/travel.ts'
import type { VisitRecord } from '../queries/bookings.ts'
import type { ProviderRecord } from '../queries/providers.ts'
import { MAX_START_DELAY_MS } from './timeline.ts'

const SECOND = 1000
const MINUTE = 60_000
/** A visit ends so long after its slot at the latest, and whoever waits for that looks again within a minute. */
const SLACK_MS = MAX_START_DELAY_MS + MINUTE

export type VisitingProvider = Pick<ProviderRecord, 'time' | 'location' | 'doc'>

/** A visit to a place, in minutes. */
export type Visit = { duration_minutes: number; buffer_minutes: number; place: { location: Point } }

/** Seconds from a place to the farthest one where the provider comes. */
export function longestWaySeconds({ location, doc }: VisitingProvider, place: Visit['place']): number {
  const metres = haversineMetres(location, place.location) + doc.travel.radius_m
  return computeRoadTravelSeconds(roadMetres(metres), toRoadVehicle('car'))
}

/** Returns a test of whether a provider who visits a place from an instant on gets there from each other visit, and from there to it. */
export function makeReach(
  others: readonly VisitRecord[],
  { duration_minutes, place }: Visit,
): (startsAt: number) => boolean {
  const ways = others.map((other) => ({
    ...other.slot,
    way: SLACK_MS + travelSeconds(other.place.location, place.location, 'car') * SECOND,
  }))
  return (startsAt) =>
    ways.every(({ starts_at, ends_at, way }) =>
      starts_at < startsAt
        ? ends_at + way <= startsAt
        : startsAt + duration_minutes * MINUTE + way <= starts_at,
    )
}

/**
 * The half hours around a visit in which no other one may begin or end, ascending: before it less what every visit
 * keeps free after itself anyway.
 */
export function listWayCells(provider: VisitingProvider, visit: Visit, startsAt: number): number[] {
  const { time, doc } = provider
  const way = SLACK_MS + longestWaySeconds(provider, visit.place) * SECOND
  const buffer = Math.min(...doc.services.map(({ buffer_minutes }) => buffer_minutes)) * MINUTE
  const taken = startsAt + countCells(visit.duration_minutes, visit.buffer_minutes) * CELL_MS
  const grid = makeSlotCalendar().grid(time, addDays(localDate(startsAt, time.timezone), -1), 3)
  return [
    ...listCellsWithin(grid, startsAt - Math.max(0, way - buffer), startsAt),
    ...listCellsWithin(grid, taken, startsAt + visit.duration_minutes * MINUTE + way),
  ]
}
