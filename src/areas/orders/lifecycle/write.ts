/** Writes an order that changed without a move, tells it, and plans what its customer and store do about a problem. */
import { appendEvents } from '../../../db/events.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { scheduleEvents } from '../../../db/timeline.ts'
import { type OrderActor, type OrderRecord, updateOrder } from '../queries/orders.ts'
import type { ORDER_NEWS_EVENTS } from '../states.ts'

type OrderNewsEvent = {
  told: (typeof ORDER_NEWS_EVENTS)[number]
  by: OrderActor
  data: Record<string, unknown>
}

/** Writes an order and appends the event `food_order.<told>`; its status stays. */
export async function writeOrder(
  scene: ChangeContext,
  order: OrderRecord,
  { told, by, data }: OrderNewsEvent,
): Promise<void> {
  const { tx, world, at } = scene
  const { order_id, account_id, merchant_id, status } = order
  order.updated_at = at
  await updateOrder(tx, order)
  await appendEvents(tx, world, at, [
    {
      type: `food_order.${told}`,
      resource_id: order_id,
      owner_id: account_id,
      occurred_at: at,
      from: status,
      to: status,
      by,
      data: { merchant_id, ...data },
    },
  ])
}

/** Plans events of an order beside its next step. */
export async function scheduleExtraEvents(
  { tx, at }: ChangeContext,
  { order_id, account_id, doc }: OrderRecord,
  events: readonly { event: string; due_at: number; payload: Record<string, unknown> }[],
): Promise<void> {
  const whose = {
    kind: 'order' as const,
    resource_id: order_id,
    owner_id: account_id,
    counterparty_id: doc.merchant.agreement_id ?? undefined,
  }
  await scheduleEvents(
    tx,
    at,
    events.map((event) => ({ ...whose, ...event })),
  )
}
