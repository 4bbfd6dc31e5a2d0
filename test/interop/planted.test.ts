/** Bugs that somebody planted, each in a copy of the sources: the simulation has to find them. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { recordTally } from '../support/battery.ts'
import { ROOT } from '../support/sources.ts'

const HOUR = 3_600_000

test('the simulation finds each planted bug', { timeout: HOUR }, async () => {
  const bugs = readdirSync(join(ROOT, 'test/seeded-bugs')).map((file) => file.replace('.patch', ''))
  const main = join(ROOT, 'test/simulate/main.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [main, '--planted'], { maxBuffer: 2 ** 26 })
  const missed = bugs.filter((bug) => !new RegExp(`^${bug}: seed \\d+`, 'm').test(stdout))
  recordTally({ tries: bugs.length, broken: missed.length })
  expect(missed, stdout).toEqual([])
})
