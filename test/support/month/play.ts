/** Plays a drawn month of five stores: every kind of payment, adjustment, replacement, problem and refund, and the close of each day. */
import type { OperationOutput, ClientOperationName } from '../../../src/client/operations.ts'
import { businessDateOf } from '../../../src/core/period.ts'
import { callTestControl } from '../control.ts'
import { findStore, NEAR, newKey } from '../food.ts'
import { performAction } from '../order-life.ts'
import type { TestSandbox } from '../world.ts'

const HOUR = 3_600_000
const CUSTOMERS = ['member', 'guest', 'everything']
const WISHES = ['refund', 'replace', 'replace', 'ask', 'ask', 'cancel_order']
/** The courier waits for long enough, or not long enough, or the customer refuses: only the first keeps the money. */
const AT_THE_DOOR = [
  'undeliverable',
  'undeliverable;reason=access_denied',
  'undeliverable;reason=access_denied;waits=120',
  'undeliverable;reason=refused',
]
const REASONS = ['missing', 'wrong', 'damaged', 'quality', 'other']

/** A store and the account that keeps it. */
export type Shop = {
  name: string
  keeper: string
  merchant_id: string
  items: string[]
  types: readonly ('delivery' | 'pickup' | 'dine_in')[]
  tables: readonly string[]
}

export type Month = { days: number; ordersADay: number; seed: number }

type Order = OperationOutput<'place_food_order'> & { as: string; shop: Shop }
type AdjustedOrder = OperationOutput<'adjust_business_order'>
export type Draw = { below(count: number): number; of<T>(list: readonly T[]): T }

/** Plays the month, and returns its stores and the number of orders. */
export async function playMonth(
  world: TestSandbox,
  { days, ordersADay, seed }: Month,
): Promise<{ shops: Shop[]; orders: number }> {
  const draw = makeMonthSampler(seed)
  const shops = await openShops(world)
  const start = await world.now()
  let orders = 0
  for (let day = 0; day < days; day++) {
    await world.advanceTo(start + day * 24 * HOUR)
    const placed: Order[] = []
    for (let count = 0; count < ordersADay; count++) {
      const order = await place(world, draw, shops)
      if (order === undefined) continue
      placed.push(order)
      await end(world, draw, order)
      if (draw.below(4) === 0) await world.advance(60_000)
    }
    orders += placed.length
    await world.advance(3 * HOUR)
    for (const order of placed) await mishap(world, draw, order)
    await world.advance(HOUR)
    for (const shop of shops) {
      await close(world, shop)
      await payOut(world, draw, shop)
    }
  }
  // Problems of the last day that no store answered are the platform's.
  await world.advance(30 * HOUR)
  for (const shop of shops) await close(world, shop)
  return { shops, orders }
}

/** Each number follows from the seed and the one before: the same month for the same seed. */
export function makeMonthSampler(seed: number): Draw {
  let state = seed >>> 0
  const below = (count: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
  return { below, of: (list) => list[below(list.length)] as (typeof list)[number] }
}

async function openShops(world: TestSandbox): Promise<Shop[]> {
  await callTestControl(world, 'set_membership', { account: 'guest', status: 'active' })
  await callTestControl(world, 'add_account', { handle: 'fifth', name: 'Fifth', business: true })
  const rates = [0, 500, 2000]
  for (const [at, tax_rate_bps] of rates.entries())
    await world.ok(
      'create_catalog_item',
      {
        name: `Dish ${at}`,
        category: 'Dishes',
        price: { amount: 333 + 411 * at, currency: 'GBP' },
        tax_rate_bps,
      },
      { as: 'fifth' },
    )
  const kept = [
    ['Forno Santa Rosa', 'everything'],
    ['Lime Street Noodles', 'owner'],
    ['Goosefoot Grocer Spitalfields', 'chain'],
    ['Goosefoot Grocer Clerkenwell', 'chain'],
    ['Fifth', 'fifth'],
  ] as const
  return Promise.all(
    kept.map(async ([name, keeper]) => {
      const { merchant_id, items, doc: store } = await findStore(world, name)
      const plain = items.filter(({ doc, available }) => doc.modifier_groups.length === 0 && available)
      return {
        name,
        keeper,
        merchant_id,
        items: plain.map(({ item_id }) => item_id),
        types: store.fulfillment_types,
        tables: store.tables,
      }
    }),
  )
}

/** Makes a call that a drawn world may refuse: a slot, a courier or a stock may be gone. */
async function attempt<N extends ClientOperationName>(
  world: TestSandbox,
  operation: N,
  input: Record<string, unknown>,
  options: { as: string; scenario?: string },
): Promise<OperationOutput<N> | undefined> {
  const { status, body } = await world.call(operation, input, { ...options, key: newKey() })
  if (status >= 500) throw new Error(`${operation}: ${JSON.stringify(body)}`)
  return status < 300 ? (body as OperationOutput<N>) : undefined
}

async function place(world: TestSandbox, draw: Draw, shops: readonly Shop[]): Promise<Order | undefined> {
  const shop = draw.of(shops)
  const as = draw.of(CUSTOMERS)
  const type = draw.of(shop.types)
  const items = Array.from({ length: 1 + draw.below(3) }, () => draw.of(shop.items))
  const quote = await attempt(
    world,
    'quote_food_order',
    {
      merchant_id: shop.merchant_id,
      fulfillment_type: type,
      items: [...new Set(items)].map((item_id) => ({ item_id, quantity: 1 + draw.below(4) })),
      ...(type === 'delivery' && { dropoff: NEAR }),
      ...(type === 'dine_in' && { table: { table_number: draw.of(shop.tables) } }),
      ...(type === 'delivery' &&
        draw.below(2) === 0 && { tip: { amount: 1 + draw.below(600), currency: 'GBP' } }),
    },
    { as },
  )
  if (quote === undefined) return undefined
  const token = draw.of(['tok_ok', 'tok_ok', 'tok_store', 'tok_pending'])
  const substitutions = draw.of(WISHES)
  const scenario = type === 'delivery' && draw.below(4) === 0 ? draw.of(AT_THE_DOOR) : 'store_manual'
  // A wallet may be empty: then a card pays where the store takes one.
  for (const method of [draw.of(quote.payment_methods ?? []), 'card']) {
    const payment = { method, ...(method === 'card' && { payment_token: token }) }
    const input = { quote_id: quote.quote_id, payment, substitutions }
    const order = await attempt(world, 'place_food_order', input, { as, scenario })
    if (order !== undefined) return { ...order, as, shop }
  }
  return undefined
}

/** Brings an order to its end, or, for a delivery, on its way: one of ten is cancelled, and one rejected. */
async function end(world: TestSandbox, draw: Draw, order: Order): Promise<void> {
  const { order_id, as, shop, payment, fulfillment_type: type } = order
  const fate = draw.below(10)
  await performAction(world, order_id, [], shop.keeper)
  if (fate === 0) return void (await attempt(world, 'cancel_food_order', { order_id }, { as }))
  if (fate < 4 && (await lacks(world, draw, order))) return
  if (fate === 1)
    return void (await attempt(world, 'reject_business_order', { order_id }, { as: shop.keeper }))
  // A pending card has to settle before the kitchen begins.
  if (payment.method === 'card' && payment.status === 'unpaid') await world.advance(180_000)
  // Staff may have accepted it in the meantime.
  for (const operation of ['accept_business_order', 'mark_business_order_ready'] as const)
    await attempt(world, operation, { order_id }, { as: shop.keeper })
  if (type === 'delivery') return
  const { table } = await world.ok('get_business_order', { order_id }, { as: shop.keeper })
  if (table?.check?.status === 'open') await callTestControl(world, 'settle_check', { check_id: order_id })
  await performAction(world, order_id, ['complete'], shop.keeper)
}

/** An item is missing: it is removed or replaced by the customer's wish. Returns whether that ended the order. */
async function lacks(world: TestSandbox, draw: Draw, order: Order): Promise<boolean> {
  const { order_id, shop, lines, substitutions } = order
  const [line] = lines
  if (line === undefined) return false
  const kind = substitutions === 'replace' || substitutions === 'ask' ? 'replaced' : 'removed'
  const replacement = kind === 'replaced' && { replacement: { item_id: draw.of(shop.items) } }
  const taken = [{ line_id: line.line_id, quantity: 1, ...replacement }]
  const adjusted = await adjust(world, draw, shop, { order_id, kind, lines: taken })
  if (adjusted === undefined || adjusted.status === 'rejected') return adjusted !== undefined
  const { replaced, status } = await answered(world, draw, order, adjusted)
  // The replacement can be missing, too.
  if (replaced !== undefined && draw.below(3) === 0)
    await adjust(world, draw, shop, { order_id, kind: 'removed', lines: [{ line_id: replaced }] })
  return status === 'rejected'
}

/** The customer says yes or no where the store asks, or says nothing until it is too late, or until the order is ready. */
async function answered(
  world: TestSandbox,
  draw: Draw,
  { order_id, as, lines }: Order,
  adjusted: AdjustedOrder,
) {
  const { adjustment_id, answer_by } = adjusted.adjustments.at(-1) ?? {}
  // An order of one unit is nothing but the replacement: it cannot be ready before the answer.
  const isAll = lines.reduce((sum, { quantity }) => sum + quantity, 0) === 1
  const accept = draw.of([true, true, false, 'late', isAll ? 'late' : 'never'])
  if (answer_by !== null && accept === 'late') await world.advance(5 * 60_000)
  else if (answer_by !== null && accept !== 'never')
    await attempt(world, 'answer_substitution', { order_id, adjustment_id, accept }, { as })
  const { status, adjustments } = await world.ok('get_food_order', { order_id }, { as })
  const last = adjustments.at(-1)
  const isOpen = last?.answer_by !== null && last?.answer === null
  return { status, replaced: isOpen ? undefined : last?.lines[0]?.replacement?.line_id }
}

function adjust(world: TestSandbox, draw: Draw, shop: Shop, input: Record<string, unknown>) {
  const reason_code = draw.of(REASONS)
  return attempt(world, 'adjust_business_order', { ...input, reason_code }, { as: shop.keeper })
}

/** After the sale: the store refunds units or an amount, or the customer reports a problem and the store answers, or does not. */
async function mishap(world: TestSandbox, draw: Draw, { order_id, as, shop, lines }: Order): Promise<void> {
  const kind = draw.below(12)
  const line_id = draw.of(lines).line_id
  if (kind < 2)
    return void (await adjust(world, draw, shop, {
      order_id,
      kind: 'refunded',
      lines: [{ line_id, quantity: 1 }],
    }))
  if (kind === 2) {
    const amount = { amount: 1 + draw.below(150), currency: 'GBP' }
    return void (await adjust(world, draw, shop, {
      order_id,
      kind: 'refunded',
      lines: [{ line_id, amount }],
    }))
  }
  if (kind > 5) return
  const problem =
    kind === 3 ? { reason_code: 'late' } : { reason_code: draw.of(REASONS), lines: [{ line_id }] }
  const reported = await attempt(world, 'report_order_problem', { order_id, ...problem }, { as })
  const problem_id = reported?.problems.at(-1)?.problem_id
  const accept = draw.of(['full', 'part', 'none', undefined])
  if (problem_id === undefined || accept === undefined) return
  const answer = {
    full: {},
    part: { lines: [{ line_id, quantity: 1 }] },
    none: { note: 'All of it was packed' },
  }[accept]
  await attempt(
    world,
    'answer_order_problem',
    { order_id, problem_id, accept, ...answer },
    { as: shop.keeper },
  )
}

/** Closes the days up to the present one; each order was paid or has ended. */
async function close(world: TestSandbox, { keeper, merchant_id }: Shop): Promise<void> {
  const through = businessDateOf(await world.now(), 'Europe/London')
  await world.ok('close_business_day', { merchant_id, through }, { as: keeper, key: newKey() })
}

/** Pays out what a store is due now and then; one that owes the platform gets nothing. */
async function payOut(world: TestSandbox, draw: Draw, { keeper, merchant_id }: Shop): Promise<void> {
  if (draw.below(5) > 0) return
  const [last] = (await world.ok('list_business_days', { merchant_id, limit: 1 }, { as: keeper })).data
  if ((last?.statement.closing.amount ?? 0) > 0) await callTestControl(world, 'pay_out', { merchant_id })
}
