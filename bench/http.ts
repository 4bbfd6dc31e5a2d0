/**
 * Measures five typical operations over HTTP on both engines, with one process and with two. The baselines are bare
 * `node:http` with the same bytes, and Prism, which invents responses from our OpenAPI document.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { startPostgres } from '../test/support/postgres-server.ts'
import { selectOf } from './baseline-selects.ts'
import type { BaselineServerPlan } from './baseline-server.ts'
import { type BenchCall, listCalls, type ServiceAddress, requests } from './calls.ts'
import { count, type FigureLine, formatShare, type FigureTable } from './figures.ts'
import { measureLoad } from './load.ts'
import { dray, runChild, type BenchService, startService } from './program.ts'
import { answerOf, fillPostgres, type BenchTarget } from './service.ts'
import type { Homes } from './startup.ts'

const BARE = join(import.meta.dirname, 'bare-server.ts')
const PRISM = '@stoplight/prism-cli@5.16.0'
const CONNECTIONS = 32
const PROCESSES = 2
/** The column of one process over PostgreSQL. */
const OVER_POSTGRES = 2
/** The timeout for downloading and starting a package. */
const FETCH_MS = 180_000

export async function measureHttp(homes: Homes, seconds: number): Promise<FigureTable> {
  const postgres = await startPostgres()
  try {
    const sqlite = join(homes.folder, 'http-sqlite')
    cpSync(homes.full, sqlite, { recursive: true })
    const targets: BenchTarget[] = [
      { name: 'SQLite', home: sqlite, store: join(sqlite, 'data/default/dray.db'), flags: [] },
      await fillPostgres(homes, await postgres.createDatabase(), 'http-postgres'),
    ]
    const columns: { head: string; rates: Map<string, number> }[] = []
    let calls: BenchCall[] = []
    let answers = new Map<string, BaselineServerPlan>()
    let selecting = new Map<string, number>()
    for (const { name, home, store, flags } of targets) {
      const words = ['sandbox', 'account', 'token', 'everything', '--json', ...flags]
      const { token } = JSON.parse((await runChild(dray(home, ...words))).stdout) as { token: string }
      for (const processes of [1, PROCESSES]) {
        const cluster = processes === 1 ? [] : ['--cluster', String(processes)]
        const words = ['serve', '--port', '0', '--json', '--quiet', ...flags, ...cluster]
        const service = await startService(dray(home, ...words))
        try {
          const place = { url: service.url, token }
          calls = await listCalls(place)
          if (answers.size === 0) answers = await answersTo(place, calls)
          const head = processes === 1 ? name : `× ${processes}`
          columns.push({ head, rates: await measureCalls(place, calls, seconds) })
          // At once, because a machine that others use is not as fast later.
          if (store.startsWith('postgres:') && processes === 1)
            selecting = await measureBare(
              homes.folder,
              calls,
              withSelects(answers, calls, store, token),
              seconds,
            )
        } finally {
          await service.stop()
        }
      }
    }
    const bare = await measureBare(homes.folder, calls, answers, seconds)
    const prism = await measurePrism(homes, calls, seconds)
    return toTable(calls, columns, { bare, selecting, prism })
  } finally {
    await postgres.stop()
  }
}

function toTable(
  calls: readonly BenchCall[],
  columns: readonly { head: string; rates: Map<string, number> }[],
  {
    bare,
    selecting,
    prism,
  }: { bare: Map<string, number>; selecting: Map<string, number>; prism: Map<string, number> | string },
): FigureTable {
  const lines = calls.map(({ name }): FigureLine => {
    const floor = bare.get(name) ?? 0
    const cells = columns.flatMap(({ rates }) => {
      const rate = rates.get(name) ?? 0
      return [count(rate), formatShare(rate, floor)]
    })
    const mocked = typeof prism === 'string' ? undefined : prism.get(name)
    const best = columns[0]?.rates.get(name) ?? 0
    const beside = mocked === undefined ? ['–', ''] : [count(mocked), `${(best / mocked).toFixed(1)} ×`]
    const one = selecting.get(name)
    const overOne =
      one === undefined
        ? ['–', '']
        : [count(one), formatShare(columns[OVER_POSTGRES]?.rates.get(name) ?? 0, one)]
    return { what: name, cells: [...cells, count(floor), ...overOne, ...beside] }
  })
  return {
    title: `Requests a second over ${CONNECTIONS} connections, 10,000 parcels in the store`,
    heads: [
      ...columns.flatMap(({ head }) => [head, 'share']),
      'bare node:http',
      'with one SELECT',
      'share',
      'Prism',
      'SQLite to Prism',
    ],
    lines,
    notes: [
      'Shares are of bare node:http answering the same bytes. × 2 is --cluster 2, on the same processors as the load.',
      'With one SELECT, bare node:http first reads the rows of the answer from the same PostgreSQL.',
      'SQLite syncs each parcel to the disk; this PostgreSQL runs without fsync, as in the tests.',
      ...(typeof prism === 'string' ? [`${PRISM} could not be measured: ${prism}`] : []),
    ],
  }
}

async function answersTo(
  place: ServiceAddress,
  calls: readonly BenchCall[],
): Promise<Map<string, BaselineServerPlan>> {
  const answers = new Map<string, BaselineServerPlan>()
  for (const { name, method, path, body } of calls) {
    const response = await fetch(`${place.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${place.token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    })
    answers.set(name, await answerOf(response))
  }
  return answers
}

async function measureCalls(
  place: ServiceAddress,
  calls: readonly BenchCall[],
  seconds: number,
): Promise<Map<string, number>> {
  const rates = new Map<string, number>()
  for (const call of calls) rates.set(call.name, await measureCall(place, call, seconds))
  return rates
}

function measureCall(place: ServiceAddress, call: BenchCall, seconds: number): Promise<number> {
  return measureLoad({ url: place.url, request: requests(place, call), connections: CONNECTIONS, seconds })
}

/** Returns the answers of the reads, each with the statement that reads its rows. */
function withSelects(
  answers: ReadonlyMap<string, BaselineServerPlan>,
  calls: readonly BenchCall[],
  store: string,
  token: string,
): Map<string, BaselineServerPlan> {
  const plans = new Map<string, BaselineServerPlan>()
  for (const call of calls) {
    const answer = answers.get(call.name)
    const select = selectOf(call, token)
    if (answer !== undefined && select !== undefined)
      plans.set(call.name, { ...answer, select: { store, ...select } })
  }
  return plans
}

/** Measures bare servers with these answers. */
async function measureBare(
  folder: string,
  calls: readonly BenchCall[],
  answers: ReadonlyMap<string, BaselineServerPlan>,
  seconds: number,
): Promise<Map<string, number>> {
  const rates = new Map<string, number>()
  for (const call of calls) {
    const answer = answers.get(call.name)
    if (answer === undefined) continue
    const file = join(folder, 'answer.json')
    writeFileSync(file, JSON.stringify(answer))
    const floor = await startService({ args: [BARE, file], home: folder })
    try {
      rates.set(call.name, await measureCall({ url: floor.url, token: 'none' }, call, seconds))
    } finally {
      await floor.stop()
    }
  }
  return rates
}

/** Downloads Prism on demand, without installing it. Returns the reason when that fails. */
async function measurePrism(
  { folder, fresh }: Homes,
  calls: readonly BenchCall[],
  seconds: number,
): Promise<Map<string, number> | string> {
  let prism: BenchService | undefined
  try {
    const document = join(folder, 'openapi.json')
    writeFileSync(document, (await runChild(dray(fresh, 'openapi'))).stdout)
    prism = await startPrism(folder, document)
    return await measureCalls({ url: prism.url, token: 'none' }, calls, seconds)
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]?.slice(0, 200) ?? ''
  } finally {
    await prism?.stop()
  }
}

async function startPrism(folder: string, document: string): Promise<BenchService> {
  const port = await freePort()
  const home = join(folder, 'prism')
  mkdirSync(home)
  const words = ['exec', '--yes', PRISM, '--', 'mock', '--port', String(port), document]
  // A process group of its own, because npm starts further processes that must end with it.
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`
  const env = { ...process.env, PATH }
  const child = spawn('npm', words, { cwd: home, env, stdio: 'ignore', detached: true })
  const ended = once(child, 'close')
  const service: BenchService = {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      endGroup(child)
      await ended
    },
  }
  try {
    await waitUntilUp(`${service.url}/v1/me/membership`, ended)
    return service
  } catch (error) {
    await service.stop()
    throw error
  }
}

function endGroup({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null) return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // It has already ended.
  }
}

async function waitUntilUp(url: string, ended: Promise<unknown>): Promise<void> {
  const failed = ended.then(() => {
    throw new Error('it ended at once; is the registry of packages within reach?')
  })
  failed.catch(() => {})
  const deadline = performance.now() + FETCH_MS
  while (performance.now() < deadline) {
    const headers = { authorization: 'Bearer none' }
    const up = fetch(url, { headers }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (await Promise.race([up, failed])) return
    await Promise.race([new Promise((resolve) => setTimeout(resolve, 500)), failed])
  }
  throw new Error('it was not fetched and started in time')
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
