import { callOnce } from '../../../cli/calls/call-once.ts'
import type { Cli } from '../../../cli/cli.ts'
import type { CallResult } from '../../../client/client.ts'
import { ACTION_TEXTS } from './order.ts'
import type { Order, Verb } from './order.ts'

/** Takes an item off sale because it has run out. Throws AppError. */
export async function takeOffSale(cli: Cli, itemId: string): Promise<void> {
  const operation = 'set_catalog_item_availability'
  const input = { item_id: itemId, available: false, reason: 'sold_out' }
  await callOnce(cli, ['off sale', input], { operation, input }, async () => undefined)
}

/** Does it to one order, once however often it is repeated. Throws AppError. */
export async function sendDeed<T>(
  cli: Cli,
  verb: Verb,
  orderId: string,
  body: Readonly<Record<string, unknown>>,
  use: (order: Order, answer: CallResult) => Promise<T>,
): Promise<T> {
  const input = { order_id: orderId, ...body }
  return callOnce(cli, [verb, input], { operation: ACTION_TEXTS[verb].operation, input }, (answer) =>
    use(answer.value as Order, answer),
  )
}
