import { type JunitCase, toJunit } from '../../cli/files/junit.ts'
import type { StepResult } from './run.ts'

/** Returns the results as JUnit XML: a suite for each file, a case for each step. */
export function stepsToJunit(results: readonly StepResult[]): string {
  return toJunit(
    [...Map.groupBy(results, ({ file }) => file)].map(([file, steps]) => ({
      name: steps[0]?.scenario ?? file,
      file,
      cases: steps.map(toCase),
    })),
  )
}

function toCase({ file, step, name, what, line, result, failures, duration_ms }: StepResult): JunitCase {
  const place = { classname: file, name: `${step} ${name}`, file, line, duration_ms, result }
  if (result === 'skipped') return { ...place, message: failures[0]?.actual ?? '' }
  const lines = failures.map(({ where, expected, actual }) =>
    result === 'broken' ? `${where}: ${actual}` : `${where}: expected ${expected}, got ${actual}`,
  )
  return { ...place, message: lines[0] ?? '', type: what, text: [`${file}:${line}`, ...lines].join('\n') }
}
