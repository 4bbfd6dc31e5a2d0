import { expect, test } from 'vitest'
import { newKey } from '../../support/food.ts'
import { requestTestRide } from '../../support/rides.ts'
import { openTestSandbox } from '../../support/world.ts'

test('cancels with a reason or without a word, and gives the ride as it is then', async () => {
  const world = await openTestSandbox()
  const one = await requestTestRide(world)
  expect(
    await world.ok('cancel_ride', { ride_id: one.ride_id, reason_code: 'wrong_pickup', note: 'Other side' }),
  ).toMatchObject({
    status: 'cancelled',
    cancellable: false,
    cancellation: { by: 'rider', reason_code: 'wrong_pickup', note: 'Other side' },
    refund: { reason: 'wrong_pickup' },
  })
  const two = await requestTestRide(world)
  expect(await world.ok('cancel_ride', { ride_id: two.ride_id })).toMatchObject({
    cancellation: { reason_code: 'other', note: null },
  })
})

test('rejects unknown reasons', async () => {
  const world = await openTestSandbox()
  const { ride_id } = await requestTestRide(world)
  expect(await world.refused('cancel_ride', { ride_id, reason_code: 'bored' })).toMatchObject({
    code: 'invalid_request',
    errors: [{ pointer: '/reason_code' }],
  })
})

test('is done once however often the same call comes', async () => {
  const world = await openTestSandbox()
  const { ride_id } = await requestTestRide(world)
  const key = newKey()
  const [first, second] = [
    await world.call('cancel_ride', { ride_id }, { key }),
    await world.call('cancel_ride', { ride_id }, { key }),
  ]
  expect(second.text).toBe(first.text)
  expect(second.headers['Idempotent-Replayed']).toBe('true')
})

test('works for a lapsed member, but not for another customer’s ride', async () => {
  const world = await openTestSandbox()
  const ride = await requestTestRide(world, {
    as: 'member',
    trip: { scheduled_for: '2026-12-15T09:00:00.000Z' },
  })
  await world.write((tx) => tx.run("update accounts set membership_status = 'expired'"))
  expect((await world.ok('get_membership_status', {}, { as: 'member' })).active).toBe(false)
  expect(await world.refused('cancel_ride', { ride_id: ride.ride_id })).toMatchObject({
    code: 'ride_not_found',
  })
  expect((await world.ok('cancel_ride', { ride_id: ride.ride_id }, { as: 'member' })).status).toBe(
    'cancelled',
  )
})
