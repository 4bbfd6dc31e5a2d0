/**
 * `npm run battery`: runs the long batteries one after the other, or those that are named, and prints a line for each:
 * tries, lost, doubled, broken, seed. `--seed N` draws the same again, and `--part 0.1` does a tenth of it. The exit code is 1
 * when anything is not zero.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createVitest } from 'vitest/node'
import type { TestTally } from './battery.ts'
import { countResults } from './reporter.ts'

/** Each file of `test/interop/` is a battery of its own. */
const PROGRAMS = readdirSync(join(import.meta.dirname, '../interop'))
  .filter((file) => file.endsWith('.test.ts'))
  .map((file): [string, string[]] => [file.replace('.test.ts', ''), [`test/interop/${file}`]])

/** The batteries, each with the files or folders of its tests. */
const BATTERIES: ReadonlyMap<string, readonly string[]> = new Map<string, string[]>([
  ['models', ['test/properties/']],
  ['simulate', ['test/simulate/']],
  ['kills', ['test/crash/kills', 'test/crash/pending-calls']],
  ['races', ['test/crash/contention', 'test/crash/slot-contention', 'test/acceptance/two-terminals']],
  ['logins', ['test/acceptance/lost-refresh', 'test/acceptance/login.test']],
  ['siege', ['test/adversarial/siege']],
  ['frozen', ['test/adversarial/frozen-database']],
  ...PROGRAMS,
])

const { values, positionals } = parseArgs({
  options: { seed: { type: 'string' }, part: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !BATTERIES.has(name))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no battery ${unknown.join(', ')}. These are: ${[...BATTERIES.keys()].join(', ')}\n`,
  )
  process.exit(2)
}
const part = Number(values.part)
if (!(part > 0 && part <= 1)) {
  process.stderr.write(`--part is a number above 0, up to 1, not ${values.part}\n`)
  process.exit(2)
}
const seed = values.seed ?? String(Math.floor(Math.random() * 1e9))
const work = mkdtempSync(join(tmpdir(), 'dray-battery-'))
process.env['DRAY_LONG'] = '1'
process.env['DRAY_PART'] = values.part
process.env['DRAY_MODEL_RUNS'] ??= String(Math.round(3000 * part))
process.env['DRAY_TEST_SEED'] = seed
process.env['DRAY_BATTERY'] = join(work, 'tallies')

const COLUMNS = ['battery', 'tries', 'lost', 'doubled', 'broken', 'seed', 'time'] as const
const toLine = (cells: readonly (string | number)[]): string =>
  cells.map((cell, at) => (at === 0 ? String(cell).padEnd(14) : String(cell).padStart(10))).join('')

const lines = [toLine(COLUMNS)]
try {
  for (const [name, files] of BATTERIES) {
    if (positionals.length === 0 || positionals.includes(name)) lines.push(...(await runBattery(name, files)))
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}
process.stdout.write(`\n${lines.join('\n')}\n`)
process.exit()

/** Runs the tests of a battery. Returns its line, and one for each note. */
async function runBattery(name: string, files: readonly string[]): Promise<string[]> {
  const begun = Date.now()
  rmSync(join(work, 'tallies'), { force: true })
  const vitest = await createVitest({ watch: false, reporters: ['default'] })
  let count
  try {
    const { testModules, unhandledErrors } = await vitest.start([...files])
    count = countResults(testModules, unhandledErrors.length)
  } finally {
    await vitest.close()
  }
  const tallies = readTallies()
  const sum = (member: 'tries' | 'lost' | 'doubled' | 'broken'): number =>
    tallies.reduce((all, tally) => all + (tally[member] ?? 0), 0)
  const tries = sum('tries') || count.passed + count.failed
  const [lost, doubled] = [sum('lost'), sum('doubled')]
  // A test that counts what is broken fails by it too, and a battery in which a test did not run proves nothing.
  const broken = Math.max(sum('broken'), count.failed - (lost + doubled > 0 ? 1 : 0)) + count.skipped
  if (lost + doubled + broken > 0 || count.passed === 0) process.exitCode = 1
  const seconds = Math.round((Date.now() - begun) / 1000)
  const notes = tallies.flatMap(({ note }) => (note === undefined ? [] : [`  ${note}`]))
  return [toLine([name, tries, lost, doubled, broken, seed, `${seconds} s`]), ...notes]
}

function readTallies(): TestTally[] {
  try {
    const text = readFileSync(join(work, 'tallies'), 'utf8')
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as TestTally)
  } catch {
    return []
  }
}
