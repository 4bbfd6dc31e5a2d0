/**
 * Fills a store with copies of a few rows that the program itself made: parcels, orders and rides of two years, and
 * stores and providers around London. The same SQL fills both engines.
 */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { generateTrackingNumbers } from '../src/areas/carrier/rules/tracking-number.ts'
import { BAND_E6 } from '../src/db/nearby.ts'

/** The parcels whose numbers are valid, so that calls can name them. */
const NAMED = 200
const MAX_FILLED_ROWS = 1_000_000
const YEARS_MS = 2 * 365 * 86_400_000
/** The sequence numbers of copies come after those of the program's own rows. */
export const SEQ = 1_000_000_000
const TABLES = [
  'accounts', 'carrier_agreements', 'merchants', 'categories', 'catalog_items', 'providers', 'quotes', 'shipments',
  'shipment_events', 'orders', 'payments', 'ledger', 'rides', 'timeline', 'events', 'idempotency',
] as const // oxfmt-ignore

type Row = Record<string, unknown>
type Filler = { all(sql: string): Promise<Row[]>; close(): Promise<void> }

/** Opens a store for SQL that no constraint checks. */
export async function openFiller(store: string): Promise<Filler> {
  if (!store.startsWith('postgres:')) {
    const db = new DatabaseSync(store, { enableForeignKeyConstraints: false, timeout: 5000 })
    db.exec('pragma synchronous = off; pragma cache_size = -400000; pragma temp_store = file')
    return {
      all: (sql) => Promise.resolve(db.prepare(sql).all() as Row[]),
      close: () => Promise.resolve(db.close()),
    }
  }
  const client = new pg.Client({ connectionString: store })
  await client.connect()
  await client.query(`set session_replication_role = replica; set maintenance_work_mem = '256MB'`)
  return { all: async (sql) => (await client.query(sql)).rows as Row[], close: () => client.end() }
}

/** Fills a store with so many parcels, and at most a million of everything else. */
export async function fillWorld(store: string, size: number): Promise<void> {
  const filler = await openFiller(store)
  const { all } = filler
  const isPostgres = store.startsWith('postgres:')
  // A log of the whole store would take as much of the disk again.
  if (!isPostgres) for (const mode of ['delete', 'memory']) await all(`pragma journal_mode = ${mode}`)
  // An index is made in one sort after its table is full, in the order of the migrations.
  const indexes = await listIndexes(all, isPostgres)
  for (const { name } of indexes) await all(`drop index ${String(name)}`)
  for (const copy of await listCopies(all, size, Math.min(size, MAX_FILLED_ROWS)))
    await fillTable(all, await columnsOf(all, isPostgres, copy[0]), copy)
  for (const table of ['shipments', 'orders', 'rides']) await all(`delete from ${table} where seq < ${SEQ}`)
  for (const { sql } of indexes) await all(String(sql))
  await nameParcels(all, size)
  await all(isPostgres ? 'vacuum analyze' : 'pragma journal_mode = wal')
  await filler.close()
}

function listIndexes(all: Filler['all'], isPostgres: boolean): Promise<Row[]> {
  const tables = TABLES.map((table) => `'${table}'`).join(', ')
  return all(
    isPostgres
      ? `select indexname as name, indexdef as sql from pg_indexes i where schemaname = 'public' and tablename in (${tables})
         and not exists (select 1 from pg_constraint where conname = i.indexname)
         order by (select oid from pg_class where relname = i.indexname)`
      : `select name, sql from sqlite_schema where type = 'index' and sql is not null and tbl_name in (${tables}) order by rowid`,
  )
}

async function fillTable(
  all: Filler['all'],
  columns: readonly string[],
  [table, own, source, count]: Copy,
): Promise<void> {
  await all('drop table if exists pattern')
  await all(`create temp table pattern as ${source}`)
  await all('create unique index pattern_by_rank on pattern (life, rank)')
  const [sums] = await all('select sum(1 - life) as old, sum(life) as young from pattern')
  const [old, young] = [Number(sums?.['old']), Number(sums?.['young'])]
  // Three of a hundred are under way, the newest ones.
  const edge = young === 0 ? count : Math.floor(count * 0.97)
  const copy = async (life: 0 | 1, from: number, to: number, rows: number): Promise<void> => {
    if (to < from) return
    await all(
      `insert into ${table} (${columns.join(', ')})
       with recursive n (i) as (select cast(${from} as bigint) union all select i + 1 from n where i < ${to})
       select ${columns.map((column) => own[column] ?? `t.${column}`).join(', ')}
       from n join pattern t on t.life = ${life} and t.rank = n.i % ${rows}`,
    )
  }
  await copy(0, 1, edge, old)
  await copy(1, edge + 1, count, young)
}

/** Gives valid numbers to some parcels of the caller. */
async function nameParcels(all: Filler['all'], size: number): Promise<void> {
  await all('begin')
  for (const [at, number] of generateTrackingNumbers(900_000, NAMED).numbers.entries()) {
    const old = parcel(String(Math.round((size / NAMED) * (at + 1)) - 7))
    for (const table of ['shipment_events', 'shipments'])
      await all(`update ${table} set tracking_number = '${number}' where tracking_number = ${old}`)
    await all(`update timeline set resource_id = '${number}' where resource_id = ${old}`)
  }
  await all('commit')
}

async function columnsOf(all: Filler['all'], isPostgres: boolean, table: string): Promise<string[]> {
  const rows = await all(
    isPostgres
      ? `select column_name as name from information_schema.columns where table_name = '${table}' and table_schema = 'public'`
      : `select name from pragma_table_info('${table}')`,
  )
  return rows.map(({ name }) => String(name))
}

/** SQL for an id of 26 digits after its prefix. */
function id(prefix: string, i = 'n.i'): string {
  return `'${prefix}_0000000000' || (1000000000000000 + ${i})`
}

function parcel(i: string): string {
  return `'ZX' || (1000000000 + ${i}) || 'GB'`
}

type Copy = [table: string, own: Record<string, string>, source: string, count: number]

async function listCopies(all: Filler['all'], size: number, few: number): Promise<Copy[]> {
  const [me = {}] = await all(
    `select a.account_id, a.carrier_agreement_id, m.merchant_id, w.clock_service as now from accounts a
     join merchants m on m.agreement_id = a.business_agreement_id, world w where a.handle = 'everything'`,
  )
  const now = Number(me['now'])
  const customers = Math.max(10, few / 100)
  const time = (count: number): string =>
    `cast(${now - YEARS_MS} + n.i * ${YEARS_MS / 1000} / ${count / 1000} as bigint)`
  const ranked = (select: string, life = '0', order = 'seq'): string =>
    `select s.*, ${life} as life, row_number() over (partition by ${life} order by ${order}) - 1 as rank from (${select}) s`
  const where = (count: number, kilometres2: number): Record<string, string> => {
    const side = Math.sqrt(count / kilometres2) / 111.195
    const at = (middle: number, span: number, step: number): string =>
      `(${Math.round((middle - span / 2) * 1e6)} + (n.i * ${step}) % ${Math.max(1, Math.round(span * 1e6))})`
    const latitude = at(51.5129, side, Math.round(side * 754_877))
    return {
      band: `${latitude} / ${BAND_E6}`,
      latitude_e6: latitude,
      longitude_e6: at(-0.0823, side / 0.6224, Math.round((side / 0.6224) * 569_840)),
    }
  }
  // The caller has two of twenty orders and rides, and one order with the caller's own store.
  const customer = `case when n.i % 20 in (1, 3) then '${String(me['account_id'])}' else ${id('cus', `n.i * 7919 % ${customers} + 1`)} end`
  const seq = `${SEQ} + n.i`
  const spread = { created_at: time(few), updated_at: `${time(few)} + t.updated_at - t.created_at` }
  const isLive = `case when status in ('placed', 'accepted', 'preparing', 'ready') then 1 else 0 end`
  const isMoving = `case when status in ('delivered', 'returned', 'lost', 'cancelled') then 0 else 1 end`
  const moved = `case when s.status in ('delivered', 'returned', 'lost', 'cancelled') then 0 else 1 end`
  const created = time(size)
  return [
    ['accounts', { account_id: id('cus'), seq, handle: `'customer' || n.i`, carrier_agreement_id: 'null', business_agreement_id: 'null' },
      ranked(`select * from accounts where handle = 'member'`), customers],
    ['carrier_agreements', { agreement_id: id('agr') }, ranked('select * from carrier_agreements', '0', 'agreement_id'), 100],
    ['merchants', { merchant_id: id('mer'), seq, name: `t.name || ' ' || n.i`, search_text: `t.search_text || ' ' || n.i`, ...where(few, 25) },
      ranked('select * from merchants where agreement_id is null'), few],
    ['categories', { category_id: id('cat'), merchant_id: id('mer') },
      ranked('select * from categories', '0', 'category_id'), few],
    ['catalog_items', { item_id: id('itm'), seq, merchant_id: id('mer'), category_id: id('cat'), external_ref: 'null', barcode: 'null' },
      ranked('select * from catalog_items where deleted_at is null'), few],
    ['providers', { provider_id: id('prv'), seq, name: `t.name || ' ' || n.i`, ...where(few, 2) }, ranked('select * from providers'), few],
    ['shipments', {
      tracking_number: parcel('n.i'), seq, ordinal: seq,
      agreement_id: `case when n.i % 10 < 6 then '${String(me['carrier_agreement_id'])}' else ${id('agr', 'n.i % 100 + 1')} end`,
      reference: `case when t.status = 'cancelled' then 'AGAIN-' || (n.i % 100) when n.i % 20 = 0 then null else 'REF-' || n.i end`,
      batch_id: `case when n.i % 3 = 0 then null else 'batch-' || (n.i / 500) end`,
      created_at: created, updated_at: `${created} + t.updated_at - t.created_at`, delivered_at: `${created} + t.delivered_at - t.created_at`,
    }, ranked('select * from shipments', isMoving), size],
    ['shipment_events', { tracking_number: parcel('n.i'), occurred_at: created },
      ranked('select e.*, s.status as kind, s.seq from shipment_events e join shipments s on s.tracking_number = e.tracking_number where e.sequence = 1', `case when kind in ('delivered', 'returned', 'lost', 'cancelled') then 0 else 1 end`), size],
    ['timeline', { seq, resource_id: parcel(`${Math.floor(size * 0.97)} + n.i`), due_at: `t.due_at + n.i % 1000` },
      ranked(`select l.* from timeline l join shipments s on s.tracking_number = l.resource_id where ${moved} = 1`), Math.floor(size * 0.03)],
    ['events', { seq, event_id: id('evt'), occurred_at: time(few) }, ranked(`select * from events where type like 'shipment.%'`), few],
    ['quotes', { quote_id: id('quo'), account_id: customer, used_by: id('ord'), created_at: time(few), expires_at: `${time(few)} + 600000` },
      ranked(`select * from quotes where kind = 'food' and used_by is not null`, '0', 'quote_id'), few],
    ['quotes', { quote_id: id('quo', `${SEQ} + n.i`), account_id: customer, used_by: id('rid'), created_at: time(few), expires_at: `${time(few)} + 600000` },
      ranked(`select * from quotes where kind = 'ride' and used_by is not null`, '0', 'quote_id'), few],
    ['orders', {
      order_id: id('ord'), seq, ordinal: seq, account_id: customer,
      merchant_id: `case when n.i % 20 in (2, 3) then '${String(me['merchant_id'])}' else ${id('mer', `n.i * 7919 % ${few} + 1`)} end`,
      quote_id: id('quo'), status: `case when t.status = 'rejected' and n.i % 10 < 8 then 'completed' else t.status end`, fulfillment_type: `case n.i % 4 when 0 then 'dine_in' else t.fulfillment_type end`, display_number: `'N' || n.i`, delivery_id: 'null', check_id: 'null', ...spread,
    }, ranked('select * from orders', isLive), few],
    ['payments', { resource_id: id('ord'), payment_id: id('pay'), account_id: customer, created_at: time(few) },
      ranked(`select p.*, o.seq from payments p join orders o on o.order_id = p.resource_id where p.status in ('paid', 'unpaid')`, `case when status = 'unpaid' then 1 else 0 end`), few],
    [
      'payments',
      { resource_id: id('rid'), payment_id: id('pay', `${SEQ} + n.i`), account_id: customer, created_at: time(few) },
      ranked(`select p.*, r.seq from payments p join rides r on r.ride_id = p.resource_id where p.status in ('paid', 'unpaid')`),
      few,
    ],
['ledger', { seq, transaction_id: id('txn'), resource_id: id('ord'), at: time(few) }, ranked(`select * from ledger where resource_id like 'ord_%'`), few],
    ['rides', { ride_id: id('rid'), seq, ordinal: seq, account_id: customer, quote_id: id('quo', `${SEQ} + n.i`), ...spread },
      ranked(`select * from rides where status in ('completed', 'cancelled', 'no_drivers_available')`), few],
    ['idempotency', { idempotency_key: `'old-' || n.i`, completed_at: `${now} - n.i % 80000000` },
      ranked(`select * from idempotency where operation = 'create_shipment'`, '0', 'idempotency_key'), Math.floor(few / 10)],
  ] // oxfmt-ignore
}

/** The names that the calls of the measurement use. */
export type MeasuredIds = Record<'numbers' | 'orders' | 'rides' | 'stores' | 'providers', string[]> &
  Record<'item' | 'merchant', string>

export async function readMeasuredIds(store: string, size: number): Promise<MeasuredIds> {
  const { all, close } = await openFiller(store)
  const [me = {}] = await all(
    `select a.account_id, a.carrier_agreement_id, i.item_id, m.merchant_id from accounts a
     join merchants m on m.agreement_id = a.business_agreement_id join catalog_items i on i.merchant_id = m.merchant_id
     where a.handle = 'everything' and i.name like '%Focaccia%' and i.deleted_at is null`,
  )
  /** Finds rows by their keys alone: SQLite would rather look through all rows of an owner. */
  const known = async (
    table: string,
    key: string,
    ids: readonly string[],
    owner = "'none'",
  ): Promise<Row[]> =>
    all(
      `select ${key} as id, ${owner} as owner from ${table} where ${key} in (${ids.map((each) => `'${each}'`).join(', ')})`,
    )
  const few = Math.min(size, MAX_FILLED_ROWS)
  const copies = (prefix: string, rest: number): string[] =>
    Array.from({ length: NAMED }, (_, at) => {
      const i = Math.floor(((few / NAMED) * at) / 20) * 20 + rest
      return `${prefix}_0000000000${1_000_000_000_000_000 + i}`
    })
  const idsOf = (rows: readonly Row[], owner?: unknown): string[] =>
    rows.filter((row) => owner === undefined || row['owner'] === owner).map((row) => String(row['id']))
  const { numbers } = generateTrackingNumbers(900_000, NAMED)
  const names: MeasuredIds = {
    numbers: idsOf(
      await known('shipments', 'tracking_number', numbers, 'agreement_id'),
      me['carrier_agreement_id'],
    ),
    orders: idsOf(await known('orders', 'order_id', copies('ord', 3), 'account_id'), me['account_id']),
    rides: idsOf(await known('rides', 'ride_id', copies('rid', 1), 'account_id'), me['account_id']),
    stores: idsOf(await known('merchants', 'merchant_id', copies('mer', 1))),
    providers: idsOf(await known('providers', 'provider_id', copies('prv', 1))),
    item: String(me['item_id']),
    merchant: String(me['merchant_id']),
  }
  await close()
  return names
}
