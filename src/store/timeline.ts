import type { Row, Tx } from './db.ts'
import { nextSeq } from './counters.ts'

/** Which lifecycle applies a due event. */
export type TimelineKind = 'shipment' | 'membership'

export type TimelineEvent = {
  seq: number
  due_at: number
  kind: TimelineKind
  resource_id: string
  owner_id: string
  event: string
  payload: Record<string, unknown>
}

const COLUMNS = ['seq', 'due_at', 'kind', 'resource_id', 'owner_id', 'event', 'payload'] as const

/** Puts events on the timeline; their order among equals is the order given. */
export async function schedule(tx: Tx, now: number, events: readonly Omit<TimelineEvent, 'seq'>[]): Promise<void> {
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
      event.event,
      JSON.stringify(event.payload),
    ]),
  )
}

/** Takes back everything that is still to happen to a resource. */
export async function unschedule(tx: Tx, resourceId: string): Promise<void> {
  await tx.run('delete from timeline where resource_id = $1', resourceId)
}

export type Due = { resource?: string; owner?: string }

/** The events due at `now`, first ones first, at most `limit`; of one resource, of one owner, or of the whole store. */
export async function listDue(tx: Tx, now: number, { resource, owner }: Due, limit: number): Promise<TimelineEvent[]> {
  const columns = COLUMNS.join(', ')
  const tail = `order by due_at, seq limit $2 ${tx.forUpdate} ${tx.skipLocked}`
  const rows =
    resource !== undefined
      ? await tx.all(`select ${columns} from timeline where due_at <= $1 and resource_id = $3 ${tail}`, now, limit, resource)
      : owner !== undefined
        ? await tx.all(`select ${columns} from timeline where due_at <= $1 and owner_id = $3 ${tail}`, now, limit, owner)
        : await tx.all(`select ${columns} from timeline where due_at <= $1 ${tail}`, now, limit)
  return rows.map(toEvent)
}

/** When the next event of the store is due; undefined when nothing is planned. */
export async function nextDueAt(tx: Tx): Promise<number | undefined> {
  const row = await tx.get('select due_at from timeline order by due_at, seq limit 1')
  return row === undefined ? undefined : Number(row['due_at'])
}

export async function removeFromTimeline(tx: Tx, seq: number): Promise<void> {
  await tx.run('delete from timeline where seq = $1', seq)
}

function toEvent(row: Row): TimelineEvent {
  return {
    seq: Number(row['seq']),
    due_at: Number(row['due_at']),
    kind: String(row['kind']) as TimelineKind,
    resource_id: String(row['resource_id']),
    owner_id: String(row['owner_id']),
    event: String(row['event']),
    payload: JSON.parse(String(row['payload'])) as Record<string, unknown>,
  }
}
