/** Builds a food order, from flags, from a JSON basket, or by asking. */
import { readPlace } from '../../cli/ask-place.ts'
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { pickOperationFlags, readInputFromFlags } from '../../cli/fields.ts'
import { equivalentCommand, type MissingInput, missingInputError } from '../../cli/prompts.ts'
import type { Client } from '../../client/client.ts'
import type { OperationOutput, OperationInput } from '../../client/operations.ts'
import { AppError } from '../../core/errors.ts'
import { PLACE_HELP, locatePlace } from '../../core/places/words.ts'
import { spec as quoteFoodOrder } from '../../generated/specs/quote_food_order.ts'
import { resolveQuoteItems, ITEM_WORDS, readItem, type RequestedItem } from '../items.ts'
import type { FoodOrder } from './again.ts'
import type { PickedItem } from './ask-basket.ts'
import {
  chooseMerchant,
  type ChosenMerchant,
  closedWords,
  resolveMerchant,
  type STORE_OR_ORDER,
  typedAt,
  NEAR_FLAG,
} from './merchants.ts'
import { readTip } from './tip-and-time.ts'

type Menu = OperationOutput<'get_restaurant_menu'>

const FULFILLMENT = pickOperationFlags(quoteFoodOrder, { fulfillment: 'fulfillment_type' })

const FIELDS = pickOperationFlags(quoteFoodOrder, {
  party: { field: 'table.party_size', description: 'party size, to dine in' },
  'if-absent': 'if_absent',
  for: { field: 'scheduled_for', description: 'wanted time: 19:30, "tomorrow 12:00"' },
})

export const BASKET_FLAGS = [
  {
    flag: 'item',
    fieldPath: 'items',
    kind: 'text',
    value: 'ITEM',
    repeat: true,
    description: `item by name or ID, with quantity and options: "${ITEM_WORDS}"`,
  },
  {
    flag: 'basket',
    kind: 'text',
    value: 'FILE|-',
    fileAccess: 'read',
    description: 'whole basket as JSON, as for quote_food_order; items and options can be given by name',
  },
  ...FULFILLMENT,
  {
    flag: 'to',
    fieldPath: 'dropoff',
    kind: 'text',
    value: 'PLACE',
    description: `delivery address: ${PLACE_HELP}`,
  },
  {
    flag: 'table',
    fieldPath: 'table,table.table_number',
    kind: 'text',
    value: 'TABLE',
    description: 'table number (dine-in)',
  },
  ...FIELDS,
  {
    flag: 'again',
    kind: 'boolean',
    description: 'repeat an order, by its number or ID, or the last one, at the prices of today',
  },
  { flag: 'tip', fieldPath: 'tip', kind: 'text', value: '2.00', description: 'tip of the courier' },
  NEAR_FLAG,
] as const satisfies readonly Flag[]

export type BasketArgs = FlagValues<typeof BASKET_FLAGS, [typeof STORE_OR_ORDER]>

/** As far as flags and file say it; what is undefined is still to be asked. */
export type BasketInput = {
  /** The fields of the file that no flag changes. */
  base: Partial<Omit<Order, 'items'>>
  wanted: RequestedItem[]
  fulfillment: Fulfillment | undefined
  /** The order that is repeated, once it is loaded. */
  order?: FoodOrder
}

/** A basket as `quote_food_order` takes it. */
export type Basket = {
  input: Order
  /** Asks again for the answer that an error is about; undefined where nothing was asked for it. */
  mend(error: AppError, input: Order): Promise<Order | undefined>
}

type Order = OperationInput<'quote_food_order'>
type Fulfillment = Order['fulfillment_type']

async function readBasketFile(cli: CommandContext, file: string): Promise<Record<string, unknown>> {
  const { readJsonInput } = await import('../../cli/json-input.ts')
  return readJsonInput(cli, file)
}

/** The flags and the file. Throws AppError('usage' | 'file_error'). */
export async function readBasketInput(cli: CommandContext, args: BasketArgs): Promise<BasketInput> {
  const file = args.basket
  if (args.again === true && (file !== undefined || args.item !== undefined))
    throw new AppError('usage', '--again takes the items of the order: leave out --item and --basket.')
  const base = file === undefined ? {} : await readBasketFile(cli, file)
  const { items, ...rest } = base
  const typed = args.item ?? []
  return {
    // The service says what does not fit in it.
    base: rest as BasketInput['base'],
    wanted: [...readItems(items), ...typed.map((each) => readItem(each))],
    fulfillment: args.fulfillment ?? (rest as BasketInput['base']).fulfillment_type,
  }
}

/** Returns a function that loads the order of `--again` at its first call, and gives what is then known. */
export function repeatOnce(
  cli: CommandContext,
  args: BasketArgs,
  said: BasketInput,
): () => Promise<BasketInput> {
  let repeated: Promise<BasketInput> | undefined
  const load = async (): Promise<BasketInput> => {
    if (args.again !== true) return said
    const { loadFoodOrder, repeat } = await import('./again.ts')
    return repeat(await loadFoodOrder(cli, args.merchant), said.fulfillment)
  }
  return () => (repeated ??= load())
}

/** The body of the quote; on a terminal what is missing is requested. Throws AppError('usage'). */
export async function readBasket(cli: CommandContext, args: BasketArgs, said: BasketInput): Promise<Basket> {
  const missing = findMissingBasketInputs(args, said)
  if (missing.length > 0) {
    if ((await cli.ask()) === undefined) throw missingInputError(cli.argv, missing)
    return askRest(cli, args, said)
  }
  const { id, merchant } = await resolveMerchant(cli, args.near, merchantOf(args, said) ?? '')
  const closed = isForLater(args, said) ? undefined : closedWords(merchant)
  if (closed !== undefined) throw orderAhead(cli, closed, merchant)
  const menu = await readMenu(await cli.client(), id)
  const input = {
    ...said.base,
    merchant_id: id,
    fulfillment_type: said.fulfillment ?? 'pickup',
    items: resolveQuoteItems(menu, await loadRequestedItems(cli, menu, said)),
    ...(await waysOf(cli, args, menu.currency)),
  }
  return { input, mend: async () => undefined }
}

async function loadRequestedItems(
  cli: CommandContext,
  menu: Menu,
  { order, wanted }: BasketInput,
): Promise<RequestedItem[]> {
  return order === undefined ? wanted : (await import('./again.ts')).removeUnavailableItems(cli, menu, order)
}

function isForLater(args: BasketArgs, { base }: BasketInput): boolean {
  return args.for !== undefined || base.scheduled_for !== undefined
}

/** Returns the error of a closed store, with the command that orders for when it opens. */
function orderAhead(cli: CommandContext, closed: string, merchant: ChosenMerchant['merchant']): AppError {
  const opens = merchant?.opens_at ? typedAt(merchant.opens_at, merchant.timezone) : null
  return new AppError('merchant_closed', closed, {
    hint:
      opens === null
        ? 'Its opening time is unknown; order from another store.'
        : `Order ahead: ${equivalentCommand(cli.argv, [{ flag: '--for', value: opens }])}`,
  })
}

/** Asks for what is missing: first where the food goes, for only stores that deliver there are offered. */
async function askRest(cli: CommandContext, args: BasketArgs, said: BasketInput): Promise<Basket> {
  const [{ askItems, askWays }, { mendBasket, removeAnsweredFlags }] = await Promise.all([
    import('./ask-basket.ts'),
    import('./mend-basket.ts'),
  ])
  const { fulfillment, dropoff, chosen } = await askStore(cli, args, said)
  const { id, merchant } = chosen
  const client = await cli.client()
  const menu = await readMenu(client, id)
  const { currency } = menu
  const store = {
    name: merchant?.name,
    deliversFrom: fulfillment === 'delivery' ? merchant?.delivery?.minimum_order : undefined,
  }
  const picked: PickedItem[] = []
  const items =
    said.wanted.length > 0
      ? resolveQuoteItems(menu, await loadRequestedItems(cli, menu, said))
      : await askItems(cli, menu, store, picked)
  const given = { ...said.base, ...dropoff, ...(await waysOf(cli, args, currency)) }
  const ways = await askWays(cli, fulfillment, given, { currency, isClosed: merchant?.is_open === false })
  const input = { ...given, merchant_id: id, fulfillment_type: fulfillment, items, ...ways }
  return {
    input,
    mend: (error, refused) =>
      mendBasket(cli, error, refused, {
        merchant,
        currency,
        isTimeTyped: isForLater(args, said),
        async askItems() {
          removeAnsweredFlags(cli, '--item')
          return askItems(cli, await readMenu(client, id), store, picked)
        },
      }),
  }
}

type Place = Partial<Pick<Order, 'dropoff'>>

/** Asks how the food comes, to which address, and from which store; for the address again where nobody delivers to it. */
async function askStore(
  cli: CommandContext,
  args: BasketArgs,
  said: BasketInput,
): Promise<{ fulfillment: Fulfillment; dropoff: Place; chosen: ChosenMerchant }> {
  const [{ askDropoff, askFulfillment }, { removeAnsweredFlags }] = await Promise.all([
    import('./ask-basket.ts'),
    import('./mend-basket.ts'),
  ])
  const forLater = isForLater(args, said)
  const named = merchantOf(args, said)
  const found = named === undefined ? undefined : await resolveMerchant(cli, args.near, named)
  await printStoreClosed(cli, found, forLater)
  const fulfillment = said.fulfillment ?? (await askFulfillment(cli, found?.merchant))
  const typed = args.to === undefined ? said.base.dropoff : readPlace(args.to, 'to')
  const isAsked = fulfillment === 'delivery' && typed === undefined
  for (;;) {
    const { dropoff } = isAsked ? await askDropoff(cli) : { dropoff: typed }
    const place: Place = dropoff === undefined ? {} : { dropoff }
    if (found !== undefined) return { fulfillment, dropoff: place, chosen: found }
    try {
      const there = dropoff && locatePlace(dropoff, '/dropoff').location
      const chosen = await chooseMerchant(cli, args.near, { forLater, fulfillment, there })
      await printStoreClosed(cli, chosen, forLater)
      return { fulfillment, dropoff: place, chosen }
    } catch (error) {
      if (!isAsked || !isAboutPlaces(error)) throw error
      await cli.say(error.message)
      removeAnsweredFlags(cli, '--to')
    }
  }
}

function isAboutPlaces(error: unknown): error is AppError {
  return error instanceof AppError && ['merchant_not_found', 'address_unresolvable'].includes(error.code)
}

async function printStoreClosed(
  cli: CommandContext,
  chosen: ChosenMerchant | undefined,
  forLater: boolean,
): Promise<void> {
  const closed = forLater ? undefined : closedWords(chosen?.merchant)
  if (closed !== undefined) await cli.say(`${closed} You can order ahead.`)
}

async function readMenu(client: Client, merchantId: string): Promise<Menu> {
  return (await client.call('get_restaurant_menu', { merchant_id: merchantId })).value
}

/** With `--again` the plain argument is an order. */
function merchantOf(args: BasketArgs, { base }: BasketInput): string | undefined {
  return args.again === true ? base.merchant_id : (args.merchant ?? base.merchant_id)
}

/** Returns the inputs that neither flags nor the file have. */
export function findMissingBasketInputs(args: BasketArgs, said: BasketInput): MissingInput[] {
  const { base, wanted, fulfillment, order } = said
  // An order that is repeated has all of it, but is not read before a confirmation is possible.
  if (args.again === true && order === undefined) return []
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
    ...(order !== undefined && order.slot !== null && !isForLater(args, said)
      ? [{ flag: '--for', value: '+1h', description: 'time; that of the order is over' }]
      : []),
  ]
}

/** Place, table, time and tip from their flags. */
async function waysOf(cli: CommandContext, args: BasketArgs, currency: string): Promise<Partial<Order>> {
  const { to, table, tip } = args
  const { table: seats, ...time } = await readInputFromFlags(cli, FIELDS, args)
  return {
    ...(to !== undefined && { dropoff: readPlace(to, 'to') }),
    ...(table !== undefined && { table: { table_number: table, ...seats } }),
    ...time,
    ...(tip !== undefined && { tip: readTip(tip, currency) }),
  }
}

/** Items of a JSON basket: `{item_id | name, quantity, modifiers: [name or id, or {modifier_id | name, quantity}], notes}`. */
function readItems(items: unknown): RequestedItem[] {
  if (items === undefined) return []
  if (!Array.isArray(items)) throw new AppError('usage', 'items in the basket must be a list.')
  return items.map((each: unknown): RequestedItem => {
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
