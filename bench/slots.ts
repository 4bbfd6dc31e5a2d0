/**
 * Measures sixty days of a provider's open starts, and searches among many providers, over HTTP, beside their own
 * statements.
 */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { getProviderAvailability } from '../src/areas/services/get_provider_availability.ts'
import { searchServiceProviders } from '../src/areas/services/search_service_providers.ts'
import type { OperationContext } from '../src/core/context.ts'
import type { Tx } from '../src/core/db.ts'
import type { Point } from '../src/core/geometry.ts'
import { addDays, toTimestamp } from '../src/core/time.ts'
import { BAND_E6 } from '../src/db/nearby.ts'
import { BASELINE_WORLD, runBaseline } from './baseline-statements.ts'
import { count, type FigureLine, median, type FigureTable } from './figures.ts'
import { measureLoad } from './load.ts'
import { dray, runChild, type BenchService, startService } from './program.ts'
import type { Homes } from './startup.ts'

const STORE = 'data/default/dray.db'
const LONDON: Point = { latitude: 51.5129, longitude: -0.0823 }
const SIZES = [100, 10_000] as const
const ROUNDS = 3
const DAYS = 60
/** The dates of one request. */
const SHOWN_DAYS = 14
const CELL_MS = 1_800_000
const DAY_MS = 86_400_000
/** The most that a search among a hundred times as many providers may cost, as a multiple. */
const BUDGET = 3

type World = {
  size: number
  home: string
  db: DatabaseSync
  service: BenchService
  token: string
  provider: string
  now: number
}

export async function measureSlots({ folder, fresh }: Homes, seconds: number): Promise<FigureTable[]> {
  const worlds: World[] = []
  try {
    for (const size of SIZES) worlds.push(await makeWorld(join(folder, `providers-${size}`), fresh, size))
    return [await slotTable(worlds, seconds), await searchTable(worlds, seconds)]
  } finally {
    for (const { service, db, home } of worlds) {
      await service.stop()
      db.close()
      rmSync(home, { recursive: true, force: true })
    }
  }
}

/** Measures the five requests that cover sixty days, counted as one. */
async function slotTable(worlds: readonly World[], seconds: number): Promise<FigureTable> {
  const lines: FigureLine[] = []
  const asked = Math.ceil(DAYS / SHOWN_DAYS)
  for (const world of worlds) {
    let at = 0
    const next = () => addDays(toTimestamp(world.now).slice(0, 10), (at++ % asked) * SHOWN_DAYS)
    const rate = (await load(world, seconds, () => slotsPath(world, next()))) / asked
    const bare =
      (await runBaseline(world.db, seconds, async (tx) => {
        await getProviderAvailability.run(contextOf(tx, world), {
          provider_id: world.provider,
          date: next(),
          days: SHOWN_DAYS,
          duration_minutes: 120,
        })
      })) / asked
    lines.push({ what: `of one of ${count(world.size)} providers`, cells: beside(rate, bare) })
  }
  return {
    title: `GET /v1/services/providers/{provider_id}/slots, ${DAYS} days half booked, ms each over one connection`,
    heads: ['dray', 'its statements', 'ratio'],
    lines,
  }
}

const SEARCHES = {
  'the nearest': {},
  'the best rated': { sort: 'rating' },
  'who has a start on a date': { date: true },
  'who is free soonest': { sort: 'soonest' },
} as const

async function searchTable(worlds: readonly World[], seconds: number): Promise<FigureTable> {
  const lines: FigureLine[] = []
  for (const [what, { date, ...rest }] of Object.entries(SEARCHES) as [
    string,
    { date?: true; sort?: 'rating' | 'soonest' },
  ][]) {
    const rates = worlds.map((): number[] => [])
    const input = (world: World) => ({
      ...LONDON,
      ...rest,
      ...(date && { date: addDays(toTimestamp(world.now).slice(0, 10), 3) }),
    })
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, world] of worlds.entries())
        rates[at]?.push(await load(world, seconds / ROUNDS, () => searchPath(input(world))))
    }
    const base = median(rates[0] ?? [])
    for (const [at, world] of worlds.entries()) {
      const rate = median(rates[at] ?? [])
      const bare = await runBaseline(world.db, seconds / ROUNDS, async (tx) => {
        await searchServiceProviders.run(contextOf(tx, world), input(world))
      })
      const ratio = base / rate
      lines.push({
        what: `${what} among ${count(world.size)}`,
        cells: [...beside(rate, bare), ratio.toFixed(2)],
        ...(at > 0 && rest.sort === undefined && { measured: ratio, budget: BUDGET }),
      })
    }
  }
  return {
    title:
      'GET /v1/services/providers, 25 of those who come to a point of London, ms each over one connection',
    heads: ['dray', 'its statements', 'ratio', `to ${count(SIZES[0])}`],
    lines,
  }
}

/** Formats the milliseconds of both, and the ratio of the first to the second. */
function beside(perSecond: number, bare: number): string[] {
  return [(1000 / perSecond).toFixed(2), (1000 / bare).toFixed(2), (bare / perSecond).toFixed(1)]
}

async function makeWorld(home: string, fresh: string, size: number): Promise<World> {
  cpSync(fresh, home, { recursive: true })
  const db = new DatabaseSync(join(home, STORE))
  db.exec('pragma synchronous = off')
  const now = Number(db.prepare('select clock_service as now from world').get()?.['now'])
  fillProviders(db, size)
  fillBookings(db, now)
  db.exec('pragma wal_checkpoint(truncate)')
  const provider = String(
    db.prepare(`select provider_id from providers where name = 'Thames Pipe & Tap'`).get()?.['provider_id'],
  )
  const { stdout } = await runChild(dray(home, 'sandbox', 'account', 'token', 'everything', '--json'))
  const { token } = JSON.parse(stdout) as { token: string }
  const service = await startService(dray(home, 'serve', '--port', '0', '--json', '--quiet'))
  return { size, home, db, service, token, provider, now }
}

/** Copies a provider of the fixture, scattered over twenty kilometres. */
function fillProviders(db: DatabaseSync, size: number): void {
  const at = (middle: number, span: number, step: number) =>
    `cast(${(middle - span / 2) * 1e6} + (i * ${step} - floor(i * ${step})) * ${span * 1e6} as integer)`
  const own: Record<string, string> = {
    provider_id: `'prv_' || format('%026d', i)`,
    seq: '1000000 + i',
    name: `'Provider ' || i`,
    band: `latitude / ${BAND_E6}`,
    latitude_e6: 'latitude',
    longitude_e6: 'longitude',
  }
  const columns = db
    .prepare('select * from providers')
    .columns()
    .map(({ name }) => name)
  db.exec(`insert into providers (${columns.join(', ')})
    with recursive numbers (i) as (select 1 union all select i + 1 from numbers where i < ${size}),
      placed as (select i, ${at(LONDON.latitude, 0.18, 0.7548776662466927)} as latitude,
        ${at(LONDON.longitude, 0.29, 0.5698402909980532)} as longitude from numbers)
    select ${columns.map((column) => own[column] ?? `p.${column}`).join(', ')} from placed
    join providers p on p.name = 'Thames Pipe & Tap'`)
}

/** Books every second half hour of two months for the measured provider, and two hours of tomorrow for all others. */
function fillBookings(db: DatabaseSync, now: number): void {
  const midnight = now - (now % DAY_MS)
  db.exec(`insert into booked_cells (provider_id, cell_start, booking_id)
    with recursive numbers (i) as (select 0 union all select i + 1 from numbers where i < ${DAYS * 48})
    select p.provider_id, ${midnight} + i * ${CELL_MS}, 'bkg_1' from numbers
    join providers p on p.name = 'Thames Pipe & Tap' where i % 12 < 6
    union all
    select p.provider_id, ${midnight} + (48 + i) * ${CELL_MS}, 'bkg_2' from numbers
    join providers p on p.name like 'Provider %' where i between 20 and 23`)
}

function slotsPath({ provider }: World, date: string): string {
  return `/v1/services/providers/${provider}/slots?date=${date}&days=${SHOWN_DAYS}&duration_minutes=120`
}

function searchPath(input: Readonly<Record<string, unknown>>): string {
  const query = Object.entries(input).map(([name, value]) => `${name}=${String(value)}`)
  return `/v1/services/providers?${query.join('&')}`
}

function load({ service, token }: World, seconds: number, path: () => string): Promise<number> {
  const rest = `HTTP/1.1\r\nHost: ${new URL(service.url).host}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const request = () => Buffer.from(`GET ${path()} ${rest}`)
  return measureLoad({ url: service.url, request, connections: 1, seconds })
}

function contextOf(tx: Tx, { now }: World): OperationContext {
  const page = { data: [], has_more: false, next_cursor: null }
  const cursor: OperationContext['cursor'] = { after: undefined, limit: 25, page: () => page }
  return { tx, world: BASELINE_WORLD, now, cursor } as unknown as OperationContext
}
