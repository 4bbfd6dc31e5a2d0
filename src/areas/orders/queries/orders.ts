import type { Contact } from '../../../core/address.ts'
import type { Tx } from '../../../core/db.ts'
import type { Point } from '../../../core/geometry.ts'
import type { Money } from '../../../core/money.ts'
import type { TimeRange } from '../../../core/period.ts'
import type { Place } from '../../../core/places/place.ts'
import type { Slice } from '../../../core/slice.ts'
import type { TimeWindow } from '../../../core/time.ts'
import { type CreationSpan, NEWEST_FIRST, walkNewestFirst } from '../../../db/lists.ts'
import { defineTable, formatPlaceholders } from '../../../db/table.ts'
import type { FulfillmentType, DiningTable } from '../../merchants/rules.ts'
import type { PaymentStatus } from '../../payments/rules/payment.ts'
import type { PricedBasket } from '../../payments/rules/price.ts'
import type { IfAbsent } from '../../proofs/rules/absent.ts'
import type { Proof } from '../../proofs/rules/proof.ts'
import type { Adjustment, OrderProblem, SubstitutionQuestion } from '../rules/adjust.ts'
import type { Substitution } from '../rules/substitution.ts'
import type { TableShare } from '../rules/table-shares.ts'
import {
  LOST_ORDER_STATUSES,
  ORDER_STATUSES,
  type OrderCancelReason,
  type OrderStatus,
  type OrderRejectReason,
} from '../states.ts'

/** The one who changed an order's status. */
export type OrderActor = 'customer' | 'store' | 'courier' | 'system'

/** One entry of the history; entries never change. The customer does not see `note`. */
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
  /** The shares of the whole table in which it was paid, in minor units; absent while it is open, and in older orders. */
  shares?: readonly TableShare[]
}

/** The fields of an order that are not searchable columns. Times in milliseconds. */
export type OrderDoc = PricedBasket & {
  merchant: {
    name: string
    phone: string | null
    location: Point
    place: Place
    timezone: string
    /** The business agreement of the store; null when it belongs to no account. */
    agreement_id: string | null
  }
  /** The customer as the store sees them; `orders_count` is the number of this order among theirs there, from 1. */
  customer: { name: string; phone: string | null; orders_count: number }
  contact: Contact | null
  notes: string | null
  /** The stock keeping units of the lines by item, for the store only. */
  skus: Record<string, string>
  /** The allergens of the items by the item, for the store only; absent in older orders. */
  allergens?: Readonly<Record<string, readonly string[]>>
  /** The menu categories of the items by the item, by which their stations are found; absent in older orders. */
  categories?: Readonly<Record<string, string>>
  /** The lines that the kitchen has made, in the order of their ticks; absent before the first tick. */
  ticked?: readonly string[]
  dropoff: Place | null
  /** Null without delivery; absent in older orders. */
  if_absent?: IfAbsent | null
  table: DiningTable | null
  scheduled_for: number | null
  slot: TimeWindow | null
  prep_time_minutes: number
  accepted_at: number | null
  preparing_at: number | null
  ready_at: number | null
  estimated_ready_at: number
  estimated_delivery_at: number | null
  /** The end of the delivery that was promised at the order; null without delivery, absent in older orders. */
  latest_delivery_at?: number | null
  /** The expected time of readiness for which a courier is reserved; absent when none is. */
  courier_held_for?: number | null
  completed_at: number | null
  collection_instructions: string | null
  collected_by_name: string | null
  history: OrderStep[]
  check: TableCheck | null
  cancellation: { by: OrderActor; reason_code: OrderCancelReason; note: string | null; at: number } | null
  rejection: { reason_code: OrderRejectReason; note: string | null; at: number; item_ids: string[] } | null
  proof_of_delivery: Proof | null
  /** The parts that went wrong, oldest first. */
  adjustments?: Adjustment[]
  /** The customer's wish for an item that is missing; absent in older orders. */
  substitutions?: Substitution
  /** The replacements that the customer is asked about, oldest first. */
  questions?: SubstitutionQuestion[]
  /** The problems that the customer reported, oldest first. */
  problems?: OrderProblem[]
  /** The amount that adjustments before the payment took off it, in minor units. */
  reduced_by?: number
  /** The stock that it holds until it is prepared, by the item; absent in older orders. */
  reserved?: Readonly<Record<string, number>>
  /** True if the sandbox plays the store and the scenario of this order. */
  auto: boolean
  scenario: { name: string; options: Record<string, string> } | null
}

/** An order with two views: the customer's food order and the store's business order. */
export type OrderRecord = {
  order_id: string
  seq: number
  /** The order's number in this database, from 1: every random draw about it uses this. */
  ordinal: number
  account_id: string
  merchant_id: string
  quote_id: string
  status: OrderStatus
  fulfillment_type: FulfillmentType
  /** The store's local date, within which the display number is unique. */
  display_day: string
  display_number: string
  delivery_id: string | null
  created_at: number
  updated_at: number
  doc: OrderDoc
}

const ORDERS = defineTable<
  OrderRecord,
  'check_id' | 'payment_status',
  OrderRecord & { payment_status?: PaymentStatus }
>({
  name: 'orders',
  key: 'order_id',
  columns: {
    order_id: 'text',
    seq: 'integer',
    ordinal: 'integer',
    account_id: 'text',
    merchant_id: 'text',
    quote_id: 'text',
    status: 'text',
    fulfillment_type: 'text',
    display_day: 'text',
    display_number: 'text',
    delivery_id: 'text or null',
    created_at: 'integer',
    updated_at: 'integer',
    doc: 'json',
    check_id: ({ doc }) => doc.check?.check_id ?? null,
    payment_status: ({ payment_status = null }) => payment_status,
  },
  changing: ['status', 'delivery_id', 'check_id', 'updated_at', 'doc'],
})

/** Writes an order with the status of its payment, which `updatePayment` keeps in step. */
export async function insertOrder(tx: Tx, order: OrderRecord, paymentStatus: PaymentStatus): Promise<void> {
  await ORDERS.insert(tx, [{ ...order, payment_status: paymentStatus }])
}

export async function findOrder(tx: Tx, orderId: string): Promise<OrderRecord | undefined> {
  return ORDERS.find(tx, orderId)
}

/** Returns the orders with these ids. */
export async function findOrders(tx: Tx, orderIds: readonly string[]): Promise<Map<string, OrderRecord>> {
  return ORDERS.findMany(tx, orderIds)
}

/** Returns the orders of all stores after a position, in the order in which they were placed. */
export async function listOrdersAfter(tx: Tx, seq: number, limit: number): Promise<OrderRecord[]> {
  return ORDERS.list(tx, 'where seq > $1 order by seq limit $2', seq, limit)
}

/** Returns every order in one of these statuses, of all accounts. */
export async function listOrdersIn(tx: Tx, statuses: readonly OrderStatus[]): Promise<OrderRecord[]> {
  return ORDERS.list(tx, `where status in (${formatPlaceholders(statuses.length)}) order by seq`, ...statuses)
}

/** Returns every order with this number, of all accounts and stores, newest first: one in a million orders has it. */
export async function listOrdersByDisplayNumber(tx: Tx, number: string): Promise<OrderRecord[]> {
  // Only the index of the numbers has this order, so PostgreSQL takes it without knowing the value.
  return ORDERS.list(tx, `where display_number = $1 ${NEWEST_FIRST}`, number)
}

/** Finds the order of a table check. */
export async function findOrderByCheck(tx: Tx, checkId: string): Promise<OrderRecord | undefined> {
  return ORDERS.first(tx, 'where check_id = $1', checkId)
}

/** Locks and reads an order: changes of it, of its delivery and of their planned events wait. */
export async function lockOrder(tx: Tx, orderId: string): Promise<OrderRecord | undefined> {
  return ORDERS.lock(tx, orderId)
}

/** Locks those of the orders that exist, always in the same order: two such calls cannot deadlock. */
export async function lockOrders(
  tx: Tx,
  orderIds: readonly string[],
  options: { skipLocked: boolean },
): Promise<Set<string>> {
  return ORDERS.lockMany(tx, orderIds, options)
}

/** Writes the fields of an order that can change. */
export async function updateOrder(tx: Tx, order: OrderRecord): Promise<void> {
  await ORDERS.update(tx, order)
}

/** Returns whether a store has given a display number to an order of this local day. */
export async function isDisplayNumberTaken(
  tx: Tx,
  merchantId: string,
  day: string,
  displayNumber: string,
): Promise<boolean> {
  // Only the index of all three columns has this order, so PostgreSQL takes it without knowing the values.
  const row = await tx.get(
    `select case when merchant_id = $1 and display_day = $2 and display_number = $3 then 1 end as taken from orders
     where (merchant_id, display_day, display_number) >= ($1, $2, $3)
     order by merchant_id, display_day, display_number limit 1`,
    merchantId,
    day,
    displayNumber,
  )
  return row?.['taken'] === 1
}

/** Returns the number of orders in each status, over all stores. */
export async function countOrdersByStatus(tx: Tx): Promise<Record<string, number>> {
  return ORDERS.countByStatus(tx)
}

export type CustomerOrderFilters = CreationSpan & {
  /** Every status when the filter names only a store. */
  statuses?: readonly OrderStatus[] | undefined
  merchant_id?: string | undefined
}

export type StoreOrderFilters = CreationSpan & {
  statuses?: readonly OrderStatus[] | undefined
  /** Used with statuses; a filter by one of the two lists every value of the other. */
  kinds?:
    | { payment_statuses: readonly PaymentStatus[]; fulfillment_types: readonly FulfillmentType[] }
    | undefined
}

const LISTED = { table: 'orders', select: ORDERS.select } as const

/** Returns a customer's orders, newest first, after a position. */
export async function listCustomerOrders(
  tx: Tx,
  accountId: string,
  { statuses, merchant_id, ...span }: CustomerOrderFilters,
  { after, limit }: Slice,
): Promise<OrderRecord[]> {
  const all = { account_id: accountId, ...(merchant_id !== undefined && { merchant_id }) }
  const walk = { ...span, all, any: { status: statuses } }
  return (await walkNewestFirst(tx, LISTED, walk, { after, limit })).map(ORDERS.map)
}

/** Returns the part of a complete list, newest first, that a page shows. */
export function sliceNewestFirst(orders: readonly OrderRecord[], { after, limit }: Slice): OrderRecord[] {
  const isAfter = ({ created_at, seq }: OrderRecord): boolean =>
    after === undefined ||
    created_at < after.created_at ||
    (created_at === after.created_at && seq < after.seq)
  return orders.filter(isAfter).slice(0, limit)
}

/** Returns the number of a customer's orders with a store, in any status: the newest says which one it is. */
export async function countOrdersOf(tx: Tx, accountId: string, merchantId: string): Promise<number> {
  // One walk of the index for each status. Only the index of all these columns has their order, so PostgreSQL takes it
  // without knowing the values.
  const statuses = ORDER_STATUSES.map((status) => `('${status}')`).join(', ')
  const [newest] = await ORDERS.list(
    tx,
    `where seq = (select max(newest) from (select (
       select case when account_id = $1 and merchant_id = $2 and status = column1 then seq end from orders
       where (account_id, merchant_id, status) <= ($1, $2, column1)
       order by account_id desc, merchant_id desc, status desc, created_at desc, seq desc limit 1
     ) as newest from (values ${statuses}) as statuses) as walks)`,
    accountId,
    merchantId,
  )
  return newest?.doc.customer.orders_count ?? 0
}

/** Returns a store's orders, newest first, after a position. */
export async function listStoreOrders(
  tx: Tx,
  merchantId: string,
  { statuses, kinds, ...span }: StoreOrderFilters,
  { after, limit }: Slice,
): Promise<OrderRecord[]> {
  const any = {
    status: statuses,
    payment_status: kinds?.payment_statuses,
    fulfillment_type: kinds?.fulfillment_types,
  }
  const walk = { ...span, all: { merchant_id: merchantId }, any }
  return (await walkNewestFirst(tx, LISTED, walk, { after, limit })).map(ORDERS.map)
}

/** Returns the lost orders of a store that were placed in a stretch of time and changed at `changedFrom` or later, by id. */
export async function listLostOrders(
  tx: Tx,
  merchantId: string,
  { from, to, changedFrom }: TimeRange & { changedFrom: number },
): Promise<string[]> {
  const rows = await tx.all(
    `select order_id from orders
     where merchant_id = $1 and status in (${LOST_ORDER_STATUSES.map((status) => `'${status}'`).join(', ')})
       and created_at >= $2 and created_at < $3 and updated_at >= $4
     order by created_at, seq`,
    merchantId,
    from,
    to,
    changedFrom,
  )
  return rows.map((row) => String(row['order_id']))
}

/** Returns the orders of a store of which a problem waits for its answer, newest first, after a position. */
export async function listProblemOrders(
  tx: Tx,
  { agreement_id, merchant_id }: { agreement_id: string; merchant_id: string },
  { after, limit }: Slice,
): Promise<OrderRecord[]> {
  return ORDERS.list(
    tx,
    `where order_id in (select resource_id from timeline where counterparty_id = $1 and event = 'problem_overdue')
       and merchant_id = $2 and (created_at < $3 or (created_at = $3 and seq < $4))
     order by created_at desc, seq desc limit $5`,
    agreement_id,
    merchant_id,
    after?.created_at ?? Number.MAX_SAFE_INTEGER,
    after?.seq ?? 0,
    limit,
  )
}
