/** A change of the hours or of the menu says which open orders it touches, and leaves them as they are. */
import { describe, expect, test } from 'vitest'
import { pausedWords, touchedWords } from '../../../src/web/kitchen/order.ts'
import { openHome, startAgent } from '../../support/agent.ts'
import { performAction, placeTestOrder } from '../../support/order-life.ts'
import { ENGINES } from '../../support/stores.ts'
import { makeSandboxClient, runIn } from '../../support/world-client.ts'
import { type TestCallOptions, openTestSandbox, type TestSandbox } from '../../support/world.ts'

const LATER = '2026-11-25T13:00:00.000Z'
const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const daily = (opens: string, closes: string) => WEEK.map((day) => ({ day, opens, closes }))

/** Opens a world with an order for Wednesday at 13:00, and one that is cooked now. */
async function sell(engine = ENGINES[0]) {
  const world = await openTestSandbox({ engine })
  const later = await placeTestOrder(world, { at: LATER, scenario: 'store_manual' })
  const now = await placeTestOrder(world, { scenario: 'store_manual' })
  const [line] = now.lines
  return { world, later, now, item_id: line?.item_id ?? '' }
}

const named = (order: { order_id: string; display_number: string }, wanted_at: string) => ({
  order_id: order.order_id,
  display_number: order.display_number,
  status: 'placed',
  wanted_at,
})

const stored = async (world: TestSandbox) => [
  await world.ok('get_store_hours'),
  (await world.ok('list_catalog_items', { limit: 100 })).data,
]

describe.each(ENGINES)('open orders on $name are named', (engine) => {
  test('by hours that close their day, and only then', async () => {
    const { world, later } = await sell(engine)
    const closing = { dates: [{ date: '2026-11-25', spans: [] }] }
    const before = await stored(world)
    const touched_orders = { count: 1, orders: [named(later, LATER)] }
    expect(await world.ok('set_store_hours', { ...closing, preview: true })).toMatchObject({ touched_orders })
    expect(await stored(world)).toEqual(before)
    const free = { dates: [{ date: '2026-11-26', spans: [] }] }
    expect((await world.ok('set_store_hours', free)).touched_orders).toBeNull()
    expect(await world.ok('set_store_hours', closing)).toMatchObject({ touched_orders })
    // It was named; now its day is closed already.
    expect((await world.ok('set_store_hours', closing)).touched_orders).toBeNull()
    expect((await world.ok('get_business_order', { order_id: later.order_id })).status).toBe('placed')
  })

  test('by weekly hours, with those that are cooked now', async () => {
    const { world, later, now } = await sell(engine)
    const { touched_orders } = await world.ok('set_store_hours', { weekly: daily('18:00', '23:00') })
    expect(touched_orders).toEqual({
      count: 2,
      orders: [named(now, now.estimated_ready_at), named(later, LATER)],
    })
  })

  test('by an item that is taken off sale until they are wanted', async () => {
    const { world, later, now, item_id } = await sell(engine)
    const take = async (more: Record<string, unknown> = {}, options: TestCallOptions = {}) =>
      (
        await world.ok('set_catalog_item_availability', { item_id, available: false, ...more }, options)
      ).touched_orders?.orders.map(({ display_number }) => display_number)
    expect(await take({ preview: true })).toEqual([now.display_number, later.display_number])
    expect((await stored(world))[1]).not.toContainEqual(
      expect.objectContaining({ item_id, effective_available: false }),
    )
    expect(await take({ until: '2026-11-20T18:00:00Z' })).toEqual([now.display_number])
    // Whoever may not read orders is told of none.
    const menuOnly: TestCallOptions = {
      credential: { account: 'everything', scopes: ['menu.manage', 'menu.read'] },
    }
    expect(await take({}, menuOnly)).toBeUndefined()
    await performAction(world, now.order_id, ['accept', 'ready'])
    expect(await take()).toEqual([later.display_number])
    expect(await take({ available: true })).toBeUndefined()
  })

  test('by schedules of the item and of its category', async () => {
    const { world, later, item_id } = await sell(engine)
    const evening = daily('18:00', '23:00')
    const own = { item_id, spans: evening.filter(({ day }) => day === 'wed') }
    const { touched_orders, category } = await world.ok('set_item_schedule', { ...own, preview: true })
    expect(touched_orders?.orders).toContainEqual(named(later, LATER))
    const { category_id } = category
    const whole = await world.ok('set_category_schedule', { category_id, spans: evening })
    expect(whole.touched_orders?.count).toBe(2)
    expect((await world.ok('set_category_schedule', { category_id, spans: null })).touched_orders).toBeNull()
    const rest = { category_id, spans: daily('00:00', '23:59') }
    expect((await world.ok('set_category_schedule', rest)).touched_orders).toBeNull()
  })
})

test('a removed line of an order is no longer wanted', async () => {
  const { world, now, item_id } = await sell()
  await performAction(world, now.order_id, ['accept'])
  const other = (await world.ok('list_catalog_items', { limit: 100 })).data.find(
    (each) => each.item_id !== item_id,
  )
  const off = { item_id: other?.item_id, available: false }
  expect((await world.ok('set_catalog_item_availability', off)).touched_orders).toBeNull()
})

test('the terminal says so before and after the change, with the day', async () => {
  const { world, later, now } = await sell()
  const number = later.display_number
  const words = `It touches 1 open order, which stays as it is: ${number} (placed, for Wed 25 Nov 13:00).`
  const line = 'business hours except 2026-11-25 closed'
  const before = await stored(world)
  expect(await runIn(world, `${line} --dry-run`)).toContain(`Dry run: nothing was sent. ${words}`)
  expect(await stored(world)).toEqual(before)
  expect(await runIn(world, line)).toContain(words)
  const [item] = now.lines
  const off = await runIn(world, `business catalog available "${item?.name}" no --reason sold_out`)
  expect(off).toMatch(
    new RegExp(
      `It touches 2 open orders, which stay as they are: ${now.display_number} \\(placed, for \\d\\d:\\d\\d\\), ${number} `,
    ),
  )
  const week = await runIn(world, `business catalog schedule "${item?.name}" wed 18-23 --dry-run`)
  expect(week).toContain('It touches 2 open orders')
})

test('an agent that takes an item off sale sees the orders', async () => {
  const { world, now, later, item_id } = await sell()
  const { home } = await openHome()
  const agent = await startAgent(home, { service: makeSandboxClient(world, 'everything') })
  const { text } = await agent.call('set_catalog_item_availability', { item_id, available: false })
  for (const { display_number } of [now, later]) expect(text).toContain(display_number)
})

test('the kitchen page names them, and the day of a pause', async () => {
  const { world, now, later, item_id } = await sell()
  const changed = await world.ok('set_catalog_item_availability', { item_id, available: false })
  expect(touchedWords(changed, await world.now())).toMatch(
    new RegExp(
      `^${now.display_number} \\(for \\d\\d:\\d\\d\\), ${later.display_number} \\(for Wed 25 Nov, \\d\\d:\\d\\d\\)$`,
    ),
  )
  const noon = Date.parse('2026-11-20T12:00:00Z')
  expect(pausedWords(noon + 3_600_000, noon)).toMatch(/^Paused until \d\d:\d\d$/)
  expect(pausedWords(noon + 48 * 3_600_000, noon)).toMatch(/^Paused until Sun 22 Nov, \d\d:\d\d$/)
})
