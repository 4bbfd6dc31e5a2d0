/** Tells many stories, each from its seed, and says in how many of them two surfaces disagree. */
import { makeRandom } from '../../adversarial/random.ts'
import { makeWorkFolder } from '../../support/work-folder.ts'
import { readProcessorTime } from '../processor-time.ts'
import { drawBoughtSteps } from './draw-bought.ts'
import { drawOrderSteps } from './draw-orders.ts'
import { shrinkStory } from './shrink.ts'
import { type StoryOutcome, tellStory } from './story.ts'

/** Each third story asks a service over HTTP. */
const REMOTE_EACH = 3
/** Each second story is about rides, deliveries, bookings, tasks and parcels, the others about orders. */
const BOUGHT_EACH = 2
/** Contradictions of these many facts are shown; the same one comes again and again. */
const MAX_SHOWN = 5

export type SurfaceRun = {
  seeds: number
  first: number
  /** The commands of a story. */
  steps: number
  /** After each command one of so many surfaces is read; all of them after the last one. */
  every: number
  /** No story begins once this process has used so much processor time, in milliseconds. */
  withinMs: number
  /** True to end with the first contradiction, which then is not shortened. */
  isUntilFound: boolean
  /** Prints what is typed in each story. */
  lines: boolean
  print(line: string): void
}

/** Tells the stories of these seeds. Returns whether all surfaces agree in all of them. */
export async function simulateSurfaces({
  seeds,
  first,
  steps,
  every,
  withinMs,
  isUntilFound,
  lines,
  print,
}: SurfaceRun): Promise<boolean> {
  const { path: folder, remove } = makeWorkFolder()
  const read = new Map<string, number>()
  const facts = new Set<string>()
  let broken = 0
  let seed = first
  try {
    for (; seed < first + seeds && readProcessorTime() < withinMs; seed++) {
      const setting = { folder, seed, remote: seed % REMOTE_EACH === 0, every }
      const draw = seed % BOUGHT_EACH === 0 ? drawBoughtSteps : drawOrderSteps
      const outcome = await tellStory(setting, draw(makeRandom(seed), steps))
      for (const [name, count] of outcome.read) read.set(name, (read.get(name) ?? 0) + count)
      if (lines) for (const line of outcome.typed) print(line)
      if (outcome.fault === undefined) continue
      broken += 1
      const fact = outcome.fault.contradiction?.fact ?? outcome.fault.words.slice(0, 40)
      if (facts.has(fact) || facts.size === MAX_SHOWN) continue
      facts.add(fact)
      print(`seed ${seed}: ${outcome.fault.words}`)
      if (isUntilFound) break
      printStory(await shrinkStory(setting, outcome), print)
    }
  } finally {
    remove()
  }
  const readings = [...read.values()].reduce((sum, count) => sum + count, 0)
  print(
    `${seed - first} stories from seed ${first}, ${read.size} surfaces, ${readings} readings, ${broken} contradictions`,
  )
  return broken === 0
}

/** Prints a story as a person can type it, in a sandbox of the same beginning. */
function printStory({ typed }: StoryOutcome, print: (line: string) => void): void {
  print('  export DRAY_HOME="$(mktemp -d)" DRAY_NOW=2026-11-20T09:00:00.000Z DRAY_SEED=20261120')
  for (const line of typed) print(`  ${line}`)
}
