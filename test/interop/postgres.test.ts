/**
 * Two nodes of the built program over a primary and a synchronous standby,
 * which change roles again and again under load. The primary is killed, frozen, cut off or stopped before.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { iterations, seed } from '../support/battery.ts'
import { installProgram } from '../support/debian.ts'
import { type PrimaryFault, type PostgresPair, startPostgresPair } from '../support/postgres-pair.ts'
import { fc } from '../support/properties.ts'
import { ALL_RIGHT, describeGaps, startWriters, type StoreWriters } from '../support/store-writers.ts'

const PROMOTIONS = iterations(4, 50)
const FAULTS: readonly PrimaryFault[] = ['crash', 'freeze', 'cut', 'stop']
const MAX_FAILOVER_TEST_MS = 3_600_000

let pair: PostgresPair
let writers: StoreWriters

beforeAll(async () => {
  await installProgram('ip', 'iproute2')
  pair = await startPostgresPair()
  writers = await startWriters(pair.url)
}, MAX_FAILOVER_TEST_MS)

afterAll(async () => {
  await writers?.stop()
  await pair?.stop()
}, MAX_FAILOVER_TEST_MS)

/** Plays one failover. Returns how long no call was answered, in milliseconds. */
async function failOver(fault: PrimaryFault): Promise<number> {
  const endGap = writers.watchGap()
  await pair.fault(fault)
  await pair.promote()
  const gap = await endGap()
  pair.heal(fault)
  // The old primary runs, and takes itself for one: a command that starts now must not use it.
  if (fault === 'cut' || fault === 'freeze') await writers.createAnew()
  await pair.rejoin()
  return gap
}

test(
  `${PROMOTIONS} promotions under load lose nothing that was answered and double nothing (seed ${seed})`,
  async () => {
    const gaps = new Map<PrimaryFault, number[]>(FAULTS.map((fault) => [fault, []]))
    for (const fault of fc.sample(fc.constantFrom(...FAULTS), { seed, numRuns: PROMOTIONS })) {
      await writers.waitForAnswer()
      gaps.get(fault)?.push(await failOver(fault))
    }
    const note = `${PROMOTIONS} promotions; longest time without an answer: ${describeGaps(gaps)}`
    expect(await writers.check(pair.primaryUrl(), note)).toEqual(ALL_RIGHT)
  },
  MAX_FAILOVER_TEST_MS,
)
