/** The prepared statements of the one connection of an SQLite store, and what is kept of what they read. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { isReadStatement, makeReadCache, type ReadCache } from './read-cache.ts'
import { COUNTER_TABLES } from './write-buffer.ts'

/** Statements differ only in the length of an `in (…)` list; in practice there are far fewer than this. */
const MAX_STATEMENTS = 500

export type CachedStatement = {
  statement: StatementSync
  effect: (() => void) | undefined
  reads: boolean
  /** True if it may read or write what a transaction holds. */
  isHeld: boolean
}

export type SqliteStatements = {
  find(sql: string): CachedStatement
  /** Returns the statement, which must run at once: what is kept of its tables counts as changed. */
  prepare(sql: string): StatementSync
  kept: ReadCache
  /** Drops everything that belongs to a connection which ended. */
  forget(): void
}

/**
 * Returns a statement with `?1` for `$1`, which node:sqlite binds by position. SQLite plans a statement by the value of a
 * bare `limit ?1`, and so would prepare it again for each call; `+?1` has the same value, unseen.
 */
function toSqlite(sql: string): string {
  return sql.replaceAll(/\b(limit|offset) \$/gi, '$1 +$').replaceAll(/\$(\d+)/g, '?$1')
}

/** Prepares each statement once and keeps it. */
export function makeStatements(db: DatabaseSync): SqliteStatements {
  const known = new Map<string, CachedStatement>()
  const kept = makeReadCache(() => prepare('pragma data_version').get()?.['data_version'])

  function find(sql: string): CachedStatement {
    const found = known.get(sql)
    if (found !== undefined) return found
    if (known.size >= MAX_STATEMENTS) known.clear()
    const statement = db.prepare(toSqlite(sql))
    const made = {
      statement,
      effect: kept.effectOf(sql),
      reads: isReadStatement(sql),
      isHeld: COUNTER_TABLES.test(sql),
    }
    known.set(sql, made)
    return made
  }

  function prepare(sql: string): StatementSync {
    const { effect, statement } = find(sql)
    effect?.()
    return statement
  }

  function forget(): void {
    known.clear()
    kept.clear()
  }

  return { find, prepare, kept, forget }
}
