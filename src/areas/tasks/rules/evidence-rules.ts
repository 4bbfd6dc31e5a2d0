/**
 * The customer's additions to the evidence of a task type: they may ask for more, never for less
 * (docs/rules/tasks.md#evidence-rules-may-be-tightened-never-loosened). Pure.
 */
import { AppError, type ProblemFieldError, type FieldErrorCode } from '../../../core/errors.ts'
import type { EvidenceRequirement, TaskQuestion } from './task.ts'

/** A customer's change of one requirement of the type. */
export type EvidenceRuleChange = {
  requirement_id: string
  min_count?: number
  geofence_radius_m?: number
  extra_checklist?: TaskQuestion[]
}

type EvidenceRuleError = ProblemFieldError & { pointer: string }

/** Returns the requirements with the changes. Throws `evidence_rules_invalid` with all faults. */
export function tightenEvidenceRules(
  requirements: readonly EvidenceRequirement[],
  wishes: readonly EvidenceRuleChange[],
): EvidenceRequirement[] {
  const faults = wishes.flatMap((wish, index) => findRuleErrors(requirements, wishes, wish, index))
  const [first] = faults
  if (first !== undefined) {
    throw new AppError('evidence_rules_invalid', `${first.detail}.`, {
      errors: faults,
      extra: { operations: ['list_task_types'] },
      hint: 'Rules can be stricter than those of the task type, not looser; list_task_types has its rules.',
    })
  }
  return requirements.map((requirement) => {
    const wish = wishes.find(({ requirement_id }) => requirement_id === requirement.requirement_id)
    if (wish === undefined) return requirement
    return {
      ...requirement,
      min_count: wish.min_count ?? requirement.min_count,
      geofence_radius_m: wish.geofence_radius_m ?? requirement.geofence_radius_m,
      checklist: [...requirement.checklist, ...(wish.extra_checklist ?? [])],
    }
  })
}

function findRuleErrors(
  requirements: readonly EvidenceRequirement[],
  wishes: readonly EvidenceRuleChange[],
  wish: EvidenceRuleChange,
  index: number,
): EvidenceRuleError[] {
  const at = `/evidence_rules/${index}`
  const own = requirements.find(({ requirement_id }) => requirement_id === wish.requirement_id)
  const name = wish.requirement_id.slice(0, 60)
  if (own === undefined) {
    const known = requirements.map(({ requirement_id }) => requirement_id).join(', ')
    return [fault(`${at}/requirement_id`, 'invalid_enum', `requirement_id must be one of ${known}`)]
  }
  if (wishes.findIndex(({ requirement_id }) => requirement_id === wish.requirement_id) !== index)
    return [fault(`${at}/requirement_id`, 'mutually_exclusive', `${name} is named twice`)]
  return [
    ...countFaults(own, wish, at),
    ...fenceFaults(own, wish, at),
    ...(wish.extra_checklist === undefined ? [] : questionFaults(own, wish.extra_checklist, at)),
  ]
}

function countFaults(
  { min_count: least, max_count: most, label }: EvidenceRequirement,
  { min_count }: EvidenceRuleChange,
  at: string,
): EvidenceRuleError[] {
  if (min_count === undefined || (min_count >= least && min_count <= most)) return []
  return [
    fault(`${at}/min_count`, 'out_of_range', `min_count of “${label}” must be from ${least} to ${most}`),
  ]
}

function fenceFaults(
  { geofence_radius_m: widest, label }: EvidenceRequirement,
  { geofence_radius_m }: EvidenceRuleChange,
  at: string,
): EvidenceRuleError[] {
  if (geofence_radius_m === undefined || geofence_radius_m <= widest) return []
  return [
    fault(
      `${at}/geofence_radius_m`,
      'out_of_range',
      `geofence_radius_m of “${label}” must be at most ${widest}`,
    ),
  ]
}

function questionFaults(
  { kind, checklist, label }: EvidenceRequirement,
  extra: readonly TaskQuestion[],
  at: string,
): EvidenceRuleError[] {
  if (kind !== 'checklist')
    return [
      fault(
        `${at}/extra_checklist`,
        'mutually_exclusive',
        `“${label}” is a ${kind} and cannot have questions`,
      ),
    ]
  const ids = [...checklist, ...extra].map(({ question_id }) => question_id)
  return extra.flatMap((question, index) => {
    const place = `${at}/extra_checklist/${index}`
    const isTwice = ids.indexOf(question.question_id) !== checklist.length + index
    const chooses = question.answer_type === 'choice'
    return [
      ...(isTwice
        ? [fault(`${place}/question_id`, 'mutually_exclusive', `${question.question_id} is asked already`)]
        : []),
      ...(chooses !== (question.choices !== undefined)
        ? [
            fault(
              `${place}/choices`,
              chooses ? 'required' : 'mutually_exclusive',
              chooses ? 'choices are required with choice' : 'choices go with choice only',
            ),
          ]
        : []),
      ...(canBeAnswer(question)
        ? []
        : [
            fault(
              `${place}/photo_required_if`,
              'wrong_type',
              'photo_required_if must be an answer that the question can have',
            ),
          ]),
    ]
  })
}

function canBeAnswer({ answer_type, choices, photo_required_if: answer }: TaskQuestion): boolean {
  if (answer === undefined) return true
  if (answer_type === 'choice') return choices === undefined || choices.some((choice) => choice === answer)
  return typeof answer === (answer_type === 'text' ? 'string' : answer_type)
}

function fault(pointer: string, code: FieldErrorCode, detail: string): EvidenceRuleError {
  return { pointer, code, detail }
}
