import { beforeAll, describe, expect, test } from 'vitest'
import type { Db, SqlRow, Tx, SqlValue } from '../../src/core/db.ts'
import { defineDocTable, defineRow, defineTable } from '../../src/db/table.ts'
import { ENGINES, openTestStore } from '../support/stores.ts'

type Thing = {
  thing_id: string
  words: readonly string[]
  count: number | null
  on: boolean
  note?: string
  place: { latitude: number }
  doc: { colours: string[] }
}

const THINGS = defineTable<Thing, 'latitude_e6'>({
  name: 'things',
  key: 'thing_id',
  columns: {
    thing_id: 'text',
    words: 'words',
    count: ['integer or null', 'how_many'],
    on: ['boolean', 'is_on'],
    note: 'text or absent',
    place: { from: (row) => ({ latitude: Number(row['latitude_e6']) / 1e6 }) },
    latitude_e6: ({ place }) => place.latitude * 1e6,
    doc: 'json',
  },
  changing: ['note', 'latitude_e6'],
  readsAll: true,
})

const THING: Thing = {
  thing_id: 'thing_1',
  words: ['two', 'words'],
  count: 0,
  on: true,
  note: 'a note',
  place: { latitude: 51.5 },
  doc: { colours: ['red'] },
}
const BARE: Thing = {
  thing_id: 'thing_2',
  words: [],
  count: null,
  on: false,
  place: { latitude: 0 },
  doc: { colours: [] },
}

const PEOPLE = defineDocTable<{ person_id: string; name: string; age: number | null }, 'person_id'>({
  name: 'people',
  key: 'person_id',
  columns: { person_id: 'text' },
})

async function createTables(tx: Tx): Promise<void> {
  await tx.run(
    `create table things (thing_id text primary key, words text not null, how_many integer, is_on integer not null,
       note text, latitude_e6 integer not null, doc text not null)`,
  )
  await tx.run('create table people (person_id text primary key, doc text not null)')
}

describe.each(ENGINES)('on $name', (engine) => {
  let db: Db

  beforeAll(async () => {
    db = await openTestStore(engine)
    await db.write(createTables)
  })

  test('a record is read as it was written, each field by its kind', async () => {
    await db.write(async (tx) => {
      expect(await THINGS.insert(tx, [THING, BARE])).toBe(2)
      expect(await THINGS.insert(tx, [THING], { ignoreConflicts: true })).toBe(0)
      expect(await THINGS.find(tx, 'thing_1')).toStrictEqual(THING)
      expect(await THINGS.lock(tx, 'thing_2')).toStrictEqual(BARE)
      expect(await THINGS.find(tx, 'thing_3')).toBeUndefined()
      expect(await THINGS.findMany(tx, ['thing_2', 'thing_3'])).toStrictEqual(new Map([['thing_2', BARE]]))
      expect(await THINGS.list(tx, 'where is_on = $1', 1)).toStrictEqual([THING])
      const locked = await THINGS.lockMany(tx, ['thing_2', 'thing_1', 'thing_3'], { skipLocked: false })
      expect([...locked]).toEqual(['thing_1', 'thing_2'])
    })
  })

  test('only the declared changing columns are updated', async () => {
    await db.write(async (tx) => {
      const { note: _, ...moved } = { ...THING, thing_id: 'thing_9', place: { latitude: -1.25 } }
      await THINGS.insert(tx, [{ ...THING, thing_id: 'thing_9' }])
      await THINGS.update(tx, { ...moved, count: 9 })
      expect(await THINGS.find(tx, 'thing_9')).toStrictEqual(moved)
    })
  })

  test('a field without its own column is stored in the document', async () => {
    await db.write(async (tx) => {
      const zoe = { person_id: 'p_1', name: 'Zoë', age: null }
      await PEOPLE.insert(tx, [zoe])
      expect(await tx.all('select person_id, doc from people')).toEqual([
        { person_id: 'p_1', doc: '{"name":"Zoë","age":null}' },
      ])
      expect(await PEOPLE.find(tx, 'p_1')).toStrictEqual(zoe)
    })
  })
})

test('a thousand keys are locked in one order, a hundred at a time', async () => {
  const asked: SqlValue[][] = []
  const tx = {
    forUpdate: '',
    all: async (_: string, ...params: SqlValue[]): Promise<SqlRow[]> => {
      asked.push(params)
      return params.map((thing_id) => ({ thing_id }))
    },
  } as unknown as Tx
  const ids = Array.from({ length: 1000 }, (_, index) => String(9999 - index))
  expect(await THINGS.lockMany(tx, [...ids, '9999'], { skipLocked: false })).toEqual(new Set(ids))
  expect(asked.map((chunk) => chunk.length)).toEqual(Array.from({ length: 10 }, () => 100))
  expect(asked.flat()).toEqual(ids.toSorted())
})

test('a field accepts only the kind of its type', () => {
  // @ts-expect-error: it may be null
  defineRow<{ at: number | null }>({ at: 'integer' })
  // @ts-expect-error: it is text
  defineRow<{ name: string }>({ name: 'integer' })
  // @ts-expect-error: a field is omitted
  defineRow<{ name: string; at: number }>({ name: 'text' })
  expect(defineRow<{ at: number }>({ at: ['integer', 'created_at'] })({ created_at: 5 })).toEqual({ at: 5 })
})
