import { beforeEach, describe, expect, test } from 'vitest'
import { listResourceLedger } from '../../../../src/areas/payments/queries/ledger.ts'
import { canMoveRide, DRIVEN, RIDE_STATUSES, type RideStatus } from '../../../../src/areas/rides/states.ts'
import { haversineMetres } from '../../../../src/core/geometry.ts'
import { listRecordedEvents } from '../../../../src/db/events.ts'
import {
  BANK_STATION,
  requestTestRide,
  type RequestedRide,
  advanceToRideStatus,
} from '../../../support/rides.ts'
import { listAllowedTransitions, listTransitions, RIDE_TRANSITIONS } from '../../../support/state-tables.ts'
import { ENGINES } from '../../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../../support/world.ts'

const MINUTE = 60_000

describe.each(ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  const show = (ride: Pick<RequestedRide, 'ride_id'>) => world.ok('get_ride', { ride_id: ride.ride_id })
  const cancel = (ride: Pick<RequestedRide, 'ride_id'>, more: Record<string, unknown> = {}) =>
    world.ok('cancel_ride', { ride_id: ride.ride_id, ...more })
  const path = (ride: RequestedRide) => ride.status_history.map(({ status }) => status)
  const spent = async (account: string) => {
    const entries = await world.db.read((tx) => listResourceLedger(tx, account))
    return entries.reduce((sum, { amount, account: whose }) => (whose === 'platform' ? sum + amount : sum), 0)
  }

  test('drives from the request to the drop-off, for the fare of the quote', async () => {
    const ride = await requestTestRide(world)
    expect(ride).toMatchObject({
      status: 'processing',
      driver: null,
      vehicle: null,
      vehicle_location: null,
      dispatch: { attempt: 1, candidates_tried: 1, last_offer_at: ride.created_at },
      cancellable: true,
      receipt: null,
    })
    expect(ride.pickup_pin).toMatch(/^\d{4}$/)
    await world.advance(90 * MINUTE)
    const done = await show(ride)
    expect(path(done)).toEqual(['processing', 'accepted', 'arriving', 'arrived', 'in_progress', 'completed'])
    expect(done).toMatchObject({
      status: 'completed',
      cancellable: false,
      fare: ride.fare,
      payment: { status: 'paid', amount: ride.fare },
      receipt: { charged: ride.fare },
      refund: null,
      vehicle_location: null,
      pickup_eta_seconds: null,
      dropoff_eta_at: null,
    })
    expect(done.completed_at).toBe(done.status_history.at(-1)?.at)
    expect(done.receipt?.lines.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(ride.fare.amount)
    expect(done.driver).not.toBeNull()
    expect(done.vehicle?.licence_plate).toMatch(/^Q/)
    expect(await spent(ride.ride_id)).toBe(ride.fare.amount)
  })

  test('keeps each step in the time that the sandbox gives it', async () => {
    const ride = await requestTestRide(world)
    await world.advance(90 * MINUTE)
    const { status_history: steps } = await show(ride)
    const after = (status: RideStatus, from: RideStatus): number => {
      const at = (wanted: RideStatus) =>
        Date.parse(steps.find((step) => step.status === wanted)?.at ?? '') / 1000
      return at(status) - at(from)
    }
    expect(after('accepted', 'processing')).toBeGreaterThanOrEqual(16)
    expect(after('accepted', 'processing')).toBeLessThanOrEqual(24)
    expect(after('arrived', 'arriving')).toBeLessThanOrEqual(60)
    expect(after('in_progress', 'arrived')).toBeGreaterThanOrEqual(48)
    expect(after('in_progress', 'arrived')).toBeLessThanOrEqual(72)
  })

  test('shows the car nearer and the time shorter, from the driver’s home to the pickup', async () => {
    const ride = await requestTestRide(world)
    const seen: { metres: number; seconds: number; status: string }[] = []
    for (let tick = 0; tick < 200; tick += 1) {
      await world.advance(10_000)
      const now = await show(ride)
      if (now.status === 'arrived') break
      const { vehicle_location: car, pickup_eta_seconds: seconds } = now
      if (car === null || seconds === null) continue
      seen.push({ metres: haversineMetres(car, BANK_STATION.location), seconds, status: now.status })
    }
    expect(seen.length).toBeGreaterThan(5)
    const near = seen.filter(({ status }) => status === 'arriving')
    expect(near.length).toBeGreaterThan(0)
    expect(near.every(({ metres }) => metres <= 301)).toBe(true)
    for (const [index, { metres, seconds }] of seen.entries()) {
      const before = seen[index - 1]
      if (before === undefined) continue
      expect(seconds).toBeLessThan(before.seconds)
      expect(metres).toBeLessThanOrEqual(before.metres + 0.2)
    }
  })

  test('drives over the stops to the drop-off', async () => {
    const stop = { location: { latitude: 51.5, longitude: -0.13 } }
    const ride = await requestTestRide(world, { trip: { stops: [stop] } })
    const started = await advanceToRideStatus(world, ride.ride_id, 'in_progress')
    expect(started.vehicle_location?.bearing).toBeGreaterThan(180)
    const eta = Date.parse(started.dropoff_eta_at ?? '')
    let nearest = Infinity
    for (;;) {
      const { status, vehicle_location: car, dropoff_eta_at } = await show(ride)
      if (status !== 'in_progress' || car === null) break
      expect(Date.parse(dropoff_eta_at ?? '')).toBe(eta)
      nearest = Math.min(nearest, haversineMetres(car, stop.location))
      await world.advance(10_000)
    }
    expect(nearest).toBeLessThan(150)
    expect((await show(ride)).completed_at).toBe(new Date(eta).toISOString())
  })

  test('is cleared of a driver who gives up, and finds another one', async () => {
    const ride = await requestTestRide(world, { scenario: 'driver_cancels' })
    const first = await advanceToRideStatus(world, ride.ride_id, 'accepted')
    const again = await advanceToRideStatus(world, ride.ride_id, 'processing')
    expect(again).toMatchObject({ driver: null, vehicle: null, vehicle_location: null, dropoff_eta_at: null })
    expect(again.dispatch).toMatchObject({ attempt: 2, candidates_tried: 1 })
    expect(again.status_history.at(-1)).toMatchObject({ by: 'driver', reason: 'driver_cancelled' })
    const second = await advanceToRideStatus(world, ride.ride_id, 'accepted')
    expect(second.driver?.driver_id).not.toBe(first.driver?.driver_id)
    const done = await advanceToRideStatus(world, ride.ride_id, 'completed')
    expect(done.receipt?.charged).toEqual(ride.fare)
    expect(await spent(ride.ride_id)).toBe(ride.fare.amount)
  })

  test.each(['accepted', 'arriving', 'arrived'] as const)('can lose its driver when it is %s', async (at) => {
    const ride = await requestTestRide(world, { scenario: `driver_cancels;at=${at}` })
    const done = await advanceToRideStatus(world, ride.ride_id, 'completed')
    const statuses = path(done)
    expect(statuses[statuses.indexOf('processing', 1) - 1]).toBe(at)
  })

  test('ends without a charge when no driver accepts: three offers, 300 seconds', async () => {
    const ride = await requestTestRide(world, { scenario: 'no_driver' })
    await world.advance(299_000)
    expect(await show(ride)).toMatchObject({
      status: 'processing',
      dispatch: { attempt: 1, candidates_tried: 3, last_offer_at: '2026-11-20T09:03:20.000Z' },
    })
    await world.advance(1000)
    expect(await show(ride)).toMatchObject({
      status: 'no_drivers_available',
      driver: null,
      cancellable: false,
      receipt: { charged: { amount: 0, currency: 'GBP' }, lines: [] },
      payment: { status: 'refunded' },
      refund: { status: 'succeeded', destination: 'original_method', amount: ride.fare },
    })
    expect(await spent(ride.ride_id)).toBe(0)
  })

  test('waits 300 seconds for a rider who does not come, and keeps the fee', async () => {
    const ride = await requestTestRide(world, { scenario: 'rider_no_show' })
    const arrived = await advanceToRideStatus(world, ride.ride_id, 'arrived')
    const at = Date.parse(arrived.status_history.at(-1)?.at ?? '')
    await world.advanceTo(at + 299_000)
    expect((await show(ride)).status).toBe('arrived')
    await world.advanceTo(at + 300_000)
    const fee = { amount: 500, currency: 'GBP' }
    expect(await show(ride)).toMatchObject({
      status: 'cancelled',
      driver: null,
      cancellation: { by: 'driver', reason_code: 'rider_no_show', fee },
      receipt: { charged: fee, lines: [{ type: 'no_show_fee', amount: fee }] },
      refund: { amount: { amount: ride.fare.amount - 500, currency: 'GBP' } },
    })
    expect(await spent(ride.ride_id)).toBe(500)
  })

  test('is free to cancel before a driver has accepted, and for 120 seconds after', async () => {
    const early = await requestTestRide(world)
    expect(await cancel(early, { reason_code: 'changed_plans', note: 'sorry' })).toMatchObject({
      status: 'cancelled',
      cancellation: { by: 'rider', reason_code: 'changed_plans', note: 'sorry', fee: { amount: 0 } },
      receipt: { charged: { amount: 0 }, lines: [] },
      refund: { amount: early.fare },
    })
    const ride = await requestTestRide(world, {
      trip: { pickup: { location: { latitude: 51.6, longitude: -0.2 } } },
    })
    const accepted = await advanceToRideStatus(world, ride.ride_id, 'accepted')
    await world.advanceTo(Date.parse(accepted.status_history.at(-1)?.at ?? '') + 120_000)
    const cancelled = await cancel(ride)
    expect(cancelled).toMatchObject({
      driver: null,
      cancellation: { reason_code: 'other', fee: { amount: 0 } },
    })
    expect(await spent(ride.ride_id)).toBe(0)
  })

  test('costs a fee later: five pounds, never more than the fare', async () => {
    const ride = await requestTestRide(world, {
      trip: { pickup: { location: { latitude: 51.6, longitude: -0.2 } } },
    })
    const accepted = await advanceToRideStatus(world, ride.ride_id, 'accepted')
    await world.advanceTo(Date.parse(accepted.status_history.at(-1)?.at ?? '') + 120_001)
    const cancelled = await cancel(ride, { reason_code: 'long_wait' })
    expect(cancelled).toMatchObject({
      cancellation: { fee: { amount: 500 } },
      receipt: { charged: { amount: 500 }, lines: [{ type: 'cancellation_fee', amount: { amount: 500 } }] },
      refund: { amount: { amount: ride.fare.amount - 500 } },
      payment: { status: 'partially_refunded' },
    })
    expect(await spent(ride.ride_id)).toBe(500)
  })

  test('refunds nothing when the fee is the whole fare', async () => {
    const dropoff = { location: { latitude: 51.5142, longitude: -0.0885 } }
    const ride = await requestTestRide(world, { trip: { dropoff }, scenario: 'rider_no_show' })
    expect(ride.fare.amount).toBe(500)
    const over = await advanceToRideStatus(world, ride.ride_id, 'cancelled')
    expect(over).toMatchObject({ receipt: { charged: ride.fare }, refund: null, payment: { status: 'paid' } })
    expect(await spent(ride.ride_id)).toBe(500)
  })

  test('keeps no fee of a ride that was never paid', async () => {
    const ride = await requestTestRide(world, {
      more: { payment: { method: 'cash' } },
      scenario: 'rider_no_show',
    })
    const over = await advanceToRideStatus(world, ride.ride_id, 'cancelled')
    expect(over).toMatchObject({
      cancellation: { fee: { amount: 0 } },
      receipt: { charged: { amount: 0 } },
      payment: { status: 'failed' },
      refund: null,
    })
  })

  test('is paid in cash at the drop-off', async () => {
    const ride = await requestTestRide(world, { more: { payment: { method: 'cash' } } })
    expect(ride.payment.status).toBe('unpaid')
    expect((await advanceToRideStatus(world, ride.ride_id, 'completed')).payment.status).toBe('paid')
  })

  test('looks for a driver only once a pending card has settled, and is paid then', async () => {
    const ride = await requestTestRide(world, {
      more: { payment: { method: 'card', payment_token: 'tok_pending' } },
    })
    expect(ride.payment.status).toBe('unpaid')
    await world.advance(119_000)
    expect(await show(ride)).toMatchObject({ status: 'processing', payment: { status: 'unpaid' } })
    await world.advance(1000)
    expect((await show(ride)).payment.status).toBe('paid')
    await world.advance(60_000)
    expect((await show(ride)).status).not.toBe('processing')
    expect(await spent(ride.ride_id)).toBe(ride.fare.amount)
    await advanceToRideStatus(world, ride.ride_id, 'completed')
    expect(await spent(ride.ride_id)).toBe(ride.fare.amount)
  })

  test('cannot be cancelled once it has set off, nor twice', async () => {
    const ride = await requestTestRide(world)
    await advanceToRideStatus(world, ride.ride_id, 'in_progress')
    expect(await world.refused('cancel_ride', { ride_id: ride.ride_id })).toMatchObject({
      code: 'not_cancellable',
      current_status: 'in_progress',
      resource_id: ride.ride_id,
    })
    const other = await requestTestRide(world)
    await cancel(other)
    expect(await world.refused('cancel_ride', { ride_id: other.ride_id })).toMatchObject({
      code: 'not_cancellable',
      current_status: 'cancelled',
    })
    await world.advance(60 * MINUTE)
    expect((await show(other)).status).toBe('cancelled')
  })

  test('waits for its time, looks for a driver 15 minutes before, and can be cancelled for free until then', async () => {
    const scheduled_for = '2026-11-20T11:00:00.000Z'
    const ride = await requestTestRide(world, { trip: { scheduled_for } })
    expect(ride).toMatchObject({
      status: 'scheduled',
      scheduled_for,
      dispatch: { attempt: 0, candidates_tried: 0, last_offer_at: null },
    })
    await world.advanceTo('2026-11-20T10:44:59.000Z')
    expect((await show(ride)).status).toBe('scheduled')
    await world.advanceTo('2026-11-20T10:45:00.000Z')
    expect(await show(ride)).toMatchObject({
      status: 'processing',
      dispatch: { attempt: 1, candidates_tried: 1, last_offer_at: '2026-11-20T10:45:00.000Z' },
    })
    await world.advanceTo('2026-11-20T13:00:00.000Z')
    expect(path(await show(ride))[0]).toBe('scheduled')
    expect((await show(ride)).status).toBe('completed')
    const free = await requestTestRide(world, { trip: { scheduled_for: '2026-11-20T15:00:00.000Z' } })
    await world.advance(30 * MINUTE)
    expect((await cancel(free)).cancellation?.fee.amount).toBe(0)
  })

  test.each(['2026-11-20T14:00:00.000Z', '2026-11-20T09:30:00.000Z'])(
    'starts at its time, %s, whose driver comes at most five minutes early and waits',
    async (scheduled_for) => {
      const time = Date.parse(scheduled_for)
      for (let each = 0; each < 4; each += 1) {
        const ride = await requestTestRide(world, { trip: { scheduled_for } })
        const accepted = await advanceToRideStatus(world, ride.ride_id, 'accepted')
        const eta = (await world.now()) + (accepted.pickup_eta_seconds ?? 0) * 1000
        expect(Date.parse(accepted.vehicle_location?.at ?? '')).toBeLessThanOrEqual(await world.now())
        const arrived = await advanceToRideStatus(world, ride.ride_id, 'arrived')
        const arrival = Date.parse(arrived.status_history.at(-1)?.at ?? '')
        expect(arrival).toBe(eta)
        expect(arrival).toBeGreaterThanOrEqual(time - 5 * MINUTE)
        const started = await advanceToRideStatus(world, ride.ride_id, 'in_progress')
        const start = Date.parse(started.status_history.at(-1)?.at ?? '')
        expect(start).toBeGreaterThan(time)
        expect(Date.parse(arrived.dropoff_eta_at ?? '')).toBe(Date.parse(started.dropoff_eta_at ?? ''))
        world = await openTestSandbox({ engine, seed: String(each + 1) })
      }
    },
  )

  test('waits for a scheduled rider until five minutes after the time, not after the arrival', async () => {
    const scheduled_for = '2026-11-20T14:00:00.000Z'
    const ride = await requestTestRide(world, { trip: { scheduled_for }, scenario: 'rider_no_show' })
    const arrived = await advanceToRideStatus(world, ride.ride_id, 'arrived')
    expect(Date.parse(arrived.status_history.at(-1)?.at ?? '')).toBeLessThan(Date.parse(scheduled_for))
    await world.advanceTo('2026-11-20T14:04:59.000Z')
    expect((await show(ride)).status).toBe('arrived')
    await world.advanceTo('2026-11-20T14:05:00.000Z')
    expect((await show(ride)).cancellation?.reason_code).toBe('rider_no_show')
  })

  test('looks for a driver at once when its time is half an hour away or less', async () => {
    const ride = await requestTestRide(world, { trip: { scheduled_for: '2026-11-20T09:30:00.000Z' } })
    expect(ride).toMatchObject({ status: 'processing', scheduled_for: '2026-11-20T09:30:00.000Z' })
  })

  test('has one event for every step, with its driver', async () => {
    const ride = await requestTestRide(world, { scenario: 'driver_cancels' })
    const done = await advanceToRideStatus(world, ride.ride_id, 'completed')
    const events = await world.db.read((tx) => listRecordedEvents(tx, 0, 1000))
    expect(events.filter(({ resource_id }) => resource_id === ride.ride_id).map(({ type }) => type)).toEqual(
      path(done).map((status) => `ride.${status}`),
    )
  })

  test('moves by one step on each step call', async () => {
    const { runNextEvent } = await import('../../../../src/sandbox/due-events.ts')
    const ride = await requestTestRide(world)
    const seen: string[] = []
    for (let step = 0; step < 5; step += 1) {
      await world.write((tx, stored, now) => runNextEvent(tx, stored.world, now, ride.ride_id))
      seen.push((await show(ride)).status)
    }
    expect(seen).toEqual(['accepted', 'arriving', 'arrived', 'in_progress', 'completed'])
  })

  test('does the same in one leap as in many small steps', async () => {
    const seeds = ['happy', 'driver_cancels', 'no_driver', 'rider_no_show']
    const other = await openTestSandbox({ engine })
    const rides = await Promise.all([world, other].map((each) => requestAll(each, seeds)))
    await world.advance(2 * 60 * MINUTE)
    for (let minute = 0; minute < 120; minute += 1) await other.advance(MINUTE)
    const [leapt, walked] = await Promise.all(
      [world, other].map((each, index) =>
        Promise.all((rides[index] ?? []).map(({ ride_id }) => each.ok('get_ride', { ride_id }))),
      ),
    )
    expect(JSON.stringify(walked)).toBe(JSON.stringify(leapt))
  })
})

async function requestAll(world: TestSandbox, scenarios: readonly string[]): Promise<RequestedRide[]> {
  const rides: RequestedRide[] = []
  for (const scenario of scenarios) rides.push(await requestTestRide(world, { scenario }))
  return rides
}

test('a ride moves along the edges of the table and no others, with a driver in the driven states only', () => {
  expect(listAllowedTransitions(RIDE_STATUSES, canMoveRide)).toEqual(listTransitions(RIDE_TRANSITIONS))
  expect(DRIVEN).not.toContain('cancelled')
})
