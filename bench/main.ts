/**
 * `npm run bench [-- PART ...] [--json] [--seconds N] [--minutes N]` measures what must stay cheap, and
 * the service under load. Without a part it measures all but `load`, `overload`, `code`,
 * `profile`, `blocks`, `books`, `waits`, `pages`, `scale` and `worlds`, in about six minutes. It measures the built program, fills up to 3 GB of the temporary
 * folder with a million stores, and removes them afterwards. It only prints figures, but for `blocks` and its part `waits`, which exit 1 when a
 * second caller waits for longer than 100 ms.
 *
 * `profile [OPERATION ...] [--postgres] [--keep FOLDER]` says where a call's time goes. `scale [WORD ...] [--postgres]
 * [--rows 1e4,1e6]` compares stores of different size. `load [--rate N] [--heap MB]` may be slow, with little memory.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { arch, cpus, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureChangeCosts } from './change-costs.ts'
import { measureCodeMetrics } from './code-metrics.ts'
import { measureEventLoopLag, measureBooks, measureWaits } from './event-loop-lag.ts'
import { renderTable, type FigureTable, verdict } from './figures.ts'
import { measureHttp } from './http.ts'
import { measureLabels } from './labels.ts'
import { measureMotion } from './motion.ts'
import { measureImport, measureOrders } from './orders.ts'
import { measurePages } from './pages.ts'
import { measureProfile, type ProfileHow } from './profile.ts'
import { measureSandboxes } from './sandboxes.ts'
import { measureScale, type ScaleHow } from './scale.ts'
import { measureSearch } from './search.ts'
import { measureService } from './service.ts'
import { measureSlots } from './slots.ts'
import { type Homes, makeHomes, measureStartup } from './startup.ts'
import { measureOverload, measureSteady, type SteadyHow } from './steady.ts'
import { measureUpload } from './upload.ts'

const ROUNDS = 21
const LOOP_ROUNDS = 9
const IMPORT_ROUNDS = 3

/** Parts that run only when they are named. */
const NAMED_ONLY = [
  'load',
  'overload',
  'code',
  'profile',
  'blocks',
  'books',
  'waits',
  'pages',
  'scale',
  'worlds',
]

type How = ProfileHow & SteadyHow & ScaleHow

/** Returns the parts in the order of measurement. */
function listParts(homes: Homes, how: How): Record<string, () => Promise<FigureTable[]>> {
  const { seconds } = how
  // A baseline of several parts is measured once.
  const startup = memoizePromise(() => measureStartup(homes, ROUNDS))
  const upload = memoizePromise(async () => measureUpload(homes, (await startup()).uploadMs, LOOP_ROUNDS))
  return {
    startup: async () => (await startup()).tables,
    upload: async () => [(await upload()).table],
    labels: async () => [await measureLabels(homes, IMPORT_ROUNDS)],
    service: async () => measureService(homes, seconds, (await upload()).perSecond),
    http: async () => [await measureHttp(homes, seconds)],
    orders: async () => [await measureOrders(homes, seconds)],
    import: async () => [await measureImport(homes, IMPORT_ROUNDS)],
    search: () => measureSearch(homes, seconds),
    slots: () => measureSlots(homes, seconds),
    motion: () => measureMotion(homes),
    load: async () => [await measureSteady(homes, how)],
    overload: async () => [await measureOverload(homes, seconds)],
    profile: () => measureProfile(homes, how),
    blocks: () => measureEventLoopLag(homes),
    books: () => measureBooks(homes),
    waits: async () => [await measureWaits(homes)],
    pages: () => measurePages(homes, seconds),
    scale: () => measureScale(homes, how),
    worlds: () => measureSandboxes(homes, LOOP_ROUNDS),
    code: () => Promise.resolve([measureCodeMetrics(), measureChangeCosts()]),
  }
}

function memoizePromise<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '5' },
    rows: { type: 'string', default: '1e4,1e5,1e6' },
    rate: { type: 'string' },
    heap: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
})
// The words after `profile` and `scale` are operations.
const [named, operations] = ['profile', 'scale'].includes(positionals[0] ?? '')
  ? [positionals.slice(0, 1), positionals.slice(1)]
  : [positionals, []]
const how: How = {
  seconds: Number(values.seconds),
  minutes: Number(values.minutes),
  rows: values.rows.split(',').map(Number),
  rate: values.rate === undefined ? undefined : Number(values.rate),
  heap: values.heap === undefined ? undefined : Number(values.heap),
  operations,
  engine: values.postgres ? 'postgres' : 'sqlite',
  keep: values.keep,
}
const folder = mkdtempSync(join(tmpdir(), 'dray-bench-'))
try {
  const processors = cpus()
  const machine = `Node ${process.versions.node}, ${platform()} ${arch()}, ${processors.length} × ${processors[0]?.model.trim()}`
  if (!values.json) console.log(`${machine}\n`)
  const homes = await makeHomes(folder)
  const parts = listParts(homes, how)
  const wanted = named.length > 0 ? named : Object.keys(parts).filter((name) => !NAMED_ONLY.includes(name))
  const tables: FigureTable[] = []
  for (const name of wanted) {
    const measure = parts[name]
    if (measure === undefined) throw new Error(`${name} is none of ${Object.keys(parts).join(', ')}`)
    const measured = await measure()
    tables.push(...measured)
    if (!values.json) for (const table of measured) console.log(renderTable(table))
    // A wait of a second caller is the same on every machine; the other figures have no limit of their own.
    if (
      ['blocks', 'waits'].includes(name) &&
      measured.some(({ lines }) => lines.some((line) => verdict(line) === 'not met'))
    )
      process.exitCode = 1
  }
  if (values.json) console.log(JSON.stringify({ machine, tables: tables.map(withVerdicts) }, null, 2))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function withVerdicts({ lines, ...table }: FigureTable): unknown {
  return { ...table, lines: lines.map((line) => ({ ...line, verdict: verdict(line) })) }
}
