import { escapeXml as escape } from '../../cli/files/junit.ts'
import type { StepResult } from './run.ts'

/** Returns the results as JUnit XML, which every CI reads: a suite for each file, a case for each step. */
export function toJunit(results: readonly StepResult[]): string {
  const suites = [...Map.groupBy(results, ({ file }) => file)].map(
    ([file, steps]) =>
      `  <testsuite name="${escape(steps[0]?.scenario ?? file)}" file="${escape(file)}" ${counts(steps)}>\n${steps.map(toCase).join('')}  </testsuite>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="dray" ${counts(results)}>\n${suites.join('')}</testsuites>\n`
}

function counts(steps: readonly StepResult[]): string {
  const count = (result: StepResult['result']): number =>
    steps.filter((step) => step.result === result).length
  const seconds = steps.reduce((sum, { duration_ms }) => sum + duration_ms, 0) / 1000
  return `tests="${steps.length}" failures="${count('failed')}" errors="${count('broken')}" skipped="${count('skipped')}" time="${seconds.toFixed(3)}"`
}

function toCase({ file, step, name, what, line, result, failures, duration_ms }: StepResult): string {
  const open = `    <testcase classname="${escape(file)}" name="${escape(`${step} ${name}`)}" file="${escape(file)}" line="${line}" time="${(duration_ms / 1000).toFixed(3)}"`
  if (result === 'passed') return `${open}/>\n`
  const lines = failures.map(({ where, expected, actual }) =>
    result === 'broken' ? `${where}: ${actual}` : `${where}: expected ${expected}, got ${actual}`,
  )
  const element = result === 'broken' ? 'error' : 'failure'
  const inner =
    result === 'skipped'
      ? `<skipped message="${escape(failures[0]?.actual ?? '')}"/>`
      : `<${element} message="${escape(lines[0] ?? '')}" type="${escape(what)}">${escape([`${file}:${line}`, ...lines].join('\n'))}</${element}>`
  return `${open}>${inner}</testcase>\n`
}
