import type { Client } from '../../../client/client.ts'
import { AppError } from '../../../core/errors.ts'
import { localDate, startOfDay } from '../../../core/time.ts'
import type { Takings } from './board.ts'

/** Returns today's net sales by the service's clock; null from a service without statements. Throws AppError. */
export async function loadTakings(
  client: Client,
  { merchantId, now, signal }: { merchantId: string | undefined; now: number; signal?: AbortSignal },
): Promise<Takings> {
  const zone = Temporal.Now.timeZoneId()
  const stretch = { from: startOfDay(localDate(now, zone), zone), to: now + 1 }
  const input = {
    from: new Date(stretch.from).toISOString(),
    to: new Date(stretch.to).toISOString(),
    ...(merchantId !== undefined && { merchant_id: merchantId }),
  }
  try {
    const { value } = await client.call('get_store_statement', input, signal && { signal })
    return { orders: value.orders, total: value.net_sales }
  } catch (error) {
    if (error instanceof AppError && error.code === 'route_not_found') return null
    throw error
  }
}
