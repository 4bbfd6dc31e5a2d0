/** Shows an order to its customer. The store's private fields are omitted. */
import type { Static } from 'typebox'
import type { Tx } from '../../core/db.ts'
import { withLocal } from '../../core/local-times.ts'
import { serializeTimeWindow, toTimestampOrNull, toTimestamp } from '../../core/time.ts'
import { type DeliveryRecord, findDeliveries } from '../couriers/queries/deliveries.ts'
import { serializeCourier } from '../couriers/views.ts'
import type { OrderRecord } from '../orders/queries/orders.ts'
import { isOrderCancellable } from '../orders/rules/allowed.ts'
import { CUSTOMER_TIMES } from '../orders/states.ts'
import {
  serializeAdjustments,
  serializeIfAbsentChoice,
  serializeOrderLines,
  serializeTable,
} from '../orders/views.ts'
import { findPayments } from '../payments/queries/ledger.ts'
import type { Payment } from '../payments/rules/payment.ts'
import { serializePayment, serializePrice, serializeRefunds } from '../payments/views.ts'
import type { foodOrder } from './schema.ts'

export type FoodOrderView = Static<typeof foodOrder>

/** Looks up the payments and deliveries of orders; returns a function that shows each of them, as of `now`. */
export async function makeFoodOrderSerializer(
  tx: Tx,
  orders: readonly OrderRecord[],
  now: number,
): Promise<(order: OrderRecord) => FoodOrderView> {
  const payments = await findPayments(
    tx,
    orders.map(({ order_id }) => order_id),
  )
  const deliveries = await findDeliveries(
    tx,
    orders.flatMap(({ delivery_id }) => delivery_id ?? []),
  )
  return (order) => {
    const payment = payments.get(order.order_id)
    if (payment === undefined) throw new Error(`${order.order_id} has no payment`)
    return toFoodOrder(order, payment, deliveries.get(order.delivery_id ?? ''), now)
  }
}

export async function serializeFoodOrder(tx: Tx, order: OrderRecord, now: number): Promise<FoodOrderView> {
  return (await makeFoodOrderSerializer(tx, [order], now))(order)
}

/** Shows an order with its payment, and its delivery if it has one. */
export function toFoodOrder(
  { doc, ...order }: OrderRecord,
  payment: Payment,
  delivery: DeliveryRecord | undefined,
  now: number,
): FoodOrderView {
  const { merchant, cancellation, rejection } = doc
  return withLocal(merchant.timezone, CUSTOMER_TIMES, {
    order_id: order.order_id,
    display_number: order.display_number,
    quote_id: order.quote_id,
    merchant: {
      merchant_id: order.merchant_id,
      name: merchant.name,
      phone: merchant.phone,
      address: merchant.place.address ?? null,
    },
    status: order.status,
    fulfillment_type: order.fulfillment_type,
    lines: serializeOrderLines(doc),
    ...serializePrice(doc),
    payment: serializePayment(payment),
    ...serializeRefunds(payment),
    ...serializeAdjustments({ doc, status: order.status }, payment),
    courier: delivery === undefined ? null : toCourier(delivery, now),
    delivery_id: order.delivery_id,
    proof_of_delivery: doc.proof_of_delivery,
    table: serializeTable({ doc, order_id: order.order_id }),
    slot: serializeTimeWindow(doc.slot),
    dropoff: doc.dropoff,
    if_absent: serializeIfAbsentChoice(doc),
    notes: doc.notes,
    cancellable: isOrderCancellable(order),
    status_history: doc.history.map(({ status, at, by, reason }) => ({
      status,
      at: toTimestamp(at),
      by,
      reason,
    })),
    cancellation: cancellation && { ...cancellation, at: toTimestamp(cancellation.at) },
    rejection: rejection && { ...rejection, at: toTimestamp(rejection.at) },
    created_at: toTimestamp(order.created_at),
    updated_at: toTimestamp(order.updated_at),
    estimated_ready_at: toTimestamp(doc.estimated_ready_at),
    estimated_delivery_at: toTimestampOrNull(doc.estimated_delivery_at),
    latest_delivery_at: toTimestampOrNull(doc.latest_delivery_at ?? null),
    completed_at: toTimestampOrNull(doc.completed_at),
  })
}

function toCourier(delivery: DeliveryRecord, now: number): FoodOrderView['courier'] {
  const shown = serializeCourier(delivery, now)
  if (shown === null) return null
  const { pickup_eta_at: _, dropoff_eta_at, ...courier } = shown
  return { ...courier, status: delivery.status, eta_at: dropoff_eta_at }
}
