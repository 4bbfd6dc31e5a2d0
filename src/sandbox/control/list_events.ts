import * as Type from 'typebox'
import { closed, instant, labelled, orNull } from '../../core/schema.ts'
import { listEvents as list } from '../../store/events.ts'
import { catchUp } from './clock.ts'
import { defineControl } from './control.ts'

export const listEvents = defineControl({
  name: 'list_events',
  method: 'GET',
  path: '/sandbox/events',
  summary: 'List all status changes, oldest first',
  input: closed({
    after: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Position of the last event already read' }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Rows per page' }),
    ),
  }),
  output: closed({
    data: Type.Array(
      closed({
        seq: Type.Integer(),
        event_id: Type.String(),
        occurred_at: labelled('Time', instant),
        type: Type.String({ label: 'Event' }),
        resource_id: Type.String({ label: 'ID' }),
        owner_id: Type.String(),
        from: labelled('Old status', orNull(Type.String())),
        to: Type.String({ label: 'New status' }),
        by: Type.String({ label: 'Actor' }),
        data: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
      }),
    ),
    has_more: Type.Boolean(),
    next_after: Type.Integer({ description: 'Position of the last event in this response' }),
  }),
  cli: {
    command: 'sandbox events',
    danger: 'read',
    columns: ['occurred_at', 'type', 'resource_id', 'from', 'to', 'by'],
  },
  async run(context, { after = 0, limit = 100 }) {
    await catchUp(context)
    return context.read(async (tx) => {
      const rows = await list(tx, after, limit + 1)
      const data = rows.slice(0, limit).map((event) => ({ ...event, data: event.data ?? {} }))
      return { data, has_more: rows.length > limit, next_after: data.at(-1)?.seq ?? after }
    })
  },
})
