import type { Client } from '../../../client/client.ts'
import type { Input } from '../../../client/operations.ts'
import { readRest } from '../../../client/pages.ts'
import { localDate } from '../../../core/time.ts'
import type { Takings } from './board.ts'

/** Returns the total of today's paid orders, by the service's clock. Throws AppError. */
export async function loadTakings(
  client: Client,
  { merchantId, now, signal }: { merchantId: string | undefined; now: number; signal?: AbortSignal },
): Promise<Takings> {
  const today = localDate(now, Temporal.Now.timeZoneId())
  const filters: Input<'list_business_orders'> = {
    created_from: today,
    payment_status: 'paid',
    limit: 100,
    ...(merchantId !== undefined && { merchant_id: merchantId }),
  }
  const next = async (cursor: string | null) => {
    const input = { ...filters, ...(cursor !== null && { cursor }) }
    return (await client.call('list_business_orders', input, signal && { signal })).value
  }
  const orders = await readRest(await next(null), next)
  const [first] = orders
  const amount = orders.reduce((sum, { total }) => sum + total.amount, 0)
  return { orders: orders.length, total: first && { amount, currency: first.total.currency } }
}
