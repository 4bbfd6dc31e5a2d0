/** Lets money grow in many ways, each from its seed, and says which limit was passed by calls that each kept to it. */
import { makeRandom } from '../../adversarial/random.ts'
import { makeWorkFolder } from '../../support/work-folder.ts'
import { readProcessorTime } from '../processor-time.ts'
import { openServedWorld } from '../replacement/served-world.ts'
import { findOverpaidClaim, findOverpaidRefund } from './giving-back.ts'
import { findOverspending } from './spending.ts'

/** The stories, one for each seed in turn. Most are about spending, which has the most ways. */
const STORIES = [findOverspending, findOverpaidRefund, findOverspending, findOverpaidClaim] as const

type MoneyRun = {
  seeds: number
  first: number
  /** The calls of a story. */
  steps: number
  /** No story begins once this process has used so much processor time, in milliseconds. */
  withinMs: number
  isUntilFound?: boolean
  print(line: string): void
}

/** Tells the stories of these seeds. Returns whether each limit held. */
export async function simulateMoney({
  seeds,
  first,
  steps,
  withinMs,
  isUntilFound = false,
  print,
}: MoneyRun): Promise<boolean> {
  const { path: folder, remove } = makeWorkFolder()
  let passed = 0
  let seed = first
  try {
    for (; seed < first + seeds && readProcessorTime() < withinMs; seed++) {
      const world = await openServedWorld({ folder }, seed)
      try {
        const find = STORIES[seed % STORIES.length] ?? findOverspending
        const found = await find(world, makeRandom(seed), steps)
        if (found === undefined) continue
        passed += 1
        print(`seed ${seed}: ${found}`)
      } finally {
        await world.close()
      }
      if (isUntilFound) break
    }
  } finally {
    remove()
  }
  print(`${seed - first} seeds from seed ${first}, ${passed} limits passed`)
  return passed === 0
}
