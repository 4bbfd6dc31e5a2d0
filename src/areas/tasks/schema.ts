/** The resources of tasks (`contract.md` B7). */
import * as Type from 'typebox'
import { localTimes } from '../../core/local-times.ts'
import {
  by,
  cancellable,
  closed,
  CODE,
  contact,
  createdAt,
  group,
  idOf,
  instant,
  labelled,
  means,
  money,
  named,
  nameText,
  nullable,
  phoneMasked,
  place,
  point,
  quoteFields,
  remark,
  slot,
  statusHistory,
  text,
  updatedAt,
} from '../../core/schema.ts'
import { confirmTerms, payment, refund, taxIncluded } from '../payments/schema.ts'
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
import { TASK_CANCEL_REASONS, TASK_QUOTE_TIMES, TASK_STATUSES, TASK_TIMES } from './states.ts'

export const taskId = idOf('Task')
export const taskType = idOf('What is to be done, such as shelf_audit')
const taskStatus = Type.Enum(TASK_STATUSES, { meaning: 'Where it stands' })
export const taskCategory = Type.Enum(TASK_CATEGORIES, { description: 'Only of this kind' })
export const evidenceKind = Type.Enum(EVIDENCE_KINDS, { description: 'Only of this kind' })
export const urgency = Type.Enum(URGENCIES, { description: 'How soon somebody is sent' })
export const taskCancelReason = Type.Enum(TASK_CANCEL_REASONS, {
  description: 'Why',
  label: 'Cancelled because',
})

/** An object whose members the task type's own schema names. */
export function openObject(description: string) {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', maxProperties: 100, description })
}

const answerValue = Type.Union([Type.Boolean(), Type.Number(), Type.String({ maxLength: 500 })])

const question = closed({
  question_id: Type.String({
    ...CODE,
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
  photo_required_if: Type.Optional(means('An answer that needs a photo as well', answerValue)),
})

export const evidenceRequirement = named('EvidenceRequirement', {
  requirement_id: Type.String({ meaning: 'Which evidence' }),
  kind: Type.Enum(EVIDENCE_KINDS, { meaning: 'Of which kind' }),
  label: Type.String({ meaning: 'Its name, for people' }),
  min_count: Type.Integer({ minimum: 0, meaning: 'At least so many' }),
  max_count: Type.Integer({ minimum: 1, meaning: 'At most so many' }),
  gps_required: Type.Boolean({ meaning: 'Whether a position is needed' }),
  geofence_radius_m: Type.Integer({ minimum: 0, meaning: 'To be captured within so many metres' }),
  max_accuracy_m: Type.Integer({
    minimum: 0,
    meaning: 'The position must be at least this exact, in metres',
  }),
  device_timestamp_required: Type.Boolean({ meaning: "Whether the device's own time is needed" }),
  within_window: Type.Boolean({ meaning: 'Whether it must be captured at the agreed time' }),
  checklist: Type.Array(question, { meaning: 'Questions to be answered on the spot' }),
})

/** Additional evidence that a quote or a confirm may ask for. */
export const evidenceRules = Type.Array(
  closed({
    requirement_id: idOf('Which evidence of the type'),
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
  task_type: Type.String({ meaning: 'What is to be done, such as shelf_audit', label: 'Type' }),
  name: nameText,
  description: Type.String({ meaning: 'In a few words' }),
  category: Type.Enum(TASK_CATEGORIES, { meaning: 'Kind of task' }),
  requirements_schema: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    meaning: 'What a task of this type must say (JSON Schema)',
  }),
  evidence: Type.Array(evidenceRequirement, { meaning: 'What has to be brought back' }),
  typical_duration_minutes: Type.Integer({
    meaning: 'How long it usually takes, in minutes',
    label: 'Minutes',
  }),
  base_price: means('Price without extras', money, 'From'),
  included_photos: Type.Integer({ minimum: 0, meaning: 'Photos that the price contains', label: 'Photos' }),
  max_distance_m: Type.Integer({ meaning: 'At most so far away, in metres' }),
  qualifications: Type.Array(Type.String(), { meaning: 'What one must be able to do' }),
  staffed: group('Whether there is somebody to do it', {
    available: Type.Boolean({ meaning: 'Whether it can be had now' }),
    qualified_providers: Type.Integer({ minimum: 1, meaning: 'How many could do it', label: 'People' }),
    as_of: means('When this was true', instant),
  }),
})

export const taskQuote = closed({
  ...quoteFields('task'),
  task_type: Type.String({ meaning: 'What is to be done, such as shelf_audit' }),
  task_name: Type.String({ meaning: 'Name of the task', label: 'Task' }),
  place: means('Where', place),
  window: means('When it is to be done', slot),
  urgency: Type.Enum(URGENCIES, { meaning: 'How soon somebody is sent' }),
  requirements: nullable(
    Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
    'What the task is about, by the schema of its type',
  ),
  evidence_rules: Type.Array(evidenceRequirement, { meaning: 'What has to be brought back' }),
  lines: Type.Array(
    closed({
      type: Type.Enum(TASK_LINE_TYPES, { meaning: 'What is charged' }),
      amount: means('What this line costs; of a discount, what it takes off', money),
    }),
    { meaning: 'Line by line' },
  ),
  total: means('What it all comes to', money),
  tax_included: taxIncluded,
  callout_fee: means('Charged once for coming', money),
  provider_available: Type.Boolean({ meaning: 'Whether somebody could do it' }),
  qualified_provider_count: Type.Integer({ minimum: 1, meaning: 'How many could do it' }),
  earliest_start_at: means('When it could begin at the earliest', instant),
  ...confirmTerms,
  ...localTimes(TASK_QUOTE_TIMES),
})

const { url: _, ...mediaWithoutUrl } = media.properties

function evidenceItemWith<M extends Type.TSchema>(picture: M) {
  return closed({
    evidence_id: Type.String({ meaning: 'Piece of evidence' }),
    requirement_id: Type.String({ meaning: 'Which evidence' }),
    kind: Type.Enum(EVIDENCE_KINDS, { meaning: 'Of which kind' }),
    media: nullable(picture, 'What was captured'),
    answers: Type.Array(
      closed({
        question_id: Type.String({ meaning: 'Question' }),
        answer_type: Type.Enum(ANSWER_TYPES, { meaning: 'What kind of answer it is' }),
        value: by('worker', means('The answer', answerValue)),
        answered_at: means('When it was answered', instant),
      }),
      { meaning: 'What the checklist was answered with' },
    ),
    captured_at: means('When, by the clock of the device', instant),
    received_at: means('When it arrived, by the clock of the service', instant),
    capture_location: group('Where the device was', {
      ...point.properties,
      accuracy_m: Type.Number({ meaning: 'How exact the position is, in metres' }),
    }),
    submitted_by: group('Who handed it in', { provider_id: Type.String({ meaning: 'Provider' }) }),
    status: Type.Enum(EVIDENCE_STATUSES, { meaning: 'Where it stands' }),
    rejection_reason: nullable(
      Type.Enum(REJECTION_REASONS),
      'Why it was not accepted; null unless it was not',
    ),
  })
}

const evidenceItem = evidenceItemWith(media)

const actor = Type.Enum(['customer', 'provider', 'system'] as const)

export const task = named('Task', {
  task_id: Type.String({ meaning: 'Task' }),
  quote_id: Type.String({ meaning: 'Quote' }),
  task_type: Type.String({ meaning: 'What is to be done, such as shelf_audit' }),
  task_name: Type.String({ meaning: 'Name of the task', label: 'What' }),
  status: taskStatus,
  place: means('Where', place, 'Place'),
  window: means('When it is to be done', slot),
  urgency: Type.Enum(URGENCIES, { meaning: 'How soon somebody is sent' }),
  requirements: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    meaning: 'What the task is about, by the schema of its type',
  }),
  evidence_rules: Type.Array(evidenceRequirement, { meaning: 'What has to be brought back' }),
  instructions: nullable(Type.String(), 'What to do, in words'),
  contact: nullable(contact, 'Whom to call or write to'),
  price: means('What it costs', money),
  tax_included: taxIncluded,
  callout_fee: means('Charged once for coming', money),
  payment: means('How it is paid', payment),
  refund: nullable(refund, 'What was paid back; null unless something was'),
  provider: nullable(
    closed({
      provider_id: Type.String({ meaning: 'Provider' }),
      name: by('worker', labelled('Who', nameText)),
      rating: Type.Number({ meaning: 'From 1 to 5; null without ratings' }),
      phone_masked: phoneMasked,
      vehicle_type: Type.String({ meaning: 'Kind of vehicle' }),
    }),
    'Who does it; null until there is somebody',
  ),
  provider_location: nullable(point, 'Where the provider is; null unless on the way'),
  eta_at: nullable(instant, 'When it should be there', 'There at'),
  evidence_summary: group('How far the evidence has come', {
    required: Type.Integer({ minimum: 0, meaning: 'How many are needed', label: 'Evidence needed' }),
    collected: Type.Integer({ minimum: 0, meaning: 'How many there are already' }),
    accepted: Type.Integer({ minimum: 0, meaning: 'How many were accepted' }),
    rules_satisfied: Type.Boolean({ meaning: 'Whether all rules are met' }),
    items_count: Type.Integer({ minimum: 0, meaning: 'How many items there are' }),
  }),
  evidence: Type.Array(evidenceItemWith(closed(mediaWithoutUrl)), { meaning: 'What has to be brought back' }),
  result: nullable(
    closed({
      outcome: Type.Enum(['success', 'failed'] as const, {
        meaning: 'How it ended; null until it has',
        label: 'Result',
      }),
      failure_reason: nullable(
        Type.Enum(TASK_FAILURE_REASONS),
        'Why it failed; null unless it did',
        'Because',
      ),
      notes: by('worker', remark),
    }),
    'What came of it',
  ),
  cancellable,
  cancellation: nullable(
    closed({
      by: means('Who did it', actor),
      reason_code: taskCancelReason,
      note: remark,
      at: means('When', instant),
    }),
    'How it was cancelled; null unless it was',
  ),
  status_history: statusHistory(taskStatus, actor),
  created_at: createdAt,
  assigned_at: nullable(instant, 'When somebody took it on'),
  started_at: nullable(instant, 'When it began; null until it has'),
  completed_at: nullable(instant, 'When it was completed; null until it is'),
  updated_at: updatedAt,
  ...localTimes(TASK_TIMES),
})

export const taskEvidence = closed({
  task_id: Type.String({ meaning: 'Task' }),
  rules_satisfied: Type.Boolean({ meaning: 'Whether all rules are met', label: 'Satisfied' }),
  requirements: Type.Array(
    closed({
      requirement_id: Type.String({ meaning: 'Which evidence' }),
      kind: Type.Enum(EVIDENCE_KINDS, { meaning: 'Of which kind' }),
      required: Type.Integer({ minimum: 0, meaning: 'How many are needed' }),
      collected: Type.Integer({ minimum: 0, meaning: 'How many there are already' }),
      satisfied: Type.Boolean({ meaning: 'Whether this rule is met' }),
      problems: Type.Array(Type.String(), { meaning: 'What is wrong with it' }),
    }),
    { meaning: 'What the task is about, by the schema of its type' },
  ),
  items: Type.Array(evidenceItem, { meaning: 'What is in it' }),
  manifest: group('What ties the pieces together', {
    algorithm: Type.Literal('sha256', { meaning: 'How the hashes were made' }),
    root: Type.String({ meaning: 'Hash over all of it' }),
    item_count: Type.Integer({ minimum: 0, meaning: 'How many items there are' }),
    generated_at: means('When this was put together', instant),
  }),
})
