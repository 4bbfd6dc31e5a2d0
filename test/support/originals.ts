/** Seeded stores that tests copy: making one takes many times as long as copying it. */
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Tx } from '../../src/core/db.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { openStore } from '../../src/db/open.ts'
import type { SilenceLimits } from '../../src/db/postgres-connections.ts'
import { type SeedOptions, seedStore } from '../../src/sandbox/seed.ts'
import type { Engine } from './stores.ts'

/** The cursor key of originals. */
export const ORIGINAL_KEY = 'a key of the tests'

const MINUTES_MS = 200_000

/** Timeouts of PostgreSQL for a process that many tests share: while one computes, no other hears its server. */
export const PATIENT: SilenceLimits = {
  connect: MINUTES_MS,
  begin: MINUTES_MS,
  statement: MINUTES_MS,
  library: MINUTES_MS,
  close: MINUTES_MS,
}

/**
 * Makes a new store with this seed, at `path` or elsewhere, and returns its location. It copies an original, which the
 * first file that needs it makes. Returns undefined for an engine without originals.
 */
export async function copySeeded(
  { name, originals: kept }: Engine,
  { cursorKey, ...seed }: SeedOptions,
  path?: string,
): Promise<string | undefined> {
  if (kept === undefined) return undefined
  const key = `${name} ${JSON.stringify(seed)}`
  const make = async (): Promise<string> => {
    const location = await kept.locate()
    const fill = (tx: Tx) => seedStore(tx, { ...seed, cursorKey: ORIGINAL_KEY })
    const original = await openStore(location, { seed: fill, random: () => 0.5, silence: PATIENT })
    await original.close()
    return location
  }
  const original = originals.get(key) ?? cacheRecord(key, make)
  originals.set(key, original)
  const copy = await kept.copy(await original, path)
  if (cursorKey !== ORIGINAL_KEY) await changeKey(copy, cursorKey)
  return copy
}

/** Gives a copy a key of its own, so that no other copy accepts its cursors. */
async function changeKey(location: string, cursorKey: string): Promise<void> {
  const store = await openStore(location, { seed: refuseNew, random: () => 0.5, silence: PATIENT })
  await store.write((tx) => tx.run('update world set cursor_key = $1', cursorKey))
  await store.close()
}

async function refuseNew(): Promise<void> {
  throw new Error('It was to be seeded already.')
}

/** Originals that this process found or made, by engine and seed. */
const originals = new Map<string, Promise<string>>()

/** Returns the record that another file wrote under this key, or else the one that `make` returns. */
async function cacheRecord(key: string, make: () => Promise<string>): Promise<string> {
  const record = join(inject('originals'), sha256Hex(key))
  if (existsSync(record)) return readFile(record, 'utf8')
  const made = await make()
  const draft = `${record}.${process.pid}`
  await writeFile(draft, made)
  // The rename is atomic, because another process may read the record now.
  await rename(draft, record)
  return made
}
