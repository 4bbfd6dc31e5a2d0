import { parseScenario, formatProblemLines, type Scenario } from '../../src/commands/scenario/file.ts'

/** Parses a scenario; throws if it has errors. */
export function scenarioOf(text: string, file: string): Scenario {
  const read = parseScenario(text, file)
  if ('problems' in read) throw new Error(formatProblemLines(read).join('\n'))
  return read.scenario
}
