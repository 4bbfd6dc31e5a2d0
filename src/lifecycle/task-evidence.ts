/** What the sandbox's people bring back: true pictures with true hashes, where and when they were taken (`contract.md` D). */
import {
  type Answer,
  type EvidenceItem,
  type Flaw,
  MAX_CLOCK_SKEW_MS,
  type RejectionReason,
} from '../domain/evidence.ts'
import { haversineMetres } from '../domain/geo.ts'
import { drawBelow, sha256Hex } from '../domain/hash.ts'
import { sandboxId } from '../domain/ids.ts'
import { textPng } from '../domain/png.ts'
import type { Media } from '../domain/proof.ts'
import type { AnswerValue, EvidenceRequirement, Question } from '../domain/task.ts'
import { toTimestamp } from '../domain/time.ts'
import type { World } from '../domain/world.ts'
import type { Tx } from '../store/db.ts'
import { insertMedia } from '../store/media.ts'
import { type EvidenceRecord, insertEvidence, type TaskRecord } from '../store/tasks.ts'
import { offset } from './proof.ts'

const SECOND = 1000
const GPS_ERROR_M = 40
const HOUR = 3_600_000
/** How wrong the clock of the scenario is. */
const WRONG_BY_MS = 2_400_000

/** Captures for a requirement as its tasker does, at `at`, and stores it. The task's own record counts it. */
export async function captureEvidence(
  tx: Tx,
  { seed }: World,
  task: TaskRecord,
  rule: EvidenceRequirement,
  at: number,
): Promise<EvidenceRecord> {
  const { doc, ordinal } = task
  doc.sequence += 1
  const below: Below = (limit, purpose) => drawBelow(limit, seed, 'task', ordinal, doc.sequence, purpose)
  const pictured = rule.checklist.map((question) => [question, answerTo(rule, question, below)] as const)
  const shows =
    rule.kind !== 'checklist' || pictured.some(([question, value]) => value === question.photo_required_if)
  const spoilt = shows ? spoil(task) : null
  const shot = takeShot(task, rule, { at, below, spoilt })
  const answers: Answer[] = pictured.map(([{ question_id, answer_type }, value]) => ({
    question_id,
    answer_type,
    value,
    answered_at: shot.captured_at,
  }))
  const item: EvidenceItem = {
    evidence_id: sandboxId('evd', seed, ordinal, at, `task|${doc.sequence}|evidence`),
    requirement_id: rule.requirement_id,
    kind: rule.kind,
    media: shows ? await takePicture(tx, seed, task, rule, { at, below, spoilt, shot }) : null,
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

/** What is wrong with this picture, where the scenario spoils one in each of its passes. */
function spoil({ doc }: TaskRecord): RejectionReason | null {
  const { scenario, pass, spoilt } = doc
  const times = Number(scenario?.options['times'] ?? 1)
  if (scenario?.name !== 'bad_evidence' || pass > times || spoilt >= pass) return null
  doc.spoilt = pass
  return (scenario.options['kind'] as RejectionReason | undefined) ?? 'blurry'
}

function flawOf(spoilt: RejectionReason | null): Flaw {
  return spoilt === 'blurry' || spoilt === 'wrong_subject' ? spoilt : null
}

type Shot = {
  captured_at: string
  clock_offset_ms: number
  late: boolean
  location: EvidenceItem['capture_location']
}

/** Where and when. The device's clock is a little off, and says by how much. */
function takeShot(
  { doc }: TaskRecord,
  { geofence_radius_m: radius }: EvidenceRequirement,
  { at, below, spoilt }: { at: number; below: Below; spoilt: RejectionReason | null },
): Shot {
  const started = doc.started_at ?? at
  const late = spoilt === 'outside_window'
  const captured = late ? started - HOUR : Math.max(started, at - (2 + below(7, 'upload')) * SECOND)
  const drawn = below(4001, 'clock') - 2000
  // Nothing is dated before the work began or after it was received, even where the work is done in no time.
  const offsetMs = !late && (captured - drawn < started || captured - drawn > at) ? 0 : drawn
  const told = captured - offsetMs + (spoilt === 'clock_skew' ? WRONG_BY_MS : 0)
  const metres =
    spoilt === 'outside_geofence'
      ? radius + 200 + below(400, 'gps_distance')
      : below(Math.min(GPS_ERROR_M, radius), 'gps_distance')
  return {
    captured_at: toTimestamp(told),
    clock_offset_ms: offsetMs,
    late,
    location: {
      ...offset(doc.place.location, metres, below(360, 'gps_bearing')),
      accuracy_m: 5 + below(15, 'gps_accuracy'),
    },
  }
}

async function takePicture(
  tx: Tx,
  seed: string,
  { task_id, task_type, account_id, ordinal, doc }: TaskRecord,
  rule: EvidenceRequirement,
  { at, below, spoilt, shot }: { at: number; below: Below; spoilt: RejectionReason | null; shot: Shot },
): Promise<Media> {
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
  // What arrived is not what the device said that it would send.
  const claim_sha256 = spoilt === 'hash_mismatch' ? sha256Hex(`${sha256}|as captured`) : sha256
  const media_id = sandboxId('med', seed, ordinal, at, `task|${doc.sequence}|media`)
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
      device_id_hash: sha256Hex(`${seed}|device|tasker|${doc.provider?.sort ?? 0}`).slice(0, 16),
      platform: below(2, 'platform') === 0 ? 'android' : 'ios',
      clock_offset_ms: shot.clock_offset_ms,
      ...(shot.late && { offline_upload: true }),
    },
    provenance: { kind: 'none', claim_sha256 },
    integrity: {
      hash_verified: claim_sha256 === sha256,
      within_geofence: distance <= rule.geofence_radius_m,
      distance_to_target_m: distance,
      clock_skew_ok: skew <= MAX_CLOCK_SKEW_MS || shot.late,
    },
  }
}

const REMARKS = ['As described.', 'Nothing unusual.', 'Clean and tidy.', 'Staff were helpful.'] as const

function answerTo({ kind }: EvidenceRequirement, question: Question, below: Below): AnswerValue {
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
