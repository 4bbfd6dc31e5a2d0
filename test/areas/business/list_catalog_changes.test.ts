import { describe, expect, test } from 'vitest'
import { parseCallSource, formatCallSource } from '../../../src/core/origin.ts'
import { makeItem, makeItems } from '../../support/items.ts'
import { gbp } from '../../support/money.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const IMPORT = 'imp_01m7vkystgf7vtyybg4s0p9p1s'

const changes = async (world: TestSandbox, input: Record<string, unknown> = {}, as?: string) =>
  (await world.ok('list_catalog_changes', input, as === undefined ? {} : { as })).data

describe.each(MAIN_ENGINES)('the changes of a menu on $name', (engine) => {
  test('are listed newest first, each with its item and the values before and after it', async () => {
    const world = await openTestSandbox({ engine })
    const { item_id } = await world.ok('create_catalog_item', makeItem({ description: 'Hot' }))
    await world.advance(60_000)
    await world.ok('update_catalog_item', { item_id, name: 'Laksa lemak', price: gbp(1300) })
    await world.advance(60_000)
    await world.ok('update_catalog_item', { item_id, price: gbp(1400) }, { via: 'page' })
    await world.advance(60_000)
    await world.ok('delete_catalog_item', { item_id })
    const data = await changes(world)
    expect(data.map(({ name, change, replaced, values }) => [name, change, replaced, values])).toEqual([
      ['Laksa lemak', 'deleted', {}, {}],
      ['Laksa lemak', 'updated', { price: gbp(1300) }, { price: gbp(1400) }],
      [
        'Laksa lemak',
        'updated',
        { name: 'Laksa', price: gbp(1250) },
        { name: 'Laksa lemak', price: gbp(1300) },
      ],
      ['Laksa', 'created', null, expect.objectContaining({ price: gbp(1250), description: 'Hot' })],
    ])
    expect(data[1]).toMatchObject({
      item_id,
      changed_by: 'everything',
      via: 'page',
      changed_at: '2026-11-20T09:02:00.000Z',
      local_times: { changed_at: '2026-11-20T09:02:00+00:00' },
      import_id: null,
    })
  })

  test('of a day, of an import and of the last import are listed apart, page by page', async () => {
    const world = await openTestSandbox({ engine })
    expect(await changes(world, { import_id: 'last' })).toEqual([])
    const first = await world.ok('import_catalog_items', { items: makeItems(3, 'Monday') })
    await world.advance(86_400_000)
    const [item] = (await world.ok('list_catalog_items', { q: 'monday 1' })).data
    const update = { item_id: item?.item_id, price: gbp(999) }
    const via = formatCallSource('terminal', { importId: IMPORT })
    await world.ok('update_catalog_item', update, { via })
    const created = await world.ok('import_catalog_items', { items: makeItems(2, 'Tuesday') }, { via })
    expect(created.import_id).toBe(IMPORT)
    await world.advance(60_000)
    await world.ok('create_catalog_item', makeItem())
    const names = async (input: Record<string, unknown>) =>
      (await changes(world, input)).map(({ name, change }) => `${name} ${change}`).toSorted()
    expect(await names({ import_id: first.import_id })).toEqual([
      'Monday 1 created',
      'Monday 2 created',
      'Monday 3 created',
    ])
    const last = ['Monday 1 updated', 'Tuesday 1 created', 'Tuesday 2 created']
    expect(await names({ import_id: 'last' })).toEqual(last)
    expect((await changes(world, { import_id: 'last', limit: 1 }))[0]?.import_id).toBe(IMPORT)
    expect(await names({ from: '2026-11-21' })).toEqual(['Laksa created', ...last])
    expect(await names({ to: '2026-11-21' })).toHaveLength(3)
    const { data } = await world.ok('get_catalog_item_history', { item_id: item?.item_id })
    expect(data.map(({ import_id, via: by }) => [import_id, by])).toEqual([
      [IMPORT, 'terminal'],
      [first.import_id, 'api'],
    ])
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const input = { limit: 2, ...(cursor !== undefined && { cursor }) }
      const page = await world.ok('list_catalog_changes', input)
      seen.push(...page.data.map(({ item_id, version }) => `${item_id} ${version}`))
      cursor = page.next_cursor
    }
    expect(seen).toEqual((await changes(world)).map(({ item_id, version }) => `${item_id} ${version}`))
    expect(new Set(seen).size).toBe(7)
  })

  test('of another store stay hidden, and a time that ends before it begins is rejected', async () => {
    const world = await openTestSandbox({ engine })
    const { import_id } = await world.ok('import_catalog_items', { items: makeItems(1) })
    expect(await changes(world, {}, 'owner')).toEqual([])
    expect(await changes(world, { import_id }, 'owner')).toEqual([])
    expect(
      await world.refused('list_catalog_changes', { from: '2026-11-21', to: '2026-11-21' }),
    ).toMatchObject({ code: 'invalid_request', errors: [{ parameter: 'to', code: 'out_of_range' }] })
  })
})

test('a caller says which import a call belongs to; what is no import is none', () => {
  expect(parseCallSource(formatCallSource('agent', { agreed: true, importId: IMPORT }))).toEqual({
    via: 'agent',
    byPerson: true,
    importId: IMPORT,
  })
  expect(parseCallSource('terminal; import=imp_x')).toMatchObject({ via: 'api', importId: undefined })
})
