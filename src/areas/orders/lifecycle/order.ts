/**
 * The lifecycle of an order: the only writer of its status. Every function takes the order with its row locked; every change
 * passes `ORDER_LIFECYCLE`, which checks the state table.
 */
import { AppError } from '../../../core/errors.ts'
import {
  defineLifecycle,
  type Lifecycle,
  type Transition,
  clampToLastUpdate,
  type ChangeContext,
  type Steps,
} from '../../../db/lifecycle.ts'
import { unscheduleResource } from '../../../db/timeline.ts'
import { returnStock } from '../../catalog/lifecycle/stock.ts'
import { createDelivery, releaseDelivery } from '../../couriers/lifecycle/delivery.ts'
import { handedOverAt } from '../../couriers/lifecycle/timeline.ts'
import { type DeliveryRecord, findDelivery } from '../../couriers/queries/deliveries.ts'
import { lockMerchant } from '../../merchants/queries.ts'
import { settleRefund } from '../../payments/lifecycle/payment.ts'
import { loadPayment } from '../../payments/queries/ledger.ts'
import type { Payment } from '../../payments/rules/payment.ts'
import { keepsPrice } from '../../proofs/rules/failures.ts'
import { lockOrder, lockOrders, type OrderActor, type OrderRecord, updateOrder } from '../queries/orders.ts'
import { findRefusal, isOrderCancellable, canStartPreparation } from '../rules/allowed.ts'
import {
  ACTIVE_ORDER_STATUSES,
  AUTO_ACCEPT_REASON,
  canMoveOrder,
  isOrderOver,
  ORDER_STATUSES,
  type OrderAction,
  type OrderCancelReason,
  type OrderStatus,
  type OrderRejectReason,
} from '../states.ts'
import { findAutoAcceptMinutes } from './auto-accept.ts'
import { settleTableCheck, settleOrderPayment, shutCheck, startCheck, emitCheckEvent } from './check.ts'
import { dropCourier, refreshCourierReservation } from './courier.ts'
import { refundRemaining } from './pay-back.ts'
import { followProblem } from './problem.ts'
import { closeQuestions, dropQuestions } from './questions.ts'
import { runOf } from './run.ts'
import { scenarioRejectReason } from './scenario.ts'
import { releaseSlots } from './slots.ts'
import { canStaffActForOrder } from './staff.ts'
import { type OrderEvent, planFrom, readyAfter, nextOrderEvent } from './timeline.ts'

type OrderMove = Transition<OrderStatus, OrderActor, OrderEvent>
type Act = (scene: ChangeContext, order: OrderRecord) => Promise<unknown>

/** An event that writes its own move, if it makes one. */
function happens(act: Act, from = ORDER_STATUSES as readonly OrderStatus[]): (typeof STEPS)[OrderEvent] {
  return {
    from,
    async apply(scene, order) {
      await act(scene, order)
      return undefined
    },
  }
}

/** An action of the store. It is omitted where it is not allowed. */
const ifAllowed =
  (action: OrderAction, act: Act): Act =>
  async (scene, order) => {
    const payment = await loadPayment(scene.tx, order.order_id)
    if (findRefusal(action, order, payment) === undefined) await act(scene, order)
  }

/** An action before which the customer's time to answer ends. */
const answered =
  (act: Act): Act =>
  async (scene, order) => {
    await endQuestions(scene, order)
    await act(scene, order)
  }

const STEPS: Steps<OrderRecord, OrderStatus, OrderActor, OrderEvent> = {
  accept: happens(ifAllowed('accept', acceptOrder)),
  preparing: happens(ifAllowed('preparing', startPrep)),
  ready: happens(answered(ifAllowed('ready', markReady))),
  reject: happens(
    ifAllowed('reject', (scene, order) =>
      rejectOrder(scene, order, { reason_code: scenarioRejectReason(order) }),
    ),
  ),
  collected: happens(
    answered(async (scene, order) => {
      // Guests pay before they leave.
      if (order.doc.check?.status === 'open' && order.status === 'ready') await settleTableCheck(scene, order)
      await ifAllowed('complete', completeOrder)(scene, order)
    }),
  ),
  staff_accepts: happens(acceptUnlessOwner, ['placed']),
  staff_takes_over: happens(continueForAbsentOwner, ACTIVE_ORDER_STATUSES),
  not_accepted: happens(
    async (scene, order) => {
      const payment = await loadPayment(scene.tx, order.order_id)
      if (canStartPreparation(payment) && (await canStaffActForOrder(scene.tx, order, scene.at)))
        await acceptUnlessOwner(scene, order)
      else await close(scene, order, { reason_code: 'not_accepted_in_time', by: 'system' })
    },
    ['placed'],
  ),
  payment_settles: happens(async (scene, order) => {
    const { status } = await loadPayment(scene.tx, order.order_id)
    if (status === 'unpaid') await settleCardPayment(scene, order)
  }, ACTIVE_ORDER_STATUSES),
  refund_settles: happens(async (scene, order) => {
    await settleRefund(scene.tx, scene.world, scene.at, order.order_id)
    await ORDER_LIFECYCLE.touch(scene, order)
  }),
  question_over: happens((scene, order) =>
    endQuestions(scene, order, { id: scene.event?.payload['adjustment_id'], by: 'system', accept: false }),
  ),
  problem_staff: happens((scene, order) => followProblem('problem_staff', scene, order)),
  problem_overdue: happens((scene, order) => followProblem('problem_overdue', scene, order)),
}

export const ORDER_LIFECYCLE: Lifecycle<OrderRecord, OrderStatus, OrderActor, OrderEvent> = defineLifecycle({
  kind: 'order',
  name: 'food_order',
  lock: lockOrder,
  lockMany: lockOrders,
  write: updateOrder,
  audience: ({ order_id, account_id, doc }) => ({
    resource_id: order_id,
    owner_id: account_id,
    counterparty_id: doc.merchant.agreement_id ?? undefined,
  }),
  canMove: canMoveOrder,
  steps: STEPS,
  cancelsSchedule: () => true,
  enter(_, { doc }, entry, { note = null }) {
    doc.history.push({ ...entry, note })
  },
  next: nextOrderEvent,
  data: ({ merchant_id }) => ({ merchant_id }),
  afterTransition: { accepted: reserveCourierAgain, preparing: reserveCourierAgain },
})

/** Plans an order again from when it came into its state, with its courier. */
async function planAgain(scene: ChangeContext, order: OrderRecord): Promise<void> {
  const at = planFrom(order, await loadPayment(scene.tx, order.order_id))
  await ORDER_LIFECYCLE.scheduleNext({ ...scene, at }, order)
  await reserveCourierAgain(scene, order)
}

/** Keeps the courier for when the order is ready now. */
async function reserveCourierAgain(scene: ChangeContext, order: OrderRecord): Promise<void> {
  const { tx } = scene
  if (order.fulfillment_type !== 'delivery') return
  const payment = await loadPayment(tx, order.order_id)
  if ((await refreshCourierReservation(scene, order, payment)) !== 'unchanged') await updateOrder(tx, order)
}

/** The staff accepts for an absent owner and carries the order on; an owner who has come back is waited for. */
async function acceptUnlessOwner(scene: ChangeContext, order: OrderRecord): Promise<void> {
  if (!(await canStaffActForOrder(scene.tx, order, scene.at))) return planAgain(scene, order)
  order.doc.auto = true
  await ifAllowed('accept', acceptOrder)(scene, order)
}

/** The staff carries on the work that an owner who is away has begun. */
async function continueForAbsentOwner(scene: ChangeContext, order: OrderRecord): Promise<void> {
  if (await canStaffActForOrder(scene.tx, order, scene.at)) {
    order.doc.auto = true
    await ORDER_LIFECYCLE.touch(scene, order)
  }
  await planAgain(scene, order)
}

/** A new order that may be prepared: the rule of its store accepts it at once, or else it waits. */
export async function acceptOrWait(
  scene: ChangeContext,
  order: OrderRecord,
  wait: () => Promise<void>,
): Promise<void> {
  const minutes = await findAutoAcceptMinutes(scene, order)
  if (minutes === undefined) await wait()
  else await acceptOrder(scene, order, { prep_time_minutes: minutes, reason: AUTO_ACCEPT_REASON })
}

type StoreNote = { note?: string | undefined }
type Acceptance = StoreNote & { prep_time_minutes?: number | undefined; reason?: string }

/** The store takes the order. Throws `invalid_state`, `payment_required`. */
export async function acceptOrder(
  given: ChangeContext,
  order: OrderRecord,
  { prep_time_minutes, note, reason }: Acceptance = {},
): Promise<void> {
  const payment = await allow(given, 'accept', order)
  const scene = clampToLastUpdate(given, order)
  const { doc } = order
  doc.accepted_at = scene.at
  estimate(order, scene.at, prep_time_minutes ?? doc.prep_time_minutes)
  const opens = order.fulfillment_type === 'dine_in' && payment.method === 'pay_at_table'
  if (opens) startCheck(scene, order, payment)
  await ORDER_LIFECYCLE.transition(scene, order, { to: 'accepted', by: 'store', reason, note })
  if (opens) await emitCheckEvent(scene, order, { from: null, by: 'store' })
}

/** Throws `invalid_state`. */
export async function startPrep(
  given: ChangeContext,
  order: OrderRecord,
  { prep_time_minutes, note }: StoreNote & { prep_time_minutes?: number | undefined } = {},
): Promise<void> {
  await allow(given, 'preparing', order)
  const scene = clampToLastUpdate(given, order)
  order.doc.preparing_at = scene.at
  if (prep_time_minutes !== undefined) estimate(order, scene.at, prep_time_minutes)
  await ORDER_LIFECYCLE.transition(scene, order, { to: 'preparing', by: 'store', note })
}

/** It can be collected; one that is delivered looks for a courier from now on. Throws `invalid_state`. */
export async function markReady(
  given: ChangeContext,
  order: OrderRecord,
  { note, collection_instructions }: StoreNote & { collection_instructions?: string | undefined } = {},
): Promise<void> {
  await allow(given, 'ready', order)
  const scene = clampToLastUpdate(given, order)
  const { doc } = order
  await endQuestions(scene, order)
  doc.ready_at = scene.at
  doc.estimated_ready_at = scene.at
  doc.collection_instructions = collection_instructions ?? null
  const by = 'store'
  await ORDER_LIFECYCLE.transition(scene, order, { to: 'ready', by, note })
  if (order.fulfillment_type !== 'delivery') return
  const delivery = await createDelivery(scene, { ...runOf(order), by })
  order.delivery_id = delivery.delivery_id
  doc.estimated_delivery_at = handedOverAt(scene.world.seed, delivery) ?? doc.estimated_delivery_at
  await updateOrder(scene.tx, order)
}

/** The customer has it. Throws `fulfillment_type_mismatch`, `invalid_state`, `table_check_open`, `payment_required`. */
export async function completeOrder(
  given: ChangeContext,
  order: OrderRecord,
  { note, collected_by_name }: StoreNote & { collected_by_name?: string | undefined } = {},
): Promise<void> {
  await allow(given, 'complete', order)
  const scene = clampToLastUpdate(given, order)
  await endQuestions(scene, order)
  order.doc.collected_by_name = collected_by_name ?? null
  await finish(scene, order, { to: 'completed', by: 'store', note })
}

/** The customer has it, and has paid for it: cash is handed over at the door. */
async function finish(scene: ChangeContext, order: OrderRecord, move: OrderMove): Promise<void> {
  order.doc.completed_at = scene.at
  await ORDER_LIFECYCLE.transition(scene, order, move)
  await settleOrderPayment(scene, order)
}

type Rejection = {
  reason_code: OrderRejectReason
  note?: string | undefined
  item_ids?: readonly string[] | undefined
}

/** The store does not bring it: the payment is refunded, the slot is free, a courier is released. Throws `invalid_state`. */
export async function rejectOrder(
  given: ChangeContext,
  order: OrderRecord,
  rejection: Rejection,
): Promise<void> {
  await allow(given, 'reject', order)
  await close(clampToLastUpdate(given, order), order, { ...rejection, by: 'store' })
}

/** The customer takes it back. Throws `not_cancellable`. */
export async function cancelOrder(
  given: ChangeContext,
  order: OrderRecord,
  { reason_code, note }: { reason_code: OrderCancelReason; note: string | null },
): Promise<void> {
  const { status, display_number, order_id } = order
  if (!isOrderCancellable(order)) {
    throw new AppError(
      'not_cancellable',
      `Order ${display_number} is ${status} and can no longer be cancelled.`,
      {
        extra: { current_status: status, resource_id: order_id },
      },
    )
  }
  const scene = clampToLastUpdate(given, order)
  const by = 'customer'
  order.doc.cancellation = { by, reason_code, note, at: scene.at }
  await end(scene, order, { to: 'cancelled', by, reason: reason_code })
}

type QuestionEnd = { id?: unknown; by: 'customer' | 'system'; accept: boolean }

/** Ends the question with this id, or all of them. The order ends where nothing is left of it. */
export async function endQuestions(
  scene: ChangeContext,
  order: OrderRecord,
  { id, ...answer }: QuestionEnd = { by: 'system', accept: false },
): Promise<void> {
  const { questions = [] } = order.doc
  const asked = questions.filter(({ adjustment_id }) => id === undefined || adjustment_id === id)
  if (asked.length === 0 || (await closeQuestions(scene, order, asked, answer))) return
  await close(scene, order, { reason_code: 'item_unavailable', by: answer.by })
}

/** Moves an order by a step of its delivery. */
export async function followDelivery(
  given: ChangeContext,
  order: OrderRecord,
  delivery: DeliveryRecord,
): Promise<void> {
  const { status, doc, delivery_id } = delivery
  if (order.delivery_id !== delivery_id || isOrderOver(order.status)) return
  const scene = clampToLastUpdate(given, order)
  const { seed } = scene.world
  order.doc.estimated_delivery_at = handedOverAt(seed, delivery) ?? order.doc.estimated_delivery_at
  if (status === 'picked_up' && order.status === 'ready') {
    await ORDER_LIFECYCLE.transition(scene, order, { to: 'out_for_delivery', by: 'courier' })
  } else if (status === 'delivered') {
    order.doc.proof_of_delivery = doc.proof_of_delivery
    await finish(scene, order, { to: 'completed', by: 'courier' })
  } else if (status === 'cancelled' || status === 'returned') {
    const reason = doc.undeliverable?.reason_code ?? doc.history.at(-1)?.reason ?? undefined
    await end(scene, order, { to: 'failed', by: 'system', reason }, keepsPrice(doc.undeliverable))
  } else await ORDER_LIFECYCLE.touch(scene, order)
}

/** A card payment that was pending has come in: the store may begin. Throws `invalid_state` where none is awaited. */
export async function settleCardPayment(given: ChangeContext, order: OrderRecord): Promise<void> {
  const { tx } = given
  const { method, status } = await loadPayment(tx, order.order_id)
  if (method !== 'card' || status !== 'unpaid' || isOrderOver(order.status)) {
    throw new AppError(
      'invalid_state',
      `Order ${order.display_number} has no pending card payment: it is ${order.status}, its ${method} payment ${status}.`,
      {
        extra: { current_status: status },
        hint:
          order.doc.check?.status === 'open'
            ? `\`dray sandbox check settle ${order.display_number}\` lets the guests pay the bill.`
            : `\`dray food show ${order.display_number}\` shows how the order is paid.`,
      },
    )
  }
  const scene = clampToLastUpdate(given, order)
  await unscheduleResource(tx, order.order_id)
  await ORDER_LIFECYCLE.touch(scene, order)
  await settleOrderPayment(scene, order)
  await acceptOrWait(scene, order, () => planAgain(scene, order))
}

async function allow({ tx }: ChangeContext, action: OrderAction, order: OrderRecord): Promise<Payment> {
  const payment = await loadPayment(tx, order.order_id)
  const refusal = findRefusal(action, order, payment)
  if (refusal !== undefined) throw refusal
  return payment
}

/** Sets the time at which it will be ready, with the arrival that depends on it; never before the time that it was requested. */
function estimate(order: OrderRecord, at: number, minutes: number): void {
  const { doc } = order
  const ready = readyAfter(order, at, minutes)
  if (doc.estimated_delivery_at !== null) doc.estimated_delivery_at += ready - doc.estimated_ready_at
  doc.estimated_ready_at = ready
  doc.prep_time_minutes = minutes
}

/** A rejection, by the store or because its time is up. */
async function close(
  scene: ChangeContext,
  order: OrderRecord,
  { reason_code, note, item_ids = [], by }: Rejection & { by: OrderActor },
): Promise<void> {
  order.doc.rejection = { reason_code, note: note ?? null, at: scene.at, item_ids: [...item_ids] }
  await end(scene, order, { to: 'rejected', by, reason: reason_code })
}

/** Ends an order without its goods: it releases its slot, courier, table and money. */
async function end(
  scene: ChangeContext,
  order: OrderRecord,
  move: OrderMove & { to: 'rejected' | 'cancelled' | 'failed' },
  isKept = false,
): Promise<void> {
  const { tx, at } = scene
  const { to, reason = to } = move
  const { order_id, delivery_id, merchant_id, doc } = order
  const { reserved = {} } = doc
  const wasOpen = doc.check?.status === 'open'
  if (wasOpen) shutCheck(order, at)
  await dropQuestions(scene, order)
  if (order.status === 'placed' || order.status === 'accepted') {
    if (Object.keys(reserved).length > 0) await lockMerchant(tx, merchant_id)
    await returnStock(scene, merchant_id, reserved)
  }
  await releaseSlots(tx, order_id)
  await dropCourier(tx, order)
  await ORDER_LIFECYCLE.transition(scene, order, move)
  if (wasOpen) await emitCheckEvent(scene, order, { from: 'open', by: 'system' })
  const delivery = delivery_id === null ? undefined : await findDelivery(tx, delivery_id)
  if (delivery !== undefined) await releaseDelivery(scene, delivery, `order_${to}`)
  await refundRemaining(scene, order, { to, reason, isKept })
}
