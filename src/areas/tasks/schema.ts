/** The resources of tasks (`contract.md` B7). */
import * as Type from 'typebox'
import {
  closed,
  contact,
  instant,
  money,
  named,
  nullable,
  place,
  point,
  slot,
  text,
} from '../../core/schema.ts'
import { payment, refund } from '../payments/schema.ts'
import { media } from '../proofs/schema.ts'
import { EVIDENCE_STATUSES, REJECTION_REASONS } from './rules/evidence.ts'
import {
  ANSWER_TYPES,
  EVIDENCE_KINDS,
  TASK_CATEGORIES,
  TASK_FAILURE_REASONS,
  TASK_LINE_TYPES,
  URGENCIES,
} from './rules/task.ts'
import { TASK_CANCEL_REASONS, TASK_STATUSES } from './states.ts'

export const taskId = Type.String({ minLength: 1, maxLength: 60, description: 'Task' })
export const taskType = Type.String({
  minLength: 1,
  maxLength: 60,
  description: 'What is to be done, such as shelf_audit',
})
const taskStatus = Type.Enum(TASK_STATUSES)
export const taskCategory = Type.Enum(TASK_CATEGORIES, { description: 'Only of this kind' })
export const evidenceKind = Type.Enum(EVIDENCE_KINDS, { description: 'Only of this kind' })
export const urgency = Type.Enum(URGENCIES, { description: 'How soon somebody is sent' })
export const taskCancelReason = Type.Enum(TASK_CANCEL_REASONS, { description: 'Why' })

/** An object whose members the task type's own schema names. */
export function openObject(description: string) {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', maxProperties: 100, description })
}

const answerValue = Type.Union([Type.Boolean(), Type.Number(), Type.String({ maxLength: 500 })])

const question = closed({
  question_id: Type.String({
    pattern: '^[a-z][a-z0-9_]{0,39}$',
    errorMessage: 'must be a short name such as in_stock',
    description: 'Name of the question',
  }),
  prompt: text(200, { description: 'What is asked' }),
  answer_type: Type.Enum(ANSWER_TYPES, { description: 'What the answer is' }),
  choices: Type.Optional(
    Type.Array(text(60), { minItems: 2, maxItems: 20, description: 'With choice: what can be chosen' }),
  ),
  required: Type.Boolean({ description: 'Whether it has to be answered' }),
  photo_required_if: Type.Optional(answerValue),
})

export const evidenceRequirement = named('EvidenceRequirement', {
  requirement_id: Type.String(),
  kind: Type.Enum(EVIDENCE_KINDS),
  label: Type.String(),
  min_count: Type.Integer({ minimum: 0 }),
  max_count: Type.Integer({ minimum: 1 }),
  gps_required: Type.Boolean(),
  geofence_radius_m: Type.Integer({ minimum: 0 }),
  max_accuracy_m: Type.Integer({ minimum: 0 }),
  device_timestamp_required: Type.Boolean(),
  within_window: Type.Boolean(),
  checklist: Type.Array(question),
})

/** What a quote or a confirm may ask beyond the type's own evidence. */
export const evidenceRules = Type.Array(
  closed({
    requirement_id: Type.String({ minLength: 1, maxLength: 60, description: 'Which evidence of the type' }),
    min_count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'At least so many' })),
    geofence_radius_m: Type.Optional(
      Type.Integer({ minimum: 10, maximum: 10_000, description: 'Captured within so many metres' }),
    ),
    extra_checklist: Type.Optional(
      Type.Array(question, { minItems: 1, maxItems: 20, description: 'Further questions' }),
    ),
  }),
  { maxItems: 20, description: 'Stricter rules for the evidence of the type' },
)

export const taskTypeView = named('TaskType', {
  task_type: Type.String(),
  name: Type.String(),
  description: Type.String(),
  category: Type.Enum(TASK_CATEGORIES),
  requirements_schema: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
  evidence: Type.Array(evidenceRequirement),
  typical_duration_minutes: Type.Integer(),
  base_price: money,
  included_photos: Type.Integer({ minimum: 0 }),
  max_distance_m: Type.Integer(),
  qualifications: Type.Array(Type.String()),
  staffed: closed({
    available: Type.Boolean(),
    qualified_providers: Type.Integer({ minimum: 1 }),
    as_of: instant,
  }),
})

export const taskQuote = closed({
  quote_id: Type.String(),
  kind: Type.Literal('task'),
  status: Type.Enum(['open', 'used', 'expired'] as const),
  created_at: instant,
  expires_at: instant,
  expires_in_seconds: Type.Integer({ minimum: 0 }),
  task_type: Type.String(),
  task_name: Type.String(),
  place,
  window: slot,
  urgency: Type.Enum(URGENCIES),
  requirements: nullable(Type.Unsafe<Record<string, unknown>>({ type: 'object' })),
  evidence_rules: Type.Array(evidenceRequirement),
  lines: Type.Array(closed({ type: Type.Enum(TASK_LINE_TYPES), amount: money })),
  total: money,
  tax_included: money,
  callout_fee: money,
  provider_available: Type.Boolean(),
  qualified_provider_count: Type.Integer({ minimum: 1 }),
  earliest_start_at: instant,
})

const { url: _, ...mediaWithoutUrl } = media.properties

function evidenceItemWith<M extends Type.TSchema>(picture: M) {
  return closed({
    evidence_id: Type.String(),
    requirement_id: Type.String(),
    kind: Type.Enum(EVIDENCE_KINDS),
    media: nullable(picture),
    answers: Type.Array(
      closed({
        question_id: Type.String(),
        answer_type: Type.Enum(ANSWER_TYPES),
        value: answerValue,
        answered_at: instant,
      }),
    ),
    captured_at: instant,
    received_at: instant,
    capture_location: closed({ ...point.properties, accuracy_m: Type.Number() }),
    submitted_by: closed({ provider_id: Type.String() }),
    status: Type.Enum(EVIDENCE_STATUSES),
    rejection_reason: nullable(Type.Enum(REJECTION_REASONS)),
  })
}

const evidenceItem = evidenceItemWith(media)

const actor = Type.Enum(['customer', 'provider', 'system'] as const)

export const task = named('Task', {
  task_id: Type.String(),
  quote_id: Type.String(),
  task_type: Type.String(),
  task_name: Type.String(),
  status: taskStatus,
  place,
  window: slot,
  urgency: Type.Enum(URGENCIES),
  requirements: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
  evidence_rules: Type.Array(evidenceRequirement),
  instructions: nullable(Type.String()),
  contact: nullable(contact),
  price: money,
  tax_included: money,
  callout_fee: money,
  payment,
  refund: nullable(refund),
  provider: nullable(
    closed({
      provider_id: Type.String(),
      name: Type.String(),
      rating: Type.Number(),
      phone_masked: Type.String(),
      vehicle_type: Type.String(),
    }),
  ),
  provider_location: nullable(point),
  eta_at: nullable(instant),
  evidence_summary: closed({
    required: Type.Integer({ minimum: 0 }),
    collected: Type.Integer({ minimum: 0 }),
    accepted: Type.Integer({ minimum: 0 }),
    rules_satisfied: Type.Boolean(),
    items_count: Type.Integer({ minimum: 0 }),
  }),
  evidence: Type.Array(evidenceItemWith(closed(mediaWithoutUrl))),
  result: nullable(
    closed({
      outcome: Type.Enum(['success', 'failed'] as const),
      failure_reason: nullable(Type.Enum(TASK_FAILURE_REASONS)),
      notes: nullable(Type.String()),
    }),
  ),
  cancellable: Type.Boolean(),
  cancellation: nullable(
    closed({
      by: actor,
      reason_code: taskCancelReason,
      note: nullable(Type.String()),
      at: instant,
    }),
  ),
  status_history: Type.Array(
    closed({ status: taskStatus, at: instant, by: actor, reason: nullable(Type.String()) }),
  ),
  created_at: instant,
  assigned_at: nullable(instant),
  started_at: nullable(instant),
  completed_at: nullable(instant),
  updated_at: instant,
})

export const taskEvidence = closed({
  task_id: Type.String(),
  rules_satisfied: Type.Boolean(),
  requirements: Type.Array(
    closed({
      requirement_id: Type.String(),
      kind: Type.Enum(EVIDENCE_KINDS),
      required: Type.Integer({ minimum: 0 }),
      collected: Type.Integer({ minimum: 0 }),
      satisfied: Type.Boolean(),
      problems: Type.Array(Type.String()),
    }),
  ),
  items: Type.Array(evidenceItem),
  manifest: closed({
    algorithm: Type.Literal('sha256'),
    root: Type.String(),
    item_count: Type.Integer({ minimum: 0 }),
    generated_at: instant,
  }),
})
