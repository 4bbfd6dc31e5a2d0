import { describe, expect, test } from 'vitest'
import {
  fillWords,
  insertWords,
  SEARCHED,
  searchWords,
} from '../../../src/areas/carrier/store/shipment-words.ts'
import { findShipment, type ShipmentRecord } from '../../../src/areas/carrier/store/shipments.ts'
import type { Db, Tx } from '../../../src/core/db.ts'
import { makeParcel } from '../../support/parcel.ts'
import { plansOf } from '../../support/plans.ts'
import { ENGINES } from '../../support/stores.ts'
import { openWorld } from '../../support/world.ts'

const PARCELS = [
  ['GC-2026-000123', 'Claire Lefèvre', 'RG1 1DB'],
  ['GC-2026-000124', 'Jonas Straße', 'E1 6EA'],
  ['T-1', 'Łukasz Lefever-Smith', 'M1 4EU'],
  [undefined, 'Smith & Sons', 'RG1 2DE'],
] as const

describe.each(ENGINES)('on $name', (engine) => {
  test('a parcel is found by the beginnings of its words, whatever their case and accents, by its sender alone', async () => {
    const { ok, call, db, write } = await openWorld({ engine })
    for (const [reference, name, postal_code] of PARCELS) {
      const { recipient } = makeParcel({}, { postal_code })
      await ok(
        'create_shipment',
        makeParcel({ reference, recipient: { ...(recipient as object), contact: { name } } }),
      )
    }
    const found = async (q: string) =>
      (await ok('find_shipments', { q })).data.map(({ recipient }) => recipient.contact.name)
    const [claire, jonas, lukasz, smith] = PARCELS.map(([, name]) => name)
    const questions: [string, (string | undefined)[]][] = [
      ['LEFEVRE', [claire]],
      ['Mrs Lefèvre', [claire]],
      ['lefev', [lukasz, claire]],
      ['lefev rg1', [claire]],
      ['strasse', [jonas]],
      ['lukasz', [lukasz]],
      ['smith', [smith, lukasz]],
      ['rg1 1db', [claire]],
      ['RG11DB', [claire]],
      ['rg1', [smith, claire]],
      ['0123', [claire]],
      ['6-000124', [jonas]],
      ['gc-2026', [jonas, claire]],
      ['t-1', [lukasz]],
      ['nobody', []],
      ['fevre', []],
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
    await db.write(async (tx) => void (await tx.run('delete from shipment_words')))
    expect(await found('smith')).toEqual([])
    await write(fillWords)
    expect(await found('smith')).toEqual([smith, lukasz])

    // However many have a word, the rarest word decides, and a search reads no more entries than these.
    await db.write(async (tx) => {
      const one = (await findShipment(tx, listed?.tracking_number ?? '')) as ShipmentRecord
      const { recipient } = one.doc
      const many = Array.from({ length: 2 * SEARCHED }, (_, at) => ({
        ...one,
        reference: null,
        seq: one.seq + 1_000_000 + at,
        doc: { ...one.doc, recipient: { ...recipient, contact: { name: 'Smith' } } },
      }))
      await insertWords(tx, many)
    })
    expect((await ok('find_shipments', { q: 'smith sons' })).data).toHaveLength(1)
    expect((await ok('find_shipments', { q: 'smith' })).has_more).toBe(true)
  })

  test('a search walks the index of words by a range, and reads parcels by number, however many there are', async () => {
    const { db } = await openWorld({ engine })
    const look = (tx: Tx) => searchWords(tx, 'agr', ['lefevre'])
    const plans = db.kind === 'sqlite' ? await plansOf(db, look) : await explain(db, look)
    expect(plans).toHaveLength(2)
    for (const plan of plans) {
      expect(plan).toMatch(
        /^SEARCH shipment_words USING COVERING INDEX \S+ \(agreement_id=\? AND word(=\?|>\? AND word<\?)\)$|Index Only Scan (Backward )?using shipment_words_pkey/,
      )
      expect(plan).not.toMatch(/Sort|Seq Scan/)
    }
  })
})

/** Returns the plans of PostgreSQL for what `look` reads, with so many words that an index pays. */
async function explain(db: Db, look: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  return db.write(async (tx) => {
    await tx.run(
      `insert into shipment_words (agreement_id, word, seq) select 'agr', 'w' || i, i from generate_series(1, 20000) i`,
    )
    await tx.run('analyze shipment_words')
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
