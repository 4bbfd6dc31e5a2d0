/** A paused store on every engine. */
import { describe, expect, test } from 'vitest'
import { performAction, attend, placeTestOrder } from '../../support/order-life.ts'
import { makeFornoBasket, MINUTE, FRIDAY_NOON_MS, OWNER, searchForno } from '../../support/store-hours.ts'
import { ENGINES, MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

describe.each(ENGINES)('a paused store on $name', (engine) => {
  test('is closed until the pause ends, and orders that stand go on', async () => {
    const world = await openTestSandbox({ engine, at: FRIDAY_NOON_MS })
    await attend(world)
    const { order_id } = await placeTestOrder(world, { scenario: 'store_manual' })
    const basket = await makeFornoBasket(world)
    const { quote_id } = await world.ok('quote_food_order', basket)
    const paused = await world.ok('pause_store', { minutes: 30 }, OWNER)
    expect(paused).toMatchObject({ is_open: false, pause: { until: '2026-11-20T12:30:00.000Z' } })
    expect(await world.ok('get_store_hours', {}, OWNER)).toEqual(paused)

    expect(await searchForno(world)).toMatchObject({
      data: [],
      empty: { reason: 'closed_now', next: '2026-11-20T12:30:00.000Z' },
    })
    const [shown] = (await searchForno(world, { include_closed: true })).data
    expect(shown).toMatchObject({ is_open: false, open_until: null, opens_at: '2026-11-20T12:30:00.000Z' })
    const refused = await world.refused('quote_food_order', basket)
    expect(refused).toMatchObject({
      code: 'merchant_closed',
      detail: 'Forno Santa Rosa has paused its orders until 2026-11-20 12:30 local time.',
    })
    const confirm = { quote_id, payment: { method: 'cash' } }
    const late = await world.refused('place_food_order', confirm, { key: 'late' })
    expect(late).toMatchObject({ code: 'merchant_closed' })
    const soon = { ...basket, scheduled_for: '2026-11-20T12:15:00Z' }
    expect(await world.refused('quote_food_order', soon)).toMatchObject({
      code: 'slot_unavailable',
      alternatives: ['2026-11-20T12:30:00.000Z', '2026-11-20T12:45:00.000Z', '2026-11-20T13:00:00.000Z'],
    })
    await world.ok('quote_food_order', { ...basket, scheduled_for: '2026-11-20T12:30:00Z' })
    await performAction(world, order_id, ['accept', 'ready', 'complete'])

    await world.advance(30 * MINUTE)
    expect((await searchForno(world)).data).toHaveLength(1)
    await world.ok('quote_food_order', basket)
  })

  test('gets no order after its pause, however many are placed at the time', async () => {
    const world = await openTestSandbox({ engine, at: FRIDAY_NOON_MS })
    const quotes = await Promise.all(
      Array.from({ length: 12 }, async () => world.ok('quote_food_order', await makeFornoBasket(world))),
    )
    const confirmAll = (some: typeof quotes) =>
      Promise.all(some.map(({ quote_id }) => confirm(world, quote_id)))
    const [, late] = await Promise.all([
      confirmAll(quotes.slice(0, 6)),
      world.ok('pause_store', { minutes: 10 }, OWNER).then(() => confirmAll(quotes.slice(6))),
    ])
    expect(late.map(({ body }) => body['code'])).toEqual(late.map(() => 'merchant_closed'))
    const told = await world.db.read((tx) =>
      tx.all(
        `select type from events where type in ('store.hours_changed', 'food_order.placed') order by seq`,
      ),
    )
    expect(told.at(-1)).toEqual({ type: 'store.hours_changed' })
  })
})

function confirm(world: TestSandbox, quote_id: string) {
  return world.call('place_food_order', { quote_id, payment: { method: 'cash' } }, { key: quote_id })
}

describe.each(MAIN_ENGINES)('a pause on $name', (engine) => {
  test.each([
    ['pause_store', {}, '/minutes'],
    ['pause_store', { minutes: 5, until: '2026-11-20T13:00:00Z' }, '/until'],
    ['pause_store', { until: '2026-11-20T12:00:00Z' }, '/until'],
    ['pause_store', { until: '2027-11-20T12:00:00Z' }, '/until'],
    ['set_store_busy', { minutes: 0, until: '2026-11-20T13:00:00Z' }, '/until'],
    ['set_store_busy', { minutes: 5, until: '2026-11-20T11:00:00Z' }, '/until'],
  ] as const)('needs a sound end, and so does a busy time: %s %j', async (operation, input, pointer) => {
    const world = await openTestSandbox({ engine, at: FRIDAY_NOON_MS })
    expect(await world.refused(operation, input, OWNER)).toMatchObject({ errors: [{ pointer }] })
  })
})
