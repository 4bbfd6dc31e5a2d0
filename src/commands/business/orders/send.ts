import { callOnce } from '../../../cli/calls/call-once.ts'
import type { Cli } from '../../../cli/cli.ts'
import { sameWorld } from '../../../cli/print.ts'
import type { CallResult } from '../../../client/client.ts'
import { AppError } from '../../../core/errors.ts'
import { ACTION_TEXTS, VERBS } from './order.ts'
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
  const call = { operation: ACTION_TEXTS[verb].operation, input }
  try {
    return await callOnce(cli, [verb, input], call, (answer) => use(answer.value as Order, answer))
  } catch (error) {
    throw withWayOn(cli, verb, orderId, error)
  }
}

/** What an order in this state needs next before it can be done. */
const NEXT: Readonly<Record<string, Verb>> = { placed: 'accept', accepted: 'ready', preparing: 'ready' }

/** Adds the command that has to come first to the refusal of one that comes too early. */
function withWayOn({ globals }: Cli, verb: Verb, orderId: string, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'invalid_state' || verb === 'reject') return error
  const first = NEXT[String(error.extra['current_status'])]
  if (first === undefined || VERBS.indexOf(first) >= VERBS.indexOf(verb)) return error
  return new AppError(error.code, error.message, {
    errors: error.errors,
    extra: error.extra,
    hint: `This comes first: \`dray business orders ${first} ${orderId}${sameWorld(globals)}\`.`,
  })
}
