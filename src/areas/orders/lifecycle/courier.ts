/**
 * The courier whom an order holds while it is cooked: others are not promised that courier's time. What
 * is held is reserved under the order's id, and goes to its delivery once the order is ready.
 */
import type { Tx } from '../../../core/db.ts'
import { hasScenario } from '../../../core/scenario.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { reserveOrderCourier } from '../../couriers/lifecycle/couriers.ts'
import { releaseAssignment } from '../../dispatch/lifecycle.ts'
import { SPREAD_MINUTES } from '../../merchants/rules.ts'
import type { Payment } from '../../payments/rules/payment.ts'
import type { OrderRecord } from '../queries/orders.ts'
import { canStartPreparation } from '../rules/allowed.ts'
import { runOf } from './run.ts'
import { foreseeReady, mostLate, planFrom } from './timeline.ts'

const SPREAD_MS = SPREAD_MINUTES * 60_000

/**
 * Holds a courier for an order that is paid for and not ready, from then on; moves what was held where the kitchen's time
 * has changed. The promised arrival stays while the courier comes about then. `nobody`: all are busy for too long.
 */
export async function refreshCourierReservation(
  scene: Pick<ChangeContext, 'tx' | 'world'>,
  order: OrderRecord,
  payment: Payment,
  at = planFrom(order, payment),
): Promise<'held' | 'nobody' | 'unchanged'> {
  const { tx, world } = scene
  const { doc, status, fulfillment_type } = order
  if (fulfillment_type !== 'delivery' || !['placed', 'accepted', 'preparing'].includes(status))
    return 'unchanged'
  // A card that must settle first is waited for.
  if (!canStartPreparation(payment) || hasScenario(order, 'no_courier')) return 'unchanged'
  const ready = await foreseeReady({ tx, world, at }, order, payment)
  if (doc.courier_held_for === ready.at) return 'unchanged'
  // A quote that was good a moment ago is not rejected because this kitchen will be quicker than most.
  const grace = mostLate(doc.prep_time_minutes)
  const arrives = await reserveOrderCourier(scene, order.order_id, toRun(order), {
    ...ready,
    asked: at,
    grace,
  })
  doc.courier_held_for = arrives === undefined ? null : ready.at
  if (arrives === undefined) return 'nobody'
  if (Math.abs(arrives - (doc.estimated_delivery_at ?? 0)) > SPREAD_MS) doc.estimated_delivery_at = arrives
  return 'held'
}

/** Gives back the courier of an order that will not be ready. */
export async function dropCourier(tx: Tx, { order_id, doc }: OrderRecord): Promise<void> {
  if (typeof doc.courier_held_for === 'number') await releaseAssignment(tx, order_id)
}

/** The run that the order's delivery will be, with the draws of its first courier. */
function toRun(order: OrderRecord): Parameters<typeof reserveOrderCourier>[2] {
  const { pickup, dropoff, parcel, scenario } = runOf(order)
  const draws = { kind: 'order', ordinal: order.ordinal } as const
  return { doc: { pickup, dropoff, parcel, scenario, draws, drops: 0, courier: null } }
}
