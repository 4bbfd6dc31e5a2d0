/** The types of tasks. */
import type { Money } from '../../../core/money.ts'

export const TASK_CATEGORIES = [
  'verification',
  'errand',
  'retail_audit',
  'inspection',
  'queueing',
  'pickup',
] as const
export type TaskCategory = (typeof TASK_CATEGORIES)[number]

export const URGENCIES = ['standard', 'express'] as const
export type Urgency = (typeof URGENCIES)[number]

export const EVIDENCE_KINDS = ['photo', 'checklist', 'signature', 'reading'] as const
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number]

export const ANSWER_TYPES = ['boolean', 'text', 'number', 'choice'] as const
export type AnswerType = (typeof ANSWER_TYPES)[number]

export type AnswerValue = boolean | string | number

/** A question that the tasker answers at the place. */
export type TaskQuestion = {
  question_id: string
  prompt: string
  answer_type: AnswerType
  /** Only with the answer type `choice`. */
  choices?: string[]
  required: boolean
  /** The answer that needs a picture. */
  photo_required_if?: AnswerValue
}

/** One requirement of the evidence, with the limits by which it is checked. */
export type EvidenceRequirement = {
  requirement_id: string
  kind: EvidenceKind
  label: string
  min_count: number
  max_count: number
  gps_required: boolean
  geofence_radius_m: number
  max_accuracy_m: number
  device_timestamp_required: boolean
  /** True if it must be captured inside the requested window. */
  within_window: boolean
  checklist: TaskQuestion[]
}

/** The reasons for which a tasker could not do a task. */
export const TASK_FAILURE_REASONS = [
  'access_denied',
  'location_closed',
  'item_unavailable',
  'wrong_address',
  'unsafe',
  'evidence_rejected',
  'other',
] as const
export type TaskFailureReason = (typeof TASK_FAILURE_REASONS)[number]

export const TASK_LINE_TYPES = ['base', 'travel', 'duration', 'express', 'extra_evidence'] as const
export type TaskPriceLine = { type: (typeof TASK_LINE_TYPES)[number]; amount: Money }

/** The requirement that names the duration of the work, in minutes. */
const MINUTES_REQUIREMENT = 'hold_minutes'

/** Returns the requested minutes of work: those of the requirements or the estimate, whichever is longer. */
export function askedMinutes(
  requirements: Readonly<Record<string, unknown>> | null,
  estimated: number | null,
): number | null {
  const required = requirements?.[MINUTES_REQUIREMENT]
  return typeof required === 'number' ? Math.max(required, estimated ?? 0) : estimated
}
