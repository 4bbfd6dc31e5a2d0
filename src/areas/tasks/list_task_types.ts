import * as Type from 'typebox'
import { defineOperation } from '../../core/operation.ts'
import { CENTRE } from '../../core/places/service-area.ts'
import { resolveSearchPoint } from '../../core/places/words.ts'
import { nearParams, strictObject, paginated, paginationParams } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { qualifiedFor } from './lifecycle/staff.ts'
import { listTaskers, listTaskTypeRecords } from './queries/taskers.ts'
import { taskCategory, taskTypeView } from './schema.ts'

export const listTaskTypes = defineOperation({
  name: 'list_task_types',
  area: 'tasks',
  summary: 'List the task types available near a place',
  description:
    'Lists types with taskers available near the point. Default: the city centre. Each type has the JSON Schema of its requirements and its evidence rules.',
  method: 'GET',
  path: '/v1/tasks/types',
  scope: 'tasks.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    ...nearParams,
    category: Type.Optional(taskCategory),
    ...paginationParams,
  }),
  output: paginated(taskTypeView),
  errors: ['invalid_cursor', 'address_unresolvable'],
  brief: {
    usual:
      'task_type,category,name,description,requirements_schema,evidence.requirement_id,evidence.kind,evidence.label,typical_duration_minutes,base_price',
  },
  example: () => ({ category: 'retail_audit' }),
  cli: {
    command: 'tasks types',
    danger: 'read',
    flags: { 'latitude,longitude': 'near' },
    columns: [
      'task_type',
      'name',
      'category',
      'base_price',
      'typical_duration_minutes',
      'included_photos',
      'staffed.qualified_providers',
    ],
    next: 'dray tasks quote',
    examples: ['dray tasks types', 'dray tasks types --near kings-cross --category inspection --json'],
  },
  async run({ tx, now, cursor }, input) {
    const point = resolveSearchPoint(input, CENTRE)
    const taskers = await listTaskers(tx)
    const [after = 0] = cursor.after?.map(Number) ?? []
    const rows = (await listTaskTypeRecords(tx))
      .filter(({ sort, category }) => sort > after && (input.category ?? category) === category)
      .map((type) => ({ type, staff: qualifiedFor(type, point, taskers).length }))
      .filter(({ staff }) => staff > 0)
    return cursor.page(
      rows.slice(0, cursor.limit + 1),
      ({ type }) => [type.sort],
      ({ type: { task_type, category, doc }, staff }) => ({
        task_type,
        category,
        ...doc,
        staffed: { available: true, qualified_providers: staff, as_of: toTimestamp(now) },
      }),
    )
  },
})
