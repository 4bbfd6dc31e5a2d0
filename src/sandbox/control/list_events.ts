import * as Type from 'typebox'
import { eventPosition } from '../../core/event-position-schema.ts'
import { strictObject, instant, describeField, component, nullable } from '../../core/schema.ts'
import { formatPosition, resolveEventPosition } from '../../db/event-positions.ts'
import { listRecordedEvents } from '../../db/events.ts'
import { runDueUntil } from './clock.ts'
import { defineControl } from './control.ts'

export const listEvents = defineControl({
  name: 'list_events',
  method: 'GET',
  path: '/sandbox/events',
  summary: 'List all status changes, oldest first',
  input: strictObject({
    after: Type.Optional(eventPosition('next_after of the response before; 0 for all events')),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Rows per page' }),
    ),
  }),
  output: strictObject({
    data: Type.Array(
      component('SandboxEvent', {
        seq: Type.Integer({ meaning: 'Position among all events' }),
        event_id: Type.String({ meaning: 'Event' }),
        occurred_at: describeField('Time', instant, 'Time'),
        type: Type.String({ meaning: 'Type of the change', label: 'Event' }),
        resource_id: Type.String({ meaning: 'Resource', label: 'ID' }),
        owner_id: Type.String({ meaning: 'Owner of the resource' }),
        from: nullable('Status before; null for a new resource', Type.String(), 'Old status'),
        to: Type.String({ meaning: 'Status after', label: 'New status' }),
        by: Type.String({ meaning: 'Account or part of the service that made the change', label: 'Actor' }),
        data: Type.Unsafe<Record<string, unknown>>({ type: 'object', meaning: 'Details of the change' }),
      }),
      { meaning: 'Events, oldest first' },
    ),
    has_more: Type.Boolean({ meaning: 'True if more events follow' }),
    next_after: Type.String({ description: 'Position of the last event in this response; opaque' }),
  }),
  errors: ['position_gone'],
  example: () => ({ limit: 3 }),
  cli: {
    command: 'sandbox events',
    danger: 'read',
    columns: ['occurred_at', 'type', 'resource_id', 'from', 'to', 'by'],
  },
  async run(context, { after = '0', limit = 100 }) {
    await runDueUntil(context)
    return context.read(async (tx, stored) => {
      const mark = await resolveEventPosition(tx, stored, after)
      const rows = await listRecordedEvents(tx, mark.seq, limit + 1)
      const data = rows.slice(0, limit).map((event) => ({ ...event, data: event.data ?? {} }))
      return {
        data,
        has_more: rows.length > limit,
        next_after: formatPosition(stored, data.at(-1) ?? mark),
      }
    })
  },
})
