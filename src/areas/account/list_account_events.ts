import * as Type from 'typebox'
import { typesFor } from '../../core/event-types.ts'
import { defineOperation } from '../../core/operation.ts'
import { closed, instant, means } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'
import { lastEventSeq, listShownEvents } from '../../store/events.ts'
import { EVENT_TYPES } from './webhooks.ts'

/** The events of the whole store that one call looks at. */
const LOOKED_AT = 500

export const listAccountEvents = defineOperation({
  name: 'list_account_events',
  area: 'account',
  toolset: 'events',
  summary: 'List your events after a position, oldest first',
  description:
    'Only types whose read scope the credential has. Without after: no events, only the present end.',
  details: 'Over HTTP, GET /v1/events/stream sends them as they happen.',
  method: 'GET',
  path: '/v1/events',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: closed({
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'last of the response before; 0 for all events',
      }),
    ),
  }),
  output: closed({
    data: Type.Array(
      closed({
        event_id: Type.String({ meaning: 'Event' }),
        position: Type.Integer({ meaning: 'Position' }),
        type: Type.String({ meaning: 'Event type' }),
        timestamp: means('Time of the event', instant),
        resource_id: Type.String({ meaning: 'Resource' }),
      }),
      { meaning: 'Events, oldest first' },
    ),
    last: Type.Integer({ meaning: 'Last position looked at; the next call gives it as after' }),
    has_more: Type.Boolean({ meaning: 'True if more events follow' }),
  }),
  errors: [],
  example: () => ({ after: 0 }),
  // The world goes on for a caller who waits for events.
  touches: () => ({}),
  cli: { command: 'webhooks events', danger: 'read', examples: ['dray webhooks events --after 0'] },
  async run({ tx, account, scopes }, { after }) {
    if (after === undefined) return { data: [], last: await lastEventSeq(tx), has_more: false }
    const events = await listShownEvents(tx, after, LOOKED_AT)
    return {
      data: events.flatMap((event) =>
        typesFor(EVENT_TYPES, { account, scopes }, event).map(({ type }) => ({
          event_id: event.event_id,
          position: event.seq,
          type,
          timestamp: toTimestamp(event.occurred_at),
          resource_id: event.resource_id,
        })),
      ),
      last: events.at(-1)?.seq ?? after,
      has_more: events.length === LOOKED_AT,
    }
  },
})
