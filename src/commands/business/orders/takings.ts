import { sumOf } from '../../../areas/orders/rules/waiting.ts'
import { keptOf, PAID_STATUSES, type PaymentStatus } from '../../../areas/payments/rules/payment.ts'
import type { Client } from '../../../client/client.ts'
import type { Input } from '../../../client/operations.ts'
import { readRest } from '../../../client/pages.ts'
import { localDate } from '../../../core/time.ts'
import type { Takings } from './board.ts'

/** Returns what is kept of today's paid orders, by the service's clock. Throws AppError. */
export async function loadTakings(
  client: Client,
  { merchantId, now, signal }: { merchantId: string | undefined; now: number; signal?: AbortSignal },
): Promise<Takings> {
  const today = localDate(now, Temporal.Now.timeZoneId())
  const filters: Input<'list_business_orders'> = {
    created_from: today,
    limit: 100,
    ...(merchantId !== undefined && { merchant_id: merchantId }),
  }
  const list = async (payment_status: PaymentStatus) => {
    const next = async (cursor: string | null) => {
      const input = { ...filters, payment_status, ...(cursor !== null && { cursor }) }
      return (await client.call('list_business_orders', input, signal && { signal })).value
    }
    return readRest(await next(null), next)
  }
  const orders = (await Promise.all(PAID_STATUSES.map(list))).flat()
  return { orders: orders.length, total: sumOf(orders.map((order) => ({ total: keptOf(order) }))) }
}
