/** A store that is killed at any moment contains every acknowledged change once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { beforeAll, expect, test } from 'vitest'
import { recordTally, iterations, seed } from '../support/battery.ts'
import type { CrashEntry } from '../support/crash-writer.ts'
import { checkInvariants } from '../support/invariants.ts'
import { builtProgram } from '../support/program.ts'
import { fc } from '../support/properties.ts'
import { ENGINES, makeTempFolder, openTestStore } from '../support/stores.ts'

const KILLS = iterations(30, 300)
/** Concurrent kills, each on its own store. */
const LANES = 2

/** The time of a kill: milliseconds after the start or the first answer, or between a commit and its answer. */
type Moment = { after: 'start' | 'answer' | 'commit'; ms: number }

/** A kill between a commit and its answer, and a repeat of that call. A kill by time may never meet that moment. */
const BETWEEN: readonly Moment[] = [
  { after: 'commit', ms: 0 },
  { after: 'answer', ms: 0 },
]

const moment: fc.Arbitrary<Moment> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ after: fc.constant('start' as const), ms: fc.integer({ min: 0, max: 150 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ after: fc.constant('answer' as const), ms: fc.integer({ min: 0, max: 25 }) }),
  },
)

let writer: string

beforeAll(async () => {
  // The generated registry must be there to be bundled.
  await builtProgram()
  const folder = await makeTempFolder()
  const bundle = await rolldown({
    input: join(import.meta.dirname, '../support/crash-writer.ts'),
    platform: 'node',
    external: [/^pg$/],
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: 'writer.mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  writer = join(folder, 'writer.mjs')
})

test.concurrent.each(Array.from({ length: LANES }, (_, lane) => [lane, seed + lane]))(
  `${KILLS / LANES} kills lose nothing that was acknowledged and double nothing (lane %i, seed %i)`,
  async (_, laneSeed) => {
    const folder = await makeTempFolder()
    const [store, history] = [join(folder, 'data/store.db'), join(folder, 'history')]
    const moments = fc.sample(moment, { seed: laneSeed, numRuns: KILLS / LANES - BETWEEN.length })
    for (const [index, when] of [...moments, ...BETWEEN].entries()) {
      await killOnce(store, history, when)
      if (index % 50 === 49) await check(store, history)
    }
    await check(store, history)
    recordTally({ tries: KILLS / LANES })
    expect(readHistory(history).some((entry) => entry.event === 'ok' && entry.replayed)).toBe(true)
  },
)

async function killOnce(store: string, history: string, { after, ms }: Moment): Promise<void> {
  const deaf = after === 'commit' ? ['deaf'] : []
  const child = spawn(process.execPath, [writer, store, history, ...deaf], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const exited = once(child, 'close') as Promise<[number | null, string | null]>
  if (after === 'answer') await Promise.race([once(child.stdout, 'data'), exited])
  if (after !== 'commit') setTimeout(() => child.kill('SIGKILL'), ms)
  const [code, signal] = await exited
  // a writer never ends by itself
  expect({ code, signal, said }).toEqual({ code: null, signal: 'SIGKILL', said: '' })
}

/** Checks the store without state of the writers in this process. */
async function check(store: string, history: string): Promise<void> {
  const entries = readHistory(history)
  const asked = entries.filter((entry) => entry.event === 'invoke').map(({ call }) => call)
  const answers = entries.filter((entry) => entry.event === 'ok')
  const [engine] = ENGINES
  if (engine === undefined) throw new Error('there is SQLite')
  const db = await openTestStore(engine, { location: store })
  try {
    expect(await checkInvariants(db)).toEqual([])
    // no other files remain (docs/rules/failure-model.md#nothing-is-left-behind); the log of requests is written a moment after the first of them
    const files = readdirSync(dirname(store)).filter((file) => file !== 'store.db.requests')
    expect(files.toSorted()).toEqual(['store.db', 'store.db-shm', 'store.db-wal'])
    const rows = await db.read((tx) =>
      tx.all('select reference, tracking_number from shipments order by seq'),
    )
    const stored = new Map(rows.map((row) => [String(row['reference']), String(row['tracking_number'])]))
    // no duplicate
    expect(rows).toHaveLength(stored.size)
    // no acknowledged call is lost (docs/rules/failure-model.md#an-acknowledged-change-is-there)
    const acknowledged = answers.flatMap(({ answer }) =>
      answer.results.map(({ reference, tracking_number }) => [reference, tracking_number]),
    )
    expect(acknowledged.filter(([reference, number]) => stored.get(String(reference)) !== number)).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(answers.length)
    // no row without a call (docs/rules/failure-model.md#nothing-appears-that-nobody-asked-for)
    const wanted = new Set([0, ...asked].map((call) => `C${call}`))
    expect([...stored.keys()].filter((reference) => !wanted.has(reference.split('-')[0] ?? ''))).toEqual([])
    // a batch is stored completely or not at all
    const sizes = Map.groupBy(
      [...stored.keys()].filter((reference) => !reference.startsWith('C0-')),
      (reference) => reference.split('-')[0],
    )
    expect([...sizes].filter(([, rest]) => rest.length !== 4)).toEqual([])
    // a repeated call got one complete response
    expect(new Set(answers.map(({ call }) => call)).size).toBe(answers.length)
    expect(answers.every(({ answer }) => answer.counts.created + answer.counts.duplicate === 5)).toBe(true)
  } finally {
    await db.close()
  }
}

function readHistory(path: string): CrashEntry[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as CrashEntry)
}
