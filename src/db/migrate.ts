import type { Db, TransactionOptions, Tx } from '../core/db.ts'
import { MIGRATIONS } from './schema.ts'
import { readIntegerColumn } from './values.ts'
import { APPLICATION_ID, assertNotNewer } from './version.ts'

/** The differences between the two engines in schema and version. */
type Engine = {
  words: Readonly<Record<string, string>>
  /** Makes every other migrating process wait until this transaction ends. */
  lock(tx: Tx): Promise<void>
  version(tx: Tx): Promise<number>
  setVersion(tx: Tx, version: number): Promise<void>
}

/** The differences between the engines. */
const ENGINES: Readonly<Record<Db['kind'], Engine>> = {
  sqlite: {
    words: {
      int: 'integer',
      text: 'text',
      blob: 'blob',
      strict: 'strict',
      unclean: `glob '*[^ -~]*'`,
    },
    // A write transaction locks the whole file. An index of a large table is sorted in a file.
    lock: async (tx) => void (await tx.run('pragma temp_store = file')),
    version: async (tx) => readIntegerColumn(await tx.get('pragma user_version'), 'user_version'),
    setVersion: async (tx, version) => {
      await tx.run(`pragma application_id = ${APPLICATION_ID}`)
      await tx.run(`pragma user_version = ${version}`)
    },
  },
  postgres: {
    words: { int: 'bigint', text: 'text collate "C"', blob: 'bytea', strict: '', unclean: `~ '[^ -~]'` },
    lock: async (tx) => {
      // The second process waits for all migrations and the seed, which is longer than for a row.
      await tx.run(`set local lock_timeout = '60s'`)
      await tx.all(`select pg_advisory_xact_lock(${APPLICATION_ID})`)
    },
    version: async (tx) => {
      await tx.run(
        `create table if not exists schema_version (
          one bigint primary key check (one = 1),
          version bigint not null
        )`,
      )
      const row = await tx.get('select version from schema_version')
      return row === undefined ? 0 : readIntegerColumn(row, 'version')
    },
    setVersion: async (tx, version) => {
      await tx.run(
        `insert into schema_version (one, version) values (1, $1)
         on conflict (one) do update set version = excluded.version`,
        version,
      )
    },
  },
}

/** The limit of a statement. An index over a large table takes long, and no caller waits for it. */
const MIGRATING: TransactionOptions = { statementMs: 3_600_000 }

/**
 * Migrates a store to the newest schema and seeds its new parts, in one transaction. That transaction reads the
 * version again, so any number of processes may start at once. Throws `store_error` when the store is newer.
 */
export async function migrate(
  db: Db,
  seed: (tx: Tx, from: number) => Promise<void>,
  migrations: readonly (readonly string[])[] = MIGRATIONS,
): Promise<void> {
  const engine = ENGINES[db.kind]
  await db.write(async (tx) => {
    await engine.lock(tx)
    const version = await engine.version(tx)
    assertNotNewer(version, 'The store', migrations.length)
    if (version === migrations.length) return
    const isNew = version === 0 && db.kind === 'sqlite' && migrations === MIGRATIONS
    const statements = isNew
      ? (await import('../generated/new-store.ts')).NEW_STORE
      : toDialect(migrations.slice(version).flat(), db.kind)
    for (const statement of statements) await tx.run(statement)
    await engine.setVersion(tx, migrations.length)
    await seed(tx, version)
  }, MIGRATING)
}

/** The engine of a statement that only one of them runs: `{sqlite} create virtual table …`. */
const ONE_ENGINE = /^\{(sqlite|postgres)\} /

/** Returns the statements of the schema that an engine runs, in its words. */
export function toDialect(statements: readonly string[], kind: Db['kind']): string[] {
  const { words } = ENGINES[kind]
  return statements
    .filter((one) => (ONE_ENGINE.exec(one)?.[1] ?? kind) === kind)
    .map((one) =>
      one.replace(ONE_ENGINE, '').replaceAll(/\{(\w+)\}/g, (_, word: string) => {
        const replacement = words[word]
        if (replacement === undefined) throw new Error(`{${word}} is not a word of the schema`)
        return replacement
      }),
    )
}
