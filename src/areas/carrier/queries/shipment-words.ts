/** The index of parcels by their words. A search combines its words within the index, and reads the parcels that fit. */
import type { Tx } from '../../../core/db.ts'
import { addWords, findWords } from '../../../db/word-index.ts'
import { hasWords, indexedWords, toMatch, type WordQuestion } from '../rules/words.ts'
import { listShipmentsBySeq, listShipmentsAfter, type ShipmentRecord } from './shipments.ts'

type IndexedShipment = Pick<ShipmentRecord, 'agreement_id' | 'seq' | 'reference' | 'doc'>

/** Writes the words of parcels that have none yet, or others than before: a search compares what it finds with the parcel. */
export async function insertShipmentWords(tx: Tx, shipments: readonly IndexedShipment[]): Promise<void> {
  await addWords(
    tx,
    shipments.map((shipment) => ({
      seq: shipment.seq,
      words: indexedWords(shipment.agreement_id, shipment),
    })),
  )
}

/** The parcels of an older store that get their words at once. */
const MAX_FILLED = 1000

/** Writes the words of all parcels of a store with an empty index: one of an older schema, or of a snapshot. */
export async function fillShipmentWords(tx: Tx): Promise<void> {
  let after = 0
  for (;;) {
    const shipments = await listShipmentsAfter(tx, after, MAX_FILLED)
    const last = shipments.at(-1)
    if (last === undefined) return
    await insertShipmentWords(tx, shipments)
    after = last.seq
  }
}

/** Returns at most `most` parcels of an agreement that fit a question, the newest first. */
export async function searchShipmentsByWords(
  tx: Tx,
  agreementId: string,
  question: WordQuestion,
  most: number,
): Promise<ShipmentRecord[]> {
  const match = toMatch(agreementId, question)
  const found: ShipmentRecord[] = []
  let before = Number.MAX_SAFE_INTEGER
  while (found.length < most) {
    const seqs = await findWords(tx, match, before, most)
    const parcels = await listShipmentsBySeq(tx, seqs)
    found.push(
      ...parcels.filter((parcel) => parcel.agreement_id === agreementId && hasWords(parcel, question)),
    )
    before = seqs.at(-1) ?? 0
    if (seqs.length < most) break
  }
  return found.slice(0, most)
}
