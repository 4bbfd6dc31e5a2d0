/** The next event of an order, and when it is due, without interference. */
import type { Tx } from '../../../core/db.ts'
import { seededInt, jitter } from '../../../core/hash.ts'
import { makeOpeningClock } from '../../../core/opening-hours.ts'
import type { NextEvent, ChangeContext } from '../../../db/lifecycle.ts'
import { listPlannedEvents } from '../../../db/timeline.ts'
import { findMerchant } from '../../merchants/queries.ts'
import { loadPayment } from '../../payments/queries/ledger.ts'
import type { Payment } from '../../payments/rules/payment.ts'
import type { OrderRecord } from '../queries/orders.ts'
import { acceptDeadline } from '../rules/accept-deadline.ts'
import { canStartPreparation } from '../rules/allowed.ts'
import type { OrderStatus } from '../states.ts'
import { canStaffActForOrder, staffTakesOverAt } from './staff.ts'

/** The events that may be planned for an order. The last five are planned where money moves, by a question and by a problem. */
export type OrderEvent =
  | 'accept'
  | 'staff_accepts'
  | 'staff_takes_over'
  | 'reject'
  | 'not_accepted'
  | 'preparing'
  | 'ready'
  | 'collected'
  | 'payment_settles'
  | 'refund_settles'
  | 'question_over'
  | 'problem_staff'
  | 'problem_overdue'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** The time that the sandbox's stores think before they accept, and before they start. */
const STORE_S = 30
/** The time that the staff of an absent owner needs to accept. */
const MIN_STAFF_S = 120
const MAX_STAFF_S = 240
/** The time that something that is ready waits for its customer, and how long guests stay at a table. */
const MIN_COLLECTED_S = 300
const MAX_COLLECTED_S = 900
const MIN_DINNER_S = 1800
const MAX_DINNER_S = 3600

/**
 * Returns the event that comes next for an order in its present state since `at`: a step of a store which the sandbox
 * plays, the end of the time in which any store has to accept, or the time at which the staff of an absent owner takes
 * over.
 */
export async function nextOrderEvent(
  { tx, world: { seed }, at }: ChangeContext,
  order: OrderRecord,
  payment?: Payment,
): Promise<NextEvent<OrderEvent> | undefined> {
  return order.status === 'placed'
    ? firstStep({ tx, seed, at }, order, payment ?? (await loadPayment(tx, order.order_id)))
    : nextStep(tx, seed, order, at)
}

/** Since when an order is in its state and may go on. */
export function planFrom({ updated_at }: OrderRecord, { paid_at }: Payment): number {
  return Math.max(updated_at, paid_at ?? 0)
}

/** The time at which an order is ready, and how much later it may be, in milliseconds. */
type Readiness = { at: number; late: number }

/** The statuses to which the steps lead that the sandbox plays before an order is ready. */
const LEADS_TO: Readonly<Partial<Record<OrderEvent, OrderStatus>>> = {
  accept: 'accepted',
  staff_accepts: 'accepted',
  preparing: 'preparing',
}

/**
 * Returns the time at which an order that is not ready at `at` will be. A kitchen that the sandbox plays is followed step by step and is never
 * late; an owner's word may be wrong by as much as the sandbox's kitchens take longer than usual.
 */
export async function foreseeReady(
  { tx, world: { seed }, at }: ChangeContext,
  order: OrderRecord,
  payment: Payment,
): Promise<Readiness> {
  const doc = { ...order.doc, history: [...order.doc.history] }
  const ahead = { ...order, doc }
  for (let now = at; ;) {
    const next =
      ahead.status === 'placed'
        ? await firstStep({ tx, seed, at: now }, ahead, payment)
        : await nextStep(tx, seed, ahead, now)
    if (next?.event === 'ready') return { at: next.due_at, late: 0 }
    const to = next && LEADS_TO[next.event]
    if (next === undefined || to === undefined)
      return { at: Math.max(at, doc.estimated_ready_at), late: mostLate(doc.prep_time_minutes) }
    now = next.due_at
    if (to === 'accepted') doc.estimated_ready_at = readyAfter(ahead, now)
    if (to === 'preparing') doc.preparing_at = now
    if (next.event === 'staff_accepts') doc.auto = true
    doc.history.push({ status: to, at: now, by: 'store', reason: null, note: null })
    ahead.status = to
    ahead.updated_at = now
  }
}

/** Milliseconds that a kitchen takes longer than usual, at most: the upper end of `jitter`. */
export function mostLate(prepMinutes: number): number {
  return prepMinutes * MINUTE * 0.2
}

/** Returns the time at which an order that is accepted at an instant is ready; what was asked for later is at the door, or ready, in time. */
export function readyAfter(
  { doc }: Pick<OrderRecord, 'doc'>,
  at: number,
  minutes = doc.prep_time_minutes,
): number {
  // An order that is brought was estimated to be ready before its slot, with time for the way.
  const earliest = doc.scheduled_for === null ? 0 : Math.min(doc.scheduled_for, doc.estimated_ready_at)
  return Math.max(at + minutes * MINUTE, earliest)
}

async function firstStep(
  { tx, seed, at }: { tx: Tx; seed: string; at: number },
  order: OrderRecord,
  payment: Payment,
): Promise<NextEvent<OrderEvent>> {
  const { doc } = order
  const from = waitsFrom(order, payment)
  if (canStartPreparation(payment)) {
    if (doc.scenario?.name === 'store_rejects') return { event: 'reject', due_at: after(seed, order, from) }
    if (doc.auto) return { event: 'accept', due_at: after(seed, order, from) }
  }
  const opens = await nextOpening(tx, order, from)
  if (canStartPreparation(payment) && (await canStaffActForOrder(tx, order, at))) {
    const accepts = Math.max(from, opens) + sampleWaitMs(seed, order, MIN_STAFF_S, MAX_STAFF_S)
    return { event: 'staff_accepts', due_at: Math.max(at, accepts) }
  }
  return { event: 'not_accepted', due_at: endOfWaiting(order, from, opens) }
}

function endOfWaiting({ doc }: OrderRecord, from: number, opens: number): number {
  const { scheduled_for: scheduledFor, prep_time_minutes: prepMinutes } = doc
  return acceptDeadline({ from, scheduledFor, prepMinutes, opens })
}

/**
 * Returns, by id, when each of the orders that wait for their store is rejected unless it accepts: the very event on the
 * timeline. While staff would act for an absent owner it is the event that follows once the owner is back. An order that
 * the sandbox itself accepts or rejects has none.
 */
export async function acceptByOf(
  tx: Tx,
  orders: readonly OrderRecord[],
  payments: ReadonlyMap<string, Payment>,
): Promise<Map<string, number>> {
  const waiting = new Map(
    orders.flatMap((order) => (order.status === 'placed' ? [[order.order_id, order]] : [])),
  )
  const ends = new Map<string, number>()
  for (const { resource_id, event, due_at } of await listPlannedEvents(tx, [...waiting.keys()])) {
    const order = waiting.get(resource_id)
    if (event === 'not_accepted') ends.set(resource_id, due_at)
    else if (event === 'staff_accepts' && order !== undefined) {
      const from = waitsFrom(order, payments.get(resource_id))
      ends.set(resource_id, endOfWaiting(order, from, await nextOpening(tx, order, from)))
    }
  }
  return ends
}

/** Since when a store may accept an order: when it was placed or paid, whichever was later. */
function waitsFrom({ created_at }: OrderRecord, payment: Payment | undefined): number {
  return Math.max(created_at, payment?.paid_at ?? 0)
}

async function nextOpening(tx: Tx, { merchant_id }: OrderRecord, from: number): Promise<number> {
  const merchant = await findMerchant(tx, merchant_id)
  if (merchant === undefined) return from
  return makeOpeningClock(from).nextOpening(merchant.week, merchant.timezone) ?? from
}

async function nextStep(
  tx: Tx,
  seed: string,
  order: OrderRecord,
  at: number,
): Promise<NextEvent<OrderEvent> | undefined> {
  const { status, doc } = order
  if (!isStoresTurn(order)) return undefined
  if (!doc.auto) {
    const due_at = await staffTakesOverAt(tx, order)
    return due_at === undefined ? undefined : { event: 'staff_takes_over', due_at }
  }
  if (status === 'ready') return { event: 'collected', due_at: at + staysFor(seed, order) }
  const prep = doc.prep_time_minutes * MINUTE
  if (status === 'accepted') {
    const due_at = Math.max(
      after(seed, order, at),
      doc.scheduled_for === null ? 0 : doc.estimated_ready_at - prep,
    )
    return { event: 'preparing', due_at }
  }
  // Staff that takes over finds it half done.
  const done = after(seed, order, doc.preparing_at ?? at, prep / SECOND)
  return { event: 'ready', due_at: Math.max(done, after(seed, order, at)) }
}

/** Returns whether the store, and not a courier, brings an accepted order on. */
function isStoresTurn({ status, fulfillment_type }: OrderRecord): boolean {
  if (status === 'ready') return fulfillment_type !== 'delivery'
  return status === 'accepted' || status === 'preparing'
}

/** Returns how long a customer takes to collect, or guests stay. */
function staysFor(seed: string, order: OrderRecord): number {
  return order.fulfillment_type === 'dine_in'
    ? sampleWaitMs(seed, order, MIN_DINNER_S, MAX_DINNER_S)
    : sampleWaitMs(seed, order, MIN_COLLECTED_S, MAX_COLLECTED_S)
}

/** Milliseconds of a part that takes between so many seconds. */
function sampleWaitMs(seed: string, { ordinal, doc }: OrderRecord, least: number, most: number): number {
  const more = seededInt(most - least + 1, seed, ['order', ordinal, doc.history.length, 'wait'])
  return (least + more) * SECOND
}

function after(seed: string, { ordinal, doc }: OrderRecord, at: number, seconds = STORE_S): number {
  return at + jitter(seconds, seed, ['order', ordinal, doc.history.length, 'duration']) * SECOND
}
