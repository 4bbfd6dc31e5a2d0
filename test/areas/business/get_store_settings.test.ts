import { expect, test } from 'vitest'
import { createItem } from '../../support/baskets.ts'
import { openTestSandbox } from '../../support/world.ts'

test('a store that set nothing has no station, no rule, and all its categories unassigned', async () => {
  const world = await openTestSandbox()
  const settings = await world.ok('get_store_settings', {}, { as: 'owner' })
  expect(settings).toMatchObject({ version: 0, stations: [], auto_accept: null, losses_seen_until: null })
  expect(settings.unassigned_categories.map(({ name }) => name)).toEqual([
    'Small plates',
    'Noodles',
    'Curries and rice',
    'Drinks',
  ])
})

test('a category that lost its last item is not asked about', async () => {
  const world = await openTestSandbox()
  const item_id = await createItem(world)
  const named = async () =>
    (await world.ok('get_store_settings')).unassigned_categories.map(({ name }) => name)
  expect(await named()).toContain('Tests')
  await world.ok('delete_catalog_item', { item_id })
  expect(await named()).not.toContain('Tests')
})

test('the settings of one store are not those of another', async () => {
  const world = await openTestSandbox()
  await world.ok('set_store_settings', { stations: [{ name: 'Bar' }] })
  const { merchant_id } = await world.ok('get_store_settings')
  expect((await world.ok('get_store_settings', {}, { as: 'owner' })).stations).toEqual([])
  expect(await world.refused('get_store_settings', { merchant_id }, { as: 'owner' })).toMatchObject({
    code: 'merchant_not_found',
  })
})
