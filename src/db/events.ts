import type { Tx } from '../core/db.ts'
import { sandboxId } from '../core/ids.ts'
import { toTimestamp } from '../core/time.ts'
import type { WorldSettings } from '../core/world.ts'
import { nextOrdinal, nextSeq } from './counters.ts'
import { defineDocTable, defineRow } from './table.ts'
import { readIntegerColumn } from './values.ts'

/** One state change, as recorded (docs/rules/requests.md#each-change-of-a-status-is-one-event). */
export type DomainEvent = {
  /** `<resource>.<what happened>`, e.g. `shipment.delivered`. */
  type: string
  resource_id: string
  /** The account or agreement that may see it. */
  owner_id: string
  occurred_at: number
  from: string | null
  to: string
  by: string
  data?: Record<string, unknown>
}

export type RecordedEvent = Omit<DomainEvent, 'occurred_at'> & {
  seq: number
  event_id: string
  occurred_at: string
}

type NewEvent = DomainEvent & { seq: number; event_id: string }

const EVENTS = defineDocTable<
  RecordedEvent,
  'seq' | 'event_id' | 'occurred_at' | 'type' | 'resource_id' | 'owner_id',
  never,
  NewEvent
>({
  name: 'events',
  key: 'event_id',
  columns: {
    seq: 'integer',
    event_id: 'text',
    occurred_at: {
      from: (row) => toTimestamp(readIntegerColumn(row, 'occurred_at')),
      to: ({ occurred_at }) => occurred_at,
    },
    type: 'text',
    resource_id: 'text',
    owner_id: 'text',
  },
})

const toCount = defineRow<{ type: string; count: number }>({ type: 'text', count: ['integer', 'n'] })

/**
 * Appends events to the outbox in the given order, and returns the sequence number of the first. Call it in the transaction
 * of the change itself.
 */
export async function appendEvents(
  tx: Tx,
  world: WorldSettings,
  now: number,
  events: readonly DomainEvent[],
): Promise<number> {
  if (events.length === 0) return 0
  const seq = await nextSeq(tx, now, events.length)
  const ordinal = await nextOrdinal(tx, 'event', events.length)
  await EVENTS.insert(
    tx,
    events.map(({ from, to, by, data = {}, ...event }, index) => ({
      ...event,
      seq: seq + index,
      event_id: sandboxId(
        'evt',
        { seed: world.seed, ordinal: ordinal + index, at: event.occurred_at },
        'event',
      ),
      from,
      to,
      by,
      data,
    })),
  )
  return seq
}

/** Returns the events after a sequence number, oldest first. */
export async function listRecordedEvents(tx: Tx, after: number, limit: number): Promise<RecordedEvent[]> {
  return EVENTS.list(tx, 'where seq > $1 order by seq limit $2', after, limit)
}

/** Returns the events of a resource after a sequence number, oldest first. */
export async function listEventsOf(tx: Tx, resourceId: string, after: number): Promise<RecordedEvent[]> {
  return EVENTS.list(tx, 'where resource_id = $1 and seq > $2 order by seq', resourceId, after)
}

/** Returns the last events, newest first. */
export async function listLastEvents(tx: Tx, limit: number): Promise<RecordedEvent[]> {
  return EVENTS.list(tx, 'order by seq desc limit $1', limit)
}

/** Returns the sequence number of the last event; 0 when there is none. */
export async function lastEventSeq(tx: Tx): Promise<number> {
  const row = await tx.get('select seq from events order by seq desc limit 1')
  return row === undefined ? 0 : readIntegerColumn(row, 'seq')
}

/** Returns the number of events of each type after a sequence number. */
export async function countEvents(tx: Tx, after: number): Promise<{ type: string; count: number }[]> {
  const rows = await tx.all(
    'select type, count(*) as n from events where seq > $1 group by type order by type',
    after,
  )
  return rows.map(toCount)
}

/** An event as a page may be told of it: what happened to which resource, and who may see that. */
export type ShownEvent = {
  seq: number
  event_id: string
  occurred_at: number
  type: string
  resource_id: string
  owner_id: string
  /** The order that it is about, and the agreement of that order's store. */
  order_id: string | null
  counterparty_id: string | null
}

const toShown = defineRow<ShownEvent>({
  seq: 'integer',
  event_id: 'text',
  occurred_at: 'integer',
  type: 'text',
  resource_id: 'text',
  owner_id: 'text',
  order_id: 'text or null',
  counterparty_id: 'text or null',
})

/** Returns the events after a sequence number, oldest first, each with the store that it also concerns. */
export async function listShownEvents(tx: Tx, after: number, limit: number): Promise<ShownEvent[]> {
  const rows = await tx.all(
    `select e.seq, e.event_id, e.occurred_at, e.type, e.resource_id, e.owner_id, o.order_id, m.agreement_id as counterparty_id
     from events e
       left join deliveries d on d.delivery_id = e.resource_id
       left join payments p on p.payment_id = e.resource_id
       left join orders o on o.order_id = coalesce(d.order_id, p.resource_id, e.resource_id)
       left join merchants m on m.merchant_id = o.merchant_id
     where e.seq > $1 order by e.seq limit $2`,
    after,
    limit,
  )
  return rows.map(toShown)
}
