/** The index of parcels by their words: a search reads as much of it among ten million parcels as among ten thousand. */
import type { Tx } from '../../../core/db.ts'
import { toInteger } from '../../../store/values.ts'
import { wordsOf } from '../rules/words.ts'
import { findBySeq, listAfter, type ShipmentRecord } from './shipments.ts'

/** The most entries that a search reads for one word. */
export const SEARCHED = 500

/** Sorts behind every text that begins with a word: the last character of Unicode. */
const LAST = '\u{10ffff}'

type Indexed = Pick<ShipmentRecord, 'agreement_id' | 'seq' | 'reference' | 'doc'>

/** Writes the words of parcels that have none yet, or others than before: a search compares what it finds with the parcel. */
export async function insertWords(tx: Tx, shipments: readonly Indexed[]): Promise<void> {
  const rows = shipments.flatMap((shipment) =>
    wordsOf(shipment).map((word) => [shipment.agreement_id, word, shipment.seq]),
  )
  await tx.insertMany('shipment_words', ['agreement_id', 'word', 'seq'], rows, { ignoreConflicts: true })
}

/** The parcels of an older store that get their words at once. */
const FILLED = 1000

/** Completes the migration that made the index: writes the words of all parcels. */
export async function fillWords(tx: Tx): Promise<void> {
  let after = 0
  for (;;) {
    const shipments = await listAfter(tx, after, FILLED)
    const last = shipments.at(-1)
    if (last === undefined) return
    await insertWords(tx, shipments)
    after = last.seq
  }
}

/**
 * Returns the parcels of an agreement that may have words with these beginnings, by the rarest of them, the newest first; a
 * whole word comes before a beginning. `more` is true where the index has further ones.
 */
export async function searchWords(
  tx: Tx,
  agreementId: string,
  words: readonly string[],
): Promise<{ found: ShipmentRecord[]; more: boolean }> {
  let rarest: number[] | undefined
  for (const word of words) {
    const seqs = await seqsOf(tx, agreementId, word)
    if (rarest === undefined || seqs.length < rarest.length) rarest = seqs
  }
  const seqs = [...new Set(rarest?.slice(0, SEARCHED))].toSorted((a, b) => b - a)
  return { found: await findBySeq(tx, seqs), more: (rarest?.length ?? 0) > SEARCHED }
}

/** Returns the places of one word and of those that it begins; one more than are searched where there are more. */
async function seqsOf(tx: Tx, agreementId: string, word: string): Promise<number[]> {
  const select = 'select seq from shipment_words where agreement_id = $1 and'
  const most = SEARCHED + 1
  const whole = await tx.all(`${select} word = $2 order by seq desc limit ${most}`, agreementId, word)
  const begun =
    whole.length === most
      ? []
      : await tx.all(
          `${select} word > $2 and word < $3 order by word, seq limit ${most}`,
          agreementId,
          word,
          `${word}${LAST}`,
        )
  return [...whole, ...begun].map((row) => toInteger(row, 'seq')).slice(0, most)
}
