/** References that were stored before they were cleaned: they keep their characters, and are found without them. */
import { describe, expect, test } from 'vitest'
import { hashShipmentRequest } from '../../src/areas/carrier/lifecycle/creation.ts'
import type { ShipmentRequest } from '../../src/areas/carrier/lifecycle/plan.ts'
import type { Tx } from '../../src/core/db.ts'
import { backfillStore } from '../../src/sandbox/seed.ts'
import { statementsBackTo } from '../support/older-store.ts'
import { makeParcel } from '../support/parcel.ts'
import { ENGINES, openTestStore } from '../support/stores.ts'
import { openTestSandbox, type TestSandbox, sandboxOverStore } from '../support/world.ts'

/** The schema before codes were cleaned. */
const OLD = 13

const ITEM = { name: 'Pie', category: 'Bakery', price: { amount: 650, currency: 'GBP' } }

describe.each(ENGINES)('in an older store on $name', (engine) => {
  /** Makes a store as an older program left it, and opens it with this one. */
  async function upgraded(prepare: (world: TestSandbox) => Promise<void>): Promise<TestSandbox> {
    const location = await engine.locate()
    const { originals: _originals, ...here } = engine
    const world = await openTestSandbox({ engine: { ...here, locate: async () => location } })
    await prepare(world)
    const now = await world.now()
    await world.write(async (tx) => {
      for (const statement of statementsBackTo(OLD, world.db.kind)) await tx.run(statement)
    })
    await world.db.close()
    return sandboxOverStore(
      await openTestStore(engine, { location, seed: (tx, from) => backfillStore(tx, from, now) }),
    )
  }

  /** Creates a parcel whose reference has characters that an older program did not clean. */
  async function createOld(world: TestSandbox, stored: string, line1?: string): Promise<string> {
    const request = makeParcel(
      { reference: `for ${stored.length} ${line1}` },
      line1 === undefined ? {} : { line1 },
    )
    const { tracking_number } = await world.ok('create_shipment', request)
    const hash = hashShipmentRequest({ ...request, reference: stored } as unknown as ShipmentRequest)
    await world.write((tx: Tx) =>
      tx.run(
        'update shipments set reference = $1, content_hash = $2 where tracking_number = $3',
        stored,
        hash,
        tracking_number,
      ),
    )
    return tracking_number
  }

  test.each(['INV-1\u200b', 'INV\u20111', ' INV-1 ', '\u0002INV-1'])(
    'a parcel of %j is that of INV-1, and shows what it has',
    async (stored) => {
      let number = ''
      const world = await upgraded(async (old) => {
        number = await createOld(old, stored)
      })
      const { reference } = await world.ok('get_shipment', { tracking_number: number })
      expect(reference).toBe(stored)
      for (const typed of ['INV-1', stored]) {
        const { data } = await world.ok('list_shipments', { reference: typed })
        expect(data.map(({ tracking_number }) => tracking_number)).toEqual([number])
        const parcel = makeParcel({ reference: typed })
        expect(await world.refused('create_shipment', parcel)).toMatchObject({
          code: 'duplicate_reference',
          existing_tracking_number: number,
        })
        const other = makeParcel({ reference: typed }, { line1: '14 Friar Street' })
        const { results } = await world.ok('create_shipments_batch', { shipments: [parcel] })
        expect(results).toMatchObject([{ result: 'duplicate', tracking_number: number }])
        const conflict = await world.ok('create_shipments_batch', { shipments: [other] })
        expect(conflict.results[0]?.reason?.code).toBe('reference_conflict')
      }

      await world.ok('cancel_shipment', { tracking_number: number })
      const skipped = await world.ok('create_shipments_batch', {
        shipments: [makeParcel({ reference: 'INV-1' })],
        on_cancelled: 'skip',
      })
      expect(skipped.results).toMatchObject([
        { result: 'duplicate', cancelled_tracking_number: number, reason: { code: 'cancelled_before' } },
      ])
    },
  )

  test('of two parcels whose references look the same, a row is the one with its content', async () => {
    const numbers: string[] = []
    const world = await upgraded(async (old) => {
      numbers.push(await createOld(old, 'INV-1'), await createOld(old, 'INV-1\u200b', '14 Friar Street'))
    })
    const rows = [{}, { line1: '14 Friar Street' }].map((to) => makeParcel({ reference: 'INV-1' }, to))
    for (const [at, row] of rows.entries()) {
      const { results } = await world.ok('create_shipments_batch', { shipments: [row] })
      expect(results).toMatchObject([{ result: 'duplicate', tracking_number: numbers[at] }])
    }
    const { data } = await world.ok('list_shipments', { reference: 'INV-1' })
    expect(data.map(({ tracking_number }) => tracking_number)).toEqual(numbers.toReversed())
  })

  test("another agreement's parcel, and one in letters of another script, are not touched", async () => {
    const world = await upgraded(async (old) => {
      await createOld(old, 'INV-1\u200b')
      await createOld(old, 'Größe-7')
    })
    const { data } = await world.ok('list_shipments', { reference: 'INV-1' }, { as: 'shipper2' })
    expect(data).toEqual([])
    expect((await world.ok('list_shipments', { reference: 'Größe-7' })).data).toHaveLength(1)
    expect(await world.db.read((tx) => tx.all('select stored, code from old_codes'))).toEqual([
      { stored: 'INV-1\u200b', code: 'INV-1' },
    ])
  })

  test('an item of a menu keeps its reference, and no other item gets the same', async () => {
    let itemId = ''
    const world = await upgraded(async (old) => {
      const made = await old.ok('create_catalog_item', { ...ITEM, external_ref: 'old' }, { as: 'owner' })
      itemId = made.item_id
      await old.write((tx) =>
        tx.run('update catalog_items set external_ref = $1 where item_id = $2', 'P\u20111', itemId),
      )
    })
    const other = { ...ITEM, name: 'Soup', external_ref: 'P-1' }
    const as = { as: 'owner' }
    expect(await world.refused('create_catalog_item', other, as)).toMatchObject({ code: 'duplicate_item' })
    const { results } = await world.ok('import_catalog_items', { items: [other] }, as)
    expect(results).toMatchObject([{ result: 'duplicate', item_id: itemId }])
    const { data } = await world.ok('list_catalog_items', { q: 'Pie' }, as)
    expect(data.find(({ item_id }) => item_id === itemId)?.external_ref).toBe('P\u20111')
  })

  test('an item whose name has an unseen character is the one of that name', async () => {
    const seen: string[] = []
    const as = { as: 'owner' }
    const world = await upgraded(async (old) => {
      for (const name of ['Pie', 'Soup'])
        seen.push((await old.ok('create_catalog_item', { ...ITEM, name }, as)).item_id)
      // Two that an older program told apart.
      seen.push((await old.ok('create_catalog_item', { ...ITEM, name: 'Stew' }, as)).item_id)
      await old.write(async (tx) => {
        const unseen = [
          { name: 'Pie\u200b', key: 'pie\u200b', id: seen[0] ?? '' },
          { name: 'Soup\u2060', key: 'soup\u2060', id: seen[2] ?? '' },
        ]
        for (const { name, key, id } of unseen)
          await tx.run('update catalog_items set name = $1, name_key = $2 where item_id = $3', name, key, id)
      })
    })
    for (const name of ['Pie', 'Soup'])
      expect(await world.refused('create_catalog_item', { ...ITEM, name }, as)).toMatchObject({
        code: 'duplicate_item',
      })
    const { data } = await world.ok('list_catalog_items', { q: 'soup' }, as)
    expect(data.map(({ item_id }) => item_id)).toEqual(expect.arrayContaining(seen.slice(1)))
  })
})
