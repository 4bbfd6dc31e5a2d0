import type { Tx } from '../../core/db.ts'
import type { Point } from '../../core/geometry.ts'
import { pointOf, toE6 } from '../../store/nearby.ts'
import { defineTable } from '../../store/table.ts'

/** Who does jobs: drivers and couriers stay where a job ends, taskers go home. */
export type Crew = 'driver' | 'courier' | 'tasker'

/** The time that a job takes of a person, milliseconds. */
export type AssignmentRecord = {
  job_id: string
  crew: Crew
  person_id: string
  starts_at: number
  ends_at: number
  /** Where the person is afterwards. */
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
    end: pointOf('end_latitude_e6', 'end_longitude_e6'),
    end_latitude_e6: ({ end }) => toE6(end.latitude),
    end_longitude_e6: ({ end }) => toE6(end.longitude),
  },
  readsAll: true,
})

const MINUTE = 60_000

/** The minute that an instant lies in, counted from the epoch. */
export function minuteOf(instant: number): number {
  return Math.floor(instant / MINUTE)
}

/** The first whole minute that begins at an instant or after it. */
export function minuteAfter(instant: number): number {
  return Math.ceil(instant / MINUTE)
}

/** Every assignment of a crew that still matters, by person the earliest first. */
export async function listAssignments(tx: Tx, crew: Crew): Promise<Map<string, AssignmentRecord[]>> {
  const assignments = await ASSIGNMENTS.list(
    tx,
    'where crew = $1 order by person_id, starts_at, ends_at',
    crew,
  )
  return Map.groupBy(assignments, ({ person_id }) => person_id)
}

export async function findAssignment(tx: Tx, jobId: string): Promise<AssignmentRecord | undefined> {
  return ASSIGNMENTS.find(tx, jobId)
}

/**
 * Takes the minutes of a person for a job; false when another job has one of them, and then nothing is taken. Each
 * minute of a person is one row: its key lets one job have it.
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

/** Ends an assignment sooner, somewhere else: its later minutes are free. */
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

/** Names an assignment otherwise, so that its job can be given to somebody else. */
export async function renameAssignment(tx: Tx, jobId: string, name: string): Promise<void> {
  await tx.run('update assignments set job_id = $1 where job_id = $2', name, jobId)
  await tx.run('update assigned_minutes set job_id = $1 where job_id = $2', name, jobId)
}

/** Forgets an assignment, with all its minutes. */
export async function deleteAssignment(tx: Tx, jobId: string): Promise<void> {
  await tx.run('delete from assigned_minutes where job_id = $1', jobId)
  await tx.run('delete from assignments where job_id = $1', jobId)
}
