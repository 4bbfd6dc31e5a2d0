import type { Row, Tx } from '../core/db.ts'
import { nextSeq } from './counters.ts'

/** Which lifecycle applies a due event. */
export type TimelineKind = 'shipment' | 'membership' | 'order' | 'delivery' | 'booking' | 'ride' | 'task'

export type TimelineEvent = {
  seq: number
  due_at: number
  kind: TimelineKind
  resource_id: string
  owner_id: string
  /** Another resource that the event moves too: the order of a delivery. */
  link_id?: string | undefined
  /** Another owner who sees it: the agreement of the store that an order was placed with. */
  counterparty_id?: string | undefined
  event: string
  payload: Record<string, unknown>
}

const COLUMNS = [
  'seq',
  'due_at',
  'kind',
  'resource_id',
  'owner_id',
  'link_id',
  'counterparty_id',
  'event',
  'payload',
] as const

/** Puts events on the timeline; their order among equals is the order given. */
export async function schedule(
  tx: Tx,
  now: number,
  events: readonly Omit<TimelineEvent, 'seq'>[],
): Promise<void> {
  if (events.length === 0) return
  const first = await nextSeq(tx, now, events.length)
  await tx.insertMany(
    'timeline',
    COLUMNS,
    events.map((event, index) => [
      first + index,
      event.due_at,
      event.kind,
      event.resource_id,
      event.owner_id,
      event.link_id ?? null,
      event.counterparty_id ?? null,
      event.event,
      JSON.stringify(event.payload),
    ]),
  )
}

/** Takes back everything that is still to happen to a resource, whose row the caller has locked. */
export async function unschedule(tx: Tx, resourceId: string): Promise<void> {
  await tx.run('delete from timeline where resource_id = $1', resourceId)
}

/** A resource with what is linked to it, an owner's resources, a counterparty's, all that share people, or everything. */
export type Due = { resource?: string; owner?: string; counterparty?: string; sharing?: true }

/**
 * The events due at `now`, first ones first, at most `limit`; of one resource, of one owner, or of the whole store.
 * Locks nothing: whoever wants to apply one locks its resource first, then claims it with `removeFromTimeline`.
 */
export async function listDue(tx: Tx, now: number, due: Due, limit: number): Promise<TimelineEvent[]> {
  const { condition, values } = whose(due, 3)
  const rows = await tx.all(
    `select ${COLUMNS.join(', ')} from timeline where due_at <= $1 ${condition} order by due_at, seq limit $2`,
    now,
    limit,
    ...values,
  )
  return rows.map(toEvent)
}

/** Whether anything of a resource, of an owner, or of the whole store is due. */
export async function hasDue(tx: Tx, now: number, due: Due): Promise<boolean> {
  const { condition, values } = whose(due, 2)
  const row = await tx.get(
    `select 1 as due from timeline where due_at <= $1 ${condition} limit 1`,
    now,
    ...values,
  )
  return row !== undefined
}

function whose(
  { resource, owner, counterparty, sharing }: Due,
  place: number,
): { condition: string; values: string[] } {
  if (resource !== undefined)
    return { condition: `and (resource_id = $${place} or link_id = $${place})`, values: [resource] }
  if (counterparty !== undefined)
    return { condition: `and counterparty_id = $${place}`, values: [counterparty] }
  if (owner !== undefined) return { condition: `and owner_id = $${place}`, values: [owner] }
  // In the words of the index that holds these alone.
  if (sharing === true)
    return { condition: `and kind in ('order', 'delivery', 'booking', 'ride', 'task')`, values: [] }
  return { condition: '', values: [] }
}

/** What happens next to a resource or to what is linked to it, due or not. */
export async function findNext(tx: Tx, resourceId: string): Promise<TimelineEvent | undefined> {
  const row = await tx.get(
    `select ${COLUMNS.join(', ')} from timeline where resource_id = $1 or link_id = $1
     order by due_at, seq limit 1`,
    resourceId,
  )
  return row && toEvent(row)
}

/** When the next event of the store is due; undefined when nothing is planned. */
export async function nextDueAt(tx: Tx): Promise<number | undefined> {
  const row = await tx.get('select due_at from timeline order by due_at, seq limit 1')
  return row === undefined ? undefined : Number(row['due_at'])
}

/** Takes an event off; false when somebody else already has. */
export async function removeFromTimeline(tx: Tx, seq: number): Promise<boolean> {
  return (await tx.run('delete from timeline where seq = $1', seq)) === 1
}

function toEvent(row: Row): TimelineEvent {
  return {
    seq: Number(row['seq']),
    due_at: Number(row['due_at']),
    kind: String(row['kind']) as TimelineKind,
    resource_id: String(row['resource_id']),
    owner_id: String(row['owner_id']),
    ...(typeof row['link_id'] === 'string' && { link_id: row['link_id'] }),
    ...(typeof row['counterparty_id'] === 'string' && { counterparty_id: row['counterparty_id'] }),
    event: String(row['event']),
    payload: JSON.parse(String(row['payload'])) as Record<string, unknown>,
  }
}
