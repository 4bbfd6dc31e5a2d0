import { beforeEach, describe, expect, test } from 'vitest'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { makeItem } from '../../support/items.ts'
import { gbp } from '../../support/money.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const HOUR = 3_600_000
const AGENT = { via: 'agent' }
const PERSON = { via: 'terminal' }

type Item = OperationOutput<'create_catalog_item'>

describe.each(ENGINES)('on $name', (engine) => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
  })

  const create = (over: Record<string, unknown> = {}, options: object = PERSON): Promise<Item> =>
    world.ok('create_catalog_item', makeItem({ price: gbp(495), ...over }), options)
  const update = (item: Item, over: Record<string, unknown>, options: object = AGENT) =>
    world.ok('update_catalog_item', { item_id: item.item_id, ...over }, options)
  const sizes = (...amounts: number[]) => ({
    modifier_groups: [
      {
        name: 'Size',
        modifiers: amounts.map((amount, at) => ({ name: `S${at}`, price_delta: gbp(amount) })),
      },
    ],
  })

  /** Returns what a person is asked about, as `price 495 to 120`. */
  const asked = async (body: Record<string, unknown>): Promise<string[]> => {
    const { updates, items } = await world.ok('check_catalog_prices', body)
    return [...updates, ...items].flatMap(({ changes }) =>
      changes.map(({ field, from, to }) => `${field} ${from.amount} to ${to.amount}`),
    )
  }
  const toPrice = (item: Item, amount: number) =>
    asked({ updates: [{ item_id: item.item_id, price: gbp(amount) }] })
  const anew = (over: Record<string, unknown>) => asked({ items: [makeItem(over)] })

  test('a price that falls by steps needs a confirmation where the steps come to more than half', async () => {
    const item = await create()
    expect(await toPrice(item, 250)).toEqual([])
    await update(item, { price: gbp(250) })
    expect(await toPrice(item, 130)).toEqual(['price 495 to 130'])
    expect(await toPrice(item, 740)).toEqual([])
    expect(await toPrice(item, 250)).toEqual([])
  })

  test('a day later the last price of a person still counts, and the price of a day before as well', async () => {
    const item = await create()
    await update(item, { price: gbp(250) })
    await world.advance(25 * HOUR)
    expect(await toPrice(item, 200)).toEqual(['price 495 to 200'])
    // A person agreed to it.
    await update(item, { price: gbp(200) }, { via: 'agent; agreed' })
    expect(await toPrice(item, 110)).toEqual(['price 250 to 110'])
    await world.advance(25 * HOUR)
    expect(await toPrice(item, 110)).toEqual([])
    await update(item, { price: gbp(300) }, PERSON)
    expect(await toPrice(item, 310)).toEqual(['price 200 to 310'])
  })

  test('what any other program sets counts for no person, and a program may not make itself one', async () => {
    const item = await create()
    for (const [via, amount] of [
      [undefined, 400],
      ['Terminal', 300],
      ['agreed', 250],
    ] as const)
      await update(item, { price: gbp(amount) }, via === undefined ? {} : { via })
    await world.advance(25 * HOUR)
    expect(await toPrice(item, 240)).toEqual(['price 495 to 240'])
    const { data } = await world.ok('get_catalog_item_history', { item_id: item.item_id })
    expect(data.map(({ via }) => via)).toEqual(['api', 'api', 'api', 'terminal'])
  })

  test('a person who changes something else has not decided the price', async () => {
    const item = await create()
    await update(item, { price: gbp(250) })
    await update(item, { description: 'Hot' }, PERSON)
    await world.ok('set_catalog_item_availability', { item_id: item.item_id, available: false }, PERSON)
    await world.advance(25 * HOUR)
    expect(await toPrice(item, 130)).toEqual(['price 495 to 130'])
  })

  test('other changes in any number do not make the price of a day ago forgotten', async () => {
    const item = await create()
    await world.advance(25 * HOUR)
    await update(item, { price: gbp(300) }, PERSON)
    for (let turn = 0; turn < 60; turn += 1)
      await world.ok(
        'set_catalog_item_availability',
        { item_id: item.item_id, available: turn % 2 === 1 },
        AGENT,
      )
    expect(await toPrice(item, 180)).toEqual(['price 495 to 180'])
  })

  test("a program's own item counts from its first price", async () => {
    const item = await create({}, AGENT)
    await update(item, { price: gbp(250) })
    expect(await toPrice(item, 200)).toEqual(['price 495 to 200'])
    await world.advance(50 * HOUR)
    expect(await toPrice(item, 200)).toEqual(['price 495 to 200'])
  })

  test('an item that is deleted and created anew keeps its price for a day, by name, code and barcode', async () => {
    const codes = { external_ref: 'LAK-1', barcode: '4006381333931' }
    const item = await create(codes)
    await update(item, { price: gbp(250) })
    await world.ok('delete_catalog_item', { item_id: item.item_id }, AGENT)
    const kept = ['price 495 to 4']
    expect(await anew({ name: 'LÁKSA ', category: 'Other', price: gbp(4) })).toEqual(kept)
    expect(await anew({ name: 'Soup', external_ref: ' LAK-1', price: gbp(4) })).toEqual(kept)
    expect(await anew({ name: 'Soup', barcode: '4006381333931', price: gbp(4) })).toEqual(kept)
    expect(await anew({ name: 'Soup', external_ref: 'LAK-2', price: gbp(4) })).toEqual([])
    expect(await anew({ price: gbp(260) })).toEqual([])
    // And when the new one falls by steps.
    const again = await create({ price: gbp(250) }, AGENT)
    expect(await toPrice(again, 130)).toEqual(['price 495 to 130'])
    await world.advance(25 * HOUR)
    expect(await anew({ name: 'Soup', external_ref: 'LAK-1', price: gbp(4) })).toEqual([])
  })

  test('an item that is renamed keeps its name for a day, as one that is deleted does', async () => {
    const item = await create()
    await update(item, { name: 'Old laksa' })
    expect(await anew({ price: gbp(4) })).toEqual(['price 495 to 4'])
    await world.ok('delete_catalog_item', { item_id: item.item_id }, AGENT)
    expect(await anew({ price: gbp(4) })).toEqual(['price 495 to 4'])
    expect(await anew({ name: 'Old laksa', price: gbp(4) })).toEqual(['price 495 to 4'])
  })

  test('an item that takes the name of another keeps no price unasked', async () => {
    const item = await create(sizes(200))
    const other = await create({ name: 'Other', price: gbp(50), ...sizes(10) }, AGENT)
    const named = (name: string, over: object = {}) =>
      asked({ updates: [{ item_id: other.item_id, name, ...over }] })
    expect(await named('Laksa')).toEqual([])
    await update(item, { name: 'Old laksa' })
    expect(await named('LAKSA')).toEqual(['price 495 to 50', 'Size: S0 200 to 10'])
    expect(await named('Laksa', { price: gbp(450), ...sizes(190) })).toEqual([
      'price 50 to 450',
      'Size: S0 10 to 190',
    ])
    expect(await named('Soup')).toEqual([])
    await update(other, { name: 'Laksa' })
    expect(await asked({ updates: [{ item_id: other.item_id, name: 'Laksa', price: gbp(50) }] })).toEqual([])
  })

  test('the prices of choices need a confirmation alike, under another name, too', async () => {
    const item = await create(sizes(200, 0))
    await update(item, sizes(110, 0))
    const steep = (over: Record<string, unknown>) => asked({ updates: [{ item_id: item.item_id, ...over }] })
    expect(await steep(sizes(60, 0))).toEqual(['Size: S0 200 to 60'])
    const { modifier_groups } = await update(item, { name: 'Laksa' })
    const [group] = modifier_groups
    const renamed = (amount: number) => ({
      modifier_groups: [
        {
          modifier_group_id: group?.modifier_group_id,
          name: 'How large',
          modifiers: [
            { modifier_id: group?.modifiers[0]?.modifier_id, name: 'Huge', price_delta: gbp(amount) },
          ],
        },
      ],
    })
    await update(item, renamed(110))
    expect(await steep(renamed(60))).toEqual(['How large: Huge 200 to 60'])
    // A choice that is away for a while comes back at its price.
    await update(item, { modifier_groups: [] })
    expect(await steep(sizes(60, 0))).toEqual(['Size: S0 200 to 60'])
    // A free one that comes to cost more than half of its item, by steps.
    await update(item, sizes(110, 200))
    expect(await steep(sizes(110, 260))).toEqual(['Size: S1 0 to 260'])
  })

  test('each row of a batch has its answer, with what the import says for all; wrong rows and strange items have none', async () => {
    const item = await create()
    await world.ok('delete_catalog_item', { item_id: item.item_id }, AGENT)
    const rows = [
      { name: 'Pho', price: { amount: 4 } },
      { name: 'Laksa', price: { amount: 4 } },
      { name: 'Laksa' },
      7,
    ]
    const { items } = await world.ok('check_catalog_prices', {
      items: rows.map((row) => (typeof row === 'number' ? {} : row)),
      default_category: 'Soups',
      default_currency: 'GBP',
    })
    expect(items.map(({ row, changes }) => [row, changes.length])).toEqual([
      [1, 0],
      [2, 1],
      [3, 0],
      [4, 0],
    ])
    expect(await asked({ updates: [{ item_id: item.item_id, price: gbp(1) }] })).toEqual([])
    expect(await asked({})).toEqual([])
  })

  test('no more rows are taken than an import takes', async () => {
    const rows = (count: number) => ({ items: Array.from({ length: count }, () => ({})) })
    expect(await asked(rows(500))).toEqual([])
    expect((await world.refused('check_catalog_prices', rows(501))).code).toBe('manifest_too_large')
  })

  test('what it costs already is no new price, whatever else changes', async () => {
    const item = await create()
    await update(item, { price: gbp(10) })
    expect(await asked({ updates: [{ item_id: item.item_id, price: gbp(10), name: 'Other' }] })).toEqual([])
  })
})
