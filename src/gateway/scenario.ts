import type { RequestedScenario } from '../core/context.ts'
import { AppError } from '../core/errors.ts'
import type { AnyOperation } from '../core/operation.ts'

/** Parses `name;key=value;…` of the Sandbox-Scenario header. Throws for a name that the operation does not support. */
export function parseScenarioHeader(
  text: string | undefined,
  operation: AnyOperation,
): RequestedScenario | undefined {
  if (text === undefined) return undefined
  const [name = '', ...rest] = text.split(';').map((part) => part.trim())
  if (!operation.scenarios.includes(name)) {
    const known = operation.scenarios.join(', ')
    throw new AppError(
      'scenario_not_allowed',
      `${operation.name} does not play the scenario "${name.slice(0, 40)}".`,
      {
        extra: { operations: [operation.name] },
        hint: known === '' ? 'Leave Sandbox-Scenario out of this call.' : `It plays: ${known}.`,
      },
    )
  }
  const options: Record<string, string> = {}
  for (const part of rest) {
    const at = part.indexOf('=')
    if (at < 1)
      throw new AppError('scenario_not_allowed', `Scenario option "${part.slice(0, 40)}" is not key=value.`)
    options[part.slice(0, at)] = part.slice(at + 1)
  }
  return { name, options }
}
