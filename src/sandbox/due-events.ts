/** Lets the world's planned events happen, through the same code that operations use. */
import { applyMembershipEvent, MEMBERSHIP_EVENTS } from '../areas/account/lifecycle.ts'
import { lockAccounts } from '../areas/account/queries/accounts.ts'
import { PLANNED_SHIPMENT_EVENTS, SHIPMENT_LIFECYCLE } from '../areas/carrier/lifecycle/shipment.ts'
import { DELIVERIES } from '../areas/couriers/lifecycle/delivery.ts'
import { applyDeliveryEvent } from '../areas/delivery/lifecycle/steps.ts'
import { ORDER_LIFECYCLE } from '../areas/orders/lifecycle/order.ts'
import { RIDE_LIFECYCLE } from '../areas/rides/lifecycle/ride.ts'
import { BOOKING_LIFECYCLE } from '../areas/services/lifecycle/booking.ts'
import { TASK_LIFECYCLE } from '../areas/tasks/lifecycle/task.ts'
import type { Tx } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import type { WorldSettings } from '../core/world.ts'
import type { ChangeContext } from '../db/lifecycle.ts'
import {
  MAX_DUE_BATCH_EVENTS,
  type DueFilter,
  findNextTimelineEvent,
  listDueEvents,
  removeFromTimeline,
  removeSoonestDue,
  type TimelineEvent,
  type TimelineKind,
} from '../db/timeline.ts'

/** The fewest events that are read at once. */
const MIN_EVENT_BATCH = 16

type DueLifecycle = {
  /** Those of the resources that this transaction may change now, their rows locked in one order. */
  lock: (tx: Tx, ids: readonly string[], options: { skipLocked: boolean }) => Promise<Set<string>>
  /** Applies an event at its time, or at `now` when that is given. */
  apply: (tx: Tx, world: WorldSettings, event: TimelineEvent, now?: number) => Promise<void>
  /** The events that may be planned. */
  events: readonly string[]
}

/** In this order every transaction locks. */
const LIFECYCLES: Readonly<Record<TimelineKind, DueLifecycle>> = {
  membership: { lock: lockAccounts, apply: applyMembershipEvent, events: MEMBERSHIP_EVENTS },
  shipment: { ...SHIPMENT_LIFECYCLE, events: PLANNED_SHIPMENT_EVENTS },
  order: ORDER_LIFECYCLE,
  // The order that it brings is locked first, and moves too.
  delivery: {
    lock: DELIVERIES.lock,
    apply: applyDeliveryEvent,
    events: [...DELIVERIES.events, 'payment_settles'],
  },
  booking: BOOKING_LIFECYCLE,
  ride: RIDE_LIFECYCLE,
  task: TASK_LIFECYCLE,
}

const KINDS = Object.keys(LIFECYCLES) as TimelineKind[]

/** The events that may be planned for each kind. */
export const PLANNED_EVENTS = Object.fromEntries(
  KINDS.map((kind) => [kind, LIFECYCLES[kind].events]),
) as Readonly<Record<TimelineKind, readonly string[]>>

/** Work that occupies workers; other work may wait for them. */
const SHARING: readonly TimelineKind[] = ['order', 'delivery', 'booking', 'ride', 'task']

/**
 * Applies the events that are due at `now` (service time, milliseconds), of one resource, of one owner or of everything,
 * in the order of (due_at, seq), up to `limit`; gives how many. Each happens at its own time
 * (docs/rules/simulation.md#every-event-happens-at-its-own-time), so that it makes no
 * difference in how many steps the clock came here. Orders, bookings, rides and tasks share people: where
 * one of them is due, all of them are, so that it makes no difference who looks at which of them first.
 */
export async function runDueEvents(
  scene: ChangeContext,
  due: DueFilter,
  limit = MAX_DUE_BATCH_EVENTS,
): Promise<number> {
  const { tx, world, at: now } = scene
  const shares = world.supply !== 'unlimited' && !isEverything(due) && (await hasSharing(tx, now, due))
  const applied = shares ? await drain(scene, { sharing: true }, limit) : 0
  return applied >= limit ? applied : applied + (await drain(scene, due, limit - applied))
}

async function hasSharing(tx: Tx, now: number, due: DueFilter): Promise<boolean> {
  const events = await listDueEvents(tx, now, due, MAX_DUE_BATCH_EVENTS)
  return events.some(({ kind }) => SHARING.includes(kind))
}

async function drain({ tx, world, at: now }: ChangeContext, due: DueFilter, limit: number): Promise<number> {
  let applied = 0
  let window = limit
  const elsewhere = new Set<number>()
  while (applied < limit) {
    removeSoonestDue(tx)
    const listed = await listDueEvents(tx, now, due, Math.min(limit - applied, window) + elsewhere.size)
    const events = listed.filter(({ seq }) => !elsewhere.has(seq))
    if (events.length === 0) break
    const mine = await lockAll(tx, events, { skipLocked: applied > 0 || isEverything(due) })
    let horizon = Infinity
    let looked = 0
    for (const event of events) {
      // Something that was planned just now comes first: look again.
      if (event.due_at > horizon) break
      looked += 1
      if (!mine.has(lockOf(event).id) || !(await removeFromTimeline(tx, event.seq))) {
        elsewhere.add(event.seq)
        continue
      }
      applied += 1
      await LIFECYCLES[event.kind].apply(tx, world, event)
      horizon = Math.min(horizon, removeSoonestDue(tx))
    }
    // If each event plans the next one, only the first few of a long list come before it.
    window = Math.max(MIN_EVENT_BATCH, 2 * looked)
  }
  return applied
}

function isEverything({ resource, owner, counterparty }: DueFilter): boolean {
  return resource === undefined && owner === undefined && counterparty === undefined
}

/**
 * Locks what the events are about before any of them runs, in one order, so that two that drain never wait for each
 * other. What another transaction holds is left to it, unless the caller asked for just that resource or owner; and
 * once an event was applied nothing is waited for any more, since that holds the world's row.
 */
async function lockAll(
  tx: Tx,
  events: readonly TimelineEvent[],
  { skipLocked }: { skipLocked: boolean },
): Promise<Set<string>> {
  const mine = new Set<string>()
  const locks = events.map(lockOf)
  for (const kind of KINDS) {
    const ids = locks.filter((lock) => lock.kind === kind).map(({ id }) => id)
    if (ids.length === 0) continue
    for (const id of await LIFECYCLES[kind].lock(tx, ids, { skipLocked })) mine.add(id)
  }
  return mine
}

/** The row that an event waits for: its resource's, or that of the order which a delivery brings. */
function lockOf({ kind, resource_id, link_id }: TimelineEvent): { kind: TimelineKind; id: string } {
  if (kind === 'delivery' && link_id !== undefined) return { kind: 'order', id: link_id }
  return { kind, id: resource_id }
}

/** Makes the next event of a resource, or of what is linked to it, happen now. Throws `invalid_state` when nothing is planned for it. */
export async function runNextEvent(
  tx: Tx,
  world: WorldSettings,
  now: number,
  resourceId: string,
): Promise<TimelineEvent> {
  const planned = await findNextTimelineEvent(tx, resourceId)
  if (planned === undefined) throw nothingPlanned(resourceId)
  const { kind, id } = lockOf(planned)
  await LIFECYCLES[kind].lock(tx, [id], { skipLocked: false })
  const event = await findNextTimelineEvent(tx, resourceId)
  if (event === undefined || !(await removeFromTimeline(tx, event.seq))) throw nothingPlanned(resourceId)
  await LIFECYCLES[event.kind].apply(tx, world, event, now)
  return event
}

function nothingPlanned(resourceId: string): AppError {
  return new AppError('invalid_state', `${resourceId.slice(0, 40)} has no further events.`)
}
