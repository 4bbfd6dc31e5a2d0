/** The store's statement, for the report and the board. */
import type { Client } from '../../client/client.ts'
import { nullIfUnsupported } from '../../client/fallbacks.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { formatTimeRange, type TimeRange } from '../../core/period.ts'

type StatementOutput = OperationOutput<'get_store_statement'>

type NewerStatementField = 'lost' | 'counted_later' | 'from_earlier' | 'without_rate'

/** A service from before lost orders, late entries and goods without a rate were named sends none. */
export type LoadedStatement = Omit<StatementOutput, NewerStatementField> &
  Partial<Pick<StatementOutput, NewerStatementField>>

/** Returns the store's statement of a stretch of time; null from a service that has none. Throws AppError. */
export async function loadStatement(
  client: Client,
  merchantId: string | undefined,
  stretch: TimeRange,
  signal?: AbortSignal,
): Promise<LoadedStatement | null> {
  const { from, to } = formatTimeRange(stretch)
  const input = { from, to, ...(merchantId !== undefined && { merchant_id: merchantId }) }
  const read = await nullIfUnsupported(client.call('get_store_statement', input, signal && { signal }))
  return read && read.value
}
