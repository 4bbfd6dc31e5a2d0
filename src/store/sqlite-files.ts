/** SQLite files beside the open store: looked at, copied, checked. */
import { DatabaseSync } from 'node:sqlite'

type ReadOnly = {
  /** Returns the value of a pragma that is a number. */
  number(name: 'application_id' | 'user_version'): number
  /** Returns the first damage that SQLite finds by reading the whole file; undefined for none. */
  damage(): string | undefined
  [Symbol.dispose](): void
}

/** How long a look waits for a writer, in milliseconds. */
const PATIENCE = 3000

/** Opens a file that nobody may change through it. Throws the error of SQLite. */
export function openReadOnly(path: string): ReadOnly {
  const db = new DatabaseSync(path, { readOnly: true, timeout: PATIENCE })
  const first = (sql: string): unknown => Object.values(db.prepare(sql).get() ?? {})[0]
  return {
    number: (name) => Number(first(`pragma ${name}`)),
    damage() {
      const said = String(first('pragma quick_check(1)'))
      return said === 'ok' ? undefined : said.split('\n').at(-1)
    },
    [Symbol.dispose]: () => db.close(),
  }
}

/** The tries to bring the write-ahead log into the file, and the pause between two of them, in milliseconds. */
const TRIES = 50
const PAUSE = 5

/**
 * Brings the committed pages of a store into its file, so that the next small commit of another thread has not to. A
 * reader of the store as it was holds back some: then they are tried again. The pages are safe in either place.
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
