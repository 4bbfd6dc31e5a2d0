import type { Client } from '../../../client/client.ts'
import { MARKET_TIMEZONE } from '../../../core/market.ts'
import { businessDateOf, businessDayRange } from '../../../core/period.ts'
import { loadStatement } from '../load-statement.ts'
import type { Takings } from './board.ts'

/** Returns the net sales of the present business day by the service's clock; null from a service without statements. Throws AppError. */
export async function loadTakings(
  client: Client,
  { merchantId, now, signal }: { merchantId: string | undefined; now: number; signal?: AbortSignal },
): Promise<Takings> {
  const { from } = businessDayRange(businessDateOf(now, MARKET_TIMEZONE), MARKET_TIMEZONE)
  const statement = await loadStatement(client, merchantId, { from, to: now + 1 }, signal)
  return statement && { orders: statement.orders, total: statement.net_sales }
}
