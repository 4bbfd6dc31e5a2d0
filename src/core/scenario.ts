/** The scenario that the sandbox plays for a resource (docs/rules/simulation.md#a-scenario-plays-one-case). */
import { AppError } from './errors.ts'

type Scenario = { name: string; options: Record<string, string> }

/** The options of each scenario, with a function that validates the value. */
export type ScenarioOptions = Readonly<Record<string, Readonly<Record<string, (value: string) => boolean>>>>

/**
 * Returns the scenario to store; null for the default one, a success. `words` lists the known ones in the error.
 * Throws `scenario_not_allowed`.
 */
export function toStoredScenario(
  scenario: Scenario | undefined,
  known: ScenarioOptions,
  words: string,
): Scenario | null {
  if (scenario === undefined) return null
  const { name, options } = scenario
  const takes = Object.hasOwn(known, name) ? (known[name] ?? {}) : {}
  for (const [option, value] of Object.entries(options)) {
    const isValid = Object.hasOwn(takes, option) ? takes[option] : undefined
    if (isValid === undefined)
      throw scenarioNotAllowedError(`${name} has no option "${option.slice(0, 40)}"`, words)
    if (!isValid(value))
      throw scenarioNotAllowedError(`"${value.slice(0, 40)}" is not a value of ${option}`, words)
  }
  return name === 'happy' ? null : { name, options }
}

/** Returns `scenario_not_allowed`. `what` is the sentence, `words` the hint, both without a period. */
export function scenarioNotAllowedError(what: string, words: string): AppError {
  return new AppError('scenario_not_allowed', `${what}.`, { hint: `${words}.` })
}

/** Returns whether a value of an option is a number of minutes, from 1 to 999. */
export function areMinutes(value: string): boolean {
  return /^[1-9]\d{0,2}$/.test(value)
}

/** The minutes of a scenario that has none. */
const DEFAULT_MINUTES = 15

/** Returns the milliseconds by which a scenario delays a worker. */
export function lateMs({ doc }: { doc: { scenario: Scenario | null } }): number {
  return Number(doc.scenario?.options['minutes'] ?? DEFAULT_MINUTES) * 60_000
}

/** Returns whether a resource has the scenario with this name. */
export function hasScenario({ doc }: { doc: { scenario: Scenario | null } }, name: string): boolean {
  return doc.scenario?.name === name
}
