/**
 * Measures where the time of a call goes: the built service under load, with the names of its functions, and what a
 * call costs in processor time, statements, promises and bytes.
 */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import config from '../rolldown.config.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { listCalls, requests, type ServiceAddress } from './calls.ts'
import { count, formatShare, type FigureTable } from './figures.ts'
import { connectInspector, type CpuProfile, type Inspector } from './inspected.ts'
import { LAYER_NAMES, nameFrames, computeLayerShares, type LayerShares } from './layers.ts'
import { underLoad, waitMilliseconds } from './load.ts'
import { placeRequests, quoteMany } from './orders.ts'
import { dray, runChild, startService } from './program.ts'
import { fillPostgres, type BenchTarget } from './service.ts'
import type { Homes } from './startup.ts'

const ROOT = join(import.meta.dirname, '..')
const CONNECTIONS = 32
/** Twice as often as V8 does by default. */
const SAMPLE_MICROSECONDS = 500
const FUNCTIONS = 15
const ORDER = 'place_food_order'

export type ProfileHow = {
  seconds: number
  /** The operations; all that are known when it is empty. */
  operations: readonly string[]
  engine: 'sqlite' | 'postgres'
  /** The folder for the profiles, one file for each operation. */
  keep: string | undefined
}

type Cost = { microseconds: number; statements: number; awaits: number; allocated: number }
type ProfiledOperation = { name: string; cost: Cost; shares: LayerShares }

export async function measureProfile(homes: Homes, how: ProfileHow): Promise<FigureTable[]> {
  const program = await buildReadable(join(homes.folder, 'readable'))
  if (how.engine === 'sqlite') {
    const home = join(homes.folder, 'profile-sqlite')
    cpSync(homes.full, home, { recursive: true })
    const target = { name: 'SQLite', home, store: join(home, 'data/default/dray.db'), flags: [] }
    return measureTarget(program, target, how)
  }
  const postgres = await startPostgres()
  try {
    const target = await fillPostgres(homes, await postgres.createDatabase(), 'profile-postgres')
    return await measureTarget(program, target, how)
  } finally {
    await postgres.stop()
  }
}

/** Builds the program with the names of its functions, and with source maps. Returns its folder. */
async function buildReadable(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  for (const name of ['bin', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const { output, ...input } = config
  const bundle = await rolldown({ ...input, cwd: ROOT })
  await bundle.write({ ...output, dir: join(folder, 'dist'), minify: false })
  await bundle.close()
  return folder
}

async function measureTarget(
  program: string,
  { name, home, store, flags }: BenchTarget,
  { seconds, operations, keep }: ProfileHow,
): Promise<FigureTable[]> {
  const words = ['sandbox', 'account', 'token', 'everything', '--json', ...flags]
  const { token } = JSON.parse((await runChild(dray(home, ...words))).stdout) as { token: string }
  const service = await startService({
    args: [
      '--inspect=0',
      join(program, 'bin/dray.js'),
      'serve',
      '--port',
      '0',
      '--json',
      '--quiet',
      ...flags,
    ],
    home,
  })
  const inspector = await connectInspector(service.inspector ?? '')
  try {
    const place = { url: service.url, token }
    const known = await listRequests(place, store)
    const measured: ProfiledOperation[] = []
    for (const operation of operations.length > 0 ? operations : Object.keys(known)) {
      const request = known[operation]
      if (request === undefined) throw new Error(`${operation} is none of ${Object.keys(known).join(', ')}`)
      const { profile, cost } = await underLoad(
        { url: service.url, request: await request(), connections: CONNECTIONS },
        async (answered) => ({
          profile: nameFrames(await recordCpuProfile(inspector, seconds), program),
          cost: await measureCost(inspector, answered, seconds),
        }),
      )
      measured.push({ name: operation, cost, shares: computeLayerShares(profile) })
      if (keep === undefined) continue
      mkdirSync(keep, { recursive: true })
      writeFileSync(join(keep, `${operation}.cpuprofile`), JSON.stringify(profile))
    }
    return [costTable(measured, name), layerTable(measured), ...measured.map(functionTable)]
  } finally {
    inspector.close()
    await service.stop()
  }
}

/** Returns the calls that can be measured, each with the function that prepares its requests. */
async function listRequests(
  place: ServiceAddress,
  store: string,
): Promise<Record<string, () => Promise<() => Buffer>>> {
  const calls = await listCalls(place)
  return {
    ...Object.fromEntries(calls.map((call) => [call.name, async () => requests(place, call)])),
    async [ORDER]() {
      await quoteMany(place, store)
      return placeRequests(place)
    },
  }
}

async function recordCpuProfile({ send }: Inspector, seconds: number): Promise<CpuProfile> {
  await send('Profiler.enable')
  await send('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS })
  await send('Profiler.start')
  await waitMilliseconds(seconds * 1000)
  const { profile } = await send<{ profile: CpuProfile }>('Profiler.stop')
  await send('Profiler.disable')
  return profile
}

/** Reads what the process used so far. */
const USED = `(() => {
  const { user, system } = process.cpuUsage()
  const { total_allocated_bytes } = process.getBuiltinModule('node:v8').getHeapStatistics()
  return { microseconds: user + system, allocated: total_allocated_bytes }
})()`

/** Counts statements, and the times that code goes on after an await. Counting slows the service. */
const COUNT = `(() => {
  const counts = { statements: 0, awaits: 0 }
  const undo = []
  const count = (prototype, name) => {
    const original = prototype[name]
    prototype[name] = function (...args) {
      counts.statements += 1
      return Reflect.apply(original, this, args)
    }
    undo.push(() => (prototype[name] = original))
  }
  const { DatabaseSync, StatementSync } = process.getBuiltinModule('node:sqlite')
  count(DatabaseSync.prototype, 'exec')
  for (const name of ['get', 'all', 'run', 'iterate']) count(StatementSync.prototype, name)
  const load = process.getBuiltinModule('node:module').createRequire(process.argv[1])
  // A statement is executed by name, or sent as text.
  for (const name of ['execute', 'query']) count(load('pg').Connection.prototype, name)
  undo.push(process.getBuiltinModule('node:v8').promiseHooks.onBefore(() => (counts.awaits += 1)))
  globalThis.benchCounts = () => (undo.forEach((each) => each()), counts)
})()`

async function measureCost({ evaluate }: Inspector, answered: () => number, seconds: number): Promise<Cost> {
  type Used = { microseconds: number; allocated: number }
  const first = { calls: answered(), ...(await evaluate<Used>(USED)) }
  await waitMilliseconds(seconds * 1000)
  const last = { calls: answered(), ...(await evaluate<Used>(USED)) }
  const calls = last.calls - first.calls

  await evaluate(COUNT)
  const counted = answered()
  await waitMilliseconds(seconds * 500)
  const each = answered() - counted
  const { statements, awaits } = await evaluate<{ statements: number; awaits: number }>('benchCounts()')
  return {
    microseconds: (last.microseconds - first.microseconds) / calls,
    allocated: (last.allocated - first.allocated) / calls,
    statements: statements / each,
    awaits: awaits / each,
  }
}

function costTable(measured: readonly ProfiledOperation[], engine: string): FigureTable {
  return {
    title: `What a call costs on ${engine}, over ${CONNECTIONS} connections`,
    heads: ['processor time, µs', 'statements', 'awaits', 'bytes allocated'],
    lines: measured.map(({ name, cost }) => ({
      what: name,
      cells: [
        count(cost.microseconds),
        cost.statements.toFixed(1),
        cost.awaits.toFixed(1),
        count(cost.allocated),
      ],
    })),
    notes: ['Statements include those that begin and end a transaction.'],
  }
}

function layerTable(measured: readonly ProfiledOperation[]): FigureTable {
  return {
    title: 'Shares of the main thread, by layer',
    heads: measured.map(({ name }) => name),
    lines: LAYER_NAMES.map((layer) => ({
      what: layer,
      cells: measured.map(({ shares }) => formatShare(shares.layers.get(layer) ?? 0, 1)),
    })),
    notes: ['Time in which a write waits for the disk counts as SQLite itself.'],
  }
}

function functionTable({ name, shares, cost }: ProfiledOperation): FigureTable {
  return {
    title: `${name}: the functions with the most time of their own`,
    heads: ['share', 'µs a call'],
    lines: shares.functions.slice(0, FUNCTIONS).map((each) => ({
      what: each.name,
      cells: [formatShare(each.share, 1), (each.share * cost.microseconds).toFixed(1)],
    })),
  }
}
