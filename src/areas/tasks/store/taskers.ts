import type { Row, Tx } from '../../../core/db.ts'
import type { Point } from '../../../core/geometry.ts'
import type { Money } from '../../../core/money.ts'
import type { VehicleType } from '../../../core/travel.ts'
import type { EvidenceRequirement, TaskCategory } from '../rules/task.ts'

/** Somebody who can be sent. */
export type TaskerRecord = {
  tasker_id: string
  sort: number
  name: string
  /** E.164; shown masked only. */
  phone: string
  rating_tenths: number
  vehicle_type: VehicleType
  home: Point
  qualifications: string[]
}

/** What can be asked for (`contract.md` B7). */
export type TaskTypeRecord = {
  task_type: string
  sort: number
  category: TaskCategory
  doc: {
    name: string
    description: string
    /** JSON Schema 2020-12 of an object. */
    requirements_schema: Record<string, unknown>
    evidence: EvidenceRequirement[]
    typical_duration_minutes: number
    base_price: Money
    included_photos: number
    /** How far from home somebody is sent, as the crow flies. */
    max_distance_m: number
    qualifications: string[]
  }
}

export async function insertTaskers(tx: Tx, taskers: readonly TaskerRecord[]): Promise<void> {
  await tx.insertMany(
    'taskers',
    ['tasker_id', 'sort', 'doc'],
    taskers.map(({ tasker_id, sort, ...doc }) => [tasker_id, sort, JSON.stringify(doc)]),
  )
}

/** The market's taskers, in the fixture's order; those hired for one task are left out. */
export async function listTaskers(tx: Tx): Promise<TaskerRecord[]> {
  return (await tx.all('select tasker_id, sort, doc from taskers where sort > 0 order by sort')).map(toTasker)
}

export async function insertTaskTypes(tx: Tx, types: readonly TaskTypeRecord[]): Promise<void> {
  await tx.insertMany(
    'task_types',
    ['task_type', 'sort', 'category', 'doc'],
    types.map(({ task_type, sort, category, doc }) => [task_type, sort, category, JSON.stringify(doc)]),
  )
}

/** All of them, in the fixture's order. */
export async function listTaskTypes(tx: Tx): Promise<TaskTypeRecord[]> {
  return (await tx.all('select task_type, sort, category, doc from task_types order by sort')).map(toTaskType)
}

export async function findTaskType(tx: Tx, taskType: string): Promise<TaskTypeRecord | undefined> {
  const row = await tx.get(
    'select task_type, sort, category, doc from task_types where task_type = $1',
    taskType,
  )
  return row && toTaskType(row)
}

function toTasker(row: Row): TaskerRecord {
  return {
    tasker_id: String(row['tasker_id']),
    sort: Number(row['sort']),
    ...(JSON.parse(String(row['doc'])) as Omit<TaskerRecord, 'tasker_id' | 'sort'>),
  }
}

function toTaskType(row: Row): TaskTypeRecord {
  return {
    task_type: String(row['task_type']),
    sort: Number(row['sort']),
    category: String(row['category']) as TaskCategory,
    doc: JSON.parse(String(row['doc'])) as TaskTypeRecord['doc'],
  }
}
