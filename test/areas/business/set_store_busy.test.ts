/** A busy store's promises. */
import { describe, expect, test } from 'vitest'
import { makeFornoBasket, MINUTE, FRIDAY_NOON_MS, OWNER, searchForno } from '../../support/store-hours.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('a busy store on $name', (engine) => {
  test('promises more minutes in searches, quotes and orders, until it ends', async () => {
    const world = await openTestSandbox({ engine, at: FRIDAY_NOON_MS })
    const basket = await makeFornoBasket(world)
    const seen = async () => {
      const { estimated_ready_at } = await world.ok('quote_food_order', basket)
      const [store] = (await searchForno(world)).data
      const ready = (Date.parse(estimated_ready_at) - (await world.now())) / MINUTE
      return [ready, store?.prep_time_minutes, store?.delivery?.eta_min_minutes]
    }
    const before = await seen()
    const { quote_id } = await world.ok('quote_food_order', basket)
    const busy = await world.ok('set_store_busy', { minutes: 15, until: '2026-11-20T13:00:00Z' }, OWNER)
    expect(busy.busy).toEqual({ minutes: 15, until: '2026-11-20T13:00:00.000Z' })
    expect(await seen()).toEqual(before.map((minutes) => Number(minutes) + 15))
    // The price that was shown holds; the time does not.
    const order = await world.ok(
      'place_food_order',
      { quote_id, payment: { method: 'cash' } },
      { key: 'busy' },
    )
    expect((Date.parse(order.estimated_ready_at) - (await world.now())) / MINUTE).toBe(Number(before[0]) + 15)
    await world.advance(60 * MINUTE)
    expect((await world.ok('get_store_hours', {}, OWNER)).busy).toBeNull()
    expect(await seen()).toEqual(before)
    await world.ok('set_store_busy', { minutes: 20 }, OWNER)
    expect((await world.ok('set_store_busy', { minutes: 0 }, OWNER)).busy).toBeNull()
  })
})
