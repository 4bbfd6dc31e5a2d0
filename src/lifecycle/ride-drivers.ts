/** Who could drive: which drivers of a tier are at work at a moment, and how far away they are. Pure. */
import { travelSeconds } from '../domain/courier.ts'
import { haversineMetres, type Point } from '../domain/geo.ts'
import { drawBelow } from '../domain/hash.ts'
import { makeOpeningClock } from '../domain/opening-hours.ts'
import type { Tier } from '../domain/ride-states.ts'
import type { World } from '../domain/world.ts'
import type { DriverRecord, TierRecord } from '../store/drivers.ts'

/** Among how many of the nearest drivers one is drawn. */
const NEAREST = 3

/** Whether rides of a tier begin at a point. */
export function serves({ centre, radius_m }: TierRecord, point: Point): boolean {
  return haversineMetres(centre, point) <= radius_m
}

/** Those of a tier who are at work at an instant, nearest to a point first. */
export function driversNear(
  drivers: readonly DriverRecord[],
  { timezone }: World,
  { tier, point, at }: { tier: Tier; point: Point; at: number },
): DriverRecord[] {
  const clock = makeOpeningClock(at)
  return drivers
    .filter(({ tiers, week }) => tiers.includes(tier) && clock.isOpen(week, timezone))
    .map((driver) => ({ driver, metres: haversineMetres(driver.home, point) }))
    .toSorted((a, b) => a.metres - b.metres || a.driver.sort - b.driver.sort)
    .map(({ driver }) => driver)
}

/** Whole seconds until a driver who accepts now is at a point. */
export function pickupSeconds({ home }: Pick<DriverRecord, 'home'>, point: Point): number {
  return travelSeconds(home, point, 'car')
}

/** One of the nearest, another one each time that one has given up; undefined when nobody is at work. */
export function chooseDriver(
  seed: string,
  near: readonly DriverRecord[],
  { ordinal, attempt }: { ordinal: number; attempt: number },
): DriverRecord | undefined {
  const candidates = near.slice(0, NEAREST)
  if (candidates.length === 0) return undefined
  const drawn = drawBelow(candidates.length, seed, 'ride', ordinal, 0, 'driver')
  return candidates[(drawn + attempt - 1) % candidates.length]
}
