import type { Client } from '../../client/client.ts'
import { AppError } from '../../errors.ts'
import type { Order } from './order.ts'

export const POLL_MS = 2000

export type Active = {
  /** Newest first. */
  orders: Order[]
  /** The service's clock when it answered. */
  now: number
  frozen: boolean
}

type Page = { data: Order[]; has_more: boolean; next_cursor: string | null }

/** All orders that are not over, of the one store or of the named one. */
export async function listActive(
  client: Client,
  { merchantId, signal }: { merchantId?: string | undefined; signal?: AbortSignal } = {},
): Promise<Active> {
  const orders: Order[] = []
  const filters = { active: true, limit: 100, ...(merchantId !== undefined && { merchant_id: merchantId }) }
  for (let cursor: string | null = null; ;) {
    const { value, serviceTime } = await client.call(
      'list_business_orders',
      { ...filters, ...(cursor !== null && { cursor }) },
      { ...(signal !== undefined && { signal }) },
    )
    const { data, next_cursor } = value as Page
    orders.push(...data)
    // A cursor that leads to itself would never end.
    if (next_cursor === null || next_cursor === cursor) return { orders, ...serviceTime }
    cursor = next_cursor
  }
}

export async function loadOrder(client: Client, orderId: string): Promise<Order> {
  return (await client.call('get_business_order', { order_id: orderId })).value as Order
}

/** Whether the next poll may be answered: nothing else ends a failure by waiting. */
export function mayMend(error: unknown): error is AppError {
  return error instanceof AppError && (error.entry.retryable === true || error.entry.exit === 'unavailable')
}
