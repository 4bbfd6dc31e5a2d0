/** A customer calls a visit off: what goes back depends on the time until its start. */
import { describe, expect, test } from 'vitest'
import { newKey } from '../../support/food.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { gbp } from '../../support/money.ts'
import { bookJob, startsOf, timestampAt } from '../../support/services.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000
const TUESDAY = '2026-11-24'
/** A Tuesday at ten; the tests begin on the Friday before. */
const START = timestampAt('10:00', TUESDAY)
const startMs = Date.parse(START)

const book = (world: TestSandbox, options: Parameters<typeof bookJob>[2] = {}) =>
  bookJob(world, { starts_at: START }, options)
const cancel = (world: TestSandbox, booking_id: string) => world.ok('cancel_booking', { booking_id })
const show = (world: TestSandbox, booking_id: string) => world.ok('get_service_booking', { booking_id })

describe.each(ENGINES)('on $name', (engine) => {
  test.each([
    ['24 hours before its start, all of it goes back', -24 * HOUR, 0],
    ['a millisecond later, half of it stays', -24 * HOUR + 1, 1800],
    ['a millisecond before its start, half of it stays', -1, 1800],
    ['at its start, all of it stays', 0, 3600],
  ])('a booking that is cancelled %s', async (_, after, fee) => {
    const world = await openTestSandbox({ engine })
    const { booking_id, price } = await book(world, { scenario: 'provider_no_show' })
    expect(price).toEqual(gbp(3600))
    await world.advanceTo(startMs + after)
    expect(await show(world, booking_id)).toMatchObject({ cancellable: true, cancellation_fee: gbp(fee) })
    const cancelled = await cancel(world, booking_id)
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      cancellable: false,
      cancellation_fee: null,
      movable_until: null,
      arrival_window: null,
      cancellation: { by: 'customer', reason_code: 'other', note: null, fee: gbp(fee) },
      refunded: fee === 3600 ? null : gbp(3600 - fee),
      payment: {
        status: fee === 0 ? 'refunded' : fee === 3600 ? 'paid' : 'partially_refunded',
        amount: gbp(3600),
      },
    })
    await world.advance(HOUR)
    expect(await show(world, booking_id)).toEqual(cancelled)
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('its half hours are free again, and no provider comes', async () => {
    const world = await openTestSandbox({ engine })
    const { booking_id } = await book(world)
    expect(await startsOf(world, { date: TUESDAY })).not.toContain('10:00')
    await cancel(world, booking_id)
    expect(await startsOf(world, { date: TUESDAY })).toContain('10:00')
    await book(world)
    await world.advanceTo(startMs + HOUR)
    expect((await show(world, booking_id)).status_history.map(({ status, by }) => `${status} ${by}`)).toEqual(
      ['confirmed customer', 'cancelled customer'],
    )
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('a card that has not settled is charged what is kept, and no more', async () => {
    const world = await openTestSandbox({ engine })
    const pending = { payment: { method: 'card', payment_token: 'tok_pending' } }
    const free = await book(world, { body: pending })
    expect(await cancel(world, free.booking_id)).toMatchObject({
      payment: { status: 'failed' },
      refund: null,
    })
    await world.advanceTo(startMs - 5 * HOUR)
    const late = await book(world, { body: pending })
    const cancelled = await cancel(world, late.booking_id)
    expect(cancelled).toMatchObject({
      cancellation: { fee: gbp(1800) },
      payment: { status: 'paid', amount: gbp(1800) },
      refunds: [],
    })
    await world.advance(HOUR)
    expect((await show(world, late.booking_id)).payment).toEqual(cancelled.payment)
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('cancelling, moving and settling a card at once refund no more than was paid', async () => {
    const world = await openTestSandbox({ engine })
    const body = { payment: { method: 'card', payment_token: 'tok_pending' } }
    const { booking_id } = await book(world, { body })
    const calls = await Promise.all([
      world.call('cancel_booking', { booking_id }, { key: newKey() }),
      world.advance(120_000),
      world.call('cancel_booking', { booking_id }, { key: newKey() }),
      world.call('move_booking', { booking_id, starts_at: timestampAt('14:00', TUESDAY) }, { key: newKey() }),
    ])
    const statuses = calls.flatMap((call) => (typeof call === 'object' ? [call.status] : []))
    expect(statuses.slice(0, 2).toSorted((one, other) => one - other)).toEqual([200, 409])
    expect((await show(world, booking_id)).status).toBe('cancelled')
    expect(await checkInvariants(world.db)).toEqual([])
  })
})

test('a request without a start is free to cancel at any time', async () => {
  const world = await openTestSandbox()
  const { booking_id, status, price } = await bookJob(world)
  expect(status).toBe('requested')
  expect(await cancel(world, booking_id)).toMatchObject({ status: 'cancelled', refunded: price })
})

test('a provider at the door can be sent away for the whole price; work that began cannot be cancelled', async () => {
  const world = await openTestSandbox()
  const atDoor = await book(world)
  await world.advanceTo(startMs + 60_000)
  expect((await show(world, atDoor.booking_id)).status).toBe('arrived')
  expect(await cancel(world, atDoor.booking_id)).toMatchObject({
    cancellation: { fee: gbp(3600) },
    refund: null,
    payment: { status: 'paid' },
  })
  const { booking_id } = await bookJob(world, { starts_at: timestampAt('14:00', TUESDAY) })
  await world.advanceTo(timestampAt('14:30', TUESDAY))
  for (const status of ['in_progress', 'completed']) {
    expect(await world.refused('cancel_booking', { booking_id })).toMatchObject({
      code: 'not_cancellable',
      current_status: status,
      resource_id: booking_id,
    })
    await world.advance(6 * HOUR)
  }
  expect(await checkInvariants(world.db)).toEqual([])
})

test('a provider who has not set off half an hour after the start did not come: everything goes back', async () => {
  const world = await openTestSandbox()
  const { booking_id, price } = await book(world, { scenario: 'provider_no_show' })
  await world.advanceTo(startMs + HOUR / 2 - 1)
  expect((await show(world, booking_id)).status).toBe('confirmed')
  await world.advanceTo(startMs + HOUR / 2)
  expect(await show(world, booking_id)).toMatchObject({
    status: 'cancelled',
    cancellation: { by: 'provider', reason_code: 'provider_no_show', fee: gbp(0) },
    refunds: [{ amount: price, destination: 'original_method' }],
    payment: { status: 'refunded' },
  })
  expect(await world.refused('cancel_booking', { booking_id })).toMatchObject({ code: 'not_cancellable' })
  expect(await checkInvariants(world.db)).toEqual([])
})

test('the same call under one key is made once; with a reason and a note it says both', async () => {
  const world = await openTestSandbox()
  const { booking_id } = await book(world)
  const input = { booking_id, reason_code: 'changed_plans', note: 'Away that week' }
  const key = newKey()
  const first = await world.call('cancel_booking', input, { key })
  expect(first.body).toMatchObject({ cancellation: { reason_code: 'changed_plans', note: 'Away that week' } })
  const second = await world.call('cancel_booking', input, { key })
  expect(second.text).toBe(first.text)
  expect(second.headers['Idempotent-Replayed']).toBe('true')
})
