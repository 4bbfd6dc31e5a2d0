/** Every statement of snapshots, for the test that runs all of them on both engines. */
import type { Tx } from '../../src/core/db.ts'
import * as snapshot from '../../src/db/snapshot.ts'
import * as status from '../../src/db/status.ts'

type UndoSnapshotWork = (tx: Tx, work: () => Promise<unknown>) => Promise<void>

/** Returns the statements; `undone` takes back what they write, so that the rows of both engines stay comparable. */
export function snapshotStatements(
  undone: UndoSnapshotWork,
  now: number,
): readonly (readonly [name: string, run: (tx: Tx) => Promise<unknown>])[] {
  return [
    ['dumpRows', async (tx) => Array.fromAsync(snapshot.dumpRows(tx, now))],
    [
      'insertRows',
      async (tx) => {
        const pages = await Array.fromAsync(snapshot.dumpRows(tx, now))
        return undone(tx, async () => {
          await status.clearStore(tx)
          await snapshot.insertRows(tx, replay(pages), { cursorKey: 'key', real: now })
        })
      },
    ],
    [
      'replaceRows',
      async (tx) => {
        const pages = await Array.fromAsync(snapshot.dumpRows(tx, now))
        return undone(tx, () => snapshot.replaceRows(tx, replay(pages), now))
      },
    ],
  ]
}

async function* replay<T>(pages: readonly T[]): AsyncGenerator<T> {
  yield* pages
}
