/** Who can be sent to a task (`contract.md` B7). Pure, but for the list of who there is. */
import { travelSeconds } from '../domain/courier.ts'
import type { Span } from '../domain/food.ts'
import { haversineMetres, type Point } from '../domain/geo.ts'
import { drawBelow } from '../domain/hash.ts'
import type { EvidenceRequirement } from '../domain/task.ts'
import type { Tx } from '../store/db.ts'
import { listTaskers, type TaskerRecord, type TaskTypeRecord } from '../store/taskers.ts'

const SECOND = 1000
/** The longest that a jittered part of the timeline takes, over what it is planned with. */
const SLOWEST = 1.2
/** Before somebody leaves, and for each item on the spot, in seconds. */
export const PACE = { assigned: 120, assigned_express: 60, en_route: 60, item: 60 } as const
/** Among how many of the nearest one is drawn. */
const NEAREST = 5

/** Those with every qualification who live near enough, the nearest first. */
export function qualifiedFor(
  { doc }: TaskTypeRecord,
  point: Point,
  taskers: readonly TaskerRecord[],
): TaskerRecord[] {
  return taskers
    .filter(({ qualifications }) => doc.qualifications.every((each) => qualifications.includes(each)))
    .map((tasker) => ({ tasker, metres: haversineMetres(tasker.home, point) }))
    .filter(({ metres }) => metres <= doc.max_distance_m)
    .toSorted((a, b) => a.metres - b.metres || a.tasker.sort - b.tasker.sort)
    .map(({ tasker }) => tasker)
}

/** The same of everybody in the store. */
export async function listQualified(tx: Tx, type: TaskTypeRecord, point: Point): Promise<TaskerRecord[]> {
  return qualifiedFor(type, point, await listTaskers(tx))
}

export type Job = { point: Point; window: Span; rules: readonly EvidenceRequirement[] }

/** Those who could be there and be done before the window ends, however slow they are. */
export function inTime(
  taskers: readonly TaskerRecord[],
  { point, window, rules }: Job,
  from: number,
): TaskerRecord[] {
  const items = rules.reduce((sum, { min_count }) => sum + min_count, 0)
  return taskers.filter((tasker) => {
    const way = PACE.en_route + travelSeconds(tasker.home, point, tasker.vehicle_type)
    const arrival = Math.max(window.starts_at, from + way * SLOWEST * SECOND)
    return arrival + items * PACE.item * SLOWEST * SECOND <= window.ends_at
  })
}

/** One of the nearest, another one each time that it was given back; undefined when there is nobody. */
export function drawTasker(
  seed: string,
  { ordinal, drops }: { ordinal: number; drops: number },
  taskers: readonly TaskerRecord[],
): TaskerRecord | undefined {
  const nearest = taskers.slice(0, NEAREST)
  if (nearest.length === 0) return undefined
  const drawn = drawBelow(nearest.length, seed, 'task', ordinal, 0, 'provider')
  return nearest[(drawn + drops) % nearest.length]
}
