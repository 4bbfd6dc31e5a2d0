/**
 * `npm run simulate -- --seeds 20000`: two gateways over one SQLite store and their clients, in one process, once for each
 * seed. Each seed runs twice, or each tenth with `--again 10`, and must be the same in every byte. The exit code is 1 when
 * anything is not as promised, or when too little happened.
 *
 * `--seed N` begins with that seed, and `--lines` prints what happens in it. `--planted` finds the bugs of `test/seeded-bugs/`.
 */
import { parseArgs } from 'node:util'
import { addSeedCounts, listMissingCounts, formatCounts } from './coverage.ts'
import { runSeed } from './seed.ts'
import { listPlanted, makeSetting, plant } from './setting.ts'

/** A run of this many seeds must see everything. */
const WHOLE_RUN = 100
/** A planted bug is looked for so long. */
const MAX_SEARCH_MS = 30_000

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    again: { type: 'string', default: '1' },
    lines: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
  },
})
const [seeds, first, again] = [Number(values.seeds), Number(values.seed), Number(values.again)]
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const setting = await makeSetting()
if (values.planted) await findPlanted()
else await simulate()

async function simulate(): Promise<void> {
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
async function findPlanted(): Promise<void> {
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
