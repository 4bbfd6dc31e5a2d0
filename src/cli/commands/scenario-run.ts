import { resolve as resolvePath } from 'node:path'
import type { Client } from '../../client/client.ts'
import { randomId } from '../../domain/ids.ts'
import { AppError, EXIT } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { type Args, defineCommand, text } from '../command.ts'
import { confirmProtected } from '../confirm.ts'
import { printResult } from '../print.ts'
import { missingInput } from '../prompts.ts'
import { assertControls, readScenario, type Scenario } from '../scenario/file.ts'
import { runScenario, type StepResult } from '../scenario/run.ts'
import { describeScenario, describeStep, summary } from '../scenario/text.ts'

/** When a fresh sandbox begins whose scenario does not say: a Friday morning (`contract.md` D). */
const BEGINNING = '2026-11-20T09:00:00.000Z'

export const scenarioRun = defineCommand({
  words: 'scenario run',
  summary: 'Carry out scenario files and check what comes',
  description:
    'Steps in YAML or JSON call operations, let time pass, and expect status, fields and events; examples/scenarios has ' +
    'some. With --ephemeral each file gets a fresh sandbox in memory, without it the service that other commands use.',
  positionals: [{ name: 'files', description: 'scenario files, or - for standard input', repeat: true }],
  flags: [
    { flag: 'ephemeral', kind: 'boolean', description: 'a fresh sandbox in memory for each file' },
    { flag: 'seed', kind: 'text', value: 'N', description: 'seed of that sandbox, whatever the file says' },
    {
      flag: 'set',
      kind: 'text',
      value: 'NAME=VALUE',
      repeat: true,
      description: 'another value for a variable',
    },
    { flag: 'junit', kind: 'text', value: 'FILE', description: 'also write the results as JUnit’s XML' },
    { flag: 'fail-fast', kind: 'boolean', description: 'stop at the first step that fails' },
  ],
  examples: [
    'dray scenario run examples/scenarios/*.yaml --ephemeral',
    'dray scenario run order.yaml --ephemeral --seed 7 --set pay=wallet --junit results.xml',
  ],
  danger: 'write',
  async run(cli, args) {
    const files = [args['files'] ?? []].flat().map(String)
    if (files.length === 0)
      throw missingInput(cli.argv, [{ flag: 'FILE', value: 'scenario.yaml', description: 'a scenario file' }])
    const ephemeral = args['ephemeral'] === true
    const seed = readSeed(args, ephemeral)
    // Every file is read before the first is run: a mistake in the last one changes nothing.
    const scenarios: Scenario[] = []
    for (const file of files) scenarios.push(await readScenario(cli, file))
    const all = [args['set'] ?? []].flat().map(String)
    const planned = scenarios.map((scenario) => ({
      scenario,
      variables: setVariables(scenario, all, scenarios),
    }))
    for (const scenario of scenarios) await assertControls(scenario)
    if (!ephemeral) await confirmProtected(cli)

    const results: StepResult[] = []
    const failFast = args['fail-fast'] === true
    for (const { scenario, variables } of planned) {
      if (failFast && results.some(({ result }) => result === 'failed')) break
      results.push(...(await runOne(cli, scenario, { variables, ephemeral, seed, failFast })))
    }
    const junit = text(args, 'junit')
    if (junit !== undefined) await writeJunit(cli, junit, results)
    await report(cli, results)
    return results.every(({ result }) => result === 'passed') ? EXIT.ok : EXIT.rejected
  },
})

type Plan = {
  variables: Record<string, unknown>
  ephemeral: boolean
  seed: string | undefined
  failFast: boolean
}

async function runOne(
  cli: Cli,
  scenario: Scenario,
  { ephemeral, seed, ...plan }: Plan,
): Promise<StepResult[]> {
  const { runtime, settings, io } = cli
  const live = settings.format === 'table' && !cli.globals.quiet
  if (live) await io.stdout.write(describeScenario(scenario))
  const run = randomId('run', runtime.now(), runtime.noise(10))
  const client = ephemeral ? await openFresh(cli, scenario, seed) : await cli.client()
  try {
    return await runScenario(
      client,
      { ...scenario, as: cli.globals.as ?? scenario.as },
      {
        ...plan,
        // In a fresh sandbox the same keys each time, so that the same bytes come out.
        keyOf: (step) => (ephemeral ? `step-${step}` : `${run}-${step}`),
        elapsed: () => runtime.elapsed(),
        async onStep(result) {
          if (live) await io.stdout.write(describeStep(result))
        },
      },
    )
  } finally {
    if (ephemeral) await client.close()
  }
}

async function openFresh(
  { runtime, settings, io }: Cli,
  scenario: Scenario,
  seed: string | undefined,
): Promise<Client> {
  const { env } = runtime
  const account = settings.target.account ?? 'everything'
  const client = await runtime.openClient(
    { kind: 'embedded', store: ':memory:', account },
    { firstRun() {}, debug: (line) => void (settings.debug && io.stderr.write(`${line}\n`)) },
  )
  const used = seed ?? scenario.seed ?? env['DRAY_SEED']
  await client.control('reset', {
    ...(used !== undefined && { seed: used }),
    at: scenario.at ?? env['DRAY_NOW'] ?? BEGINNING,
  })
  return client
}

function readSeed(args: Args, ephemeral: boolean): string | undefined {
  const seed = text(args, 'seed')
  if (seed === undefined) return undefined
  if (!ephemeral)
    throw new AppError('usage', '--seed belongs to --ephemeral: a sandbox that is there has its seed.')
  if (/^(0|[1-9]\d{0,19})$/.test(seed)) return seed
  throw new AppError('usage', `--seed must be a whole number, not ${JSON.stringify(seed.slice(0, 40))}.`)
}

/** The variables of a scenario with what `--set` gives them; a text becomes what its default is. */
function setVariables(
  { file, variables }: Scenario,
  given: readonly string[],
  all: readonly Scenario[],
): Record<string, unknown> {
  const values = { ...variables }
  for (const one of given) {
    const at = one.indexOf('=')
    const name = one.slice(0, at)
    if (at < 1)
      throw new AppError('usage', `--set takes NAME=VALUE, not ${JSON.stringify(one.slice(0, 40))}.`)
    if (!all.some((scenario) => Object.hasOwn(scenario.variables, name)))
      throw new AppError('usage', `--set ${name.slice(0, 40)}: no file has a variable of that name.`)
    if (Object.hasOwn(variables, name)) values[name] = like(variables[name], one.slice(at + 1), name)
  }
  const open = Object.entries(values).find(([, value]) => value === null)?.[0]
  if (open !== undefined) throw new AppError('usage', `${file} needs --set ${open}=VALUE.`)
  return values
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

async function writeJunit({ runtime }: Cli, file: string, results: readonly StepResult[]): Promise<void> {
  const [{ toJunit }, { writeFile }] = await Promise.all([
    import('../scenario/junit.ts'),
    import('node:fs/promises'),
  ])
  try {
    await writeFile(resolvePath(runtime.cwd, file), toJunit(results))
  } catch (error) {
    throw new AppError('file_error', `${file} cannot be written: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

async function report(cli: Cli, results: readonly StepResult[]): Promise<void> {
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
