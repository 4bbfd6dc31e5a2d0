/** The choice of a driver, and the time until the car is at the pickup. */
import type { Tx } from '../../../core/db.ts'
import { haversineMetres, type Point } from '../../../core/geometry.ts'
import { sandboxId } from '../../../core/ids.ts'
import { makeOpeningClock } from '../../../core/opening-hours.ts'
import type { WorldSettings } from '../../../core/world.ts'
import {
  findAssignmentTimes,
  type DispatchJob,
  type DispatchWorker,
  reserveWorker,
} from '../../dispatch/lifecycle.ts'
import { type DriverRecord, insertDrivers, listDrivers, type TierRecord } from '../queries/drivers.ts'
import type { ReservedDriver, RideRecord } from '../queries/rides.ts'
import type { Tier } from '../states.ts'
import { ACCEPT_MS, computeDriverFreeAt, earliestArrival, MAX_DRIVER_WAIT_MS } from './timeline.ts'

const SECOND = 1000
const MIN_DRIVER_LEG_S = 120

/** Returns whether rides of a tier begin at a point. */
export function isInTierArea({ centre, radius_m }: TierRecord, point: Point): boolean {
  return haversineMetres(centre, point) <= radius_m
}

/** The drivers of a tier who are at work at an instant; where supply is unlimited every driver always is. */
export function listDriversAtWork(
  drivers: readonly DriverRecord[],
  { timezone, supply }: WorldSettings,
  { tier, at }: { tier: Tier; at: number },
): DriverRecord[] {
  const clock = makeOpeningClock(at)
  return drivers.filter(
    ({ tiers, week }) => tiers.includes(tier) && (supply === 'unlimited' || clock.isOpen(week, timezone)),
  )
}

/** Whole seconds from a request at an instant until a car of the tier is at a point; undefined when none can come. */
export async function findPickupSeconds(
  tx: Tx,
  world: WorldSettings,
  drivers: readonly DriverRecord[],
  { tier, point, at }: { tier: Tier; point: Point; at: number },
): Promise<number | undefined> {
  const slot = await findAssignmentTimes(
    tx,
    world,
    listDriversAtWork(drivers, world, { tier, at }).map(toPerson),
    {
      ...offerOf(point, at),
      end: point,
      doneAt: (arrivesAt) => arrivesAt,
    },
  )
  return slot && Math.ceil((slot.arrives_at - at) / SECOND)
}

/**
 * Takes the time, from an instant on, of the driver who can be at the pickup first; undefined when none is free before
 * the longest wait has ended.
 */
export async function reserveDriver(
  tx: Tx,
  world: WorldSettings,
  ride: RideRecord,
  from: number,
): Promise<ReservedDriver | undefined> {
  const { doc, tier, ride_id } = ride
  const able = listDriversAtWork(await listDrivers(tx), world, { tier, at: from })
  const slot = await reserveWorker({ tx, world }, ride_id, able.map(toPerson), {
    ...offerOf(doc.pickup.location, doc.dispatch.last_offer_at ?? from),
    from,
    end: doc.dropoff.location,
    arriveFrom: earliestArrival(world.seed, ride),
    doneAt: (arrivesAt) => computeDriverFreeAt(world.seed, ride, arrivesAt),
    without: doc.given_up_by ?? [],
  })
  const driver = able.find(({ driver_id }) => driver_id === slot?.person_id)
  if (slot === undefined || driver === undefined) return undefined
  const { starts_at, sets_off_at, arrives_at } = slot
  const hired = world.supply === 'unlimited' ? await hire(tx, world, ride, driver) : driver
  return { driver: hired, from: slot.from, starts_at, sets_off_at, arrives_at }
}

/** An offer that goes out at an instant: a driver accepts it soon, or once the ride before has ended. */
function offerOf(site: Point, at: number): Omit<DispatchJob, 'end' | 'doneAt'> {
  return {
    crew: 'driver',
    site,
    from: at + ACCEPT_MS,
    until: at + MAX_DRIVER_WAIT_MS,
    shortestWay: MIN_DRIVER_LEG_S,
  }
}

/** A driver of one ride's own, like another one. */
async function hire(
  tx: Tx,
  { seed }: WorldSettings,
  { ordinal, doc, created_at }: RideRecord,
  like: DriverRecord,
): Promise<DriverRecord> {
  const { attempt } = doc.dispatch
  const driver_id = sandboxId('drv', { seed, ordinal, at: created_at }, `hired|${attempt}`)
  const hired = { ...like, driver_id, sort: -(ordinal * 1000 + attempt) }
  await insertDrivers(tx, [hired])
  return hired
}

function toPerson({ driver_id, home }: DriverRecord): DispatchWorker {
  return { id: driver_id, home, vehicle: 'car' }
}
