/** For every error code that an operation declares, an input that causes it. */
import { listCouriers } from '../../src/areas/couriers/store/couriers.ts'
import { insertAssignment } from '../../src/areas/dispatch/store.ts'
import type { OPERATIONS } from '../../src/areas/index.ts'
import { control } from './control.ts'
import { FROM, KEYS, quoteRun, requestOf, type Run, sendRun, TO } from './deliveries.ts'
import { basketOf, makeConfirm, makeOrder, unique, UNKNOWN } from './examples.ts'
import { findStore, LIME_STREET, lineOf } from './food.ts'
import { gbp } from './money.ts'
import { MOVING_REFUSALS } from './moving-refusals.ts'
import { FORNO } from './order-life.ts'
import { makeParcel, makeRows } from './parcel.ts'
import type { TestWorld } from './world.ts'

type Input = Record<string, unknown>
/** The world of the tests, and a parcel that was delivered in it. */
type Given = { world: TestWorld; delivered: string }
type Refused = Readonly<Record<string, (given: Given) => Input | Promise<Input>>>

const RATE = {
  to_postal_code: 'RG1 1AA',
  to_country_code: 'GB',
  weight_grams: 1400,
  length_mm: 300,
  width_mm: 200,
  height_mm: 100,
}
const NOWHERE = {
  address: { line1: '1 Nowhere Lane', city: 'London', postal_code: 'ZZ99 9ZZ', country_code: 'GB' },
}
const FAR = { location: { latitude: 51.6129, longitude: -0.0823 } }
const GONE = { order_id: UNKNOWN['order_id'] }
const GONE_ITEM = { item_id: UNKNOWN['item_id'] }
const ELSEWHERE = { merchant_id: UNKNOWN['merchant_id'] }
const FORGED = { cursor: 'bm9uZQ' }
/** An invalid group: its minimum is above its maximum. */
const IMPOSSIBLE = [
  { name: 'Size', min_selections: 2, max_selections: 1, modifiers: [{ name: 'Large' }, { name: 'Small' }] },
]
const EUROS = { amount: 100, currency: 'EUR' }

const RUN = { pickup: FROM, dropoff: TO, parcel: KEYS }
const OWN = { as: 'everything' }
const SOFA = { quote: { parcel: { size: 'xl', description: 'A sofa' } } }

/** Quotes a delivery and returns the body that confirms it, with overrides. */
async function confirmRun(world: TestWorld, over: Input, run: Run = {}): Promise<Input> {
  return requestOf((await quoteRun(world, { ...OWN, ...run })).quote_id, over)
}

/** Deletes all couriers with such a vehicle. */
async function dismiss({ db }: TestWorld, vehicle: string): Promise<void> {
  await db.write(async (tx) => tx.run('delete from couriers where doc like $1', `%"${vehicle}"%`))
}

/** Makes couriers scarce and busy for three hours. */
async function engage(world: TestWorld): Promise<void> {
  await control(world, 'set_supply', { supply: 'scarce' })
  const starts_at = await world.now()
  const job = { crew: 'courier', starts_at, ends_at: starts_at + 3 * 3_600_000 } as const
  await world.db.write(async (tx) => {
    for (const { courier_id, home } of (await listCouriers(tx)).slice(0, 10))
      await insertAssignment(tx, { ...job, job_id: unique('job'), person_id: courier_id, end: home })
  })
}

/** Places an order at the account's own store and calls these operations. */
async function orderAfter(
  { world }: Given,
  ...steps: (keyof typeof OPERATIONS)[]
): Promise<{ order_id: string }> {
  const { order_id } = await makeOrder(world)
  for (const name of steps) await world.ok(name, { order_id })
  return { order_id }
}

async function item({ world }: Given): Promise<{ item_id: string }> {
  const price = gbp(900)
  const { item_id } = await world.ok('create_catalog_item', {
    name: unique('Dish'),
    category: 'Tests',
    price,
  })
  return { item_id }
}

/** Returns a basket with an item that is not on sale. */
async function offSale(given: Given): Promise<Input> {
  const { item_id } = await item(given)
  await given.world.ok('set_catalog_item_availability', { item_id, available: false })
  return { ...(await basketOf(given.world)), items: [{ item_id, quantity: 1 }] }
}

async function basketAt({ world }: Given, store: string, dish: string, more: Input): Promise<Input> {
  const { merchant_id, item: find } = await findStore(world, store)
  return { merchant_id, fulfillment_type: 'delivery', items: [lineOf(find(dish))], ...more }
}

/** Returns the input for a table that another customer takes. */
async function takenTable({ world }: Given, table: string) {
  const at = new Date((await world.now()) + 4 * 3_600_000).toISOString()
  const wish = { type: 'dine_in', table, scheduled: at } as const
  return { wish, take: () => makeOrder(world, wish) }
}

async function pause({ world }: Given, name: string, paused: boolean): Promise<void> {
  await world.db.write((tx) =>
    tx.run('update merchants set paused = $2 where name = $1', name, paused ? 1 : 0),
  )
}

/** The declared error codes of each operation, with an input that causes it. */
export const REFUSALS: Readonly<Record<string, Refused>> = {
  ...MOVING_REFUSALS,
  search_restaurants: {
    invalid_cursor: () => ({ latitude: 51.5, longitude: 0, ...FORGED }),
    address_unresolvable: () => ({ near: 'Atlantis' }),
  },
  get_restaurant_menu: { merchant_not_found: () => ELSEWHERE },
  quote_food_order: {
    merchant_not_found: async ({ world }) => ({ ...(await basketOf(world)), ...ELSEWHERE }),
    item_not_found: async ({ world }) => ({
      ...(await basketOf(world)),
      items: [{ ...GONE_ITEM, quantity: 1 }],
    }),
    merchant_closed: (given) => basketAt(given, 'Casa Marigold', 'Churros', { fulfillment_type: 'pickup' }),
    item_unavailable: offSale,
    slot_unavailable: async (given) => {
      const { wish, take } = await takenTable(given, '9')
      await take()
      return basketOf(given.world, wish)
    },
    invalid_modifier_selection: async ({ world }) => {
      const { merchant_id, item: find } = await findStore(world, FORNO)
      const { item_id, doc } = find('Margherita')
      // One size is to be chosen.
      const modifiers = doc.modifier_groups[0]?.modifiers.map(({ modifier_id }) => ({ modifier_id }))
      return { merchant_id, fulfillment_type: 'pickup', items: [{ item_id, quantity: 1, modifiers }] }
    },
    minimum_order_not_met: (given) =>
      basketAt(given, LIME_STREET, 'Prawn Crackers', {
        dropoff: { location: { latitude: 51.513, longitude: -0.082 } },
      }),
    outside_delivery_area: async ({ world }) => ({
      ...(await basketOf(world, { type: 'delivery' })),
      dropoff: FAR,
    }),
    fulfillment_not_offered: async ({ world }) => ({
      ...(await basketOf(world, { keeper: 'owner' })),
      fulfillment_type: 'dine_in',
      table: { table_number: '1' },
    }),
    address_unresolvable: async ({ world }) => ({
      ...(await basketOf(world, { type: 'delivery' })),
      dropoff: NOWHERE,
    }),
    currency_mismatch: async ({ world }) => ({
      ...(await basketOf(world, { type: 'delivery' })),
      tip: EUROS,
    }),
    amount_too_large: async ({ world }) => ({
      ...(await basketOf(world, { type: 'delivery' })),
      tip: { amount: 100_000, currency: 'GBP' },
    }),
    no_courier_available: async ({ world }) => {
      await engage(world)
      return basketOf(world, { type: 'delivery' })
    },
  },
  quote_delivery: {
    address_unresolvable: () => ({ ...RUN, dropoff: NOWHERE }),
    outside_service_area: () => ({ ...RUN, dropoff: { location: { latitude: 53.48, longitude: -2.24 } } }),
    pickup_equals_dropoff: () => ({ ...RUN, dropoff: RUN.pickup }),
    distance_limit_exceeded: () => ({
      pickup: { location: { latitude: 51.38, longitude: -0.1 } },
      dropoff: { location: { latitude: 51.65, longitude: -0.39 } },
      parcel: RUN.parcel,
    }),
    parcel_limits_exceeded: () => ({ ...RUN, vehicle_type: 'walker', parcel: { ...RUN.parcel, size: 'xl' } }),
    amount_too_large: () => ({
      ...RUN,
      parcel: { ...RUN.parcel, value: { amount: 250_001, currency: 'GBP' } },
    }),
    prohibited_item: () => ({ ...RUN, parcel: { ...RUN.parcel, description: 'Fireworks' } }),
    currency_mismatch: () => ({ ...RUN, parcel: { ...RUN.parcel, value: EUROS } }),
    no_courier_available: async ({ world }) => {
      await dismiss(world, 'walker')
      return { ...RUN, vehicle_type: 'walker' }
    },
  },
  request_delivery: {
    quote_not_found: () => requestOf('quo_01m7vkystge8kbcf2tpy8vep2a'),
    quote_expired: async ({ world }) => {
      const { quote_id } = await quoteRun(world, OWN)
      await world.advance(300_000)
      return requestOf(quote_id)
    },
    quote_already_used: async ({ world }) => requestOf((await sendRun(world, OWN)).quote_id ?? ''),
    quote_mismatch: ({ world }) => confirmRun(world, { expected_total: gbp(1) }),
    payment_declined: ({ world }) =>
      confirmRun(world, { payment: { method: 'card', payment_token: 'tok_declined' } }),
    insufficient_funds: async ({ world }) => {
      // The wallet pays for several sofas, and each needs its own van.
      await control(world, 'set_supply', { supply: 'unlimited' })
      const next = () => confirmRun(world, { payment: { method: 'wallet' } }, SOFA)
      const send = async () =>
        world.call('request_delivery', await next(), { key: unique('sofa').replace(' ', '-') })
      while ((await send()).status === 201);
      const input = await next()
      await control(world, 'set_supply', { supply: 'normal' })
      return input
    },
    payment_method_not_accepted: ({ world }) => confirmRun(world, { payment: { method: 'pay_at_table' } }),
    no_courier_available: async ({ world }) => {
      const input = await confirmRun(world, {}, { quote: { vehicle_type: 'car' } })
      await dismiss(world, 'car')
      return input
    },
  },
  get_delivery: { delivery_not_found: () => ({ delivery_id: UNKNOWN['delivery_id'] }) },
  place_food_order: {
    quote_not_found: () => ({ quote_id: 'quo_01m7vkystge8kbcf2tpy8vep2a', payment: { method: 'cash' } }),
    quote_expired: async ({ world }) => {
      const input = await makeConfirm(world)
      await world.advance(900_000)
      return input
    },
    quote_already_used: async ({ world }) => {
      const input = await makeConfirm(world)
      await world.ok('place_food_order', input, { key: unique('k').replace(' ', '-') })
      return input
    },
    quote_mismatch: async ({ world }) => ({ ...(await makeConfirm(world)), expected_total: gbp(1) }),
    payment_declined: ({ world }) => makeConfirm(world, { token: 'tok_declined' }),
    insufficient_funds: ({ world }) => makeConfirm(world, { method: 'wallet', quantity: 99 }),
    payment_method_not_accepted: ({ world }) => makeConfirm(world, { method: 'pay_at_table' }),
    item_unavailable: async (given) => {
      const { world } = given
      const { item_id } = await item(given)
      const basket = { ...(await basketOf(world)), items: [{ item_id, quantity: 1 }] }
      const { quote_id } = await world.ok('quote_food_order', basket)
      await world.ok('delete_catalog_item', { item_id })
      return { quote_id, payment: { method: 'cash' } }
    },
    merchant_closed: async (given) => {
      const input = await makeConfirm(given.world)
      await pause(given, FORNO, true)
      return input
    },
    slot_unavailable: async (given) => {
      await pause(given, FORNO, false)
      const { wish, take } = await takenTable(given, '8')
      const input = await makeConfirm(given.world, wish)
      await take()
      return input
    },
    no_courier_available: async ({ world }) => {
      const input = await makeConfirm(world, { type: 'delivery' })
      await engage(world)
      return input
    },
  },
  get_food_order: { order_not_found: () => GONE },
  list_food_orders: { invalid_cursor: () => FORGED },
  cancel_food_order: {
    order_not_found: () => GONE,
    not_cancellable: (given) => orderAfter(given, 'cancel_food_order'),
  },
  list_business_orders: { invalid_cursor: () => FORGED, merchant_not_found: () => ELSEWHERE },
  get_business_order: { order_not_found: () => GONE },
  accept_business_order: {
    order_not_found: () => GONE,
    invalid_state: (given) => orderAfter(given, 'accept_business_order'),
    payment_required: async ({ world }) => ({
      order_id: (await makeOrder(world, { token: 'tok_pending' })).order_id,
    }),
  },
  start_business_order_prep: { order_not_found: () => GONE, invalid_state: (given) => orderAfter(given) },
  mark_business_order_ready: { order_not_found: () => GONE, invalid_state: (given) => orderAfter(given) },
  complete_business_order: {
    order_not_found: () => GONE,
    fulfillment_type_mismatch: async ({ world }) => ({
      order_id: (await makeOrder(world, { type: 'delivery' })).order_id,
    }),
    invalid_state: (given) => orderAfter(given),
    table_check_open: async ({ world }) => {
      const { order_id } = await makeOrder(world, { type: 'dine_in', method: 'pay_at_table' })
      await world.ok('accept_business_order', { order_id })
      return { order_id }
    },
  },
  reject_business_order: {
    order_not_found: () => GONE,
    invalid_state: (given) => orderAfter(given, 'reject_business_order'),
  },
  list_catalog_items: { invalid_cursor: () => FORGED, merchant_not_found: () => ELSEWHERE },
  create_catalog_item: {
    merchant_not_found: () => ({ ...dish(), ...ELSEWHERE }),
    duplicate_item: async ({ world }) => {
      const input = dish()
      await world.ok('create_catalog_item', input)
      return input
    },
    invalid_modifier_group: () => ({ ...dish(), modifier_groups: IMPOSSIBLE }),
    invalid_barcode: () => ({ ...dish(), barcode: '5012345678901' }),
    currency_mismatch: () => ({ ...dish(), price: EUROS }),
  },
  update_catalog_item: {
    item_not_found: () => ({ ...GONE_ITEM, price: gbp(1) }),
    version_conflict: async (given) => ({ ...(await item(given)), price: gbp(1), version: 7 }),
    duplicate_item: async (given) => {
      const input = dish()
      await given.world.ok('create_catalog_item', input)
      return { ...(await item(given)), name: input.name }
    },
    invalid_modifier_group: async (given) => ({ ...(await item(given)), modifier_groups: IMPOSSIBLE }),
    currency_mismatch: async (given) => ({ ...(await item(given)), price: EUROS }),
  },
  set_catalog_item_availability: {
    item_not_found: () => ({ ...GONE_ITEM, available: false }),
    version_conflict: async (given) => ({ ...(await item(given)), available: false, version: 7 }),
  },
  delete_catalog_item: { item_not_found: () => GONE_ITEM },
  check_catalog_prices: {
    merchant_not_found: () => ({ items: [dish()], ...ELSEWHERE }),
    manifest_too_large: () => ({ items: Array.from({ length: 501 }, dish) }),
  },
  get_catalog_item_history: { item_not_found: () => GONE_ITEM },
  import_catalog_items: {
    merchant_not_found: () => ({ items: [dish()], ...ELSEWHERE }),
    manifest_too_large: () => ({ items: Array.from({ length: 501 }, dish) }),
  },
  quote_rates: {
    hub_not_found: () => ({ ...RATE, from_hub_id: 'NOPE' }),
    destination_not_covered: () => ({ ...RATE, to_country_code: 'FR' }),
    parcel_limits_exceeded: () => ({ ...RATE, weight_grams: 30_001 }),
    amount_too_large: () => ({ ...RATE, declared_value_amount: 250_001 }),
    currency_mismatch: () => ({ ...RATE, declared_value_amount: 1, declared_value_currency: 'EUR' }),
  },
  create_shipment: {
    hub_not_found: () => makeParcel({ hub_id: 'NOPE' }),
    duplicate_reference: () => makeParcel({ reference: 'TAKEN' }),
    destination_not_covered: () => makeParcel({}, { country_code: 'FR', postal_code: '75001' }),
    service_level_not_available: () => makeParcel({ service_level: 'same_day' }, { postal_code: 'M1 4EU' }),
    parcel_limits_exceeded: () =>
      makeParcel({ parcel: { weight_grams: 1, length_mm: 1201, width_mm: 1, height_mm: 1 } }),
    address_unresolvable: () => makeParcel({}, { postal_code: 'ZZ99 9ZZ' }),
    amount_too_large: () =>
      makeParcel({ options: { cash_on_delivery: { amount: 100_001, currency: 'GBP' } } }),
    currency_mismatch: () => makeParcel({ options: { cash_on_delivery: { amount: 1, currency: 'EUR' } } }),
  },
  create_shipments_batch: { manifest_too_large: () => ({ shipments: makeRows(501) }) },
  get_shipment: {
    invalid_tracking_number: () => ({ tracking_number: 'ZC968043371GB' }),
    shipment_not_found: () => ({ tracking_number: 'ZC473124829GB' }),
  },
  list_shipments: { invalid_cursor: () => ({ cursor: 'bm9uZQ' }) },
  cancel_shipment: {
    invalid_tracking_number: () => ({ tracking_number: '' }),
    shipment_not_found: () => ({ tracking_number: 'ZC473124829GB' }),
    not_cancellable: ({ delivered }) => ({ tracking_number: delivered }),
  },
  list_shipment_events: {
    invalid_tracking_number: () => ({ tracking_number: 'ZC000000000GB' }),
    shipment_not_found: () => ({ tracking_number: 'ZC473124829GB' }),
    invalid_cursor: ({ delivered }) => ({ tracking_number: delivered, cursor: '%' }),
  },
  list_hubs: {
    invalid_cursor: () => ({ cursor: 'bm9uZQ' }),
    address_unresolvable: () => ({ postal_code: 'ZZ99 9ZZ', country_code: 'GB' }),
  },
}

/** Declared error codes that these tests do not cause. */
export const NEVER: readonly string[] = [
  // An unpaid order by card or wallet is already refused at accept.
  'complete_business_order payment_required',
  // These need a configured service; the tests of these operations cover them.
  'request_ride active_ride_exists',
  'quote_ride service_unavailable',
]

function dish(): { name: string; category: string; price: { amount: number; currency: string } } {
  return { name: unique('Dish'), category: 'Tests', price: gbp(500) }
}
