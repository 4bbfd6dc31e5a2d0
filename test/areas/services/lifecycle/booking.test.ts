import { describe, expect, test } from 'vitest'
import { runNextEvent } from '../../../../src/sandbox/due-events.ts'
import { checkInvariants } from '../../../support/invariants.ts'
import { timestampAt, bookJob, HOME, startsOf } from '../../../support/services.ts'
import { ENGINES } from '../../../support/stores.ts'
import { NINE_AM, openTestSandbox, type TestSandbox } from '../../../support/world.ts'

const HOUR = 3_600_000
const MINUTE = 60_000

const show = (world: TestSandbox, booking_id: string) => world.ok('get_service_booking', { booking_id })
const path = async (world: TestSandbox, id: string) =>
  (await show(world, id)).status_history.map(({ status }) => status)
const slotted = (world: TestSandbox, scenario?: string, body: Record<string, unknown> = {}) =>
  bookJob(world, { starts_at: timestampAt('10:00') }, { body, ...(scenario !== undefined && { scenario }) })
const requested = (world: TestSandbox, scenario?: string, body: Record<string, unknown> = {}) =>
  bookJob(world, {}, { body, ...(scenario !== undefined && { scenario }) })

describe.each(ENGINES)('on $name', (engine) => {
  test('a booking with a slot goes from the confirmation to work that is done', async () => {
    const world = await openTestSandbox({ engine })
    const { booking_id } = await slotted(world)
    await world.advanceTo('2026-11-22T00:00:00Z')
    const booking = await show(world, booking_id)
    expect(booking.status_history.map(({ status, by }) => `${status} ${by}`)).toEqual([
      'confirmed customer',
      'en_route provider',
      'arrived provider',
      'in_progress provider',
      'completed provider',
    ])
    expect(booking).toMatchObject({
      status: 'completed',
      arrived_at: timestampAt('10:00'),
      provider_location: null,
      eta_at: null,
      refund: null,
      payment: { status: 'paid' },
    })
    expect(booking.completion?.summary).toMatch(
      /^Regular clean by Bright Corner Cleaning, done in \d+ minutes/,
    )
    const worked = Date.parse(booking.completed_at ?? '') - Date.parse(booking.started_at ?? '')
    expect(worked).toBeGreaterThanOrEqual(0.8 * 2 * HOUR)
    expect(worked).toBeLessThanOrEqual(1.2 * 2 * HOUR)
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('the provider’s proof is a picture with a correct hash', async () => {
    const world = await openTestSandbox({ engine })
    const { booking_id } = await slotted(world)
    await world.advanceTo('2026-11-22T00:00:00Z')
    const [media] = (await show(world, booking_id)).completion?.media ?? []
    expect(media?.integrity).toMatchObject({ hash_verified: true, within_geofence: true })
    expect(typeof media?.integrity.distance_to_target_m).toBe('number')
    const bytes = await world.db.read(async (tx) => {
      const { findMedia } = await import('../../../../src/areas/proofs/queries.ts')
      return (await findMedia(tx, media?.media_id ?? ''))?.bytes
    })
    const digest = await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes ?? []))
    expect(new Uint8Array(digest).toHex()).toBe(media?.sha256)
  })

  test('a request is given the first free start of its window', async () => {
    const world = await openTestSandbox({ engine })
    await bookJob(world, { starts_at: timestampAt('12:00'), duration_minutes: 120 })
    const preferred_window = { starts_at: timestampAt('10:00'), ends_at: timestampAt('18:00') }
    const { booking_id } = await requested(world, undefined, { preferred_window })
    await world.advance(10 * MINUTE)
    // Two hours and the buffer from 10:00 would end after noon.
    expect(await show(world, booking_id)).toMatchObject({
      status: 'confirmed',
      slot: { starts_at: timestampAt('14:30'), ends_at: timestampAt('16:30') },
      arrival_window: { starts_at: timestampAt('14:30'), ends_at: timestampAt('15:00') },
      preferred_window,
    })
    expect(await startsOf(world, { duration_minutes: 30 })).not.toContain('16:00')
  })

  test('a provider who cancels pays back, and is free again', async () => {
    const world = await openTestSandbox({ engine })
    const { booking_id, price } = await slotted(world, 'provider_cancels')
    expect(await startsOf(world)).not.toContain('10:00')
    await world.advance(20 * MINUTE)
    expect(await show(world, booking_id)).toMatchObject({
      status: 'cancelled',
      arrival_window: null,
      cancellation: { by: 'provider', reason_code: 'provider_unavailable', note: null },
      refund: { status: 'succeeded', destination: 'original_method', amount: price },
      payment: { status: 'refunded' },
    })
    expect(await startsOf(world)).toContain('10:00')
    await slotted(world)
    expect(await checkInvariants(world.db)).toEqual([])
  })
})

test('a provider on the way is shown coming nearer until the start', async () => {
  const world = await openTestSandbox()
  const { booking_id } = await slotted(world)
  await world.advanceTo(timestampAt('09:20'))
  expect(await show(world, booking_id)).toMatchObject({ status: 'confirmed', provider_location: null })
  await world.advanceTo(timestampAt('09:40'))
  let last = Infinity
  for (const _ of [1, 2, 3]) {
    const { provider_location: here, eta_at, status } = await show(world, booking_id)
    expect({ status, eta_at }).toEqual({ status: 'en_route', eta_at: timestampAt('10:00') })
    const left = Math.hypot(
      (here?.latitude ?? 0) - HOME.location.latitude,
      (here?.longitude ?? 0) - HOME.location.longitude,
    )
    expect(left).toBeLessThan(last)
    last = left
    await world.advance(5 * MINUTE)
  }
  await world.advanceTo(timestampAt('10:01'))
  expect(await show(world, booking_id)).toMatchObject({
    status: 'arrived',
    provider_location: HOME.location,
    eta_at: null,
  })
})

test('a customer who is not there is charged all the same', async () => {
  const world = await openTestSandbox()
  const { booking_id } = await slotted(world, 'customer_no_show')
  await world.advanceTo(timestampAt('10:14'))
  expect(await path(world, booking_id)).toEqual(['confirmed', 'en_route', 'arrived'])
  await world.advanceTo(timestampAt('10:15'))
  expect(await show(world, booking_id)).toMatchObject({
    status: 'no_show',
    payment: { status: 'paid' },
    refund: null,
    completion: null,
  })
})

test.each([
  ['requested', ['requested', 'cancelled']],
  ['confirmed', ['requested', 'confirmed', 'cancelled']],
  ['en_route', ['requested', 'confirmed', 'en_route', 'cancelled']],
])('a provider can cancel what is %s', async (state, expected) => {
  const world = await openTestSandbox()
  const { booking_id } = await requested(world, `provider_cancels;at=${state}`)
  await world.advance(7 * 24 * HOUR)
  expect(await path(world, booking_id)).toEqual(expected)
  expect((await show(world, booking_id)).refund).toMatchObject({ status: 'succeeded' })
  expect(await checkInvariants(world.db)).toEqual([])
})

describe('a request without a visit is refunded', () => {
  test('when the provider declines', async () => {
    const world = await openTestSandbox()
    const { booking_id } = await requested(world, 'provider_declines')
    await world.advance(10 * MINUTE)
    expect(await show(world, booking_id)).toMatchObject({
      status: 'declined',
      cancellation: { by: 'provider', reason_code: 'provider_declined' },
      refund: { status: 'succeeded', reason: 'provider_declined' },
    })
  })

  test('when no time was free until the window ended', async () => {
    const world = await openTestSandbox()
    const preferred_window = { starts_at: '2026-11-20T18:00:00Z', ends_at: '2026-11-20T20:00:00Z' }
    const { booking_id } = await requested(world, undefined, { preferred_window })
    await world.advanceTo('2026-11-20T19:59:00Z')
    expect(await path(world, booking_id)).toEqual(['requested'])
    await world.advanceTo('2026-11-20T22:00:00Z')
    expect(await show(world, booking_id)).toMatchObject({
      status: 'declined',
      cancellation: { by: 'provider', reason_code: 'no_free_slot' },
    })
  })

  test('after a day without an answer, to the second', async () => {
    const world = await openTestSandbox()
    // Only a Sunday, on which no cleaner works.
    const preferred_window = { starts_at: '2026-11-22T00:00:00Z', ends_at: '2026-11-23T00:00:00Z' }
    const { booking_id } = await requested(world, undefined, { preferred_window })
    await world.advance(24 * HOUR - 1)
    expect(await path(world, booking_id)).toEqual(['requested'])
    await world.advance(1)
    expect(await show(world, booking_id)).toMatchObject({
      status: 'declined',
      cancellation: { by: 'system', reason_code: 'not_answered_in_time', at: timestampAt('09:00') },
      refund: { status: 'succeeded' },
    })
  })

  test('unless something became free in time', async () => {
    const world = await openTestSandbox()
    const window = { starts_at: timestampAt('08:00'), ends_at: timestampAt('08:30') }
    // The only start of that window belongs to a booking that will be cancelled at the last moment.
    const other = await bookJob(
      world,
      { starts_at: timestampAt('08:00') },
      { scenario: 'provider_cancels;at=confirmed' },
    )
    const { booking_id } = await requested(world, undefined, { preferred_window: window })
    await world.advance(6 * MINUTE)
    expect([(await show(world, other.booking_id)).status, (await show(world, booking_id)).status]).toEqual([
      'confirmed',
      'requested',
    ])
    await world.advance(3 * HOUR)
    expect(await show(world, booking_id)).toMatchObject({
      status: 'confirmed',
      slot: { starts_at: timestampAt('08:00') },
    })
  })
})

test('a card that settles later is charged before the visit', async () => {
  const world = await openTestSandbox()
  const payment = { method: 'card', payment_token: 'tok_pending' }
  const { booking_id, ...first } = await slotted(world, undefined, { payment })
  expect(first.payment.status).toBe('unpaid')
  await world.advance(2 * MINUTE)
  expect((await show(world, booking_id)).payment.status).toBe('paid')
})

test('a card that had not settled is given up when the provider cancels', async () => {
  const world = await openTestSandbox()
  const payment = { method: 'card', payment_token: 'tok_pending' }
  const { booking_id } = await requested(world, 'provider_declines', { payment })
  for (const _ of [1, 2]) {
    if ((await show(world, booking_id)).status === 'declined') break
    await world.write((tx, { world: stored }, now) => runNextEvent(tx, stored, now, booking_id))
  }
  const { payment: paid, refund } = await show(world, booking_id)
  expect([paid.status, refund?.status]).toEqual(
    paid.status === 'refunded' ? ['refunded', 'succeeded'] : ['failed', undefined],
  )
})

test('who is still at work is done before the next customer’s start', async () => {
  const world = await openTestSandbox()
  const ids: string[] = []
  for (const start of ['08:00', '10:30', '13:00', '15:30'])
    ids.push((await bookJob(world, { starts_at: timestampAt(start) })).booking_id)
  await world.advanceTo('2026-11-22T00:00:00Z')
  const bookings = await Promise.all(ids.map((id) => show(world, id)))
  for (const [index, { completed_at, slot }] of bookings.entries()) {
    expect(Date.parse(completed_at ?? '')).toBeLessThanOrEqual(Date.parse(slot?.ends_at ?? '') + 30 * MINUTE)
    const next = bookings[index + 1]?.arrived_at ?? '2026-11-22'
    expect((completed_at ?? '') <= next).toBe(true)
  }
})

test('in one step or in many, and on another store of the same seed, a day is the same', async () => {
  const told = async (steps: number, seed?: string): Promise<string> => {
    const world = await openTestSandbox(seed === undefined ? {} : { seed })
    const ids = [
      (await slotted(world)).booking_id,
      (await requested(world)).booking_id,
      (await requested(world, 'provider_cancels;at=en_route')).booking_id,
      (await bookJob(world, { starts_at: timestampAt('14:00') }, { scenario: 'customer_no_show' }))
        .booking_id,
    ]
    for (let step = 0; step < steps; step++) await world.advance((4 * 24 * HOUR) / steps)
    return JSON.stringify(await Promise.all(ids.map((id) => show(world, id))))
  }
  const whole = await told(1)
  expect(await told(96)).toBe(whole)
  expect(await told(144)).toBe(whole)
  expect(await told(1, '1')).not.toBe(whole)
})

test('every status has one event, for its owner', async () => {
  const world = await openTestSandbox()
  const { booking_id, provider } = await slotted(world)
  await world.advanceTo('2026-11-22T00:00:00Z')
  const events = await world.db.read((tx) =>
    tx.all('select type, owner_id, doc from events where resource_id = $1 order by seq', booking_id),
  )
  expect(events.map((row) => row['type'])).toEqual([
    'service_booking.confirmed',
    'service_booking.en_route',
    'service_booking.arrived',
    'service_booking.in_progress',
    'service_booking.completed',
  ])
  expect(new Set(events.map((row) => row['owner_id'])).size).toBe(1)
  expect(JSON.parse(String(events[0]?.['doc']))).toMatchObject({
    from: null,
    to: 'confirmed',
    data: { provider_id: provider.provider_id },
  })
})

test('a provider finishes one visit, with the time that is paid, before setting off to the next', async () => {
  const { checkPeople } = await import('../../../support/people-invariants.ts')
  const world = await openTestSandbox()
  const from = NINE_AM + 24 * 60 * MINUTE
  const first = await bookJob(world, { starts_at: new Date(from).toISOString(), duration_minutes: 120 })
  const next = new Date(from + 150 * MINUTE).toISOString()
  const second = await bookJob(world, { starts_at: next, duration_minutes: 120 })
  for (let minute = 0; minute < 8 * 60; minute += 5) {
    await world.advanceTo(from - 60 * MINUTE + minute * MINUTE)
    expect(await world.db.read(checkPeople)).toEqual([])
  }
  for (const { booking_id } of [first, second]) {
    const done = await world.ok('get_service_booking', { booking_id })
    expect(done.status).toBe('completed')
    const worked = Date.parse(done.completed_at ?? '') - Date.parse(done.started_at ?? '')
    expect(worked).toBe(120 * MINUTE)
  }
})
