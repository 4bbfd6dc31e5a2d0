import { ORDER_VERB_TEXTS, type OrderVerb, ORDER_VERBS } from '../../../areas/orders/rules/stages.ts'
import { callOnce } from '../../../cli/calls/call-once.ts'
import type { CommandContext } from '../../../cli/cli.ts'
import { formatTargetFlags } from '../../../cli/print.ts'
import type { Client, CallResult } from '../../../client/client.ts'
import { AppError } from '../../../core/errors.ts'
import { loadOrder } from './active.ts'
import type { BusinessOrderOutput } from './order.ts'
import { lastChange } from './words.ts'

/** Takes an item off sale because it has run out. Throws AppError. */
export async function markSoldOut(cli: CommandContext, itemId: string): Promise<void> {
  const operation = 'set_catalog_item_availability'
  const input = { item_id: itemId, available: false, reason: 'sold_out' }
  await callOnce(cli, ['off sale', input], { operation, input }, { use: async () => undefined })
}

type SingleOrderAction = {
  verb: OrderVerb
  orderId: string
  /** The word by which commands name the order, its number or its id. */
  word: string
  body: Readonly<Record<string, unknown>>
}

/** Does it to one order, once however often it is repeated. Throws AppError. */
export async function sendOrderAction<T>(
  cli: CommandContext,
  deed: SingleOrderAction,
  use: (order: BusinessOrderOutput, answer: CallResult) => Promise<T>,
): Promise<T> {
  const { verb, orderId, body } = deed
  const input = { order_id: orderId, ...body }
  const call = { operation: ORDER_VERB_TEXTS[verb].operation, input }
  try {
    return await callOnce(cli, [verb, input], call, {
      use: (answer) => use(answer.value as BusinessOrderOutput, answer),
    })
  } catch (error) {
    throw await withWayOn(cli, deed, error)
  }
}

/** The next step of an order in this state before it can be done. */
const NEXT: Readonly<Record<string, OrderVerb>> = { placed: 'accept', accepted: 'ready', preparing: 'ready' }

/** Adds the command that has to come first, or what became of the order in the meantime, to an error. */
async function withWayOn(
  cli: CommandContext,
  { verb, orderId, word }: SingleOrderAction,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== 'invalid_state') return error
  const { errors, extra } = error
  const first = NEXT[String(extra['current_status'])]
  if (verb !== 'reject' && first !== undefined && ORDER_VERBS.indexOf(first) < ORDER_VERBS.indexOf(verb)) {
    const hint = `Run \`dray business orders ${first} ${word}${formatTargetFlags(cli.globals)}\` first.`
    return new AppError(error.code, error.message, { errors, extra, hint })
  }
  const happened = await whatHappened(await cli.client(), orderId)
  if (happened === undefined) return error
  const hint = `\`dray business orders show ${word}${formatTargetFlags(cli.globals)}\` shows its history.`
  return new AppError(error.code, happened, { errors, extra, hint, cause: error })
}

/** Says what brought an order to its state; undefined where it cannot be read. */
async function whatHappened(client: Client, orderId: string): Promise<string | undefined> {
  try {
    return lastChange(await loadOrder(client, orderId))
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
