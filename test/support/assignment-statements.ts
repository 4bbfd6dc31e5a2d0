/** Returns every statement about the jobs of drivers, couriers and taskers. */
import * as assignments from '../../src/areas/dispatch/queries.ts'
import type { Tx } from '../../src/core/db.ts'

export function assignmentStatements(
  now: number,
): (readonly [name: string, run: (tx: Tx) => Promise<unknown>])[] {
  const taken: assignments.AssignmentRecord = {
    job_id: 'rid_1',
    crew: 'driver',
    person_id: 'drv_1',
    starts_at: now,
    ends_at: now + 600_000,
    end: { latitude: 51.5, longitude: -0.1 },
  }
  return [
    ['insertAssignment', (tx) => assignments.insertAssignment(tx, taken)],
    ['listAssignments', (tx) => assignments.listAssignments(tx, 'driver')],
    ['findAssignment', (tx) => assignments.findAssignment(tx, 'rid_1')],
    ['shortenAssignment', (tx) => assignments.shortenAssignment(tx, { ...taken, ends_at: now + 1 })],
    ['renameAssignment', (tx) => assignments.renameAssignment(tx, 'rid_1', 'rid_1@1')],
    ['deleteAssignment', (tx) => assignments.deleteAssignment(tx, 'rid_1@1')],
  ]
}
