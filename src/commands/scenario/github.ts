/** The results of scenarios in GitHub Actions: an annotation for each failure, and a table in the summary of the job. */
import type { CommandContext } from '../../cli/cli.ts'
import { annotationLines, appendSummary, isInGithubActions, markdownTable } from '../../cli/files/github.ts'
import { failureLines } from './junit.ts'
import type { StepResult } from './run.ts'

const HEADER = ['File', 'Scenario', 'Passed', 'Failed', 'Skipped']

/** Tells GitHub Actions of the results, on standard error: standard output may be a document. Does nothing elsewhere. */
export async function reportToGithub(cli: CommandContext, results: readonly StepResult[]): Promise<void> {
  if (!isInGithubActions(cli.runtime)) return
  const bad = results.filter(({ result }) => result === 'failed' || result === 'broken')
  const annotations = bad.map((step) => ({
    file: step.file,
    line: step.line,
    title: `${step.scenario}: ${step.name}`,
    message: failureLines(step).join('\n'),
  }))
  await cli.io.stderr.write(annotationLines(annotations))
  await appendSummary(cli, summaryOf(results, bad))
}

function summaryOf(results: readonly StepResult[], bad: readonly StepResult[]): string {
  const rows = [...Map.groupBy(results, ({ file }) => file)].map(([file, steps]) => {
    const count = (...wanted: StepResult['result'][]): string =>
      String(steps.filter(({ result }) => wanted.includes(result)).length)
    return [file, steps[0]?.scenario ?? file, count('passed'), count('failed', 'broken'), count('skipped')]
  })
  const failures = bad.map((step) => [`${step.file}:${step.line}`, step.name, failureLines(step).join('; ')])
  return [
    `### Scenarios\n\n${markdownTable(HEADER, rows)}\n`,
    failures.length === 0 ? '' : `${markdownTable(['Line', 'Step', 'Failure'], failures)}\n`,
  ].join('')
}
