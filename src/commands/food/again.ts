/** Repeats an earlier order at today's prices, and says what is no longer as it was. */
import { choicesOf } from '../../areas/orders/rules/lines.ts'
import { sum } from '../../areas/payments/rules/price.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { commandLine } from '../../cli/output/shell.ts'
import type { OperationOutput, OperationInput } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { formatGroupedMoney } from '../../core/money.ts'
import { type Menu, type MenuItem, formatRequestedItem, type RequestedItem } from '../items.ts'
import { orderIdOf } from './find-order.ts'

export type FoodOrder = OperationOutput<'get_food_order'>
type Line = FoodOrder['lines'][number]

/** Loads the order with this ID or number, or the last one. Throws AppError('usage' | 'order_not_found'). */
export async function loadFoodOrder(cli: CommandContext, typed: string | undefined): Promise<FoodOrder> {
  const client = await cli.client()
  return (await client.call('get_food_order', { order_id: await orderIdOf(cli, typed) })).value
}

type RepeatedBasket = {
  order: FoodOrder
  wanted: RequestedItem[]
  fulfillment: FoodOrder['fulfillment_type']
  base: Partial<OperationInput<'quote_food_order'>>
}

/** Returns an order as a basket. A table and a time are those of one visit, and are not repeated. */
export function repeat(
  order: FoodOrder,
  fulfillment: FoodOrder['fulfillment_type'] = order.fulfillment_type,
): RepeatedBasket {
  const tip = order.fees.find(({ type }) => type === 'courier_tip')?.amount
  return {
    order,
    wanted: order.lines.map(toRequestedItem),
    fulfillment,
    base: {
      merchant_id: order.merchant.merchant_id,
      ...(fulfillment === 'delivery' && {
        ...(order.dropoff !== null && { dropoff: order.dropoff }),
        ...(tip !== undefined && { tip }),
        ...(order.if_absent === 'leave' && { if_absent: 'leave' as const }),
      }),
    },
  }
}

function toRequestedItem({ item_id, quantity, modifiers, notes }: Line): RequestedItem {
  return {
    item: item_id,
    quantity,
    modifiers: modifiers.map((each) => ({ modifier: each.modifier_id, quantity: each.quantity })),
    notes: notes ?? undefined,
  }
}

/** The lines that can be had, and sentences on those that are omitted, that differ, or that cost something else. */
type Changes = { lines: Line[]; gone: string[]; other: string[]; prices: string[] }

/** Compares the lines of an order with the menu of today. Pure. */
export function compareLines(lines: readonly Line[], menu: Menu): Changes {
  const items = new Map(menu.categories.flatMap((each) => each.items).map((item) => [item.item_id, item]))
  const changes: Changes = { lines: [], gone: [], other: [], prices: [] }
  for (const line of lines) {
    const item = items.get(line.item_id)
    const why = item === undefined ? 'it is no longer on the menu' : whyGone(line, item)
    if (item === undefined || why !== undefined) {
      changes.gone.push(`${line.name} is left out: ${why}.`)
      continue
    }
    changes.lines.push(line)
    const chosen = choicesOf(item, line.modifiers).flatMap((group) => group.chosen)
    changes.other.push(...differencesOf(line, item, chosen))
    const extras = sum(chosen.map(({ quantity, price_delta }) => quantity * price_delta.amount))
    const now = { ...item.price, amount: item.price.amount + extras }
    const before = line.total.amount / line.quantity
    if (now.amount !== before)
      changes.prices.push(
        `${item.name} costs ${formatGroupedMoney(now)}; it was ${formatGroupedMoney({ ...now, amount: before })}.`,
      )
  }
  return changes
}

/** Returns why the line cannot be had as it was: it is never ordered without an option that it had. */
function whyGone(line: Line, item: MenuItem): string | undefined {
  if (!item.available) return 'it is not available now'
  const options = item.modifier_groups.flatMap(({ modifiers }) => modifiers)
  for (const { modifier_id, name } of line.modifiers) {
    const option = options.find((each) => each.modifier_id === modifier_id)
    if (option?.available !== true)
      return `${name} is ${option === undefined ? 'no longer' : 'not now'} an option`
  }
  const wrong = choicesOf(item, line.modifiers).find(({ faults }) => faults.length > 0)
  return wrong && `its choices of ${wrong.group.name} have changed`
}

type Choice = Pick<Line['modifiers'][number], 'modifier_id' | 'name'>

/** Returns the sentences on names that differ, and on defaults that the menu has in groups of which the line has no choice. */
function differencesOf(line: Line, item: MenuItem, chosen: readonly Choice[]): string[] {
  const before = new Map(line.modifiers.map(({ modifier_id, name }) => [modifier_id, name]))
  const names = new Map(chosen.map(({ modifier_id, name }) => [modifier_id, name]))
  const pairs = [
    [line.name, item.name] as const,
    ...line.modifiers.map(({ modifier_id, name }) => [name, names.get(modifier_id) ?? name] as const),
  ]
  return [
    ...pairs.flatMap(([was, now]) => (was === now ? [] : [`${was} is now called ${now}.`])),
    ...chosen.flatMap(({ modifier_id, name }) =>
      before.has(modifier_id) ? [] : [`${item.name} now has ${name}.`],
    ),
  ]
}

/**
 * Says what changed since the order, and returns what is left of it. Throws AppError('item_unavailable') where nothing is
 * left, or where something else would come and dray does not prompt.
 */
export async function removeUnavailableItems(
  cli: CommandContext,
  menu: Menu,
  order: FoodOrder,
): Promise<RequestedItem[]> {
  const { lines, gone, other, prices } = compareLines(order.lines, menu)
  const differs = [...new Set([...gone, ...other])]
  const isAsked = !cli.settings.yes && (await cli.ask()) !== undefined
  if (lines.length === 0 || (differs.length > 0 && !isAsked)) throw notAsItWas(order, lines, differs)
  const changes = [...differs, ...new Set(prices)].map((change) => `- ${change}`)
  await cli.say([`Order ${order.display_number} again, at the prices of today.`, ...changes].join('\n'))
  return lines.map(toRequestedItem)
}

function notAsItWas(
  { display_number, merchant }: FoodOrder,
  lines: readonly Line[],
  differs: readonly string[],
): AppError {
  const rest = lines.flatMap((line) => ['--item', formatRequestedItem(toRequestedItem(line))])
  const command = ['dray', 'food', 'order', merchant.merchant_id, ...rest]
  return new AppError(
    'item_unavailable',
    `Order ${display_number} cannot be had as it was: ${differs.join(' ')} Nothing was ordered.`,
    {
      errors: differs.map((detail) => ({ parameter: '--again', code: 'not_in_menu', detail })),
      hint:
        lines.length === 0
          ? 'Look at the menu with `dray food menu`.'
          : `Order the rest: ${commandLine(command)}`,
    },
  )
}
