/** Places orders at the stores of the fixture and advances them. */
import { CARD, findStore, makeBasketLine, NEAR, newKey } from './food.ts'
import type { TestSandbox } from './world.ts'

export const FORNO = 'Forno Santa Rosa'

export type TestOrderOptions = {
  store?: string
  as?: string
  type?: 'delivery' | 'pickup' | 'dine_in'
  method?: 'card' | 'wallet' | 'cash' | 'pay_at_table'
  token?: string
  table?: string
  at?: string
  scenario?: string
  /** Overrides of the quote's input. */
  quote?: Record<string, unknown>
  over?: Record<string, unknown>
}

/** Places an order; by default a member's, paid by card, for pickup. */
export async function placeTestOrder(world: TestSandbox, wish: TestOrderOptions = {}) {
  const {
    store: name = FORNO,
    as = 'member',
    type = 'pickup',
    method = 'card',
    token,
    at,
    table = '4',
  } = wish
  const store = await findStore(world, name)
  const item = store.items.find(({ doc, available }) => doc.modifier_groups.length === 0 && available)
  if (item === undefined) throw new Error(`${name} sells nothing plain`)
  const { quote_id } = await world.ok(
    'quote_food_order',
    {
      merchant_id: store.merchant_id,
      fulfillment_type: type,
      items: [makeBasketLine(item, 3)],
      ...(type === 'delivery' && { dropoff: NEAR }),
      ...(type === 'dine_in' && { table: { table_number: table, party_size: 2 } }),
      ...(at !== undefined && { scheduled_for: at }),
      ...wish.quote,
    },
    { as },
  )
  const payment = method === 'card' ? { ...CARD, payment_token: token ?? 'tok_ok' } : { method }
  return world.ok(
    'place_food_order',
    { quote_id, payment, ...wish.over },
    { as, key: newKey(), ...(wish.scenario !== undefined && { scenario: wish.scenario }) },
  )
}

/** Makes the owner of Forno read its orders, so that the store waits for the owner. */
export async function attend(world: TestSandbox, as = 'everything'): Promise<void> {
  await world.ok('list_business_orders', {}, { as })
}

const ACTIONS = {
  accept: 'accept_business_order',
  preparing: 'start_business_order_prep',
  ready: 'mark_business_order_ready',
  complete: 'complete_business_order',
  reject: 'reject_business_order',
} as const
export type StoreAction = keyof typeof ACTIONS

/** Makes the store act on an order, one action after the other. Returns the last response. */
export async function performAction(
  world: TestSandbox,
  order_id: string,
  actions: readonly StoreAction[],
  as = 'everything',
) {
  let last = await world.ok('get_business_order', { order_id }, { as })
  for (const action of actions) last = await world.ok(ACTIONS[action], { order_id }, { as })
  return last
}

export function refuseAction(
  world: TestSandbox,
  order_id: string,
  action: StoreAction,
  input: Record<string, unknown> = {},
  as = 'everything',
) {
  return world.refused(ACTIONS[action], { order_id, ...input }, { as })
}

/** Steps the order until it has the status, at most 20 times. */
export async function stepUntil(world: TestSandbox, order_id: string, status: string): Promise<void> {
  const { callTestControl } = await import('./control.ts')
  for (let step = 0; step < 20; step++) {
    if ((await readBothViews(world, order_id)).order.status === status) return
    await callTestControl(world, 'step_resource', { resource_id: order_id })
  }
  throw new Error(`${order_id} never was ${status}`)
}

/** Returns the order as its customer and its store see it, and the row of its delivery. */
export async function readBothViews(
  world: TestSandbox,
  order_id: string,
  { as = 'member', keeper = 'everything' } = {},
) {
  const order = await world.ok('get_food_order', { order_id }, { as })
  const business = await world.ok('get_business_order', { order_id }, { as: keeper })
  const { findDelivery } = await import('../../src/areas/couriers/queries/deliveries.ts')
  const delivery = await world.db.read(async (tx) => findDelivery(tx, order.delivery_id ?? ''))
  return { order, business, delivery }
}
