import type { Contact } from '../../../core/address.ts'
import type { Row, Tx } from '../../../core/db.ts'
import type { Money } from '../../../core/money.ts'
import type { ResolvedPlace } from '../../../core/places/place.ts'
import type { Span } from '../../../core/time.ts'
import type { Leg } from '../../couriers/store/deliveries.ts'
import type { EvidenceItem, Flaw } from '../rules/evidence.ts'
import type { EvidenceRequirement, TaskFailureReason, TaskLine, Urgency } from '../rules/task.ts'
import type { TaskCancelReason, TaskStatus } from '../states.ts'
import type { TaskerRecord } from './taskers.ts'

/** The priced inputs of a task, and all that its quote shows. Times in milliseconds. */
export type TaskQuoteDoc = {
  task_type: string
  task_name: string
  place: ResolvedPlace
  window: Span
  urgency: Urgency
  estimated_minutes: number | null
  requirements: Record<string, unknown> | null
  evidence_rules: EvidenceRequirement[]
  lines: TaskLine[]
  total: Money
  tax_included: Money
  callout_fee: Money
  qualified_provider_count: number
  earliest_start_at: number
}

/** The tasker who will do a task, and when that one sets off and arrives. Milliseconds. */
export type ReservedTasker = { tasker: TaskerRecord; starts_at: number; arrives_at: number }

/** What a task holds beyond its searchable columns. Times in milliseconds. */
export type TaskDoc = Pick<
  TaskQuoteDoc,
  'task_name' | 'place' | 'window' | 'urgency' | 'evidence_rules' | 'tax_included' | 'callout_fee'
> & {
  requirements: Record<string, unknown>
  /** How long the work takes at least; absent where nobody asked for minutes. */
  work_minutes?: number
  instructions: string | null
  contact: Contact | null
  price: Money
  /** Who does it, from before that tasker has accepted until the work begins. */
  reserved?: ReservedTasker | null
  /** The taskers who gave it up. */
  given_up_by?: string[]
  provider: TaskerRecord | null
  leg: Leg | null
  eta_at: number | null
  /** How often a provider gave it back. */
  drops: number
  /** 1 at first; 2 once what was rejected has to be captured again. */
  pass: number
  /** How many items there are. */
  sequence: number
  /** The last pass in which its scenario spoilt a picture. */
  spoilt: number
  /** The requirements still to be captured for in this pass, one entry an item. */
  todo: string[]
  assigned_at: number | null
  started_at: number | null
  completed_at: number | null
  result: {
    outcome: 'success' | 'failed'
    failure_reason: TaskFailureReason | null
    notes: string | null
  } | null
  cancellation: { by: 'customer'; reason_code: TaskCancelReason; note: string | null; at: number } | null
  history: {
    status: TaskStatus
    at: number
    by: 'customer' | 'provider' | 'system'
    reason: string | null
  }[]
  scenario: { name: string; options: Record<string, string> } | null
}

export type TaskRecord = {
  task_id: string
  seq: number
  ordinal: number
  account_id: string
  quote_id: string
  status: TaskStatus
  task_type: string
  tasker_id: string | null
  created_at: number
  updated_at: number
  doc: TaskDoc
}

/** A piece of evidence with what only a reviewer sees. */
export type EvidenceRecord = { task_id: string; sequence: number; item: EvidenceItem; flaw: Flaw }

const COLUMNS = [
  'task_id',
  'seq',
  'ordinal',
  'account_id',
  'quote_id',
  'status',
  'task_type',
  'tasker_id',
  'created_at',
  'updated_at',
  'doc',
] as const

const SELECT = `select ${COLUMNS.join(', ')} from tasks`

/** Ids of one `in (…)`: few lengths of list, so that few statements are kept. */
const CHUNK = 100

export async function insertTask(tx: Tx, task: TaskRecord): Promise<void> {
  await tx.insertMany('tasks', COLUMNS, [
    COLUMNS.map((column) => (column === 'doc' ? JSON.stringify(task.doc) : task[column])),
  ])
}

export async function findTask(tx: Tx, taskId: string): Promise<TaskRecord | undefined> {
  const row = await tx.get(`${SELECT} where task_id = $1`, taskId)
  return row && toTask(row)
}

/** As `findTask`, for a change: another one waits until this transaction ends. */
export async function lockTask(tx: Tx, taskId: string): Promise<TaskRecord | undefined> {
  const row = await tx.get(`${SELECT} where task_id = $1 ${tx.forUpdate}`, taskId)
  return row && toTask(row)
}

/** Locks those of the tasks that exist, in one order, so that two that lock many never wait for each other. */
export async function lockTasks(
  tx: Tx,
  taskIds: readonly string[],
  { skipLocked }: { skipLocked: boolean },
): Promise<Set<string>> {
  const locked = new Set<string>()
  const sorted = [...new Set(taskIds)].toSorted()
  for (let start = 0; start < sorted.length; start += CHUNK) {
    const chunk = sorted.slice(start, start + CHUNK)
    const places = chunk.map((_, index) => `$${index + 1}`).join(', ')
    const rows = await tx.all(
      `select task_id from tasks where task_id in (${places})
       order by task_id ${tx.forUpdate} ${skipLocked ? tx.skipLocked : ''}`,
      ...chunk,
    )
    for (const row of rows) locked.add(String(row['task_id']))
  }
  return locked
}

/** Writes what a task's life can change. */
export async function updateTask(
  tx: Tx,
  { task_id, status, tasker_id, updated_at, doc }: TaskRecord,
): Promise<void> {
  await tx.run(
    'update tasks set status = $1, tasker_id = $2, updated_at = $3, doc = $4 where task_id = $5',
    status,
    tasker_id,
    updated_at,
    JSON.stringify(doc),
    task_id,
  )
}

export async function insertEvidence(
  tx: Tx,
  { task_id, sequence, item, flaw }: EvidenceRecord,
): Promise<void> {
  await tx.insertMany(
    'evidence_items',
    ['evidence_id', 'task_id', 'sequence', 'requirement_id', 'status', 'doc'],
    [[item.evidence_id, task_id, sequence, item.requirement_id, item.status, toDoc(item, flaw)]],
  )
}

/** What has been brought back so far, oldest first. */
export async function listEvidence(tx: Tx, taskId: string): Promise<EvidenceRecord[]> {
  const rows = await tx.all(
    'select task_id, sequence, status, doc from evidence_items where task_id = $1 order by sequence',
    taskId,
  )
  return rows.map(toEvidence)
}

/** Says what became of an item: nothing else of it ever changes. */
export async function updateEvidence(tx: Tx, { item, flaw }: EvidenceRecord): Promise<void> {
  await tx.run(
    'update evidence_items set status = $2, doc = $3 where evidence_id = $1',
    item.evidence_id,
    item.status,
    toDoc(item, flaw),
  )
}

function toDoc(whole: EvidenceItem, flaw: Flaw): string {
  const { status: _, ...item } = whole
  return JSON.stringify({ item, flaw })
}

function toEvidence(row: Row): EvidenceRecord {
  const { item, flaw } = JSON.parse(String(row['doc'])) as {
    item: Omit<EvidenceItem, 'status'>
    flaw: Flaw
  }
  return {
    task_id: String(row['task_id']),
    sequence: Number(row['sequence']),
    item: { ...item, status: String(row['status']) as EvidenceItem['status'] },
    flaw,
  }
}

/** Every task in one of these states, whoever's. */
export async function listTasksIn(tx: Tx, statuses: readonly TaskStatus[]): Promise<TaskRecord[]> {
  const rows = await tx.all(
    `${SELECT} where status in (${statuses.map((_, index) => `$${index + 1}`).join(', ')}) order by seq`,
    ...statuses,
  )
  return rows.map(toTask)
}

function toTask(row: Row): TaskRecord {
  return {
    task_id: String(row['task_id']),
    seq: Number(row['seq']),
    ordinal: Number(row['ordinal']),
    account_id: String(row['account_id']),
    quote_id: String(row['quote_id']),
    status: String(row['status']) as TaskStatus,
    task_type: String(row['task_type']),
    tasker_id: typeof row['tasker_id'] === 'string' ? row['tasker_id'] : null,
    created_at: Number(row['created_at']),
    updated_at: Number(row['updated_at']),
    doc: JSON.parse(String(row['doc'])) as TaskDoc,
  }
}
