import { REJECTION_REASONS } from '../domain/evidence.ts'
import { TASK_FAILURE_REASONS } from '../domain/task.ts'
import { AppError } from '../errors.ts'
import type { TaskDoc } from '../store/tasks.ts'

/** How the sandbox can play a task (`contract.md` D). */
export const TASK_SCENARIOS = [
  'happy',
  'no_provider',
  'provider_cancels',
  'bad_evidence',
  'task_fails',
] as const

/** The options each scenario takes, with what they may be. */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, (value: string) => boolean>>>> = {
  provider_cancels: { at: (value) => value === 'assigned' || value === 'en_route' },
  bad_evidence: {
    kind: (value) => REJECTION_REASONS.some((reason) => reason === value),
    times: (value) => value === '1' || value === '2',
  },
  task_fails: { reason: (value) => TASK_FAILURE_REASONS.some((reason) => reason === value) },
}

/** The scenario to keep with a task; null for one that simply goes well. Throws `scenario_not_allowed`. */
export function readTaskScenario(
  scenario: { name: string; options: Record<string, string> } | undefined,
): TaskDoc['scenario'] {
  if (scenario === undefined) return null
  const { name, options } = scenario
  const known = OPTIONS[name] ?? {}
  for (const [option, value] of Object.entries(options)) {
    const isValid = Object.hasOwn(known, option) ? known[option] : undefined
    if (isValid === undefined) throw refuse(`${name} has no option "${option.slice(0, 40)}"`)
    if (!isValid(value)) throw refuse(`"${value.slice(0, 40)}" is not a value of ${option}`)
  }
  return name === 'happy' ? null : { name, options }
}

function refuse(what: string): AppError {
  return new AppError('scenario_not_allowed', `${what}.`, {
    hint: `no_provider, provider_cancels;at=assigned|en_route, bad_evidence;kind=${REJECTION_REASONS.join('|')};times=1|2, task_fails;reason=${TASK_FAILURE_REASONS.join('|')}.`,
  })
}
