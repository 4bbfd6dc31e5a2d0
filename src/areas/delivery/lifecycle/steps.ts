/** The planned steps of a delivery, which also move the order that it brings, or its payment. */
import type { Tx } from '../../../core/db.ts'
import type { WorldSettings } from '../../../core/world.ts'
import type { TimelineEvent } from '../../../db/timeline.ts'
import { DELIVERIES } from '../../couriers/lifecycle/delivery.ts'
import type { DeliveryStep } from '../../couriers/lifecycle/timeline.ts'
import { findDelivery, lockDelivery } from '../../couriers/queries/deliveries.ts'
import { followDelivery } from '../../orders/lifecycle/order.ts'
import { lockOrder } from '../../orders/queries/orders.ts'
import { payForStep, settleDeliveryPayment } from './request.ts'

/**
 * Applies what the timeline planned, to the delivery and to its order. The row of the order locks both. A plan that no
 * longer fits is dropped silently.
 */
export async function applyDeliveryEvent(
  tx: Tx,
  world: WorldSettings,
  event: TimelineEvent,
  now = event.due_at,
): Promise<void> {
  const { resource_id, link_id } = event
  const order = link_id === undefined ? undefined : await lockOrder(tx, link_id)
  const delivery = await (order === undefined ? lockDelivery : findDelivery)(tx, resource_id)
  if (delivery === undefined) return
  const at = Math.max(now, delivery.updated_at, order?.updated_at ?? 0)
  const scene = { tx, world, at, event }
  if (event.event === 'payment_settles') await settleDeliveryPayment(scene, delivery)
  else if (await DELIVERIES.applyStep(scene, delivery, event.event as DeliveryStep)) {
    if (order === undefined) await payForStep(scene, delivery)
    else await followDelivery(scene, order, delivery)
  }
}
