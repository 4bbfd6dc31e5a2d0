/** Proofs of a handover, as people read them. */
import type { ProofView } from '../../core/presenter.ts'
import type { IfAbsent } from './rules/absent.ts'
import type { Media, Proof, ProofMethod } from './rules/proof.ts'

const METHODS: Readonly<Record<ProofMethod, string>> = {
  photo: 'Photographed at the door',
  signature: 'Signed for',
  pincode: 'Handed over against the PIN',
  barcode: 'Scanned at the door',
  handed_to_recipient: 'Handed over',
  left_safe: 'Left in a safe place',
}

type PresentableProof = Pick<Proof, 'method' | 'waypoint' | 'collected_at' | 'recipient_name'> & {
  media: readonly Picture[]
}

type Picture = Pick<Media, 'media_id' | 'content_type'>

/** Returns the line about goods that may be left at the door, until they are handed over. */
export function absentNotes(ifAbsent: IfAbsent | null, isOver = false): string[] {
  return ifAbsent === 'leave' && !isOver ? ['If nobody answers the door, the courier leaves it there.'] : []
}

/** Returns the proof of a handover. A signature is no picture for strangers. */
export function presentProof(proof: PresentableProof | null): ProofView | null {
  if (proof === null) return null
  const isBack = proof.waypoint === 'return'
  return {
    words: isBack ? 'Returned to the sender' : METHODS[proof.method],
    by: isBack ? null : proof.recipient_name,
    at: proof.collected_at,
    pictures: proof.method === 'signature' ? [] : picturesOf(proof.media),
  }
}

/** Returns the ids of those that are pictures for a browser. */
export function picturesOf(media: readonly Picture[]): string[] {
  return media
    .filter(({ content_type }) => /^image\/(png|jpeg|webp)$/.test(content_type))
    .map(({ media_id }) => media_id)
}

/** Returns the line about a proof for the owner, if there is one. */
export function proofNotes(proof: PresentableProof | null): string[] {
  const told = presentProof(proof)
  if (told === null) return []
  return [`Proof: ${told.words}${told.by === null ? '' : ` by ${told.by}`}`]
}
