import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { isPostgresUrl } from '../../src/core/network.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openStore } from '../../src/db/open.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { MIGRATIONS } from '../../src/db/schema.ts'
import { makeEmpty, schemaDifference } from '../../src/db/sqlite-schema.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { SCHEMA_SIZE, SCHEMA_VERSION } from '../../src/db/version.ts'
import { iterations } from '../support/battery.ts'
import { ENGINES, makeTempFolder, openTestStore } from '../support/stores.ts'

/** The processes that open one store at once. */
const PROCESSES = iterations(5, 16)

const random = () => 0.5
const seed = async () => {}

async function useStore(location: string, action: string): Promise<{ result?: unknown; message?: string }> {
  const script = fileURLToPath(new URL('../support/use-store.ts', import.meta.url))
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, location, action])
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

function openDriver(location: string) {
  return isPostgresUrl(location) ? openPostgres(location, { random }) : openSqlite(location)
}

test('the version constant equals the number of migrations', () => {
  expect(SCHEMA_VERSION).toBe(MIGRATIONS.length)
})

test('a new store is as one that came through every version, which adds no rows', async () => {
  const location = join(await makeTempFolder(), 'store.db')
  await (await openStore(location, { seed, random })).close()
  using made = new DatabaseSync(location)
  expect(schemaDifference(made, SCHEMA_VERSION)).toBeUndefined()
  using older = makeEmpty(SCHEMA_VERSION)
  // Those that belong to a virtual table hold what it needs.
  const tables = older
    .prepare(
      `select name from pragma_table_list where schema = 'main' and type = 'table' and name <> 'sqlite_schema'`,
    )
    .all()
  const filled = tables.filter(
    ({ name }) => older.prepare(`select 1 from ${String(name)}`).get() !== undefined,
  )
  expect({ tables: tables.length > 50, filled }).toEqual({ tables: true, filled: [] })
})

test('the size of the schema is that of a new store', () => {
  using db = makeEmpty(SCHEMA_VERSION)
  const size = db
    .prepare('select count(*) as objects, sum(length(sql)) as characters from sqlite_schema')
    .get()
  expect({ ...size }, 'SCHEMA_SIZE of src/db/version.ts').toEqual(SCHEMA_SIZE)
})

test.each([
  [
    'a trigger',
    'create trigger more after update on ordinals begin delete from wallets; end',
    /has the trigger more/,
  ],
  ['a dropped table', 'drop table ledger', /the table ledger is missing/],
  ['an index of words that is gone', 'drop table shipment_search', /the table shipment_search is missing/],
  ['an index that is gone', 'drop index events_by_resource', /the index \w+ is missing/],
])('a store to which another program gave %s is refused as it is', async (_what, sql, why) => {
  const location = await (ENGINES[0] as (typeof ENGINES)[number]).locate()
  await (await openStore(location, { seed, random })).close()
  {
    using db = new DatabaseSync(location)
    db.exec(sql.replace('events_by_resource', indexOf(db)))
  }
  await expect(openStore(location, { seed, random })).rejects.toMatchObject({
    code: 'store_error',
    message: expect.stringMatching(why) as string,
  })
})

function indexOf(db: DatabaseSync): string {
  return String(
    db.prepare(`select name from sqlite_schema where type = 'index' and sql is not null`).get()?.['name'],
  )
}

describe.each(ENGINES)('opening a store on $name', (engine) => {
  test('creates and seeds a new one, and finds it again', async () => {
    const location = await engine.locate()
    const first = await openTestStore(engine, {
      location,
      seed: async (tx) => {
        await tx.run('insert into ordinals (kind, last) values ($1, $2)', 'opened', 4)
      },
    })
    await first.close()
    const second = await openTestStore(engine, {
      location,
      seed: () => Promise.reject(new Error('seeded twice')),
    })
    const row = await second.read((tx) => tx.get('select last from ordinals where kind = $1', 'opened'))
    expect(row?.['last']).toBe(4)
  })

  test(`${PROCESSES} processes at once all succeed and seed it once`, async () => {
    const location = await engine.locate()
    const outcomes = await Promise.all(Array.from({ length: PROCESSES }, () => useStore(location, 'count')))
    expect(outcomes.filter(({ message }) => message !== undefined)).toEqual([])
    const counts = outcomes.map(({ result }) => Number(result)).toSorted((a, b) => a - b)
    expect(counts).toEqual(Array.from({ length: PROCESSES }, (_, index) => index + 1))
  })

  test('leaves nothing behind when seeding fails, so that the next try starts afresh', async () => {
    const location = await engine.locate()
    const failing = openStore(location, {
      seed: async (tx) => {
        await tx.run('insert into ordinals (kind, last) values ($1, $2)', 'opened', 4)
        throw new Error('no fixture')
      },
      random,
    })
    await expect(failing).rejects.toThrow('no fixture')
    const db = await openTestStore(engine, { location })
    expect(await db.read((tx) => tx.all('select kind from ordinals'))).toEqual([])
  })

  async function makeOldStore(location: string): Promise<void> {
    const old = await openDriver(location)
    const insert = 'insert into ordinals (kind, last) values ($1, $2)'
    await migrate(
      old,
      async (tx) => {
        await tx.run(insert, 'opened', 4)
      },
      MIGRATIONS.slice(0, 1),
    )
    await old.close()
  }

  test(`${PROCESSES} processes at once all bring an older one up to date`, async () => {
    const location = await engine.locate()
    await makeOldStore(location)
    const outcomes = await Promise.all(Array.from({ length: PROCESSES }, () => useStore(location, 'count')))
    expect(outcomes.filter(({ message }) => message !== undefined)).toEqual([])
    expect(Math.max(...outcomes.map(({ result }) => Number(result)))).toBe(4 + PROCESSES)
  })

  test('a migration that cannot run twice runs once', async () => {
    const location = await engine.locate()
    await makeOldStore(location)
    const stores = await Promise.all(Array.from({ length: 8 }, () => openDriver(location)))
    const added = [...MIGRATIONS.slice(0, 1), ['alter table ordinals add column note {text}']]
    // SQLite blocks its thread while it waits: each process finds the older version first, and they migrate in turn.
    let before: Promise<unknown> = Promise.resolve()
    const migrations = await Promise.allSettled(
      stores.map((store) => {
        const migration = before.then(() => migrate(store, seed, added))
        if (engine.name === 'SQLite') before = migration
        return migration
      }),
    )
    expect(migrations.filter(({ status }) => status === 'rejected')).toEqual([])
    await Promise.all(stores.map((store) => store.close()))
  })

  test('migrates an older one, keeps its content and passes its version to the seed', async () => {
    const location = await engine.locate()
    await makeOldStore(location)
    const versions: number[] = []
    const db = await openTestStore(engine, {
      location,
      seed: async (_tx, from) => {
        versions.push(from)
      },
    })
    expect(versions).toEqual([1])
    const row = await db.read((tx) => tx.get('select last from ordinals where kind = $1', 'opened'))
    expect(row?.['last']).toBe(4)
    await db.close()
    const reopened = await openDriver(location)
    expect(reopened.schemaVersion).toBe(SCHEMA_VERSION)
    await reopened.close()
  })

  test('refuses one with a newer schema, and changes nothing in it', async () => {
    const location = await engine.locate()
    const newer = await openDriver(location)
    await migrate(newer, seed, [
      ...MIGRATIONS,
      ['create table of_the_future (id {int} primary key) {strict}'],
    ])
    await newer.close()

    const opening = openStore(location, { seed: () => Promise.reject(new Error('seeded')), random })
    await expect(opening).rejects.toMatchObject({
      code: 'store_error',
      message: expect.stringMatching(
        new RegExp(`newer dray \\(schema ${SCHEMA_VERSION + 1}; this one knows ${SCHEMA_VERSION}\\)`),
      ),
    })
  })

  test('a store that another process migrated further meanwhile is refused too', async () => {
    const location = await engine.locate()
    const slow = await openDriver(location)
    const quick = await openDriver(location)
    await migrate(quick, seed, [...MIGRATIONS, []])
    await expect(migrate(slow, seed)).rejects.toMatchObject({ code: 'store_error' })
    await Promise.all([slow.close(), quick.close()])
  })

  test('constraints hold: an unknown account gets no token, a status outside the list no row', async () => {
    const db = await openTestStore(engine)
    const token = `insert into tokens (token_hash, account_id, scopes, expires_at, created_at) values ('h', 'acc_none', '', 1, 1)`
    await expect(db.write((tx) => tx.run(token))).rejects.toThrow(/foreign key/i)
    const ordinal = 'insert into ordinals (kind, last) values ($1, $2)'
    await expect(db.write((tx) => tx.run(ordinal, 'opened', -1))).rejects.toThrow(/check/i)
    await expect(db.write((tx) => tx.run(ordinal, 'opened', 'twelve'))).rejects.toThrow(/integer|bigint/i)
  })
})

test('opening an embedded store that is up to date loads neither its schema nor PostgreSQL', async () => {
  const [sqlite] = ENGINES
  const location = (await sqlite?.locate()) ?? ''
  await useStore(location, 'count')
  const { result } = await useStore(location, 'modules')
  const names = (result as string[]).map((url) => url.replace(/.*\//, ''))
  expect(names).toContain('sqlite.ts')
  expect(names).not.toContain('migrate.ts')
  expect(names).not.toContain('schema.ts')
  expect(names).not.toContain('postgres.ts')
  expect(names).not.toContain('crypto')
})

test.each([
  ['postgres://host/db', true],
  ['postgresql://host/db', true],
  ['/home/me/postgres.db', false],
  ['postgres', false],
  [':memory:', false],
])('%s is a PostgreSQL address: %s', (location, expected) => {
  expect(isPostgresUrl(location)).toBe(expected)
})

test('a store in memory lives as long as it is open', async () => {
  const db = await openStore(':memory:', { seed, random })
  await db.write((tx) => tx.run('insert into ordinals (kind, last) values ($1, $2)', 'opened', 1))
  expect(await db.read((tx) => tx.all('select kind from ordinals'))).toHaveLength(1)
  await db.close()
})
