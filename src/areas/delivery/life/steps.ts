/** A delivery's planned steps, and what they mean for the order that it brings, or for whoever pays for it. */
import type { Tx } from '../../../core/db.ts'
import type { World } from '../../../core/world.ts'
import { findNext, type TimelineEvent } from '../../../store/timeline.ts'
import { advanceDelivery } from '../../couriers/life/delivery.ts'
import type { DeliveryStep } from '../../couriers/life/timeline.ts'
import { findDelivery, lockDelivery } from '../../couriers/store/deliveries.ts'
import { followDelivery } from '../../orders/life/order.ts'
import { lockOrder } from '../../orders/store/orders.ts'
import { payForStep, settleDelivery } from './request.ts'

/**
 * Applies what the timeline planned, to the delivery and to its order; gives when the next thing is due. The row of the
 * order locks both. A plan that no longer fits is dropped silently.
 */
export async function applyDeliveryEvent(
  tx: Tx,
  world: World,
  event: TimelineEvent,
  now = event.due_at,
): Promise<number | undefined> {
  const { resource_id, link_id, counterparty_id } = event
  const order = link_id === undefined ? undefined : await lockOrder(tx, link_id)
  const delivery = await (order === undefined ? lockDelivery : findDelivery)(tx, resource_id)
  if (delivery === undefined) return undefined
  const at = Math.max(now, delivery.updated_at, order?.updated_at ?? 0)
  if (event.event === 'payment_settles') await settleDelivery(tx, world, at, delivery)
  else {
    const step = { step: event.event as DeliveryStep, at, agreementId: counterparty_id }
    const taken = await advanceDelivery(tx, world, delivery, step)
    if (taken && order !== undefined) await followDelivery(tx, world, order, delivery, at)
    else if (taken) await payForStep(tx, world, at, delivery)
  }
  return (await findNext(tx, order?.order_id ?? resource_id))?.due_at
}
