import { listCouriers } from '../../../src/areas/couriers/queries/couriers.ts'
import { insertAssignment } from '../../../src/areas/dispatch/queries.ts'
import { NO_END } from '../../../src/core/opening-hours.ts'
import {
  makeQuoteBody,
  createItem,
  makeConfirm,
  placeCustomerOrder,
  unique,
  type CustomerOrderOptions,
} from '../../support/baskets.ts'
import { defineCases, type CaseContext, type CaseInput } from '../../support/cases.ts'
import { callTestControl } from '../../support/control.ts'
import { findStore, LIME_STREET, makeBasketLine } from '../../support/food.ts'
import { FORNO } from '../../support/order-life.ts'
import { ATLANTIS, EUROS, NOWHERE, outdated } from '../../support/refused.ts'
import type { TestSandbox } from '../../support/world.ts'

type RefusalInputMaker = (given: CaseContext) => Promise<CaseInput>

/** Makes couriers scarce and busy for three hours. */
async function engage(world: TestSandbox): Promise<void> {
  await callTestControl(world, 'set_supply', { supply: 'scarce' })
  const starts_at = await world.now()
  const job = { crew: 'courier', starts_at, ends_at: starts_at + 3 * 3_600_000 } as const
  await world.db.write(async (tx) => {
    for (const { courier_id, home } of (await listCouriers(tx)).slice(0, 10))
      await insertAssignment(tx, { ...job, job_id: unique('job'), person_id: courier_id, end: home })
  })
}

const basketWith =
  (wish: CustomerOrderOptions, change: CaseInput): RefusalInputMaker =>
  async ({ world }) => ({ ...(await makeQuoteBody(world, wish)), ...change })

const deliveryWith = (change: CaseInput): RefusalInputMaker => basketWith({ type: 'delivery' }, change)

async function basketAt(
  { world }: CaseContext,
  store: string,
  dish: string,
  more: CaseInput,
): Promise<CaseInput> {
  const { merchant_id, item: find } = await findStore(world, store)
  return { merchant_id, fulfillment_type: 'delivery', items: [makeBasketLine(find(dish))], ...more }
}

/** Returns a wish for a table, and a function by which another customer takes it. */
async function takenTable({ world }: CaseContext, table: string) {
  // Tomorrow at lunch: other cases move the clock to any time of a day.
  const today = (await world.now()) - ((await world.now()) % 86_400_000)
  const at = new Date(today + 37 * 3_600_000).toISOString()
  const wish = { type: 'dine_in', table, scheduled: at } as const
  return { wish, take: () => placeCustomerOrder(world, wish) }
}

const pause = (world: TestSandbox, input: CaseInput, until: number | null): Promise<CaseInput> =>
  outdated(world, input, `update merchants set paused_until = ${until} where name = '${FORNO}'`)

/** Completes an order of the account. */
async function completed(world: TestSandbox, as: string): Promise<{ order_id: string }> {
  const { order_id } = await placeCustomerOrder(world, { as })
  await world.ok('accept_business_order', { order_id })
  await world.ok('complete_business_order', { order_id })
  return { order_id }
}

/** Returns the ids of a problem of the account that the store declined. */
async function declined(world: TestSandbox, as: string): Promise<{ order_id: string; problem_id: string }> {
  const { order_id } = await completed(world, as)
  const key = unique('declined').replace(' ', '-')
  const { problems } = await world.ok('report_order_problem', missing({ order_id }), { as, key })
  const problem_id = problems[0]?.problem_id ?? NO_PROBLEM
  await world.ok('answer_order_problem', { order_id, problem_id, accept: 'none', note: 'All were packed' })
  return { order_id, problem_id }
}

const NO_PROBLEM = 'prb_01m7vkystgfp1b10jk5dh9yvxy'
const NO_ADJUSTMENT = 'adj_01m7vkystgfp1b10jk5dh9yvxy'

/** Orders as the account, whose customer is then asked about a replacement. */
async function asked(world: TestSandbox, as: string): Promise<{ order_id: string; adjustment_id: string }> {
  const keeper = as === 'owner' ? 'owner' : 'everything'
  const confirm = await makeConfirm(world, { as, keeper })
  const { order_id, lines } = await world.ok(
    'place_food_order',
    { ...confirm, substitutions: 'ask' },
    { as, key: unique('ask').replace(' ', '-') },
  )
  const replacement = { item_id: lines[0]?.item_id ?? '' }
  const { adjustments } = await world.ok(
    'adjust_business_order',
    {
      order_id,
      kind: 'replaced',
      lines: [{ line_id: 'line_1', quantity: 1, replacement }],
      reason_code: 'out_of_stock',
    },
    { as: keeper, key: unique('question').replace(' ', '-') },
  )
  return { order_id, adjustment_id: adjustments[0]?.adjustment_id ?? NO_ADJUSTMENT }
}

const missing = ({ order_id }: { order_id: string }) => ({
  order_id,
  reason_code: 'missing',
  lines: [{ line_id: 'line_1', quantity: 1 }],
})

export const cases = defineCases({
  stranger: 'member',
  ids: {
    order_id: {
      nobodys: 'ord_01m7vkystgfp1b10jk5dh9yvxy',
      missing: 'order_not_found',
      make: async (world, as) => ({ order_id: (await placeCustomerOrder(world, { as })).order_id }),
    },
    merchant_id: { nobodys: 'mer_01m7vkystgef38d6j5p56t9yfw', missing: 'merchant_not_found' },
    adjustment_id: { nobodys: NO_ADJUSTMENT, missing: 'adjustment_not_found' },
  },
  operations: {
    answer_substitution: {
      tool: 'writes',
      needs: asked,
      secondInput: { accept: false },
      afterEntitlementEnds: 'adjustment_not_allowed',
      refusals: {
        adjustment_not_found: { adjustment_id: NO_ADJUSTMENT },
        adjustment_not_allowed: async ({ world }) => {
          const answer = { ...(await asked(world, 'everything')), accept: true }
          await world.ok('answer_substitution', answer)
          return answer
        },
      },
    },
    report_order_problem: {
      tool: 'writes',
      needs: completed,
      refusals: {
        adjustment_not_allowed: async ({ world }) => missing(await placeCustomerOrder(world)),
        problem_window_over: async ({ world }) => {
          const order = await completed(world, 'everything')
          await world.advance(49 * 3_600_000)
          return missing(order)
        },
        amount_exceeds_paid: async ({ world }) => ({
          ...missing(await completed(world, 'everything')),
          lines: [{ line_id: 'line_1', quantity: 9 }],
        }),
      },
      afterEntitlementEnds: 'adjustment_not_allowed',
      rules: { 'a problem that is not late has lines': /^\/lines(\/0\/line_id)? (required|not_in_menu)$/ },
    },
    appeal_order_problem: {
      tool: 'writes',
      needs: declined,
      secondInput: { problem_id: NO_PROBLEM },
      afterEntitlementEnds: 'problem_not_found',
      refusals: {
        problem_not_found: { problem_id: NO_PROBLEM },
        adjustment_not_allowed: async ({ world }) => {
          const appeal = await declined(world, 'everything')
          await world.ok('appeal_order_problem', appeal)
          return appeal
        },
        problem_window_over: async ({ world }) => {
          const appeal = await declined(world, 'everything')
          await world.advance(49 * 3_600_000)
          return appeal
        },
      },
      unreachableErrors: {
        amount_exceeds_paid: 'the records say so, and the store has refunded all of it since',
      },
    },
    search_restaurants: { tool: 'reads', refusals: { address_unresolvable: () => ATLANTIS } },
    get_restaurant_menu: {
      tool: 'reads',
      needs: async (world) => ({ merchant_id: (await makeQuoteBody(world)).merchant_id }),
    },
    quote_food_order: {
      tool: 'reads',
      input: (world) => makeQuoteBody(world),
      refusals: {
        item_not_found: { items: [{ item_id: 'itm_01m7vkystgf7vtyybg4s0p9p1s', quantity: 1 }] },
        merchant_closed: (given) =>
          basketAt(given, 'Casa Marigold', 'Churros', { fulfillment_type: 'pickup' }),
        item_unavailable: async ({ world, example }) => {
          const item_id = await createItem(world)
          await world.ok('set_catalog_item_availability', { item_id, available: false })
          return { ...(await example()), items: [{ item_id, quantity: 1 }] }
        },
        slot_unavailable: async (given) => {
          const { wish, take } = await takenTable(given, '9')
          await take()
          return makeQuoteBody(given.world, wish)
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
        outside_delivery_area: deliveryWith({
          dropoff: { location: { latitude: 51.6129, longitude: -0.0823 } },
        }),
        fulfillment_not_offered: basketWith(
          { keeper: 'owner' },
          { fulfillment_type: 'dine_in', table: { table_number: '1' } },
        ),
        address_unresolvable: deliveryWith({ dropoff: NOWHERE }),
        currency_mismatch: deliveryWith({ tip: EUROS }),
        amount_too_large: deliveryWith({ tip: { amount: 100_000, currency: 'GBP' } }),
        no_courier_available: async ({ world }) => {
          await engage(world)
          return makeQuoteBody(world, { type: 'delivery' })
        },
      },
    },
    place_food_order: {
      tool: 'writes',
      spends: 'quote',
      input: (world, as) => makeConfirm(world, { as }),
      refusals: {
        insufficient_funds: ({ world }) => makeConfirm(world, { method: 'wallet', quantity: 99 }),
        item_unavailable: async ({ world }) => {
          const item_id = await createItem(world)
          const basket = { ...(await makeQuoteBody(world)), items: [{ item_id, quantity: 1 }] }
          const { quote_id } = await world.ok('quote_food_order', basket)
          await world.ok('delete_catalog_item', { item_id })
          return { quote_id, payment: { method: 'cash' } }
        },
        merchant_closed: async ({ world, example }) => pause(world, await example(), NO_END),
        slot_unavailable: async (given) => {
          await pause(given.world, {}, null)
          const { wish, take } = await takenTable(given, '8')
          const input = await makeConfirm(given.world, wish)
          await take()
          return input
        },
        options_conflict: async ({ world }) => {
          const basket = { ...(await makeQuoteBody(world, { type: 'delivery' })), if_absent: 'leave' }
          const { quote_id } = await world.ok('quote_food_order', basket)
          return { quote_id, payment: { method: 'cash' } }
        },
        no_courier_available: async ({ world }) => {
          const input = await makeConfirm(world, { type: 'delivery' })
          await engage(world)
          return input
        },
      },
    },
    get_food_order: { tool: 'reads' },
    list_food_orders: { tool: 'reads', input: async () => ({}) },
    cancel_food_order: { tool: 'removes', afterEntitlementEnds: 'not_cancellable' },
  },
})
