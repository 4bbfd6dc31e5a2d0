import type { Tx } from '../../core/db.ts'
import type { Point } from '../../core/geometry.ts'
import { pointColumns, toE6 } from '../../db/nearby.ts'
import { defineTable } from '../../db/table.ts'

/** The groups of workers. Drivers and couriers stay where a job ends; taskers go home. */
export type WorkerKind = 'driver' | 'courier' | 'tasker'

/** The time that a job takes of a worker. Milliseconds. */
export type AssignmentRecord = {
  job_id: string
  crew: WorkerKind
  person_id: string
  starts_at: number
  ends_at: number
  /** The worker's position after the job. */
  end: Point
}

const ASSIGNMENTS = defineTable<AssignmentRecord, 'end_latitude_e6' | 'end_longitude_e6'>({
  name: 'assignments',
  key: 'job_id',
  columns: {
    job_id: 'text',
    crew: 'text',
    person_id: 'text',
    starts_at: 'integer',
    ends_at: 'integer',
    end: pointColumns('end_latitude_e6', 'end_longitude_e6'),
    end_latitude_e6: ({ end }) => toE6(end.latitude),
    end_longitude_e6: ({ end }) => toE6(end.longitude),
  },
  readsAll: true,
})

const MINUTE = 60_000

/** Returns the minute of an instant, counted from the epoch. */
export function minuteOf(instant: number): number {
  return Math.floor(instant / MINUTE)
}

/** Returns the first whole minute that begins at an instant or after it. */
export function minuteAfter(instant: number): number {
  return Math.ceil(instant / MINUTE)
}

/** Returns every assignment of a crew that still matters, by worker, earliest first. */
export async function listAssignments(tx: Tx, crew: WorkerKind): Promise<Map<string, AssignmentRecord[]>> {
  const assignments = await ASSIGNMENTS.list(
    tx,
    'where crew = $1 order by person_id, starts_at, ends_at',
    crew,
  )
  return Map.groupBy(assignments, ({ person_id }) => person_id)
}

/** Returns where each of the first workers of a crew was left by the last job that has ended; the others are at home. */
export async function listLastEnds(
  tx: Tx,
  crew: 'driver' | 'courier',
  { at, limit }: { at: number; limit: number },
): Promise<Map<string, Point>> {
  const rows = await tx.all(
    `select (
       select a.job_id from assignments a
       where a.crew = $1 and a.person_id = p.${crew}_id and a.starts_at <= $2 and a.ends_at <= $2
       order by a.starts_at desc limit 1
     ) as job_id
     from ${crew}s p order by p.sort limit $3`,
    crew,
    at,
    limit,
  )
  const jobs = rows.flatMap(({ job_id }) => (typeof job_id === 'string' ? [job_id] : []))
  const last = await ASSIGNMENTS.findMany(tx, jobs)
  return new Map([...last.values()].map(({ person_id, end }) => [person_id, end]))
}

export async function findAssignment(tx: Tx, jobId: string): Promise<AssignmentRecord | undefined> {
  return ASSIGNMENTS.find(tx, jobId)
}

/**
 * Reserves the minutes of a worker for a job; returns false, and reserves none, when another job has one of them. Each
 * minute of a worker is one row, so its key allows one job only.
 */
export async function insertAssignment(tx: Tx, assignment: AssignmentRecord): Promise<boolean> {
  const { job_id, person_id, starts_at, ends_at } = assignment
  const first = minuteOf(starts_at)
  const count = Math.max(1, minuteAfter(ends_at) - first)
  const minutes = Array.from({ length: count }, (_, index) => [person_id, first + index, job_id])
  const got = await tx.insertMany('assigned_minutes', ['person_id', 'minute', 'job_id'], minutes, {
    ignoreConflicts: true,
  })
  if (got < count) {
    await tx.run('delete from assigned_minutes where job_id = $1', job_id)
    return false
  }
  await ASSIGNMENTS.insert(tx, [assignment])
  return true
}

/** Ends an assignment earlier and at another place: its later minutes are free again. */
export async function shortenAssignment(
  tx: Tx,
  { job_id, ends_at, end }: Pick<AssignmentRecord, 'job_id' | 'ends_at' | 'end'>,
): Promise<void> {
  await tx.run(
    'update assignments set ends_at = $1, end_latitude_e6 = $2, end_longitude_e6 = $3 where job_id = $4',
    ends_at,
    toE6(end.latitude),
    toE6(end.longitude),
    job_id,
  )
  await tx.run(
    'delete from assigned_minutes where job_id = $1 and minute >= $2',
    job_id,
    minuteAfter(ends_at),
  )
}

/** Changes the job id of an assignment, so that the job can be assigned to another worker. */
export async function renameAssignment(tx: Tx, jobId: string, name: string): Promise<void> {
  await tx.run('update assignments set job_id = $1 where job_id = $2', name, jobId)
  await tx.run('update assigned_minutes set job_id = $1 where job_id = $2', name, jobId)
}

/** Deletes an assignment with all its minutes. */
export async function deleteAssignment(tx: Tx, jobId: string): Promise<void> {
  await tx.run('delete from assigned_minutes where job_id = $1', jobId)
  await tx.run('delete from assignments where job_id = $1', jobId)
}
