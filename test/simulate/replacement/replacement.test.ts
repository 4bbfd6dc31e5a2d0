/** Worlds that are replaced under the hands of their clients, each from its seed. */
import { expect, test } from 'vitest'
import { iterations, recordTally } from '../../support/battery.ts'
import { createDatabase } from '../../support/postgres.ts'
import { simulateReplacements } from './run.ts'

const HOUR = 3_600_000

/** Replaces the worlds of so many seeds. Returns what it printed. */
async function replaceWorlds(seeds: number, databases?: readonly [string, string]): Promise<string[]> {
  const lines: string[] = []
  const bounds = { seeds, first: 1, withinMs: 8 * HOUR, clients: iterations(8, 20), databases }
  await simulateReplacements({ ...bounds, print: (line) => void lines.push(line) })
  recordTally({ tries: seeds, broken: lines.length - 1, note: lines.at(-1) ?? '' })
  return lines
}

const nothingSilent = (seeds: number) => [
  expect.stringMatching(new RegExp(`^${seeds} seeds from seed 1, .* 0 silences$`)) as string,
]

test(
  'whoever holds a thing of a world that was replaced goes on rightly or is told to begin again',
  { timeout: 8 * HOUR },
  async () => {
    const seeds = iterations(7, 10_000)
    expect(await replaceWorlds(seeds)).toEqual(nothingSilent(seeds))
  },
)

test('so it is on PostgreSQL', { timeout: 8 * HOUR }, async () => {
  const seeds = iterations(2, 500)
  const databases = [await createDatabase(), await createDatabase()] as const
  expect(await replaceWorlds(seeds, databases)).toEqual(nothingSilent(seeds))
})
