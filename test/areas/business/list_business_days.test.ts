import { expect, test } from 'vitest'
import { placeTestOrder } from '../../support/order-life.ts'
import { openTestSandbox } from '../../support/world.ts'

test('closed days are listed newest first, page by page, and only to their own store', async () => {
  const world = await openTestSandbox()
  await placeTestOrder(world)
  await world.advance(3 * 86_400_000)
  await world.ok('close_business_day', { through: '2026-11-22' })
  const first = await world.ok('list_business_days', { limit: 2 })
  expect(first.data.map(({ number, date }) => [number, date])).toEqual([
    [3, '2026-11-22'],
    [2, '2026-11-21'],
  ])
  const last = await world.ok('list_business_days', { limit: 2, cursor: first.next_cursor })
  expect([last.data.map(({ number }) => number), last.has_more]).toEqual([[1], false])
  expect((await world.ok('list_business_days', {}, { as: 'owner' })).data).toEqual([])
})
