import type { Cli } from '../../../cli/cli.ts'
import { sameWorld } from '../../../cli/print.ts'
import { AppError } from '../../../core/errors.ts'
import { listActive, listLatest } from './active.ts'
import type { Order } from './order.ts'

/** An order as somebody named it. */
export type Named = {
  word: string
  orderId: string
  /** The order, if it was looked up by its number; one that is over is refused by the service. */
  order: Order | undefined
  /** The reason why nothing can be sent for it. */
  problem: AppError | undefined
}

/** The number on the ticket, as the service draws it: base32 without letters that look like figures. */
const NUMBER = /^[0-9a-hjkmnp-tv-z]{4}$/i

const ID = /^ord_\w+$/

/**
 * The orders that the words name: ids, or four-character numbers of orders that are active, else of the latest of those
 * that are over. One named twice counts once. Throws AppError('usage') for a word that is neither and for a number that
 * several have, before anything is sent.
 */
export async function findOrders(
  cli: Cli,
  typed: readonly string[],
  merchantId: string | undefined,
): Promise<Named[]> {
  const words = typed.map(withoutSign)
  const strange = words.filter((word) => !NUMBER.test(word) && !ID.test(word))
  if (strange.length > 0)
    throw new AppError(
      'usage',
      `Unknown order: ${strange.map((word) => JSON.stringify(word.slice(0, 40))).join(', ')}.`,
      {
        hint: 'Use the order ID, ord_…, or the four-character order number.',
      },
    )
  const numbers = words.filter((word) => NUMBER.test(word))
  const active = numbers.length > 0 ? (await listActive(await cli.client(), { merchantId })).orders : []
  const isGone = numbers.some((word) => active.every((order) => !hasNumber(order, word)))
  const latest = isGone ? await listLatest(await cli.client(), merchantId) : []
  const named = words.map((word) => (NUMBER.test(word) ? byNumber(cli, word, active, latest) : byId(word)))
  return named.filter(
    ({ orderId, word }, at) =>
      named.findIndex((other) => (orderId === '' ? other.word === word : other.orderId === orderId)) === at,
  )
}

/** The one order that a word names, active or lately over. Throws AppError('order_not_found') or AppError('usage'). */
export async function findOrder(cli: Cli, word: string, merchantId: string | undefined): Promise<string> {
  const [named] = await findOrders(cli, [word], merchantId)
  if (named?.problem !== undefined) throw named.problem
  return named?.orderId ?? word
}

function hasNumber({ display_number }: Order, word: string): boolean {
  return display_number.toLowerCase() === word.toLowerCase()
}

/** Tickets and people write a number as `#7K2M`. */
function withoutSign(word: string): string {
  return word.startsWith('#') && NUMBER.test(word.slice(1)) ? word.slice(1) : word
}

function byId(word: string): Named {
  return { word, orderId: word, order: undefined, problem: undefined }
}

function byNumber(cli: Cli, word: string, active: readonly Order[], latest: readonly Order[]): Named {
  const [found = latest.find((order) => hasNumber(order, word)), ...more] = active.filter((order) =>
    hasNumber(order, word),
  )
  if (more.length > 0) {
    const ids = [found, ...more].map((order) => order?.order_id).join(', ')
    throw new AppError('usage', `Several active orders have the number ${word}: ${ids}.`, {
      hint: 'Use the order ID instead.',
    })
  }
  if (found !== undefined) return { word, orderId: found.order_id, order: found, problem: undefined }
  const problem = new AppError('order_not_found', `No recent order has the number ${word}.`, {
    hint: `\`dray business orders list --active${sameWorld(cli.globals)}\` lists active orders; use the ID for other orders.`,
  })
  return { word, orderId: '', order: undefined, problem }
}
