import { toStoredScenario, type ScenarioOptions } from '../../../core/scenario.ts'
import type { TaskDoc } from '../queries/tasks.ts'
import { EVIDENCE_REJECTION_REASONS } from '../rules/evidence.ts'
import { TASK_FAILURE_REASONS } from '../rules/task.ts'

/** The ways in which the sandbox plays a task. */
export const TASK_SCENARIOS = [
  'happy',
  'no_provider',
  'provider_cancels',
  'bad_evidence',
  'task_fails',
] as const

const OPTIONS: ScenarioOptions = {
  provider_cancels: { at: (value) => value === 'assigned' || value === 'en_route' },
  bad_evidence: {
    kind: (value) => EVIDENCE_REJECTION_REASONS.some((reason) => reason === value),
    times: (value) => value === '1' || value === '2',
  },
  task_fails: { reason: (value) => TASK_FAILURE_REASONS.some((reason) => reason === value) },
}

/** The scenario to keep with a task; null for one that simply goes well. Throws `scenario_not_allowed`. */
export function readTaskScenario(
  scenario: { name: string; options: Record<string, string> } | undefined,
): TaskDoc['scenario'] {
  return toStoredScenario(
    scenario,
    OPTIONS,
    `no_provider, provider_cancels;at=assigned|en_route, bad_evidence;kind=${EVIDENCE_REJECTION_REASONS.join('|')};times=1|2, task_fails;reason=${TASK_FAILURE_REASONS.join('|')}`,
  )
}
