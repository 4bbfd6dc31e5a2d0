/** Orders of Forno of which a part goes wrong, and the store's statement of the day. */
import { expect } from 'vitest'
import type { OperationOutput } from '../../src/client/operations.ts'
import { changeStore, findStore, NEAR, newKey } from './food.ts'
import { performAction, readBothViews, FORNO } from './order-life.ts'
import type { TestSandbox } from './world.ts'

export const gbp = (amount: number) => ({ amount, currency: 'GBP' })

export type TestSaleOptions = {
  type?: 'delivery' | 'pickup' | 'dine_in'
  /** Units by the name of the item. */
  items?: Readonly<Record<string, number>>
  tip?: number
  service?: number
  method?: 'card' | 'wallet' | 'cash' | 'pay_at_table'
  token?: string
  scenario?: string
  /** Without the member's discount. */
  whole?: boolean
  /** The notes of each line. */
  lineNotes?: string
  over?: Record<string, unknown>
}

/** Places an order of the field at Forno, by default of three Focaccia. */
export async function placeTestSale(
  world: TestSandbox,
  sale: TestSaleOptions = {},
): Promise<OperationOutput<'place_food_order'>> {
  const { type = 'pickup', items = { Focaccia: 3 }, tip, service, method = 'card', token = 'tok_ok' } = sale
  const store = await findStore(world, FORNO)
  const { merchant_id } = store
  if (service !== undefined) await changeStore(world, merchant_id, { service_fee: gbp(service) })
  const idOf = (name: string) => store.items.find((item) => item.name === name)?.item_id ?? name
  const basket = Object.entries(items).map(([name, quantity]) => ({
    item_id: idOf(name),
    quantity,
    ...(sale.lineNotes !== undefined && { notes: sale.lineNotes }),
  }))
  const { quote_id } = await world.ok(
    'quote_food_order',
    {
      merchant_id,
      fulfillment_type: type,
      items: basket,
      ...(type === 'delivery' && { dropoff: NEAR }),
      ...(type === 'dine_in' && { table: { table_number: '4', party_size: 2 } }),
      ...(tip !== undefined && { tip: gbp(tip) }),
    },
    { as: 'member' },
  )
  if (sale.whole === true) await withoutDiscount(world, quote_id)
  const payment = { method, ...(method === 'card' && { payment_token: token }) }
  return world.ok(
    'place_food_order',
    { quote_id, payment, ...sale.over },
    { as: 'member', key: newKey(), scenario: sale.scenario ?? 'store_manual' },
  )
}

/** Takes the discount off a stored quote: every customer of this world is a member. */
async function withoutDiscount({ db }: TestSandbox, quoteId: string): Promise<void> {
  await db.write(async (tx) => {
    const row = await tx.get('select doc from quotes where quote_id = $1', quoteId)
    const doc = JSON.parse(String(row?.['doc'])) as Record<'total' | 'discount_total', { amount: number }>
    const total = gbp(doc.total.amount + doc.discount_total.amount)
    const changed = { ...doc, discounts: [], discount_total: gbp(0), total }
    await tx.run('update quotes set doc = $2 where quote_id = $1', quoteId, JSON.stringify(changed))
  })
}

/** Adjusts an order as its store; by default it refunds one unit of the first line. */
export async function adjustTestOrder(
  world: TestSandbox,
  order_id: string,
  over: Record<string, unknown> = {},
) {
  return world.ok('adjust_business_order', { ...makeAdjustment(order_id), ...over }, { key: newKey() })
}

export function makeAdjustment(order_id: string): Record<string, unknown> {
  return { order_id, kind: 'refunded', lines: [{ line_id: 'line_1', quantity: 1 }], reason_code: 'missing' }
}

/** The statement of the day of the test. */
export async function statementOf(world: TestSandbox): Promise<OperationOutput<'get_store_statement'>> {
  const stretch = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' }
  return world.ok('get_store_statement', stretch)
}

const HOUR = 3_600_000
export const MISSING = { reason_code: 'missing', lines: [{ line_id: 'line_1', quantity: 1 }] }

/** Completes an order. */
export async function completed(world: TestSandbox, sale: TestSaleOptions = {}): Promise<string> {
  const { order_id } = await placeTestSale(world, sale)
  await performAction(world, order_id, ['accept', 'ready'])
  if (sale.type === 'delivery') await world.advance(HOUR)
  else await performAction(world, order_id, ['complete'])
  expect((await readBothViews(world, order_id)).order.status).toBe('completed')
  return order_id
}

const asMember = () => ({ as: 'member', key: newKey() })

export function reportTestProblem(
  world: TestSandbox,
  order_id: string,
  over: Record<string, unknown> = MISSING,
) {
  return world.ok('report_order_problem', { order_id, ...over }, asMember())
}

export function refuseReport(world: TestSandbox, order_id: string, over: Record<string, unknown> = MISSING) {
  return world.refused('report_order_problem', { order_id, ...over }, asMember())
}

/** Returns the input of an answer to the latest problem. */
export function makeProblemAnswer(
  order: OperationOutput<'report_order_problem'>,
  over: Record<string, unknown>,
) {
  return { order_id: order.order_id, problem_id: order.problems.at(-1)?.problem_id, ...over }
}

type OrderWithReport = Pick<OperationOutput<'report_order_problem'>, 'order_id' | 'problems'>

const latest = ({ order_id, problems }: OrderWithReport) => ({
  order_id,
  problem_id: problems.at(-1)?.problem_id ?? '',
})

/** Appeals against the decline of the latest problem. */
export function appealDecline(world: TestSandbox, order: OrderWithReport) {
  return world.ok('appeal_order_problem', latest(order), asMember())
}

export function refuseAppeal(world: TestSandbox, order: OrderWithReport) {
  return world.refused('appeal_order_problem', latest(order), asMember())
}
