/**
 * The evidence that the sandbox's people bring back: true pictures with true hashes, where and when they were taken
 * (docs/rules/simulation.md#pictures-are-true).
 */
import type { Tx } from '../../../core/db.ts'
import { haversineMetres, offsetPoint, type Point } from '../../../core/geometry.ts'
import { seededInt, sha256Hex } from '../../../core/hash.ts'
import { sandboxId } from '../../../core/ids.ts'
import { bearingOf } from '../../../core/path.ts'
import { toTimestamp } from '../../../core/time.ts'
import type { ChangeContext } from '../../../db/lifecycle.ts'
import { insertMedia } from '../../proofs/queries.ts'
import { clockOffset, deviceOf, metresLeft, positionError } from '../../proofs/rules/device.ts'
import { textPng } from '../../proofs/rules/png.ts'
import { claimedDistance, type Media } from '../../proofs/rules/proof.ts'
import { type EvidenceRecord, insertEvidence, type TaskRecord } from '../queries/tasks.ts'
import {
  type EvidenceAnswer,
  type EvidenceItem,
  type Flaw,
  MAX_CLOCK_SKEW_MS,
  type EvidenceRejectionReason,
} from '../rules/evidence.ts'
import type { AnswerValue, EvidenceRequirement, TaskQuestion } from '../rules/task.ts'

const SECOND = 1000
const HOUR = 3_600_000
/** The error of the clock of the scenario. */
const WRONG_BY_MS = 2_400_000

/** Captures for a requirement as its tasker does, at `at`, and stores it. The task's own record counts it. */
export async function captureEvidence(
  { tx, world: { seed }, at }: ChangeContext,
  task: TaskRecord,
  rule: EvidenceRequirement,
): Promise<EvidenceRecord> {
  const { doc, ordinal } = task
  doc.sequence += 1
  const below: Below = (limit, purpose) => seededInt(limit, seed, ['task', ordinal, doc.sequence, purpose])
  const pictured = rule.checklist.map((question) => [question, answerTo(rule, question, below)] as const)
  const shows =
    rule.kind !== 'checklist' || pictured.some(([question, value]) => value === question.photo_required_if)
  const spoilt = shows ? spoil(task) : null
  const shot = simulateShot(task, rule, { seed, at, below, spoilt })
  const answers: EvidenceAnswer[] = pictured.map(([{ question_id, answer_type }, value]) => ({
    question_id,
    answer_type,
    value,
    answered_at: shot.captured_at,
  }))
  const item: EvidenceItem = {
    evidence_id: sandboxId('evd', { seed, ordinal, at }, `task|${doc.sequence}|evidence`),
    requirement_id: rule.requirement_id,
    kind: rule.kind,
    media: shows ? await createPicture(tx, seed, { task, rule }, { at, spoilt, shot }) : null,
    answers,
    captured_at: shot.captured_at,
    received_at: toTimestamp(at),
    capture_location: shot.location,
    submitted_by: { provider_id: doc.provider?.tasker_id ?? '' },
    status: 'pending_review',
    rejection_reason: null,
  }
  const record = { task_id: task.task_id, sequence: doc.sequence, item, flaw: flawOf(spoilt) }
  await insertEvidence(tx, record)
  return record
}

type Below = (limit: number, purpose: string) => number

/** Returns the flaw of this picture, where the scenario spoils one in each of its passes. */
function spoil({ doc }: TaskRecord): EvidenceRejectionReason | null {
  const { scenario, pass, spoilt } = doc
  const times = Number(scenario?.options['times'] ?? 1)
  if (scenario?.name !== 'bad_evidence' || pass > times || spoilt >= pass) return null
  doc.spoilt = pass
  return (scenario.options['kind'] as EvidenceRejectionReason | undefined) ?? 'blurry'
}

function flawOf(spoilt: EvidenceRejectionReason | null): Flaw {
  return spoilt === 'blurry' || spoilt === 'wrong_subject' ? spoilt : null
}

type Shot = {
  captured_at: string
  clock_offset_ms: number
  late: boolean
  location: EvidenceItem['capture_location']
}

type Moment = { seed: string; at: number; below: Below; spoilt: EvidenceRejectionReason | null }

/** Returns place and time. The device's clock is a little behind, and says by how much. */
function simulateShot(
  task: TaskRecord,
  { geofence_radius_m: radius }: EvidenceRequirement,
  { seed, at, below, spoilt }: Moment,
): Shot {
  const started = task.doc.started_at ?? at
  const late = spoilt === 'outside_window'
  // One device uploads at one pace, so that what was captured later is dated later.
  const upload = (2 + seededInt(7, seed, ['task', task.ordinal, 0, 'upload'])) * SECOND
  const captured = late ? started - HOUR : Math.max(started, at - upload)
  const holder = holderOf(task)
  const offsetMs = clockOffset(seed, holder, started, captured)
  const onDevice = captured - offsetMs
  const dated = late ? onDevice : Math.max(started, onDevice)
  const left = metresLeft(seed, holder, started, captured)
  const error = positionError(seed, holder, captured)
  const metres =
    spoilt === 'outside_geofence'
      ? radius + 200 + below(400, 'gps_distance')
      : Math.min(left, radius - error.metres)
  return {
    captured_at: toTimestamp(dated + (spoilt === 'clock_skew' ? WRONG_BY_MS : 0)),
    clock_offset_ms: offsetMs,
    late,
    location: {
      ...offsetPoint(onTheWay(task, metres), error.metres, error.bearing),
      accuracy_m: 5 + below(15, 'gps_accuracy'),
    },
  }
}

function holderOf({ doc, task_id }: TaskRecord): string {
  return doc.provider?.tasker_id ?? task_id
}

/** The point so many metres before the place, on the side from which its tasker came. */
function onTheWay({ doc: { place, leg, provider } }: TaskRecord, metres: number): Point {
  const from = leg?.from ?? provider?.home ?? place.location
  return offsetPoint(place.location, metres, bearingOf(place.location, from))
}

async function createPicture(
  tx: Tx,
  seed: string,
  { task, rule }: { task: TaskRecord; rule: EvidenceRequirement },
  { at, spoilt, shot }: { at: number; spoilt: EvidenceRejectionReason | null; shot: Shot },
): Promise<Media> {
  const { task_id, task_type, account_id, ordinal, doc } = task
  const bytes = textPng([
    `${task_type}: ${rule.label}`,
    `${task_id} #${doc.sequence}`,
    `${rule.kind} ${shot.captured_at}`,
    `${shot.location.latitude}, ${shot.location.longitude}`,
    ...(spoilt === 'blurry' ? ['(out of focus)'] : []),
    ...(spoilt === 'wrong_subject' ? ['(something else)'] : []),
    `seed ${seed}`,
  ])
  const sha256 = sha256Hex(bytes)
  // The bytes that arrived are not those that the device said it would send.
  const claim_sha256 = spoilt === 'hash_mismatch' ? sha256Hex(`${sha256}|as captured`) : sha256
  const media_id = sandboxId('med', { seed, ordinal, at }, `task|${doc.sequence}|media`)
  await insertMedia(tx, { media_id, owner_id: account_id, content_type: 'image/png', sha256, bytes })
  const distance = Math.round(haversineMetres(shot.location, doc.place.location))
  const skew = Math.abs(Date.parse(shot.captured_at) + shot.clock_offset_ms - at)
  return {
    media_id,
    content_type: 'image/png',
    byte_size: bytes.length,
    sha256,
    url: `/media/${media_id}`,
    captured_at: shot.captured_at,
    received_at: toTimestamp(at),
    capture_location: shot.location,
    device: {
      ...deviceOf(seed, holderOf(task)),
      clock_offset_ms: shot.clock_offset_ms,
      ...(shot.late && { offline_upload: true }),
    },
    provenance: { kind: 'none', claim_sha256 },
    integrity: {
      hash_verified: claim_sha256 === sha256,
      within_geofence: distance <= rule.geofence_radius_m,
      distance_to_target_m: claimedDistance(distance, doc.place.precision),
      clock_skew_ok: skew <= MAX_CLOCK_SKEW_MS || shot.late,
    },
  }
}

const REMARKS = ['As described.', 'Nothing unusual.', 'Clean and tidy.', 'Staff were helpful.'] as const

function answerTo({ kind }: EvidenceRequirement, question: TaskQuestion, below: Below): AnswerValue {
  const draw = (limit: number): number => below(limit, `answer|${question.question_id}`)
  switch (question.answer_type) {
    case 'boolean':
      return draw(4) > 0
    case 'number':
      return kind === 'reading' ? 10_000 + draw(80_000) : 1 + draw(20)
    case 'choice':
      return question.choices?.[draw(question.choices.length)] ?? ''
    case 'text':
      return REMARKS[draw(REMARKS.length)] ?? ''
  }
}
