/**
 * `npm run simulate -- --seeds 20000`: two gateways over one SQLite store and their clients, in one process, once for each
 * seed. Each seed runs twice, or each tenth with `--again 10`, and must be the same in every byte. The exit code is 1 when
 * anything is not as promised, or when too little happened.
 *
 * `--seed N` begins with that seed, and `--lines` prints what happens in it. `--planted` finds the bugs of `test/seeded-bugs/`.
 *
 * `npm run simulate -- surfaces --seeds 1000`: a story from each seed, after each command of which all surfaces are read. The
 * exit code is 1 when two of them disagree. A story has 12 commands, or `--steps 6`, and none begins after `--minutes 10` of
 * processor time. With `--every 3` a third of the surfaces is read after each command, and all after the last one.
 * `surfaces --planted` finds the bugs of `test/seeded-bugs/surfaces/`, or those named after it.
 *
 * `npm run simulate -- replacement --seeds 100`: a world from each seed, which is replaced while up to `--clients 20` hold something
 * of it. The exit code is 1 when one of them is told nothing. With `--postgres URL --postgres URL` the worlds are in these databases.
 * `replacement --planted` finds the bugs of `test/seeded-bugs/replacement/`.
 *
 * `npm run simulate -- money --seeds 100`: agents, stores and shippers who keep to a limit in each call, from each seed. The exit code
 * is 1 when their calls together pass it. `money --planted` finds the bugs of `test/seeded-bugs/money/`.
 */
import { parseArgs } from 'node:util'
import { addSeedCounts, listMissingCounts, formatCounts } from './coverage.ts'
import { runSeed, type Setting } from './seed.ts'
import { listPlanted, makeSetting, plant } from './setting.ts'

/** A run of this many seeds must see everything. */
const WHOLE_RUN = 100
/** A planted bug is looked for so long. */
const MAX_SEARCH_MS = 30_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    again: { type: 'string', default: '1' },
    lines: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '600' },
    steps: { type: 'string' },
    'until-found': { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    clients: { type: 'string', default: '20' },
    postgres: { type: 'string', multiple: true, default: [] },
  },
})
const [seeds, first, again] = [Number(values.seeds), Number(values.seed), Number(values.again)]
const bounds = {
  seeds,
  first,
  withinMs: Number(values.minutes) * 60_000,
  isUntilFound: values['until-found'],
}
const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** The kinds of seeds with a last line of their own. Each returns whether nothing was found. */
const SIMULATIONS = {
  async surfaces() {
    const { simulateSurfaces } = await import('./surfaces/run.ts')
    const { lines, steps = '12', every } = values
    return simulateSurfaces({ ...bounds, steps: Number(steps), every: Number(every), lines, print })
  },
  async replacement() {
    const { simulateReplacements } = await import('./replacement/run.ts')
    const [one, other] = values.postgres
    const databases = one === undefined || other === undefined ? undefined : ([one, other] as const)
    return simulateReplacements({ ...bounds, clients: Number(values.clients), databases, print })
  },
  async money() {
    const { simulateMoney } = await import('./money/run.ts')
    return simulateMoney({ ...bounds, steps: Number(values.steps ?? 30), print })
  },
} as const

const [kind] = positionals
if (kind === undefined) await simulateGateways()
else if (kind !== 'surfaces' && kind !== 'replacement' && kind !== 'money')
  throw new Error(`simulate knows no ${kind}: it is surfaces, replacement or money, or nothing`)
else if (!(await (values.planted ? findPlantedOf(kind) : SIMULATIONS[kind]()))) process.exitCode = 1

async function findPlantedOf(name: 'surfaces' | 'replacement' | 'money'): Promise<boolean> {
  const { findPlantedBugs, PLANTED_KINDS } = await import('./surfaces/planted.ts')
  return findPlantedBugs(PLANTED_KINDS[name], positionals.slice(1), print)
}

async function simulateGateways(): Promise<void> {
  const setting = await makeSetting()
  await (values.planted ? findPlanted(setting) : simulate(setting))
}

async function simulate(setting: Setting): Promise<void> {
  const all = new Map<string, number>()
  const begun = performance.now()
  let broken = 0
  for (let seed = first; seed < first + seeds; seed++) {
    const { faults, counts, lines } = await runSeed(seed, setting, { twice: seed % again === 0 })
    addSeedCounts(all, counts)
    if (values.lines) for (const line of lines) print(line)
    if (faults.length === 0) continue
    broken += 1
    print(`seed ${seed}: ${faults.slice(0, 5).join('\n  ')}`)
  }
  const seconds = (performance.now() - begun) / 1000
  for (const line of formatCounts(all)) print(line)
  const seldom = seeds < WHOLE_RUN ? [] : listMissingCounts(all)
  for (const line of seldom) print(line)
  if (broken > 0 || seldom.length > 0) process.exitCode = 1
  print(`${seeds} seeds, ${broken} broken, ${(seeds / seconds).toFixed(1)} a second`)
}

/** Looks for each planted bug, and prints the seed that finds it. */
async function findPlanted(setting: Setting): Promise<void> {
  for (const name of listPlanted()) {
    const planted = await plant(name, setting)
    const begun = performance.now()
    const passed = (): number => performance.now() - begun
    let found: string | undefined
    let seed = first - 1
    while (found === undefined && passed() < MAX_SEARCH_MS)
      [found] = (await runSeed(++seed, planted, { twice: false })).faults
    if (found === undefined) process.exitCode = 1
    const outcome = found === undefined ? 'not found' : `seed ${seed}`
    print(
      `${name}: ${outcome}, ${(passed() / 1000).toFixed(1)} s  ${found?.split('\n', 1)[0]?.slice(0, 200) ?? ''}`,
    )
  }
}
