import type { CommandContext } from '../../../cli/cli.ts'
import { formatTargetFlags } from '../../../cli/print.ts'
import { forEachConcurrently } from '../../../client/concurrency.ts'
import { AppError } from '../../../core/errors.ts'
import { formatGroupedMoney } from '../../../core/money.ts'
import { chooseNumbered, readOrderNumber } from '../../order-numbers.ts'
import { listNumbered } from './active.ts'
import type { BusinessOrderOutput } from './order.ts'

/** An order as the user named it. */
export type NamedOrder = {
  word: string
  orderId: string
  /** The order, if it was looked up by its number; one that is over is rejected by the service. */
  order: BusinessOrderOutput | undefined
  /** The reason why nothing can be sent for it. */
  problem: AppError | undefined
}

const ID = /^ord_\w+$/

/** The lookups that run at the same time. */
const MAX_LOOKUPS = 8

/** `activeOnly`: the command fits active orders only, so that one of these is meant before those that have ended. */
type Lookup = { merchantId: string | undefined; activeOnly: boolean }

/**
 * The orders that the words name: ids, or four-character numbers, with a day where they repeat (`X7KH@2026-11-27`). One named
 * twice counts once. Throws AppError('usage') for a word that is neither and for a number that several have, before anything
 * is sent.
 */
export async function resolveOrders(
  cli: CommandContext,
  typed: readonly string[],
  { merchantId, activeOnly }: Lookup,
): Promise<NamedOrder[]> {
  const words = typed.map(withoutSign)
  const strange = words.filter((word) => readOrderNumber(word) === undefined && !ID.test(word))
  if (strange.length > 0)
    throw new AppError(
      'usage',
      `Unknown order: ${strange.map((word) => JSON.stringify(word.slice(0, 40))).join(', ')}.`,
      {
        hint: 'Use the order ID, ord_…, or the four-character order number.',
      },
    )
  const found = new Map<string, NamedOrder>()
  const client = words.every((word) => ID.test(word)) ? undefined : await cli.client()
  await forEachConcurrently([...new Set(words)], MAX_LOOKUPS, async (word) => {
    const named = readOrderNumber(word)
    const order =
      named === undefined || client === undefined
        ? undefined
        : chooseNumbered(cli, await listNumbered(client, named.number, merchantId), {
            named,
            now: (await client.serviceTime()).now,
            activeOnly,
            describe: ({ customer, total }) => `${customer.first_name}, ${formatGroupedMoney(total)}`,
          })
    found.set(word, named === undefined ? byId(word) : byNumber(cli, word, order))
  })
  const all = words.flatMap((word) => found.get(word) ?? [])
  return all.filter(
    ({ orderId, word }, at) =>
      all.findIndex((other) => (orderId === '' ? other.word === word : other.orderId === orderId)) === at,
  )
}

/** The one order that a word names, active or over. Throws AppError('order_not_found') or AppError('usage'). */
export async function resolveStoreOrder(
  cli: CommandContext,
  word: string,
  merchantId: string | undefined,
): Promise<string> {
  const [named] = await resolveOrders(cli, [word], { merchantId, activeOnly: false })
  if (named?.problem !== undefined) throw named.problem
  return named?.orderId ?? word
}

/** Tickets and people write a number as `#7K2M`. */
function withoutSign(word: string): string {
  return word.startsWith('#') && readOrderNumber(word) !== undefined ? word.slice(1) : word
}

function byId(word: string): NamedOrder {
  return { word, orderId: word, order: undefined, problem: undefined }
}

function byNumber(cli: CommandContext, word: string, order: BusinessOrderOutput | undefined): NamedOrder {
  if (order !== undefined) return { word, orderId: order.order_id, order, problem: undefined }
  const problem = new AppError('order_not_found', `No order has the number ${word}.`, {
    hint: `\`dray business orders list --active${formatTargetFlags(cli.globals)}\` lists active orders.`,
  })
  return { word, orderId: '', order: undefined, problem }
}
