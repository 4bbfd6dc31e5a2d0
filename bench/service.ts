/** Measures the service under load beside Node and the engine alone. */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../test/support/postgres-server.ts'
import type { BaselineServerPlan } from './baseline-server.ts'
import { count, type FigureLine, formatShare, type FigureTable } from './figures.ts'
import { type LoadOptions, measureLoad } from './load.ts'
import { batchBody } from './manifests.ts'
import { type Child, dray, runChild, startService } from './program.ts'
import type { Homes } from './startup.ts'

const BARE = join(import.meta.dirname, 'bare-server.ts')
const CONNECTIONS = 32
const BATCH = 100
const SELECT = 'select * from shipments where tracking_number = $1'

export type BenchTarget = { name: string; home: string; store: string; flags: string[] }

/** Measures the service. `barePerSecond` is the number of parcels per second that a bare loop writes to SQLite. */
export async function measureService(
  homes: Homes,
  seconds: number,
  barePerSecond: number,
): Promise<FigureTable[]> {
  const postgres = await startPostgres()
  try {
    const sqlite = join(homes.folder, 'service-sqlite')
    cpSync(homes.full, sqlite, { recursive: true })
    const targets = [
      { name: 'SQLite', home: sqlite, store: join(sqlite, 'data/default/dray.db'), flags: [] },
      await fillPostgres(homes, await postgres.createDatabase()),
    ]
    const reads: FigureLine[] = []
    const batches: FigureLine[] = []
    for (const target of targets) {
      const measured = await measureTarget(homes.folder, target, seconds)
      reads.push(measured.read)
      batches.push(measured.batch)
    }
    return [
      {
        title: `GET /v1/shipments/{tracking_number}, requests a second over ${CONNECTIONS} connections`,
        heads: ['dray', 'bare node:http', 'share', 'with one SELECT', 'share'],
        lines: reads,
      },
      {
        title: `POST /v1/shipments/batch with ${BATCH} parcels, parcels a second over ${CONNECTIONS} connections`,
        heads: ['dray', 'bare node:http', 'share'],
        lines: [
          ...batches,
          { what: 'bare node:sqlite loop, no HTTP, durable', cells: [count(barePerSecond), '', ''] },
        ],
        notes: ['SQLite syncs each batch to the disk; this PostgreSQL runs without fsync, as in the tests.'],
      },
    ]
  } finally {
    await postgres.stop()
  }
}

/** Fills a PostgreSQL store with 10,000 parcels, like that of `homes.full`. */
export async function fillPostgres(
  { folder }: Homes,
  store: string,
  name = 'service-postgres',
): Promise<BenchTarget> {
  const home = join(folder, name)
  const flags = ['--store', store]
  const manifest = join(folder, 'ten-thousand.csv')
  await runChild(
    dray(home, 'carrier', 'upload', manifest, '--split', '--yes', '--json', '--results', 'none', ...flags),
  )
  return { name: 'PostgreSQL', home, store, flags }
}

async function measureTarget(
  folder: string,
  { name, home, store, flags }: BenchTarget,
  seconds: number,
): Promise<{ read: FigureLine; batch: FigureLine }> {
  const words = ['sandbox', 'account', 'token', 'everything', '--json', ...flags]
  const { token } = JSON.parse((await runChild(dray(home, ...words))).stdout) as { token: string }
  const service = await startService(dray(home, 'serve', '--port', '0', '--json', '--quiet', ...flags))
  try {
    const get = (path: string): Promise<Response> =>
      fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    const { data } = (await (await get('/v1/shipments?limit=1')).json()) as {
      data: { tracking_number: string }[]
    }
    const number = data[0]?.tracking_number ?? ''
    const path = `/v1/shipments/${number}`
    const one = await answerOf(await get(path))
    const read = () => Buffer.from(`${head('GET', service.url, path, token)}\r\n`)
    const load = { connections: CONNECTIONS, seconds }
    const under = async (child: Child, request: LoadOptions['request']): Promise<number> => {
      const floor = await startService(child)
      try {
        return await measureLoad({ ...load, url: floor.url, request })
      } finally {
        await floor.stop()
      }
    }
    const bare = (plan: BaselineServerPlan): Child => {
      const file = join(folder, 'answer.json')
      writeFileSync(file, JSON.stringify(plan))
      return { args: [BARE, file], home }
    }

    const reads = await measureLoad({ ...load, url: service.url, request: read })
    const bareReads = await under(bare(one), read)
    const select = { store, text: SELECT, values: [number] }
    const selects = await under(bare({ ...one, select }), read)

    const post = batchRequests(service.url, token)
    const answered = await answerOf(
      await fetch(`${service.url}/v1/shipments/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: batchBody(BATCH, 'first'),
      }),
    )
    const batches = (await measureLoad({ ...load, url: service.url, request: post })) * BATCH
    const bareBatches = (await under(bare(answered), post)) * BATCH
    return {
      read: {
        what: name,
        cells: [
          count(reads),
          count(bareReads),
          formatShare(reads, bareReads),
          count(selects),
          formatShare(reads, selects),
        ],
      },
      batch: { what: name, cells: [count(batches), count(bareBatches), formatShare(batches, bareBatches)] },
    }
  } finally {
    await service.stop()
  }
}

export async function answerOf(response: Response): Promise<BaselineServerPlan> {
  const body = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${body}`)
  const {
    date: _date,
    connection: _connection,
    'keep-alive': _alive,
    ...headers
  } = Object.fromEntries(response.headers)
  return { headers, body }
}

/** Returns a function that repeats the same body, each time with new references of the same length. */
function batchRequests(url: string, token: string): () => Buffer {
  const mark = 'bench00000000'
  const body = batchBody(BATCH, mark)
  const first = head('POST', url, '/v1/shipments/batch', token)
  const start = `${first}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
  let sent = 0
  return () => {
    sent += 1
    return Buffer.from(start + body.replaceAll(mark, `bench${String(sent).padStart(8, '0')}`))
  }
}

function head(method: string, url: string, path: string, token: string): string {
  return `${method} ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\n`
}
