import { describe, expect, test } from 'vitest'
import { computeItemAtVersion } from '../../../src/areas/catalog/rules/item-history.ts'
import { planUndoSteps } from '../../../src/commands/business/item/history.ts'
import { makeGroup, makeItem } from '../../support/items.ts'
import { gbp } from '../../support/money.ts'
import { fc } from '../../support/properties.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const historyOf = (world: TestSandbox, item_id: string, limit?: number) =>
  world.ok('get_catalog_item_history', { item_id, ...(limit !== undefined && { limit }) })

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('every change of an item says who made it, when, and what it replaced', async () => {
    const world = await openTestSandbox({ engine })
    const { item_id } = await world.ok('create_catalog_item', makeItem({ description: 'Hot' }))
    await world.advance(60_000)
    await world.ok('update_catalog_item', { item_id, price: gbp(1300), description: 'Hot' })
    await world.ok('update_catalog_item', { item_id, price: gbp(1300) })
    await world.ok('set_catalog_item_availability', { item_id, available: false, reason: 'sold_out' })
    await world.ok('delete_catalog_item', { item_id })
    const history = await historyOf(world, item_id)
    expect(history).toMatchObject({
      version: 4,
      deleted_at: '2026-11-20T09:01:00.000Z',
      item: { name: 'Laksa', price: gbp(1300), availability: { available: false, reason: 'sold_out' } },
    })
    expect(history.data.map(({ version, change, replaced }) => [version, change, replaced])).toEqual([
      [4, 'deleted', {}],
      [3, 'availability_changed', { availability: { available: true, until: null, reason: null } }],
      [2, 'updated', { price: gbp(1250) }],
      [1, 'created', null],
    ])
    expect(history.data[2]).toMatchObject({
      changed_by: 'everything',
      changed_at: '2026-11-20T09:01:00.000Z',
    })
    expect((await historyOf(world, item_id, 1)).data.map(({ version }) => version)).toEqual([4])
  })

  test('an item older than its recorded changes begins with its creation, by an unknown account', async () => {
    const world = await openTestSandbox({ engine })
    const [item] = (await world.ok('list_catalog_items', { limit: 1 })).data
    const { data } = await historyOf(world, item?.item_id ?? '')
    expect(data).toEqual([
      {
        version: 1,
        changed_at: item?.created_at,
        changed_by: null,
        via: null,
        import_id: null,
        change: 'created',
        replaced: null,
      },
    ])
  })

  test("another store's item has no history", async () => {
    const world = await openTestSandbox({ engine })
    const { item_id } = await world.ok('create_catalog_item', makeItem())
    for (const [as, code] of [
      ['owner', 'item_not_found'],
      ['guest', 'insufficient_scope'],
    ] as const)
      expect((await world.refused('get_catalog_item_history', { item_id }, { as })).code).toBe(code)
    expect((await world.refused('get_catalog_item_history', { item_id: `${item_id}x` })).code).toBe(
      'item_not_found',
    )
  })

  test('the latest 50 changes are kept, and those of a day', async () => {
    const world = await openTestSandbox({ engine })
    const { item_id } = await world.ok('create_catalog_item', makeItem())
    await world.write(async (tx) => {
      await tx.run('update catalog_items set version = 51 where item_id = $1', item_id)
      const columns = ['item_id', 'version', 'at', 'account', 'what', 'replaced']
      const rows = Array.from({ length: 50 }, (_, at) => [item_id, at + 2, 0, 'everything', 'updated', '{}'])
      await tx.insertMany('catalog_item_versions', columns, rows)
    })
    await world.advance(25 * 3_600_000)
    for (const price of [1, 2]) await world.ok('update_catalog_item', { item_id, price: gbp(price) })
    await world.advance(25 * 3_600_000)
    await world.ok('update_catalog_item', { item_id, price: gbp(3) })
    const { data } = await historyOf(world, item_id)
    expect(data.map(({ version }) => version)).toEqual(Array.from({ length: 50 }, (_, at) => 54 - at))
    const count = 'select count(*) as count from catalog_item_versions where item_id = $1'
    expect(await world.db.read((tx) => tx.get(count, item_id))).toEqual({ count: 50 })
  })

  const modifiers = fc.uniqueArray(fc.constantFrom('Small', 'Large', 'Vast'), { minLength: 1, maxLength: 3 })
  const groups = fc.array(
    modifiers.map((names) => makeGroup(names)),
    { maxLength: 1 },
  )
  const change = fc.oneof(
    fc
      .record(
        {
          name: fc.constantFrom('Laksa', 'laksa', 'Laksa lemak'),
          description: fc.constantFrom(null, 'Hot', 'Sour'),
          price: fc.integer({ min: 0, max: 5000 }).map(gbp),
          category: fc.constantFrom('Soups', 'Curries', 'Mains'),
          modifier_groups: groups,
        },
        { requiredKeys: ['price'] },
      )
      .map((input) => ({ operation: 'update_catalog_item' as const, input })),
    fc
      .record({ available: fc.boolean(), reason: fc.constantFrom('sold_out', 'seasonal') })
      .map((input) => ({ operation: 'set_catalog_item_availability' as const, input })),
  )

  test('undone, any one change leaves the item as it was', async () => {
    const world = await openTestSandbox({ engine })
    const { item_id } = await world.ok(
      'create_catalog_item',
      makeItem({ modifier_groups: [makeGroup(['Small', 'Large'])] }),
    )
    const read = async () => {
      const { data } = await world.ok('list_catalog_items', { updated_since: '2026-11-20T09:00:00Z' })
      const { version, updated_at: _, ...item } = data.find((each) => each.item_id === item_id) ?? {}
      // A choice that was removed comes back under a new id.
      return { version, text: JSON.stringify(item).replaceAll(/"(mgr|mod)_\w+"/g, '"id"') }
    }
    await fc.assert(
      fc.asyncProperty(change, async ({ operation, input }) => {
        const before = await read()
        const { version } = await world.ok(operation, { item_id, ...input })
        if (version === before.version) return
        const history = await historyOf(world, item_id)
        const former = computeItemAtVersion(history.item, history.data, version - 1)
        const steps = planUndoSteps(history, former, await world.now())
        expect(steps).toHaveLength(1)
        for (const step of steps) await world.ok(step.operation, step.input)
        expect((await read()).text).toBe(before.text)
      }),
      { numRuns: 12 },
    )
  })
})
