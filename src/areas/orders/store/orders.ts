import type { Contact } from '../../../core/address.ts'
import type { Row, Tx } from '../../../core/db.ts'
import type { Point } from '../../../core/geometry.ts'
import type { Money } from '../../../core/money.ts'
import type { Place } from '../../../core/places/place.ts'
import type { Span } from '../../../core/time.ts'
import { type CreationSpan, type ListPosition, walkNewestFirst } from '../../../store/lists.ts'
import { toInteger } from '../../../store/values.ts'
import type { FulfillmentType, Table } from '../../merchants/rules.ts'
import type { PaymentStatus } from '../../payments/rules/payment.ts'
import type { PricedBasket } from '../../payments/rules/price.ts'
import type { Proof } from '../../proofs/rules/proof.ts'
import type { OrderCancelReason, OrderStatus, RejectReason } from '../states.ts'

/** Who moved an order. */
export type OrderActor = 'customer' | 'store' | 'courier' | 'system'

/** One entry of the history, oldest first, never changed. `note` is the store's own and not for the customer. */
export type OrderStep = {
  status: OrderStatus
  at: number
  by: OrderActor
  reason: string | null
  note: string | null
}

export type TableCheck = {
  check_id: string
  status: 'open' | 'closed'
  opened_at: number
  closed_at: number | null
  balance: Money
}

/** What an order holds beyond its searchable columns. Times in milliseconds. */
export type OrderDoc = PricedBasket & {
  merchant: {
    name: string
    phone: string | null
    location: Point
    place: Place
    timezone: string
    /** The business agreement of the store; null where nobody of the sandbox owns it. */
    agreement_id: string | null
  }
  /** As the store sees its customer; `orders_count` is this one's number among the customer's orders there, from 1. */
  customer: { name: string; phone: string | null; orders_count: number }
  contact: Contact | null
  notes: string | null
  /** The skus of the lines by item, for the store only. */
  skus: Record<string, string>
  dropoff: Place | null
  table: Table | null
  scheduled_for: number | null
  slot: Span | null
  prep_time_minutes: number
  accepted_at: number | null
  preparing_at: number | null
  ready_at: number | null
  estimated_ready_at: number
  estimated_delivery_at: number | null
  /** The instant for which a courier is held, when it is expected to be ready; absent where none is. */
  courier_held_for?: number | null
  completed_at: number | null
  collection_instructions: string | null
  collected_by_name: string | null
  history: OrderStep[]
  check: TableCheck | null
  cancellation: { by: OrderActor; reason_code: OrderCancelReason; note: string | null; at: number } | null
  rejection: { reason_code: RejectReason; note: string | null; at: number; item_ids: string[] } | null
  proof_of_delivery: Proof | null
  /** Whether the sandbox plays the store, and how it plays this order. */
  auto: boolean
  scenario: { name: string; options: Record<string, string> } | null
}

/** One record, two views: the customer's food order and the store's business order. */
export type OrderRecord = {
  order_id: string
  seq: number
  /** Which order of the whole store (database) it is, from 1: every draw about it derives from this. */
  ordinal: number
  account_id: string
  merchant_id: string
  quote_id: string
  status: OrderStatus
  fulfillment_type: FulfillmentType
  /** Local date of the store, within which the display number is unique. */
  display_day: string
  display_number: string
  delivery_id: string | null
  created_at: number
  updated_at: number
  doc: OrderDoc
}

const COLUMNS = [
  'order_id',
  'seq',
  'ordinal',
  'account_id',
  'merchant_id',
  'quote_id',
  'status',
  'fulfillment_type',
  'display_day',
  'display_number',
  'delivery_id',
  'created_at',
  'updated_at',
  'doc',
] as const

const SELECT = `select ${COLUMNS.join(', ')} from orders`

/** Ids of one `in (…)`: few lengths of list, so that few statements are kept. */
const CHUNK = 100

/** Writes an order with the status of its payment, which `updatePayment` keeps up to date. */
export async function insertOrder(tx: Tx, order: OrderRecord, paymentStatus: PaymentStatus): Promise<void> {
  await tx.insertMany(
    'orders',
    [...COLUMNS, 'check_id', 'payment_status'],
    [
      [
        ...COLUMNS.map((column) => (column === 'doc' ? JSON.stringify(order.doc) : order[column])),
        order.doc.check?.check_id ?? null,
        paymentStatus,
      ],
    ],
  )
}

export async function findOrder(tx: Tx, orderId: string): Promise<OrderRecord | undefined> {
  const row = await tx.get(`${SELECT} where order_id = $1`, orderId)
  return row && toOrder(row)
}

/** Every order in one of these states, whoever's. */
export async function listOrdersIn(tx: Tx, statuses: readonly OrderStatus[]): Promise<OrderRecord[]> {
  const rows = await tx.all(
    `${SELECT} where status in (${places(statuses.length)}) order by seq`,
    ...statuses,
  )
  return rows.map(toOrder)
}

/** The order that a table check belongs to. */
export async function findOrderByCheck(tx: Tx, checkId: string): Promise<OrderRecord | undefined> {
  const row = await tx.get(`${SELECT} where check_id = $1`, checkId)
  return row && toOrder(row)
}

/** Reads an order for a change: other writers of it, of its delivery and of what is planned for both wait. */
export async function lockOrder(tx: Tx, orderId: string): Promise<OrderRecord | undefined> {
  const row = await tx.get(`${SELECT} where order_id = $1 ${tx.forUpdate}`, orderId)
  return row && toOrder(row)
}

/** Locks those of the orders that exist, in one order, so that two that lock many never wait for each other. */
export async function lockOrders(
  tx: Tx,
  orderIds: readonly string[],
  { skipLocked }: { skipLocked: boolean },
): Promise<Set<string>> {
  const locked = new Set<string>()
  const sorted = [...new Set(orderIds)].toSorted()
  for (let start = 0; start < sorted.length; start += CHUNK) {
    const chunk = sorted.slice(start, start + CHUNK)
    const rows = await tx.all(
      `select order_id from orders where order_id in (${places(chunk.length)})
       order by order_id ${tx.forUpdate} ${skipLocked ? tx.skipLocked : ''}`,
      ...chunk,
    )
    for (const row of rows) locked.add(String(row['order_id']))
  }
  return locked
}

/** Writes what an order's life can change. */
export async function updateOrder(
  tx: Tx,
  { order_id, status, delivery_id, updated_at, doc }: OrderRecord,
): Promise<void> {
  await tx.run(
    'update orders set status = $1, delivery_id = $2, check_id = $3, updated_at = $4, doc = $5 where order_id = $6',
    status,
    delivery_id,
    doc.check?.check_id ?? null,
    updated_at,
    JSON.stringify(doc),
    order_id,
  )
}

/** How many orders a customer has placed with a store, whatever became of them. */
export async function countOrdersOf(tx: Tx, accountId: string, merchantId: string): Promise<number> {
  const row = await tx.get(
    'select count(*) as count from orders where account_id = $1 and merchant_id = $2',
    accountId,
    merchantId,
  )
  return toInteger(row, 'count')
}

/** Whether a store has given a display number to an order of that local day already. */
export async function hasDisplayNumber(
  tx: Tx,
  merchantId: string,
  day: string,
  displayNumber: string,
): Promise<boolean> {
  const row = await tx.get(
    'select 1 as taken from orders where merchant_id = $1 and display_day = $2 and display_number = $3',
    merchantId,
    day,
    displayNumber,
  )
  return row !== undefined
}

/** How many orders there are of each status, over every store. */
export async function countOrders(tx: Tx): Promise<Record<string, number>> {
  const rows = await tx.all('select status, count(*) as count from orders group by status order by status')
  return Object.fromEntries(rows.map((row) => [String(row['status']), Number(row['count'])]))
}

export type CustomerOrderFilters = CreationSpan & {
  /** Listed in full where only a store is asked for. */
  statuses?: readonly OrderStatus[] | undefined
  merchant_id?: string | undefined
}

export type StoreOrderFilters = CreationSpan & {
  statuses?: readonly OrderStatus[] | undefined
  /** With statuses; each is listed in full where only another is asked for. */
  kinds?:
    | { payment_statuses: readonly PaymentStatus[]; fulfillment_types: readonly FulfillmentType[] }
    | undefined
}

const LISTED = { table: 'orders', select: SELECT } as const

/** A customer's orders, newest first, after a position. */
export async function listCustomerOrders(
  tx: Tx,
  accountId: string,
  { statuses, merchant_id, ...span }: CustomerOrderFilters,
  after: ListPosition | undefined,
  limit: number,
): Promise<OrderRecord[]> {
  const all = { account_id: accountId, ...(merchant_id !== undefined && { merchant_id }) }
  const walk = { ...span, all, any: { status: statuses } }
  return (await walkNewestFirst(tx, LISTED, walk, after, limit)).map(toOrder)
}

/** A store's orders, newest first, after a position. */
export async function listStoreOrders(
  tx: Tx,
  merchantId: string,
  { statuses, kinds, ...span }: StoreOrderFilters,
  after: ListPosition | undefined,
  limit: number,
): Promise<OrderRecord[]> {
  const any = {
    status: statuses,
    payment_status: kinds?.payment_statuses,
    fulfillment_type: kinds?.fulfillment_types,
  }
  const walk = { ...span, all: { merchant_id: merchantId }, any }
  return (await walkNewestFirst(tx, LISTED, walk, after, limit)).map(toOrder)
}

function places(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ')
}

function toOrder(row: Row): OrderRecord {
  return {
    order_id: String(row['order_id']),
    seq: Number(row['seq']),
    ordinal: Number(row['ordinal']),
    account_id: String(row['account_id']),
    merchant_id: String(row['merchant_id']),
    quote_id: String(row['quote_id']),
    status: String(row['status']) as OrderStatus,
    fulfillment_type: String(row['fulfillment_type']) as FulfillmentType,
    display_day: String(row['display_day']),
    display_number: String(row['display_number']),
    delivery_id: typeof row['delivery_id'] === 'string' ? row['delivery_id'] : null,
    created_at: Number(row['created_at']),
    updated_at: Number(row['updated_at']),
    doc: JSON.parse(String(row['doc'])) as OrderDoc,
  }
}
