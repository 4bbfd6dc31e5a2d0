/** Stores in memory that are copies of one image: a world for each test, made in a millisecond. */
import { DatabaseSync } from 'node:sqlite'
import type { Db, Tx } from '../core/db.ts'
import { PROCESS_EVENT_LOOP } from '../core/event-loop.ts'
import { migrate } from './migrate.ts'
import { CONNECTED, makeStore, MEMORY, type OwnedStore, tune } from './sqlite.ts'
import { SCHEMA_VERSION } from './version.ts'

export type ImageStore = Db & {
  /** Brings the store back to its image, after everything that waits now; only for a store that was opened so. */
  undo(): Promise<void>
}

/** Most rows of a new store are short: in pages of this size it takes half the memory, and half the time to copy. */
const PAGE_SIZE = 1024

/** The image of a store without rows: to make its tables takes longer than to fill them. */
let blank: Promise<Uint8Array> | undefined

/** Returns the bytes of a new store, which `seed` fills. */
export async function makeImage(seed: (tx: Tx) => Promise<void>): Promise<Uint8Array> {
  blank ??= fill(undefined, (store) => migrate(store, async () => {}))
  return fill(await blank, (store) => store.write(seed))
}

async function fill(
  image: Uint8Array | undefined,
  work: (store: OwnedStore) => Promise<void>,
): Promise<Uint8Array> {
  const db = new DatabaseSync(MEMORY, CONNECTED)
  if (image === undefined) db.exec(`pragma page_size = ${PAGE_SIZE}`)
  else db.deserialize(image)
  const store = storeOver(db, image === undefined ? 0 : SCHEMA_VERSION)
  try {
    await work(store)
    return await store.between(() => db.serialize())
  } finally {
    await store.close()
  }
}

/**
 * Opens a copy of an image of `makeImage`. With `undoable`, all its transactions are parts of one that stays open: `undo`
 * takes them back, and the statements stay prepared.
 */
export function openImage(image: Uint8Array, { undoable = false } = {}): ImageStore {
  const db = new DatabaseSync(MEMORY, CONNECTED)
  db.deserialize(image)
  const store = storeOver(db, SCHEMA_VERSION, undoable)
  if (undoable) db.exec('savepoint image')
  return {
    ...store,
    undo: () =>
      store.between(() => {
        db.exec('rollback to image')
        store.forgetKept()
      }),
  }
}

function storeOver(db: DatabaseSync, schemaVersion: number, nested = false): OwnedStore {
  tune(db, MEMORY)
  return makeStore(db, MEMORY, { patience: 0, loop: PROCESS_EVENT_LOOP, schemaVersion, nested })
}
