/** Checks that evidence is what it says it is: computes again everything that can be. Pure. */
import { type EvidenceItem, computeEvidenceManifest } from '../../areas/tasks/rules/evidence.ts'
import type { PictureBytes } from '../../cli/pictures/media.ts'
import type { OperationOutput } from '../../client/operations.ts'
import { sha256Hex } from '../../core/hash.ts'

type TaskEvidence = OperationOutput<'get_task_evidence'>

export type EvidenceVerification = {
  task_id: string
  verified: boolean
  manifest: { root: string; recomputed: string; matches: boolean }
  items: {
    evidence_id: string
    requirement_id: string
    sha256: string | null
    recomputed: string | null
    matches: boolean
  }[]
  /** The faults found, a sentence each. */
  problems: string[]
}

export function verifyEvidence(evidence: TaskEvidence, fetched: PictureBytes): EvidenceVerification {
  const { manifest, items } = evidence
  const again = computeEvidenceManifest(items)
  const checked = items.map((item) => ({ item, ...hashOf(item, fetched) }))
  const problems = [
    ...checked.flatMap(({ item, recomputed, bytes }) => itemProblems(item, recomputed, bytes)),
    ...twiceNamed(items),
    ...(again.root === manifest.root
      ? []
      : [`The manifest says the root ${manifest.root}; the items give ${again.root}.`]),
    ...(again.item_count === manifest.item_count
      ? []
      : [`The manifest counts ${manifest.item_count} items; there are ${again.item_count}.`]),
    ...ruleProblems(evidence),
  ]
  return {
    task_id: evidence.task_id,
    verified: problems.length === 0,
    manifest: { root: manifest.root, recomputed: again.root, matches: again.root === manifest.root },
    items: checked.map(({ item, recomputed }) => ({
      evidence_id: item.evidence_id,
      requirement_id: item.requirement_id,
      sha256: item.media?.sha256 ?? null,
      recomputed,
      matches: (item.media?.sha256 ?? null) === recomputed,
    })),
    problems,
  }
}

function hashOf(
  { media }: EvidenceItem,
  fetched: PictureBytes,
): { recomputed: string | null; bytes: Uint8Array | undefined } {
  const bytes = media === null ? undefined : fetched.get(media.media_id)
  return { recomputed: bytes === undefined ? null : sha256Hex(bytes), bytes }
}

function itemProblems(
  { evidence_id: id, media, status }: EvidenceItem,
  recomputed: string | null,
  bytes: Uint8Array | undefined,
): string[] {
  if (media === null) return []
  if (bytes === undefined) return [`${id}: its picture ${media.media_id} is not there.`]
  const { sha256, byte_size, provenance } = media
  const claim = provenance.claim_sha256
  return [
    ...(recomputed === sha256
      ? []
      : [`${id}: the picture has the hash ${recomputed}, not ${sha256} as the evidence says.`]),
    ...(bytes.length === byte_size
      ? []
      : [`${id}: the picture has ${bytes.length} bytes, not ${byte_size} as the evidence says.`]),
    ...(status === 'accepted' && claim !== undefined && claim !== sha256
      ? [`${id} was accepted, but the device had announced the hash ${claim}.`]
      : []),
  ]
}

function twiceNamed(items: readonly EvidenceItem[]): string[] {
  const ids = items.map(({ evidence_id }) => evidence_id)
  return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is there twice.`)
}

/** Checks that every satisfied requirement has enough accepted items. */
function ruleProblems({ requirements, items }: TaskEvidence): string[] {
  return requirements.flatMap(({ requirement_id, required, satisfied }) => {
    const accepted = items.filter(
      (item) => item.requirement_id === requirement_id && item.status === 'accepted',
    ).length
    return satisfied && accepted < required
      ? [`${requirement_id} is said to be satisfied with ${accepted} of ${required} accepted items.`]
      : []
  })
}
