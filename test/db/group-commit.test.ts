/** Writes of one process that wait at the same time: SQLite syncs them to the disk together. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Db, Tx } from '../../src/core/db.ts'
import { PROCESS_EVENT_LOOP } from '../../src/core/event-loop.ts'
import { openStore } from '../../src/db/open.ts'
import { makeParcel } from '../support/parcel.ts'
import { ENGINES, makeTempFolder, openTestStore } from '../support/stores.ts'
import { openTestSandbox } from '../support/world.ts'

const MANY = 32
const BLOB = 'insert into blobs (sha256, bytes) values ($1, $2)'

/** Returns how often the write-ahead log was committed: a frame that ends a commit names the size of the store. */
function countCommits(path: string): number {
  const log = readFileSync(`${path}-wal`)
  const frame = 24 + log.readUInt32BE(8)
  let commits = 0
  for (let at = 32; at + frame <= log.length; at += frame) if (log.readUInt32BE(at + 4) > 0) commits += 1
  return commits
}

/**
 * Opens a new store. Its clock advances by a number of milliseconds whenever the store looks at it, and stands still by default:
 * how long a machine takes decides nothing.
 */
async function openNew({ passing = 0 } = {}): Promise<{ db: Db; path: string }> {
  const path = join(await makeTempFolder(), 'store.db')
  let ms = 0
  const loop = { ...PROCESS_EVENT_LOOP, elapsed: () => (ms += passing) }
  return { path, db: await openStore(path, { seed: async () => {}, random: () => 0.5, sqlite: { loop } }) }
}

const add = (db: Db, name: string, size = 1): Promise<number> =>
  db.write((tx) => tx.run(BLOB, name, new Uint8Array(size)))

async function namesIn(db: Db): Promise<unknown[]> {
  const rows = await db.read((tx) => tx.all('select sha256 from blobs order by sha256'))
  return rows.map((row) => row['sha256'])
}

test('many parcels made at once are made in order, and one that is refused is refused alone', async () => {
  const world = await openTestSandbox()
  const references = Array.from({ length: MANY }, (_, at) => (at === 20 ? 'R-3' : `R-${at}`))
  const answers = await Promise.all(
    references.map((reference) => world.call('create_shipment', makeParcel({ reference }))),
  )
  expect(answers.flatMap(({ status }, at) => (status === 201 ? [] : [at]))).toEqual([20])
  expect(answers[20]?.body).toMatchObject({
    code: 'duplicate_reference',
    existing_tracking_number: answers[3]?.body['tracking_number'],
  })
  const { data } = await world.ok('list_shipments', { limit: 100 })
  expect(data.map(({ reference }) => reference)).toEqual(references.filter((_, at) => at !== 20).toReversed())
})

test('a key that comes twice at once makes one parcel, and both calls get its answer', async () => {
  const world = await openTestSandbox()
  const twice = [1, 2].map(() =>
    world.call('create_shipment', makeParcel({ reference: 'ONCE' }), { key: 'same' }),
  )
  const other = world.call('create_shipment', makeParcel({ reference: 'OTHER' }), { key: 'same' })
  const [first, second] = await Promise.all(twice)
  expect(second?.text).toBe(first?.text)
  expect(second?.headers['Idempotent-Replayed']).toBe('true')
  expect((await other).body).toMatchObject({ code: 'idempotency_key_reused' })
  expect((await world.ok('list_shipments')).data).toHaveLength(1)
})

test('writes that wait together are committed together, and one that fails leaves nothing behind', async () => {
  const { db, path } = await openNew()
  await add(db, 'before')
  const before = countCommits(path)
  const writes = Array.from({ length: MANY }, (_, at) => {
    const name = String(at).padStart(2, '0')
    return db.write(async (tx) => {
      await tx.run(BLOB, name, new Uint8Array(1))
      await tx.savepoint(() => tx.run(BLOB, `${name} nested`, new Uint8Array(1)))
      if (at % 8 === 5) throw new Error(`no ${name}`)
      return name
    })
  })
  const outcomes = await Promise.allSettled(writes)
  expect(countCommits(path) - before).toBeLessThan(MANY / 2)
  const kept = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  expect(kept).toHaveLength(MANY - 4)
  expect(await namesIn(db)).toEqual([...kept.flatMap((name) => [name, `${name} nested`]), 'before'])
  await db.close()
})

test('a read sees a write of a group when the group is in the store, not before', async () => {
  const { db } = await openNew()
  const seen: string[] = []
  let read: Promise<unknown> | undefined
  const first = db.write(async (tx) => {
    await tx.run(BLOB, 'first', new Uint8Array(1))
    read = namesIn(db).then((names) => seen.push(`read ${names.join(', ')}`))
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  })
  const second = add(db, 'second').then(() => seen.push('second answered'))
  await Promise.all([first.then(() => seen.push('first answered')), second])
  await read
  expect(seen).toEqual(['first answered', 'second answered', 'read first, second'])
  await db.close()
})

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

test('a read sees one state of the store throughout, and one that comes after a write sees the write', async () => {
  const { db, path } = await openNew()
  const other = await openStore(path, { seed: async () => {}, random: () => 0.5 })
  const slow = db.read(async (tx) => {
    const before = await tx.all('select sha256 from blobs')
    await add(other, 'meanwhile')
    return [...before, ...(await tx.all('select sha256 from blobs'))]
  })
  const together = namesIn(db)
  while ((await namesIn(other)).length === 0) await turn()
  const after = namesIn(db)
  expect([await slow, await after]).toEqual([[], ['meanwhile']])
  // It shares the transaction of the slow one, or goes on over the second connection.
  expect([[], ['meanwhile']]).toContainEqual(await together)
  await Promise.all([db.close(), other.close()])
})

test('a read that fails, fails alone, and none waits for the answer of a slow one', async () => {
  const { db } = await openNew()
  let go = (): void => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  const broken = db.read((tx) => tx.all('select nothing from nowhere'))
  const quick = namesIn(db)
  const slow = db.read(() => held.then(() => 'slow'))
  const last = namesIn(db)
  await expect(broken).rejects.toThrow('nothing')
  expect(await quick).toEqual([])
  go()
  expect([await slow, await last]).toEqual(['slow', []])
  await db.close()
})

/** Every look at the clock takes so long that the third statement in a row gives way to others. */
const SLOW = { passing: 10 }
const STATEMENT = 'select 1 as one'

/** Returns how often the event loop has turned so far. */
function countTurns(): () => number {
  let turns = 0
  const turned = (): void => {
    turns += 1
    setImmediate(turned).unref()
  }
  setImmediate(turned).unref()
  return () => turns
}

test.each(['read', 'write'] as const)(
  'a long %s lets others run between its statements, except on the store',
  async (how) => {
    const { db } = await openNew(SLOW)
    const turns = countTurns()
    const written: string[] = []
    let statements = 0
    const long = db[how](async (tx) => {
      void add(db, 'other').then(() => written.push('other'))
      for (; turns() < 4 && statements < 200; statements++) await tx.get(STATEMENT)
      return tx.all('select sha256 from blobs')
    }).then((rows) => written.push(`long, which saw ${rows.length}`))
    await long
    expect(turns()).toBeGreaterThanOrEqual(4)
    expect(written).toEqual(['long, which saw 0'])
    await db.close()
    expect(written).toEqual(['long, which saw 0', 'other'])
  },
)

test('reads that keep coming do not hold back a write', async () => {
  const { db } = await openNew(SLOW)
  const turns = countTurns()
  const MOST = 10
  let reads = 0
  const readOn = (): void => {
    if (reads === MOST) return
    reads += 1
    void db.read(async (tx) => {
      // Another read waits before this one ends.
      const now = turns()
      for (let left = 50; turns() === now && left > 0; left--) await tx.get(STATEMENT)
    })
    setImmediate(readOn)
  }
  readOn()
  await add(db, 'written')
  expect(reads).toBeLessThan(MOST)
  reads = MOST
  await db.close()
})

test('a read does not wait for a long write or a long read, and sees the store before the write', async () => {
  const { db } = await openNew(SLOW)
  await add(db, 'before')
  const slowly = async (tx: Tx, isOver: () => boolean): Promise<void> => {
    while (!isOver()) await tx.get(STATEMENT)
  }
  let isRead = false
  const write = db.write(async (tx) => {
    await tx.run(BLOB, 'written', new Uint8Array(1))
    await slowly(tx, () => isRead)
  })
  // It comes while the write is at work.
  const seen = await db.read((tx) => tx.get(STATEMENT)).then(() => namesIn(db))
  isRead = true
  await write
  expect(seen).toEqual(['before'])

  let isWritten = false
  const read = db.read((tx) => slowly(tx, () => isWritten), { long: true })
  await add(db, 'meanwhile')
  isWritten = true
  await read
  expect(await namesIn(db)).toEqual(['before', 'meanwhile', 'written'])
  await db.close()
})

test('a read that waits for a long write does not wait for a longer read instead', async () => {
  const { db } = await openNew(SLOW)
  let isRead = false
  const long = db.read(
    async (tx) => {
      while (!isRead) await tx.get(STATEMENT)
    },
    { long: true },
  )
  let seen: Promise<unknown[]> | undefined
  await db.write(async (tx) => {
    await tx.run(BLOB, 'written', new Uint8Array(1))
    seen = namesIn(db)
    for (let count = 0; count < 5; count++) await tx.get(STATEMENT)
  })
  expect(await seen).toEqual(['written'])
  isRead = true
  await long
  await db.close()
})

test('a read waits for a long write when the store cannot be opened once more', async () => {
  const { db, path } = await openNew(SLOW)
  let seen: Promise<unknown[]> | undefined
  await db.write(async (tx) => {
    renameSync(path, `${path}.moved`)
    await tx.run(BLOB, 'written', new Uint8Array(1))
    seen = namesIn(db)
    for (let count = 0; count < 5; count++) await tx.get(STATEMENT)
  })
  expect(await seen).toEqual(['written'])
  expect(existsSync(path)).toBe(false)
  renameSync(`${path}.moved`, path)
  await db.close()
})

test('a store that is closed is not opened anew by a long read', async () => {
  const { db } = await openNew()
  await db.close()
  await expect(db.read((tx) => tx.get(STATEMENT), { long: true })).rejects.toThrow('closed')
})

test.each(ENGINES)('on $name, a refused change counts as one, and a read as none', async (engine) => {
  const db = await openTestStore(engine)
  const { writes } = db.tally
  await expect(db.write(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  await db.write((tx) => tx.get(STATEMENT), { statementMs: 5000 })
  await expect(
    db.write(() => Promise.reject(new Error('refused apart')), { statementMs: 5000 }),
  ).rejects.toThrow('refused apart')
  await db.read((tx) => tx.get(STATEMENT))
  expect(db.tally.writes - writes).toBe(3)
})

test('a store that is closed finishes the writes that wait', async () => {
  const { db, path } = await openNew()
  const writes = ['a', 'b', 'c'].map((name) => add(db, name))
  await db.close()
  expect(await Promise.all(writes)).toEqual([1, 1, 1])
  await expect(add(db, 'd')).rejects.toThrow('The store is closed')
  const [engine] = ENGINES
  if (engine === undefined) throw new Error('there is SQLite')
  expect(await namesIn(await openTestStore(engine, { location: path }))).toEqual(['a', 'b', 'c'])
})

test('when the disk is full for one of a group, it alone is told so', async () => {
  const { db } = await openNew()
  const { page_count: pages } = (await db.read((tx) => tx.get('pragma page_count'))) ?? {}
  await db.read((tx) => tx.all(`pragma max_page_count = ${Number(pages) + 20}`))
  const outcomes = await Promise.allSettled([
    add(db, 'a'),
    add(db, 'large', 1_000_000),
    add(db, 'b'),
    db.write(() => Promise.reject(new Error('refused'))),
  ])
  expect(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason)),
  ).toMatchObject([1, { code: 'storage_full' }, 1, { message: 'refused' }])
  expect(await namesIn(db)).toEqual(['a', 'b'])
  await db.close()
})

test('when a commit fails, each answer of its group is true', async () => {
  const path = join(await makeTempFolder(), 'store.db')
  const script = fileURLToPath(new URL('../support/use-store.ts', import.meta.url))
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    'trap "" XFSZ; ulimit -f 4000; exec "$@"',
    'sh',
    process.execPath,
    script,
    path,
    'crowd',
  ])
  const { result } = JSON.parse(stdout) as { result: { kept: string[]; refused: string[] } }
  const [engine] = ENGINES
  if (engine === undefined) throw new Error('there is SQLite')
  expect(await namesIn(await openTestStore(engine, { location: path }))).toEqual(result.kept.toSorted())
  expect(result.kept.length).toBeGreaterThan(8)
  expect(new Set(result.refused)).toEqual(new Set(['storage_full']))
})
