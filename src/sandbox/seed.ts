import { type ClockState, frozenClock, MAX_TIMESTAMP, noonClock, serviceNow } from '../core/clock.ts'
import type { Tx } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import { sha256Hex } from '../core/hash.ts'
import { parseTimestamp } from '../core/time.ts'
import { WITH_GENERATIONS } from '../db/version.ts'
import { beginGeneration, findWorld, insertWorld } from '../db/world.ts'
import { backfillMarket, DEFAULT_MARKET, seedMarket } from './seeds.ts'

export type SeedOptions = {
  /** Unsigned 64-bit, as decimal text. */
  seed: string
  clock: ClockState
  /** Unpredictable, as hex: signs the cursors of lists. */
  cursorKey: string
}

/** Stores that are told no seed are alike, so that examples in manuals come out as printed. */
export const DEFAULT_SEED = '20261120'

const MAX_SEED = 2n ** 64n - 1n

/** Fills an empty store with the market and its people, as they are at the moment that the clock shows. */
export async function seedStore(tx: Tx, { seed, clock, cursorKey }: SeedOptions): Promise<void> {
  const world = { ...DEFAULT_MARKET, seed }
  await insertWorld(tx, { world, clock, cursorKey })
  await seedMarket(tx, world, clock.service)
  await beginGeneration(tx, firstGeneration(cursorKey))
}

/** Returns the first generation of a store with this key, which is as unpredictable as the key, and does not tell it. */
function firstGeneration(cursorKey: string): string {
  return sha256Hex(`generation ${cursorKey}`).slice(0, 16)
}

/** Gives a store of an older schema what the market has gained since; `realNow` is the machine's clock. */
export async function backfillStore(tx: Tx, from: number, realNow: number): Promise<void> {
  const stored = await findWorld(tx)
  if (stored === undefined) return
  await backfillMarket(tx, stored.world, serviceNow(stored.clock, realNow), from)
  if (from < WITH_GENERATIONS) await beginGeneration(tx, firstGeneration(stored.cursorKey))
}

export type SeedDeps = {
  now: () => number
  random: (count: number) => Uint8Array
  env: Readonly<Record<string, string | undefined>>
}

/** Returns the options of a new store: DRAY_SEED or the usual seed, frozen at DRAY_NOW or running from noon of the day. */
export function seedOptions({ now, random, env }: SeedDeps): SeedOptions {
  const [seed = DEFAULT_SEED, instant] = [env['DRAY_SEED'], env['DRAY_NOW']].map(
    (value) => value || undefined,
  )
  if (!isSeed(seed))
    throw new AppError('config_error', `DRAY_SEED must be a whole number from 0 to ${MAX_SEED}.`)
  return {
    seed,
    clock: instant === undefined ? noonClock(now(), DEFAULT_MARKET.timezone) : frozenAt(instant),
    cursorKey: makeKey(random),
  }
}

export function isSeed(text: string): boolean {
  return /^(0|[1-9]\d{0,19})$/.test(text) && BigInt(text) <= MAX_SEED
}

export function makeKey(random: SeedDeps['random']): string {
  return random(32).toHex()
}

/** Returns the name of a new generation of a store. */
export function makeGeneration(random: SeedDeps['random']): string {
  return random(8).toHex()
}

function frozenAt(instant: string): ClockState {
  const at = parseTimestamp(instant)
  if (at !== undefined && at <= MAX_TIMESTAMP) return frozenClock(at)
  throw new AppError(
    'config_error',
    'DRAY_NOW must be a time before the year 9900 with its UTC offset, such as 2026-11-20T09:00:00Z.',
  )
}
