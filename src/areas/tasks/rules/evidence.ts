/** Checks evidence against its requirements, and computes a fingerprint of all items (docs/rules/tasks.md#evidence-proves-itself). Pure. */
import { canonicalJson } from '../../../core/canonical-json.ts'
import { haversineMetres, type Point } from '../../../core/geometry.ts'
import { sha256Hex } from '../../../core/hash.ts'
import type { Media } from '../../proofs/rules/proof.ts'
import type { AnswerType, AnswerValue, EvidenceKind, EvidenceRequirement } from './task.ts'

export const EVIDENCE_REJECTION_REASONS = [
  'blurry',
  'outside_geofence',
  'outside_window',
  'hash_mismatch',
  'clock_skew',
  'wrong_subject',
] as const
export type EvidenceRejectionReason = (typeof EVIDENCE_REJECTION_REASONS)[number]

export const EVIDENCE_STATUSES = ['accepted', 'rejected', 'pending_review'] as const

export type EvidenceAnswer = {
  question_id: string
  answer_type: AnswerType
  value: AnswerValue
  answered_at: string
}

/** One piece of evidence as on the wire. */
export type EvidenceItem = {
  evidence_id: string
  requirement_id: string
  kind: EvidenceKind
  media: Media | null
  answers: EvidenceAnswer[]
  /** By the device's clock, uncorrected; `device.clock_offset_ms` says how far it is behind. */
  captured_at: string
  received_at: string
  capture_location: Point & { accuracy_m: number }
  submitted_by: { provider_id: string }
  status: (typeof EVIDENCE_STATUSES)[number]
  rejection_reason: EvidenceRejectionReason | null
}

/** The place of the work, its start and its requested window. Times in milliseconds. */
export type WorkConstraints = {
  target: Point
  started_at: number
  window: { starts_at: number; ends_at: number }
}

/** A fault of a picture that only a person sees. */
export type Flaw = 'blurry' | 'wrong_subject' | null

/** An item is rejected when its two clocks differ by more than this. */
export const MAX_CLOCK_SKEW_MS = 300_000

/** Returns why an item does not count; null when it does (docs/rules/tasks.md#evidence-is-judged-by-its-record). */
export function judgeItem(
  item: EvidenceItem,
  rule: EvidenceRequirement,
  work: WorkConstraints,
  flaw: Flaw,
): EvidenceRejectionReason | null {
  const { media } = item
  if (media !== null && !media.integrity.hash_verified) return 'hash_mismatch'
  if (media !== null && rule.device_timestamp_required && !media.integrity.clock_skew_ok) return 'clock_skew'
  if (!isInTime(item, rule, work)) return 'outside_window'
  if (rule.gps_required && !isInPlace(item, rule, work)) return 'outside_geofence'
  return flaw
}

function isInTime(
  { captured_at, received_at, media }: EvidenceItem,
  rule: EvidenceRequirement,
  work: WorkConstraints,
): boolean {
  const captured = Date.parse(captured_at) + (media?.device.clock_offset_ms ?? 0)
  if (captured < work.started_at || captured > Date.parse(received_at) + MAX_CLOCK_SKEW_MS) return false
  return !rule.within_window || (captured >= work.window.starts_at && captured < work.window.ends_at)
}

function isInPlace(
  { capture_location }: EvidenceItem,
  { geofence_radius_m, max_accuracy_m }: EvidenceRequirement,
  { target }: WorkConstraints,
): boolean {
  const distance = Math.round(haversineMetres(capture_location, target))
  return distance <= geofence_radius_m && capture_location.accuracy_m <= max_accuracy_m
}

/** The progress of one requirement. */
export type RequirementCheck = {
  requirement_id: string
  kind: EvidenceKind
  required: number
  /** Without rejected items. */
  collected: number
  satisfied: boolean
  problems: string[]
}

/** Checks each requirement against the items; the rules are satisfied when every requirement is. */
export function checkEvidenceRules(
  rules: readonly EvidenceRequirement[],
  items: readonly EvidenceItem[],
): RequirementCheck[] {
  return rules.map((rule) => {
    const own = items.filter(({ requirement_id }) => requirement_id === rule.requirement_id)
    const accepted = own.filter(({ status }) => status === 'accepted')
    const problems = [
      ...own.flatMap(({ evidence_id, status, rejection_reason }) =>
        status === 'rejected' ? [`${evidence_id} was rejected: ${rejection_reason ?? 'no reason'}`] : [],
      ),
      ...accepted.flatMap((item) => unanswered(rule, item)),
    ]
    return {
      requirement_id: rule.requirement_id,
      kind: rule.kind,
      required: rule.min_count,
      collected: own.filter(({ status }) => status !== 'rejected').length,
      satisfied:
        accepted.length >= rule.min_count && accepted.every((item) => unanswered(rule, item).length === 0),
      problems,
    }
  })
}

export function isEvidenceSatisfied(checks: readonly RequirementCheck[]): boolean {
  return checks.every(({ satisfied }) => satisfied)
}

/** Returns required questions without an answer, and answers that lack their picture. */
function unanswered(
  { checklist }: EvidenceRequirement,
  { evidence_id, answers, media }: EvidenceItem,
): string[] {
  return checklist.flatMap(({ question_id, required, photo_required_if }) => {
    const answer = answers.find((each) => each.question_id === question_id)
    if (answer === undefined) return required ? [`${evidence_id} does not answer ${question_id}`] : []
    const needsPicture = photo_required_if !== undefined && answer.value === photo_required_if
    return needsPicture && media === null ? [`${evidence_id} does not show ${question_id}`] : []
  })
}

export type EvidenceManifest = { algorithm: 'sha256'; root: string; item_count: number }

/** The fields that `computeEvidenceManifest` needs of an item. */
export type HashableEvidence = { evidence_id: string; status: string }

/**
 * Returns the fingerprint of items: SHA-256 over the canonical JSON (RFC 8785) of `[[evidence_id, hash], …]` in the
 * order of the ids. Each hash is that of the item's canonical JSON without its status.
 */
export function computeEvidenceManifest(items: readonly HashableEvidence[]): EvidenceManifest {
  const leaves = items
    .toSorted((a, b) => (a.evidence_id < b.evidence_id ? -1 : 1))
    .map((whole) => {
      const { status: _, ...item } = whole
      return [item.evidence_id, sha256Hex(canonicalJson(item))]
    })
  return { algorithm: 'sha256', root: sha256Hex(canonicalJson(leaves)), item_count: items.length }
}
