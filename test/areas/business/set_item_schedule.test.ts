/** Items that are on sale on some days and at some times only. */
import { describe, expect, test } from 'vitest'
import { listRecordedEvents } from '../../../src/db/events.ts'
import { newKey } from '../../support/food.ts'
import { EVENING, LUNCH, openSandboxWithItem } from '../../support/schedules.ts'
import { OWNER } from '../../support/store-hours.ts'
import { ENGINES, MAIN_ENGINES } from '../../support/stores.ts'
import type { TestSandbox } from '../../support/world.ts'

describe.each(ENGINES)('the schedule of an item on $name', (engine) => {
  test('takes it off sale outside its times, says from when it is back, and the quote does, too', async () => {
    const { world, item_id, basket, set, see } = await openSandboxWithItem(engine)
    expect(await see()).toMatchObject({ available: true, from: null })
    await set(LUNCH)
    expect(await see()).toMatchObject({ available: true, from: null, item: { schedule: LUNCH } })
    const { quote_id } = await world.ok('quote_food_order', basket)
    await world.advanceTo('2026-11-20T14:59:00Z')
    const late = await world.ok('quote_food_order', basket)
    await world.advanceTo('2026-11-20T15:00:00Z')
    const next = { available: false, from: '2026-11-27T11:00:00.000Z' }
    expect(await see()).toMatchObject(next)
    const gone = {
      status: 409,
      code: 'item_unavailable',
      item_ids: [item_id],
      available_from: next.from,
      detail: 'Laksa is not available now. Available from 2026-11-27 11:00 local time.',
    }
    expect(await world.refused('quote_food_order', basket)).toMatchObject(gone)
    const order = { quote_id: late.quote_id, payment: { method: 'cash' } }
    expect(await world.refused('place_food_order', order, { key: 'late' })).toMatchObject(gone)
    expect(quote_id).not.toBe(late.quote_id)
    await world.advanceTo('2026-11-27T11:00:00Z')
    expect(await see()).toMatchObject({ available: true, from: null })
    await set(null)
    await world.advanceTo('2026-11-27T16:00:00Z')
    expect(await see()).toMatchObject({ available: true, from: null, item: { schedule: null } })
  })

  test('sells nothing after its end, however many orders are placed at that time', async () => {
    const { world, basket, set } = await openSandboxWithItem(engine)
    await set(LUNCH)
    await world.advanceTo('2026-11-20T14:59:59.999Z')
    const quotes = await Promise.all(Array.from({ length: 6 }, () => world.ok('quote_food_order', basket)))
    const [, ...answers] = await Promise.all([
      world.advanceTo('2026-11-20T15:00:00Z'),
      ...quotes.map(({ quote_id }) => confirm(world, quote_id)),
    ])
    for (const { body } of answers)
      expect(['2026-11-20T14:59:59.999Z', 'item_unavailable']).toContain(body['placed_at'] ?? body['code'])
  })

  test('sells nothing once it is set, however many orders are placed in the meantime', async () => {
    const { world, item_id, basket, set } = await openSandboxWithItem(engine)
    const quotes = await Promise.all(Array.from({ length: 6 }, () => world.ok('quote_food_order', basket)))
    const confirmAll = (some: typeof quotes) =>
      Promise.all(some.map(({ quote_id }) => confirm(world, quote_id)))
    const [early, late] = await Promise.all([
      confirmAll(quotes.slice(0, 3)),
      set(EVENING).then(() => confirmAll(quotes.slice(3))),
    ])
    expect(late.map(({ body }) => body['code'])).toEqual(late.map(() => 'item_unavailable'))
    for (const { status } of early) expect([201, 409]).toContain(status)
    const events = await world.db.read((tx) => listRecordedEvents(tx, 0, 1000))
    const told = events.filter(
      ({ type, resource_id, data }) =>
        type === 'food_order.placed' || (resource_id === item_id && data?.['version'] === 2),
    )
    expect(told.at(-1)?.type).toBe('catalog_item.updated')
  })
})

/** Places an order that is paid in cash. */
function confirm(world: TestSandbox, quote_id: string) {
  return world.call('place_food_order', { quote_id, payment: { method: 'cash' } }, { key: newKey() })
}

describe.each(MAIN_ENGINES)('a schedule on $name', (engine) => {
  test('goes on past midnight from Sunday to Monday', async () => {
    const { world, set, see } = await openSandboxWithItem(engine, Date.parse('2026-11-22T21:59:00Z'))
    await set([{ day: 'sun', opens: '22:00', closes: '02:00' }])
    expect(await see()).toMatchObject({ available: false, from: '2026-11-22T22:00:00.000Z' })
    await world.advanceTo('2026-11-23T01:59:00Z')
    expect(await see()).toMatchObject({ available: true })
    await world.advanceTo('2026-11-23T02:00:00Z')
    expect(await see()).toMatchObject({ available: false, from: '2026-11-29T22:00:00.000Z' })
  })

  test('keeps to the clock at the store when the clocks change', async () => {
    const { set, see } = await openSandboxWithItem(engine, Date.parse('2027-03-27T20:00:00Z'))
    await set([{ day: 'sun', opens: '11:00', closes: '15:00' }])
    expect(await see()).toMatchObject({ available: false, from: '2027-03-28T10:00:00.000Z' })
  })

  test('leaves the switch and its end alone: both have to allow the sale', async () => {
    const { world, item_id, set, see } = await openSandboxWithItem(engine)
    await set(LUNCH)
    const until = '2026-11-20T16:00:00Z'
    await world.ok('set_catalog_item_availability', { item_id, available: false, until }, OWNER)
    expect(await see()).toMatchObject({ available: false, from: '2026-11-27T11:00:00.000Z' })
    await world.ok('set_catalog_item_availability', { item_id, available: false }, OWNER)
    expect(await see()).toMatchObject({ available: false, from: null })
  })

  test('holds for an order for later at its own time', async () => {
    const { world, basket, set } = await openSandboxWithItem(engine)
    await set(EVENING)
    expect(await world.refused('quote_food_order', basket)).toMatchObject({ code: 'item_unavailable' })
    const later = { ...basket, scheduled_for: '2026-11-20T19:00:00Z' }
    await world.ok('quote_food_order', later)
    await set(LUNCH)
    expect(await world.refused('quote_food_order', later)).toMatchObject({ code: 'item_unavailable' })
  })

  test('is a version of the item with both values, and a second equal one is none', async () => {
    const { world, item_id, set } = await openSandboxWithItem(engine)
    await set(LUNCH)
    expect(await set(LUNCH, { version: 2 })).toMatchObject({ version: 2 })
    const { data } = await world.ok('list_catalog_changes', {}, OWNER)
    expect(data[0]).toMatchObject({ item_id, replaced: { schedule: null }, values: { schedule: LUNCH } })
    const stale = { item_id, spans: null, version: 1 }
    expect(await world.refused('set_item_schedule', stale, OWNER)).toMatchObject({ code: 'version_conflict' })
    const twice = [...LUNCH, { day: 'fri', opens: '14:00', closes: '16:00' }]
    expect(await world.refused('set_item_schedule', { item_id, spans: twice }, OWNER)).toMatchObject({
      errors: [{ pointer: '/spans', code: 'mutually_exclusive' }],
    })
  })
})
