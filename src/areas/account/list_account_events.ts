import * as Type from 'typebox'
import { eventPosition } from '../../core/event-position-schema.ts'
import { typesFor } from '../../core/event-types.ts'
import { defineOperation } from '../../core/operation.ts'
import { strictObject, instant, describeField } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { findLastEvent, formatPosition, resolveEventPosition } from '../../db/event-positions.ts'
import { listShownEvents } from '../../db/events.ts'
import { loadWorld } from '../../db/world.ts'
import { EVENT_TYPES } from './webhooks.ts'

/** The events of the whole store that one call looks at. */
const LOOKED_AT = 500

export const listAccountEvents = defineOperation({
  name: 'list_account_events',
  area: 'account',
  toolset: 'events',
  summary: 'List your events after a position, oldest first',
  description:
    'Only types whose read scope the credential has. Without after: no events, only the present end. A position from before the store was reset or replaced is refused; first says where to begin.',
  details: 'Over HTTP, GET /v1/events/stream sends them as they happen.',
  method: 'GET',
  path: '/v1/events',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: strictObject({
    after: Type.Optional(eventPosition('last of the response before; 0 for all events')),
  }),
  output: strictObject({
    data: Type.Array(
      strictObject({
        event_id: Type.String({ meaning: 'Event' }),
        position: Type.String({ meaning: 'Position; opaque' }),
        type: Type.String({ meaning: 'Event type' }),
        timestamp: describeField('Time of the event', instant),
        resource_id: Type.String({ meaning: 'Resource' }),
      }),
      { meaning: 'Events, oldest first' },
    ),
    last: Type.String({ meaning: 'Last position looked at; the next call gives it as after' }),
    has_more: Type.Boolean({ meaning: 'True if more events follow' }),
  }),
  errors: ['position_gone'],
  example: () => ({ after: '0' }),
  // The world goes on for a caller who waits for events.
  touches: () => ({}),
  cli: { command: 'listen', danger: 'read' },
  async run({ tx, account, scopes }, { after }) {
    const stored = await loadWorld(tx)
    if (after === undefined)
      return { data: [], last: formatPosition(stored, await findLastEvent(tx)), has_more: false }
    const mark = await resolveEventPosition(tx, stored, after)
    const events = await listShownEvents(tx, mark.seq, LOOKED_AT)
    return {
      data: events.flatMap((event) =>
        typesFor(EVENT_TYPES, { account, scopes }, event).map(({ type }) => ({
          event_id: event.event_id,
          position: formatPosition(stored, event),
          type,
          timestamp: toTimestamp(event.occurred_at),
          resource_id: event.resource_id,
        })),
      ),
      last: formatPosition(stored, events.at(-1) ?? mark),
      has_more: events.length === LOOKED_AT,
    }
  },
})
