/** Stories of which all surfaces tell the same, each from its seed. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { iterations, limit, recordTally } from '../../support/battery.ts'

const HOUR = 3_600_000

test(
  'whatever happens to an order, no two surfaces tell different things of it',
  { timeout: 8 * HOUR },
  async () => {
    const seeds = iterations(15, 10_000)
    const main = join(import.meta.dirname, '../main.ts')
    const words = [
      main,
      'surfaces',
      '--seeds',
      `${seeds}`,
      '--steps',
      limit('6', '12'),
      '--every',
      limit('5', '1'),
    ]
    const run = promisify(execFile)(process.execPath, words, { maxBuffer: 2 ** 26 })
    const { stdout } = await run.catch((error: { stdout: string }) => error)
    const last = stdout.trimEnd().split('\n').at(-1) ?? ''
    recordTally({ tries: seeds, broken: Number(/(\d+) contradictions/.exec(last)?.[1] ?? seeds), note: last })
    expect(stdout).toMatch(new RegExp(`^${seeds} stories from seed 1, .* 0 contradictions$`, 'm'))
  },
)
