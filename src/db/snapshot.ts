import { serviceNow } from '../core/clock.ts'
import type { SqlRow, Tx, SqlValue } from '../core/db.ts'
import { clearStore } from './status.ts'
import { listTables, type TableSchema } from './tables.ts'
import { findWorld } from './world.ts'

/** Rows of a table: their values in the order of the columns. */
export type TableRows = { table: string; columns: readonly string[]; rows: SqlValue[][] }

const PAGE = 200

/** Columns of this machine and not of the store's content; a snapshot leaves them out. */
const OWN_COLUMNS: readonly string[] = ['cursor_key', 'clock_real']
/** Columns that neither a snapshot brings nor the store before: the new content begins a generation. */
const NEW_COLUMNS: readonly string[] = ['generation', 'generation_from']
/** Tables with secrets, even if hashed: a copy of a store must not accept the original's logins. */
const LOGIN_TABLES: readonly string[] = [
  'tokens',
  'oauth_clients',
  'grants',
  'refresh_tokens',
  'device_codes',
  'approvers',
  'page_sessions',
]
/** A shared link is for one resource of the content that is gone: another may have that one's id. */
const OWN_TABLES: readonly string[] = [...LOGIN_TABLES, 'shared_links', 'rate_limits']
/** The tables of logins whose times are by the service's clock; those of the others are by the machine's. */
const SERVICE_TIMES: readonly string[] = [
  'tokens',
  'oauth_clients',
  'grants',
  'refresh_tokens',
  'device_codes',
]

/** Returns the tables of a snapshot of a schema version: all but those with secrets, parents first. */
export function listSnapshotTables(version?: number): TableSchema[] {
  return listTables(version)
    .filter(({ name }) => !OWN_TABLES.includes(name))
    .map(({ name, columns, key }) => ({
      name,
      key,
      columns: columns.filter(({ name: column }) => ![...OWN_COLUMNS, ...NEW_COLUMNS].includes(column)),
    }))
}

/**
 * Yields every row of the store, page by page, in an order that is the same for both engines. The clock is written as
 * at `now` (service time), so that it continues from there after loading. `version` is that of the store's schema.
 */
export async function* dumpRows(tx: Tx, now: number, version?: number): AsyncGenerator<TableRows> {
  for (const { name, columns: all, key } of listSnapshotTables(version)) {
    const columns = all.map((column) => column.name)
    const places = key.map((column) => columns.indexOf(column))
    const select = `select ${columns.join(', ')} from ${name}`
    const tail = `order by ${key.join(', ')} limit ${PAGE}`
    const after = `where (${key.join(', ')}) > (${key.map((_, index) => `$${index + 1}`).join(', ')})`
    let last: SqlValue[] = []
    do {
      const found: SqlRow[] =
        last.length === 0
          ? await tx.all(`${select} ${tail}`)
          : await tx.all(`${select} ${after} ${tail}`, ...last)
      const rows = found.map((row) =>
        columns.map((column) => (column === 'clock_service' ? now : (row[column] ?? null))),
      )
      yield { table: name, columns, rows }
      const end = rows.at(-1)
      last = rows.length < PAGE || end === undefined ? [] : places.map((place) => end[place] ?? null)
    } while (last.length > 0)
  }
}

/**
 * Replaces all rows of the store, in the current transaction. Keeps the store's own cursor key, and the logins of
 * accounts that exist again under the same name: their tokens, programs and devices. One that was made later than the new
 * content counts as made now, and so lives no longer than it was to. `real` is the machine's clock.
 */
export async function replaceRows(tx: Tx, pages: AsyncIterable<TableRows>, real: number): Promise<void> {
  const own = await tx.get(`select cursor_key from world where one = 1 ${tx.forUpdate}`)
  const [logins, before] = [await dumpLogins(tx), await readHandles(tx)]
  await clearStore(tx)
  await insertRows(tx, pages, { cursorKey: String(own?.['cursor_key'] ?? ''), real })
  const world = await findWorld(tx)
  const handles = await readHandles(tx)
  const accounts = new Set([...handles].flatMap(([id, name]) => (before.get(id) === name ? [id] : [])))
  await restoreLogins(tx, logins, { accounts, now: world === undefined ? 0 : serviceNow(world.clock, real) })
}

/** Returns the names of all accounts by id. In another world another account may have an id. */
async function readHandles(tx: Tx): Promise<Map<unknown, unknown>> {
  const rows = await tx.all('select account_id, handle from accounts')
  return new Map(rows.map(({ account_id, handle }) => [account_id, handle]))
}

/** Inserts the rows of a snapshot into an empty store of its schema, with the columns that belong to the store itself. */
export async function insertRows(
  tx: Tx,
  pages: AsyncIterable<TableRows>,
  { cursorKey, real }: { cursorKey: string; real: number },
): Promise<void> {
  for await (const { table, columns, rows } of pages) {
    if (rows.length === 0) continue
    if (table === 'world')
      await tx.insertMany(
        table,
        [...columns, ...OWN_COLUMNS],
        rows.map((row) => [...row, cursorKey, real]),
      )
    else await tx.insertMany(table, columns, rows)
  }
}

type Logins = { table: string; columns: string[]; rows: SqlRow[] }[]

/** Returns the rows of all logins, parents first. */
async function dumpLogins(tx: Tx): Promise<Logins> {
  const logins: Logins = []
  for (const { name, columns } of listTables().filter((table) => LOGIN_TABLES.includes(table.name))) {
    const names = columns.map((column) => column.name)
    logins.push({
      table: name,
      columns: names,
      rows: await tx.all(`select ${names.join(', ')} from ${name}`),
    })
  }
  return logins
}

async function restoreLogins(
  tx: Tx,
  logins: Logins,
  { accounts, now }: { accounts: ReadonlySet<unknown>; now: number },
): Promise<void> {
  /** The time by which each grant is ahead of the clock. */
  const grants = new Map<unknown, number>()
  for (const { table, columns, rows } of logins) {
    const kept = rows.filter(({ account_id = null, grant_id = null }) =>
      // A pending device has no account yet; a refresh token belongs to a grant and not to an account.
      account_id === null ? table !== 'refresh_tokens' || grants.has(grant_id) : accounts.has(account_id),
    )
    const moved = kept.map((row) => {
      if (!SERVICE_TIMES.includes(table)) return row
      const { created_at = null, grant_id = null } = row
      const ahead = created_at === null ? (grants.get(grant_id) ?? 0) : Math.max(0, Number(created_at) - now)
      if (table === 'grants') grants.set(grant_id, ahead)
      return movedBack(row, ahead)
    })
    await tx.insertMany(
      table,
      columns,
      moved.map((row) => columns.map((column) => row[column] ?? null)),
    )
  }
}

/** Returns a login with its times so much earlier. */
function movedBack(row: SqlRow, ahead: number): SqlRow {
  if (ahead === 0) return row
  const times = ['created_at', 'expires_at', 'turned_at', 'used_at'].flatMap((column) => {
    const value = row[column] ?? null
    return value === null ? [] : [[column, Number(value) - ahead] as const]
  })
  return { ...row, ...Object.fromEntries(times) }
}
