/** A driver who comes late: the record of the ride decides what goes back. */
import { describe, expect, test } from 'vitest'
import { computeLateRefund } from '../../../src/areas/rides/rules.ts'
import { newKey } from '../../support/food.ts'
import { checkInvariants } from '../../support/invariants.ts'
import { advanceToRideStatus, requestTestRide } from '../../support/rides.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000
const MINUTE = 60_000

const report = (ride_id: string, reason_code = 'late') => ({ ride_id, reason_code })
const late = async (
  world: TestSandbox,
  minutes: number,
  options: Parameters<typeof requestTestRide>[1] = {},
) => {
  const { ride_id } = await requestTestRide(world, { scenario: `driver_late;minutes=${minutes}`, ...options })
  return advanceToRideStatus(world, ride_id, 'completed')
}

test.each([
  [2340, 22 * MINUTE, 1170],
  [2340, 20 * MINUTE + 1, 1170],
  [2340, 20 * MINUTE, 468],
  [2340, 10 * MINUTE + 1, 468],
  [2340, 10 * MINUTE, 0],
  [2341, 22 * MINUTE, 1170],
  [2344, 15 * MINUTE, 468],
  [2340, -MINUTE, 0],
])('of a fare of %i, %i ms late gives %i back, rounded down', (fare, lateness, back) => {
  expect(computeLateRefund(fare, lateness)).toBe(back)
})

describe.each(ENGINES)('on $name', (engine) => {
  test('more than 10 minutes give 20% back, more than 20 half of the fare, and the receipt stays', async () => {
    const world = await openTestSandbox({ engine })
    for (const [minutes, percent] of [
      [11, 20],
      [20, 20],
      [21, 50],
    ] as const) {
      const ride = await late(world, minutes)
      const came = ride.status_history.findLast(({ status }) => status === 'arrived')?.at ?? ''
      expect(Date.parse(came) - Date.parse(ride.promised_pickup_at ?? '')).toBe(minutes * MINUTE)
      const back = { ...ride.fare, amount: Math.floor((ride.fare.amount * percent) / 100) }
      const reported = await world.ok('report_ride_problem', report(ride.ride_id), { key: newKey() })
      expect(reported).toMatchObject({
        problems: [{ reason_code: 'late', amount: back, goodwill: null }],
        refund: { amount: back, borne_by: 'platform', destination: 'original_method' },
        refunded: back,
        payment: { status: 'partially_refunded' },
        receipt: { charged: ride.fare },
      })
      expect(reported.problems[0]?.refund_id).toBe(reported.refund?.refund_id)
    }
    expect(await checkInvariants(world.db)).toEqual([])
  })

  test('10 minutes are rejected with both times, and nothing moves', async () => {
    const world = await openTestSandbox({ engine })
    const ride = await late(world, 10)
    const came = ride.status_history.findLast(({ status }) => status === 'arrived')?.at
    expect(await world.refused('report_ride_problem', report(ride.ride_id), { key: newKey() })).toMatchObject(
      {
        code: 'adjustment_not_allowed',
        promised_at: ride.promised_pickup_at,
        came_at: came,
      },
    )
    expect(await world.ok('get_ride', { ride_id: ride.ride_id })).toEqual(ride)
  })

  test('of two reports at once one is paid', async () => {
    const world = await openTestSandbox({ engine })
    const { ride_id } = await late(world, 30)
    const answers = await Promise.all(
      [1, 2].map(() => world.call('report_ride_problem', report(ride_id), { key: newKey() })),
    )
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    expect((await world.ok('get_ride', { ride_id })).refunds).toHaveLength(1)
    expect(await checkInvariants(world.db)).toEqual([])
  })
})

test('cash goes to the wallet', async () => {
  const world = await openTestSandbox()
  const { ride_id } = await late(world, 25, { more: { payment: { method: 'cash' } } })
  expect(await world.ok('report_ride_problem', report(ride_id), { key: newKey() })).toMatchObject({
    refund: { destination: 'platform_wallet' },
  })
  expect(await checkInvariants(world.db)).toEqual([])
})

test('a later driver does not move the promise', async () => {
  const world = await openTestSandbox()
  const { ride_id } = await requestTestRide(world, { scenario: 'driver_cancels;at=arrived' })
  const { promised_pickup_at } = await advanceToRideStatus(world, ride_id, 'arrived')
  const ride = await advanceToRideStatus(world, ride_id, 'completed')
  expect(ride.promised_pickup_at).toBe(promised_pickup_at)
})

test('a scheduled ride is promised for its time at the earliest', async () => {
  const world = await openTestSandbox()
  const scheduled_for = '2026-11-21T09:00:00.000Z'
  const { ride_id } = await requestTestRide(world, { trip: { scheduled_for } })
  const ride = await advanceToRideStatus(world, ride_id, 'completed')
  expect(Date.parse(ride.promised_pickup_at ?? '')).toBeGreaterThanOrEqual(Date.parse(scheduled_for))
})

test('it is reported once the ride is completed, up to and with 48 hours later', async () => {
  const world = await openTestSandbox()
  const { ride_id } = await requestTestRide(world, { scenario: 'driver_late;minutes=30' })
  expect(await world.refused('report_ride_problem', report(ride_id), { key: newKey() })).toMatchObject({
    code: 'adjustment_not_allowed',
  })
  const { completed_at } = await advanceToRideStatus(world, ride_id, 'completed')
  const other = await late(world, 30)
  await world.advanceTo(Date.parse(completed_at ?? '') + 48 * HOUR)
  await world.ok('report_ride_problem', report(ride_id), { key: newKey() })
  await world.advanceTo(Date.parse(other.completed_at ?? '') + 48 * HOUR + 1)
  expect(await world.refused('report_ride_problem', report(other.ride_id), { key: newKey() })).toMatchObject({
    code: 'problem_window_over',
  })
})

test('a ride older than recorded promises is rejected, and the error says so', async () => {
  const world = await openTestSandbox()
  const { ride_id } = await late(world, 30)
  await world.write((tx) =>
    tx.run(
      `update rides set doc = replace(doc, '"promised_pickup_at"', '"unknown_at"') where ride_id = $1`,
      ride_id,
    ),
  )
  const { detail } = await world.refused('report_ride_problem', report(ride_id), { key: newKey() })
  expect(detail).toBe(`Ride ${ride_id} has no recorded promise.`)
})
