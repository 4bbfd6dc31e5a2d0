import { mergeLostOrders, lostFilters } from '../../areas/orders/rules/losses.ts'
import { ORDER_VERB_TEXTS, type OrderVerb } from '../../areas/orders/rules/stages.ts'
import type { OperationOutput, OperationInput } from '../../client/operations.ts'
import { type TimedResult, call, change } from '../core/call.ts'
import type { ChangedItem, Order } from './order.ts'

export type CatalogItem = OperationOutput<'list_catalog_items'>['data'][number]

/** Returns all active orders of a store, in the order of their placing; undefined for the only one. */
export async function loadOrders(store: string | undefined): Promise<TimedResult<Order[]>> {
  // All of them: the oldest, which end first, come last.
  const { value, time } = await listOrders({ active: true, limit: 100, ...named(store) })
  return { value: value.toReversed(), time }
}

function named(store: string | undefined) {
  return store === undefined ? {} : { merchant_id: store }
}

async function listOrders(filters: OperationInput<'list_business_orders'>): Promise<TimedResult<Order[]>> {
  const orders: Order[] = []
  let cursor: string | null = null
  for (;;) {
    const { value, time }: TimedResult<OperationOutput<'list_business_orders'>> = await call(
      'list_business_orders',
      {
        ...filters,
        ...(cursor !== null && { cursor }),
      },
    )
    orders.push(...value.data)
    cursor = value.next_cursor
    if (cursor === null) return { value: orders, time }
  }
}

/** Returns the orders that were lost lately, the latest first. */
export async function loadLost(store: string | undefined, now: number): Promise<Order[]> {
  const filters = { ...lostFilters(now), ...named(store) }
  return mergeLostOrders((await call('list_business_orders', filters)).value.data, [])
}

/** Returns the orders with a problem that waits for the store's answer. */
export async function loadProblems(store: string | undefined): Promise<Order[]> {
  return (await listOrders({ problem: 'open', limit: 100, ...named(store) })).value
}

/** The orders that are read to find those that were ready last. */
const MAX_RECENT = 50
/** The most tickets that are recalled. */
const MAX_RECALLED = 10

/** Returns the orders that were ready last, the latest first. */
export async function loadDone(store: string | undefined): Promise<Order[]> {
  const status = ['ready', 'out_for_delivery', 'completed'] as const
  const { value } = await call('list_business_orders', {
    status: [...status],
    limit: MAX_RECENT,
    ...named(store),
  })
  const readyAt = ({ prep }: Order): number => Date.parse(prep.ready_at ?? '') || 0
  return value.data
    .filter((order) => readyAt(order) > 0)
    .toSorted((a, b) => readyAt(b) - readyAt(a))
    .slice(0, MAX_RECALLED)
}

export async function loadOrder(orderId: string): Promise<Order> {
  return (await call('get_business_order', { order_id: orderId })).value
}

export function sendAction(
  action: OrderVerb,
  orderId: string,
  body: Readonly<Record<string, unknown>>,
): Promise<TimedResult<Order>> {
  return change(ORDER_VERB_TEXTS[action].operation, { order_id: orderId, ...body })
}

/** Returns the whole menu of a store. */
export async function loadItems(store: string | undefined): Promise<CatalogItem[]> {
  const items: CatalogItem[] = []
  let cursor: string | null = null
  do {
    const { value }: TimedResult<OperationOutput<'list_catalog_items'>> = await call('list_catalog_items', {
      limit: 100,
      ...named(store),
      ...(cursor !== null && { cursor }),
    })
    items.push(...value.data)
    cursor = value.next_cursor
  } while (cursor !== null)
  return items
}

/** Returns since when or from when an item is on sale; Infinity where it is off sale for good. */
export function comesBack({ availability: { available, until } }: CatalogItem): number {
  if (available) return -Infinity
  return until === null ? Infinity : Date.parse(until)
}

/** Puts an item on sale, or takes it off because it has run out. */
export async function setOnSale({ item_id }: CatalogItem, available: boolean): Promise<ChangedItem> {
  const input = available ? { item_id, available } : { item_id, available, reason: 'sold_out' as const }
  return (await change('set_catalog_item_availability', input)).value
}
