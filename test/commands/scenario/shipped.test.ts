import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Client } from '../../../src/client/client.ts'
import { TOPICS } from '../../../src/commands/help-topics.ts'
import type { RunStep } from '../../../src/commands/scenario/compose.ts'
import type { Scenario } from '../../../src/commands/scenario/file.ts'
import { runScenario } from '../../../src/commands/scenario/run.ts'
import { scenarioSchema } from '../../../src/commands/scenario/schema.command.ts'
import { toTimestamp } from '../../../src/core/time.ts'
import { openEmbedded } from '../../../src/host/embedded.ts'
import { makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'
import { scenarioOf } from '../../support/scenarios.ts'
import { ENGINES } from '../../support/stores.ts'

const FOLDER = join(import.meta.dirname, '../../../examples/scenarios')
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'))

const read = (file: string): Scenario =>
  scenarioOf(readFileSync(join(FOLDER, file), 'utf8'), join(FOLDER, file))

async function openAt(store: string, { seed, at }: Scenario): Promise<Client> {
  let drawn = 0
  return openEmbedded(
    { kind: 'embedded', store, account: 'everything' },
    {
      now: () => 1_800_000_000_000,
      random: (count) => new Uint8Array(count).fill(++drawn),
      weakRandomBytes: (count) => new Uint8Array(count).fill(++drawn),
      env: { DRAY_SEED: seed, DRAY_NOW: at },
      firstRun() {},
      debug() {},
    },
  )
}

/** Runs a scenario in a new store; returns its failures and the whole content of the store. */
async function runShippedScenario(
  store: string,
  scenario: Scenario,
): Promise<{ failures: unknown[]; bytes: string }> {
  const client = await openAt(store, scenario)
  try {
    const { results } = await runScenario(client, scenario, {
      variables: scenario.variables,
      keyOf: (step) => `step-${step}`,
      failFast: false,
      elapsed: () => 0,
    })
    const chunks: Uint8Array[] = []
    await client.saveSnapshot((chunk) => void chunks.push(chunk))
    return {
      failures: results.filter(({ result }) => result !== 'passed'),
      bytes: Buffer.concat(chunks).toString(),
    }
  } finally {
    await client.close()
  }
}

const DAY = 86_400_000
const SPANS: Readonly<Record<string, number>> = {
  '5m': 300_000,
  '2h': 7_200_000,
  '3h': 10_800_000,
  '6h': 21_600_000,
  '5d': 5 * DAY,
  '10d': 10 * DAY,
}

/** Returns the same scenario with every advance in a hundred steps, without the expectations of these steps. */
function inSteps(scenario: Scenario): Scenario {
  let now = Date.parse(scenario.at ?? '')
  const steps = scenario.steps.flatMap((step): RunStep[] => {
    if (step.advance === undefined) return [step]
    const span = SPANS[step.advance] ?? NaN
    const start = now
    now += span
    return Array.from({ length: 100 }, (_, index) => ({
      line: step.line,
      advance_to: toTimestamp(start + Math.round((span * (index + 1)) / 100)),
    }))
  })
  return { ...scenario, steps }
}

test('seven stories are shipped, and the schema that editors read is the one that is printed', async () => {
  expect(FILES).toHaveLength(7)
  using home = makeHome()
  const { out } = await runCommand(home, scenarioSchema, [])
  expect(JSON.parse(readFileSync(join(FOLDER, 'scenario.schema.json'), 'utf8'))).toEqual(JSON.parse(out))
  for (const file of FILES)
    expect(readFileSync(join(FOLDER, file), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\/scenario\.schema\.json\n/,
    )
})

describe.each(FILES)('%s', (file) => {
  test('comes out as it says, with the same bytes on both engines and however time is cut', async () => {
    const scenario = read(file)
    const [sqlite, postgres] = await Promise.all(
      ENGINES.map(async (engine) => runShippedScenario(await engine.locate(), scenario)),
    )
    expect(sqlite?.failures).toEqual([])
    expect(postgres?.failures).toEqual([])
    expect(postgres?.bytes).toBe(sqlite?.bytes)
    // Each call's key contains its step's number: only these may differ.
    const keyed = (bytes = ''): string =>
      bytes
        .split('\n')
        .filter((line) => !/^\["idempotency"|^\{/.test(line))
        .join('\n')
    const cut = await runShippedScenario(':memory:', inSteps(scenario))
    expect(cut.failures).toEqual([])
    expect(keyed(cut.bytes)).toBe(keyed(sqlite?.bytes))
  })

  test('comes out with another seed too', async () => {
    const { failures } = await runShippedScenario(':memory:', { ...read(file), seed: '7' })
    expect(failures).toEqual([])
  })
})

test('the example of `dray help scenarios` comes out as it says', async () => {
  const [, example = ''] = /\nEXAMPLE\n([^]*?)\n\n/.exec(TOPICS['scenarios']?.() ?? '') ?? []
  const { failures } = await runShippedScenario(':memory:', scenarioOf(example, 'help'))
  expect(failures).toEqual([])
})
