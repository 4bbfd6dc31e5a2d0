import type { Row, Tx } from '../../core/db.ts'
import type { Point } from '../../core/geometry.ts'

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
  const rows = await tx.all(
    `select job_id, crew, person_id, starts_at, ends_at, end_latitude_e6, end_longitude_e6 from assignments
     where crew = $1 order by person_id, starts_at, ends_at`,
    crew,
  )
  return Map.groupBy(rows.map(toAssignment), ({ person_id }) => person_id)
}

export async function findAssignment(tx: Tx, jobId: string): Promise<AssignmentRecord | undefined> {
  const row = await tx.get(
    `select job_id, crew, person_id, starts_at, ends_at, end_latitude_e6, end_longitude_e6 from assignments
     where job_id = $1`,
    jobId,
  )
  return row && toAssignment(row)
}

/**
 * Takes the minutes of a person for a job; false when another job has one of them, and then nothing is taken. Each
 * minute of a person is one row: its key lets one job have it.
 */
export async function insertAssignment(tx: Tx, assignment: AssignmentRecord): Promise<boolean> {
  const { job_id, crew, person_id, starts_at, ends_at, end } = assignment
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
  await tx.insertMany(
    'assignments',
    ['job_id', 'crew', 'person_id', 'starts_at', 'ends_at', 'end_latitude_e6', 'end_longitude_e6'],
    [[job_id, crew, person_id, starts_at, ends_at, toE6(end.latitude), toE6(end.longitude)]],
  )
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

function toE6(degrees: number): number {
  return Math.round(degrees * 1e6)
}

function toAssignment(row: Row): AssignmentRecord {
  return {
    job_id: String(row['job_id']),
    crew: String(row['crew']) as Crew,
    person_id: String(row['person_id']),
    starts_at: Number(row['starts_at']),
    ends_at: Number(row['ends_at']),
    end: {
      latitude: Number(row['end_latitude_e6']) / 1e6,
      longitude: Number(row['end_longitude_e6']) / 1e6,
    },
  }
}
