/** Facts about a store for a person who looks for a fault. A look changes and creates nothing. */
import { statSync } from 'node:fs'
import type { SqlRow } from '../core/db.ts'
import type { OpenedStore } from './version.ts'

export type SqliteFacts = {
  bytes: number
  /** The bytes of changes that are not yet in the file itself. */
  walBytes: number
  /** The permission bits of the file. */
  mode: number
  /** False for another program's database. */
  isStore: boolean
  schemaVersion: number
  /** The first damage that SQLite finds; undefined for none, or for a file that is too long to be read now. */
  damage: string | undefined
  wasRead: boolean
  /** The difference of its schema from that of a new store of its version; undefined when it does not. */
  difference: string | undefined
}

/** Reading so much takes about a second. */
const READ_AT_MOST = 500 * 1_048_576

/** Looks at an SQLite file. Returns undefined when there is none. Throws `store_error` or `service_unavailable`. */
export async function inspectSqlite(path: string): Promise<SqliteFacts | undefined> {
  const [{ openReadOnly }, { toOpenError, cutOff, notAStoreError }, { APPLICATION_ID, SCHEMA_VERSION }] =
    await Promise.all([import('./sqlite-files.ts'), import('./sqlite-errors.ts'), import('./version.ts')])
  let found
  try {
    found = statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw toOpenError(error, path)
  }
  if (found === undefined) return undefined
  if (!found.isFile()) throw notAStoreError(path, found.isDirectory() ? 'a folder' : 'no plain file')
  if (found.size === 0) throw cutOff(path)
  try {
    using db = openReadOnly(path)
    const version = db.number('user_version')
    const wasRead = found.size <= READ_AT_MOST
    return {
      bytes: found.size,
      walBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      mode: found.mode & 0o777,
      isStore: db.number('application_id') === APPLICATION_ID,
      schemaVersion: version,
      damage: wasRead ? db.damage() : undefined,
      wasRead,
      difference: version > 0 && version <= SCHEMA_VERSION ? db.schemaDifference() : undefined,
    }
  } catch (error) {
    throw toOpenError(error, path)
  }
}

/** A value, and where the server has it from: `configuration file`, `database`, `user`, `database user`. */
export type PostgresSetting = { value: string; source: string }

/** A copy of the server. Fields are null where this user may not see them. */
export type PostgresStandby = {
  name: string | null
  /** Its state: commits wait for `sync` and `quorum`, not for `async` and `potential`. */
  state: string | null
  /** The bytes of changes that are not on its disk yet. */
  behindBytes: number | null
}

export type PostgresFacts = {
  /** As the server says it: `17.2`. */
  version: string
  database: string
  schemaVersion: number
  /** The settings that decide whether a commit lasts, by their names. */
  settings: Readonly<Record<string, PostgresSetting>>
  isStandby: boolean
  /** The connected copies of this server. */
  standbys: readonly PostgresStandby[]
  isEncrypted: boolean
  mayCreate: boolean
}

const FACTS = `select current_setting('server_version') as version, current_database() as database,
  cast(pg_is_in_recovery() as int) as standby,
  cast(coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as int) as encrypted,
  cast(has_schema_privilege(current_user, current_schema(), 'create') as int) as may_create`

/** Copies for back-ups are no standbys. */
const STANDBYS = `select application_name as name, sync_state as state, cast(pg_wal_lsn_diff(
    case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, flush_lsn) as bigint) as behind
  from pg_stat_replication where coalesce(state, 'streaming') in ('streaming', 'catchup')`

const SETTINGS = [
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'synchronous_standby_names',
  'default_transaction_read_only',
  'autovacuum',
  'max_connections',
]

/** Asks a PostgreSQL server. Throws as `openPostgres` does. */
export async function inspectPostgres(url: string): Promise<PostgresFacts> {
  const { openPostgres } = await import('./postgres.ts')
  const store: OpenedStore = await openPostgres(url, { random: () => 0.5, connections: 1 })
  try {
    return await store.read(async (tx) => {
      const facts: SqlRow = (await tx.get(FACTS)) ?? {}
      const rows = await tx.all(
        `select name, setting, source from pg_settings where name in (${SETTINGS.map((_, at) => `$${at + 1}`).join(', ')})`,
        ...SETTINGS,
      )
      const standbys = await tx.all(STANDBYS)
      return {
        version: String(facts['version']),
        database: String(facts['database']),
        schemaVersion: store.schemaVersion,
        settings: Object.fromEntries(
          rows.map(({ name, setting, source }) => [
            String(name),
            { value: String(setting), source: String(source) },
          ]),
        ),
        isStandby: facts['standby'] === 1,
        standbys: standbys.map(({ name, state, behind }) => ({
          name: typeof name === 'string' ? name : null,
          state: typeof state === 'string' ? state : null,
          behindBytes: typeof behind === 'number' ? behind : null,
        })),
        isEncrypted: facts['encrypted'] === 1,
        mayCreate: facts['may_create'] === 1,
      }
    })
  } finally {
    await store.close()
  }
}
