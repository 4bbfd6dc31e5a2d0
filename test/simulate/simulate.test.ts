/** Two gateways and their clients in one process, where everything that happens follows from a seed. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { limit, recordTally, iterations, seed } from '../support/battery.ts'

const HOUR = 3_600_000

/** Runs the command and returns what it prints, also when it finds something. */
async function simulate(...words: string[]): Promise<string> {
  const main = join(import.meta.dirname, 'main.ts')
  const run = promisify(execFile)(process.execPath, [main, ...words], { maxBuffer: 2 ** 26 })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  return stdout
}

test(
  'whatever fails meanwhile, every key has one effect and one answer, and everybody is answered',
  { timeout: 3 * HOUR },
  async () => {
    const seeds = iterations(100, 20_000)
    const said = await simulate(
      '--seeds',
      `${seeds}`,
      '--seed',
      `${limit(1, seed)}`,
      '--again',
      limit('10', '1'),
    )
    const broken = Number(/, (\d+) broken/.exec(said)?.[1] ?? seeds)
    recordTally({ tries: seeds, broken, note: said.trimEnd().split('\n').at(-1) ?? '' })
    expect(said).toMatch(new RegExp(`^${seeds} seeds, 0 broken, `, 'm'))
    expect(said).not.toMatch(/seen \d+ times/)
  },
)
