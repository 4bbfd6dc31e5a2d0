/** The schema of an SQLite file, compared with that of a new store. */
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../core/errors.ts'
import { toDialect } from './migrate.ts'
import { MIGRATIONS } from './schema.ts'

/** An object of a schema; `sql` is null for the index of a constraint. */
type SchemaObject = { type: string; name: string; table: string; sql: string | null }

/**
 * Returns how the schema of a file differs from that of a new store of the same version: a table, column, constraint, index,
 * trigger or view that is missing, changed or added. Returns undefined for the same schema. Runs no statement of the file.
 */
export function schemaDifference(db: DatabaseSync, version: number): string | undefined {
  const own = objectsOf(db)
  const right = objectsOf(makeEmpty(version))
  for (const [key, { type, name, sql }] of right) {
    const found = own.get(key)
    if (found === undefined) {
      const other = [...own.values()].find((each) => each.name === name)
      return other === undefined
        ? `the ${type} ${name} is missing`
        : `${name} must be a ${type} and is a ${other.type}`
    }
    if (found.sql !== sql) return `the ${type} ${name} is not as dray makes it`
  }
  const added = [...own].find(([key]) => !right.has(key))?.[1]
  return added && `it has the ${added.type} ${added.name} on ${added.table} that dray does not make`
}

/** Throws `store_error` for a file whose schema is not that of its version. `shown` is how the sentence begins. */
export function assertOwnSchema(db: DatabaseSync, version: number, path: string): void {
  const difference = schemaDifference(db, version)
  if (difference === undefined) return
  throw new AppError(
    'store_error',
    `The store ${path} was changed by another program: ${difference}. Restore it from a backup, or move it away to start with a new one.`,
  )
}

function objectsOf(db: DatabaseSync): Map<string, SchemaObject> {
  const rows = db
    // `analyze` keeps its statistics in tables of SQLite's own: they change how fast a query is, and nothing else.
    .prepare(
      `select type, name, tbl_name as "table", sql from sqlite_schema where name not like 'sqlite_stat_' order by rowid`,
    )
    .all()
  return new Map(
    rows.map((row) => {
      const object = row as SchemaObject
      return [`${object.type} ${object.name} ${object.table}`, object]
    }),
  )
}

/** Makes a store of a version without rows in memory, one version after the other. */
export function makeEmpty(version: number): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  for (const statement of toDialect(MIGRATIONS.slice(0, version).flat(), 'sqlite')) db.exec(statement)
  return db
}

/** Returns the statements that make the tables and indexes of a version at once. A virtual table makes its own tables. */
export function statementsOf(version: number): string[] {
  const made = makeEmpty(version).prepare(
    `select sql from sqlite_schema where sql is not null
       and name not in (select name from pragma_table_list where type = 'shadow') order by rowid`,
  )
  return made.all().map(({ sql }) => String(sql))
}
