import { businessDateOf } from '../../../src/core/period.ts'
import { makeAdjustment } from '../../support/adjusting.ts'
import { createItem, makeConfirm, placeCustomerOrder, unique } from '../../support/baskets.ts'
import { defineCases, type CaseContext, type CaseInput } from '../../support/cases.ts'
import { makeItem, makeItems } from '../../support/items.ts'
import { EUROS } from '../../support/refused.ts'
import type { TestSandbox } from '../../support/world.ts'

/** An invalid group: its minimum is above its maximum. */
const IMPOSSIBLE = {
  modifier_groups: [
    { name: 'Size', min_selections: 2, max_selections: 1, modifiers: [{ name: 'Large' }, { name: 'Small' }] },
  ],
}

/** Places an order at the account's store. */
async function placed(world: TestSandbox, as: string): Promise<{ order_id: string }> {
  const keeper = as === 'owner' ? 'owner' : 'everything'
  const { order_id } = await placeCustomerOrder(world, { as: keeper === 'owner' ? 'member' : as, keeper })
  return { order_id }
}

async function accepted(world: TestSandbox, as: string): Promise<{ order_id: string }> {
  const input = await placed(world, as)
  await world.ok('accept_business_order', input, { as })
  return input
}

/** Closes the days of the account's store, whatever is still to be paid. */
async function closeDays(world: TestSandbox, as = 'everything'): Promise<void> {
  const { data } = await world.ok('list_business_orders', { payment_status: 'unpaid', limit: 100 }, { as })
  for (const { order_id } of data) await world.call('reject_business_order', { order_id }, { as })
  await world.call('close_business_day', { through: businessDateOf(await world.now(), ZONE) }, { as })
}

const ZONE = 'Europe/London'

/** Seats guests of the account's store who pay at table 4, and accepts their order; other stores have no tables. */
async function seated(world: TestSandbox, as: string): Promise<CaseInput> {
  if (as === 'everything') {
    const { order_id } = await placeCustomerOrder(world, { type: 'dine_in', method: 'pay_at_table' })
    await world.ok('accept_business_order', { order_id })
  }
  return { table_number: '4' }
}

/** Replaces a line of an order whose customer wished so. */
async function replaced({ world }: CaseContext, replacement: Record<string, unknown>): Promise<CaseInput> {
  const { order_id } = await world.ok(
    'place_food_order',
    { ...(await makeConfirm(world)), substitutions: 'replace' },
    { key: unique('replace').replace(' ', '-') },
  )
  return {
    ...makeAdjustment(order_id),
    kind: 'replaced',
    lines: [{ line_id: 'line_1', quantity: 1, replacement }],
  }
}

const NO_PROBLEM = 'prb_01m7vkystgfp1b10jk5dh9yvxy'

/** Completes an order at the account's store, of which its customer reports a problem. */
async function withProblem(
  world: TestSandbox,
  as: string,
): Promise<{ order_id: string; problem_id: string }> {
  const keeper = as === 'owner' ? 'owner' : 'everything'
  const customer = as === 'owner' ? 'member' : as
  const { order_id } = await placeCustomerOrder(world, { as: customer, keeper })
  await world.ok('accept_business_order', { order_id }, { as })
  await world.ok('complete_business_order', { order_id }, { as })
  const report = { order_id, reason_code: 'missing', lines: [{ line_id: 'line_1', quantity: 1 }] }
  const key = unique('problem').replace(' ', '-')
  const { problems } = await world.ok('report_order_problem', report, { as: customer, key })
  return { order_id, problem_id: problems[0]?.problem_id ?? NO_PROBLEM }
}

export const cases = defineCases({
  stranger: 'owner',
  ids: {
    problem_id: { nobodys: NO_PROBLEM, missing: 'problem_not_found' },
    category_id: {
      nobodys: 'cat_01m7vkystgf7vtyybg4s0p9p1s',
      missing: 'category_not_found',
      make: async (world, as) => {
        const item = makeItem({ name: unique('Dish'), category: unique('Section') })
        const { category } = await world.ok('create_catalog_item', item, { as })
        return { category_id: category.category_id }
      },
    },
    item_id: {
      nobodys: 'itm_01m7vkystgf7vtyybg4s0p9p1s',
      missing: 'item_not_found',
      make: async (world, as) => ({ item_id: await createItem(world, as) }),
    },
  },
  operations: {
    list_business_orders: {
      tool: 'reads',
      input: async () => ({}),
      rules: {
        'what is active has one of several states': /^status mutually_exclusive$/,
        'the filter for problems goes with no other': /^\w+ mutually_exclusive$/,
      },
    },
    get_business_order: { tool: 'reads', needs: placed },
    accept_business_order: {
      tool: 'writes',
      needs: placed,
      refusals: {
        payment_required: async ({ world }) => ({
          order_id: (await placeCustomerOrder(world, { token: 'tok_pending' })).order_id,
        }),
      },
    },
    reject_business_order: {
      tool: 'removes',
      spends: 'refund',
      needs: placed,
      rules: { 'what is sold out has to be said': /^\/item_ids (required|mutually_exclusive)$/ },
    },
    start_business_order_prep: { tool: 'writes', needs: accepted },
    mark_business_order_ready: { tool: 'writes', needs: accepted },
    complete_business_order: {
      tool: 'writes',
      needs: accepted,
      refusals: {
        fulfillment_type_mismatch: async ({ world }) => ({
          order_id: (await placeCustomerOrder(world, { type: 'delivery' })).order_id,
        }),
        table_check_open: async ({ world }) => {
          const { order_id } = await placeCustomerOrder(world, { type: 'dine_in', method: 'pay_at_table' })
          await world.ok('accept_business_order', { order_id })
          return { order_id }
        },
      },
      unreachableErrors: {
        payment_required: 'an unpaid order by card or wallet is already refused at accept',
      },
    },
    list_catalog_items: { tool: 'reads' },
    create_catalog_item: {
      tool: 'writes',
      needs: async () => ({ name: unique('Dish'), external_ref: unique('ref') }),
      secondInput: { description: 'other' },
      refusals: {
        invalid_modifier_group: IMPOSSIBLE,
        invalid_barcode: { barcode: '5012345678901' },
        currency_mismatch: { price: EUROS },
      },
    },
    update_catalog_item: {
      tool: 'writes',
      secondInput: { description: 'other' },
      refusals: {
        duplicate_item: async ({ world }) => {
          const { name } = await world.ok(
            'create_catalog_item',
            makeItem({ name: unique('Dish'), category: 'Tests' }),
          )
          return { item_id: await createItem(world), name }
        },
        invalid_modifier_group: IMPOSSIBLE,
        currency_mismatch: { price: EUROS },
      },
    },
    set_catalog_item_availability: { tool: 'writes', secondInput: { reason: 'other' } },
    delete_catalog_item: { tool: 'removes', secondInput: { reason: 'other' } },
    import_catalog_items: {
      tool: 'writes',
      secondInput: () => {
        const items = makeItems(2, unique('Dish'))
        return { input: { items }, other: { items: items.slice(1) } }
      },
      refusals: { manifest_too_large: () => ({ items: makeItems(501) }) },
    },
    check_catalog_prices: {
      refusals: {
        // Items to update are looked for in every store of the account.
        merchant_not_found: () => ({ items: makeItems(1), merchant_id: 'mer_01m7vkystgef38d6j5p56t9yfw' }),
        manifest_too_large: () => ({ items: makeItems(501) }),
      },
    },
    adjust_business_order: {
      tool: 'removes',
      spends: 'refund',
      needs: placed,
      refusals: {
        adjustment_not_allowed: async ({ world }) =>
          makeAdjustment((await placeCustomerOrder(world, { method: 'cash' })).order_id),
        amount_exceeds_paid: { lines: [{ line_id: 'line_1', quantity: 9 }] },
        item_not_found: (given) => replaced(given, { item_id: 'itm_01m7vkystgf7vtyybg4s0p9p1s' }),
        item_unavailable: async (given) => {
          const item_id = await createItem(given.world)
          await given.world.ok('set_catalog_item_availability', { item_id, available: false })
          return replaced(given, { item_id })
        },
        invalid_modifier_selection: async (given) =>
          replaced(given, {
            item_id: await createItem(given.world),
            modifiers: [{ modifier_id: 'mod_none' }],
          }),
      },
      rules: {
        'a replacement goes with its kind': /^\/lines\/0\/replacement (required|mutually_exclusive)$/,
        'lines are those of the order': /^\/lines\/0\/line_id not_in_menu$/,
        'amounts are refunded in the currency of the order':
          /^\/(lines\/0\/amount|expected_amount) (mutually_exclusive|invalid_enum)$/,
      },
    },
    answer_order_problem: {
      tool: 'removes',
      spends: 'refund',
      needs: withProblem,
      secondInput: { note: 'Sorry' },
      refusals: {
        problem_not_found: { problem_id: NO_PROBLEM },
        adjustment_not_allowed: async ({ world }) => {
          const answer = { ...(await withProblem(world, 'everything')), accept: 'full' }
          await world.ok('answer_order_problem', answer)
          return answer
        },
      },
      unreachableErrors: {
        amount_exceeds_paid: 'a refund by the store lowers the problem to what is left of its lines',
      },
      rules: {
        'a part has lines of the problem, and a refusal its reason':
          /^\/(lines (required|mutually_exclusive)|note required|lines\/0\/(line_id|quantity) out_of_range)$/,
      },
    },
    get_catalog_item_history: {},
    list_catalog_changes: {
      tool: 'reads',
      rules: { 'a stretch ends after it begins': /^to out_of_range$/ },
    },
    get_store_hours: { tool: 'reads' },
    set_store_hours: {
      tool: 'writes',
      secondInput: { dates: [{ date: '2026-12-26', spans: [] }] },
      rules: {
        'something is set': /^\/weekly required$/,
        'periods do not meet': /^\/(weekly|dates\/\d+\/spans) mutually_exclusive$/,
        'a date is given once, within a year': /^\/dates(\/\d+\/date)? (mutually_exclusive|out_of_range)$/,
      },
    },
    pause_store: {
      tool: 'writes',
      secondInput: { minutes: 45 },
      rules: {
        'a pause has one end, within 30 days':
          /^\/(minutes|until) (required|mutually_exclusive|out_of_range)$/,
      },
    },
    resume_store: { tool: 'writes', secondInput: { merchant_id: 'mer_01m7vkystgef38d6j5p56t9yfw' } },
    set_item_stock: {
      tool: 'writes',
      secondInput: { stock: 13 },
      rules: {
        'a count is given once, and is none below 0':
          /^\/(stock|change) (required|mutually_exclusive|out_of_range)$/,
      },
    },
    set_item_schedule: {
      tool: 'writes',
      secondInput: { spans: null },
      rules: { 'periods do not meet': /^\/spans mutually_exclusive$/ },
    },
    set_category_schedule: {
      tool: 'writes',
      secondInput: { spans: null },
      rules: { 'periods do not meet': /^\/spans mutually_exclusive$/ },
    },
    set_store_busy: {
      tool: 'writes',
      secondInput: { minutes: 20 },
      rules: { 'a busy time ends ahead': /^\/until (mutually_exclusive|out_of_range)$/ },
    },
    get_store_settings: { tool: 'reads' },
    set_store_settings: {
      tool: 'writes',
      input: async () => ({ stations: [{ name: 'Hot' }, { name: 'Bar' }] }),
      secondInput: { stations: [{ name: 'Cold' }] },
      refusals: { version_conflict: { version: 1_000_000 } },
      rules: {
        'something is set': /^\/stations required$/,
        'a rule ends ahead': /^\/auto_accept\/until out_of_range$/,
        'a station is named once, and makes what is on the menu and at no other':
          /^\/stations\/\d+\/(name|(category|item)_ids\/\d+) (mutually_exclusive|invalid_enum)$/,
      },
    },
    tick_order_lines: {
      tool: 'writes',
      needs: accepted,
      secondInput: { lines: [{ line_id: 'line_1', done: false }] },
      refusals: {
        invalid_state: async ({ world }) => ({
          ...(await placed(world, 'everything')),
          lines: [{ line_id: 'line_1', done: true }],
        }),
      },
      rules: {
        'lines are to be made, each named once': /^\/lines\/\d+\/line_id (not_in_menu|mutually_exclusive)$/,
      },
    },
    mark_losses_seen: {
      tool: 'writes',
      secondInput: { until: '2026-11-20T08:00:00Z' },
      rules: { 'no loss to come is seen': /^\/until out_of_range$/ },
    },
    close_business_day: {
      tool: 'removes',
      input: async (world) => ({ through: businessDateOf(await world.now(), ZONE) }),
      secondInput: { counted_cash: { amount: 100, currency: 'GBP' } },
      refusals: {
        invalid_state: async ({ world }) => {
          await closeDays(world)
          return {}
        },
        currency_mismatch: { counted_cash: EUROS },
        unpaid_orders_open: async ({ world }) => {
          await world.advance(86_400_000)
          await placeCustomerOrder(world, { method: 'cash' })
          return { through: businessDateOf(await world.now(), ZONE) }
        },
      },
      rules: {
        'a day has begun, and its cash is counted alone':
          /^\/(?:through out_of_range|counted_cash mutually_exclusive)$/,
      },
    },
    list_tables: { tool: 'reads', refusals: { table_not_found: { table_number: '99' } } },
    settle_table: {
      tool: 'writes',
      input: seated,
      secondInput: { split: 2 },
      refusals: {
        table_not_found: { table_number: '99' },
        invalid_shares: {
          by_lines: [[{ order_id: 'ord_01m7vkystgfp1b10jk5dh9yvxy', line_id: 'line_1' }]],
        },
      },
      rules: { 'a bill is divided in one way': /^\/by_lines mutually_exclusive$/ },
    },
    list_business_days: { tool: 'reads' },
    get_business_day: {
      tool: 'reads',
      input: async (world, as) => {
        await closeDays(world, as)
        return { number: 1 }
      },
      refusals: { business_day_not_found: { number: 9 } },
    },
    list_statement_entries: {
      rules: { 'a stretch ends after it begins, within a year': /^to out_of_range$/ },
    },
    get_store_statement: {
      tool: 'reads',
      rules: { 'a stretch ends after it begins, within a year': /^to out_of_range$/ },
    },
  },
})
