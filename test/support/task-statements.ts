/**
 * Returns every statement about tasks, for the test that runs all of them on both engines. Needs the account `acc_1`.
 */
import { insertQuote } from '../../src/areas/quotes/queries.ts'
import * as taskers from '../../src/areas/tasks/queries/taskers.ts'
import * as tasks from '../../src/areas/tasks/queries/tasks.ts'
import type { EvidenceItem } from '../../src/areas/tasks/rules/evidence.ts'
import type { Tx } from '../../src/core/db.ts'

type Statements = readonly (readonly [name: string, run: (tx: Tx) => Promise<unknown>])[]

function makeTasker(index: number): taskers.TaskerRecord {
  return {
    tasker_id: `tkr_${index}`,
    sort: index,
    name: 'Zoë',
    phone: '+447700900201',
    rating_tenths: 49,
    vehicle_type: 'bicycle',
    home: { latitude: 51.5, longitude: -0.1 },
    qualifications: ['retail'],
  }
}

/** Documents are text for the store. */
function makeType(index: number): taskers.TaskTypeRecord {
  return {
    task_type: `type_${index}`,
    sort: index,
    category: 'errand',
    doc: { name: 'Überprüfung' } as taskers.TaskTypeRecord['doc'],
  }
}

function makeTask(at: number, index: number): tasks.TaskRecord {
  return {
    task_id: `tsk_${index}`,
    seq: 980 + index,
    ordinal: index,
    account_id: 'acc_1',
    quote_id: `quo_task_${index}`,
    status: 'created',
    task_type: 'type_1',
    tasker_id: null,
    created_at: at + index,
    updated_at: at + index,
    doc: { instructions: 'l’étage' } as tasks.TaskDoc,
  }
}

function makeEvidence(sequence: number): tasks.EvidenceRecord {
  const item = { evidence_id: `evd_${sequence}`, requirement_id: 'photos', status: 'pending_review' }
  return { task_id: 'tsk_1', sequence, item: item as EvidenceItem, flaw: sequence === 1 ? 'blurry' : null }
}

export function taskStatements(now: number): Statements {
  const quote = (index: number) => ({
    quote_id: `quo_task_${index}`,
    account_id: 'acc_1',
    kind: 'task' as const,
    created_at: now,
    expires_at: now + 900_000,
    used_by: null,
    doc: {},
  })
  const judged = makeEvidence(1)
  judged.item.status = 'rejected'
  return [
    ['insertTaskers', (tx) => taskers.insertTaskers(tx, [makeTasker(2), makeTasker(1)])],
    ['listTaskers', taskers.listTaskers],
    ['insertTaskTypes', (tx) => taskers.insertTaskTypes(tx, [makeType(2), makeType(1)])],
    ['listTaskTypeRecords', taskers.listTaskTypeRecords],
    ['findTaskType', (tx) => taskers.findTaskType(tx, 'type_2')],
    ['findTaskType', (tx) => taskers.findTaskType(tx, 'type_9')],
    ...[1, 2].flatMap((index) => [
      ['insertQuote', (tx: Tx) => insertQuote(tx, quote(index))] as const,
      ['insertTask', (tx: Tx) => tasks.insertTask(tx, makeTask(now, index))] as const,
    ]),
    ['findTask', (tx) => tasks.findTask(tx, 'tsk_1')],
    ['findTask', (tx) => tasks.findTask(tx, 'tsk_9')],
    ['listTasksIn', (tx) => tasks.listTasksIn(tx, ['created', 'assigned'])],
    ['lockTask', (tx) => tasks.lockTask(tx, 'tsk_2')],
    ['lockTasks', (tx) => tasks.lockTasks(tx, ['tsk_2', 'tsk_9', 'tsk_1'], { skipLocked: false })],
    ['lockTasks', (tx) => tasks.lockTasks(tx, ['tsk_1'], { skipLocked: true })],
    [
      'updateTask',
      (tx) =>
        tasks.updateTask(tx, {
          ...makeTask(now, 1),
          status: 'assigned',
          tasker_id: 'tkr_1',
          updated_at: now + 9,
        }),
    ],
    ['findTask', (tx) => tasks.findTask(tx, 'tsk_1')],
    ['insertEvidence', (tx) => tasks.insertEvidence(tx, makeEvidence(2))],
    ['insertEvidence', (tx) => tasks.insertEvidence(tx, makeEvidence(1))],
    ['listEvidence', (tx) => tasks.listEvidence(tx, 'tsk_1')],
    ['updateEvidence', (tx) => tasks.updateEvidence(tx, judged)],
    ['listEvidence', (tx) => tasks.listEvidence(tx, 'tsk_1')],
  ]
}
