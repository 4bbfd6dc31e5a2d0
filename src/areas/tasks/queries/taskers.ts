import type { Tx } from '../../../core/db.ts'
import type { Point } from '../../../core/geometry.ts'
import type { Money } from '../../../core/money.ts'
import type { VehicleType } from '../../../core/travel.ts'
import { defineDocTable, defineTable } from '../../../db/table.ts'
import type { EvidenceRequirement, TaskCategory } from '../rules/task.ts'

/** A person who does tasks. */
export type TaskerRecord = {
  tasker_id: string
  sort: number
  name: string
  /** E.164; only shown masked. */
  phone: string
  rating_tenths: number
  vehicle_type: VehicleType
  home: Point
  qualifications: string[]
}

/** A kind of task that can be requested. */
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
    /** The longest distance from a tasker's home, as the crow flies. */
    max_distance_m: number
    qualifications: string[]
  }
}

const TASKERS = defineDocTable<TaskerRecord, 'tasker_id' | 'sort'>({
  name: 'taskers',
  key: 'tasker_id',
  columns: { tasker_id: 'text', sort: 'integer' },
})

const TASK_TYPES = defineTable<TaskTypeRecord>({
  name: 'task_types',
  key: 'task_type',
  columns: { task_type: 'text', sort: 'integer', category: 'text', doc: 'json' },
})

export async function insertTaskers(tx: Tx, taskers: readonly TaskerRecord[]): Promise<void> {
  await TASKERS.insert(tx, taskers)
}

/** Returns the market's taskers, in the fixture's order, without those hired for a single task. */
export async function listTaskers(tx: Tx): Promise<TaskerRecord[]> {
  return TASKERS.list(tx, 'where sort > 0 order by sort')
}

export async function insertTaskTypes(tx: Tx, types: readonly TaskTypeRecord[]): Promise<void> {
  await TASK_TYPES.insert(tx, types)
}

/** Returns all task types, in the fixture's order. */
export async function listTaskTypeRecords(tx: Tx): Promise<TaskTypeRecord[]> {
  return TASK_TYPES.list(tx, 'order by sort')
}

export async function findTaskType(tx: Tx, taskType: string): Promise<TaskTypeRecord | undefined> {
  return TASK_TYPES.find(tx, taskType)
}
