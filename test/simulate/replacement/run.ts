/** Replaces many worlds under the hands of their clients, each from its seed, and says what went on as if nothing had been. */
import { SCHEMA_VERSION } from '../../../src/db/version.ts'
import { makeRandom, type Random } from '../../adversarial/random.ts'
import { makeWorkFolder } from '../../support/work-folder.ts'
import { readProcessorTime } from '../processor-time.ts'
import { AGENT_HOLDERS } from './agent-holdings.ts'
import { CALL_HOLDERS } from './call-holdings.ts'
import { findSilence, type Holder, type HoldingUse, type TakenThing } from './holding.ts'
import { LOGIN_HOLDERS } from './login-holdings.ts'
import {
  OLDEST_VERSION,
  openServedWorld,
  type Replacement,
  type ServedWorld,
  type StorePlaces,
} from './served-world.ts'
import { STREAM_HOLDERS } from './stream-holdings.ts'

/** The most clients of one world. */
const MAX_CLIENTS = 20
const HOLDERS: readonly Holder[] = [
  ...CALL_HOLDERS,
  ...CALL_HOLDERS,
  ...LOGIN_HOLDERS,
  ...AGENT_HOLDERS,
  ...STREAM_HOLDERS,
]
/** The ways, one for each seed in turn; an upgrade comes from another schema each time. */
const WAYS: readonly Replacement['way'][] = [
  'snapshot',
  'reset',
  'backup',
  'upgrade',
  'store',
  'snapshot',
  'upgrade',
]

type ReplacementRun = {
  seeds: number
  first: number
  /** No world is opened once this process has used so much processor time, in milliseconds. */
  withinMs: number
  /** The most clients of a world. */
  clients?: number
  /** Two databases whose worlds are replaced in place of files. */
  databases?: readonly [string, string] | undefined
  isUntilFound?: boolean
  print(line: string): void
}

/** Replaces the worlds of these seeds. Returns whether each client went on rightly or was told to begin again. */
export async function simulateReplacements({
  seeds,
  first,
  withinMs,
  clients = MAX_CLIENTS,
  databases,
  isUntilFound = false,
  print,
}: ReplacementRun): Promise<boolean> {
  const { path: folder, remove } = makeWorkFolder()
  const names = new Map<string, number>()
  const ways = new Set<string>()
  let silent = 0
  let seed = first
  try {
    for (; seed < first + seeds && readProcessorTime() < withinMs; seed++) {
      const told = await replaceOne({ folder, databases }, seed, clients)
      ways.add(told.words)
      for (const name of told.held) names.set(name, (names.get(name) ?? 0) + 1)
      silent += told.silences.length
      for (const silence of told.silences) print(`seed ${seed}, ${told.words}: ${silence}`)
      if (isUntilFound && told.silences.length > 0) break
    }
  } finally {
    remove()
  }
  const held = [...names.values()].reduce((sum, count) => sum + count, 0)
  print(
    `${seed - first} seeds from seed ${first}, ${ways.size} ways, ${names.size} kinds, ${held} clients, ${silent} silences`,
  )
  return silent === 0
}

type ReplacedWorld = { words: string; held: string[]; silences: string[] }

/** Lets clients take hold of a world, replaces it, and lets each of them go on. */
async function replaceOne(places: StorePlaces, seed: number, most: number): Promise<ReplacedWorld> {
  const random = makeRandom(seed)
  const world = await openServedWorld(places, seed)
  try {
    const replacement = drawReplacement(random, seed, places.databases !== undefined)
    const count = 1 + random.number(most)
    const older = random.number(count + 1)
    const taken = await takeHold(world, random, { count: older, isSaved: true, from: 0 })
    await world.save()
    taken.push(...(await takeHold(world, random, { count: count - older, isSaved: false, from: older })))
    await world.replace(replacement)
    const { way } = replacement
    const words = way === 'upgrade' ? `an upgrade from schema ${replacement.version}` : `a ${way}`
    const silences = await listMixtures(world, replacement)
    for (const { rival } of taken.filter(({ isSaved }) => !isSaved || way === 'reset' || way === 'store'))
      if (way !== 'upgrade') await rival?.()
    for (const holding of taken) {
      const silence = findSilence(holding, await useSafely(holding), replacement)
      if (silence !== undefined) silences.push(silence)
    }
    return { words, held: taken.map(({ name }) => name), silences }
  } finally {
    await world.close()
  }
}

function drawReplacement(random: Random, seed: number, isOnPostgres: boolean): Replacement {
  const way = WAYS[seed % WAYS.length] ?? 'reset'
  // A backup is a copy of a file.
  if (way === 'backup' && isOnPostgres) return { way: 'snapshot' }
  if (way !== 'upgrade') return { way }
  return { way, version: OLDEST_VERSION + random.number(SCHEMA_VERSION - OLDEST_VERSION) }
}

async function takeHold(
  world: ServedWorld,
  random: Random,
  { count, isSaved, from }: { count: number; isSaved: boolean; from: number },
): Promise<TakenThing[]> {
  const taken: TakenThing[] = []
  for (let number = from; number < from + count; number++) {
    const holding = await random.pick(HOLDERS)({ world, random, number })
    if (holding !== undefined) taken.push({ ...holding, isSaved })
  }
  return taken
}

/** Returns what the new world has of the old one, where it has to be as it was saved. */
async function listMixtures(world: ServedWorld, { way }: Replacement): Promise<string[]> {
  if (way !== 'snapshot' && way !== 'backup') return []
  return (await world.content()) === world.saved() ? [] : [`the ${way} is not the world that was saved`]
}

async function useSafely({ use }: TakenThing): Promise<HoldingUse> {
  try {
    return await use()
  } catch (error) {
    return { did: `it broke: ${String(error)}` }
  }
}
