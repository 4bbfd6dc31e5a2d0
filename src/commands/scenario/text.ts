/** Shows the progress of a scenario to people. */
import { sanitizeForTerminal } from '../../cli/output/text.ts'
import type { Scenario } from './file.ts'
import type { StepResult } from './run.ts'

const MARKS = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip', broken: 'FAIL' } as const

export function describeScenario({ name, file }: Scenario): string {
  return sanitizeForTerminal(name === file ? file : `${name} (${file})`) + '\n'
}

/** Returns one line for a step; a failure adds its place, the expected value and the actual one. */
export function describeStep(ran: StepResult): string {
  const { result, step, name, what, file, line, included_at: place, failures } = ran
  const head = `  ${MARKS[result]} ${String(step).padStart(2)} ${name}${name === what ? '' : ` (${what})`}`
  if (result === 'passed') return `${sanitizeForTerminal(head)}\n`
  if (step === 0) {
    const problems = failures.map(({ where, actual }) => `       ${where}: ${actual}`)
    return [`  FAIL ${file} cannot be run:`, ...problems]
      .map((one) => `${sanitizeForTerminal(one)}\n`)
      .join('')
  }
  const lines = failures.flatMap(({ where, expected, actual }) =>
    result === 'skipped'
      ? [`          ${actual}`]
      : [`          ${where}`, `            expected ${expected}`, `            got      ${actual}`],
  )
  const where = place === null ? '' : `, ${place}`
  return [`${head} at ${file}:${line}${where}`, ...lines]
    .map((one) => `${sanitizeForTerminal(one)}\n`)
    .join('')
}

export function summary(results: readonly StepResult[], quiet: boolean): string {
  const count = (wanted: StepResult['result'], of = results): number =>
    of.filter(({ result }) => result === wanted).length
  const isBad = ({ result }: StepResult): boolean => result === 'failed' || result === 'broken'
  const bad = quiet ? results.filter(isBad).map(describeStep).join('') : ''
  const steps = results.filter(({ step }) => step > 0)
  const failed = count('failed', steps) + count('broken', steps)
  const skipped = count('skipped')
  const files = results.length - steps.length
  return [
    `${bad}${count('passed')} steps passed`,
    failed === 0 ? '' : `, ${failed} failed`,
    skipped === 0 ? '' : `, ${skipped} skipped`,
    files === 0 ? '' : `; ${files} ${files === 1 ? 'file' : 'files'} could not be run`,
    '.\n',
  ].join('')
}
