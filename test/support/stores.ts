import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import type { Db, Tx } from '../../src/core/db.ts'
import { openStore } from '../../src/db/open.ts'
import { afterFile } from './after-file.ts'
import { iterations } from './battery.ts'
import { createDatabase, createLastingDatabase } from './postgres.ts'

/** A store engine. `locate` returns the location of a new store. */
export type Engine = {
  name: string
  locate: () => Promise<string>
  /** Stores that the whole run may copy; without them each store is made again. */
  originals?: {
    locate: () => Promise<string>
    /** Copies a store that nobody has open, to `path` or elsewhere, and returns the location. */
    copy: (location: string, path?: string) => Promise<string>
  }
}

const SQLITE: Engine = {
  name: 'SQLite',
  locate: async () => join(await makeTempFolder(), 'data', 'store.db'),
  originals: {
    locate: async () => join(await mkdtemp(join(inject('originals'), 'store-')), 'store.db'),
    copy: async (location, path) => {
      const copy = path ?? join(await makeTempFolder(), 'store.db')
      await mkdir(dirname(copy), { recursive: true, mode: 0o700 })
      await copyFile(location, copy)
      return copy
    },
  },
}

export const POSTGRES: Engine = {
  name: 'PostgreSQL',
  locate: async () => createDatabase(),
  originals: {
    locate: async () => createLastingDatabase(),
    copy: async (location) => createDatabase(location),
  },
}

const ALL = [SQLITE, POSTGRES]

/**
 * Every engine that the program supports; loop over it with `describe.each`. `npm run mutate` takes the first alone: nearly
 * all changes look the same on both, and a server takes most of the time of a test.
 */
export const ENGINES = process.env['DRAY_MUTANTS'] === '1' ? ALL.slice(0, 1) : ALL

/**
 * The engines for tests of single operations; the longer battery runs them on every engine. Statements, stories,
 * properties and races run on both engines in every run.
 */
export const MAIN_ENGINES: readonly Engine[] = iterations(ENGINES.slice(0, 1), ENGINES)

/** Makes a folder, which is removed after the tests of the file. */
export async function makeTempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dray-test-'))
  afterFile(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Opens a store, by default a new one; closed after the tests of the file. */
export async function openTestStore(
  engine: Engine,
  {
    seed = async () => {},
    location,
  }: { seed?: (tx: Tx, from: number) => Promise<void>; location?: string } = {},
): Promise<Db> {
  const store = await openStore(location ?? (await engine.locate()), { seed, random: () => 0.5 })
  afterFile(() => store.close())
  return store
}
