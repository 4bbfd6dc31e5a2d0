/** Who comes to a point, best first, with the first start of each; as much of it as a page needs. */
import type { Tx } from '../../core/db.ts'
import { boxesAround, haversineMetres, type Point } from '../../core/geometry.ts'
import {
  cellsOf,
  findOpenStarts,
  type Grid,
  LEAD_MS,
  makeSlotCalendar,
  type SlotCalendar,
  type WorkingTime,
} from '../../core/slots.ts'
import { localDate } from '../../core/time.ts'
import { LOOK_AHEAD_DAYS } from './life/slots.ts'
import type { ServiceCategory } from './states.ts'
import { listBookedCells } from './store/booked-cells.ts'
import { listProviderCandidates, type ProviderCandidate } from './store/providers.ts'
import { isAvailableNow } from './views.ts'

export const SORTS = ['distance', 'rating', 'price', 'soonest'] as const

export type ProviderWish = {
  point: Point
  category: ServiceCategory | undefined
  service_code: string | undefined
  /** Only who has an open start on this local date. */
  date: string | undefined
  duration_minutes: number | undefined
  available_now: boolean
  /** Folded. */
  q: string | undefined
  sort: (typeof SORTS)[number]
}

/** `keys`: what is wanted first, then the distance, then the order in which providers joined. */
export type FoundProvider = { seq: number; keys: readonly number[]; nextAt: number | undefined }

/** As far as any provider comes. */
const FARTHEST_M = 20_000
/** Of how many at once it is looked up when they are free. */
const CHUNK = 100
/** Sorts behind every instant, and is a number of JSON. */
const NEVER = Number.MAX_SAFE_INTEGER

/** The first so many that meet the wish and come after the keys of the page before. */
export async function findProviders(
  tx: Tx,
  now: number,
  wish: ProviderWish,
  { after, limit }: { after: readonly number[] | undefined; limit: number },
): Promise<FoundProvider[]> {
  const search = { tx, now, wish, calendar: makeSlotCalendar(), today: makeToday(now) }
  let found: FoundProvider[] = []
  // The nearest are in the smallest circle that holds enough of them; what is best may be anywhere.
  for (const share of wish.sort === 'distance' ? [8, 4, 2, 1] : [1]) {
    const ranked = await rankWithin(search, FARTHEST_M / share)
    found = await take(search, ranked, { after, limit })
    if (found.length >= limit) break
  }
  return found
}

type Search = {
  tx: Tx
  now: number
  wish: ProviderWish
  calendar: SlotCalendar
  /** The date in a zone, worked out once for each. */
  today(timezone: string): string
}

function makeToday(now: number): Search['today'] {
  const dates = new Map<string, string>()
  return (timezone) => {
    const date = dates.get(timezone) ?? localDate(now, timezone)
    dates.set(timezone, date)
    return date
  }
}

/** A candidate with its keys; the first one of `soonest` is when it could begin if nobody had booked it. */
type Ranked = { candidate: ProviderCandidate; cells: number; keys: number[] }

async function rankWithin(search: Search, metres: number): Promise<Ranked[]> {
  const { tx, wish } = search
  const ranked: Ranked[] = []
  for (const box of boxesAround(wish.point, metres)) {
    for (const candidate of await listProviderCandidates(tx, box, wish)) {
      const distance = Math.round(haversineMetres(wish.point, candidate.location))
      if (distance > Math.min(metres, candidate.radius_m)) continue
      const cells = cellsFor(candidate, wish)
      const first = rank(search, candidate, cells)
      ranked.push({ candidate, cells, keys: [first, distance, candidate.seq] })
    }
  }
  return ranked.toSorted((a, b) => compare(a.keys, b.keys))
}

/** Smaller comes first. */
function rank(search: Search, candidate: ProviderCandidate, cells: number): number {
  switch (search.wish.sort) {
    case 'distance':
      return 0
    case 'rating':
      return -candidate.rating_tenths
    case 'price':
      return Math.min(...offersFor(candidate, search.wish).map(({ price }) => price))
    case 'soonest':
      return firstStart(search, candidate, cells, new Set(), search.wish.date) ?? NEVER
  }
}

async function take(
  search: Search,
  ranked: readonly Ranked[],
  { after, limit }: { after: readonly number[] | undefined; limit: number },
): Promise<FoundProvider[]> {
  const { sort } = search.wish
  // Bookings only make a start later: whoever could not come sooner than the last of the page is not on it.
  const isBehind = (keys: readonly number[]) => after === undefined || compare(keys, after) > 0
  const candidates = sort === 'soonest' ? ranked : ranked.filter(({ keys }) => isBehind(keys))
  let found: FoundProvider[] = []
  for (let start = 0; start < candidates.length; start += CHUNK) {
    const chunk = candidates.slice(start, start + CHUNK)
    const last = found[limit - 1]
    if (last !== undefined && compare(chunk[0]?.keys ?? [], last.keys) > 0) break
    const open = (await lookUp(search, chunk)).filter(({ keys }) => isBehind(keys))
    found = [...found, ...open].toSorted((a, b) => compare(a.keys, b.keys)).slice(0, limit)
  }
  return found
}

/** Those of a chunk that are free as wished, each with its first start. */
async function lookUp(search: Search, chunk: readonly Ranked[]): Promise<FoundProvider[]> {
  const { tx, now, wish } = search
  const known = chunk
    .flatMap(({ candidate: { time } }) => [gridOf(search, time, undefined), gridOf(search, time, wish.date)])
    .flatMap(({ span }) => span ?? [])
  const taken = await listBookedCells(
    tx,
    chunk.map(({ candidate }) => candidate.provider_id),
    Math.min(...known.map(({ starts_at }) => starts_at)),
    Math.max(...known.map(({ ends_at }) => ends_at)),
    { ways: true },
  )
  return chunk.flatMap(({ candidate, cells, keys: [first = 0, ...keys] }) => {
    const own = taken(candidate.provider_id)
    const nextAt = firstStart(search, candidate, cells, own, undefined)
    const asked = wish.date === undefined ? nextAt : firstStart(search, candidate, cells, own, wish.date)
    if (wish.date !== undefined && asked === undefined) return []
    if (wish.available_now && !isAvailableNow(nextAt, now)) return []
    return { seq: candidate.seq, keys: [wish.sort === 'soonest' ? (asked ?? NEVER) : first, ...keys], nextAt }
  })
}

function firstStart(
  search: Search,
  { time }: ProviderCandidate,
  cells: number,
  taken: ReadonlySet<number>,
  date: string | undefined,
): number | undefined {
  const grid = gridOf(search, time, date)
  return findOpenStarts(grid, taken, { cells, notBefore: search.now + LEAD_MS, limit: 1 })[0]
}

/** Of a date, or of the next two weeks. */
function gridOf({ calendar, today }: Search, time: WorkingTime, date: string | undefined): Grid {
  return date === undefined
    ? calendar.grid(time, today(time.timezone), LOOK_AHEAD_DAYS)
    : calendar.grid(time, date, 1)
}

/**
 * The half hours to look for: of the service that is wished, or else of the one that takes least; of a duration with
 * the longest buffer, so that what is shown can be booked.
 */
function cellsFor(candidate: ProviderCandidate, wish: ProviderWish): number {
  const offers = offersFor(candidate, wish)
  if (wish.duration_minutes !== undefined)
    return cellsOf(wish.duration_minutes, Math.max(...offers.map(({ buffer_minutes }) => buffer_minutes)))
  return Math.min(
    ...offers.map(({ default_duration_minutes, buffer_minutes }) =>
      cellsOf(default_duration_minutes, buffer_minutes),
    ),
  )
}

function offersFor({ offers }: ProviderCandidate, { service_code: code }: ProviderWish) {
  return code === undefined ? offers : offers.filter(({ service_code }) => service_code === code)
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((key, index) => key !== b[index])
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}
