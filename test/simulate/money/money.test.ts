/** Limits on money, and calls that each keep to them, from each seed. */
import { expect, test } from 'vitest'
import { iterations, recordTally } from '../../support/battery.ts'
import { simulateMoney } from './run.ts'

const HOUR = 3_600_000

test('no calls together pass a limit that one call would have met', { timeout: 8 * HOUR }, async () => {
  const seeds = iterations(4, 2000)
  const lines: string[] = []
  const bounds = { seeds, first: 1, steps: iterations(12, 30), withinMs: 8 * HOUR }
  await simulateMoney({ ...bounds, print: (line) => void lines.push(line) })
  recordTally({ tries: seeds, broken: lines.length - 1, note: lines.at(-1) ?? '' })
  expect(lines).toEqual([`${seeds} seeds from seed 1, 0 limits passed`])
})
