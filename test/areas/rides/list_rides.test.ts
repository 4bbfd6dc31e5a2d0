import { beforeEach, describe, expect, test } from 'vitest'
import { requestRide, untilRide } from '../../support/rides.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openWorld, type TestWorld } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestWorld

  beforeEach(async () => {
    world = await openWorld({ engine })
  })

  const idsOf = (answer: { data: { ride_id: string }[] }) => answer.data.map(({ ride_id }) => ride_id)

  test('lists one’s own rides, newest first, by state and time', async () => {
    const first = await requestRide(world, { scenario: 'no_driver' })
    await world.advance(3_600_000)
    const second = await requestRide(world)
    const third = await requestRide(world)
    await requestRide(world, { as: 'member' })
    expect(idsOf(await world.ok('list_rides'))).toEqual([third.ride_id, second.ride_id, first.ride_id])
    await untilRide(world, second.ride_id, 'completed')
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

  test('P8: pages neither repeat nor miss a ride while others are requested', async () => {
    const before: string[] = []
    for (let index = 0; index < 7; index += 1) before.unshift((await requestRide(world)).ride_id)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof nextPage>> = await nextPage(cursor)
      seen.push(...idsOf(page))
      cursor = page.next_cursor
      await requestRide(world)
    } while (cursor !== null)
    expect(seen).toEqual(before)
  })

  const nextPage = (cursor: string | null) =>
    world.ok('list_rides', { limit: 3, ...(cursor !== null && { cursor }) })

  test('refuses a cursor of other filters', async () => {
    for (let index = 0; index < 2; index += 1) await requestRide(world)
    const { next_cursor } = await world.ok('list_rides', { limit: 1 })
    expect(
      await world.refused('list_rides', { limit: 1, cursor: next_cursor, status: ['completed'] }),
    ).toMatchObject({ code: 'invalid_cursor' })
  })

  test('shows each ride as it is by now', async () => {
    const ride = await requestRide(world)
    await world.advance(60_000)
    const { data } = await world.ok('list_rides')
    expect(data).toEqual([await world.ok('get_ride', { ride_id: ride.ride_id })])
    expect(data[0]?.status).not.toBe('processing')
  })
})
