import type { Tx } from '../core/db.ts'
import { nextSeq } from './counters.ts'
import { cached } from './read-cache.ts'
import { defineTable, forEachChunk, formatPlaceholders } from './table.ts'
import { readIntegerColumn } from './values.ts'

/**
 * The most due events of one transaction; more of them are applied in others, between which each caller gets a turn. So
 * many parcels that move hold the event loop for less than 50 ms.
 */
export const MAX_DUE_BATCH_EVENTS = 250

/** The lifecycle that applies a due event. */
export type TimelineKind = 'shipment' | 'membership' | 'order' | 'delivery' | 'booking' | 'ride' | 'task'

export type TimelineEvent = {
  seq: number
  due_at: number
  kind: TimelineKind
  resource_id: string
  owner_id: string
  /** Another resource that the event also changes: the order of a delivery. */
  link_id?: string | undefined
  /** Another owner who sees the event: the business agreement of an order's store. */
  counterparty_id?: string | undefined
  event: string
  payload: Record<string, unknown>
}

const TIMELINE = defineTable<TimelineEvent>({
  name: 'timeline',
  key: 'seq',
  columns: {
    seq: 'integer',
    due_at: 'integer',
    kind: 'text',
    resource_id: 'text',
    owner_id: 'text',
    link_id: 'text or absent',
    counterparty_id: 'text or absent',
    event: 'text',
    payload: 'json',
  },
})

/** Adds events to the timeline. Events at the same time keep the given order. */
export async function scheduleEvents(
  tx: Tx,
  now: number,
  events: readonly Omit<TimelineEvent, 'seq'>[],
): Promise<void> {
  if (events.length === 0) return
  const first = await nextSeq(tx, now, events.length)
  soonest.set(tx, Math.min(soonest.get(tx) ?? Infinity, ...events.map(({ due_at }) => due_at)))
  await TIMELINE.insert(
    tx,
    events.map((event, index) => ({ ...event, seq: first + index })),
  )
}

/** The time at which the earliest of the events is due that a transaction has planned since `removeSoonestDue`. */
const soonest = new WeakMap<Tx, number>()

/** Returns when the earliest event is due that the transaction has planned since the last question; Infinity without any. */
export function removeSoonestDue(tx: Tx): number {
  const due = soonest.get(tx) ?? Infinity
  soonest.delete(tx)
  return due
}

/** Removes all future events of a resource, but for those of its money and of a customer's answer. The caller has locked its row. */
export async function unscheduleResource(tx: Tx, resourceId: string): Promise<void> {
  await tx.runPipelined(
    `delete from timeline where resource_id = $1 and event not in ('refund_settles', 'claim_decided', 'question_over')`,
    resourceId,
  )
}

/** Removes the future events of a resource that have these names. The caller has locked its row. */
export async function unscheduleEvents(tx: Tx, resourceId: string, events: readonly string[]): Promise<void> {
  const where = `resource_id = $1 and event in (${formatPlaceholders(events.length, 2)})`
  await tx.run(`delete from timeline where ${where}`, resourceId, ...events)
}

/** Moves an event that is planned for each of the resources to the earliest of its times. The caller has locked their rows. */
export async function alignSchedules(tx: Tx, resourceIds: readonly string[], event: string): Promise<void> {
  const planned = (chunk: readonly string[]): string =>
    `event = $1 and resource_id in (${formatPlaceholders(chunk.length, 3)})`
  let earliest = Number.MAX_SAFE_INTEGER
  await forEachChunk(resourceIds, async (chunk) => {
    const row = await tx.get(
      `select coalesce(min(due_at), $2) as due_at from timeline where ${planned(chunk)}`,
      event,
      earliest,
      ...chunk,
    )
    earliest = Math.min(earliest, readIntegerColumn(row, 'due_at'))
  })
  await forEachChunk(resourceIds, async (chunk) => {
    await tx.run(`update timeline set due_at = $2 where ${planned(chunk)}`, event, earliest, ...chunk)
  })
}

/**
 * A selection of due events: of a resource and its linked resources, of an owner, of a counterparty, of all jobs that
 * share people, or of the whole store.
 */
export type DueFilter = { resource?: string; owner?: string; counterparty?: string; sharing?: true }

/**
 * Returns at most `limit` events due at `now`, earliest first, of the selection. Locks nothing: to apply an event,
 * lock its resource first, then claim it with `removeFromTimeline`.
 */
export async function listDueEvents(
  tx: Tx,
  now: number,
  due: DueFilter,
  limit: number,
): Promise<TimelineEvent[]> {
  const { condition, values } = whose(due, 3)
  return TIMELINE.list(
    tx,
    `where due_at <= $1 ${condition} order by due_at, seq limit $2`,
    now,
    limit,
    ...values,
  )
}

/** Returns whether any event of the selection is due. */
export async function hasDueEvents(tx: Tx, now: number, due: DueFilter): Promise<boolean> {
  const key = JSON.stringify(['due', due])
  const next = await cached(tx, { key, tables: ['timeline'], holds: () => true }, () =>
    findNextDueTime(tx, due),
  )
  return next !== undefined && next <= now
}

/** Returns the time of the next event of the selection, or of the whole store; undefined when none is planned. */
export async function findNextDueTime(tx: Tx, due: DueFilter = {}): Promise<number | undefined> {
  if (due.resource !== undefined) return findNextDue(tx, due.resource)
  const { condition, values } = whose(due, 1)
  // Ordered by the time alone, the events of an owner are read along their index.
  const row = await tx.getUnsnapshotted(
    `select due_at from timeline where 1 = 1 ${condition} order by due_at limit 1`,
    ...values,
  )
  return row === undefined ? undefined : readIntegerColumn(row, 'due_at')
}

function whose(
  { resource, owner, counterparty, sharing }: DueFilter,
  place: number,
): { condition: string; values: string[] } {
  if (resource !== undefined)
    return { condition: `and (resource_id = $${place} or link_id = $${place})`, values: [resource] }
  if (counterparty !== undefined)
    return { condition: `and counterparty_id = $${place}`, values: [counterparty] }
  if (owner !== undefined) return { condition: `and owner_id = $${place}`, values: [owner] }
  // The condition repeats that of the partial index for these kinds, so that the engine uses it.
  if (sharing === true)
    return { condition: `and kind in ('order', 'delivery', 'booking', 'ride', 'task')`, values: [] }
  return { condition: '', values: [] }
}

/** Returns the next event of a resource or of a linked one, due or not. */
export async function findNextTimelineEvent(tx: Tx, resourceId: string): Promise<TimelineEvent | undefined> {
  return TIMELINE.first(tx, 'where resource_id = $1 or link_id = $1 order by due_at, seq limit 1', resourceId)
}

/** Returns all that is planned for the resources themselves, earliest first. */
export async function listPlannedEvents(tx: Tx, resourceIds: readonly string[]): Promise<TimelineEvent[]> {
  if (resourceIds.length === 0) return []
  return TIMELINE.list(
    tx,
    `where resource_id in (${formatPlaceholders(resourceIds.length)}) order by due_at, seq`,
    ...resourceIds,
  )
}

/** As `findNextTimelineEvent`, but only the time of the event. */
async function findNextDue(tx: Tx, resourceId: string): Promise<number | undefined> {
  // With `or`, PostgreSQL may walk the events of all accounts by time.
  const row = await tx.getUnsnapshotted(
    `select min(due_at) as due_at from (
       select min(due_at) as due_at from timeline where resource_id = $1
       union all select min(due_at) from timeline where link_id = $1) as found`,
    resourceId,
  )
  return row === undefined || row['due_at'] === null ? undefined : readIntegerColumn(row, 'due_at')
}

/** Removes an event. Returns false when another transaction already has. */
export async function removeFromTimeline(tx: Tx, seq: number): Promise<boolean> {
  return (await tx.run('delete from timeline where seq = $1', seq)) === 1
}
