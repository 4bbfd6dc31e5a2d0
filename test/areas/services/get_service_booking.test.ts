import { expect, test } from 'vitest'
import { timestampAt, bookJob } from '../../support/services.ts'
import { openTestSandbox } from '../../support/world.ts'

test('shows a booking after its due events', async () => {
  const world = await openTestSandbox()
  const { booking_id } = await bookJob(world, { starts_at: timestampAt('10:00') })
  await world.db.write((tx) => tx.run('update world set clock_service = clock_service + 90600000'))
  expect(await world.ok('get_service_booking', { booking_id })).toMatchObject({
    booking_id,
    status: 'in_progress',
    updated_at: expect.stringContaining('2026-11-21T10:0'),
  })
})

test('another customer’s booking is not found', async () => {
  const world = await openTestSandbox()
  const { booking_id } = await bookJob(world, { starts_at: timestampAt('10:00') })
  for (const [id, as] of [
    [booking_id, 'member'],
    ['bkg_01m7vkystgfjrv96q54p9ebqz8', 'everything'],
    ['nothing', 'everything'],
  ] as const) {
    expect(await world.refused('get_service_booking', { booking_id: id }, { as })).toMatchObject({
      status: 404,
      code: 'booking_not_found',
    })
  }
})
