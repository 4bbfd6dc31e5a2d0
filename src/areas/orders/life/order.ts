/**
 * The life of an order: the only writer of its status. Every function takes the order with its row locked; every change
 * passes `enter`, which checks the state table.
 */
import type { Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import type { World } from '../../../core/world.ts'
import { appendEvents } from '../../../store/events.ts'
import { findNext, type TimelineEvent, unschedule } from '../../../store/timeline.ts'
import { createDelivery, releaseDelivery } from '../../couriers/life/delivery.ts'
import { type DeliveryRecord, findDelivery } from '../../couriers/store/deliveries.ts'
import { refundPayment, settlePayment, settleRefund } from '../../payments/life.ts'
import type { Payment } from '../../payments/rules/payment.ts'
import { loadPayment } from '../../payments/store.ts'
import { findRefusal, isCancellable, isPaidFirst } from '../rules/allowed.ts'
import {
  canMoveOrder,
  isOrderOver,
  type OrderAction,
  type OrderCancelReason,
  type OrderStatus,
  REJECT_REASONS,
  type RejectReason,
} from '../states.ts'
import { lockOrder, type OrderActor, type OrderRecord, updateOrder } from '../store/orders.ts'
import { timeOf, touch } from './change.ts'
import { settleCheck, shutCheck, startCheck, tellCheck } from './check.ts'
import { dropCourier, planWithCourier } from './courier.ts'
import { runOf } from './run.ts'
import { releaseSlots } from './slots.ts'
import { isOwnerAway } from './staff.ts'
import { type OrderEvent, readyAfter } from './timeline.ts'

/** Applies what the timeline planned; gives when the next thing is due. A plan that no longer fits is dropped silently. */
export async function applyOrderEvent(
  tx: Tx,
  world: World,
  event: TimelineEvent,
  now = event.due_at,
): Promise<number | undefined> {
  const order = await lockOrder(tx, event.resource_id)
  if (order === undefined) return undefined
  await EVENTS[event.event as OrderEvent]({ tx, world, order, at: timeOf(order, now) })
  return (await findNext(tx, order.order_id))?.due_at
}

type Effect = { tx: Tx; world: World; order: OrderRecord; at: number }

const EVENTS: Readonly<Record<OrderEvent, (effect: Effect) => Promise<unknown>>> = {
  accept: (effect) =>
    ifAllowed('accept', effect, () => acceptOrder(effect.tx, effect.world, effect.at, effect.order, {})),
  preparing: (effect) =>
    ifAllowed('preparing', effect, () => startPrep(effect.tx, effect.world, effect.at, effect.order, {})),
  ready: (effect) =>
    ifAllowed('ready', effect, () => markReady(effect.tx, effect.world, effect.at, effect.order, {})),
  reject: (effect) =>
    ifAllowed('reject', effect, () =>
      rejectOrder(effect.tx, effect.world, effect.at, effect.order, {
        reason_code: scenarioReason(effect.order),
      }),
    ),
  async collected(effect) {
    const { tx, world, order, at } = effect
    // Guests pay before they leave.
    if (order.doc.check?.status === 'open' && order.status === 'ready')
      await settleCheck(tx, world, at, order)
    await ifAllowed('complete', effect, () => completeOrder(tx, world, at, order, {}))
  },
  staff_accepts: acceptUnlessOwner,
  staff_takes_over: takeOver,
  async not_accepted(effect) {
    const { tx, world, order, at } = effect
    if (order.status !== 'placed') return
    const payment = await loadPayment(tx, order.order_id)
    if (isPaidFirst(payment) && (await isOwnerAway(tx, order, at))) await acceptUnlessOwner(effect)
    else await close(tx, world, order, at, { reason_code: 'not_accepted_in_time', by: 'system' })
  },
  async payment_settles({ tx, world, order, at }) {
    const payment = await loadPayment(tx, order.order_id)
    if (payment.status === 'unpaid' && !isOrderOver(order.status)) await settleCard(tx, world, at, order)
  },
  async refund_settles({ tx, world, order, at }) {
    await settleRefund(tx, world, at, order.order_id)
    await touch(tx, order, at)
  },
}

async function ifAllowed(
  action: OrderAction,
  { tx, order }: Effect,
  act: () => Promise<void>,
): Promise<void> {
  if (findRefusal(action, order, await loadPayment(tx, order.order_id)) === undefined) await act()
}

/** The staff accepts for an absent owner and carries the order on; an owner who has come back is waited for. */
async function acceptUnlessOwner(effect: Effect): Promise<void> {
  const { tx, world, order, at } = effect
  if (order.status !== 'placed') return
  if (await isOwnerAway(tx, order, at)) {
    order.doc.auto = true
    await ifAllowed('accept', effect, () => acceptOrder(tx, world, at, order, {}))
  } else await planWithCourier(tx, world, order, await loadPayment(tx, order.order_id), at)
}

/** The staff carries on what an owner who is away has begun. */
async function takeOver({ tx, world, order, at }: Effect): Promise<void> {
  if (isOrderOver(order.status)) return
  if (await isOwnerAway(tx, order, at)) {
    order.doc.auto = true
    await touch(tx, order, at)
  }
  await planWithCourier(tx, world, order, await loadPayment(tx, order.order_id), at)
}

function scenarioReason({ doc }: OrderRecord): RejectReason {
  return REJECT_REASONS.find((reason) => reason === doc.scenario?.options['reason']) ?? 'other'
}

type StoreNote = { note?: string | undefined }

/** The store takes the order. Throws `invalid_state`, `payment_required`. */
export async function acceptOrder(
  tx: Tx,
  world: World,
  now: number,
  order: OrderRecord,
  { prep_time_minutes, note }: StoreNote & { prep_time_minutes?: number | undefined },
): Promise<void> {
  const payment = await allow(tx, 'accept', order)
  const at = timeOf(order, now)
  const { doc } = order
  doc.accepted_at = at
  estimate(order, at, prep_time_minutes ?? doc.prep_time_minutes)
  const opens = order.fulfillment_type === 'dine_in' && payment.method === 'pay_at_table'
  if (opens) startCheck(world, order, payment, at)
  await enter(tx, world, order, payment, { to: 'accepted', at, by: 'store', note })
  if (opens) await tellCheck(tx, world, order, at, { from: null, by: 'store' })
}

/** Throws `invalid_state`. */
export async function startPrep(
  tx: Tx,
  world: World,
  now: number,
  order: OrderRecord,
  { prep_time_minutes, note }: StoreNote & { prep_time_minutes?: number | undefined },
): Promise<void> {
  const payment = await allow(tx, 'preparing', order)
  const at = timeOf(order, now)
  order.doc.preparing_at = at
  if (prep_time_minutes !== undefined) estimate(order, at, prep_time_minutes)
  await enter(tx, world, order, payment, { to: 'preparing', at, by: 'store', note })
}

/** It can be collected; one that is delivered looks for a courier from now on. Throws `invalid_state`. */
export async function markReady(
  tx: Tx,
  world: World,
  now: number,
  order: OrderRecord,
  { note, collection_instructions }: StoreNote & { collection_instructions?: string | undefined },
): Promise<void> {
  const payment = await allow(tx, 'ready', order)
  const at = timeOf(order, now)
  const { doc } = order
  doc.ready_at = at
  doc.estimated_ready_at = at
  doc.collection_instructions = collection_instructions ?? null
  const by = 'store'
  await enter(tx, world, order, payment, { to: 'ready', at, by, note })
  if (order.fulfillment_type !== 'delivery') return
  const delivery = await createDelivery({ tx, world, at }, { ...runOf(order), by })
  order.delivery_id = delivery.delivery_id
  doc.estimated_delivery_at = delivery.doc.dropoff_eta_at ?? doc.estimated_delivery_at
  await updateOrder(tx, order)
}

/** The customer has it. Throws `fulfillment_type_mismatch`, `invalid_state`, `table_check_open`, `payment_required`. */
export async function completeOrder(
  tx: Tx,
  world: World,
  now: number,
  order: OrderRecord,
  { note, collected_by_name }: StoreNote & { collected_by_name?: string | undefined },
): Promise<void> {
  const payment = await allow(tx, 'complete', order)
  const at = timeOf(order, now)
  order.doc.collected_by_name = collected_by_name ?? null
  order.doc.completed_at = at
  await enter(tx, world, order, payment, { to: 'completed', at, by: 'store', note })
  await settlePayment(tx, world, at, order.order_id)
}

/** The store does not bring it: what was paid goes back, the slot is free, a courier is stood down. Throws `invalid_state`. */
export async function rejectOrder(
  tx: Tx,
  world: World,
  now: number,
  order: OrderRecord,
  rejection: {
    reason_code: RejectReason
    note?: string | undefined
    item_ids?: readonly string[] | undefined
  },
): Promise<void> {
  await allow(tx, 'reject', order)
  await close(tx, world, order, timeOf(order, now), { ...rejection, by: 'store' })
}

/** The customer takes it back. Throws `not_cancellable`. */
export async function cancelOrder(
  tx: Tx,
  world: World,
  now: number,
  order: OrderRecord,
  { reason_code, note }: { reason_code: OrderCancelReason; note: string | null },
): Promise<void> {
  const { status, display_number, order_id } = order
  if (!isCancellable(order)) {
    throw new AppError(
      'not_cancellable',
      `Order ${display_number} is ${status} and can no longer be cancelled.`,
      {
        extra: { current_status: status, resource_id: order_id },
      },
    )
  }
  const at = timeOf(order, now)
  const by = 'customer'
  order.doc.cancellation = { by, reason_code, note, at }
  await end(tx, world, order, { to: 'cancelled', at, by, reason: reason_code })
}

/** What a step of its delivery means for the order. */
export async function followDelivery(
  tx: Tx,
  world: World,
  order: OrderRecord,
  { status, doc, delivery_id }: DeliveryRecord,
  now: number,
): Promise<void> {
  if (order.delivery_id !== delivery_id || isOrderOver(order.status)) return
  const at = timeOf(order, now)
  order.doc.estimated_delivery_at = doc.dropoff_eta_at ?? order.doc.estimated_delivery_at
  if (status === 'picked_up' && order.status === 'ready') {
    await enter(tx, world, order, await loadPayment(tx, order.order_id), {
      to: 'out_for_delivery',
      at,
      by: 'courier',
    })
  } else if (status === 'delivered') {
    order.doc.proof_of_delivery = doc.proof_of_delivery
    order.doc.completed_at = at
    await enter(tx, world, order, await loadPayment(tx, order.order_id), {
      to: 'completed',
      at,
      by: 'courier',
    })
    // Cash is handed over at the door.
    await settlePayment(tx, world, at, order.order_id)
  } else if (status === 'cancelled' || status === 'returned') {
    const reason = doc.undeliverable?.reason_code ?? doc.history.at(-1)?.reason ?? undefined
    await end(tx, world, order, { to: 'failed', at, by: 'system', reason })
  } else await touch(tx, order, at)
}

/** A card payment that was pending has come in: the store may begin. Throws `invalid_state` where none is awaited. */
export async function settleCard(tx: Tx, world: World, now: number, order: OrderRecord): Promise<Payment> {
  const { method, status } = await loadPayment(tx, order.order_id)
  if (method !== 'card' || status !== 'unpaid' || isOrderOver(order.status)) {
    throw new AppError(
      'invalid_state',
      `Order ${order.display_number} awaits no card payment: it is ${order.status}, its ${method} payment ${status}.`,
      { extra: { current_status: status } },
    )
  }
  const at = timeOf(order, now)
  await unschedule(tx, order.order_id)
  await touch(tx, order, at)
  const payment = await settlePayment(tx, world, at, order.order_id)
  await planWithCourier(tx, world, order, payment)
  return payment
}

async function allow(tx: Tx, action: OrderAction, order: OrderRecord): Promise<Payment> {
  const payment = await loadPayment(tx, order.order_id)
  const refusal = findRefusal(action, order, payment)
  if (refusal !== undefined) throw refusal
  return payment
}

/** When it will be ready, with the arrival that depends on it; never before the time that it was asked for. */
function estimate(order: OrderRecord, at: number, minutes: number): void {
  const { doc } = order
  const ready = readyAfter(order, at, minutes)
  if (doc.estimated_delivery_at !== null) doc.estimated_delivery_at += ready - doc.estimated_ready_at
  doc.estimated_ready_at = ready
  doc.prep_time_minutes = minutes
}

/** A rejection, by the store or because its time is up. */
async function close(
  tx: Tx,
  world: World,
  order: OrderRecord,
  at: number,
  {
    reason_code,
    note,
    item_ids = [],
    by,
  }: {
    reason_code: RejectReason
    note?: string | undefined
    item_ids?: readonly string[] | undefined
    by: OrderActor
  },
): Promise<void> {
  order.doc.rejection = { reason_code, note: note ?? null, at, item_ids: [...item_ids] }
  await end(tx, world, order, { to: 'rejected', at, by, reason: reason_code })
}

type Move = {
  to: OrderStatus
  at: number
  by: OrderActor
  reason?: string | undefined
  note?: string | undefined
}

/** Ends an order without its goods: nobody holds a slot, a courier, a table or money for it any more. */
async function end(tx: Tx, world: World, order: OrderRecord, move: Move): Promise<void> {
  const { at, to, reason = to } = move
  const { order_id, delivery_id, doc } = order
  const from = await write(tx, order, move)
  const wasOpen = doc.check?.status === 'open'
  if (wasOpen) {
    shutCheck(order, at)
    await updateOrder(tx, order)
  }
  // Money moves under the world's row: what else has rows to be waited for comes before.
  await releaseSlots(tx, order_id)
  await dropCourier(tx, order)
  await tell(tx, world, order, from, move)
  if (wasOpen) await tellCheck(tx, world, order, at, { from: 'open', by: 'system' })
  const delivery = delivery_id === null ? undefined : await findDelivery(tx, delivery_id)
  if (delivery !== undefined) await releaseDelivery({ tx, world, at }, delivery, `order_${to}`)
  await refundPayment(tx, world, at, order_id, {
    to: to === 'rejected' ? 'wallet' : 'original',
    reason,
    kind: 'order',
    counterpartyId: doc.merchant.agreement_id,
  })
}

/** Moves an order on, and plans what follows. */
async function enter(tx: Tx, world: World, order: OrderRecord, payment: Payment, move: Move): Promise<void> {
  const from = await write(tx, order, move)
  await planWithCourier(tx, world, order, payment)
  await tell(tx, world, order, from, move)
}

/** Writes a move of the state table; gives where the order was. What was planned for it is off. */
async function write(tx: Tx, order: OrderRecord, { to, at, by, reason, note }: Move): Promise<OrderStatus> {
  const { status: from, doc } = order
  if (!canMoveOrder(from, to)) throw new Error(`an order that is ${from} cannot become ${to}`)
  order.status = to
  order.updated_at = at
  doc.history.push({ status: to, at, by, reason: reason ?? null, note: note ?? null })
  await unschedule(tx, order.order_id)
  await updateOrder(tx, order)
  return from
}

async function tell(
  tx: Tx,
  world: World,
  { order_id, account_id, merchant_id }: OrderRecord,
  from: OrderStatus,
  { to, at, by, reason }: Move,
): Promise<void> {
  await appendEvents(tx, world, at, [
    {
      type: `food_order.${to}`,
      resource_id: order_id,
      owner_id: account_id,
      occurred_at: at,
      from,
      to,
      by,
      data: { merchant_id, ...(reason !== undefined && { reason }) },
    },
  ])
}
