/** SQLite files beside the open store: looked at, copied, checked. */
import { DatabaseSync } from 'node:sqlite'
import { isSqliteBusy } from './sqlite-errors.ts'
import { schemaDifference } from './sqlite-schema.ts'

export type ReadOnly = {
  /** Returns the value of a pragma that is a number. */
  number(name: 'application_id' | 'user_version'): number
  /** Returns the first damage that SQLite finds by reading the whole file; undefined for none. */
  damage(): string | undefined
  /** Returns the first index, constraint or reference that the rows break, by reading the whole file; undefined for none. */
  contradiction(): string | undefined
  /** Returns how the schema differs from that of a new store; undefined when it does not. */
  schemaDifference(): string | undefined
  [Symbol.dispose](): void
}

/** The time that a look waits for a writer, in milliseconds. */
const PATIENCE = 3000

/** Opens a file for reading only. Throws the error of SQLite. */
export function openReadOnly(path: string): ReadOnly {
  const db = new DatabaseSync(path, { readOnly: true, timeout: PATIENCE })
  // The file may be another's: its schema runs nothing.
  db.exec('pragma trusted_schema = off')
  const first = (sql: string): unknown => Object.values(db.prepare(sql).get() ?? {})[0]
  return {
    number: (name) => Number(first(`pragma ${name}`)),
    damage: () => checkedBy(db, 'quick_check'),
    contradiction() {
      // A connection that only reads leaves the constraints of the tables unchecked.
      const own = new DatabaseSync(path, { timeout: PATIENCE })
      try {
        const { table, parent } = own.prepare('pragma foreign_key_check').get() ?? {}
        if (table !== undefined) return `a row of ${String(table)} refers to no row of ${String(parent)}`
        return checkedBy(own, 'integrity_check')
      } finally {
        own.close()
      }
    },
    schemaDifference: () => schemaDifference(db, Number(first('pragma user_version'))),
    [Symbol.dispose]: () => db.close(),
  }
}

/** The time after which a process that holds a store is probably stopped, in milliseconds: most changes take a few. */
const HELD = 1000

/** Returns whether another process keeps every change from the store at a path for a second. */
export function isHeld(path: string): boolean {
  const db = new DatabaseSync(path, { timeout: HELD })
  try {
    db.exec('begin immediate; rollback')
    return false
  } catch (error) {
    if (isSqliteBusy(error)) return true
    throw error
  } finally {
    db.close()
  }
}

/** Returns the first fault that a check of SQLite finds; undefined for none. */
function checkedBy(db: DatabaseSync, check: 'quick_check' | 'integrity_check'): string | undefined {
  const said = String(Object.values(db.prepare(`pragma ${check}(1)`).get() ?? {})[0])
  return said === 'ok' ? undefined : said.split('\n').at(-1)
}

/** The tries to bring the write-ahead log into the file, and the pause between two of them, in milliseconds. */
const TRIES = 50
const PAUSE = 5

/**
 * Brings the committed pages of a store into its file, so that the next small commit of another thread has not to. A
 * reader of the store as it was holds back some: then they are tried again. The pages are safe in either place. The pauses are
 * in real time, because it runs in a thread of its own, beside the loop of the service.
 */
export async function bringIntoFile(path: string): Promise<void> {
  const db = new DatabaseSync(path)
  try {
    for (let left = TRIES; left > 0 && !isBrought(db); left--)
      await new Promise((resolve) => {
        setTimeout(resolve, PAUSE)
      })
  } finally {
    db.close()
  }
}

function isBrought(db: DatabaseSync): boolean {
  const { busy, log, checkpointed } = db.prepare('pragma wal_checkpoint(passive)').get() ?? {}
  return busy === 0 && log === checkpointed
}
