import { beforeEach, describe, expect, test } from 'vitest'
import { listRecordedEvents } from '../../../src/db/events.ts'
import { makeItem } from '../../support/items.ts'
import { ENGINES, MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  test('a deleted item is on no menu and in no list, and cannot be changed', async () => {
    const { item_id, merchant_id } = await world.ok('create_catalog_item', makeItem())
    const { menu_version } = await world.ok('get_restaurant_menu', { merchant_id })
    expect(await world.ok('delete_catalog_item', { item_id })).toEqual({
      item_id,
      deleted: true,
      deleted_at: '2026-11-20T09:00:00.000Z',
    })
    const menu = await world.ok('get_restaurant_menu', { merchant_id })
    expect(menu.menu_version).toBe(menu_version + 1)
    // It was the only item of its section.
    expect(menu.categories.map(({ name }) => name)).not.toContain('Soups')
    expect((await world.ok('list_catalog_items', { q: 'laksa' })).data).toEqual([])
    for (const [operation, input] of [
      ['update_catalog_item', { item_id, name: 'Pho' }],
      ['set_catalog_item_availability', { item_id, available: true }],
      ['delete_catalog_item', { item_id }],
    ] as const) {
      expect(await world.refused(operation, input)).toMatchObject({ status: 404, code: 'item_not_found' })
    }
  })

  test('another store’s item is not there, and stays', async () => {
    const { item_id } = await world.ok('create_catalog_item', makeItem())
    expect(await world.refused('delete_catalog_item', { item_id }, { as: 'owner' })).toMatchObject({
      status: 404,
      code: 'item_not_found',
    })
    expect((await world.ok('list_catalog_items', { q: 'laksa' })).data).toHaveLength(1)
  })

  test('of many that delete it at once, one does', async () => {
    const { item_id } = await world.ok('create_catalog_item', makeItem())
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => world.call('delete_catalog_item', { item_id })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(5).fill(404),
    ])
  })

  test('every change of an item has one event', async () => {
    const { item_id } = await world.ok('create_catalog_item', makeItem())
    await world.ok('update_catalog_item', { item_id, name: 'Pho' })
    await world.ok('set_catalog_item_availability', { item_id, available: false })
    await world.ok('set_catalog_item_availability', { item_id, available: false })
    await world.ok('delete_catalog_item', { item_id })
    const events = await world.db.read((tx) => listRecordedEvents(tx, 0, 1000))
    const own = events.filter(({ resource_id }) => resource_id === item_id)
    expect(own.map(({ type, from, to, data }) => [type, from, to, data?.['version']])).toEqual([
      ['catalog_item.created', null, 'on_sale', 1],
      ['catalog_item.updated', 'on_sale', 'on_sale', 2],
      ['catalog_item.availability_changed', 'on_sale', 'off_sale', 3],
      ['catalog_item.deleted', 'off_sale', 'deleted', 4],
    ])
  })
})

describe.each(ENGINES)('on $name', (engine) => {
  test('with the version that was read, an item stays that another caller changed since, or at once', async () => {
    const world = await openTestSandbox({ engine })
    const { item_id, version } = await world.ok('create_catalog_item', makeItem())
    const answers = await Promise.all([
      world.call('update_catalog_item', { item_id, name: 'Pho' }),
      world.call('delete_catalog_item', { item_id, version }),
      world.call('set_catalog_item_availability', { item_id, available: false }),
    ])
    const [updated, deleted, hidden] = answers.map(({ status }) => status)
    // The change that came first decides: the item is gone, or it is changed and stays.
    expect([updated, hidden]).toEqual(deleted === 200 ? [404, 404] : [200, 200])
    if (deleted === 200) return
    expect(answers[1]?.body).toMatchObject({ status: 409, code: 'version_conflict' })
    expect((await world.ok('list_catalog_items', { q: 'pho' })).data).toHaveLength(1)
  })
})
