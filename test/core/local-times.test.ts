/** The hour that people are told is that of the clock at the place, in summer, too. */
import { describe, expect, test } from 'vitest'
import { withLocal } from '../../src/core/local-times.ts'
import { FROM, PARCEL_OF_KEYS, requestOf, TO } from '../support/deliveries.ts'
import { CARD, findStore } from '../support/food.ts'
import { makeParcel } from '../support/parcel.ts'
import { BANK_STATION, KINGS_CROSS } from '../support/rides.ts'
import { timestampAt, bookJob } from '../support/services.ts'
import { createTestTask } from '../support/tasks.ts'
import { openTestSandbox } from '../support/world.ts'

describe('a time', () => {
  const names = ['eta_at', 'slot.starts_at'] as const

  test.each([
    ['in summer', '2026-07-01T18:30:00.000Z', '2026-07-01T19:30:00+01:00'],
    ['in winter', '2026-12-01T18:30:00.000Z', '2026-12-01T18:30:00+00:00'],
    ['on another day there', '2026-07-01T23:30:00.000Z', '2026-07-02T00:30:00+01:00'],
    ['in the hour that comes twice', '2026-10-25T01:30:00.000Z', '2026-10-25T01:30:00+00:00'],
    ['in the first of these hours', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00+01:00'],
  ])('%s is that of the clock there', (_, utc, local) => {
    const { local_times } = withLocal('Europe/London', names, { eta_at: utc, slot: { starts_at: utc } })
    expect(local_times).toEqual({ eta_at: local, slot_starts_at: local })
  })

  test('that there is not is null', () => {
    const shown = withLocal('Europe/London', names, { eta_at: null, slot: null })
    expect(shown).toMatchObject({
      timezone: 'Europe/London',
      local_times: { eta_at: null, slot_starts_at: null },
    })
  })
})

describe('on a day in July', () => {
  const summer = async () => {
    const world = await openTestSandbox()
    await world.advanceTo('2027-07-01T11:00:00Z')
    return world
  }
  const local = (utc: string | null | undefined) =>
    utc && new Date(Date.parse(utc) + 3_600_000).toISOString().replace('.000Z', '+01:00')

  test('an order tells customer and store an hour more than UTC', async () => {
    const world = await summer()
    const { merchant_id, item } = await findStore(world, 'Forno Santa Rosa')
    const quote = await world.ok('quote_food_order', {
      merchant_id,
      fulfillment_type: 'pickup',
      items: [{ item_id: item('Margherita').item_id, quantity: 1 }],
    })
    expect(quote.local_times?.estimated_ready_at).toBe(local(quote.estimated_ready_at))
    const order = await world.ok(
      'place_food_order',
      { quote_id: quote.quote_id, payment: CARD },
      { key: 'one' },
    )
    expect(order).toMatchObject({
      timezone: 'Europe/London',
      local_times: { estimated_ready_at: local(order.estimated_ready_at), slot_starts_at: null },
    })
    const sold = await world.ok('get_business_order', { order_id: order.order_id })
    expect(sold.local_times).toMatchObject({
      placed_at: local(sold.placed_at),
      prep_estimated_ready_at: local(sold.prep.estimated_ready_at),
    })
  })

  test('so do rides, courier runs, visits, tasks and parcels', async () => {
    const world = await summer()
    const planned = '2027-07-01T15:30:00.000Z'
    const way = { pickup: BANK_STATION, dropoff: KINGS_CROSS, scheduled_for: planned }
    const { quote_id } = await world.ok('quote_ride', way)
    const ride = { quote_id, tier: 'economy', payment: CARD }
    expect((await world.ok('request_ride', ride, { key: 'ride' })).local_times).toMatchObject({
      scheduled_for: '2027-07-01T16:30:00+01:00',
    })
    const run = await world.ok('quote_delivery', { pickup: FROM, dropoff: TO, parcel: PARCEL_OF_KEYS })
    const sent = await world.ok('request_delivery', requestOf(run.quote_id), { key: 'run' })
    expect(sent.local_times?.dropoff_eta_at).toBe(local(sent.dropoff_eta_at))
    const visit = await bookJob(world, {}, { body: { starts_at: timestampAt('09:00', '2027-07-03') } })
    expect(visit.local_times?.slot_starts_at).toBe('2027-07-03T10:00:00+01:00')
    const task = await createTestTask(world)
    expect(task.local_times?.window_starts_at).toBe(local(task.window.starts_at))
    const parcel = await world.ok('create_shipment', makeParcel())
    expect(parcel).toMatchObject({ timezone: 'Europe/London', local_times: { collected_at: null } })
    await world.advance(3 * 86_400_000)
    const arrived = await world.ok('get_shipment', { tracking_number: parcel.tracking_number })
    expect(arrived.local_times?.collected_at).toBe(local(arrived.collected_at))
  })
})
