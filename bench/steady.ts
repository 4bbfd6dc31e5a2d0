/**
 * Measures the service during minutes of load, and during far more requests than it can handle. Linux only: it reads
 * `/proc`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BenchCall, listCalls, type ServiceAddress } from './calls.ts'
import { count, type FigureLine, type FigureTable } from './figures.ts'
import type { LoadPlan, LoadReport } from './load-worker.ts'
import { dray, runChild, type BenchService, startService } from './program.ts'
import type { Homes } from './startup.ts'

const WORKER = join(import.meta.dirname, 'load-worker.ts')
const STORE = 'data/default/dray.db'
const SAMPLE_MS = 2000
const CONNECTIONS = 50
const SATURATING = 128
const TIMES = 10
const SLOW = 1000
/** So few calls that no limit applies to them. */
const POLITE_CALLS = 100
/** The longest measurement of calls. */
const POLITE_MS = 20_000
const POLITE_GAP_MS = 20
/** The wait of a caller without a Retry-After header. */
const RETRY_MS = 200
const MEBIBYTE = 1_048_576

type Sample = { second: number; rss: number; fds: number; wal: number }

export type SteadyHow = {
  minutes: number
  /** The most requests a second; as many as the service answers without it. */
  rate: number | undefined
  /** The limit of the old objects in the service's memory, in MB; that of Node without it. */
  heap: number | undefined
}

/** Measures memory, descriptors and the store's log, while four of five calls read and one creates a parcel. */
export async function measureSteady({ folder, fresh }: Homes, how: SteadyHow): Promise<FigureTable> {
  const { minutes, rate, heap } = how
  const home = join(folder, 'steady')
  cpSync(fresh, home, { recursive: true })
  const limits = heap === undefined ? [] : [`--max-old-space-size=${heap}`]
  return withService(home, [], limits, async (service, place, calls) => {
    const pause = rate === undefined ? 0 : (CONNECTIONS * 1000) / rate
    const load = await startLoad(folder, { place, calls, connections: CONNECTIONS, slow: 0, pause })
    const samples: Sample[] = []
    const started = performance.now()
    while (performance.now() - started < minutes * 60_000) {
      await wait(SAMPLE_MS)
      samples.push({ second: (performance.now() - started) / 1000, ...readProcessSample(service, home) })
    }
    const report = await load.stop()
    const answered = Object.entries(report.statuses)
    const all = answered.reduce((sum, [, times]) => sum + times, 0)
    // Only the second half counts: a leak continues there, while caches are already warm.
    const settled = samples.slice(Math.floor(samples.length / 2))
    const spread = (pick: (sample: Sample) => number, of = samples): string[] => {
      const values = of.map(pick)
      return [values[0] ?? 0, Math.max(...values), values.at(-1) ?? 0].map(count)
    }
    return {
      title: `${minutes} minutes of load over ${CONNECTIONS} connections, SQLite: ${count(all / report.seconds)} requests a second`,
      heads: ['first', 'largest', 'last', 'slope, second half'],
      lines: [
        {
          what: 'resident memory, MB',
          cells: [...spread(({ rss }) => rss), `${slope(settled, ({ rss }) => rss)} MB/h`],
        },
        {
          what: 'open descriptors',
          cells: [...spread(({ fds }) => fds), `${slope(settled, ({ fds }) => fds)} /h`],
        },
        { what: 'log of the store (WAL), MB', cells: [...spread(({ wal }) => wal), ''] },
      ],
      notes: [`Answers: ${answered.map(([status, times]) => `${count(times)} × ${status}`).join(', ')}.`],
    }
  })
}

/** Measures the response time of a caller with few requests, alone and during ten times the saturating load. */
export async function measureOverload({ folder, fresh }: Homes, seconds: number): Promise<FigureTable> {
  const lines: FigureLine[] = []
  const notes: string[] = []
  for (const [what, flags] of [
    ['without limits', []],
    ['with --rate-limit default', ['--rate-limit', 'default']],
  ] as const) {
    const home = join(folder, `overload-${lines.length}`)
    cpSync(fresh, home, { recursive: true })
    await withService(home, flags, [], async (service, place, calls) => {
      const polite = { ...place, token: await tokenOf(home, 'member') }
      const alone = await callPolitely(polite)
      const plan = { place, calls, connections: SATURATING * TIMES, slow: SLOW }
      const load = await startLoad(folder, plan)
      await wait(seconds * 1000)
      const beside = await callPolitely(polite)
      const { rss, fds } = readProcessSample(service, home)
      const { statuses, seconds: lasted } = await load.stop()
      const cells = [alone, beside].flatMap(({ p50, p99 }) => [p50, p99].map((ms) => ms.toFixed(1)))
      lines.push({ what, cells: [...cells, String(beside.again), count(rss), count(fds)] })
      const told = Object.entries(statuses).map(([status, times]) => `${count(times / lasted)}/s × ${status}`)
      notes.push(`The others heard, ${what}: ${told.join(', ')}.`)
    })
  }
  return {
    title: `A caller of up to ${POLITE_CALLS} calls one after the other, beside ${count(SATURATING * TIMES)} connections that never pause and ${count(SLOW)} that send a byte a second; ms until the answer, coming back as asked`,
    heads: ['alone p50', 'p99', 'beside p50', 'p99', 'came back', 'MB', 'descriptors'],
    lines,
    notes: [...notes, '`0` is a connection that ended without an answer.'],
  }
}

async function withService<T>(
  home: string,
  flags: readonly string[],
  nodeFlags: readonly string[],
  work: (service: BenchService, place: ServiceAddress, calls: BenchCall[]) => Promise<T>,
): Promise<T> {
  const token = await tokenOf(home, 'everything')
  const child = dray(home, 'serve', '--port', '0', '--json', '--quiet', ...flags)
  const service = await startService({ ...child, args: [...nodeFlags, ...child.args] })
  try {
    const place = { url: service.url, token }
    return await work(service, place, await listCalls(place))
  } finally {
    await service.stop()
  }
}

async function tokenOf(home: string, account: string): Promise<string> {
  const { stdout } = await runChild(dray(home, 'sandbox', 'account', 'token', account, '--json'))
  return (JSON.parse(stdout) as { token: string }).token
}

async function startLoad(folder: string, plan: LoadPlan): Promise<{ stop(): Promise<LoadReport> }> {
  const file = join(folder, 'load.json')
  writeFileSync(file, JSON.stringify(plan))
  const child = spawn(process.execPath, [WORKER, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await Promise.race([once(child.stdout, 'data'), closed])
  return {
    async stop() {
      child.kill('SIGTERM')
      await closed
      return JSON.parse(text.trim().split('\n').at(-1) ?? '') as LoadReport
    },
  }
}

/** Sends one call at a time, and retries when the service asks for it. */
async function callPolitely({
  url,
  token,
}: ServiceAddress): Promise<{ p50: number; p99: number; again: number }> {
  const times: number[] = []
  let again = 0
  const began = performance.now()
  for (let call = 0; call < POLITE_CALLS && performance.now() - began < POLITE_MS; call++) {
    const started = performance.now()
    for (;;) {
      const response = await fetch(`${url}/v1/me/membership`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(POLITE_MS),
      }).catch(() => undefined)
      await response?.arrayBuffer().catch(() => undefined)
      if (response?.status === 200 || performance.now() - began > POLITE_MS) break
      again += 1
      await wait(Number(response?.headers.get('retry-after') ?? 0) * 1000 || RETRY_MS)
    }
    times.push(performance.now() - started)
    await wait(POLITE_GAP_MS)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { p50: at(0.5), p99: at(0.99), again }
}

function readProcessSample({ pid }: BenchService, home: string): Omit<Sample, 'second'> {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  const wal = join(home, `${STORE}-wal`)
  return {
    rss: Number(kilobytes) / 1024,
    fds: readdirSync(`/proc/${pid}/fd`).length,
    wal: existsSync(wal) ? statSync(wal).size / MEBIBYTE : 0,
  }
}

/** Returns the slope by least squares, per hour. */
function slope(samples: readonly Sample[], pick: (sample: Sample) => number): string {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(samples.map(({ second }) => second)), mean(samples.map(pick))]
  const over = samples.reduce((sum, sample) => sum + (sample.second - x) * (pick(sample) - y), 0)
  const under = samples.reduce((sum, { second }) => sum + (second - x) ** 2, 0)
  return ((over / under) * 3600).toFixed(1)
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}
