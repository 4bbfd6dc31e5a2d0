import { toErrorAfterChange } from '../../cli/calls/done.ts'
import type { CommandContext } from '../../cli/cli.ts'
import { assertProfileConfirmed, confirmYes } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { junitPlace } from '../../cli/files/junit.ts'
import { assertOutputPath, FORCE_FLAG, writeOutputFile } from '../../cli/files/write.ts'
import { printResult } from '../../cli/print.ts'
import { missingInputError } from '../../cli/prompts.ts'
import type { Client } from '../../client/client.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { randomId } from '../../core/ids.ts'
import { canCost, purchasingOf } from '../../core/spending.ts'
import { SPENDING } from '../../generated/spending.ts'
import { isLive } from '../live.ts'
import { findUnknownAccounts } from './accounts.ts'
import { type ScenarioProblem, type ReadScenario, readScenarioFile, type Scenario } from './file.ts'
import { brokenFile, type RunResult, runScenario, type StepResult } from './run.ts'
import type { ScenarioStep } from './schema.ts'
import { describeScenario, describeStep, summary } from './text.ts'

/** The start of a fresh sandbox when the scenario names none: a Friday morning. */
const BEGINNING = '2026-11-20T09:00:00.000Z'

/** The way to a first file, for those who named one that there is not. */
const MISSING_HINT =
  'Paths are relative to this folder. `dray <command> … --record story.yaml` records a scenario; examples/scenarios has some.'

export const scenarioRun = defineCommand({
  words: 'scenario run',
  summary: 'Run scenario files and check the results',
  description:
    'Steps in YAML or JSON call operations, advance the clock, and check status, fields and events; examples/scenarios has ' +
    'some. With --ephemeral each file runs in a temporary sandbox in memory; without it, on the server that other commands use. ' +
    'If that is not a sandbox, steps that buy ask for confirmation first; --yes confirms.',
  positionals: [
    {
      name: 'files',
      description: 'scenario files, or - for standard input',
      repeat: true,
      fileAccess: 'read',
      dash: true,
    },
  ],
  flags: [
    { flag: 'ephemeral', kind: 'boolean', description: 'a fresh sandbox in memory for each file' },
    {
      flag: 'seed',
      kind: 'text',
      value: 'N',
      description: 'seed of the temporary sandbox; overrides the file',
    },
    {
      flag: 'set',
      kind: 'text',
      value: 'NAME=VALUE',
      repeat: true,
      description: 'another value for a variable',
    },
    {
      flag: 'junit',
      kind: 'text',
      value: 'FILE',
      fileAccess: 'write',
      description: 'also write the results as JUnit XML',
    },
    FORCE_FLAG,
    { flag: 'fail-fast', kind: 'boolean', description: 'stop at the first step that fails' },
    {
      flag: 'timings',
      kind: 'boolean',
      description: 'also the duration of each step, in the JSON and JUnit results',
    },
    {
      flag: 'allow-outside',
      kind: 'boolean',
      description:
        'also read included files and tables outside of the repository, or folder, of the scenario',
    },
  ],
  examples: [
    'dray scenario run examples/scenarios/*.yaml --ephemeral',
    'dray scenario run order.yaml --ephemeral --seed 7 --set pay=wallet --junit results.xml',
  ],
  danger: 'write',
  answer: {
    fields: [
      'file',
      'scenario',
      'step',
      'id',
      'name',
      'what',
      'line',
      'included_at',
      'result',
      'failures.where',
      'failures.expected',
      'failures.actual',
      'duration_ms',
    ],
  },
  async run(cli, args) {
    const { files = [], set: given = [] } = args
    const ephemeral = args.ephemeral === true
    const failFast = args['fail-fast'] === true
    const timings = args.timings === true
    if (files.length === 0)
      throw missingInputError(cli.argv, [
        { flag: 'FILE', value: 'scenario.yaml', description: 'a scenario file' },
      ])
    const junit = junitPlace(cli, args.junit, args.force)
    if (junit !== undefined) assertOutputPath(junit)
    const seed = readSeed(args.seed, ephemeral)
    const read: ReadScenario[] = []
    const allowOutside = args['allow-outside'] === true
    for (const file of files) read.push(await readScenarioFile(cli, file, { allowOutside }))
    assertKnown(given, read)
    if (!ephemeral) await confirmTarget(cli, read)
    const runs = toRun(read, given, ephemeral)
    const results: StepResult[] = []
    let exit: number = EXIT.ok
    try {
      for (const one of runs) {
        if (failFast && exit !== EXIT.ok) break
        const ran = await runFile(cli, one, { ephemeral, seed, failFast, timings })
        results.push(...ran.results)
        if (exit === EXIT.ok || ran.exit !== EXIT.rejected) exit = ran.exit === EXIT.ok ? exit : ran.exit
      }
    } finally {
      // Also after an unexpected failure: a CI job reads the reason from this file.
      if (junit !== undefined) {
        const { stepsToJunit } = await import('./junit.ts')
        await writeOutputFile(junit, cli.runtime.pid, stepsToJunit(results))
      }
    }
    await report(cli, results)
    const { reportToGithub } = await import('./github.ts')
    await reportToGithub(cli, results)
    if (read.some((one) => 'problems' in one && one.missing === true)) await cli.say(MISSING_HINT)
    return exit
  },
})

/** Asks before steps spend real money; changes of a sandbox need no question. Throws AppError('not_confirmed'). */
async function confirmTarget(cli: CommandContext, read: readonly ReadScenario[]): Promise<void> {
  const { target } = cli.settings
  await assertProfileConfirmed(cli)
  const purchases = read.flatMap((one) => ('scenario' in one ? one.scenario.steps.filter(buys) : []))
  if (purchases.length === 0 || target.kind === 'embedded' || !(await isLive(cli, target))) return
  const names = [...new Set(purchases.map(({ call }) => call))].join(', ')
  const often = purchases.length === 1 ? 'once' : `${purchases.length} times`
  await confirmYes(
    cli,
    `The steps buy ${often} at ${target.baseUrl}, which is not a sandbox: ${names}. Pay with real money?`,
  )
}

function buys({ call = '', input }: ScenarioStep): boolean {
  return canCost(purchasingOf({ spends: SPENDING[call] }), input ?? {})
}

type Plan = {
  ephemeral: boolean
  seed: string | undefined
  failFast: boolean
  timings: boolean
}

/** Runs one file. A file that cannot run, or a service that does not answer, is a result as well. */
async function runFile(
  cli: CommandContext,
  planned: PlannedScenario,
  plan: Plan,
): Promise<{ results: StepResult[]; exit: number }> {
  if ('problems' in planned) {
    const result = brokenFile(planned)
    if (showsSteps(cli)) await cli.io.stdout.write(describeStep(result))
    return { results: [result], exit: EXIT.usage }
  }
  const ran = await runOne(cli, planned.scenario, { ...plan, variables: planned.variables })
  if ('problems' in ran) return runFile(cli, ran, plan)
  const { results, error } = ran
  if (error !== undefined) {
    const isDone = results.some(({ result }) => result === 'passed')
    return { results, exit: isDone ? toErrorAfterChange(error).exitCode : error.exitCode }
  }
  return { results, exit: results.every(({ result }) => result === 'passed') ? EXIT.ok : EXIT.rejected }
}

function showsSteps({ settings, globals }: CommandContext): boolean {
  return settings.format === 'table' && !globals.quiet
}

async function runOne(
  cli: CommandContext,
  scenario: Scenario,
  { ephemeral, seed, ...plan }: Plan & { variables: Record<string, unknown> },
): Promise<RunResult | { file: string; problems: ScenarioProblem[] }> {
  const { runtime, io } = cli
  const shown = showsSteps(cli)
  const run = randomId('run', runtime.now(), runtime.weakRandomBytes(10))
  const client = ephemeral ? await openFresh(cli, scenario, seed) : await cli.client()
  try {
    const played = { ...scenario, as: cli.globals.as ?? scenario.as }
    const problems = await findUnknownAccounts(client, played)
    if (problems.length > 0) return { file: scenario.file, problems }
    if (shown) await io.stdout.write(describeScenario(scenario))
    return await runScenario(client, played, {
      ...plan,
      // A fresh sandbox uses the same keys each time, so its responses are the same bytes.
      keyOf: (step) => (ephemeral ? `step-${step}` : `${run}-${step}`),
      elapsed: () => runtime.elapsed(),
      async onStep(result) {
        if (shown) await io.stdout.write(describeStep(result))
      },
    })
  } finally {
    if (ephemeral) await client.close()
  }
}

async function openFresh(
  { runtime, settings, io }: CommandContext,
  scenario: Scenario,
  seed: string | undefined,
): Promise<Client> {
  const { env } = runtime
  const account = settings.target.account ?? 'everything'
  const client = await runtime.openClient(
    { kind: 'embedded', store: ':memory:', account },
    { firstRun() {}, debug: (line) => void (settings.debug && io.stderr.write(`${line}\n`)) },
  )
  const used = seed ?? scenario.seed ?? (env['DRAY_SEED'] || undefined)
  await client.control('reset', {
    ...(used !== undefined && { seed: used }),
    at: scenario.at ?? (env['DRAY_NOW'] || BEGINNING),
  })
  return client
}

function readSeed(seed: string | undefined, ephemeral: boolean): string | undefined {
  if (seed === undefined) return undefined
  if (!ephemeral)
    throw new AppError('usage', '--seed requires --ephemeral: an existing sandbox has its own seed.')
  if (/^(0|[1-9]\d{0,19})$/.test(seed)) return seed
  throw new AppError('usage', `--seed must be a whole number, not ${JSON.stringify(seed.slice(0, 40))}.`)
}

/** Throws AppError('usage') for a `--set` without a name and value, or with a name that no file declares. */
function assertKnown(given: readonly string[], read: readonly ReadScenario[]): void {
  const scenarios = read.flatMap((one) => ('scenario' in one ? [one.scenario] : []))
  for (const one of given) {
    const name = one.slice(0, one.indexOf('='))
    if (name === '')
      throw new AppError('usage', `--set takes NAME=VALUE, not ${JSON.stringify(one.slice(0, 40))}.`)
    // A file that cannot be read may declare the name.
    const isKnown = scenarios.some(({ variables }) => Object.hasOwn(variables, name))
    if (!isKnown && scenarios.length === read.length)
      throw new AppError('usage', `--set ${name.slice(0, 40)}: no file declares this variable.`)
  }
}

/**
 * Returns the files to run. When one of them cannot run, no other is run at a service, which would keep what it did; a
 * fresh sandbox does not. Throws AppError('usage').
 */
function toRun(
  read: readonly ReadScenario[],
  given: readonly string[],
  ephemeral: boolean,
): PlannedScenario[] {
  const planned = read.map((one) => ('scenario' in one ? withVariables(one.scenario, given) : one))
  const broken = planned.filter((one) => 'problems' in one)
  return ephemeral || broken.length === 0 ? planned : broken
}

type PlannedScenario =
  | { scenario: Scenario; variables: Record<string, unknown> }
  | Extract<ReadScenario, { file: string }>

/** Returns the scenario with the variables of `--set`; each text is converted to the type of its default. */
function withVariables(scenario: Scenario, given: readonly string[]): PlannedScenario {
  const { file, variables } = scenario
  const values = { ...variables }
  for (const one of given) {
    const at = one.indexOf('=')
    const name = one.slice(0, at)
    if (Object.hasOwn(variables, name)) values[name] = like(variables[name], one.slice(at + 1), name)
  }
  const open = Object.keys(values).filter((name) => values[name] === null)
  if (open.length === 0) return { scenario, variables: values }
  return { file, problems: open.map((name) => ({ text: `it needs --set ${name}=VALUE` })) }
}

function like(model: unknown, value: string, name: string): unknown {
  if (typeof model === 'number') {
    const number = Number(value)
    if (value.trim() !== '' && Number.isFinite(number)) return number
    throw new AppError('usage', `--set ${name} must be a number, not ${JSON.stringify(value.slice(0, 40))}.`)
  }
  if (typeof model !== 'boolean') return value
  if (value === 'true' || value === 'false') return value === 'true'
  throw new AppError(
    'usage',
    `--set ${name} must be true or false, not ${JSON.stringify(value.slice(0, 40))}.`,
  )
}

async function report(cli: CommandContext, results: readonly StepResult[]): Promise<void> {
  if (cli.settings.format === 'table') {
    await cli.io.stdout.write(summary(results, cli.globals.quiet))
    return
  }
  await printResult(
    cli,
    { data: results, has_more: false, next_cursor: null },
    { list: true, columns: [{ field: 'file' }, { field: 'step' }, { field: 'what' }, { field: 'result' }] },
  )
}
