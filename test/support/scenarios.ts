import { parseScenario, problemLines, type Scenario } from '../../src/commands/scenario/file.ts'

/** The scenario of a text that has no mistakes. */
export function scenarioOf(text: string, file: string): Scenario {
  const read = parseScenario(text, file)
  if ('problems' in read) throw new Error(problemLines(read).join('\n'))
  return read.scenario
}
