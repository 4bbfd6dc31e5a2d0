/** A store that ends its pause. */
import { describe, expect, test } from 'vitest'
import { makeFornoBasket, FRIDAY_NOON_MS, OWNER } from '../../support/store-hours.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

describe.each(ENGINES)('a paused store on $name', (engine) => {
  test('takes orders again once it is resumed, and a pause that ends outside its hours ends with their next opening', async () => {
    const world = await openTestSandbox({ engine, at: FRIDAY_NOON_MS })
    await world.ok('pause_store', { until: '2026-11-20T23:59:00Z' }, OWNER)
    expect(await world.ok('get_store_hours', {}, OWNER)).toMatchObject({
      opens_at: '2026-11-21T07:30:00.000Z',
    })
    const resumed = await world.ok('resume_store', {}, OWNER)
    expect(resumed).toMatchObject({ is_open: true, opens_at: null, pause: null })
    await world.ok('quote_food_order', await makeFornoBasket(world))
    const { events } = await eventsOf(world)
    expect(events).toEqual([
      ['taking_orders', 'paused'],
      ['paused', 'taking_orders'],
    ])
    // The store is open already: no event tells of it.
    await world.ok('resume_store', {}, OWNER)
    expect((await eventsOf(world)).events).toHaveLength(2)
  })
})

async function eventsOf(world: TestSandbox) {
  const rows = await world.db.read((tx) =>
    tx.all(`select doc from events where type = 'store.hours_changed' order by seq`),
  )
  const events = rows.map(({ doc }) => JSON.parse(String(doc)) as { from: string; to: string })
  return { events: events.map(({ from, to }) => [from, to]) }
}
