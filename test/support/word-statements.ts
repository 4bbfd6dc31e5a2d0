/** Every statement of the index of words, for the test that runs all of them on both engines. */
import type { Tx } from '../../src/core/db.ts'
import * as index from '../../src/db/word-index.ts'

type UndoWordWork = (tx: Tx, work: () => Promise<unknown>) => Promise<void>

/** Returns the statements; `undone` takes back what they write, so that the rows of both engines stay comparable. */
export function wordStatements(
  undone: UndoWordWork,
): readonly (readonly [name: string, run: (tx: Tx) => Promise<unknown>])[] {
  return [
    ['addWords', (tx) => undone(tx, () => index.addWords(tx, [{ seq: 9_000_001, words: 'anna smith' }]))],
    ['findWords', (tx) => index.findWords(tx, { word: 'noword' }, 9_000_002, 10)],
    ['clearWords', (tx) => undone(tx, () => index.clearWords(tx))],
  ]
}
