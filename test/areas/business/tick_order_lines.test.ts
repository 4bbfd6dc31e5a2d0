/** Ticks of an order's lines, which all screens of its kitchen share. */
import { describe, expect, test } from 'vitest'
import { createItem } from '../../support/baskets.ts'
import { newKey } from '../../support/food.ts'
import { performAction, placeTestOrder } from '../../support/order-life.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

/** Places an order of two dishes, three and two units, and accepts it. */
async function placeTwoDishes(world: TestSandbox, over: Record<string, unknown> = {}): Promise<string> {
  const items = [
    { item_id: await createItem(world), quantity: 3 },
    { item_id: await createItem(world), quantity: 2 },
  ]
  const { order_id } = await placeTestOrder(world, { quote: { items }, over })
  await performAction(world, order_id, ['accept'])
  return order_id
}

const tick = (...ids: string[]) => ids.map((line_id) => ({ line_id, done: true }))
const untick = (line_id: string) => [{ line_id, done: false }]

/** Returns `line_1 line_2✓`. */
function linesOf({ kitchen_lines }: { kitchen_lines: { line_id: string; done: boolean }[] }): string {
  return kitchen_lines.map(({ line_id, done }) => `${line_id}${done ? '✓' : ''}`).join(' ')
}

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('a tick stays until it is taken back, whatever the status, and the customer sees none', async () => {
    const world = await openTestSandbox({ engine })
    const order_id = await placeTwoDishes(world)
    const before = await world.ok('get_food_order', { order_id }, { as: 'member' })
    expect(linesOf(await world.ok('tick_order_lines', { order_id, lines: tick('line_2') }))).toBe(
      'line_1 line_2✓',
    )
    const told = () =>
      world.db.read((tx) => tx.all(`select doc from events where type = 'food_order.ticked' order by seq`))
    expect(await told()).toHaveLength(1)
    await world.ok('tick_order_lines', { order_id, lines: tick('line_2') })
    expect(await told()).toHaveLength(1)
    expect(linesOf(await performAction(world, order_id, ['preparing', 'ready']))).toBe('line_1 line_2✓')
    await world.ok('tick_order_lines', { order_id, lines: [...tick('line_1'), ...untick('line_2')] })
    const [listed] = (await world.ok('list_business_orders', { active: true })).data
    expect(listed && linesOf(listed)).toBe('line_1✓ line_2')
    const { events } = { events: await told() }
    expect(JSON.parse(String(events.at(-1)?.['doc']))).toMatchObject({
      from: 'ready',
      to: 'ready',
      by: 'store',
    })
    const after = await world.ok('get_food_order', { order_id }, { as: 'member' })
    expect(Object.keys(after)).toEqual(Object.keys(before))
  })

  test('fewer units keep the tick, none end it, and a replacement begins without one', async () => {
    const world = await openTestSandbox({ engine })
    const order_id = await placeTwoDishes(world, { substitutions: 'replace' })
    await world.ok('tick_order_lines', { order_id, lines: tick('line_1', 'line_2') })
    const adjust = (kind: string, line: Record<string, unknown>) =>
      world.ok(
        'adjust_business_order',
        { order_id, kind, reason_code: 'out_of_stock', lines: [line] },
        { key: newKey() },
      )
    expect(linesOf(await adjust('removed', { line_id: 'line_1', quantity: 1 }))).toBe('line_1✓ line_2✓')
    const replacement = { item_id: await createItem(world) }
    const replaced = await adjust('replaced', { line_id: 'line_1', quantity: 1, replacement })
    expect(linesOf(replaced)).toBe('line_1✓ line_1.1 line_2✓')
    await world.ok('tick_order_lines', { order_id, lines: tick('line_1.1') })
    expect(linesOf(await adjust('removed', { line_id: 'line_1' }))).toBe('line_1.1✓ line_2✓')
    expect(await world.refused('tick_order_lines', { order_id, lines: tick('line_1') })).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/lines/0/line_id', code: 'not_in_menu' }],
    })
  })
})

test('the same key ticks once, and an older answer does not bring a tick back', async () => {
  const world = await openTestSandbox()
  const order_id = await placeTwoDishes(world)
  const send = () => world.call('tick_order_lines', { order_id, lines: tick('line_1') }, { key: 'tick-1' })
  const { text } = await send()
  await world.ok('tick_order_lines', { order_id, lines: untick('line_1') })
  expect((await send()).text).toBe(text)
  expect(linesOf(await world.ok('get_business_order', { order_id }))).toBe('line_1 line_2')
})

test('a line is ticked while the kitchen has the order', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world)
  const refused = () => world.refused('tick_order_lines', { order_id, lines: tick('line_1') })
  expect(await refused()).toMatchObject({ code: 'invalid_state', current_status: 'placed' })
  await performAction(world, order_id, ['accept', 'complete'])
  expect(await refused()).toMatchObject({
    code: 'invalid_state',
    current_status: 'completed',
    allowed_statuses: ['accepted', 'preparing', 'ready'],
  })
})

test.each([
  [tick('line_1', 'line_1'), '/lines/1/line_id', 'mutually_exclusive'],
  [tick('line_9'), '/lines/0/line_id', 'not_in_menu'],
  [[], '/lines', 'required'],
])('lines %j are refused', async (lines, pointer, code) => {
  const world = await openTestSandbox()
  const order_id = await placeTwoDishes(world)
  expect(await world.refused('tick_order_lines', { order_id, lines })).toMatchObject({
    errors: [{ pointer, code }],
  })
})

test('another store’s order is not found', async () => {
  const world = await openTestSandbox()
  const order_id = await placeTwoDishes(world)
  const lines = tick('line_1')
  expect(await world.refused('tick_order_lines', { order_id, lines }, { as: 'owner' })).toMatchObject({
    code: 'order_not_found',
  })
})
