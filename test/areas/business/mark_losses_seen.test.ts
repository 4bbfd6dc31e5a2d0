import { expect, test } from 'vitest'
import { openTestSandbox } from '../../support/world.ts'

test('losses that were seen are so for every screen, and no call makes them unseen', async () => {
  const world = await openTestSandbox()
  expect((await world.ok('get_store_settings')).losses_seen_until).toBeNull()
  const until = '2026-11-20T09:00:00.000Z'
  expect(await world.ok('mark_losses_seen', { until })).toMatchObject({
    losses_seen_until: until,
    version: 0,
  })
  await world.ok('mark_losses_seen', { until: '2026-11-20T08:00:00Z' })
  expect((await world.ok('get_store_settings')).losses_seen_until).toBe(until)
  const events = await world.db.read((tx) =>
    tx.all(`select doc from events where type = 'store.losses_seen'`),
  )
  expect(events.map(({ doc }) => JSON.parse(String(doc)))).toMatchObject([
    { from: null, to: until, by: 'store' },
  ])
})

test('losses that are still to come are not seen', async () => {
  const world = await openTestSandbox()
  expect(await world.refused('mark_losses_seen', { until: '2026-11-20T09:00:01Z' })).toMatchObject({
    errors: [{ pointer: '/until', code: 'out_of_range' }],
  })
})
