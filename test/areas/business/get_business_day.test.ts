import { expect, test } from 'vitest'
import { placeTestOrder } from '../../support/order-life.ts'
import { openTestSandbox } from '../../support/world.ts'

test('a closed day keeps its numbers, whatever is refunded later, and a number of none is rejected', async () => {
  const world = await openTestSandbox()
  const { order_id } = await placeTestOrder(world, { scenario: 'store_manual' })
  const [made] = (await world.ok('close_business_day', { through: '2026-11-20' })).data
  await world.ok('reject_business_order', { order_id })
  expect(await world.ok('get_business_day', { number: 1 })).toEqual(made)
  for (const [number, as] of [
    [2, 'everything'],
    [1, 'owner'],
  ] as const)
    expect(await world.refused('get_business_day', { number }, { as })).toMatchObject({
      code: 'business_day_not_found',
    })
})
