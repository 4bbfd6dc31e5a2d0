import { describe, expect, test } from 'vitest'
import {
  fillShipmentWords,
  insertShipmentWords,
  searchShipmentsByWords,
} from '../../../src/areas/carrier/queries/shipment-words.ts'
import {
  findShipment,
  insertShipments,
  type ShipmentRecord,
} from '../../../src/areas/carrier/queries/shipments.ts'
import { toQuestion } from '../../../src/areas/carrier/rules/words.ts'
import type { Db, Tx } from '../../../src/core/db.ts'
import { clearWords } from '../../../src/db/word-index.ts'
import { makeParcel } from '../../support/parcel.ts'
import { plansOf } from '../../support/plans.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const PARCELS = [
  ['GC-2026-000123', 'Claire Lefèvre', 'RG1 1DB'],
  ['GC-2026-000124', 'Jonas Straße', 'E1 6EA'],
  ['T-1', 'Łukasz Lefever-Smith', 'M1 4EU'],
  [undefined, 'Smith & Sons', 'RG1 2DE'],
  [undefined, "Zoë O'Neill", 'E1 6EA'],
  [undefined, 'Mary-Ann Müller', 'E1 6EA'],
  [undefined, 'Gunnar Soerensen', 'E1 6EA'],
] as const

async function createNamed(
  { ok }: TestSandbox,
  {
    reference,
    name,
    address = {},
  }: { reference?: string | undefined; name: string; address?: Record<string, string> },
  as?: string,
): Promise<string> {
  const { recipient } = makeParcel({}, { ...address })
  const parcel = makeParcel({ reference, recipient: { ...(recipient as object), contact: { name } } })
  return (await ok('create_shipment', parcel, as === undefined ? {} : { as })).tracking_number
}

/** Adds copies of a parcel to its store, for each of these names so many. */
async function addCrowd(
  { write }: TestSandbox,
  number: string,
  crowd: Readonly<Record<string, number>>,
): Promise<void> {
  await write(async (tx) => {
    const one = (await findShipment(tx, number)) as ShipmentRecord
    const names = Object.entries(crowd).flatMap(([name, count]) => Array.from({ length: count }, () => name))
    const copies = names.map((name, at) => ({
      ...one,
      reference: null,
      tracking_number: `${number}-${at}`,
      seq: one.seq + 1_000_000 + at,
      ordinal: one.ordinal + 1_000_000 + at,
      doc: { ...one.doc, recipient: { ...one.doc.recipient, contact: { name } } },
    }))
    await insertShipments(tx, copies)
    await insertShipmentWords(tx, copies)
  })
}

describe.each(ENGINES)('on $name', (engine) => {
  test('a parcel is found by the beginnings of its words, whatever their case, accents and marks, by its sender alone', async () => {
    const world = await openTestSandbox({ engine })
    const { ok, call, write } = world
    for (const [reference, name, postal_code] of PARCELS)
      await createNamed(world, { reference, name, address: { postal_code } })
    const found = async (q: string) =>
      (await ok('find_shipments', { q })).data.map(({ recipient }) => recipient.contact.name)
    const [claire, jonas, lukasz, smith, zoe, mary, gunnar] = PARCELS.map(([, name]) => name)
    const questions: [string, (string | undefined)[]][] = [
      ['LEFEVRE', [claire]],
      ['Mrs Lefèvre', [claire]],
      ['Mrs. Lefèvre', [claire]],
      ['lefev', [lukasz, claire]],
      ['lefev rg1', [claire]],
      ['le', [lukasz, claire]],
      ['strasse', [jonas]],
      ['lukasz', [lukasz]],
      ['smith', [smith, lukasz]],
      ['rg1 1db', [claire]],
      ['RG11DB', [claire]],
      ['rg1', [smith, claire]],
      ['0123', [claire]],
      ['6000124', [jonas]],
      ['6-000124', [jonas]],
      ['gc-2026', [jonas, claire]],
      ['00012 claire', [claire]],
      ['t-1', [lukasz]],
      ['t1', [lukasz]],
      ['oneill', [zoe]],
      ["o'neill", [zoe]],
      ['O’Neill', [zoe]],
      ['neill zoe', [zoe]],
      ['z oneill', [zoe]],
      ['maryann', [mary]],
      ['mary-ann', [mary]],
      ['ann mary', [mary]],
      ['mueller', [mary]],
      ['muller', [mary]],
      ['MÜLLER', [mary]],
      ['sørensen', [gunnar]],
      ['nobody', []],
      ['fevre', []],
      ['claire smith', []],
    ]
    for (const [q, names] of questions) expect([q, await found(q)]).toEqual([q, names])
    const { data } = await ok('find_shipments', { q: 'lefevre' })
    const newest = await ok('find_shipments', { q: 'smith', limit: 1 })
    expect([newest.data.map(({ recipient }) => recipient.contact.name), newest.has_more]).toEqual([
      [smith],
      true,
    ])
    expect(await ok('find_shipments', { q: 'smith', limit: 2 })).toMatchObject({ has_more: false })
    const [listed] = (await ok('list_shipments', { reference: 'GC-2026-000123' })).data
    expect(data).toEqual([listed])
    expect((await ok('find_shipments', { q: listed?.tracking_number ?? '' })).data).toEqual([listed])
    expect((await ok('find_shipments', { q: 'smith' }, { as: 'shipper' })).data).toEqual([])
    expect(
      (await ok('find_shipments', { q: listed?.tracking_number ?? '' }, { as: 'shipper' })).data,
    ).toEqual([])
    for (const q of ['x', ' - ', '!?']) expect((await call('find_shipments', { q })).status, q).toBe(400)

    // An older store has no words until it is opened.
    await write(clearWords)
    expect(await found('smith')).toEqual([])
    await write(fillShipmentWords)
    expect(await found('smith')).toEqual([smith, lukasz])
  })

  test('a parcel is found by its street and its town', async () => {
    const world = await openTestSandbox({ engine })
    const number = await createNamed(world, { name: 'Anna Smith', address: { line1: '14a Quincey Mews' } })
    await createNamed(world, { name: 'Anna Smith' })
    const { data } = await world.ok('find_shipments', { q: 'anna quincey' })
    expect(data.map(({ tracking_number }) => tracking_number)).toEqual([number])
    const { data: both } = await world.ok('find_shipments', { q: 'smith reading' })
    expect(both).toHaveLength(2)
  })

  test('one Anna Smith is found among 599 Anna Jones, 600 Peter Smith and ten thousand of another sender', async () => {
    const world = await openTestSandbox({ engine })
    const anna = await createNamed(world, { reference: 'CR-1', name: 'Anna Smith' })
    const one = (await world.db.read((tx) => findShipment(tx, anna))) as ShipmentRecord
    await addCrowd(world, anna, { 'Anna Jones': 599, 'Peter Smith': 600 })
    await world.write(async (tx) => {
      const strangers = Array.from({ length: 1000 }, (_, at) => ({
        ...one,
        agreement_id: 'agr_other',
        seq: at,
      }))
      for (let block = 2; block < 12; block++)
        await insertShipmentWords(
          tx,
          strangers.map((each) => ({ ...each, seq: block * 1_000_000 + each.seq })),
        )
    })
    const found = await world.ok('find_shipments', { q: 'anna smith' })
    expect(found.data.map(({ tracking_number }) => tracking_number)).toEqual([anna])
    expect(found.has_more).toBe(false)
    const many = await world.ok('find_shipments', { q: 'anna', limit: 100 })
    expect([many.data.length, many.has_more]).toEqual([100, true])

    // The index gives as many as are requested, and no parcel is read in vain.
    const rowsOf = async (q: string): Promise<number[]> => {
      const rows: number[] = []
      await world.db.read(async (tx) => {
        const all: Tx['all'] = async (sql, ...params) => {
          const read = await tx.all(sql, ...params)
          rows.push(read.length)
          return read
        }
        await searchShipmentsByWords({ ...tx, all }, one.agreement_id, toQuestion(q), 21)
      })
      return rows
    }
    expect([await rowsOf('anna smith'), await rowsOf('anna')]).toEqual([
      [1, 1],
      [21, 21],
    ])
  })

  test('a search reads the index of words, and parcels by number, however many there are', async () => {
    const { db } = await openTestSandbox({ engine })
    const look = (tx: Tx) => searchShipmentsByWords(tx, 'agr', toQuestion('lefevre zoe'), 21)
    const plans = db.kind === 'sqlite' ? await plansOf(db, look) : await explain(db, look)
    expect(plans).toHaveLength(1)
    expect(plans[0]).toMatch(
      /^SCAN shipment_search VIRTUAL TABLE INDEX \S+:M\S*<|Bitmap Index Scan on shipment_search_by_word/,
    )
    expect(plans[0]).not.toMatch(/TEMP B-TREE|Seq Scan/)
  })
})

/** Returns the plans of PostgreSQL for what `look` reads, with so many words that an index pays. */
async function explain(db: Db, look: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  return db.write(async (tx) => {
    await tx.run(
      `insert into shipment_search (seq, words) select i, array_to_tsvector(array['w' || i]) from generate_series(1, 20000) i`,
    )
    await tx.run('analyze shipment_search')
    const explained: string[] = []
    const all: Tx['all'] = async (sql, ...params) => {
      const plan = await tx.all(`explain (generic_plan) ${sql}`)
      explained.push(plan.map((row) => row['QUERY PLAN']).join('\n'))
      return tx.all(sql, ...params)
    }
    await look({ ...tx, all })
    return explained
  })
}
