import { expect, test } from 'vitest'
import { act, attend, place } from '../../support/order-life.ts'
import { openWorld } from '../../support/world.ts'

test('an account is told of its own events only, each once, and of those whose scope it has', async () => {
  const world = await openWorld()
  await attend(world)
  const listed = (as: string, after?: number) =>
    world.ok('list_account_events', after === undefined ? {} : { after }, { as })
  const { last, data } = await listed('member')
  expect(data).toEqual([])
  const { order_id } = await place(world, { scenario: 'store_manual' })
  await act(world, order_id, ['accept'])
  const types = async (as: string) => (await listed(as, last)).data.map(({ type }) => type)
  expect(await types('member')).toEqual(['food_order.placed', 'food_order.accepted'])
  expect(await types('everything')).toEqual(['business_order.placed', 'business_order.accepted'])
  expect(await types('shipper')).toEqual([])
  expect((await listed('member', (await listed('member', last)).last)).data).toEqual([])
})
