import { mergeLostOrders, lostFilters } from '../../../areas/orders/rules/losses.ts'
import type { Client, ServiceTime } from '../../../client/client.ts'
import { orIfFilterUnsupported } from '../../../client/fallbacks.ts'
import { readRemainingPages } from '../../../client/pages.ts'
import type { BusinessOrderOutput } from './order.ts'

export type ActiveOrders = {
  /** Newest first. */
  orders: BusinessOrderOutput[]
  /** The service's clock when it answered. */
  now: number
  frozen: boolean
}

/** All orders that are not over, of the one store or of the named one. */
export async function loadActiveOrders(
  client: Client,
  { merchantId, signal }: { merchantId?: string | undefined; signal?: AbortSignal } = {},
): Promise<ActiveOrders> {
  const filters = { active: true, limit: 100, ...(merchantId !== undefined && { merchant_id: merchantId }) }
  const options = { ...(signal !== undefined && { signal }) }
  let time: ServiceTime = { now: 0, frozen: false }
  const next = async (cursor: string | null) => {
    const input = { ...filters, ...(cursor !== null && { cursor }) }
    const { value, serviceTime } = await client.call('list_business_orders', input, options)
    time = serviceTime
    return value
  }
  const orders = await readRemainingPages(await next(null), next)
  return { orders, ...time }
}

/** The orders that were lost lately, the latest first. */
export async function listLost(
  client: Client,
  { merchantId, now, signal }: { merchantId?: string | undefined; now: number; signal: AbortSignal },
): Promise<BusinessOrderOutput[]> {
  const filters = { ...lostFilters(now), ...(merchantId !== undefined && { merchant_id: merchantId }) }
  const next = async (cursor: string | null) => {
    const input = { ...filters, ...(cursor !== null && { cursor }) }
    return (await client.call('list_business_orders', input, { signal })).value
  }
  return mergeLostOrders(await readRemainingPages(await next(null), next), [])
}

/** The orders with a problem that waits for the store's answer; none from a service that has no such filter. */
export async function listOpenProblemOrders(
  client: Client,
  { merchantId, signal }: { merchantId: string | undefined; signal: AbortSignal },
): Promise<BusinessOrderOutput[]> {
  const filters = {
    problem: 'open' as const,
    limit: 100,
    ...(merchantId !== undefined && { merchant_id: merchantId }),
  }
  const next = async (cursor: string | null) => {
    const input = { ...filters, ...(cursor !== null && { cursor }) }
    return (await client.call('list_business_orders', input, { signal })).value
  }
  return orIfFilterUnsupported(
    next(null).then((first) => readRemainingPages(first, next)),
    [],
  )
}

/** The orders with this number, newest first; of the latest hundred at a service that finds none by their number. */
export async function listNumbered(
  client: Client,
  number: string,
  merchantId: string | undefined,
): Promise<BusinessOrderOutput[]> {
  const filters = { limit: 100, ...(merchantId !== undefined && { merchant_id: merchantId }) }
  const list = async (more: { display_number?: string }): Promise<BusinessOrderOutput[]> =>
    (await client.call('list_business_orders', { ...filters, ...more })).value.data
  const found = await orIfFilterUnsupported(list({ display_number: number }), undefined)
  return found ?? list({})
}

export async function loadOrder(client: Client, orderId: string): Promise<BusinessOrderOutput> {
  return (await client.call('get_business_order', { order_id: orderId })).value
}
