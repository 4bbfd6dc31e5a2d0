import type { Contact } from '../../../core/address.ts'
import type { Tx } from '../../../core/db.ts'
import type { Money } from '../../../core/money.ts'
import type { ResolvedPlace } from '../../../core/places/place.ts'
import type { TimeWindow } from '../../../core/time.ts'
import { defineTable, formatPlaceholders } from '../../../db/table.ts'
import type { Leg } from '../../couriers/queries/deliveries.ts'
import type { EvidenceItem, Flaw } from '../rules/evidence.ts'
import type { EvidenceRequirement, TaskFailureReason, TaskPriceLine, Urgency } from '../rules/task.ts'
import type { TaskCancelReason, TaskStatus } from '../states.ts'
import type { TaskerRecord } from './taskers.ts'

/** The priced inputs of a task, and everything that its quote shows. Times in milliseconds. */
export type TaskQuoteDoc = {
  task_type: string
  task_name: string
  place: ResolvedPlace
  window: TimeWindow
  urgency: Urgency
  estimated_minutes: number | null
  requirements: Record<string, unknown> | null
  evidence_rules: EvidenceRequirement[]
  lines: TaskPriceLine[]
  total: Money
  tax_included: Money
  callout_fee: Money
  qualified_provider_count: number
  earliest_start_at: number
}

/** The tasker who will do a task, with the times of setting off and arrival in milliseconds. */
export type ReservedTasker = { tasker: TaskerRecord; starts_at: number; arrives_at: number }

/** The fields of a task that are not searchable columns. Times in milliseconds. */
export type TaskDoc = Pick<
  TaskQuoteDoc,
  'task_name' | 'place' | 'window' | 'urgency' | 'evidence_rules' | 'tax_included' | 'callout_fee'
> & {
  requirements: Record<string, unknown>
  /** The least minutes of work; absent when no minutes were requested. */
  work_minutes?: number
  instructions: string | null
  contact: Contact | null
  price: Money
  /** Absent in older tasks. */
  lines?: TaskPriceLine[]
  /** The tasker from the reservation until the work begins. */
  reserved?: ReservedTasker | null
  /** The taskers who gave it back. */
  given_up_by?: string[]
  provider: TaskerRecord | null
  leg: Leg | null
  eta_at: number | null
  /** The number of times that a provider gave it back. */
  drops: number
  /** 1 at first; 2 when rejected evidence has to be captured again. */
  pass: number
  /** The number of items. */
  sequence: number
  /** The last pass in which the scenario spoilt a picture. */
  spoilt: number
  /** The requirements to capture in this pass, one entry for each item. */
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

/** A piece of evidence with the flaw that only a reviewer sees. */
export type EvidenceRecord = { task_id: string; sequence: number; item: EvidenceItem; flaw: Flaw }

const TASKS = defineTable<TaskRecord>({
  name: 'tasks',
  key: 'task_id',
  columns: {
    task_id: 'text',
    seq: 'integer',
    ordinal: 'integer',
    account_id: 'text',
    quote_id: 'text',
    status: 'text',
    task_type: 'text',
    tasker_id: 'text or null',
    created_at: 'integer',
    updated_at: 'integer',
    doc: 'json',
  },
  changing: ['status', 'tasker_id', 'updated_at', 'doc'],
})

/** An item without its status, which has its own column. */
type EvidenceDoc = { item: Omit<EvidenceItem, 'status'>; flaw: Flaw }
type EvidenceRow = {
  task_id: string
  sequence: number
  status: EvidenceItem['status']
  doc: EvidenceDoc
}

const EVIDENCE = defineTable<EvidenceRow, 'evidence_id' | 'requirement_id'>({
  name: 'evidence_items',
  key: 'evidence_id',
  columns: {
    evidence_id: ({ doc }) => doc.item.evidence_id,
    task_id: 'text',
    sequence: 'integer',
    requirement_id: ({ doc }) => doc.item.requirement_id,
    status: 'text',
    doc: 'json',
  },
})

export async function insertTask(tx: Tx, task: TaskRecord): Promise<void> {
  await TASKS.insert(tx, [task])
}

export async function findTask(tx: Tx, taskId: string): Promise<TaskRecord | undefined> {
  return TASKS.find(tx, taskId)
}

/** Returns those of the tasks that exist, by id. */
export async function findTasks(tx: Tx, taskIds: readonly string[]): Promise<Map<string, TaskRecord>> {
  return TASKS.findMany(tx, taskIds)
}

/** Locks and reads a task for a change: another change waits until this transaction ends. */
export async function lockTask(tx: Tx, taskId: string): Promise<TaskRecord | undefined> {
  return TASKS.lock(tx, taskId)
}

/** Locks those of the tasks that exist, always in the same order: two such calls cannot deadlock. */
export async function lockTasks(
  tx: Tx,
  taskIds: readonly string[],
  options: { skipLocked: boolean },
): Promise<Set<string>> {
  return TASKS.lockMany(tx, taskIds, options)
}

/** Writes the fields of a task that can change. */
export async function updateTask(tx: Tx, task: TaskRecord): Promise<void> {
  await TASKS.update(tx, task)
}

/** Returns every task in one of these statuses, of all accounts. */
export async function listTasksIn(tx: Tx, statuses: readonly TaskStatus[]): Promise<TaskRecord[]> {
  return TASKS.list(tx, `where status in (${formatPlaceholders(statuses.length)}) order by seq`, ...statuses)
}

export async function insertEvidence(
  tx: Tx,
  { task_id, sequence, item, flaw }: EvidenceRecord,
): Promise<void> {
  await EVIDENCE.insert(tx, [{ task_id, sequence, status: item.status, doc: toDoc(item, flaw) }])
}

/** Returns the evidence collected so far, oldest first. */
export async function listEvidence(tx: Tx, taskId: string): Promise<EvidenceRecord[]> {
  const rows = await EVIDENCE.list(tx, 'where task_id = $1 order by sequence', taskId)
  return rows.map(({ task_id, sequence, status, doc: { item, flaw } }) => ({
    task_id,
    sequence,
    item: { ...item, status },
    flaw,
  }))
}

/** Writes the status of an item; its other fields never change. */
export async function updateEvidence(tx: Tx, { item, flaw }: EvidenceRecord): Promise<void> {
  await tx.run(
    'update evidence_items set status = $2, doc = $3 where evidence_id = $1',
    item.evidence_id,
    item.status,
    JSON.stringify(toDoc(item, flaw)),
  )
}

function toDoc(whole: EvidenceItem, flaw: Flaw): EvidenceDoc {
  const { status: _, ...item } = whole
  return { item, flaw }
}
