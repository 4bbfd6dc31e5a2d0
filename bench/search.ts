/**
 * Measures a search among a million stores and a menu of 500 items, over HTTP. The baselines are their own statements
 * and a smaller store.
 */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { listMenuItems } from '../src/areas/catalog/queries/catalog.ts'
import { searchRestaurants } from '../src/areas/food/search_restaurants.ts'
import { findMerchant } from '../src/areas/merchants/queries.ts'
import type { OperationContext } from '../src/core/context.ts'
import type { Tx } from '../src/core/db.ts'
import { type Point, roundPoint } from '../src/core/geometry.ts'
import { BAND_E6 } from '../src/db/nearby.ts'
import { BASELINE_WORLD, runBaseline } from './baseline-statements.ts'
import { count, type FigureLine, median, type FigureTable } from './figures.ts'
import { measureLoad } from './load.ts'
import { dray, runChild, type BenchService, startService } from './program.ts'
import type { Homes } from './startup.ts'

const NOW = Date.parse('2026-11-20T09:00:00Z')
const STORE = 'data/default/dray.db'
const LONDON: Point = { latitude: 51.5129, longitude: -0.0823 }
const PER_KM2 = 25
const RADIUS_M = 5000
const SHOWN = 25
const SIZES = [10_000, 1_000_000] as const
const ITEMS = 500
const ROUNDS = 3
/** The most that a search among a million may cost, as a multiple of one among ten thousand. */
const BUDGET = 3

type World = {
  size: number
  home: string
  db: DatabaseSync
  service: BenchService
  token: string
  menu: string
}

export async function measureSearch({ folder, fresh }: Homes, seconds: number): Promise<FigureTable[]> {
  const worlds: World[] = []
  try {
    for (const size of SIZES) worlds.push(await makeWorld(join(folder, `stores-${size}`), fresh, size))
    const lines: FigureLine[] = []
    for (const sort of ['distance', 'rating'] as const)
      lines.push(...(await measureSort(worlds, sort, seconds)))
    return [
      {
        title: `GET /v1/food/merchants, ${SHOWN} within ${RADIUS_M / 1000} km of points of London, ${PER_KM2} stores to a km², ms each over one connection`,
        heads: ['dray', 'its statements', 'ratio', `to ${count(SIZES[0])}`],
        lines,
      },
      await menuTable(worlds, seconds),
    ]
  } finally {
    for (const { service, db, home } of worlds) {
      await service.stop()
      db.close()
      rmSync(home, { recursive: true, force: true })
    }
  }
}

type Sort = 'distance' | 'rating'

async function measureSort(worlds: readonly World[], sort: Sort, seconds: number): Promise<FigureLine[]> {
  const rates = worlds.map((): number[] => [])
  // The rounds alternate, so that a busy moment slows both.
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, world] of worlds.entries())
      rates[at]?.push(await load(world, seconds, () => searchPath(nextPoint(), sort)))
  }
  const base = median(rates[0] ?? [])
  const lines: FigureLine[] = []
  for (const [at, { size, db }] of worlds.entries()) {
    const perSecond = median(rates[at] ?? [])
    const bare = await runBaseline(db, seconds, (tx) => searchIn(tx, nextPoint(), sort))
    const ratio = base / perSecond
    lines.push({
      what: `by ${sort} among ${count(size)} stores`,
      cells: [...beside(perSecond, bare), ratio.toFixed(2)],
      ...(at > 0 && { measured: ratio, budget: BUDGET }),
    })
  }
  return lines
}

/** Formats the milliseconds of both, and the ratio of the first to the second. */
function beside(perSecond: number, bare: number): string[] {
  return [(1000 / perSecond).toFixed(2), (1000 / bare).toFixed(2), (bare / perSecond).toFixed(1)]
}

async function menuTable(worlds: readonly World[], seconds: number): Promise<FigureTable> {
  const lines: FigureLine[] = []
  for (const world of worlds) {
    const perSecond = await load(world, seconds, () => `/v1/food/merchants/${world.menu}/menu`)
    const bare = await runBaseline(world.db, seconds, async (tx) => {
      await findMerchant(tx, world.menu)
      await listMenuItems(tx, world.menu)
    })
    lines.push({ what: `of one of ${count(world.size)} stores`, cells: beside(perSecond, bare) })
  }
  return {
    title: `GET /v1/food/merchants/{merchant_id}/menu of ${ITEMS} items, ms each over one connection`,
    heads: ['dray', 'its statements', 'ratio'],
    lines,
  }
}

async function makeWorld(home: string, fresh: string, size: number): Promise<World> {
  cpSync(fresh, home, { recursive: true })
  const db = new DatabaseSync(join(home, STORE))
  db.exec('pragma synchronous = off')
  fillStores(db, size)
  const menu = fillMenu(db)
  db.exec('pragma wal_checkpoint(truncate)')
  const { stdout } = await runChild(dray(home, 'sandbox', 'account', 'token', 'everything', '--json'))
  const { token } = JSON.parse(stdout) as { token: string }
  const service = await startService(dray(home, 'serve', '--port', '0', '--json', '--quiet'))
  return { size, home, db, service, token, menu }
}

/** Copies a store of the fixture that never closes to scattered points of a square around London. */
function fillStores(db: DatabaseSync, size: number): void {
  const side = Math.sqrt(size / PER_KM2) / 111.195
  const east = side / Math.cos((LONDON.latitude * Math.PI) / 180)
  // Multiples of these two numbers fill a square evenly but irregularly.
  const at = (middle: number, span: number, step: number) =>
    `cast(${(middle - span / 2) * 1e6} + (i * ${step} - floor(i * ${step})) * ${span * 1e6} as integer)`
  const own: Record<string, string> = {
    merchant_id: `'mer_' || format('%026d', i)`,
    seq: '1000000 + i',
    name: `'Store ' || i`,
    search_text: `'store ' || i`,
    band: `latitude / ${BAND_E6}`,
    latitude_e6: 'latitude',
    longitude_e6: 'longitude',
  }
  const columns = db
    .prepare('select * from merchants')
    .columns()
    .map(({ name }) => name)
  const index = db.prepare(`select sql from sqlite_schema where name = 'merchants_by_place'`).get()
  db.exec(`drop index merchants_by_place; begin;
    insert into merchants (${columns.join(', ')})
    with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${size}),
      placed as (select i, ${at(LONDON.latitude, side, 0.7548776662466927)} as latitude,
        ${at(LONDON.longitude, east, 0.5698402909980532)} as longitude from numbers)
    select ${columns.map((column) => own[column] ?? `m.${column}`).join(', ')} from placed
    join merchants m on m.name = 'Owl & Ember Burgers' and m.agreement_id is null;
    commit; ${String(index?.['sql'])}`)
}

/** Adds 500 copies of a dish with two choices of four to one store. Returns the store's id. */
function fillMenu(db: DatabaseSync): string {
  const item = db.prepare(`select item_id, merchant_id from catalog_items where name = 'Khao Soi'`).get()
  const own: Record<string, string> = {
    item_id: `'itm_' || format('%026d', i)`,
    seq: '9000000 + i',
    name: `'Item ' || i`,
    name_key: `'item ' || i`,
    external_ref: 'null',
    barcode: 'null',
    sort_order: 'i',
  }
  const columns = db
    .prepare('select * from catalog_items')
    .columns()
    .map(({ name }) => name)
  const merchant = String(item?.['merchant_id'])
  db.prepare('update catalog_items set deleted_at = updated_at where merchant_id = ? and item_id <> ?').run(
    merchant,
    String(item?.['item_id']),
  )
  db.prepare(
    `insert into catalog_items (${columns.join(', ')})
     with recursive numbers (i) as (select 2 union all select i + 1 from numbers where i < ${ITEMS})
     select ${columns.map((column) => own[column] ?? `c.${column}`).join(', ')} from numbers
     join catalog_items c on c.item_id = ?`,
  ).run(String(item?.['item_id']))
  return merchant
}

let drawn = 0

/** Returns points within two kilometres of central London, one after another. */
function nextPoint(): Point {
  drawn += 1
  const share = (step: number): number => (drawn * step) % 1
  return roundPoint({
    latitude: LONDON.latitude + (share(0.6180339887) - 0.5) * 0.036,
    longitude: LONDON.longitude + (share(0.7548776662) - 0.5) * 0.058,
  })
}

function searchPath({ latitude, longitude }: Point, sort: Sort): string {
  return `/v1/food/merchants?latitude=${latitude.toFixed(6)}&longitude=${longitude.toFixed(6)}&radius_m=${RADIUS_M}&limit=${SHOWN}&sort=${sort}`
}

function load({ service, token }: World, seconds: number, path: () => string): Promise<number> {
  const rest = `HTTP/1.1\r\nHost: ${new URL(service.url).host}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const request = () => Buffer.from(`GET ${path()} ${rest}`)
  return measureLoad({ url: service.url, request, connections: 1, seconds })
}

/** Runs the operation itself, to record its statements. */
async function searchIn(tx: Tx, point: Point, sort: Sort): Promise<void> {
  const page = { data: [], has_more: false, next_cursor: null }
  const cursor: OperationContext['cursor'] = { after: undefined, limit: SHOWN, page: () => page }
  const context = { tx, world: BASELINE_WORLD, now: NOW, cursor } as unknown as OperationContext
  await searchRestaurants.run(context, { ...point, radius_m: RADIUS_M, sort })
}
