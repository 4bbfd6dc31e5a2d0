import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Db, Tx } from '../../src/core/db.ts'
import { openStore } from '../../src/db/open.ts'
import { isReadStatement, cached, makeReadCache, makeSnapshotCache } from '../../src/db/read-cache.ts'
import { makeTempFolder } from '../support/stores.ts'

let path: string
beforeEach(async () => {
  path = join(await makeTempFolder(), 'store.db')
})

/** Opens the store with a connection of its own, as another process has one. */
async function open(): Promise<Db> {
  const db = await openStore(path, { seed: async () => {}, random: () => 0.5 })
  onTestFinished(() => db.close())
  return db
}

const add = (tx: Tx, name: string) =>
  tx.run('insert into blobs (sha256, bytes) values ($1, $2)', name, new Uint8Array(1))

const count = async (tx: Tx) => Number((await tx.get('select count(*) as count from blobs'))?.['count'])

/** Returns the number of blobs that the store keeps in memory, or has just counted. */
const blobs = (tx: Tx, holds: (value: number) => boolean = () => true) =>
  cached(tx, { key: 'blobs', tables: ['blobs'], holds }, () => count(tx))

/** Returns how often the value was read by `work`. */
async function readsOf(
  db: Db,
  { sizeOf, holds = () => true, key = 'a' }: Partial<Parameters<typeof cached<number>>[1]> = {},
) {
  let reads = 0
  await db.read((tx) =>
    cached(tx, { key, tables: ['blobs'], holds, ...(sizeOf && { sizeOf }) }, async () => ++reads),
  )
  return reads
}

describe('a value that was read from a store', () => {
  test('is kept while nobody writes its tables', async () => {
    const db = await open()
    expect(await readsOf(db)).toBe(1)
    expect(await readsOf(db)).toBe(0)
    await db.write((tx) => tx.run('delete from timeline where seq = $1', 1))
    expect(await readsOf(db)).toBe(0)
  })

  test('cannot be changed by one of the calls that share it', async () => {
    const db = await open()
    const how = { key: 'shared', tables: ['blobs'], holds: () => true }
    const [first] = await db.read((tx) => cached(tx, how, async () => [{ open: true }]))
    expect(() => Object.assign(first ?? {}, { open: false })).toThrow(TypeError)
  })

  test('is read again after a write of its table, in the same transaction too', async () => {
    const db = await open()
    expect(await db.read(blobs)).toBe(0)
    const seen = await db.write(async (tx) => {
      const before = await blobs(tx)
      await add(tx, 'a')
      return [before, await blobs(tx)]
    })
    expect(seen).toEqual([0, 1])
    expect(await db.read(blobs)).toBe(1)
    await db.write((tx) => tx.insertMany('blobs', ['sha256', 'bytes'], [['b', new Uint8Array(1)]]))
    expect(await db.read(blobs)).toBe(2)
    await db.write((tx) => tx.run('with old as (select 1) delete from blobs'))
    expect(await db.read(blobs)).toBe(0)
  })

  test('is read again after another process has written', async () => {
    const [db, other] = [await open(), await open()]
    expect(await db.read(blobs)).toBe(0)
    await other.write((tx) => add(tx, 'a'))
    expect(await db.read(blobs)).toBe(1)
    await other.write((tx) => add(tx, 'b'))
    expect(await db.write(blobs)).toBe(2)
  })

  test('does not outlive a write that was rolled back', async () => {
    const db = await open()
    const fail = (work: (tx: Tx) => Promise<unknown>) => async (tx: Tx) => {
      await work(tx)
      throw new Error('rolled back')
    }
    const addAndCount = fail(async (tx) => {
      await add(tx, 'a')
      expect(await blobs(tx)).toBe(1)
    })
    await expect(db.write(addAndCount)).rejects.toThrow('rolled back')
    expect(await db.read(blobs)).toBe(0)
    await db.write(async (tx) => {
      await expect(tx.savepoint(() => addAndCount(tx))).rejects.toThrow('rolled back')
      expect(await blobs(tx)).toBe(0)
    })
    expect(await db.read(blobs)).toBe(0)
  })

  test('does not outlive a transaction that a full disk ended, whatever was read in it', async () => {
    const db = await open()
    const pages = (await db.read((tx) => tx.get('pragma page_count')))?.['page_count']
    const write = db.write(async (tx) => {
      await add(tx, 'small')
      expect(await blobs(tx)).toBe(1)
      await tx.all(`pragma max_page_count = ${Number(pages)}`)
      // The row is of another table: a write of its own would end the value.
      await tx.run('insert into ordinals (kind, last) values ($1, 0)', 'large'.repeat(200_000))
    })
    await expect(write).rejects.toMatchObject({ code: 'storage_full' })
    expect(await db.read(blobs)).toBe(0)
    await db.read((tx) => tx.all('pragma max_page_count = 100000'))
    expect(await db.write(blobs)).toBe(0)
    await db.write((tx) => add(tx, 'small'))
    expect(await db.read(blobs)).toBe(1)
  })

  test('of one kind of rows is kept while rows of other kinds are added, and is read again after any other write', async () => {
    const db = await open()
    const plan = (kind: string, seq: number) => (tx: Tx) =>
      tx.insertMany(
        'timeline',
        ['seq', 'due_at', 'kind', 'resource_id', 'owner_id', 'event', 'payload'],
        [[seq, 1, kind, 'r', 'o', 'e', '{}']],
      )
    let reads = 0
    const read = (tables: string[]) =>
      db.read((tx) => cached(tx, { key: tables.join(' '), tables, holds: () => true }, async () => ++reads))
    const both = async () => [await read(['timeline:membership']), await read(['timeline'])]
    expect(await both()).toEqual([1, 2])
    await db.write(plan('shipment', 1))
    expect(await both()).toEqual([1, 3])
    await db.write(plan('membership', 2))
    expect(await both()).toEqual([4, 5])
    await db.write((tx) => tx.run('delete from timeline where seq = 1'))
    expect(await both()).toEqual([6, 7])
  })

  test('is not kept when it does not hold, and is read again when it holds no more', async () => {
    const db = await open()
    expect(await readsOf(db, { holds: () => false })).toBe(1)
    expect(await readsOf(db)).toBe(1)
    expect(await readsOf(db, { holds: () => false })).toBe(1)
  })

  test('is dropped when later ones fill the memory', async () => {
    const db = await open()
    const large = { sizeOf: () => 5_000_000 }
    expect(await readsOf(db, { ...large, key: 'a' })).toBe(1)
    expect(await readsOf(db, { ...large, key: 'a' })).toBe(0)
    expect(await readsOf(db, { ...large, key: 'b' })).toBe(1)
    expect(await readsOf(db, { ...large, key: 'b' })).toBe(0)
    expect(await readsOf(db, { ...large, key: 'a' })).toBe(1)
  })
})

describe('a statement', () => {
  test.each([
    ['select 1', true],
    ['  SELECT 1', true],
    ['with a as (select 1) select * from a', true],
    ['with a as (\n select 1\n) select 1', true],
    ['with old as (select 1)\n delete from blobs', false],
    ['with new as (insert into blobs values (1)) select 1', false],
    ['savepoint one', true],
    ['release one', true],
    ['rollback to one', true],
    ['pragma page_count', true],
    ["set local lock_timeout = '5s'", true],
    ['selection', false],
    ['insert into blobs values (1)', false],
    ['create table a (b)', false],
    ['commit', false],
  ])('%s reads only: %s', (sql, reads) => {
    expect(isReadStatement(sql)).toBe(reads)
  })

  const how = (table: string) => ({ key: table, tables: [table], holds: () => true })

  /** Keeps a value of a table, and returns whether it is kept after a statement. */
  async function isKeptAfter(sql: string, table = 'blobs'): Promise<boolean> {
    const kept = makeReadCache(() => 1)
    kept.effectOf('begin')?.()
    let reads = 0
    const get = () => kept.get(how(table), async () => ++reads)
    await get()
    kept.effectOf(sql)?.()
    await get()
    return reads === 1
  }

  test.each([
    ['insert into blobs (sha256) values (1)', false],
    ['INSERT INTO BLOBS (sha256) values (1)', false],
    [' update blobs set sha256 = 1', false],
    ['delete from\n blobs', false],
    ['update timeline set seq = 1', true],
    // A statement that does not begin with its table may write any.
    ['with old as (select 1) delete from timeline', false],
    ['alter table timeline add a', false],
    ['select * from blobs', true],
    ['commit', true],
    ['rollback', true],
  ])('%s leaves what was read of blobs: %s', async (sql, kept) => {
    expect(await isKeptAfter(sql)).toBe(kept)
  })

  test('leads a transaction by its first word alone', () => {
    const kept = makeReadCache(() => 1)
    for (const word of ['begin', 'rollback', 'commit']) {
      expect(kept.effectOf(`select '${word}'`)).toBeUndefined()
      expect(kept.effectOf(` ${word}`)).toBe(kept.effectOf(word))
      expect(kept.effectOf(`replace into blobs values ('${word}')`)).not.toBe(kept.effectOf(word))
    }
  })

  test('of a transaction that was rolled back, or ended without its commit, leaves nothing that was read after it', async () => {
    for (const end of ['rollback', 'begin']) {
      const kept = makeReadCache(() => 1)
      let reads = 0
      const get = () => kept.get(how('blobs'), async () => ++reads)
      kept.effectOf('begin')?.()
      kept.effectOf('insert into blobs values (1)')?.()
      await get()
      kept.effectOf(end)?.()
      kept.effectOf('begin')?.()
      await get()
      expect([end, reads]).toEqual([end, 2])
    }
  })

  test('asks the engine once in each transaction whether another connection wrote', async () => {
    let [version, asked, reads] = [1, 0, 0]
    const kept = makeReadCache(() => {
      asked += 1
      return version
    })
    const get = () => kept.get(how('blobs'), async () => ++reads)
    await get()
    expect(asked).toBe(1)
    for (const next of [1, 1, 2]) {
      version = next
      kept.effectOf('begin')?.()
      await get()
      await get()
    }
    expect([asked, reads]).toEqual([4, 2])
  })
})

describe('what is kept in memory', () => {
  /** Reads through memory, and returns how often the value was read since. */
  function reader(kept = makeReadCache(() => 1)) {
    let reads = 0
    return async (key = 'a', sizeOf?: () => number): Promise<number> => {
      const how = { key, tables: ['blobs'], holds: () => true, ...(sizeOf && { sizeOf }) }
      await kept.get(how, async () => ++reads)
      return reads
    }
  }

  test('is eight million characters at most: what was kept first is dropped first, and what fits exactly stays', async () => {
    const reads = reader()
    const half = () => 4_000_000
    await reads('a', half)
    await reads('b', half)
    expect([await reads('a', half), await reads('b', half)]).toEqual([2, 2])
    await reads('c', () => 1)
    expect(await reads('b', half)).toBe(3)
    expect(await reads('a', half)).toBe(4)
  })

  test('is four thousand values that do not tell their size', async () => {
    const reads = reader()
    for (let at = 0; at < 4000; at++) await reads(String(at))
    expect(await reads('0')).toBe(4000)
    await reads('4000')
    expect(await reads('1')).toBe(4001)
    expect(await reads('0')).toBe(4002)
  })

  test('counts a value that is read again once', async () => {
    const kept = makeReadCache(() => 1)
    const reads = reader(kept)
    const large = () => 5_000_000
    await reads('small', () => 2_000_000)
    for (let times = 0; times < 3; times++) {
      kept.effectOf('update blobs set sha256 = 1')?.()
      await reads('large', large)
    }
    expect(await reads('large', large)).toBe(4)
    expect(await reads('other', () => 1_000_000)).toBe(5)
    expect(await reads('large', large)).toBe(5)
  })

  test('of what is read again is dropped last', async () => {
    const kept = makeReadCache(() => 1)
    const reads = reader(kept)
    const third = () => 3_000_000
    await reads('a', third)
    await reads('b', third)
    kept.effectOf('update blobs set sha256 = 1')?.()
    await reads('a', third)
    expect(await reads('c', third)).toBe(4)
    expect(await reads('a', third)).toBe(4)
  })

  test('is nothing where the engine does not tell who wrote', async () => {
    let reads = 0
    const how = { key: 'a', tables: ['blobs'], holds: () => true }
    const read = () => cached({} as Tx, how, async () => ++reads)
    expect([await read(), await read()]).toEqual([1, 2])
  })

  test('is dropped as a whole with its connection', async () => {
    const kept = makeReadCache(() => 1)
    const reads = reader(kept)
    await reads('a', () => 8_000_000)
    kept.clear()
    expect(await reads('a', () => 8_000_000)).toBe(2)
    expect(await reads('a', () => 8_000_000)).toBe(2)
  })

  test('cannot be changed, however deep, and may hold what was frozen before', async () => {
    const kept = makeReadCache(() => 1)
    const how = { key: 'deep', tables: [], holds: () => true }
    const value = await kept.get(how, async () => ({
      rows: [1],
      none: null,
      old: Object.freeze({ three: 3 }),
    }))
    expect(() => value.rows.push(2)).toThrow(TypeError)
    expect(() => Object.assign(value, { none: 1 })).toThrow(TypeError)
  })

  test('is not what was read while its table was written', async () => {
    const kept = makeReadCache(() => 1)
    const how = { key: 'a', tables: ['blobs'], holds: () => true }
    const early = await kept.get(how, async () => {
      kept.effectOf('update blobs set sha256 = 1')?.()
      return 'early'
    })
    expect([early, await kept.get(how, async () => 'late')]).toEqual(['early', 'late'])
  })

  test('outlives a transaction that was rolled back and had written nothing', async () => {
    const kept = makeReadCache(() => 1)
    const reads = reader(kept)
    kept.effectOf('begin')?.()
    kept.effectOf('update blobs set sha256 = 1')?.()
    kept.effectOf('commit')?.()
    kept.effectOf('begin')?.()
    await reads()
    kept.effectOf('rollback')?.()
    expect(await reads()).toBe(1)
  })
})

describe('a value of one state of a store', () => {
  function start() {
    const kept = makeSnapshotCache()
    let reads = 0
    return (state: string, { key = 'a', holds = true, size = 1 } = {}, read = async () => ++reads) =>
      kept.get(state, { key, tables: [], holds: () => holds, sizeOf: () => size }, read)
  }

  test('is kept in that state, by its key', async () => {
    const get = start()
    expect([await get('1'), await get('1'), await get('1', { key: 'b' }), await get('1')]).toEqual([
      1, 1, 2, 1,
    ])
  })

  test('is read again in any other state, and in the same one after another', async () => {
    const get = start()
    expect([await get('1'), await get('2'), await get('2'), await get('1')]).toEqual([1, 2, 2, 3])
  })

  test('is not kept when it does not hold, and is read again when it holds no more', async () => {
    const get = start()
    expect([await get('1', { holds: false }), await get('1')]).toEqual([1, 2])
    expect([await get('1', { holds: false }), await get('1')]).toEqual([3, 2])
  })

  test('is not kept when another state was told while it was read', async () => {
    const get = start()
    const held = Promise.withResolvers<number>()
    const slow = get('1', {}, () => held.promise)
    await get('2', { key: 'b' })
    held.resolve(100)
    expect(await slow).toBe(100)
    expect(await get('2')).toBe(2)
  })

  test('is dropped when later ones fill the memory', async () => {
    const get = start()
    const size = 5_000_000
    await get('1', { size })
    await get('1', { key: 'b', size })
    expect(await get('1', { size })).toBe(3)
  })

  test('cannot be changed by one of the calls that share it', async () => {
    const kept = makeSnapshotCache()
    const value = await kept.get('1', { key: 'a', tables: [], holds: () => true }, async () => ({
      open: true,
    }))
    expect(() => Object.assign(value, { open: false })).toThrow(TypeError)
  })
})
