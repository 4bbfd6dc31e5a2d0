import type { ClockState } from '../core/clock.ts'
import type { LockedCounters, SqlRow, Tx } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import type { Fault } from '../core/fault.ts'
import type { SupplyLevel } from '../core/supply.ts'
import type { WorldSettings } from '../core/world.ts'
import { defineRow } from './table.ts'
import { readIntegerColumn } from './values.ts'

export type StoredWorld = {
  world: WorldSettings
  clock: ClockState
  /** The HMAC key of cursors: random, never derived from the seed. */
  cursorKey: string
  /** Unpredictable, and another one whenever the store begins again: created, reset, loaded or restored. */
  generation: string
  /** The sequence number of the last event before this generation; 0 without one. */
  generationFrom: number
  /** The injected faults. */
  faults?: readonly Fault[] | undefined
}

/** Returns the columns of a row of `world w`. */
export function worldColumns({ generation }: Pick<Tx, 'generation'>): string {
  return `environment, seed, currency, timezone, country_code, supply, cursor_key,
    clock_mode, clock_real, clock_service, clock_factor, clock_high, faults,
    ${generation} as generation, w.generation_from`
}

export const toWorld = defineRow<StoredWorld>({
  world: {
    from: defineRow<Omit<WorldSettings, 'payments'>>({
      environment: 'text',
      seed: 'text',
      currency: 'text',
      timezone: 'text',
      countryCode: ['text', 'country_code'],
      supply: 'text',
    }),
  },
  clock: {
    from: defineRow<ClockState>({
      mode: ['text', 'clock_mode'],
      real: ['integer', 'clock_real'],
      service: ['integer', 'clock_service'],
      factor: ['integer', 'clock_factor'],
      high: ['integer', 'clock_high'],
    }),
  },
  cursorKey: ['text', 'cursor_key'],
  generation: 'text',
  generationFrom: ['integer', 'generation_from'],
  faults: {
    from: ({ faults }) => (typeof faults === 'string' ? (JSON.parse(faults) as Fault[]) : undefined),
  },
})

/** Returns the store's settings and clock; undefined in a store that is migrated but not seeded. */
export async function findWorld(tx: Tx): Promise<StoredWorld | undefined> {
  const row = await tx.get(`select ${worldColumns(tx)} from world w where one = 1`)
  return row && toWorld(row)
}

/** As `findWorld`; throws for a store without a world. */
export async function loadWorld(tx: Tx): Promise<StoredWorld> {
  return requireSeededWorld(await findWorld(tx))
}

/** Throws for a store that is migrated but not seeded. */
export function requireSeededWorld(stored: StoredWorld | undefined): StoredWorld {
  return stored ?? unseeded()
}

function unseeded(): never {
  throw new AppError('store_error', 'The store has no sandbox yet: it was never seeded.')
}

/** The parts of a new store's world. `beginGeneration` adds its generation once it is filled. */
type NewWorld = Pick<StoredWorld, 'world' | 'clock' | 'cursorKey'>

/** Inserts the world's row of a new store. Its supply is normal. */
export async function insertWorld(tx: Tx, { world, clock, cursorKey }: NewWorld): Promise<void> {
  await tx.run(
    `insert into world (one, environment, seed, currency, timezone, country_code, cursor_key,
       clock_mode, clock_real, clock_service, clock_factor, clock_high, seq)
     values (1, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0)`,
    world.environment,
    world.seed,
    world.currency,
    world.timezone,
    world.countryCode,
    cursorKey,
    clock.mode,
    clock.real,
    clock.service,
    clock.factor,
    clock.high,
  )
}

/** Saves the clock. `high` never decreases. */
export async function saveClock(tx: Tx, { mode, real, service, factor, high }: ClockState): Promise<void> {
  await tx.run(
    `update world set clock_mode = $1, clock_real = $2, clock_service = $3, clock_factor = $4,
       clock_high = case when clock_high < $5 then $5 else clock_high end
     where one = 1`,
    mode,
    real,
    service,
    factor,
    high,
  )
}

/**
 * Begins a generation of the store: what readers hold of an earlier one is rejected from now on. Call it in the transaction that
 * replaces the content, after all rows are written.
 */
export async function beginGeneration(tx: Tx, generation: string): Promise<void> {
  await tx.run(
    `update world set generation = $1, generation_from = coalesce((select max(seq) from events), 0) where one = 1`,
    generation,
  )
}

/** Saves the number of people. */
export async function saveSupply(tx: Tx, supply: SupplyLevel): Promise<void> {
  await tx.run('update world set supply = $1 where one = 1', supply)
}

/** Saves the injected faults. The caller holds the world's row. */
export async function saveFaults(tx: Tx, faults: readonly Fault[]): Promise<void> {
  await tx.run(
    'update world set faults = $1 where one = 1',
    faults.length === 0 ? null : JSON.stringify(faults),
  )
}

/** The most consecutive resets that a caller waits for. */
const RESETS = 5

/** Locks the world's row until this transaction ends, and returns the world. Every other writer of counters waits. */
export async function lockWorld(tx: Tx): Promise<StoredWorld> {
  if (tx.counters !== undefined) return ofHeld(await lockCounters(tx.counters, tx))
  let row: SqlRow | undefined
  // After a reset the old row is gone; another select finds the new one.
  for (let time = 0; row === undefined && time < RESETS; time++) {
    row = await tx.get(`select ${worldColumns(tx)} from world w where one = 1 ${tx.forUpdate}`)
  }
  return requireSeededWorld(row && toWorld(row))
}

/** Returns the world of a transaction that holds its row already; undefined of any other. */
export function heldWorld({ counters }: Tx): StoredWorld | undefined {
  return counters?.held && ofHeld(counters.held)
}

/** The worlds of rows that are held: all calls of a group ask for the same one. */
const worlds = new WeakMap<SqlRow, StoredWorld>()

function ofHeld({ world: row, clockHigh }: LockedCounters): StoredWorld {
  const stored = worlds.get(row) ?? toWorld(row)
  worlds.set(row, stored)
  return { ...stored, clock: { ...stored.clock, high: clockHigh } }
}

/** The one kind that is counted without the world's row, so that quotes do not wait for each other's transactions. */
export const FREE_KIND = 'quo'

/** Locks the world's row and reads the counters, unless the transaction holds them already. */
export async function lockCounters(counters: NonNullable<Tx['counters']>, tx: Tx): Promise<LockedCounters> {
  for (let time = 0; counters.held === undefined && time < RESETS; time++) {
    // The second statement is sent at once, and begins when the first has the lock.
    const [world, ordinals] = await Promise.all([
      tx.get(`select ${worldColumns(tx)}, seq from world w where one = 1 ${tx.forUpdate}`),
      tx.all('select kind, last from ordinals where kind <> $1', FREE_KIND),
    ])
    if (world === undefined) continue
    // Two callers may have waited for the same lock.
    counters.held ??= {
      world,
      seq: readIntegerColumn(world, 'seq'),
      clockHigh: readIntegerColumn(world, 'clock_high'),
      ordinals: new Map(ordinals.map((row) => [String(row['kind']), readIntegerColumn(row, 'last')])),
      changed: { world: false, kinds: new Set() },
    }
  }
  return counters.held ?? unseeded()
}

/**
 * As `lockWorld`; returns the instant to record. Another caller may have recorded a slightly later instant than this
 * caller's clock reading, and the order of creation must be that of time.
 */
export async function lockClock(tx: Tx, now: number): Promise<number> {
  const { clock } = await lockWorld(tx)
  return Math.max(now, clock.high)
}
