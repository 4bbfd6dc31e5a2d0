/**
 * Finds the providers who come to a point, best first, with the first start of each. Reads only as many as a page
 * needs.
 */
import type { Tx } from '../../core/db.ts'
import { boxesAround, haversineMetres, type Point } from '../../core/geometry.ts'
import {
  countCells,
  listOpenSlotStarts,
  type Grid,
  LEAD_MS,
  makeSlotCalendar,
  type SlotCalendar,
  type WorkingTime,
} from '../../core/slots.ts'
import { localDate } from '../../core/time.ts'
import { LOOK_AHEAD_DAYS } from './lifecycle/slots.ts'
import { listBookedCells } from './queries/booked-cells.ts'
import { listProviderCandidates, type ProviderCandidate } from './queries/providers.ts'
import type { ServiceCategory } from './states.ts'
import { isAvailableNow } from './views.ts'

export const PROVIDER_SORTS = ['distance', 'rating', 'price', 'soonest'] as const

export type ProviderWish = {
  point: Point
  category: ServiceCategory | undefined
  service_code: string | undefined
  /** Only providers with an open start on this local date. */
  date: string | undefined
  /** On this many dates from that one on; 1 without it. */
  days?: number
  /** Also those without an open start on the dates. */
  booked_too?: boolean
  duration_minutes: number | undefined
  available_now: boolean
  /** Folded text of the search. */
  q: string | undefined
  sort: (typeof PROVIDER_SORTS)[number]
}

/**
 * `keys` sort the results: the rank of the chosen order, then the distance, then the order in which providers joined.
 */
export type FoundProvider = {
  seq: number
  keys: readonly number[]
  /** The first start from now on. */
  nextAt: number | undefined
  /** The first start on the dates asked about; `nextAt` where none are. */
  start: number | undefined
}

/** The largest radius of any provider. */
const MAX_PROVIDER_RADIUS_M = 20_000
/** The number of providers that bookings are read for at once. */
const CHUNK = 100
/** Sorts after every instant, and is an exact number in JSON. */
const NEVER = Number.MAX_SAFE_INTEGER

/** Returns the first providers that match and come after the keys of the page before. */
export async function findProviders(
  tx: Tx,
  now: number,
  wish: ProviderWish,
  { after, limit }: { after: readonly number[] | undefined; limit: number },
): Promise<FoundProvider[]> {
  const search = { tx, now, wish, calendar: makeSlotCalendar(), today: makeToday(now) }
  let found: FoundProvider[] = []
  // By distance, small circles come first and often hold enough providers; any other order needs the whole circle.
  for (const share of wish.sort === 'distance' ? [8, 4, 2, 1] : [1]) {
    const ranked = await rankWithin(search, MAX_PROVIDER_RADIUS_M / share)
    found = await findProviderPage(search, ranked, { after, limit })
    if (found.length >= limit) break
  }
  return found
}

type Search = {
  tx: Tx
  now: number
  wish: ProviderWish
  calendar: SlotCalendar
  /** The date in a time zone, computed once for each. */
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

/** A candidate with its keys. With `soonest` the first key is the earliest start without any bookings. */
type RankedProvider = { candidate: ProviderCandidate; cells: number; keys: number[] }

async function rankWithin(search: Search, metres: number): Promise<RankedProvider[]> {
  const { tx, wish } = search
  const ranked: RankedProvider[] = []
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

/** Returns the first sort key; smaller comes first. */
function rank(search: Search, candidate: ProviderCandidate, cells: number): number {
  switch (search.wish.sort) {
    case 'distance':
      return 0
    case 'rating':
      return -candidate.rating_tenths
    case 'price':
      return Math.min(...offersFor(candidate, search.wish).map(({ price }) => price))
    case 'soonest':
      return firstStart(search, candidate, { cells, taken: new Set(), date: search.wish.date }) ?? NEVER
  }
}

async function findProviderPage(
  search: Search,
  ranked: readonly RankedProvider[],
  { after, limit }: { after: readonly number[] | undefined; limit: number },
): Promise<FoundProvider[]> {
  const { sort } = search.wish
  // Bookings only delay a start: one with an earliest start after the last of the page is not on it.
  const isBehind = (keys: readonly number[]) => after === undefined || compare(keys, after) > 0
  const candidates = sort === 'soonest' ? ranked : ranked.filter(({ keys }) => isBehind(keys))
  let found: FoundProvider[] = []
  for (let start = 0; start < candidates.length; start += CHUNK) {
    const chunk = candidates.slice(start, start + CHUNK)
    const last = found[limit - 1]
    if (last !== undefined && compare(chunk[0]?.keys ?? [], last.keys) > 0) break
    const open = (await findFreeProviders(search, chunk)).filter(({ keys }) => isBehind(keys))
    found = [...found, ...open].toSorted((a, b) => compare(a.keys, b.keys)).slice(0, limit)
  }
  return found
}

/** Returns those of a chunk that are free as requested, each with its first start. */
async function findFreeProviders(search: Search, chunk: readonly RankedProvider[]): Promise<FoundProvider[]> {
  const { tx, now, wish } = search
  const known = chunk
    .flatMap(({ candidate: { time } }) => [gridOf(search, time, undefined), gridOf(search, time, wish.date)])
    .flatMap(({ span }) => span ?? [])
  const taken = await listBookedCells(
    tx,
    chunk.map(({ candidate }) => candidate.provider_id),
    {
      from: Math.min(...known.map(({ starts_at }) => starts_at)),
      to: Math.max(...known.map(({ ends_at }) => ends_at)),
    },
    { ways: true },
  )
  return chunk.flatMap(({ candidate, cells, keys: [first = 0, ...keys] }) => {
    const own = taken(candidate.provider_id)
    const nextAt = firstStart(search, candidate, { cells, taken: own })
    const asked =
      wish.date === undefined ? nextAt : firstStart(search, candidate, { cells, taken: own, date: wish.date })
    if (wish.date !== undefined && asked === undefined && wish.booked_too !== true) return []
    if (wish.available_now && !isAvailableNow(nextAt, now)) return []
    const by = wish.sort === 'soonest' ? (asked ?? NEVER) : first
    return { seq: candidate.seq, keys: [by, ...keys], nextAt, start: asked }
  })
}

function firstStart(
  search: Search,
  { time }: ProviderCandidate,
  { cells, taken, date }: { cells: number; taken: ReadonlySet<number>; date?: string | undefined },
): number | undefined {
  const grid = gridOf(search, time, date)
  return listOpenSlotStarts(grid, taken, { cells, notBefore: search.now + LEAD_MS, limit: 1 })[0]
}

/** Returns the grid of half hours for the dates, else for the next two weeks. */
function gridOf(
  { calendar, today, wish: { days = 1 } }: Search,
  time: WorkingTime,
  date: string | undefined,
): Grid {
  return date === undefined
    ? calendar.grid(time, today(time.timezone), LOOK_AHEAD_DAYS)
    : calendar.grid(time, date, days)
}

/**
 * Returns the number of half hours to look for: those of the requested service, else of the shortest one. A duration
 * gets the longest buffer, so that every shown start can be booked.
 */
function cellsFor(candidate: ProviderCandidate, wish: ProviderWish): number {
  const offers = offersFor(candidate, wish)
  if (wish.duration_minutes !== undefined)
    return countCells(wish.duration_minutes, Math.max(...offers.map(({ buffer_minutes }) => buffer_minutes)))
  return Math.min(
    ...offers.map(({ default_duration_minutes, buffer_minutes }) =>
      countCells(default_duration_minutes, buffer_minutes),
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
