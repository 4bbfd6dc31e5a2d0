/** A customer moves a visit to another free start of its provider. */
import { describe, expect, test } from 'vitest'
import { newKey } from '../../support/food.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { bookJob, CLAPHAM_JUNCTION, startsOf, timestampAt } from '../../support/services.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000
const TUESDAY = '2026-11-24'
const at = (time: string) => timestampAt(time, TUESDAY)
const book = (world: TestSandbox, time = '10:00', over: Record<string, unknown> = {}) =>
  bookJob(world, { starts_at: at(time), ...over })
const show = (world: TestSandbox, booking_id: string) => world.ok('get_service_booking', { booking_id })
const move = (world: TestSandbox, booking_id: string, time: string) =>
  world.ok('move_booking', { booking_id, starts_at: at(time) })
const startsOn = (world: TestSandbox) => startsOf(world, { date: TUESDAY, duration_minutes: 120 })

describe.each(ENGINES)('on $name', (engine) => {
  test('the new start is taken, the old one is free, and the visit happens then at the same price', async () => {
    const world = await openTestSandbox({ engine })
    const booked = await book(world)
    const moved = await move(world, booked.booking_id, '14:00')
    expect(moved).toMatchObject({
      status: 'confirmed',
      slot: { starts_at: at('14:00'), ends_at: at('16:00') },
      arrival_window: { starts_at: at('14:00'), ends_at: at('14:30') },
      movable_until: timestampAt('14:00', '2026-11-23'),
      price: booked.price,
      payment: booked.payment,
    })
    expect(moved.status_history.at(-1)).toMatchObject({
      status: 'confirmed',
      by: 'customer',
      reason: 'moved',
    })
    const free = await startsOn(world)
    expect(free).toContain('10:00')
    expect(free).not.toContain('14:00')
    await world.advanceTo(at('14:00'))
    expect(await show(world, booked.booking_id)).toMatchObject({ status: 'arrived', arrived_at: at('14:00') })
    await world.advance(6 * HOUR)
    expect((await show(world, booked.booking_id)).status).toBe('completed')
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('a start within its own time is no conflict with itself', async () => {
    const world = await openTestSandbox({ engine })
    const { booking_id } = await book(world, '10:00', { place: CLAPHAM_JUNCTION })
    for (const time of ['10:30', '11:30', '10:00'])
      expect((await move(world, booking_id, time)).slot?.starts_at).toBe(at(time))
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('of two who want the same start one gets it, and the other keeps the old one', async () => {
    const world = await openTestSandbox({ engine })
    const ids = [(await book(world, '09:00')).booking_id, (await book(world, '15:00')).booking_id]
    const before = await Promise.all(ids.map(async (id) => (await show(world, id)).slot?.starts_at))
    const answers = await Promise.all(
      ids.map((booking_id) =>
        world.call('move_booking', { booking_id, starts_at: at('12:00') }, { key: newKey() }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'slot_unavailable',
      alternatives: [expect.any(String), expect.any(String), expect.any(String)],
    })
    const after = await Promise.all(ids.map(async (id) => (await show(world, id)).slot?.starts_at))
    expect(after).toEqual(
      before.map((start, index) => (answers[index]?.status === 200 ? at('12:00') : start)),
    )
    expect(await checkInvariants(world.db)).toEqual([])
  })
})

test('it can be moved up to and with 24 hours before its start, and later not', async () => {
  const world = await openTestSandbox()
  const { booking_id } = await book(world)
  await world.advanceTo(Date.parse(at('10:00')) - 24 * HOUR)
  expect((await show(world, booking_id)).movable_until).toBe(timestampAt('10:00', '2026-11-23'))
  await move(world, booking_id, '09:30')
  expect((await show(world, booking_id)).movable_until).toBeNull()
  expect(await world.refused('move_booking', { booking_id, starts_at: at('14:00') })).toMatchObject({
    code: 'not_movable',
    current_status: 'confirmed',
    starts_at: at('09:30'),
    movable_until: timestampAt('09:30', '2026-11-23'),
  })
})

test('its present start changes nothing, and notifies no account', async () => {
  const world = await openTestSandbox()
  const booked = await book(world)
  expect(await move(world, booked.booking_id, '10:00')).toEqual(booked)
})

test('a start at night, in the past or of a request is rejected, and the old one stays', async () => {
  const world = await openTestSandbox()
  const { booking_id } = await book(world)
  for (const starts_at of [at('03:00'), at('10:10'), timestampAt('10:00', '2026-11-01')])
    expect(await world.refused('move_booking', { booking_id, starts_at })).toMatchObject({
      code: 'slot_unavailable',
    })
  expect((await show(world, booking_id)).slot?.starts_at).toBe(at('10:00'))
  const request = await bookJob(world)
  expect(
    await world.refused('move_booking', { booking_id: request.booking_id, starts_at: at('14:00') }),
  ).toMatchObject({ code: 'not_movable', current_status: 'requested' })
  expect(await checkInvariants(world.db)).toEqual([])
})
