/** What happens to an order if nobody interferes, and when (`contract.md` B2, D). */
import { jitter } from '../domain/hash.ts'
import { makeOpeningClock } from '../domain/opening-hours.ts'
import type { Payment } from '../domain/payment.ts'
import type { World } from '../domain/world.ts'
import type { Tx } from '../store/db.ts'
import { findMerchant } from '../store/merchants.ts'
import type { OrderRecord } from '../store/orders.ts'
import { schedule } from '../store/timeline.ts'
import { isPaidFirst } from './order-rules.ts'

/** What the timeline may plan for an order; the last two are planned where money moves. */
export type OrderEvent =
  | 'accept'
  | 'reject'
  | 'not_accepted'
  | 'preparing'
  | 'ready'
  | 'payment_settles'
  | 'refund_settles'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** How long the sandbox's stores think before they accept, and before they start. */
const STORE_S = 30
/** How long an order waits to be accepted, and how long before its preparation a scheduled one begins to wait. */
const ACCEPT_WITHIN_MS = 600 * SECOND
const SCHEDULED_AHEAD_MS = 30 * MINUTE

/**
 * Puts on the timeline what comes next for an order in its present state: that of a store which the sandbox plays, or
 * the end of the time in which any store has to accept. What was planned before must be off it.
 */
export async function planOrder(tx: Tx, world: World, order: OrderRecord, payment: Payment): Promise<void> {
  const at = Math.max(order.updated_at, payment.paid_at ?? 0)
  const next =
    order.status === 'placed'
      ? await firstStep(tx, world.seed, order, payment)
      : nextStep(world.seed, order, at)
  if (next === undefined) return
  await schedule(tx, at, [
    {
      due_at: next.due_at,
      kind: 'order',
      resource_id: order.order_id,
      owner_id: order.account_id,
      counterparty_id: order.doc.merchant.agreement_id ?? undefined,
      event: next.event,
      payload: {},
    },
  ])
}

type Next = { event: OrderEvent; due_at: number }

async function firstStep(tx: Tx, seed: string, order: OrderRecord, payment: Payment): Promise<Next> {
  const { doc, created_at } = order
  const from = Math.max(created_at, payment.paid_at ?? 0)
  if (isPaidFirst(payment)) {
    if (doc.scenario?.name === 'store_rejects') return { event: 'reject', due_at: after(seed, order, from) }
    if (doc.auto) return { event: 'accept', due_at: after(seed, order, from) }
  }
  const asked =
    doc.scheduled_for === null ? 0 : doc.scheduled_for - doc.prep_time_minutes * MINUTE - SCHEDULED_AHEAD_MS
  const waits = Math.max(from, asked, await nextOpening(tx, order, from))
  return { event: 'not_accepted', due_at: waits + ACCEPT_WITHIN_MS }
}

async function nextOpening(tx: Tx, { merchant_id }: OrderRecord, from: number): Promise<number> {
  const merchant = await findMerchant(tx, merchant_id)
  if (merchant === undefined) return from
  return makeOpeningClock(from).nextOpening(merchant.week, merchant.timezone) ?? from
}

function nextStep(seed: string, order: OrderRecord, at: number): Next | undefined {
  const { status, doc } = order
  if (!doc.auto) return undefined
  const prep = doc.prep_time_minutes * MINUTE
  if (status === 'accepted') {
    const due_at = Math.max(
      after(seed, order, at),
      doc.scheduled_for === null ? 0 : doc.estimated_ready_at - prep,
    )
    return { event: 'preparing', due_at }
  }
  if (status === 'preparing') return { event: 'ready', due_at: after(seed, order, at, prep / SECOND) }
  return undefined
}

function after(seed: string, { ordinal, doc }: OrderRecord, at: number, seconds = STORE_S): number {
  return at + jitter(seconds, seed, 'order', ordinal, doc.history.length, 'duration') * SECOND
}
