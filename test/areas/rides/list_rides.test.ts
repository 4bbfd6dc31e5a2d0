import { beforeEach, describe, expect, test } from 'vitest'
import { requestTestRide, advanceToRideStatus } from '../../support/rides.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  const idsOf = (answer: { data: { ride_id: string }[] }) => answer.data.map(({ ride_id }) => ride_id)

  test('lists one’s own rides, newest first, by state and time', async () => {
    const first = await requestTestRide(world, { scenario: 'no_driver' })
    await world.advance(3_600_000)
    const second = await requestTestRide(world)
    const third = await requestTestRide(world)
    await requestTestRide(world, { as: 'member' })
    expect(idsOf(await world.ok('list_rides'))).toEqual([third.ride_id, second.ride_id, first.ride_id])
    await advanceToRideStatus(world, second.ride_id, 'completed')
    expect(idsOf(await world.ok('list_rides', { status: ['no_drivers_available'] }))).toEqual([first.ride_id])
    expect(
      idsOf(await world.ok('list_rides', { status: ['no_drivers_available', 'completed', 'in_progress'] })),
    ).toHaveLength(3)
    expect(idsOf(await world.ok('list_rides', { created_from: '2026-11-20T10:00:00Z' }))).toHaveLength(2)
    expect(idsOf(await world.ok('list_rides', { created_to: '2026-11-20T10:00:00Z' }))).toEqual([
      first.ride_id,
    ])
    expect(idsOf(await world.ok('list_rides', { created_from: '2026-11-21' }))).toEqual([])
  })

  test('pages neither repeat nor miss a ride while others are requested', async () => {
    const before: string[] = []
    for (let index = 0; index < 7; index += 1) before.unshift((await requestTestRide(world)).ride_id)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof nextPage>> = await nextPage(cursor)
      seen.push(...idsOf(page))
      cursor = page.next_cursor
      await requestTestRide(world)
    } while (cursor !== null)
    expect(seen).toEqual(before)
  })

  const nextPage = (cursor: string | null) =>
    world.ok('list_rides', { limit: 3, ...(cursor !== null && { cursor }) })

  test('rejects a cursor of other filters', async () => {
    for (let index = 0; index < 2; index += 1) await requestTestRide(world)
    const { next_cursor } = await world.ok('list_rides', { limit: 1 })
    expect(
      await world.refused('list_rides', { limit: 1, cursor: next_cursor, status: ['completed'] }),
    ).toMatchObject({ code: 'invalid_cursor' })
  })

  test('shows each ride as it is by now', async () => {
    const ride = await requestTestRide(world)
    await world.advance(60_000)
    const { data } = await world.ok('list_rides')
    expect(data).toEqual([await world.ok('get_ride', { ride_id: ride.ride_id })])
    expect(data[0]?.status).not.toBe('processing')
  })
})
