/** The time until a courier is free, for every store of a page: read once, and close enough to choose a store by. */
import type { Tx } from '../../../core/db.ts'
import { peopleAtWork } from '../../../core/supply.ts'
import type { WorldSettings } from '../../../core/world.ts'
import { cached } from '../../../db/read-cache.ts'
import { type AssignmentRecord, listAssignments } from '../../dispatch/queries.ts'
import { listCouriers } from '../queries/couriers.ts'

const MINUTE = 60_000
/** A courier who has less time than that before the next job takes no other. */
const USUAL_RUN_MS = 15 * MINUTE

/** Minutes from now until a meal that takes so many is cooked and a courier is free. */
export type ReadyMinutes = (prepMinutes: number) => number

/** Looks once at what couriers do from `now` on. */
export async function findFreeCouriers(tx: Tx, world: WorldSettings, now: number): Promise<ReadyMinutes> {
  const atOnce: ReadyMinutes = (prepMinutes) => prepMinutes
  if (world.supply === 'unlimited') return atOnce
  const jobs = await cached(tx, { key: 'courier jobs', tables: ['assignments'], holds: () => true }, () =>
    listAssignments(tx, 'courier'),
  )
  const isBusy = (own: readonly AssignmentRecord[] = []) => own.some(({ ends_at }) => ends_at > now)
  if (![...jobs.values()].some(isBusy)) return atOnce
  // Most meals are brought further than a courier on foot is sent.
  const able = (await listCouriers(tx)).filter(({ vehicle_type }) => vehicle_type !== 'walker')
  const days = peopleAtWork(able, world.supply).map(({ courier_id }) => jobs.get(courier_id))
  if (days.length === 0 || !days.every(isBusy)) return atOnce
  return (prepMinutes) => {
    const free = days.map((own = []) => freeFrom(own, now + prepMinutes * MINUTE))
    return Math.ceil((Math.min(...free) - now) / MINUTE)
  }
}

/** After the jobs, the earliest first, between which there is no time for another one. */
function freeFrom(jobs: readonly AssignmentRecord[], wanted: number): number {
  let free = wanted
  for (const { starts_at, ends_at } of jobs)
    if (free + USUAL_RUN_MS > starts_at) free = Math.max(free, ends_at)
  return free
}
