import * as Type from 'typebox'
import { withoutNulls } from '../../core/nulls.ts'
import { defineOperation } from '../../core/operation.ts'
import { assertPlaces, strictObject, describeField, placeField } from '../../core/schema.ts'
import { parseTimestamp } from '../../core/time.ts'
import { saveQuote } from '../quotes/lifecycle.ts'
import { loadTaskType, priceTaskRequest } from './lifecycle/quote.ts'
import { assertRequirements } from './requirements.ts'
import { evidenceRules, openObject, taskQuoteSchema, taskType, urgency } from './schema.ts'
import { serializeTaskQuote } from './views.ts'

export const quoteTask = defineOperation({
  name: 'quote_task',
  area: 'tasks',
  summary: 'Price a task and check that a tasker is available',
  description:
    'Returns all parts of the price and a quote_id valid for 15 minutes. Show the price to the customer, then create the task. Creates nothing.',
  method: 'POST',
  path: '/v1/tasks/quote',
  scope: 'tasks.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    task_type: taskType,
    place: describeField('Place', placeField),
    window: Type.Optional(
      strictObject(
        {
          starts_at: Type.String({ format: 'date-time', description: 'Earliest time' }),
          ends_at: Type.String({ format: 'date-time', description: 'Deadline' }),
        },
        { description: 'Time window, at least 30 minutes. Default: the next 24 hours' },
      ),
    ),
    urgency: Type.Optional(urgency),
    requirements: Type.Optional(
      openObject(
        'Task details, per the type’s requirements_schema; can also be given when the task is created',
      ),
    ),
    evidence_rules: Type.Optional(evidenceRules),
    estimated_minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1440, description: 'Duration in minutes' }),
    ),
  }),
  output: taskQuoteSchema,
  errors: [
    'task_type_not_found',
    'no_qualified_provider',
    'outside_service_area',
    'address_unresolvable',
    'requirements_invalid',
    'evidence_rules_invalid',
    'window_invalid',
  ],
  example: () => ({
    task_type: 'shelf_audit',
    place: { location: { latitude: 51.5129, longitude: -0.0864 }, name: 'Leadenhall' },
    requirements: { store_name: 'Goosefoot Grocers', products: ['Oat milk 1 l'] },
  }),
  cli: {
    command: 'tasks quote',
    danger: 'read',
    columns: ['quote_id', 'task_name', 'total', 'expires_at'],
  },
  async run(context, input) {
    const { tx, world, now, account } = context
    assertPlaces({ '/place': input.place })
    const type = await loadTaskType(tx, input.task_type)
    const requirements = withoutNulls(type.doc.requirements_schema, input.requirements)
    if (requirements !== undefined) await assertRequirements(context, type, requirements)
    const { window } = input
    const doc = await priceTaskRequest({ tx, world, at: now }, type, {
      place: input.place,
      window: window && {
        starts_at: parseTimestamp(window.starts_at) ?? 0,
        ends_at: parseTimestamp(window.ends_at) ?? 0,
      },
      urgency: input.urgency ?? 'standard',
      requirements: requirements ?? null,
      evidence_rules: input.evidence_rules ?? [],
      estimated_minutes: input.estimated_minutes ?? null,
    })
    return serializeTaskQuote(
      await saveQuote({ tx, world, at: now }, account.account_id, 'task', doc),
      account,
    )
  },
})
