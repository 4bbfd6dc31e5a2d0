import { expect, test } from 'vitest'
import { callTestControl } from '../../support/control.ts'
import { requestTestRide } from '../../support/rides.ts'
import { openTestSandbox } from '../../support/world.ts'

test('a step of a ride is the next thing of it, and the clock stays', async () => {
  const world = await openTestSandbox()
  const { ride_id } = await requestTestRide(world)
  const events: string[] = []
  for (let step = 0; step < 5; step += 1)
    events.push((await callTestControl(world, 'step_resource', { resource_id: ride_id })).event)
  expect(events).toEqual(['accepted', 'arriving', 'arrived', 'in_progress', 'completed'])
  expect(await world.now()).toBe(Date.parse('2026-11-20T09:00:00.000Z'))
  expect((await world.ok('get_ride', { ride_id })).status).toBe('completed')
  await expect(callTestControl(world, 'step_resource', { resource_id: ride_id })).rejects.toMatchObject({
    code: 'invalid_state',
  })
})

test('a ride that there is not has no step', async () => {
  const world = await openTestSandbox()
  await expect(
    callTestControl(world, 'step_resource', { resource_id: 'rid_01m7vkystgfx5vsa9mkvef9ews' }),
  ).rejects.toMatchObject({ code: 'ride_not_found' })
})

test('the status counts rides by their state', async () => {
  const world = await openTestSandbox()
  await requestTestRide(world)
  expect((await callTestControl(world, 'get_status', {})).counts).toMatchObject({
    rides: 1,
    rides_by_status: { processing: 1 },
  })
})
