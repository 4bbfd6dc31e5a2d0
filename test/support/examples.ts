/** Returns for every operation an input that succeeds: its example with the caller's own ids. */
import { createShipment } from '../../src/areas/carrier/create_shipment.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { quoteRun, sendRun } from './deliveries.ts'
import { exampleInput } from './example-input.ts'
import { makeParcel } from './parcel.ts'
import { quoteRide, requestRide } from './rides.ts'
import { bookJob, findProviderNamed, quoteJob } from './services.ts'
import { createTask, quoteTask } from './tasks.ts'
import type { TestWorld } from './world.ts'

type Input = Record<string, unknown>
type FulfillmentType = 'pickup' | 'delivery' | 'dine_in'

/** A customer's order at a store. The stores of these accounts do not accept automatically. */
export type Wish = {
  as?: string
  keeper?: 'everything' | 'owner'
  type?: FulfillmentType
  method?: 'card' | 'wallet' | 'cash' | 'pay_at_table'
  token?: string
  quantity?: number
  table?: string
  scheduled?: string
}

const DOORSTEP = { location: { latitude: 51.5196, longitude: -0.0955 }, name: 'Home' }

/** Dishes without choices, and the quantity that a delivery requires. */
const DISHES = { everything: 'Focaccia', owner: 'Summer Rolls' } as const
let made = 0

/** Returns a unique text for a name, a reference or a key. */
export function unique(prefix: string): string {
  made += 1
  return `${prefix} ${made}`
}

/** Returns the body of a simple quote. */
export async function basketOf(
  world: TestWorld,
  { keeper = 'everything', type = 'pickup', quantity = 3, table = '4', scheduled }: Wish = {},
): Promise<Input & { merchant_id: string }> {
  const { data } = await world.ok('list_catalog_items', { q: DISHES[keeper], limit: 1 }, { as: keeper })
  const [dish] = data
  if (dish === undefined) throw new Error(`${keeper} sells no ${DISHES[keeper]}`)
  return {
    merchant_id: dish.merchant_id,
    fulfillment_type: type,
    items: [{ item_id: dish.item_id, quantity }],
    ...(type === 'delivery' && { dropoff: DOORSTEP }),
    ...(type === 'dine_in' && { table: { table_number: table, party_size: 2 } }),
    ...(scheduled !== undefined && { scheduled_for: scheduled }),
  }
}

/** Makes a quote and returns the input that confirms it. */
export async function makeConfirm(world: TestWorld, wish: Wish = {}): Promise<Input & { quote_id: string }> {
  const { as = 'everything', method = 'card', token = 'tok_ok' } = wish
  const { quote_id } = await world.ok('quote_food_order', await basketOf(world, wish), { as })
  return { quote_id, payment: { method, ...(method === 'card' && { payment_token: token }) } }
}

/** Places an order. */
export async function makeOrder(world: TestWorld, wish: Wish = {}) {
  const { as = 'everything' } = wish
  return world.ok('place_food_order', await makeConfirm(world, wish), {
    as,
    key: unique('order').replace(' ', '-'),
  })
}

async function accepted(world: TestWorld, as: string): Promise<Input> {
  const input = await placed(world, as)
  await world.ok('accept_business_order', input, { as })
  return input
}

/** Places an order at the account's store. */
async function placed(world: TestWorld, as: string): Promise<Input> {
  const keeper = as === 'owner' ? 'owner' : 'everything'
  const { order_id } = await makeOrder(world, { as: keeper === 'owner' ? 'member' : as, keeper })
  return { order_id }
}

/** Places an order of the account. */
async function ordered(world: TestWorld, as: string): Promise<Input> {
  const { order_id } = await makeOrder(world, { as })
  return { order_id }
}

async function item(world: TestWorld, as: string): Promise<Input> {
  const price = { amount: 500, currency: 'GBP' }
  const { item_id } = await world.ok(
    'create_catalog_item',
    { name: unique('Dish'), category: 'Tests', price },
    { as },
  )
  return { item_id }
}

async function parcel(world: TestWorld, as: string): Promise<Input> {
  const { tracking_number } = await world.ok('create_shipment', makeParcel({}), { as })
  return { tracking_number }
}

async function ride(world: TestWorld, as: string): Promise<Input> {
  return { ride_id: (await requestRide(world, { as })).ride_id }
}

async function task(world: TestWorld, as: string): Promise<Input> {
  return { task_id: (await createTask(world, { as })).task_id }
}

async function delivery(world: TestWorld, as: string): Promise<Input> {
  return { delivery_id: (await sendRun(world, { as })).delivery_id }
}

async function booking(world: TestWorld, as: string): Promise<Input> {
  const key = unique('job').replace(' ', '-')
  return { booking_id: (await bookJob(world, {}, { as, key })).booking_id }
}

type Maker = (world: TestWorld, as: string) => Promise<Input>

/** Functions that create the resource that a path names, for every call anew. */
const BY_ID: Readonly<Record<string, Maker>> = {
  ride_id: ride,
  task_id: task,
  delivery_id: delivery,
  booking_id: booking,
  tracking_number: parcel,
  order_id: ordered,
  item_id: item,
}

/** The operations whose example needs something else than the resource in its path. */
const BY_OPERATION: Readonly<Record<string, Maker>> = {
  request_ride: async (world, as) => {
    const { quote_id, fares } = await quoteRide(world, {}, { as })
    return { quote_id, expected_total: fares.find(({ tier }) => tier === 'economy')?.fare }
  },
  create_task: async (world, as) => ({ quote_id: (await quoteTask(world, {}, as)).quote_id }),
  request_delivery: async (world, as) => {
    const { quote_id, total } = await quoteRun(world, { as })
    return { quote_id, expected_total: total }
  },
  create_shipments_batch: async () => ({ shipments: [exampleInput(createShipment)] }),
  get_restaurant_menu: async (world) => ({ merchant_id: (await basketOf(world)).merchant_id }),
  quote_food_order: (world) => basketOf(world),
  place_food_order: (world, as) => makeConfirm(world, { as }),
  list_food_orders: async () => ({}),
  list_business_orders: async () => ({}),
  get_business_order: placed,
  accept_business_order: placed,
  start_business_order_prep: accepted,
  mark_business_order_ready: accepted,
  complete_business_order: accepted,
  reject_business_order: placed,
  create_catalog_item: async () => ({ name: unique('Dish'), external_ref: unique('ref') }),
  get_provider_availability: async (world) => ({ provider_id: await cleaner(world) }),
  quote_service: async (world) => ({ provider_id: await cleaner(world) }),
  book_service: (world, as) => quoteJob(world, {}, { as }),
}

async function cleaner(world: TestWorld): Promise<string> {
  return (await findProviderNamed(world)).provider_id
}

/** Operations whose created input is complete; for the others it is added to their example. */
const WHOLE = new Set([
  'quote_food_order',
  'place_food_order',
  'list_food_orders',
  'list_business_orders',
  'reject_business_order',
  'book_service',
])

/** Returns the example of an operation with an id of the account `as`. */
export async function exampleOf(
  world: TestWorld,
  operation: AnyOperation,
  as = 'everything',
): Promise<Input> {
  const { name, pathParameters } = operation
  const [maker] = [BY_OPERATION[name], ...pathParameters.map((id) => BY_ID[id])].filter((one) => one)
  const made = (await maker?.(world, as)) ?? {}
  return WHOLE.has(name) ? made : { ...exampleInput(operation), ...made }
}

/** Valid ids of nobody. */
export const UNKNOWN: Readonly<Record<string, string>> = {
  tracking_number: 'ZC473124829GB',
  order_id: 'ord_01m7vkystgfp1b10jk5dh9yvxy',
  ride_id: 'rid_01m7vkystgfx5vsa9mkvef9ews',
  task_id: 'tsk_01m7vkystgemq8k9w39qsaekf4',
  delivery_id: 'dlv_01m7vkystgef7a5n56tabvem4j',
  item_id: 'itm_01m7vkystgf7vtyybg4s0p9p1s',
  merchant_id: 'mer_01m7vkystgef38d6j5p56t9yfw',
  provider_id: 'prv_01m7vkystgeegbv5hxx5fd6kz5',
  booking_id: 'bkg_01m7vkystgfjrv96q54p9ebqz8',
}
