/** Measures orders over HTTP and the import of a menu, each beside the same rows written by a bare loop. */
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { startPostgres } from '../test/support/postgres-server.ts'
import type { BenchTableRows } from './baseline-insert.ts'
import type { BaselineServerPlan } from './baseline-server.ts'
import type { ServiceAddress } from './calls.ts'
import { count, type FigureLine, median, formatShare, type FigureTable } from './figures.ts'
import { measureLoad } from './load.ts'
import { makeMenuCsv } from './manifests.ts'
import { type Child, dray, runChild, startService } from './program.ts'
import type { Homes } from './startup.ts'
import { readTableRows, without } from './upload.ts'

const STORE = 'data/default/dray.db'
const BARE_SERVER = join(import.meta.dirname, 'bare-server.ts')
const BARE_INSERT = join(import.meta.dirname, 'bare-insert.ts')
export const CONNECTIONS = 32
/** The number of quotes: more than are confirmed during a measurement. */
const QUOTES = 30_000
const IMPORTED = 5000
const ORDER_TABLES = ['orders', 'payments', 'ledger', 'timeline', 'events', 'idempotency']
const MENU_TABLES = ['categories', 'catalog_items', 'events', 'idempotency']

type Target = { name: string; home: string; store: string; flags: string[] }

/** Measures orders per second on both engines. */
export async function measureOrders({ folder, fresh }: Homes, seconds: number): Promise<FigureTable> {
  const postgres = await startPostgres()
  try {
    const sqlite = join(folder, 'orders-sqlite')
    cpSync(fresh, sqlite, { recursive: true })
    const store = await postgres.createDatabase()
    const targets: Target[] = [
      { name: 'SQLite', home: sqlite, store: join(sqlite, STORE), flags: [] },
      { name: 'PostgreSQL', home: join(folder, 'orders-postgres'), store, flags: ['--store', store] },
    ]
    const lines: FigureLine[] = []
    let rows: BenchTableRows | undefined
    for (const target of targets) {
      const measured = await measureTarget(folder, target, { seconds, rows })
      rows = measured.rows
      lines.push(measured.line)
    }
    return {
      title: `POST /v1/food/orders, orders a second over ${CONNECTIONS} connections`,
      heads: ['dray', 'bare node:http', 'share', 'with the same rows', 'share'],
      lines,
      notes: ['The bare server writes the rows of one order, again and again, into tables without an index.'],
    }
  } finally {
    await postgres.stop()
  }
}

/** Measures one engine. `rows` are those of one order, if they are known already. */
async function measureTarget(
  folder: string,
  { name, home, store, flags }: Target,
  { seconds, rows: known }: { seconds: number; rows: BenchTableRows | undefined },
): Promise<{ line: FigureLine; rows: BenchTableRows }> {
  const words = ['sandbox', 'account', 'token', 'everything', '--json', ...flags]
  const { token } = JSON.parse((await runChild(dray(home, ...words))).stdout) as { token: string }
  const service = await startService(dray(home, 'serve', '--port', '0', '--json', '--quiet', ...flags))
  try {
    const place = { url: service.url, token }
    const quoteId = await quoteMany(place, store)
    const before = known === undefined ? readTableRows(store, ORDER_TABLES) : undefined
    const placed = await post(place, '/v1/food/orders', confirm(quoteId), 'first')
    const answer = await planOf(placed)
    const rows = known ?? without(readTableRows(store, ORDER_TABLES), before ?? [])
    await makeTables(store, rows)

    const load = { connections: CONNECTIONS, seconds }
    const orders = await measureLoad({
      ...load,
      url: service.url,
      request: placeRequests(place),
    })
    const under = async (plan: BaselineServerPlan): Promise<number> => {
      const file = join(folder, 'answer.json')
      writeFileSync(file, JSON.stringify(plan))
      const floor = await startService({ args: [BARE_SERVER, file], home })
      try {
        return await measureLoad({
          ...load,
          url: floor.url,
          request: placeRequests({ url: floor.url, token }),
        })
      } finally {
        await floor.stop()
      }
    }
    const bare = await under(answer)
    const inserts = await under({ ...answer, insert: { store, rows } })
    const cells = [
      count(orders),
      count(bare),
      formatShare(orders, bare),
      count(inserts),
      formatShare(orders, inserts),
    ]
    return { line: { what: name, cells }, rows }
  } finally {
    await service.stop()
  }
}

function post({ url, token }: ServiceAddress, path: string, body: unknown, key = 'none'): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  })
}

/** Returns the id of a quote, of which the store then has as many copies as a measurement may need. */
export async function quoteMany(place: ServiceAddress, store: string): Promise<string> {
  const found = await fetch(`${place.url}/v1/business/catalog/items?q=Focaccia`, {
    headers: { authorization: `Bearer ${place.token}` },
  })
  const { data } = (await found.json()) as { data: { item_id: string; merchant_id: string }[] }
  const [bread] = data
  const quoted = await post(place, '/v1/food/orders/quote', {
    merchant_id: bread?.merchant_id,
    fulfillment_type: 'pickup',
    items: [{ item_id: bread?.item_id, quantity: 2 }],
  })
  const { quote_id } = (await quoted.json()) as { quote_id: string }
  await copyQuotes(store, quote_id)
  return quote_id
}

function confirm(quote_id: string): unknown {
  return { quote_id, payment: { method: 'card', payment_token: 'tok_ok' } }
}

/** Returns the id of a copy; all ids have the same length. */
function copyName(index: number | string): string {
  return `quo_bench${String(index).padStart(8, '0')}`
}

async function copyQuotes(store: string, quoteId: string): Promise<void> {
  const rest = 'account_id, kind, created_at, expires_at, used_by, doc from quotes'
  const into = 'insert into quotes (quote_id, account_id, kind, created_at, expires_at, used_by, doc)'
  if (store.startsWith('postgres:')) {
    const name = `'quo_bench' || lpad(i::text, 8, '0')`
    await onPostgres(store, [
      `${into} select ${name}, ${rest}, generate_series(1, ${QUOTES}) i where quote_id = '${quoteId}'`,
    ])
    return
  }
  onSqlite(store, (db) => {
    const numbers = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${QUOTES})`
    db.exec(`${into} ${numbers} select printf('quo_bench%08d', i), ${rest}, n where quote_id = '${quoteId}'`)
  })
}

/** Makes copies of the tables without constraints, so that the same rows can be inserted repeatedly. */
async function makeTables(store: string, rows: BenchTableRows): Promise<void> {
  const statements = rows.map(
    ({ table }) => `create table bench_${table} as select * from ${table} where 1 = 0`,
  )
  if (store.startsWith('postgres:')) await onPostgres(store, statements)
  else onSqlite(store, (db) => statements.forEach((statement) => db.exec(statement)))
}

async function onPostgres(store: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: store })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

function onSqlite(store: string, work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(store, { timeout: 5000 })
  work(db)
  db.close()
}

/** Returns a function that makes requests. Each confirms another quote with its own key. */
export function placeRequests({ url, token }: ServiceAddress): () => Buffer {
  let sent = 0
  return () => {
    sent += 1
    const body = JSON.stringify(confirm(copyName(sent)))
    const lines = [
      'POST /v1/food/orders HTTP/1.1',
      `Host: ${new URL(url).host}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `Idempotency-Key: ${copyName(sent)}`,
    ]
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
  }
}

async function planOf(response: Response): Promise<BaselineServerPlan> {
  const body = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${body}`)
  return { headers: { 'content-type': 'application/json' }, body }
}

/** Measures the import of a menu beside the rows that it writes. */
export async function measureImport({ folder, fresh }: Homes, rounds: number): Promise<FigureTable> {
  const scratch = join(folder, 'menu')
  const store = join(scratch, STORE)
  const menu = join(folder, 'menu.csv')
  writeFileSync(menu, makeMenuCsv(IMPORTED))
  const renew = (): void => {
    rmSync(scratch, { recursive: true, force: true })
    cpSync(fresh, scratch, { recursive: true })
  }
  const words = ['business', 'catalog', 'import', menu, '--split', '--yes', '--json', '--results', 'none']
  const command: Child = dray(scratch, ...words)
  const wholes: number[] = []
  renew()
  const before = readTableRows(store, MENU_TABLES)
  wholes.push((await runChild(command)).milliseconds)
  const rows = without(readTableRows(store, MENU_TABLES), before)
  const file = join(folder, 'menu.json')
  writeFileSync(file, JSON.stringify(rows))
  const loops: number[] = []
  for (let round = 0; round < rounds; round++) {
    renew()
    loops.push(Number((await runChild({ args: [BARE_INSERT, file, store], home: scratch })).stdout))
    renew()
    wholes.push((await runChild(command)).milliseconds)
  }
  rmSync(scratch, { recursive: true, force: true })
  const [whole, loop] = [median(wholes), median(loops)]
  return {
    title: `${count(IMPORTED)} items of a menu in batches of 500, beside their rows in one durable transaction`,
    heads: ['ms', 'of the bare loop'],
    lines: [
      {
        what: 'dray business catalog import, the whole command',
        cells: [whole.toFixed(1), (whole / loop).toFixed(1)],
      },
      { what: 'bare node:sqlite loop, opening and closing the store', cells: [loop.toFixed(1), '1.0'] },
    ],
  }
}
