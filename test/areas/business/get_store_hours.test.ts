/** A store's hours as its owner sees them. */
import { describe, expect, test } from 'vitest'
import { FRIDAY_NOON_MS, OWNER, searchForno } from '../../support/store-hours.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('opening hours on $name', (engine) => {
  test('name the next opening behind months of closed days, and lose what is past', async () => {
    const world = await openTestSandbox({ engine, at: FRIDAY_NOON_MS })
    const dates = Array.from({ length: 60 }, (_, more) => ({
      date: new Date(Date.parse('2026-11-20') + more * 86_400_000).toISOString().slice(0, 10),
      spans: [],
    }))
    expect((await world.ok('set_store_hours', { dates }, OWNER)).opens_at).toBe('2027-01-19T07:30:00.000Z')
    await world.advanceTo('2027-01-10T12:00:00Z')
    const back = { dates: [{ date: '2027-01-12', spans: null }] }
    const { dates: kept, opens_at } = await world.ok('set_store_hours', back, OWNER)
    expect(opens_at).toBe('2027-01-12T07:30:00.000Z')
    expect(kept).toHaveLength(9)
    const most = Array.from({ length: 100 }, (_, more) => ({
      date: new Date(Date.parse('2027-03-01') + more * 86_400_000).toISOString().slice(0, 10),
      spans: [{ opens: '10:00', closes: '12:00' }],
    }))
    expect(await world.refused('set_store_hours', { dates: most }, OWNER)).toMatchObject({
      errors: [{ pointer: '/dates' }],
    })
    await world.ok('set_store_hours', { dates: most.slice(0, 90) }, OWNER)
    expect((await searchForno(world, { include_closed: true })).data).toHaveLength(1)
  })
})
