import { describe, expect, test } from 'vitest'
import {
  findMerchantSeqsByText,
  insertMerchants,
  listCandidates,
  type MerchantDoc,
  type MerchantRecord,
} from '../../../src/areas/merchants/queries.ts'
import type { Tx } from '../../../src/core/db.ts'
import { ENGINES, openTestStore } from '../../support/stores.ts'

function store(
  seq: number,
  latitude: number,
  longitude: number,
  more: Partial<MerchantDoc> = {},
): MerchantRecord {
  const doc = {
    cuisines: [],
    fulfillment_types: ['pickup'],
    delivery: null,
    prep_time_minutes: 10,
    rating_tenths: null,
    ...more,
  }
  return {
    merchant_id: `mer_${seq}`,
    seq,
    agreement_id: null,
    name: `Store ${seq}`,
    search_text: `store ${seq}`,
    kind: 'shop',
    location: { latitude, longitude },
    week: '0-1440',
    timezone: 'UTC',
    currency: 'GBP',
    paused_until: null,
    busy_minutes: 0,
    busy_until: null,
    menu_version: 1,
    menu_updated_at: 0,
    doc: doc as unknown as MerchantDoc,
  }
}

async function open(engine: (typeof ENGINES)[number], merchants: MerchantRecord[]) {
  const db = await openTestStore(engine)
  await db.write((tx) => insertMerchants(tx, merchants))
  type Filters = Parameters<typeof listCandidates> extends [Tx, ...infer Rest] ? Rest : never
  const list = (...filters: Filters) =>
    db.read(async (tx) =>
      (await listCandidates(tx, ...filters)).map(({ seq }) => seq).toSorted((a, b) => a - b),
    )
  const seqs = merchants.map(({ seq }) => seq)
  const named = (q: string) => db.read(async (tx) => [...(await findMerchantSeqsByText(tx, seqs, q))])
  return Object.assign(list, { named })
}

const BOX = { south: 51.5, north: 51.6, west: -0.1, east: 0.1 }

describe.each(ENGINES)('stores in a box on $name', (engine) => {
  test('are those on its edges and inside, on both sides of both lines', async () => {
    const list = await open(engine, [
      store(1, 51.5, -0.1),
      store(2, 51.6, 0.1),
      store(3, 51.499999, 0),
      store(4, 51.600001, 0),
      store(5, 51.55, -0.100001),
      store(6, 51.55, 0.100001),
      store(7, 51.55, 0),
      store(8, -0.01, -0.01),
    ])
    expect(await list(BOX, {})).toEqual([1, 2, 7])
    expect(await list({ south: -0.02, north: 0.02, west: -0.02, east: 0.02 }, {})).toEqual([8])
    expect(await list({ south: -90, north: 90, west: -180, east: 180 }, {})).toHaveLength(8)
  })

  test('are found by whole cuisines and offers', async () => {
    const list = await open(engine, [
      store(1, 51.55, 0, { cuisines: ['thai', 'noodles'] }),
      store(2, 51.55, 0, { cuisines: ['thai_fusion'], fulfillment_types: ['delivery', 'dine_in'] }),
      { ...store(3, 51.55, 0, { cuisines: ['thai'] }), paused_until: 1 },
    ])
    // The clock decides which of them are paused.
    expect(await list(BOX, { cuisine: 'thai' })).toEqual([1, 3])
    expect(await list(BOX, { cuisine: 'noodles', kind: 'shop' })).toEqual([1])
    expect(await list(BOX, { fulfillment_type: 'dine_in' })).toEqual([2])
    expect(await list(BOX, { kind: 'grocery' })).toEqual([])
  })

  test('are found by text as it is written, with no character for a pattern', async () => {
    const list = await open(engine, [
      store(1, 51.55, 0),
      { ...store(2, 51.55, 0), search_text: '100 % malt_house' },
    ])
    expect(await list.named('%')).toEqual([2])
    expect(await list.named('_')).toEqual([2])
    expect(await list.named('tore 1')).toEqual([1])
  })
})

test('a search reads only its index until it knows which stores it shows', async () => {
  const db = await openTestStore({ name: 'memory', locate: async () => ':memory:' })
  const plans: string[] = []
  await db.read((tx) =>
    listCandidates(
      {
        ...tx,
        all: async (sql, ...parameters) => {
          const rows = await tx.all(sql, ...parameters)
          plans.push(sql)
          return rows
        },
      },
      BOX,
      { kind: 'shop', cuisine: 'thai', fulfillment_type: 'pickup' },
    ),
  )
  expect(plans).toHaveLength(1)
  const plan = await db.write((tx) => tx.all(`explain query plan ${plans[0]?.replaceAll(/\$\d+/g, '1')}`))
  expect(plan.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(
      /^SEARCH m USING COVERING INDEX merchants_by_place \(band=\? AND longitude_e6>\? AND longitude_e6<\?\)$/,
    ),
  ])
})
