/**
 * Measures for how long the heaviest calls hold the event loop of the service. The processor time of a turn is the
 * figure to trust on a busy machine; the time by the clock contains the waits for the disk and for other programs.
 */
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SHIPMENT_STATUSES } from '../src/areas/carrier/states.ts'
import type { ServiceAddress } from './calls.ts'
import { count, type FigureLine, type FigureTable } from './figures.ts'
import { measureLoad, waitMilliseconds } from './load.ts'
import { batchBody, itemsBody } from './manifests.ts'
import { CONNECTIONS, placeRequests, quoteMany } from './orders.ts'
import { dray, runChild, startService } from './program.ts'
import { measureRoutes } from './routes.ts'
import type { Homes } from './startup.ts'

const STORE = 'data/default/dray.db'
const WATCH = join(import.meta.dirname, 'longest-block.cjs')
const BATCH = 500
const PAGE = 100

type WatchedService = ServiceAddress & {
  control: string
  home: string
  store: string
  longestTurn(): Promise<number>
  /** Returns for how long the loop was held at most while `work` ran. */
  during(what: string, work: () => Promise<unknown>): Promise<FigureLine>
}

/** The longest turn of the event loop, in milliseconds, and the growth of the resident memory, in MB. */
type Longest = { milliseconds: number; processor: number; memory: number }

/** Measures the waits of a second caller alone. */
export function measureWaits(homes: Homes): Promise<FigureTable> {
  return measureStore(homes, 10_000, measureEachRoute)
}

export async function measureEventLoopLag(homes: Homes): Promise<FigureTable[]> {
  return [
    await measureWaits(homes),
    await measureStore(homes, 10_000, measureWrites),
    await measureStore(homes, 100_000, measureWhole),
    ...(await measureBooks(homes)),
    await measureStore(homes, 1_000_000, measureLists),
  ]
}

/** Measures the answers that add up a month: an invoice of 100,000 parcels, and a statement of as many orders. */
export async function measureBooks(homes: Homes): Promise<FigureTable[]> {
  return [
    await measureStore(homes, 100_000, measureInvoice),
    await measureStore(homes, 10_000, measureStatement),
  ]
}

function measureEachRoute(service: WatchedService): Promise<FigureTable> {
  const linkOf = async (page: string): Promise<string> => {
    const { stdout } = await runChild(
      dray(service.home, 'open', page, '--no-browser', '--as', 'everything', '--json'),
    )
    return (JSON.parse(stdout) as { link: string }).link
  }
  return measureRoutes({ ...service, linkOf })
}

async function measureWrites(service: WatchedService): Promise<FigureLine[]> {
  const { during } = service
  await send(service, 'POST', '/v1/shipments/batch', batchBody(2, 'warm'))
  await send(service, 'POST', '/v1/business/catalog/items/batch', itemsBody(2, 'warm'))
  return [
    await during(`a batch of ${BATCH} parcels`, () =>
      send(service, 'POST', '/v1/shipments/batch', batchBody(BATCH, 'batch')),
    ),
    await during(`${BATCH} items for a menu`, () =>
      send(service, 'POST', '/v1/business/catalog/items/batch', itemsBody(BATCH, 'batch')),
    ),
    await during('orders for two seconds, 32 connections', () => placeOrders(service)),
    await during('20,000 lines for the log of requests', () => readLittle(service)),
    await during('an export of all parcels', () => exportAll(service)),
    await during('the clock, 30 days on', () => control(service, 'POST', '/clock/advance', { by: '30d' })),
  ]
}

async function measureWhole(service: WatchedService): Promise<FigureLine[]> {
  const { during } = service
  let snapshot = new ArrayBuffer()
  return [
    await during('a snapshot, saved', async () => {
      snapshot = await (await control(service, 'GET', '/snapshot')).arrayBuffer()
    }),
    await during('the same, loaded', () => control(service, 'PUT', '/snapshot', snapshot)),
    await during('a new start', () => control(service, 'POST', '/reset', {})),
  ]
}

/** Collects all parcels of the store, so that the invoice of the month has a line for each. */
async function measureInvoice(service: WatchedService): Promise<FigureLine[]> {
  billParcels(service.store)
  const path = '/v1/invoices/2026-11'
  await send(service, 'GET', `${path}?limit=1`)
  return [
    await service.during('the sums of an invoice', () => send(service, 'GET', `${path}?lines=false`)),
    await service.during('a page of its lines', () => send(service, 'GET', `${path}?limit=${PAGE}`)),
    await service.during('the sums for one customer', () =>
      send(service, 'GET', `${path}?lines=false&customer=Nobody`),
    ),
    await service.during('all its pages', () => readPages(service, `${path}?limit=${PAGE}`)),
  ]
}

/** The orders of the month. */
const SOLD = 100_000

/** Places orders, and copies the entry of one, so that the statement of the month has as many as a large shop's. */
async function measureStatement(service: WatchedService): Promise<FigureLine[]> {
  await placeOrders(service)
  copyEntries(service.store)
  const path = '/v1/business/statement'
  const month = 'from=2026-11-01&to=2026-12-01'
  const sold = (await send(service, 'GET', `${path}?${month}`)) as { orders: number }
  if (sold.orders < SOLD) throw new Error(`The statement has ${sold.orders} orders.`)
  return [
    await service.during(`a statement of ${count(sold.orders)} orders`, () =>
      send(service, 'GET', `${path}?${month}`),
    ),
    await service.during('a page of its entries', () =>
      send(service, 'GET', `${path}/entries?${month}&limit=${PAGE}`),
    ),
    await service.during('the document of its day, shown', () =>
      send(service, 'POST', '/v1/business/days', JSON.stringify({ preview: true, through: '2026-11-20' })),
    ),
  ]
}

/** Writes the entry of one order in the books of its store, with its share in the ledger, again and again. */
function copyEntries(store: string): void {
  const db = new DatabaseSync(store, { timeout: 60_000 })
  const copied = (table: string, which: string): string => {
    const columns = db
      .prepare(`select * from ${table}`)
      .columns()
      .map(({ name }) => name)
    const values = columns.map((column) => (column === 'seq' ? 'seq + i * 100000' : column))
    return `insert into ${table} (${columns.join(', ')}) ${NUMBERS} select ${values.join(', ')} from numbers, ${table} where ${which}`
  }
  const entry = '(select seq from store_entries order by seq limit 1)'
  const paid = `(select order_id from store_entries order by seq limit 1)`
  db.exec(`pragma synchronous = off; begin;
    ${copied('ledger', `kind = 'share' and resource_id = ${paid}`)};
    ${copied('store_entries', `seq = ${entry}`)};
    ${copied('store_entry_parts', `seq = ${entry}`)};
    commit; pragma wal_checkpoint(truncate)`)
  db.close()
}

const NUMBERS = `with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${SOLD})`

/** Writes a line of the month for each parcel, as their first scans do. */
function billParcels(store: string): void {
  const db = new DatabaseSync(store)
  db.exec(`pragma synchronous = off; begin;
    update world set seq = seq + (select count(*) from shipments);
    insert into invoice_lines (seq, agreement_id, at, kind, tracking_number, customer, subtotal, net, vat_bps, vat)
    select (select seq - (select count(*) from shipments) from world) + row_number() over (order by seq),
      agreement_id, ${Date.UTC(2026, 10, 20, 17)}, 'parcel', tracking_number, customer, 420, 454, 2000, 91
    from shipments where tracking_number not in (select tracking_number from invoice_lines);
    commit; pragma wal_checkpoint(truncate)`)
  db.close()
}

async function measureLists(service: WatchedService): Promise<FigureLine[]> {
  const filters = {
    'no filter': '',
    'two states, one of them of no parcel': 'status=pre_transit&status=lost',
    'all states': SHIPMENT_STATUSES.map((status) => `status=${status}`).join('&'),
    'a service and a late batch': 'service_level=economy&batch_id=none',
    'a span of creation and one of delivery':
      'created_from=2026-11-01&delivered_from=2026-11-01&service_level=economy',
    'a reference of no parcel': 'reference=none',
  }
  const lines: FigureLine[] = []
  for (const [what, query] of Object.entries(filters))
    lines.push(
      await service.during(`a list: ${what}`, () => send(service, 'GET', `/v1/shipments?limit=100&${query}`)),
    )
  return lines
}

async function measureStore(
  { folder, full }: Homes,
  size: number,
  measure: (service: WatchedService) => Promise<FigureLine[] | FigureTable>,
): Promise<FigureTable> {
  const home = join(folder, `blocks-${size}`)
  const report = join(folder, 'longest-block.json')
  cpSync(full, home, { recursive: true })
  const store = join(home, STORE)
  copyParcels(store, size)
  const { stdout } = await runChild(dray(home, 'sandbox', 'account', 'token', 'everything', '--json'))
  const { token } = JSON.parse(stdout) as { token: string }
  const child = dray(home, 'serve', '--port', '0', '--json', '--quiet')
  const service = await startService({
    ...child,
    args: ['--require', WATCH, ...child.args],
    env: { BENCH_BLOCKS: report },
  })
  const longest = async (): Promise<Longest> => {
    rmSync(report, { force: true })
    process.kill(service.pid, 'SIGUSR2')
    while (!existsSync(report)) await waitMilliseconds(5)
    return JSON.parse(readFileSync(report, 'utf8')) as Longest
  }
  try {
    const measured = await measure({
      url: service.url,
      token,
      control: readFileSync(`${store}.control`, 'utf8').trim(),
      home,
      store,
      longestTurn: async () => (await longest()).processor,
      async during(what, work) {
        await waitMilliseconds(200)
        await longest()
        const started = performance.now()
        await work()
        const whole = performance.now() - started
        const { milliseconds, processor, memory } = await longest()
        return { what, cells: [processor, milliseconds, whole, memory].map((each) => each.toFixed(0)) }
      },
    })
    if (!Array.isArray(measured)) return measured
    return {
      title: `The longest turn of the event loop of a service over ${count(size)} parcels, ms`,
      heads: ['processor', 'clock', 'whole call', 'memory, MB'],
      lines: measured,
    }
  } finally {
    await service.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Copies the ten thousand parcels, until there are `size`. */
function copyParcels(store: string, size: number): void {
  const db = new DatabaseSync(store)
  const own: Record<string, string> = {
    tracking_number: `tracking_number || '-' || i`,
    seq: 'seq + i * 100000000',
    ordinal: 'ordinal + i * 100000000',
    reference: `reference || '-' || i`,
  }
  const columns = db
    .prepare('select * from shipments')
    .columns()
    .map(({ name }) => name)
  db.exec(`pragma synchronous = off; begin;
    insert into shipments (${columns.join(', ')})
    with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${size / 10_000 - 1})
    select ${columns.map((column) => own[column] ?? column).join(', ')} from numbers cross join shipments
    where ${size} > 10000;
    commit; pragma wal_checkpoint(truncate)`)
  db.close()
}

let keys = 0

async function send(
  { url, token }: ServiceAddress,
  method: string,
  path: string,
  body?: string,
): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(body !== undefined && { 'idempotency-key': `blocks-${(keys += 1)}` }),
    },
    ...(body !== undefined && { body }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

async function control(
  service: WatchedService,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const isSnapshot = body instanceof ArrayBuffer
  const answer = await fetch(`${service.url}/sandbox${path}`, {
    method,
    headers: {
      authorization: `Bearer ${service.control}`,
      'content-type': isSnapshot ? 'application/x-ndjson' : 'application/json',
    },
    ...(body !== undefined && { body: isSnapshot ? body : JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

async function placeOrders(service: WatchedService): Promise<void> {
  await quoteMany(service, service.store)
  await measureLoad({
    url: service.url,
    connections: CONNECTIONS,
    seconds: 1,
    request: placeRequests(service),
  })
}

async function readLittle({ url, token }: WatchedService): Promise<void> {
  const line = `GET /v1/me/membership HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const bytes = Buffer.from(line)
  await measureLoad({ url, connections: CONNECTIONS, seconds: 5, request: () => bytes })
}

function exportAll(service: WatchedService): Promise<void> {
  return readPages(service, `/v1/shipments?limit=${PAGE}`)
}

async function readPages(service: WatchedService, list: string): Promise<void> {
  let cursor = ''
  do {
    const page = (await send(service, 'GET', `${list}${cursor}`)) as { next_cursor: string | null }
    cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`
  } while (cursor !== '')
}
