/** The open orders that a change of the hours or of the menu touches, in words. */
import type { CommandContext } from '../cli/cli.ts'
import { sanitizeForTerminal } from '../cli/output/text.ts'
import type { OperationOutput } from '../client/operations.ts'
import { MARKET_TIMEZONE } from '../core/market.ts'

/** The operations whose answers name the orders that they touch, and that have a preview. */
const TOUCHING: ReadonlySet<string> = new Set([
  'set_store_hours',
  'set_catalog_item_availability',
  'set_item_schedule',
  'set_category_schedule',
])

type TouchedOrders = OperationOutput<'set_store_hours'>['touched_orders']

/** Returns a sentence about the orders that an answer says it touches; undefined without any. */
export async function touchedWords(answer: unknown, now: number): Promise<string | undefined> {
  const touched = (answer as { touched_orders?: TouchedOrders } | null)?.touched_orders
  if (touched === null || touched === undefined) return undefined
  const { timeOrDay, humanizeName } = await import('./business/orders/words.ts')
  const { count, orders } = touched
  const listed = orders.map(
    ({ display_number, status, wanted_at }) =>
      `${sanitizeForTerminal(display_number)} (${humanizeName(status)}, for ${timeOrDay(wanted_at, now, MARKET_TIMEZONE)})`,
  )
  const more = count > orders.length ? ` and ${count - orders.length} more` : ''
  const open =
    count === 1 ? '1 open order, which stays as it is' : `${count} open orders, which stay as they are`
  return `It touches ${open}: ${listed.join(', ')}${more}.`
}

/** Returns that sentence about a change that was not sent; undefined for any other operation. */
export async function previewTouched(
  cli: CommandContext,
  operation: string,
  input: Record<string, unknown>,
): Promise<string | undefined> {
  if (!TOUCHING.has(operation)) return undefined
  const answer = await (await cli.client()).call(operation, { ...input, preview: true })
  return touchedWords(answer.value, answer.serviceTime.now)
}
