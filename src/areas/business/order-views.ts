/** An order as its store sees it. The customer's address is never shown to the store. */
import type { Static } from 'typebox'
import type { Tx } from '../../core/db.ts'
import { withLocal } from '../../core/local-times.ts'
import { firstName, maskPhone } from '../../core/privacy.ts'
import { serializeTimeWindow, toTimestampOrNull, toTimestamp } from '../../core/time.ts'
import { type DeliveryRecord, findDeliveries } from '../couriers/queries/deliveries.ts'
import { serializeCourier } from '../couriers/views.ts'
import { findMerchant } from '../merchants/queries.ts'
import { findStation, type Station } from '../merchants/rules.ts'
import { acceptByOf } from '../orders/lifecycle/timeline.ts'
import type { OrderRecord } from '../orders/queries/orders.ts'
import { allowedActions } from '../orders/rules/allowed.ts'
import { listLinesToMake } from '../orders/rules/ticks.ts'
import { AUTO_ACCEPT_REASON, STORE_TIMES } from '../orders/states.ts'
import {
  serializeAdjustments,
  serializeIfAbsentChoice,
  serializeOrderLines,
  serializeTableCheck,
} from '../orders/views.ts'
import { findPayments } from '../payments/queries/ledger.ts'
import type { Payment } from '../payments/rules/payment.ts'
import { serializePayment, serializePrice, serializeRefunds } from '../payments/views.ts'
import type { businessOrder, businessOrderSummary } from './schema.ts'

type BusinessOrderSummary = Static<typeof businessOrderSummary>
type BusinessOrder = Static<typeof businessOrder>

/** Looks up the payments and deliveries of orders; returns a function that shows one order of a list, as of `now`. */
export async function makeBusinessOrderSerializer(
  tx: Tx,
  orders: readonly OrderRecord[],
  now: number,
): Promise<(order: OrderRecord) => BusinessOrderSummary> {
  const payments = await findPayments(
    tx,
    orders.map(({ order_id }) => order_id),
  )
  const deliveries = await findDeliveries(
    tx,
    orders.flatMap(({ delivery_id }) => delivery_id ?? []),
  )
  const acceptBy = await acceptByOf(tx, orders, payments)
  const stations = await loadStations(tx, orders)
  return (order) => {
    const payment = payments.get(order.order_id)
    if (payment === undefined) throw new Error(`${order.order_id} has no payment`)
    const { order_id, delivery_id } = order
    return withLocal(order.doc.merchant.timezone, STORE_TIMES, {
      ...toSummary(order, payment, deliveries.get(delivery_id ?? ''), now),
      kitchen_lines: serializeKitchenLines(order, stations.get(order.merchant_id) ?? []),
      accept_by: toTimestampOrNull(acceptBy.get(order_id) ?? null),
    })
  }
}

/** Returns one order with its whole history. */
export async function serializeBusinessOrder(
  tx: Tx,
  order: OrderRecord,
  now: number,
): Promise<BusinessOrder> {
  const view = await makeBusinessOrderSerializer(tx, [order], now)
  return {
    ...view(order),
    status_history: order.doc.history.map((step) => ({ ...step, at: toTimestamp(step.at) })),
  }
}

function toSummary(
  order: OrderRecord,
  payment: Payment,
  delivery: DeliveryRecord | undefined,
  now: number,
): Omit<BusinessOrderSummary, 'accept_by' | 'kitchen_lines'> {
  const { doc } = order
  const { rejection } = doc
  return {
    order_id: order.order_id,
    display_number: order.display_number,
    merchant_id: order.merchant_id,
    status: order.status,
    fulfillment_type: order.fulfillment_type,
    customer: toCustomer(doc),
    lines: serializeOrderLines(doc).map((line) => ({
      ...line,
      sku: doc.skus[line.item_id] ?? null,
      allergens: [...(doc.allergens?.[line.item_id] ?? [])],
    })),
    ...serializePrice(doc),
    notes: doc.notes,
    payment: serializePayment(payment),
    ...serializeRefunds(payment),
    ...serializeAdjustments(order, payment),
    if_absent: serializeIfAbsentChoice(doc),
    table: toTable(doc),
    slot: serializeTimeWindow(doc.slot),
    prep: {
      accepted_at: toTimestampOrNull(doc.accepted_at),
      preparing_at: toTimestampOrNull(doc.preparing_at),
      ready_at: toTimestampOrNull(doc.ready_at),
      estimated_ready_at: toTimestamp(doc.estimated_ready_at),
      prep_time_minutes: doc.prep_time_minutes,
    },
    delivery: delivery === undefined ? null : toDelivery(delivery, now),
    rejection: rejection && { ...rejection, at: toTimestamp(rejection.at) },
    auto_accepted: doc.history.some(({ reason }) => reason === AUTO_ACCEPT_REASON),
    allowed_actions: allowedActions(order, payment),
    placed_at: toTimestamp(order.created_at),
    created_at: toTimestamp(order.created_at),
    updated_at: toTimestamp(order.updated_at),
  }
}

/** Returns the stations of the stores of orders. */
async function loadStations(tx: Tx, orders: readonly OrderRecord[]): Promise<Map<string, Station[]>> {
  const stations = new Map<string, Station[]>()
  for (const id of new Set(orders.map(({ merchant_id }) => merchant_id)))
    stations.set(id, (await findMerchant(tx, id))?.doc.settings?.stations ?? [])
  return stations
}

function serializeKitchenLines(
  { doc }: OrderRecord,
  stations: readonly Station[],
): BusinessOrderSummary['kitchen_lines'] {
  const { ticked = [], categories = {} } = doc
  return listLinesToMake(doc).map(({ line_id, item_id }) => ({
    line_id,
    station: findStation(stations, item_id, categories[item_id]),
    done: ticked.includes(line_id),
  }))
}

function toCustomer({ contact, customer }: OrderRecord['doc']): BusinessOrderSummary['customer'] {
  const phone = contact?.phone ?? customer.phone
  return {
    first_name: firstName(contact?.name ?? customer.name),
    phone_masked: phone === null ? null : maskPhone(phone),
    orders_count: customer.orders_count,
  }
}

function toTable({ table, check }: OrderRecord['doc']): BusinessOrderSummary['table'] {
  return table && { ...table, check: serializeTableCheck(check) }
}

function toDelivery(delivery: DeliveryRecord, now: number): BusinessOrderSummary['delivery'] {
  const courier = serializeCourier(delivery, now)
  return {
    delivery_id: delivery.delivery_id,
    status: delivery.status,
    courier: courier && {
      name: courier.name,
      vehicle_type: courier.vehicle_type,
      phone_masked: courier.phone_masked,
      eta_at: courier.pickup_eta_at ?? courier.dropoff_eta_at,
    },
  }
}
