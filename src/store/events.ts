import type { Tx } from '../core/db.ts'
import { sandboxId } from '../core/ids.ts'
import { toTimestamp } from '../core/time.ts'
import type { World } from '../core/world.ts'
import { nextOrdinal, nextSeq } from './counters.ts'

/** One state change, as recorded (`contract.md` C12). */
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

/** Appends events to the outbox, in the order given, in the transaction of the change itself. */
export async function appendEvents(
  tx: Tx,
  world: World,
  now: number,
  events: readonly DomainEvent[],
): Promise<void> {
  if (events.length === 0) return
  const seq = await nextSeq(tx, now, events.length)
  const ordinal = await nextOrdinal(tx, 'event', events.length)
  await tx.insertMany(
    'events',
    ['seq', 'event_id', 'occurred_at', 'type', 'resource_id', 'owner_id', 'doc'],
    events.map(({ type, resource_id, owner_id, occurred_at, from, to, by, data = {} }, index) => [
      seq + index,
      sandboxId('evt', world.seed, ordinal + index, occurred_at, 'event'),
      occurred_at,
      type,
      resource_id,
      owner_id,
      JSON.stringify({ from, to, by, data }),
    ]),
  )
}

/** Events after a position, oldest first. */
export async function listEvents(tx: Tx, after: number, limit: number): Promise<RecordedEvent[]> {
  const rows = await tx.all(
    `select seq, event_id, occurred_at, type, resource_id, owner_id, doc from events
     where seq > $1 order by seq limit $2`,
    after,
    limit,
  )
  return rows.map((row) => ({
    seq: Number(row['seq']),
    event_id: String(row['event_id']),
    occurred_at: toTimestamp(Number(row['occurred_at'])),
    type: String(row['type']),
    resource_id: String(row['resource_id']),
    owner_id: String(row['owner_id']),
    ...(JSON.parse(String(row['doc'])) as Pick<DomainEvent, 'from' | 'to' | 'by' | 'data'>),
  }))
}

/** The position of the last event; 0 when there is none. */
export async function lastEventSeq(tx: Tx): Promise<number> {
  const row = await tx.get('select seq from events order by seq desc limit 1')
  return Number(row?.['seq'] ?? 0)
}

/** How many events of each type there are after a position. */
export async function countEvents(tx: Tx, after: number): Promise<{ type: string; count: number }[]> {
  const rows = await tx.all(
    'select type, count(*) as n from events where seq > $1 group by type order by type',
    after,
  )
  return rows.map((row) => ({ type: String(row['type']), count: Number(row['n']) }))
}
