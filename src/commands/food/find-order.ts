/** An order as a customer calls it: by its id, by the number on its receipt, or the last one. */
import { isOrderOver } from '../../areas/orders/states.ts'
import { lastCreated } from '../../cli/calls/created.ts'
import type { Cli } from '../../cli/cli.ts'
import { type Args, text } from '../../cli/command.ts'
import type { Client } from '../../client/client.ts'
import type { Answer } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { isId } from '../../core/resource.ts'
import { RESOURCES } from '../../generated/resources.ts'

type FoodOrder = Answer<'get_food_order'>

type Named = Pick<FoodOrder, 'order_id' | 'display_number' | 'status'>

/** The arguments with the id of the order that is meant, and its number where that is what a person confirms. */
export async function nameOrder(cli: Cli, args: Args): Promise<{ args: Args; name?: string }> {
  const said = text(args, 'order_id')
  if (said !== undefined && isId(RESOURCES.food_order, said)) return { args }
  const typed = said === 'last' ? undefined : said
  const reads = cli.spec.operation?.read === true
  if (typed === undefined && reads) return { args: { ...args, order_id: await lastOrder(cli) } }
  if (said === undefined && (await cli.ask()) === undefined) return { args }
  const found =
    typed === undefined
      ? await load(await cli.client(), await lastOrder(cli))
      : await findOrder(await cli.client(), typed)
  if (said === undefined) cli.answered.push({ flag: found.order_id })
  return { args: { ...args, order_id: found.order_id }, name: found.display_number }
}

/** The id of the order that is typed as an id, as its number or as `last`; of the last one without a word. */
export async function orderIdOf(cli: Cli, typed: string | undefined): Promise<string> {
  if (typed === undefined || typed === 'last') return lastOrder(cli)
  return isId(RESOURCES.food_order, typed) ? typed : (await findOrder(await cli.client(), typed)).order_id
}

/** The id of what was ordered last. Throws AppError('usage') when nothing was. */
async function lastOrder(cli: Cli): Promise<string> {
  const known = lastCreated(cli, 'place_food_order')
  if (known !== undefined) return known.id
  const [last] = await list(await cli.client(), 1)
  if (last !== undefined) return last.order_id
  throw new AppError('usage', 'No orders yet.', {
    hint: '`dray food order` places one.',
  })
}

/**
 * Finds an order by its number among the latest hundred; an active one comes first. Throws AppError('order_not_found').
 */
export async function findOrder(client: Client, typed: string): Promise<Named> {
  const number = typed.trim().replace(/^#/, '').toUpperCase()
  const alike = (await list(client, 100)).filter(({ display_number }) => display_number === number)
  const found = alike.find(({ status }) => !isOrderOver(status)) ?? alike[0]
  if (found !== undefined) return found
  throw new AppError('order_not_found', `No order ${JSON.stringify(typed.slice(0, 40))}.`, {
    hint: '`dray food list` lists your orders with their numbers and IDs.',
  })
}

async function load(client: Client, orderId: string): Promise<Named> {
  return (await client.call('get_food_order', { order_id: orderId })).value
}

async function list(client: Client, limit: number): Promise<Named[]> {
  const { value } = await client.call('list_food_orders', { limit })
  return value.data
}
