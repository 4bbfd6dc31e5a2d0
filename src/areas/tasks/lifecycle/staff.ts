/**
 * The taskers who can be sent to a task, and their times (docs/rules/tasks.md#only-types-that-can-be-staffed-are-offered). A
 * tasker goes there from home and home again.
 */
import type { Tx } from '../../../core/db.ts'
import { haversineMetres, type Point } from '../../../core/geometry.ts'
import { sandboxId } from '../../../core/ids.ts'
import { hasScenario } from '../../../core/scenario.ts'
import type { TimeWindow } from '../../../core/time.ts'
import { travelSeconds } from '../../../core/travel.ts'
import type { WorldSettings } from '../../../core/world.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import {
  findAssignmentTimes,
  type DispatchJob,
  type DispatchWorker,
  reserveWorker,
  type AssignmentTimes,
} from '../../dispatch/lifecycle.ts'
import {
  findTaskType,
  insertTaskers,
  listTaskers,
  type TaskerRecord,
  type TaskTypeRecord,
} from '../queries/taskers.ts'
import type { ReservedTasker, TaskRecord } from '../queries/tasks.ts'
import type { EvidenceRequirement, Urgency } from '../rules/task.ts'

const SECOND = 1000
/** The longest that a jittered part of the timeline takes, over what it is planned with. */
const SLOWEST = 1.2
/** Before a tasker leaves, for each item on the spot, and for the report and its review, in seconds. */
export const PACE = {
  assigned: 120,
  assigned_express: 60,
  en_route: 60,
  item: 60,
  submit: 30,
  verdict: 60,
} as const

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

/** The same of all taskers in the store. */
export async function listQualified(tx: Tx, type: TaskTypeRecord, point: Point): Promise<TaskerRecord[]> {
  return qualifiedFor(type, point, await listTaskers(tx))
}

export type TaskJob = {
  point: Point
  window: TimeWindow
  rules: readonly EvidenceRequirement[]
  /** The time that the work takes at least. */
  minutes: number
  urgency: Urgency
}

/** Those who could be there and be done before the window ends, however slow they are and if they had nothing else to do. */
export function inTime(taskers: readonly TaskerRecord[], job: TaskJob, at: number): TaskerRecord[] {
  const { arriveFrom = 0, from, ...rest } = jobOf(job, at)
  return taskers.filter((tasker) => {
    const person = toPerson(tasker)
    const way = travelSeconds(person.home, job.point, person.vehicle) * SECOND
    return rest.doneAt(Math.max(from + way, arriveFrom), person) <= (rest.doneBy ?? Infinity)
  })
}

/** The time of whoever can be there first, of those given; undefined when none can in the window. Takes nothing. */
export async function findTaskerSlot(
  { tx, world, at }: ChangeContext,
  taskers: readonly TaskerRecord[],
  job: TaskJob,
): Promise<AssignmentTimes | undefined> {
  return findAssignmentTimes(tx, world, taskers.map(toPerson), jobOf(job, at))
}

/** Takes the time of the tasker who can be there first; undefined when none can before the window ends. */
export async function reserveTasker(
  tx: Tx,
  world: WorldSettings,
  task: TaskRecord,
  at: number,
): Promise<ReservedTasker | undefined> {
  const { doc, task_id } = task
  const type = await findTaskType(tx, task.task_type)
  const able = type === undefined ? [] : await listQualified(tx, type, doc.place.location)
  const { evidence_rules: rules, window, urgency, work_minutes: minutes = 0 } = doc
  const job = jobOf({ point: doc.place.location, window, rules, minutes, urgency }, at)
  const again = hasScenario(task, 'bad_evidence') ? reviewMs(rules) : 0
  const slot = await reserveWorker({ tx, world }, task_id, able.map(toPerson), {
    ...job,
    doneAt: (arrivesAt, person) => job.doneAt(arrivesAt, person) + again,
    doneBy: (job.doneBy ?? Infinity) + again,
    without: doc.given_up_by ?? [],
  })
  const tasker = able.find(({ tasker_id }) => tasker_id === slot?.person_id)
  if (slot === undefined || tasker === undefined) return undefined
  const { starts_at, arrives_at } = slot
  const sent = world.supply === 'unlimited' ? await hire(tx, world, task, tasker) : tasker
  return { tasker: sent, starts_at, arrives_at }
}

/** The work of a task, and its review on the spot. */
function jobOf({ point, window, rules, minutes, urgency }: TaskJob, at: number): DispatchJob {
  const thinks = urgency === 'express' ? PACE.assigned_express : PACE.assigned
  const captured = (minutes * 60 + countItems(rules) * PACE.item * SLOWEST) * SECOND
  const reviewed = (PACE.submit + PACE.verdict) * SLOWEST * SECOND
  return {
    crew: 'tasker',
    site: point,
    end: point,
    from: at + (thinks + PACE.en_route) * SECOND,
    until: window.ends_at,
    arriveFrom: window.starts_at,
    doneAt: (arrivesAt) => arrivesAt + captured + reviewed,
    // An item that is captured in the window may be reviewed after it.
    doneBy: window.ends_at + reviewed,
  }
}

/** Returns how long everything takes that has to be captured and reviewed once more. */
function reviewMs(rules: readonly EvidenceRequirement[]): number {
  return (countItems(rules) * PACE.item + PACE.submit + PACE.verdict) * SLOWEST * SECOND
}

function countItems(rules: readonly EvidenceRequirement[]): number {
  return rules.reduce((sum, { min_count }) => sum + min_count, 0)
}

/** A tasker of one task's own, like another one. */
async function hire(
  tx: Tx,
  { seed }: WorldSettings,
  { ordinal, created_at, doc }: TaskRecord,
  like: TaskerRecord,
): Promise<TaskerRecord> {
  const tasker_id = sandboxId('prv', { seed, ordinal, at: created_at }, `hired|${doc.drops}`)
  const hired = { ...like, tasker_id, sort: -(ordinal * 1000 + doc.drops) }
  await insertTaskers(tx, [hired])
  return hired
}

function toPerson({ tasker_id, home, vehicle_type }: TaskerRecord): DispatchWorker {
  return { id: tasker_id, home, vehicle: vehicle_type }
}
