/**
 * The choice of a person for a job: the one who can be there first. A person does one job at a time
 * (docs/rules/simulation.md#a-worker-does-one-job-at-a-time). Drivers and couriers wait
 * where their last job ended; taskers go home between two jobs.
 */
import type { Tx } from '../../core/db.ts'
import type { Point } from '../../core/geometry.ts'
import { peopleAtWork } from '../../core/supply.ts'
import { travelSeconds, type VehicleType } from '../../core/travel.ts'
import type { WorldSettings } from '../../core/world.ts'
import type { ChangeContext } from '../../db/lifecycle.ts'
import { lockWorld } from '../../db/world.ts'
import {
  type AssignmentRecord,
  type WorkerKind,
  deleteAssignment,
  findAssignment,
  insertAssignment,
  listAssignments,
  minuteAfter,
  minuteOf,
  renameAssignment,
  shortenAssignment,
} from './queries.ts'

const SECOND = 1000
const MINUTE = 60_000

/** A worker who could do a job. */
export type DispatchWorker = { id: string; home: Point; vehicle: VehicleType }

/** A piece of work for one person; times in milliseconds. */
export type DispatchJob = {
  crew: WorkerKind
  /** The places where the work begins and ends. */
  site: Point
  end: Point
  /** The times between which a worker may set off or accept. */
  from: number
  until: number
  /** The time at which it is requested, where that is before `from`. */
  asked?: number
  /** The earliest arrival. */
  arriveFrom?: number
  /**
   * It is work for later: none begins before that without a long way to it, and whoever does it goes home first where
   * there is time for that.
   */
  planned?: number
  /** The way to it takes at least so many seconds. */
  shortestWay?: number
  /** The time at which work is done if its worker arrives at an instant. */
  doneAt(arrivesAt: number, person: DispatchWorker): number
  /** It must be done by then. */
  doneBy?: number
  /** The people who gave the job up. */
  without?: readonly string[]
  /** The time that was held for it so far. It is given back, and the same person may still have it. */
  held?: AssignmentRecord | undefined
}

/** The time that a person has for a job: taken, on the way, at the site, done. */
export type AssignmentTimes = {
  person_id: string
  from: Point
  starts_at: number
  sets_off_at: number
  arrives_at: number
  ends_at: number
}

/** The slot of whoever can be there first; undefined when none can. Takes nothing. */
export async function findAssignmentTimes(
  tx: Tx,
  world: WorldSettings,
  people: readonly DispatchWorker[],
  job: DispatchJob,
): Promise<AssignmentTimes | undefined> {
  const [first] = await rankAssignmentTimes(tx, world, people, job)
  return first
}

/**
 * Takes the time of whoever can be there first; undefined when none can. Waits for the world's row, under which alone
 * people are assigned; the key of each minute lets one job have it.
 */
export async function reserveWorker(
  { tx, world }: Pick<ChangeContext, 'tx' | 'world'>,
  jobId: string,
  people: readonly DispatchWorker[],
  job: DispatchJob,
): Promise<AssignmentTimes | undefined> {
  await lockWorld(tx)
  if (job.held !== undefined) await deleteAssignment(tx, job.held.job_id)
  const slots = await rankAssignmentTimes(tx, world, people, job)
  if (world.supply === 'unlimited') return slots[0]
  for (const slot of slots) {
    const { person_id, starts_at, ends_at } = slot
    await deleteEarlierAssignments(tx, job.crew, person_id, job.asked ?? job.from)
    const end = job.crew === 'tasker' ? homeOf(people, person_id) : job.end
    const taken = { job_id: jobId, crew: job.crew, person_id, starts_at, ends_at, end: end ?? job.end }
    if (await insertAssignment(tx, taken)) return slot
  }
  return undefined
}

/** Gives a person's time back from an instant on: the person is at `end` then. Without an assignment nothing happens. */
export async function releaseWorker(tx: Tx, jobId: string, at: number, end: Point): Promise<void> {
  const taken = await findAssignment(tx, jobId)
  if (taken === undefined || at >= taken.ends_at) return
  await lockWorld(tx)
  if (at <= taken.starts_at) await deleteAssignment(tx, jobId)
  else await shortenAssignment(tx, { job_id: jobId, ends_at: at, end })
}

/** As `release`, for a job that another worker is to do: what was spent on it stays with the person who gave it up. */
export async function releaseJob(tx: Tx, jobId: string, at: number, end: Point): Promise<void> {
  await releaseWorker(tx, jobId, at, end)
  await renameAssignment(tx, jobId, `${jobId}@${at}`)
}

/** Lets a worker begin a job sooner than planned; false, and nothing is changed, when another job is in the way. */
export async function startEarly(tx: Tx, jobId: string, at: number): Promise<boolean> {
  await lockWorld(tx)
  const taken = await findAssignment(tx, jobId)
  if (taken === undefined) return true
  await deleteAssignment(tx, jobId)
  if (await insertAssignment(tx, { ...taken, starts_at: at })) return true
  await insertAssignment(tx, taken)
  return false
}

/** Takes back an assignment that has not begun, if there is one. */
export async function releaseAssignment(tx: Tx, jobId: string): Promise<void> {
  await lockWorld(tx)
  await deleteAssignment(tx, jobId)
}

/** Returns whether the person of a slot is free at an instant and can be where it begins: an earlier job may have been called off. */
export async function isAssignmentPossible(
  tx: Tx,
  { crew, jobId }: { crew: WorkerKind; jobId: string },
  slot: Pick<AssignmentTimes, 'person_id' | 'from' | 'starts_at'> & { vehicle: VehicleType },
  at: number,
): Promise<boolean> {
  if (at < slot.starts_at) return false
  const rows = (await listAssignments(tx, crew)).get(slot.person_id) ?? []
  if (!rows.some(({ job_id }) => job_id === jobId)) return rows.length === 0
  const before = rows.filter(({ job_id, starts_at }) => job_id !== jobId && starts_at < slot.starts_at).at(-1)
  if (before === undefined) return true
  return before.ends_at + wayBetween(before.end, slot.from, slot.vehicle) <= slot.starts_at
}

/** Every slot that is possible, the earliest arrival first. */
async function rankAssignmentTimes(
  tx: Tx,
  world: WorldSettings,
  people: readonly DispatchWorker[],
  job: DispatchJob,
): Promise<AssignmentTimes[]> {
  const able = people.filter(({ id }) => job.without?.includes(id) !== true)
  const some = peopleAtWork(able, world.supply)
  const taken =
    world.supply === 'unlimited' ? new Map<string, never[]>() : await listAssignments(tx, job.crew)
  return some
    .flatMap((person) => slotFor(person, taken.get(person.id) ?? [], job) ?? [])
    .toSorted((a, b) => a.arrives_at - b.arrives_at)
}

function slotFor(
  person: DispatchWorker,
  taken: readonly AssignmentRecord[],
  job: DispatchJob,
): AssignmentTimes | undefined {
  const slot = job.crew === 'tasker' ? fromHome(person, taken, job) : fromJob(person, taken, job)
  return slot !== undefined && slot.starts_at <= job.until ? slot : undefined
}

/**
 * After what a driver or courier has to do, from where that ends; a courier's before work for later, too, where there is
 * time to go home between.
 */
function fromJob(
  person: DispatchWorker,
  taken: readonly AssignmentRecord[],
  job: DispatchJob,
): AssignmentTimes {
  const queue = taken.toSorted((a, b) => a.ends_at - b.ends_at)
  const gaps = job.crew === 'courier' ? queue : []
  for (const [index, next] of gaps.entries()) {
    const slot = slotAfter(person, queue[index - 1], job)
    const home = slot.ends_at + wayBetween(job.end, person.home, person.vehicle)
    if (minuteAfter(home) <= minuteOf(next.starts_at) || isWithinHeld(slot, next, job)) return slot
  }
  return slotAfter(person, queue.at(-1), job)
}

/** Returns whether a person is done in the time that was held: what comes after begins where the held job ends. */
function isWithinHeld(slot: AssignmentTimes, next: AssignmentRecord, { held }: DispatchJob): boolean {
  if (held?.person_id !== slot.person_id || held.starts_at > next.starts_at) return false
  return minuteAfter(slot.ends_at) <= minuteAfter(held.ends_at)
}

function slotAfter(
  person: DispatchWorker,
  before: AssignmentRecord | undefined,
  job: DispatchJob,
): AssignmentTimes {
  const { home, vehicle } = person
  const free = before === undefined ? 0 : minuteAfter(before.ends_at) * MINUTE
  const inTime = (job.arriveFrom ?? 0) - wayTo(job, home, person)
  const starts_at = Math.max(job.from, free, Math.min(job.planned ?? 0, inTime))
  const isHome =
    before === undefined ||
    (job.planned !== undefined && before.ends_at + wayBetween(before.end, home, vehicle) <= starts_at)
  const from = isHome ? home : before.end
  const way = wayTo(job, from, person)
  const arrives_at = Math.max(starts_at + way, job.arriveFrom ?? 0)
  const ends_at = job.doneAt(arrives_at, person)
  return { person_id: person.id, from, starts_at, sets_off_at: arrives_at - way, arrives_at, ends_at }
}

/** In the first gap of a tasker's day that has room for the way, the work and the way back. */
function fromHome(
  person: DispatchWorker,
  taken: readonly AssignmentRecord[],
  job: DispatchJob,
): AssignmentTimes | undefined {
  const way = wayTo(job, person.home, person)
  const starts = [0, ...taken.map(({ ends_at }) => minuteAfter(ends_at) * MINUTE)]
    .map((free) => Math.max(job.from, free, (job.arriveFrom ?? 0) - way))
    .toSorted((a, b) => a - b)
  for (const starts_at of starts) {
    const arrives_at = starts_at + way
    const done = job.doneAt(arrives_at, person)
    if (done > (job.doneBy ?? Infinity)) return undefined
    const span = { starts_at, sets_off_at: starts_at, arrives_at, ends_at: done + way }
    const slot = { person_id: person.id, from: person.home, ...span }
    if (!taken.some((other) => overlaps(slot, other))) return slot
  }
  return undefined
}

function overlaps(
  a: Pick<AssignmentTimes, 'starts_at' | 'ends_at'>,
  b: Pick<AssignmentTimes, 'starts_at' | 'ends_at'>,
): boolean {
  return minuteOf(a.starts_at) < minuteAfter(b.ends_at) && minuteOf(b.starts_at) < minuteAfter(a.ends_at)
}

function wayTo({ site, shortestWay = 0 }: DispatchJob, from: Point, { vehicle }: DispatchWorker): number {
  return Math.max(shortestWay, travelSeconds(from, site, vehicle)) * SECOND
}

function wayBetween(from: Point, to: Point, vehicle: VehicleType): number {
  return isSamePoint(from, to) ? 0 : travelSeconds(from, to, vehicle) * SECOND
}

/** Keeps of a person's past the last job only: that is where the person is. */
async function deleteEarlierAssignments(
  tx: Tx,
  crew: WorkerKind,
  personId: string,
  at: number,
): Promise<void> {
  const rows = (await listAssignments(tx, crew)).get(personId) ?? []
  const past = rows.filter(({ ends_at }) => ends_at <= at).toSorted((a, b) => a.ends_at - b.ends_at)
  for (const { job_id } of past.slice(0, -1)) await deleteAssignment(tx, job_id)
}

function homeOf(people: readonly DispatchWorker[], personId: string): Point | undefined {
  return people.find(({ id }) => id === personId)?.home
}

function isSamePoint(a: Point, b: Point): boolean {
  return a.latitude === b.latitude && a.longitude === b.longitude
}
