/** Builds a food order, from flags, from a JSON basket, or by asking. */
import { readPlace } from '../../cli/ask-place.ts'
import type { Cli } from '../../cli/cli.ts'
import type { Flag, Given } from '../../cli/command.ts'
import { fields, readFields } from '../../cli/fields.ts'
import { equivalentCommand, type Missing, missingInput } from '../../cli/prompts.ts'
import type { Client } from '../../client/client.ts'
import type { Answer, Input } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { PLACE_WORDS } from '../../core/places/words.ts'
import { spec as quoteFoodOrder } from '../../generated/specs/quote_food_order.ts'
import { type BasketItem, findItems, ITEM_WORDS, readItem, type Wanted } from '../items.ts'
import {
  chooseMerchant,
  type Chosen,
  closedWords,
  findMerchant,
  type MERCHANT,
  NEAR_FLAG,
} from './merchants.ts'
import { readTip } from './tip-and-time.ts'

type Menu = Answer<'get_restaurant_menu'>

const FULFILLMENT = fields(quoteFoodOrder, { fulfillment: 'fulfillment_type' })

const FIELDS = fields(quoteFoodOrder, {
  party: { field: 'table.party_size', description: 'party size, to dine in' },
  for: { field: 'scheduled_for', description: 'wanted time: 19:30, "tomorrow 12:00"' },
})

export const BASKET_FLAGS = [
  {
    flag: 'item',
    place: 'items',
    kind: 'text',
    value: 'ITEM',
    repeat: true,
    description: `item by name or ID, with quantity and options: "${ITEM_WORDS}"`,
  },
  {
    flag: 'basket',
    kind: 'text',
    value: 'FILE|-',
    opens: 'read',
    description: 'whole basket as JSON, as for quote_food_order; items and options can be given by name',
  },
  ...FULFILLMENT,
  {
    flag: 'to',
    place: 'dropoff',
    kind: 'text',
    value: 'PLACE',
    description: `delivery address: ${PLACE_WORDS}`,
  },
  {
    flag: 'table',
    place: 'table,table.table_number',
    kind: 'text',
    value: 'TABLE',
    description: 'table number (dine-in)',
  },
  ...FIELDS,
  { flag: 'tip', place: 'tip', kind: 'text', value: '2.00', description: 'tip of the courier' },
  NEAR_FLAG,
] as const satisfies readonly Flag[]

export type BasketArgs = Given<typeof BASKET_FLAGS, [typeof MERCHANT]>

/** As far as flags and file say it; what is undefined is still to be asked. */
export type Said = {
  /** The members of the file that no flag changes. */
  base: Partial<Omit<Order, 'items'>>
  wanted: Wanted[]
  fulfillment: Fulfillment | undefined
}

type Order = Input<'quote_food_order'>
type Fulfillment = Order['fulfillment_type']

async function readBasketFile(cli: Cli, file: string): Promise<Record<string, unknown>> {
  const { readJsonInput } = await import('../../cli/json-input.ts')
  return readJsonInput(cli, file)
}

/** The flags and the file. Throws AppError('usage' | 'file_error'). */
export async function readSaid(cli: Cli, args: BasketArgs): Promise<Said> {
  const file = args.basket
  const base = file === undefined ? {} : await readBasketFile(cli, file)
  const { items, ...rest } = base
  const typed = args.item ?? []
  return {
    // The service says what does not fit in it.
    base: rest as Said['base'],
    wanted: [...readItems(items), ...typed.map((each) => readItem(each))],
    fulfillment: args.fulfillment ?? (rest as Said['base']).fulfillment_type,
  }
}

/** The body of the quote; on a terminal what is missing is asked for. Throws AppError('usage'). */
export async function readBasket(cli: Cli, args: BasketArgs, said: Said): Promise<Order> {
  const named = merchantOf(args, said)
  const missing = findMissing(args, said)
  if (missing.length > 0 && (await cli.ask()) === undefined) throw missingInput(cli.argv, missing)
  const forLater = isForLater(args, said)
  const chosen =
    named === undefined
      ? await chooseMerchant(cli, args.near, { forLater })
      : await findMerchant(cli, args.near, named)
  const closed = forLater ? undefined : closedWords(chosen.merchant)
  if (closed !== undefined && missing.length === 0) throw orderAhead(cli, closed, chosen.merchant)
  if (closed !== undefined) await cli.say(`${closed} You can order ahead.`)
  const menu = await readMenu(await cli.client(), chosen.id)
  if (missing.length === 0 && said.fulfillment !== undefined) {
    return {
      ...said.base,
      merchant_id: chosen.id,
      fulfillment_type: said.fulfillment,
      items: findItems(menu, said.wanted),
      ...(await waysOf(cli, args, menu.currency)),
    }
  }
  return askRest(cli, args, said, { chosen, menu })
}

function isForLater(args: BasketArgs, { base }: Said): boolean {
  return args.for !== undefined || base.scheduled_for !== undefined
}

/** Returns the refusal of a closed store, with the command that orders for when it opens. */
function orderAhead(cli: Cli, closed: string, merchant: Chosen['merchant']): AppError {
  const opens = merchant?.opens_at ?? null
  return new AppError('merchant_closed', closed, {
    hint:
      opens === null
        ? 'Its opening time is unknown; order from another store.'
        : `Order ahead: ${equivalentCommand(cli.argv, [{ flag: '--for', value: opens }])}`,
  })
}

async function askRest(
  cli: Cli,
  args: BasketArgs,
  said: Said,
  { chosen, menu }: { chosen: Chosen; menu: Menu },
): Promise<Order> {
  const { askFulfillment, askItems } = await import('./ask-basket.ts')
  const { merchant } = chosen
  const isDelivered = (said.fulfillment ?? 'delivery') === 'delivery'
  const deliversFrom = isDelivered ? merchant?.delivery?.minimum_order : undefined
  const items: BasketItem[] =
    said.wanted.length > 0
      ? findItems(menu, said.wanted)
      : await askItems(cli, menu, { name: merchant?.name, deliversFrom })
  const fulfillment = said.fulfillment ?? (await askFulfillment(cli, merchant))
  const given = await waysOf(cli, args, menu.currency)
  const { askWays } = await import('./ask-basket.ts')
  return {
    ...said.base,
    merchant_id: chosen.id,
    fulfillment_type: fulfillment,
    items,
    ...given,
    ...(await askWays(
      cli,
      fulfillment,
      { ...said.base, ...given },
      {
        currency: menu.currency,
        isClosed: merchant?.is_open === false,
      },
    )),
  }
}

async function readMenu(client: Client, merchantId: string): Promise<Menu> {
  return (await client.call('get_restaurant_menu', { merchant_id: merchantId })).value
}

function merchantOf(args: BasketArgs, { base }: Said): string | undefined {
  return args.merchant ?? base.merchant_id
}

/** Returns the inputs that neither flags nor the file have. */
export function findMissing(args: BasketArgs, said: Said): Missing[] {
  const { base, wanted, fulfillment } = said
  const merchant = merchantOf(args, said)
  const to = args.to ?? base.dropoff
  const table = args.table ?? base.table
  return [
    ...(merchant === undefined ? [{ flag: 'MERCHANT', description: 'store name or ID' }] : []),
    ...(wanted.length === 0
      ? [{ flag: '--item', value: ITEM_WORDS, description: 'item and its choices' }]
      : []),
    ...(fulfillment === undefined
      ? [{ flag: '--fulfillment', value: 'pickup', description: 'delivery, pickup or dine_in' }]
      : []),
    ...(fulfillment === 'delivery' && to === undefined
      ? [{ flag: '--to', value: '12 Finsbury Square, London EC2A 1AN', description: 'delivery address' }]
      : []),
    ...(fulfillment === 'dine_in' && table === undefined
      ? [{ flag: '--table', value: '12', description: 'your table' }]
      : []),
  ]
}

/** Place, table, time and tip from their flags. */
async function waysOf(cli: Cli, args: BasketArgs, currency: string): Promise<Partial<Order>> {
  const { to, table, tip } = args
  const { table: seats, ...time } = await readFields(cli, FIELDS, args)
  return {
    ...(to !== undefined && { dropoff: readPlace(to, 'to') }),
    ...(table !== undefined && { table: { table_number: table, ...seats } }),
    ...time,
    ...(tip !== undefined && { tip: readTip(tip, currency) }),
  }
}

/** Items of a JSON basket: `{item_id | name, quantity, modifiers: [name or id, or {modifier_id | name, quantity}], notes}`. */
function readItems(items: unknown): Wanted[] {
  if (items === undefined) return []
  if (!Array.isArray(items)) throw new AppError('usage', 'items in the basket must be a list.')
  return items.map((each: unknown): Wanted => {
    if (typeof each === 'string') return readItem(each)
    const { quantity, modifiers, notes } = (each ?? {}) as Record<string, unknown>
    const list = Array.isArray(modifiers) ? (modifiers as unknown[]) : []
    return {
      item: nameOf(each, 'item_id'),
      quantity: typeof quantity === 'number' ? quantity : 1,
      modifiers: list.map((modifier) => ({
        modifier: nameOf(modifier, 'modifier_id'),
        quantity: (modifier as { quantity?: number }).quantity ?? 1,
      })),
      notes: typeof notes === 'string' ? notes : undefined,
    }
  })
}

function nameOf(value: unknown, id: string): string {
  if (typeof value === 'string') return value
  const { [id]: known, name } = (value ?? {}) as Record<string, unknown>
  const found = known ?? name
  if (typeof found === 'string') return found
  throw new AppError('usage', `An item in the basket has neither ${id} nor name.`)
}
