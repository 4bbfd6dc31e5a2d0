/** Finds the stores around a point, best first, and reads only as many as a page needs. */
import type { Tx } from '../../core/db.ts'
import { boxesAround, haversineMetres, type Point } from '../../core/geometry.ts'
import type { makeOpeningClock } from '../../core/opening-hours.ts'
import type { ReadyMinutes } from '../couriers/lifecycle/free.ts'
import {
  type MerchantCandidate,
  type CandidateFilters,
  findMerchantSeqsByText,
  listCandidates,
} from '../merchants/queries.ts'
import { computeDeliveryMinutes, computePrepMinutes } from '../merchants/rules.ts'

export const STORE_SORTS = ['distance', 'rating', 'eta'] as const

type Sort = (typeof STORE_SORTS)[number]

export type StoreWish = CandidateFilters & {
  point: Point
  radius_m: number
  sort: Sort
  clock: ReturnType<typeof makeOpeningClock>
  readyMinutes: ReadyMinutes
  /** True if the service has so few stores that a search may as well look at all of them. */
  isFew: boolean
  /** Folded text of the search. */
  q: string | undefined
}

/**
 * `keys` sort the results: the rank of the chosen order, then the distance, then the order in which stores were opened.
 */
export type RankedStore = { seq: number; keys: readonly number[] }

/** `scannedTo` is set when the page ended before it was full. */
export type FoundStores = { shown: RankedStore[]; scannedTo: readonly number[] | undefined }

/** Returns the first stores that match and come after the keys of the page before. */
export async function findStores(
  tx: Tx,
  wish: StoreWish,
  page: { after: readonly number[] | undefined; limit: number },
): Promise<FoundStores> {
  const search = wish.q === undefined ? undefined : makeMenuSearch(tx, wish.q)
  const shown: RankedStore[] = []
  let { after } = page
  // By distance, small circles come first and often hold enough stores; any other order needs the whole circle.
  const isWhole = wish.sort !== 'distance' || wish.isFew
  for (const share of isWhole ? [1] : [8, 4, 2, 1]) {
    const ranked = await rankWithin(tx, wish, wish.radius_m / share, after)
    const { found, last, isCut } = await findMatchingStores(ranked, page.limit - shown.length, search)
    shown.push(...found)
    after = last ?? after
    if (isCut) return { shown, scannedTo: after }
    if (shown.length >= page.limit) break
  }
  return { shown, scannedTo: undefined }
}

/** Returns the stores within so many metres that come after the keys, best first; closed ones only when wished. */
async function rankWithin(
  tx: Tx,
  wish: StoreWish,
  metres: number,
  after: readonly number[] | undefined,
): Promise<RankedStore[]> {
  const { point, radius_m, sort, clock, fulfillment_type, include_closed = false } = wish
  const ranked: RankedStore[] = []
  for (const box of boxesAround(point, metres)) {
    for (const candidate of await listCandidates(tx, box, wish)) {
      const distance = Math.round(haversineMetres(point, candidate.location))
      const reach = fulfillment_type === 'delivery' ? candidate.radius_m : radius_m
      if (distance > Math.min(metres, reach)) continue
      if (!include_closed && !clock.isOpen(candidate.week, candidate.timezone, candidate.paused_until))
        continue
      const keys = [rank(sort, candidate, point, wish), distance, candidate.seq]
      if (after === undefined || compare(keys, after) > 0) ranked.push({ seq: candidate.seq, keys })
    }
  }
  return ranked.toSorted((a, b) => compare(a.keys, b.keys))
}

/** Returns those of the stores that match the text; undefined after a page has searched the most menus allowed. */
type MenuSearch = (some: readonly RankedStore[]) => Promise<RankedStore[]> | undefined

/** The number of stores per search of menus, and the most for one page. */
const MENUS_AT_ONCE = 100
const MAX_MENUS = 1000

function makeMenuSearch(tx: Tx, q: string): MenuSearch {
  let searched = 0
  return (some) => {
    if (searched >= MAX_MENUS) return undefined
    searched += some.length
    return findMerchantSeqsByText(
      tx,
      some.map(({ seq }) => seq),
      q,
    ).then((named) => some.filter(({ seq }) => named.has(seq)))
  }
}

/** `last`: the keys of the last store that was checked. `isCut`: the page ended before it was full. */
type StorePage = { found: RankedStore[]; last: readonly number[] | undefined; isCut: boolean }

/** Returns the first stores that match, at most `wanted`. */
async function findMatchingStores(
  ranked: readonly RankedStore[],
  wanted: number,
  search: MenuSearch | undefined,
): Promise<StorePage> {
  const found: RankedStore[] = []
  let last: readonly number[] | undefined
  for (let start = 0; start < ranked.length && found.length < wanted; start += MENUS_AT_ONCE) {
    const some = ranked.slice(start, start + MENUS_AT_ONCE)
    const meant = search === undefined ? some : await search(some)
    if (meant === undefined) return { found, last, isCut: true }
    found.push(...meant.slice(0, wanted - found.length))
    last = some.at(-1)?.keys
  }
  return { found, last, isCut: false }
}

/** Returns the first sort key; smaller comes first. */
function rank(
  sort: Sort,
  candidate: MerchantCandidate,
  point: Point,
  { fulfillment_type, readyMinutes, clock }: Pick<StoreWish, 'fulfillment_type' | 'readyMinutes' | 'clock'>,
): number {
  switch (sort) {
    case 'distance':
      return 0
    case 'rating':
      return -candidate.rating_tenths
    case 'eta': {
      const prep = computePrepMinutes(candidate, clock.now)
      const delivers = candidate.radius_m > 0 && (fulfillment_type ?? 'delivery') === 'delivery'
      return delivers
        ? computeDeliveryMinutes(readyMinutes(prep), candidate.location, point).eta_min_minutes
        : prep
    }
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((key, index) => key !== b[index])
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}
