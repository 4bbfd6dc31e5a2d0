import { defineCommand } from '../../cli/define-command.ts'
import { junitPlace, type JunitSuite, toJunit } from '../../cli/files/junit.ts'
import { assertOutputPath, FORCE_FLAG, writeOutputFile } from '../../cli/files/write.ts'
import { loadOperationHints } from '../../cli/hints-of.ts'
import { printResult } from '../../cli/print.ts'
import type { ControlAnswer } from '../../sandbox/control/index.ts'
import { readControlInput } from './arguments.ts'

type Coverage = ControlAnswer<'get_coverage'>

export const sandboxCoverage = defineCommand({
  words: 'sandbox coverage',
  summary: 'Show which operations, refusals and states your tests have seen',
  description:
    'Counts the calls that `dray sandbox log` keeps, about the last 5000; a store in memory keeps none. A refusal that every call ' +
    'can have is named once it was seen. States are those of answers that show one resource. In the JUnit results an outcome ' +
    'never seen is skipped, and a call that broke the API document is a failure.',
  flags: [
    {
      flag: 'after',
      kind: 'text',
      field: 'after',
      value: 'REQUEST',
      description: 'only calls after this request ID of `dray sandbox log`',
    },
    {
      flag: 'account',
      kind: 'text',
      field: 'account',
      value: 'ACCOUNT',
      description: 'only calls of this account',
    },
    {
      flag: 'junit',
      kind: 'text',
      value: 'FILE|-',
      fileAccess: 'write',
      description: 'also write JUnit XML; - writes only that, to standard output',
    },
    FORCE_FLAG,
  ],
  examples: [
    'dray sandbox coverage',
    'dray sandbox coverage --json --query broken',
    'dray sandbox coverage --junit coverage.xml',
  ],
  async run(cli, { junit, force, ...filter }) {
    const place = junit === '-' ? undefined : junitPlace(cli, junit, force)
    if (place !== undefined) assertOutputPath(place)
    const input = await readControlInput<'get_coverage'>(cli, filter)
    const coverage = await (await cli.client()).control('get_coverage', input)
    if (junit === '-') {
      await cli.io.stdout.write(toJunit(suitesOf(coverage)))
      return 0
    }
    if (place !== undefined) await writeOutputFile(place, cli.runtime.pid, toJunit(suitesOf(coverage)))
    const { columns } = await loadOperationHints('get_coverage')
    await printResult(
      cli,
      { ...coverage, has_more: false, next_cursor: null },
      { list: true, columns, done: summaryOf(coverage) },
    )
    return 0
  },
})

function summaryOf({ calls, since, operations, outcomes, states, broken }: Coverage): string {
  if (since === null) return 'No calls are kept yet: nothing was seen.'
  const parts = [
    `${operations.seen} of ${operations.known} operations`,
    `${outcomes.seen} of ${outcomes.known} statuses and refusals`,
    `${states.seen} of ${states.known} states`,
  ]
  const ids = broken.slice(-3).map(({ operation, request_id }) => `${operation} (${request_id})`)
  const broke =
    broken.length === 0
      ? 'No call broke the API document.'
      : `Calls that broke the API document: ${broken.length}, the last ${ids.join(', ')}.`
  return `Seen: ${parts.join(', ')}. Calls kept: ${calls}, since ${since}. ${broke}`
}

/** Returns a suite for each subject, with a case for each outcome, and one suite with the calls that broke the document. */
function suitesOf({ data, broken }: Coverage): JunitSuite[] {
  const suites = data.map(({ subject, seen, never }) => ({
    name: subject,
    cases: [
      ...seen.map((name) => ({ classname: subject, name, result: 'passed' as const })),
      ...never.map((name) => ({
        classname: subject,
        name,
        result: 'skipped' as const,
        message: 'never seen',
      })),
    ],
  }))
  const name = 'API document'
  const faults = broken.map(({ operation, request_id, time, status, code, account }) => ({
    classname: name,
    name: `${operation} ${request_id}`,
    result: 'failed' as const,
    message: `${status} ${code ?? ''}`.trim(),
    text: `${time} ${account ?? '-'}`,
  }))
  return [...suites, ...(faults.length === 0 ? [] : [{ name, cases: faults }])]
}
