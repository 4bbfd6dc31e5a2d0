/**
 * Measures every list with its filters, searches, reads and writes over HTTP, in stores of very different size. The
 * calls alternate between the stores, so that a busy moment slows all of them.
 */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { SHIPMENT_STATUSES } from '../src/areas/carrier/states.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { count, median, type FigureLine, type FigureTable } from './figures.ts'
import { waitMilliseconds } from './load.ts'
import { batchBody, manifestCsv } from './manifests.ts'
import { dray, runChild, type BenchService, startService } from './program.ts'
import { makeTemplates } from './scale-template.ts'
import { fillWorld, type MeasuredIds, readMeasuredIds } from './scale-world.ts'
import { type Homes, UPLOADED } from './startup.ts'

const STORE = 'data/default/dray.db'
const WATCH = join(import.meta.dirname, 'longest-block.cjs')
const ROUNDS = 4
const READS = 30
const WRITES = 10
const WARM_UP = 10
/** The most that a call may cost in the largest store, as a multiple of the smallest. */
const BUDGET = 1.5
const UPLOAD = `dray carrier upload of ${UPLOADED}, the whole command`
const UPLOADS = 9
/** The same of an upload. */
const UPLOAD_BUDGET = 1.2

export type ScaleHow = {
  /** The parcels of each store, the smallest first. */
  rows: readonly number[]
  engine: 'sqlite' | 'postgres'
  /** Only calls whose name contains one of these. */
  operations: readonly string[]
}

type Ask = (method: string, path: string, body?: string) => Promise<string>
type World = {
  size: number
  home: string
  flags: readonly string[]
  service: BenchService
  ask: Ask
  names: MeasuredIds
  report: string
  close(): void
}
type Case = {
  what: string
  /** Returns the call with this number, and may prepare it. */
  make(world: World, at: number): Promise<Parameters<Ask>> | Parameters<Ask>
  times: number
}

export async function measureScale({ folder, fresh }: Homes, how: ScaleHow): Promise<FigureTable[]> {
  const postgres = how.engine === 'postgres' ? await startPostgres() : undefined
  const worlds: World[] = []
  try {
    const template = join(folder, 'scale')
    cpSync(fresh, template, { recursive: true })
    const original = await postgres?.createDatabase()
    const flags = (url: string | undefined): string[] => (url === undefined ? [] : ['--store', url])
    await makeTemplates(template, flags(original), original ?? join(template, STORE))
    for (const size of how.rows) {
      const home = join(folder, `scale-${size}`)
      cpSync(template, home, { recursive: true })
      const url = await postgres?.createDatabase(original?.split('/').at(-1))
      const started = performance.now()
      await fillWorld(url ?? join(home, STORE), size)
      process.stderr.write(
        `${count(size)} parcels were filled in ${count((performance.now() - started) / 1000)} s\n`,
      )
      worlds.push(await openScaledService(home, size, url ?? join(home, STORE), flags(url)))
    }
    const lines = await measureWanted(worlds, how.operations)
    return [
      {
        title: `Calls over one connection, ${how.engine}: p50 and p99 in ms by the number of parcels (at most a million of all else), and the longest turn of the event loop in the largest, ms of processor`,
        heads: [...worlds.flatMap(({ size }) => [`${count(size)} p50`, 'p99']), 'ratio', 'turn'],
        lines,
      },
    ]
  } finally {
    for (const { service, home, close } of worlds) {
      close()
      await service.stop()
      rmSync(home, { recursive: true, force: true })
    }
    await postgres?.stop()
  }
}

/** Measures the calls whose names contain one of the words; all of them without words. */
async function measureWanted(worlds: readonly World[], words: readonly string[]): Promise<FigureLine[]> {
  const isWanted = (what: string): boolean => words.length === 0 || words.some((word) => what.includes(word))
  const lines: FigureLine[] = []
  for (const one of listCases()) {
    if (!isWanted(one.what)) continue
    const line = await measureCase(worlds, one)
    lines.push(line)
    process.stderr.write(`${line.what}: ${line.cells.join(' ')}\n`)
  }
  return isWanted(UPLOAD) ? [...lines, await measureUploads(worlds)] : lines
}

async function openScaledService(home: string, size: number, store: string, flags: string[]): Promise<World> {
  const { stdout } = await runChild(
    dray(home, 'sandbox', 'account', 'token', 'everything', '--json', ...flags),
  )
  const { token } = JSON.parse(stdout) as { token: string }
  const child = dray(home, 'serve', '--port', '0', '--json', '--quiet', ...flags)
  const report = join(home, 'longest-block.json')
  const args = ['--require', WATCH, ...child.args]
  const service = await startService({ ...child, args, env: { BENCH_BLOCKS: report } })
  return {
    size,
    home,
    flags,
    service,
    ...makeCalls(service.url, token),
    names: await readMeasuredIds(store, size),
    report,
  }
}

async function measureCase(worlds: readonly World[], { what, make, times }: Case): Promise<FigureLine> {
  const waits = worlds.map((): number[] => [])
  const largest = worlds.at(-1)
  for (let round = -1; round < ROUNDS; round++) {
    if (round === 0 && largest !== undefined) await longest(largest)
    for (const [index, world] of worlds.entries()) {
      for (let each = 0; each < (round === -1 ? WARM_UP : times); each++) {
        const call = await make(world, (round + 1) * 1000 + each)
        const started = performance.now()
        await world.ask(...call).catch((error: unknown) => {
          throw new Error(`${what}, ${count(world.size)}: ${String(error)}`)
        })
        if (round >= 0) waits[index]?.push(performance.now() - started)
      }
    }
  }
  const middles = waits.map((each) => median(each))
  const ratio = (middles.at(-1) ?? 0) / (middles[0] ?? 1)
  return {
    what,
    cells: [
      ...waits.flatMap((each, at) => [(middles[at] ?? 0).toFixed(2), percentile(each, 0.99).toFixed(1)]),
      ratio.toFixed(2),
      largest === undefined ? '' : (await longest(largest)).toFixed(0),
    ],
    measured: ratio,
    budget: BUDGET,
  }
}

/** Uploads manifests of new parcels to each store by the command, which opens the store itself. */
async function measureUploads(worlds: readonly World[]): Promise<FigureLine> {
  const waits = worlds.map((): number[] => [])
  for (let round = 0; round < UPLOADS; round++)
    for (const [index, { home, flags }] of worlds.entries()) {
      const manifest = join(home, 'upload.csv')
      writeFileSync(manifest, manifestCsv(UPLOADED, `up-${round}`))
      const words = ['carrier', 'upload', manifest, '--yes', '--json', '--results', 'none', ...flags]
      waits[index]?.push((await runChild(dray(home, ...words))).milliseconds)
    }
  const middles = waits.map((each) => median(each))
  const ratio = (middles.at(-1) ?? 0) / (middles[0] ?? 1)
  return {
    what: UPLOAD,
    cells: [
      ...waits.flatMap((each, at) => [(middles[at] ?? 0).toFixed(0), Math.max(...each).toFixed(0)]),
      ratio.toFixed(2),
      '',
    ],
    measured: ratio,
    budget: UPLOAD_BUDGET,
  }
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN
}

async function longest({ report, service }: World): Promise<number> {
  rmSync(report, { force: true })
  process.kill(service.pid, 'SIGUSR2')
  while (!existsSync(report)) await waitMilliseconds(5)
  return (JSON.parse(readFileSync(report, 'utf8')) as { processor: number }).processor
}

function listCases(): Case[] {
  const read = (what: string, path: (names: MeasuredIds, at: number, world: World) => string): Case => ({
    what,
    make: (world, at) => ['GET', path(world.names, at, world)],
    times: READS,
  })
  /** Reads after a write, since a first page of parcels is kept until then. */
  const afterWrite = ({ what, make, times }: Case): Case => ({
    what,
    make: async (world, at) => {
      await world.ask('POST', '/v1/shipments', parcelBody())
      return make(world, at)
    },
    times,
  })
  const lists = (
    operation: string,
    path: string,
    filters: Record<string, string | ((names: MeasuredIds, at: number, world: World) => string)>,
  ): Case[] =>
    Object.entries(filters).map(([filter, query]) =>
      read(
        `${operation}: ${filter}`,
        (names, at, world) =>
          `${path}?limit=25&${typeof query === 'string' ? query : query(names, at, world)}`,
      ),
    )
  const pick = (values: readonly string[], at: number): string => values[(at * 7) % values.length] ?? ''
  const span = 'created_from=2025-11-01T00:00:00Z&created_to=2025-11-20T00:00:00Z'
  return [
    read('get_membership_status', () => '/v1/me/membership'),
    ...lists('list_shipments', '/v1/shipments', {
      'no filter': '',
      'one state': 'status=delivered',
      'states under way': 'status=pre_transit&status=in_transit&status=out_for_delivery',
      'a rare state': 'status=lost',
      'all states': SHIPMENT_STATUSES.map((status) => `status=${status}`).join('&'),
      'a service': 'service_level=economy',
      'a state and a service': 'status=delivered&service_level=economy',
      'a span of creation': span,
      'a day of delivery': 'delivered_from=2026-03-01T00:00:00Z&delivered_to=2026-03-02T00:00:00Z',
      'a day of delivery and a service':
        'delivered_from=2026-03-01T00:00:00Z&delivered_to=2026-03-02T00:00:00Z&service_level=economy',
      'delivered since': 'delivered_from=2026-09-01T00:00:00Z',
      'a reference': (_names, at, { size }) =>
        `reference=REF-${Math.floor((size * (1 + (at % 90))) / 100) + 1}`,
      'a reference used again and again': (_names, at) => `reference=AGAIN-${at % 100}`,
      'no such reference': 'reference=none',
      'a batch': (_names, at, { size }) =>
        `batch_id=batch-${Math.floor((size / 500) * ((1 + (at % 90)) / 100))}`,
      'a batch and a state': (_names, at, { size }) =>
        `batch_id=batch-${Math.floor((size / 500) * ((1 + (at % 90)) / 100))}&status=delivered`,
      'a page in the middle': 'created_to=2026-01-01T00:00:00Z',
    }).map(afterWrite),
    read('get_shipment', ({ numbers }, at) => `/v1/shipments/${pick(numbers, at)}`),
    read('list_shipment_events', ({ numbers }, at) => `/v1/shipments/${pick(numbers, at)}/events`),
    read('list_hubs', () => '/v1/hubs'),
    ...lists('list_food_orders', '/v1/food/orders', {
      'no filter': '',
      'one state': 'status=completed',
      'states under way': 'status=placed&status=accepted&status=preparing',
      'a store': ({ merchant }) => `merchant_id=${merchant}`,
      'a store and a state': ({ merchant }) => `merchant_id=${merchant}&status=completed`,
      'a span': span,
    }),
    read('get_food_order', ({ orders }, at) => `/v1/food/orders/${pick(orders, at)}`),
    ...lists('list_business_orders', '/v1/business/orders', {
      'no filter': '',
      active: 'active=true',
      'one state': 'status=completed',
      'a payment': 'payment_status=paid',
      'a rare payment': 'payment_status=failed',
      'a way to get it': 'fulfillment_type=pickup',
      'a state, a payment and a way': 'status=completed&payment_status=paid&fulfillment_type=pickup',
      'a span': span,
    }),
    read('get_business_order', ({ orders }, at) => `/v1/business/orders/${pick(orders, at)}`),
    ...lists('list_catalog_items', '/v1/business/catalog/items', {
      'no filter': '',
      text: 'q=focaccia',
      available: 'available=true',
      changed: 'updated_since=2026-11-01T00:00:00Z',
    }),
    ...lists('list_rides', '/v1/rides', {
      'no filter': '',
      'one state': 'status=completed',
      'a rare state': 'status=in_progress',
      'a span': span,
    }),
    read('get_ride', ({ rides }, at) => `/v1/rides/${pick(rides, at)}`),
    ...lists('search_restaurants', '/v1/food/merchants', {
      distance: (_names, at) => near(at),
      rating: (_names, at) => `${near(at)}&sort=rating`,
      eta: (_names, at) => `${near(at)}&sort=eta`,
      text: (_names, at) => `${near(at)}&q=noodles`,
      'text of none': (_names, at) => `${near(at)}&q=zzz`,
      'a cuisine': (_names, at) => `${near(at)}&cuisine=thai`,
      'a kind, for delivery': (_names, at) => `${near(at)}&kind=grocery&fulfillment_type=delivery`,
    }),
    read('get_restaurant_menu', ({ stores }, at) => `/v1/food/merchants/${pick(stores, at)}/menu`),
    ...lists('search_service_providers', '/v1/services/providers', {
      distance: (_names, at) => near(at),
      rating: (_names, at) => `${near(at)}&sort=rating`,
      price: (_names, at) => `${near(at)}&sort=price`,
      soonest: (_names, at) => `${near(at)}&sort=soonest`,
      'a kind': (_names, at) => `${near(at)}&category=cleaning`,
      text: (_names, at) => `${near(at)}&q=clean`,
      'a date': (_names, at) => `${near(at)}&date=2026-12-14`,
    }),
    read(
      'get_provider_availability',
      ({ providers }, at) =>
        `/v1/services/providers/${pick(providers, at)}/slots?date=2026-12-14&service_code=regular_clean`,
    ),
    read('search_ride_options', (_names, at) => `/v1/rides/products?${near(at)}`),
    ...listWrites(),
  ]
}

let made = 0

/** Returns the body of a parcel that was not created yet. */
function parcelBody(): string {
  return JSON.stringify(
    (JSON.parse(batchBody(1, `scale-${(made += 1)}`)) as { shipments: object[] }).shipments[0],
  )
}

function listWrites(): Case[] {
  const quote = ({ names: { item, merchant } }: World): Parameters<Ask> => [
    'POST',
    '/v1/food/orders/quote',
    JSON.stringify({
      merchant_id: merchant,
      fulfillment_type: 'pickup',
      items: [{ item_id: item, quantity: 1 }],
    }),
  ]
  const write = (what: string, make: Case['make']): Case => ({ what, make, times: WRITES })
  return [
    write('create_shipment', () => ['POST', '/v1/shipments', parcelBody()]),
    write('create_shipments_batch of 20', () => [
      'POST',
      '/v1/shipments/batch',
      batchBody(20, `scale-${(made += 1)}`),
    ]),
    write('cancel_shipment', async ({ ask }) => {
      const { tracking_number } = JSON.parse(await ask('POST', '/v1/shipments', parcelBody())) as {
        tracking_number: string
      }
      return ['POST', `/v1/shipments/${tracking_number}/cancel`, '{}']
    }),
    write('quote_food_order', quote),
    write('place_food_order', async (world) => {
      const { quote_id } = JSON.parse(await world.ask(...quote(world))) as { quote_id: string }
      return [
        'POST',
        '/v1/food/orders',
        JSON.stringify({ quote_id, payment: { method: 'card', payment_token: 'tok_ok' } }),
      ]
    }),
    write('set_catalog_item_availability', ({ names: { item } }, at) => [
      'PUT',
      `/v1/business/catalog/items/${item}/availability`,
      JSON.stringify(at % 2 === 0 ? { available: true } : { available: false, reason: 'sold_out' }),
    ]),
  ]
}

function near(at: number): string {
  const share = (step: number): number => (at * step) % 1
  const latitude = 51.5129 + (share(0.6180339887) - 0.5) * 0.036
  const longitude = -0.0823 + (share(0.7548776662) - 0.5) * 0.058
  return `latitude=${latitude.toFixed(6)}&longitude=${longitude.toFixed(6)}`
}

/** Makes calls one after another over one connection, and over a new one after the service closed that. */
function makeCalls(url: string, token: string): { ask: Ask; close(): void } {
  const { hostname, port, host } = new URL(url)
  let keys = 0
  let pending: Buffer = Buffer.alloc(0)
  let open: Socket | undefined
  let answered = (_text: string, _ok: boolean): void => {}
  let failed = (_reason: Error): void => {}
  const connection = (): Socket => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    socket.on('error', (error) => failed(error))
    socket.on('close', () => {
      open = undefined
      failed(new Error('the service closed the connection'))
    })
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk])
      const end = pending.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = pending.toString('latin1', 0, end)
      const from = end + 4
      if (pending.length < from + Number(/content-length: *(\d+)/i.exec(head)?.[1])) return
      const text = pending.toString('utf8', from)
      pending = Buffer.alloc(0)
      answered(text, /^HTTP\/1\.1 20[01] /.test(head))
    })
    return socket
  }
  const ask: Ask = (method, path, body) =>
    new Promise((resolve, reject) => {
      answered = (text, ok) => (ok ? resolve(text) : reject(new Error(`${path}: ${text}`)))
      failed = reject
      const more =
        body === undefined
          ? ''
          : `Content-Type: application/json\r\nIdempotency-Key: scale-${(keys += 1)}-${process.pid}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
      open ??= connection()
      open.write(
        `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n${more}\r\n${body ?? ''}`,
      )
    })
  return { ask, close: () => open?.destroy() }
}
