/** The resources of tasks. */
import * as Type from 'typebox'
import { makeLocalTimeFields } from '../../core/local-times.ts'
import {
  secondaryField,
  writtenBy,
  cancellable,
  strictObject,
  IDENTIFIER,
  contact,
  createdAt,
  objectField,
  idParam,
  instant,
  withLabel,
  describeField,
  money,
  component,
  nameField,
  nullable,
  phoneMasked,
  placeField,
  point,
  quoteFields,
  noteField,
  slot,
  statusHistory,
  nonBlankText,
  updatedAt,
} from '../../core/schema.ts'
import { quoteTermsFields, payment, refundMembers, taxIncludedField } from '../payments/schema.ts'
import { captureLocation, media } from '../proofs/schema.ts'
import { EVIDENCE_STATUSES, EVIDENCE_REJECTION_REASONS } from './rules/evidence.ts'
import {
  ANSWER_TYPES,
  EVIDENCE_KINDS,
  TASK_CATEGORIES,
  TASK_FAILURE_REASONS,
  TASK_LINE_TYPES,
  URGENCIES,
} from './rules/task.ts'
import { TASK_CANCEL_REASONS, TASK_QUOTE_TIMES, TASK_STATUSES, TASK_TIMES } from './states.ts'

export const taskId = idParam('Task')
export const taskType = idParam('Task type, such as shelf_audit')
const taskStatus = Type.Enum(TASK_STATUSES, { meaning: 'Status' })
export const taskCategory = Type.Enum(TASK_CATEGORIES, { description: 'Task category' })
export const evidenceKind = Type.Enum(EVIDENCE_KINDS, { description: 'Evidence type' })
export const urgency = Type.Enum(URGENCIES, { description: 'Urgency' })
export const taskCancelReason = Type.Enum(TASK_CANCEL_REASONS, {
  description: 'Reason',
  label: 'Reason',
})

/** An object with the fields of the task type's own schema. */
export function openObject(description: string) {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', maxProperties: 100, description })
}

const answerValue = Type.Union([Type.Boolean(), Type.Number(), Type.String({ maxLength: 500 })])

const question = strictObject({
  question_id: Type.String({
    ...IDENTIFIER,
    pattern: '^[a-z][a-z0-9_]{0,39}$',
    errorMessage: 'must be a short name such as in_stock',
    description: 'Question ID',
  }),
  prompt: nonBlankText(200, { description: 'Question' }),
  answer_type: Type.Enum(ANSWER_TYPES, { description: 'Type of the answer' }),
  choices: Type.Optional(
    Type.Array(nonBlankText(60), {
      minItems: 2,
      maxItems: 20,
      description: 'Choices, for a choice question',
    }),
  ),
  required: Type.Boolean({ description: 'True if an answer is required' }),
  photo_required_if: Type.Optional(describeField('Answer that requires a photo', answerValue)),
})

export const evidenceRequirement = component('EvidenceRequirement', {
  requirement_id: Type.String({ meaning: 'Evidence requirement' }),
  kind: Type.Enum(EVIDENCE_KINDS, { meaning: 'Kind' }),
  label: Type.String({ meaning: 'Display name' }),
  min_count: Type.Integer({ minimum: 0, meaning: 'Minimum number' }),
  max_count: Type.Integer({ minimum: 1, meaning: 'Maximum number' }),
  gps_required: secondaryField(Type.Boolean({ meaning: 'True if a GPS position is required' })),
  geofence_radius_m: secondaryField(
    Type.Integer({ minimum: 0, meaning: 'Maximum distance from the place in metres' }),
  ),
  max_accuracy_m: secondaryField(
    Type.Integer({ minimum: 0, meaning: 'Maximum position accuracy radius in metres' }),
  ),
  device_timestamp_required: secondaryField(Type.Boolean({ meaning: 'True if the device time is required' })),
  within_window: secondaryField(Type.Boolean({ meaning: 'True if captured only within the time window' })),
  checklist: Type.Array(question, { meaning: 'Checklist' }),
})

/** Additional evidence that a quote or a confirm may ask for. */
export const evidenceRules = Type.Array(
  strictObject({
    requirement_id: idParam('Evidence requirement'),
    min_count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Minimum number' })),
    geofence_radius_m: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: 10_000,
        description: 'Maximum distance from the place in metres',
      }),
    ),
    extra_checklist: Type.Optional(
      Type.Array(question, { minItems: 1, maxItems: 20, description: 'Further questions' }),
    ),
  }),
  { maxItems: 20, description: 'Stricter evidence rules than those of the type' },
)

export const taskTypeView = component('TaskType', {
  task_type: Type.String({ meaning: 'Task type, such as shelf_audit', label: 'Type' }),
  name: nameField,
  description: Type.String({ meaning: 'Short description' }),
  category: Type.Enum(TASK_CATEGORIES, { meaning: 'Task category' }),
  requirements_schema: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    meaning: 'JSON Schema of the task details',
  }),
  evidence: Type.Array(evidenceRequirement, { meaning: 'Required evidence' }),
  typical_duration_minutes: Type.Integer({
    meaning: 'Default duration in minutes',
    label: 'Minutes',
  }),
  base_price: describeField('Base price', money, 'From'),
  included_photos: Type.Integer({ minimum: 0, meaning: 'Photos included in the price', label: 'Photos' }),
  max_distance_m: Type.Integer({ meaning: 'Maximum distance in metres' }),
  qualifications: Type.Array(Type.String(), { meaning: 'Qualifications of the tasker' }),
  staffed: objectField('Tasker availability', {
    available: Type.Boolean({ meaning: 'True if it is available now' }),
    qualified_providers: Type.Integer({
      minimum: 1,
      meaning: 'Number of qualified taskers',
      label: 'Taskers available',
    }),
    as_of: describeField('Time of this information', instant),
  }),
})

const lines = Type.Array(
  strictObject({
    type: Type.Enum(TASK_LINE_TYPES, { meaning: 'Type of the line' }),
    amount: describeField('Amount of the line; for a discount, the amount deducted', money),
  }),
  { meaning: 'Price lines' },
)

export const taskQuoteSchema = strictObject({
  ...quoteFields('task'),
  task_type: Type.String({ meaning: 'Task type, such as shelf_audit' }),
  task_name: Type.String({ meaning: 'Name of the task', label: 'Task' }),
  place: describeField('Place', placeField),
  window: describeField('Time window of the task', slot),
  urgency: Type.Enum(URGENCIES, { meaning: 'Urgency' }),
  requirements: nullable(
    'Task details, per the type’s requirements_schema',
    Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
  ),
  evidence_rules: Type.Array(evidenceRequirement, { meaning: 'Required evidence' }),
  lines,
  total: describeField('Total', money),
  tax_included: taxIncludedField,
  callout_fee: describeField('Call-out fee', money),
  provider_available: Type.Boolean({ meaning: 'True if a tasker is available' }),
  qualified_provider_count: Type.Integer({ minimum: 1, meaning: 'Number of qualified taskers' }),
  earliest_start_at: describeField('Earliest start time', instant),
  ...quoteTermsFields,
  ...makeLocalTimeFields(TASK_QUOTE_TIMES),
})

const { url: _, ...mediaWithoutUrl } = media.properties

function evidenceItemWith<M extends Type.TSchema>(picture: M) {
  return strictObject({
    evidence_id: secondaryField(Type.String({ meaning: 'Piece of evidence' })),
    requirement_id: Type.String({ meaning: 'Evidence requirement' }),
    kind: Type.Enum(EVIDENCE_KINDS, { meaning: 'Kind' }),
    media: nullable('Captured photo', picture),
    answers: Type.Array(
      strictObject({
        question_id: Type.String({ meaning: 'Question' }),
        answer_type: Type.Enum(ANSWER_TYPES, { meaning: 'Type of the answer' }),
        value: writtenBy('worker', describeField('Answer', answerValue)),
        answered_at: describeField('Time of answer', instant),
      }),
      { meaning: 'Checklist answers' },
    ),
    captured_at: describeField('Capture time (device clock)', instant),
    received_at: secondaryField(describeField('Time of receipt (service clock)', instant)),
    capture_location: secondaryField(captureLocation),
    submitted_by: secondaryField(
      objectField('Tasker who submitted it', { provider_id: Type.String({ meaning: 'Provider' }) }),
    ),
    status: Type.Enum(EVIDENCE_STATUSES, { meaning: 'Status' }),
    rejection_reason: nullable(
      'Rejection reason; null if not rejected',
      Type.Enum(EVIDENCE_REJECTION_REASONS),
    ),
  })
}

const evidenceItem = evidenceItemWith(media)

const actor = Type.Enum(['customer', 'provider', 'system'] as const)

export const task = component('Task', {
  task_id: Type.String({ meaning: 'Task', label: 'ID' }),
  quote_id: Type.String({ meaning: 'Quote' }),
  task_type: Type.String({ meaning: 'Task type, such as shelf_audit' }),
  task_name: Type.String({ meaning: 'Name of the task', label: 'Task' }),
  status: taskStatus,
  place: describeField('Place', placeField, 'Place'),
  window: describeField('Time window of the task', slot),
  urgency: Type.Enum(URGENCIES, { meaning: 'Urgency' }),
  requirements: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    meaning: 'Task details, per the type’s requirements_schema',
  }),
  evidence_rules: secondaryField(Type.Array(evidenceRequirement, { meaning: 'Required evidence' })),
  instructions: nullable('Instructions', Type.String()),
  contact: nullable('Contact', contact),
  price: describeField('Price', money),
  lines: secondaryField(lines),
  tax_included: taxIncludedField,
  callout_fee: describeField('Call-out fee', money),
  payment: describeField('Payment', payment),
  ...refundMembers,
  provider: nullable(
    'Provider; null until one is assigned',
    strictObject({
      provider_id: Type.String({ meaning: 'Provider' }),
      name: writtenBy('worker', withLabel('Tasker', nameField)),
      rating: Type.Number({ meaning: 'Rating from 1 to 5; null without ratings' }),
      phone_masked: phoneMasked,
      vehicle_type: Type.String({ meaning: 'Vehicle type' }),
    }),
  ),
  provider_location: nullable('Location of the provider; null unless on the way', point),
  eta_at: nullable('Estimated time of arrival', instant, 'ETA'),
  evidence_summary: objectField('Progress of the evidence', {
    required: Type.Integer({ minimum: 0, meaning: 'Number needed', label: 'Evidence needed' }),
    collected: Type.Integer({ minimum: 0, meaning: 'Number collected' }),
    accepted: Type.Integer({ minimum: 0, meaning: 'Number accepted' }),
    rules_satisfied: Type.Boolean({ meaning: 'True if all rules are met' }),
    items_count: Type.Integer({ minimum: 0, meaning: 'Number of items' }),
  }),
  evidence: Type.Array(evidenceItemWith(strictObject(mediaWithoutUrl)), { meaning: 'Required evidence' }),
  result: nullable(
    'Result',
    strictObject({
      outcome: Type.Enum(['success', 'failed'] as const, {
        meaning: 'Outcome; null until it has ended',
        label: 'Result',
      }),
      failure_reason: nullable(
        'Reason for failure; null unless it failed',
        Type.Enum(TASK_FAILURE_REASONS),
        'Because',
      ),
      notes: writtenBy('worker', noteField),
    }),
  ),
  cancellable,
  cancellation: nullable(
    'Cancellation; null if not cancelled',
    strictObject({
      by: describeField('Actor', actor),
      reason_code: taskCancelReason,
      note: noteField,
      at: describeField('Time of cancellation', instant),
    }),
  ),
  status_history: statusHistory(taskStatus, actor),
  created_at: createdAt,
  assigned_at: nullable('Time of assignment', instant),
  started_at: nullable('Start time; null until then', instant),
  completed_at: nullable('Completion time; null until then', instant),
  updated_at: updatedAt,
  ...makeLocalTimeFields(TASK_TIMES),
})

export const taskEvidence = strictObject({
  task_id: Type.String({ meaning: 'Task' }),
  rules_satisfied: Type.Boolean({ meaning: 'True if all rules are met', label: 'Satisfied' }),
  requirements: Type.Array(
    strictObject({
      requirement_id: Type.String({ meaning: 'Evidence requirement' }),
      kind: Type.Enum(EVIDENCE_KINDS, { meaning: 'Kind' }),
      required: Type.Integer({ minimum: 0, meaning: 'Number needed' }),
      collected: Type.Integer({ minimum: 0, meaning: 'Number collected' }),
      satisfied: Type.Boolean({ meaning: 'True if this rule is met' }),
      problems: Type.Array(Type.String(), { meaning: 'Problems' }),
    }),
    { meaning: 'Status of each requirement' },
  ),
  items: Type.Array(evidenceItem, { meaning: 'Evidence' }),
  manifest: secondaryField(
    objectField('Evidence manifest', {
      algorithm: Type.Literal('sha256', { meaning: 'Hash algorithm' }),
      root: Type.String({ meaning: 'Root hash of all evidence' }),
      item_count: Type.Integer({ minimum: 0, meaning: 'Number of items' }),
      generated_at: describeField('Creation time', instant),
    }),
  ),
})
