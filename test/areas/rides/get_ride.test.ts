import { expect, test } from 'vitest'
import { requestTestRide, advanceToRideStatus } from '../../support/rides.ts'
import { openTestSandbox } from '../../support/world.ts'

test('shows the driver, the car and where it is, and of the driver’s number enough to know a call', async () => {
  const world = await openTestSandbox()
  const { ride_id } = await requestTestRide(world)
  const ride = await advanceToRideStatus(world, ride_id, 'accepted')
  expect(ride.driver?.driver_id).toMatch(/^drv_/)
  expect(ride.driver?.phone_masked).toMatch(/^\+44•{7}2\d\d$/)
  expect(ride.driver?.rating).toBeGreaterThan(4)
  expect(Object.keys(ride.vehicle ?? {})).toEqual([
    'make',
    'model',
    'colour',
    'licence_plate',
    'vehicle_type',
  ])
  expect(ride.vehicle_location?.at).toBe(ride.status_history.at(-1)?.at)
  expect(ride.vehicle_location?.bearing).toBeGreaterThanOrEqual(0)
  expect(JSON.stringify(ride)).not.toContain('+4477009002')
})

test('says where the car is every 20 seconds, and how long it takes every second', async () => {
  const world = await openTestSandbox()
  const { ride_id } = await requestTestRide(world)
  const first = await advanceToRideStatus(world, ride_id, 'accepted')
  await world.advance(19_000)
  const second = await world.ok('get_ride', { ride_id })
  expect(second.vehicle_location).toEqual(first.vehicle_location)
  expect(second.pickup_eta_seconds).toBe((first.pickup_eta_seconds ?? 0) - 19)
  await world.advance(1000)
  const third = await world.ok('get_ride', { ride_id })
  expect(third.vehicle_location).not.toEqual(first.vehicle_location)
  expect(third.pickup_eta_seconds).toBe((first.pickup_eta_seconds ?? 0) - 20)
})

test('is not there for others', async () => {
  const world = await openTestSandbox()
  const { ride_id } = await requestTestRide(world)
  for (const [id, as] of [
    [ride_id, 'member'],
    ['rid_01m7vkystgfx5vsa9mkvef9ews', 'everything'],
    ['ord_01m7vkystgfx5vsa9mkvef9ews', 'everything'],
  ])
    expect(await world.refused('get_ride', { ride_id: id }, { as: as ?? '' })).toMatchObject({
      code: 'ride_not_found',
    })
})
