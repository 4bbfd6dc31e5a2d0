import type { Client } from '../../../client/client.ts'
import { localDate, startOfDay } from '../../../core/time.ts'
import { loadStatement } from '../load-statement.ts'
import type { Takings } from './board.ts'

/** Returns today's net sales by the service's clock; null from a service without statements. Throws AppError. */
export async function loadTakings(
  client: Client,
  { merchantId, now, signal }: { merchantId: string | undefined; now: number; signal?: AbortSignal },
): Promise<Takings> {
  const zone = Temporal.Now.timeZoneId()
  const today = { from: startOfDay(localDate(now, zone), zone), to: now + 1 }
  const statement = await loadStatement(client, merchantId, today, signal)
  return statement && { orders: statement.orders, total: statement.net_sales }
}
