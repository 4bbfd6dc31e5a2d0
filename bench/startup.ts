/** Measures the time and the memory of complete commands beside `node -e 0`. */
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FigureLine, median, type FigureTable } from './figures.ts'
import { manifestCsv } from './manifests.ts'
import { type Child, dray, peakMemory, runChild, startService } from './program.ts'

/** A new embedded store, and one with 10,000 parcels, both in the folder of the measurement. */
export type Homes = { folder: string; fresh: string; full: string }

type Scenario = {
  what: string
  child: Child
  budget?: number
  memoryBudget?: number
  exitCode?: number
  /** Runs before each round, and is not measured. */
  prepare?: () => void
}

const MEMORY_ROUNDS = 5
/** The ratio of the slowest to the fastest tenth above which the machine counts as busy. */
const BUSY = 1.4
export const UPLOADED = 500

export async function makeHomes(folder: string): Promise<Homes> {
  const homes = { folder, fresh: join(folder, 'fresh'), full: join(folder, 'full') }
  await runChild(dray(homes.fresh, 'carrier', 'list', '--json'))
  const manifest = join(folder, 'ten-thousand.csv')
  writeFileSync(manifest, manifestCsv(10_000, 'R'))
  await runChild(
    dray(homes.full, 'carrier', 'upload', manifest, '--split', '--yes', '--json', '--results', 'none'),
  )
  return homes
}

/** Returns the tables, and the milliseconds of the upload. */
export async function measureStartup(
  homes: Homes,
  rounds: number,
): Promise<{ tables: FigureTable[]; uploadMs: number }> {
  const served = join(homes.folder, 'served')
  cpSync(homes.full, served, { recursive: true })
  const { stdout } = await runChild(dray(served, 'sandbox', 'account', 'token', 'everything', '--json'))
  const { token } = JSON.parse(stdout) as { token: string }
  const service = await startService(dray(served, 'serve', '--port', '0', '--json', '--quiet'))
  try {
    const scenarios = listScenarios(homes, { url: service.url, token })
    const times = await timePairs(scenarios, rounds)
    const upload = times.find(({ what }) => what === UPLOAD)
    return {
      tables: [timesTable(scenarios, times, rounds), await memoryTable(scenarios)],
      uploadMs: median(upload?.whole ?? []),
    }
  } finally {
    await service.stop()
  }
}

const UPLOAD = `dray carrier upload of ${UPLOADED} parcels`

function listScenarios(
  { folder, fresh, full }: Homes,
  { url, token }: { url: string; token: string },
): Scenario[] {
  const manifest = join(folder, 'manifest.csv')
  writeFileSync(manifest, manifestCsv(UPLOADED, 'Q'))
  const longer = join(folder, 'longer.csv')
  writeFileSync(longer, manifestCsv(UPLOADED, 'Q', 36))
  const scratch = join(folder, 'scratch')
  const renew = (template: string) => () => {
    rmSync(scratch, { recursive: true, force: true })
    cpSync(template, scratch, { recursive: true })
    rmSync(join(folder, 'manifest.results.csv'), { force: true })
  }
  const upload = dray(scratch, 'carrier', 'upload', manifest, '--yes', '--json')
  return [
    { what: 'dray --version', child: dray(full, '--version'), budget: 1.1 },
    {
      what: 'the values of a completion, of a store with 10,000 parcels',
      child: dray(full, '__complete', 'carrier', 'show', '='),
      budget: 1.5,
    },
    { what: 'dray --help', child: dray(full, '--help'), budget: 1.3 },
    {
      what: 'a usage error',
      child: dray(full, 'carrier', 'list', '--colour', 'never'),
      exitCode: 2,
      budget: 1.7,
    },
    {
      what: 'an embedded read as JSON, 10,000 parcels in the store',
      child: dray(full, 'carrier', 'list', '--json'),
      budget: 1.7,
      memoryBudget: 1.35,
    },
    { what: UPLOAD, child: upload, prepare: renew(fresh), budget: 3.3, memoryBudget: 1.9 },
    {
      what: 'the same, references of 36 characters',
      child: dray(scratch, 'carrier', 'upload', longer, '--yes', '--json'),
      prepare: renew(fresh),
    },
    { what: 'the same, 10,000 parcels in the store', child: upload, prepare: renew(full) },
    {
      what: 'a remote read, one shot',
      child: {
        ...dray(join(folder, 'remote'), 'carrier', 'list', '--json', '--base-url', url),
        env: { DRAY_TOKEN: token },
      },
      budget: 3.5,
    },
    {
      what: 'dray mcp: a handshake and the list of tools, to its end',
      child: { ...dray(full, 'mcp'), input: `${HANDSHAKE.map((line) => JSON.stringify(line)).join('\n')}\n` },
      budget: 4,
    },
  ]
}

const HANDSHAKE = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
]

type Times = { what: string; whole: number[]; beside: number[] }

/** Runs each command directly after a `node -e 0`, so that a busy moment slows both. */
async function timePairs(scenarios: readonly Scenario[], rounds: number): Promise<Times[]> {
  const times = scenarios.map(({ what }): Times => ({ what, whole: [], beside: [] }))
  // The first round fills the compile cache and does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const [at, { child, exitCode, prepare }] of scenarios.entries()) {
      prepare?.()
      const { milliseconds: beside } = await runChild({ ...child, args: ['-e', '0'] })
      const { milliseconds: whole } = await runChild(child, exitCode)
      if (round === 0) continue
      times[at]?.beside.push(beside)
      times[at]?.whole.push(whole)
    }
  }
  return times
}

function timesTable(scenarios: readonly Scenario[], times: readonly Times[], rounds: number): FigureTable {
  const bases = times.flatMap(({ beside }) => beside).toSorted((a, b) => a - b)
  const base = median(bases)
  const [low = base, high = base] = [0.1, 0.9].map((share) => bases[Math.floor(bases.length * share)])
  return {
    title: `Whole commands beside \`node -e 0\` (${base.toFixed(1)} ms), medians of ${rounds} pairs`,
    heads: ['ms', 'ratio'],
    lines: scenarios.map(({ what, budget }, at): FigureLine => {
      const { whole = [], beside = [] } = times[at] ?? {}
      const measured = median(whole) / median(beside)
      return {
        what,
        cells: [median(whole).toFixed(1), measured.toFixed(2)],
        measured,
        ...(budget !== undefined && { budget }),
      }
    }),
    notes:
      high / low > BUSY
        ? [
            `The machine is busy: \`node -e 0\` itself took ${low.toFixed(1)} to ${high.toFixed(1)} ms, so these ratios are rough.`,
          ]
        : [],
  }
}

async function memoryTable(scenarios: readonly Scenario[]): Promise<FigureTable> {
  const peakOf = async (child: Child, prepare?: () => void): Promise<number> => {
    const peaks: number[] = []
    for (let round = 0; round < MEMORY_ROUNDS; round++) {
      prepare?.()
      peaks.push(await peakMemory(child))
    }
    return median(peaks)
  }
  const measured = scenarios.filter(({ memoryBudget }) => memoryBudget !== undefined)
  const [first] = measured
  const base = await peakOf({ args: ['-e', '0'], home: first?.child.home ?? '' })
  const lines: FigureLine[] = []
  for (const { what, child, prepare, memoryBudget: budget } of measured) {
    const peak = await peakOf(child, prepare)
    const ratio = peak / base
    lines.push({
      what,
      cells: [peak.toFixed(1), ratio.toFixed(2)],
      measured: ratio,
      ...(budget !== undefined && { budget }),
    })
  }
  return { title: `Peak memory beside \`node -e 0\` (${base.toFixed(1)} MB)`, heads: ['MB', 'ratio'], lines }
}
