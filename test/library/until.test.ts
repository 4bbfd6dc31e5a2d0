/** The clock of a sandbox moves until a resource comes to a status, though others act in the meantime. */
import { expect, test } from 'vitest'
import type { Db } from '../../src/core/db.ts'
import { advanceUntil } from '../../src/library/until.ts'
import { requestTestRide } from '../support/rides.ts'
import { openTestSandbox } from '../support/world.ts'

test('a status that a resource had for no time counts: it was accepted and cancelled at one instant', async () => {
  const world = await openTestSandbox()
  const { ride_id } = await requestTestRide(world)
  const statusNow = async () => (await world.ok('get_ride', { ride_id })).status
  let isCancelled = false
  const rival: Db = {
    ...world.db,
    async write(work, limits) {
      const done = await world.db.write(work, limits)
      if (!isCancelled && (await statusNow()) === 'accepted') {
        isCancelled = true
        await world.ok('cancel_ride', { ride_id, reason_code: 'changed_plans' })
      }
      return done
    },
  }
  const event = await advanceUntil({ db: rival, now: () => 0 }, ride_id, 'accepted')
  expect([event.to, await statusNow()]).toEqual(['accepted', 'cancelled'])
})

test('a planned event at the end of the time still counts, and none after it', async () => {
  const world = await openTestSandbox()
  const { ride_id } = await requestTestRide(world)
  const moving = { db: world.db, now: () => 0 }
  const [row] = await world.db.read((tx) =>
    tx.all('select due_at from timeline where resource_id = $1', ride_id),
  )
  const seconds = (Number(row?.['due_at']) - (await world.now())) / 1000
  expect(Number.isInteger(seconds)).toBe(true)
  await expect(advanceUntil(moving, ride_id, 'accepted', `${seconds - 1}s`)).rejects.toMatchObject({
    code: 'invalid_state',
  })
  expect((await advanceUntil(moving, ride_id, 'accepted', `${seconds}s`)).to).toBe('accepted')
})
