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
  const time = duration_ms === undefined ? {} : { duration_ms }
  const place = { classname: file, name: `${step} ${name}`, file, line, ...time, result }
  if (result === 'skipped') return { ...place, message: failures[0]?.actual ?? '' }
  const lines = failureLines(ran)
  const within = included_at === null ? [] : [included_at]
  return {
    ...place,
    message: lines[0] ?? '',
    type: what,
    text: [`${file}:${line}`, ...within, ...lines].join('\n'),
  }
}

/** Returns a line for each failure of a step. */
export function failureLines({ result, failures }: Pick<StepResult, 'result' | 'failures'>): string[] {
  return failures.map(({ where, expected, actual }) =>
    result === 'broken' ? `${where}: ${actual}` : `${where}: expected ${expected}, got ${actual}`,
  )
}
