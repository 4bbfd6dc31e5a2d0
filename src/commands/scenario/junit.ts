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

function toCase(ran: StepResult): JunitCase {
  const { file, step, name, what, line, included_at, result, failures, duration_ms } = ran
  const place = { classname: file, name: `${step} ${name}`, file, line, duration_ms, result }
  if (result === 'skipped') return { ...place, message: failures[0]?.actual ?? '' }
  const lines = failures.map(({ where, expected, actual }) =>
    result === 'broken' ? `${where}: ${actual}` : `${where}: expected ${expected}, got ${actual}`,
  )
  const within = included_at === null ? [] : [included_at]
  return {
    ...place,
    message: lines[0] ?? '',
    type: what,
    text: [`${file}:${line}`, ...within, ...lines].join('\n'),
  }
}
