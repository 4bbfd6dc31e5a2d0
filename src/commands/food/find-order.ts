/** An order as a customer calls it: by its id, by the number on its receipt, or the last one. */
import { lastCreated } from '../../cli/calls/created.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { type Args, readTextArgument } from '../../cli/command.ts'
import type { Client } from '../../client/client.ts'
import { orIfFilterUnsupported } from '../../client/fallbacks.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { hasIdPrefix } from '../../core/resource.ts'
import { RESOURCES } from '../../generated/resources.ts'
import { chooseNumbered, readOrderNumber } from '../order-numbers.ts'

type FoodOrder = OperationOutput<'get_food_order'>

type FoodOrderMatch = Pick<FoodOrder, 'order_id' | 'display_number' | 'status'>

/** The commands that fit active orders only. */
const ACTIVE_ONLY = new Set(['food cancel', 'food answer', 'food track'])

/** The arguments with the id of the order that is meant, and its number where that is what a person confirms. */
export async function nameOrder(cli: CommandContext, args: Args): Promise<{ args: Args; name?: string }> {
  const said = readTextArgument(args, 'order_id')
  if (said !== undefined && hasIdPrefix(RESOURCES.food_order, said)) return { args }
  const typed = said === 'last' ? undefined : said
  const reads = cli.spec.operation?.read === true
  if (typed === undefined && reads) return { args: { ...args, order_id: await lastOrder(cli) } }
  if (said === undefined && (await cli.ask()) === undefined) return { args }
  const found =
    typed === undefined
      ? await load(await cli.client(), await lastOrder(cli))
      : await resolveFoodOrder(cli, typed)
  if (said === undefined) cli.answered.push({ flag: found.order_id })
  return { args: { ...args, order_id: found.order_id }, name: found.display_number }
}

/** The id of the order that is typed as an id, as its number or as `last`; of the last one without a word. */
export async function orderIdOf(cli: CommandContext, typed: string | undefined): Promise<string> {
  if (typed === undefined || typed === 'last') return lastOrder(cli)
  return hasIdPrefix(RESOURCES.food_order, typed) ? typed : (await resolveFoodOrder(cli, typed)).order_id
}

/** The id of what was ordered last. Throws AppError('usage') when nothing was. */
async function lastOrder(cli: CommandContext): Promise<string> {
  const known = lastCreated(cli, 'place_food_order')
  if (known !== undefined) return known.id
  const [last] = await list(await cli.client(), 1)
  if (last !== undefined) return last.order_id
  throw new AppError('usage', 'No orders yet.', {
    hint: '`dray food order` places one.',
  })
}

/**
 * Finds an order by its number, with its day where the number repeats. Throws AppError('order_not_found'), and AppError('usage')
 * with the candidates where several have it.
 */
export async function resolveFoodOrder(cli: CommandContext, typed: string): Promise<FoodOrderMatch> {
  const client = await cli.client()
  const named = readOrderNumber(typed)
  const found =
    named &&
    chooseNumbered(cli, await listNumbered(client, named.number), {
      named,
      now: (await client.serviceTime()).now,
      activeOnly: ACTIVE_ONLY.has(cli.spec.words),
      describe: ({ merchant }) => merchant.name,
    })
  if (found !== undefined) return found
  throw new AppError('order_not_found', `No order ${JSON.stringify(typed.slice(0, 40))}.`, {
    hint: '`dray food list` lists your orders with their numbers and IDs.',
  })
}

/** The orders with this number, newest first; of the latest hundred at a service that finds none by their number. */
async function listNumbered(client: Client, number: string): Promise<FoodOrder[]> {
  const list = async (more: { display_number?: string }): Promise<FoodOrder[]> =>
    (await client.call('list_food_orders', { limit: 100, ...more })).value.data
  return (await orIfFilterUnsupported(list({ display_number: number }), undefined)) ?? list({})
}

async function load(client: Client, orderId: string): Promise<FoodOrderMatch> {
  return (await client.call('get_food_order', { order_id: orderId })).value
}

async function list(client: Client, limit: number): Promise<FoodOrderMatch[]> {
  const { value } = await client.call('list_food_orders', { limit })
  return value.data
}
