import { beforeEach, describe, expect, test } from 'vitest'
import {
  changeItem,
  createItems,
  deleteItem,
  lockCatalog,
  type ItemRequest,
  setAvailability,
} from '../../../../src/areas/catalog/lifecycle/catalog.ts'
import { loadSections } from '../../../../src/areas/catalog/lifecycle/sections.ts'
import { findItem, findItems } from '../../../../src/areas/catalog/queries/catalog.ts'
import { findMerchant } from '../../../../src/areas/merchants/queries.ts'
import type { Tx } from '../../../../src/core/db.ts'
import { listRecordedEvents } from '../../../../src/db/events.ts'
import { saveClock } from '../../../../src/db/world.ts'
import { makeItems } from '../../../support/items.ts'
import { gbp } from '../../../support/money.ts'
import { ENGINES } from '../../../support/stores.ts'
import { NINE_AM, openTestSandbox, type TestSandbox } from '../../../support/world.ts'

const holder = (tx: Tx, now: number) => ({
  tx,
  now,
  account: { handle: 'owner' },
  origin: { via: 'terminal' as const, byPerson: true },
})

describe.each(ENGINES)('on $name', (engine) => {
  let world: TestSandbox
  let ids: string[]
  let merchantId: string

  beforeEach(async () => {
    world = await openTestSandbox({ engine })
    const { results } = await world.ok('import_catalog_items', { items: makeItems(4) })
    ids = results.flatMap(({ item_id }) => item_id ?? [])
    const item = await world.db.read((tx) => findItem(tx, ids[0] ?? ''))
    merchantId = item?.merchant_id ?? ''
  })

  test('several items go off sale as one change of the menu, and those that are off already stay as they are', async () => {
    const [first = ''] = ids
    await world.ok('set_catalog_item_availability', { item_id: first, available: false, reason: 'sold_out' })
    const before = await world.db.read((tx) => findMerchant(tx, merchantId))
    const events = await world.db.read((tx) => listRecordedEvents(tx, 0, 1000))
    const off = { available: false, until: null, reason: 'sold_out' } as const
    const items = await world.write(async (tx, stored, now) => {
      const hold = await lockCatalog(holder(tx, now), merchantId)
      return setAvailability({ tx, world: stored.world }, hold, await findItems(tx, ids), {
        availability: off,
      })
    })
    expect(items.map(({ available, version }) => [available, version])).toEqual(Array(4).fill([false, 2]))
    const after = await world.db.read((tx) => findMerchant(tx, merchantId))
    expect(after?.menu_version).toBe((before?.menu_version ?? 0) + 1)
    const told = (await world.db.read((tx) => listRecordedEvents(tx, events.at(-1)?.seq ?? 0, 1000))).map(
      ({ resource_id }) => resource_id,
    )
    expect(told.toSorted()).toEqual(ids.slice(1).toSorted())
  })

  test('a change is never dated before the one recorded last', async () => {
    await world.write((tx, { clock }) => saveClock(tx, { ...clock, high: NINE_AM + 5000 }))
    const [id = ''] = ids
    const changed = await world.write(async (tx, stored, now) => {
      const hold = await lockCatalog(holder(tx, now), merchantId)
      const item = await findItem(tx, id)
      if (item === undefined) throw new Error('no item')
      return changeItem({ tx, world: stored.world }, hold, item, { changes: { price: gbp(1) } })
    })
    expect(changed.updated_at).toBe(NINE_AM + 5000)
    const merchant = await world.db.read((tx) => findMerchant(tx, merchantId))
    expect(merchant?.menu_updated_at).toBe(NINE_AM + 5000)
  })

  test('a deleted item is no longer found', async () => {
    const [id = '', other = ''] = ids
    await world.write(async (tx, stored, now) => {
      const hold = await lockCatalog(holder(tx, now), merchantId)
      const item = await findItem(tx, id)
      if (item === undefined) throw new Error('no item')
      expect(await deleteItem({ tx, world: stored.world }, hold, item)).toMatchObject({
        version: 2,
        deleted_at: NINE_AM,
      })
    })
    const found = await world.db.read((tx) => findItems(tx, [id, other]))
    expect(found.map(({ item_id }) => item_id)).toEqual([other])
    expect(await world.db.read((tx) => findItem(tx, id))).toBeUndefined()
  })

  test('500 items take no more statements than 10', async () => {
    const count = (rows: number) =>
      world.write(async (tx, stored, now) => {
        const statements: string[] = []
        const counting: Tx = {
          ...tx,
          all: (sql, ...params) => (statements.push(sql), tx.all(sql, ...params)),
          get: (sql, ...params) => (statements.push(sql), tx.get(sql, ...params)),
          run: (sql, ...params) => (statements.push(sql), tx.run(sql, ...params)),
          runPipelined: (sql, ...params) => (statements.push(sql), tx.runPipelined(sql, ...params)),
          insertMany: (table, ...rest) => (statements.push(table), tx.insertMany(table, ...rest)),
        }
        const hold = await lockCatalog(holder(counting, now), merchantId)
        const sections = await loadSections(counting, merchantId)
        const requests = makeItems(rows, `Row of ${rows}`) as ItemRequest[]
        await createItems({ tx: counting, world: stored.world }, hold, sections, requests)
        return statements.length
      })
    // Creates the sections first, which needs more statements.
    await count(9)
    expect(await count(500)).toBe(await count(10))
  })

  test('a store that is not there has no catalogue to hold', async () => {
    const held = world.write((tx, _, now) => lockCatalog(holder(tx, now), 'mer_none'))
    await expect(held).rejects.toMatchObject({ code: 'merchant_not_found' })
  })
})
