import type { Tx, SqlValue } from '../../../core/db.ts'
import type { BoundingBox } from '../../../core/geometry.ts'
import type { WorkingTime } from '../../../core/slots.ts'
import { bandOf, contains, boxConditions, pointColumns, toE6, joinSearchWords } from '../../../db/nearby.ts'
import { defineRow, defineTable } from '../../../db/table.ts'
import type { ServiceOffer, Travel } from '../rules.ts'
import type { ServiceCategory } from '../states.ts'

/** The fields of a provider that are not searchable columns. */
export type ProviderDoc = {
  categories: ServiceCategory[]
  services: ServiceOffer[]
  rating_count: number
  languages: string[]
  verified: boolean
  /** E.164; only shown masked. */
  phone: string
  photo_url: string | null
  travel: Travel
  tax_rate_bps: number
}

export type ProviderRecord = {
  provider_id: string
  seq: number
  name: string
  /** The folded name, categories and services, for searches. */
  search_text: string
  location: { latitude: number; longitude: number }
  /** The local working hours, and the dates off. */
  time: WorkingTime
  rating_tenths: number | null
  doc: ProviderDoc
}

/** The fields of an offer that a search needs. Amounts in minor units. */
export type OfferSummary = {
  service_code: string
  /** The price of the usual duration with the callout fee, without travel. */
  price: number
  default_duration_minutes: number
  buffer_minutes: number
}

/** The fields of a provider that a search reads in a box. */
export type ProviderCandidate = {
  provider_id: string
  seq: number
  location: { latitude: number; longitude: number }
  radius_m: number
  rating_tenths: number
  time: WorkingTime
  offers: OfferSummary[]
}

export type ProviderFilters = {
  category?: ServiceCategory | undefined
  service_code?: string | undefined
  /** Folded; a part of the provider's search text. */
  q?: string | undefined
}

const toTime = defineRow<WorkingTime>({ week: 'text', timezone: 'text', daysOff: ['text', 'days_off'] })

/** The columns by which a search finds and sorts providers. */
type SearchColumns =
  | 'band'
  | 'latitude_e6'
  | 'longitude_e6'
  | 'timezone'
  | 'week'
  | 'days_off'
  | 'radius_m'
  | 'categories'
  | 'offers'

/** A provider with the summaries of its offers for searches. */
type NewProvider = ProviderRecord & { offers: readonly OfferSummary[] }

const PROVIDERS = defineTable<ProviderRecord, SearchColumns, NewProvider>({
  name: 'providers',
  key: 'provider_id',
  columns: {
    provider_id: 'text',
    seq: 'integer',
    name: 'text',
    search_text: 'text',
    location: pointColumns(),
    time: { from: toTime },
    band: ({ location }) => bandOf(location.latitude),
    latitude_e6: ({ location }) => toE6(location.latitude),
    longitude_e6: ({ location }) => toE6(location.longitude),
    timezone: ({ time }) => time.timezone,
    week: ({ time }) => time.week,
    days_off: ({ time }) => time.daysOff,
    radius_m: ({ doc }) => doc.travel.radius_m,
    // 0 without any rating.
    rating_tenths: {
      from: (row) => (row['rating_tenths'] === 0 ? null : Number(row['rating_tenths'])),
      to: ({ rating_tenths }) => rating_tenths ?? 0,
    },
    categories: ({ doc }) => joinSearchWords(doc.categories),
    offers: ({ offers }) => packOffers(offers),
    doc: 'json',
  },
  readsAll: true,
})

const toCandidate = defineRow<Omit<ProviderCandidate, 'offers'> & { offers: string }>({
  provider_id: 'text',
  seq: 'integer',
  location: pointColumns(),
  radius_m: 'integer',
  rating_tenths: 'integer',
  time: { from: toTime },
  offers: 'text',
})

/** Writes providers with the summaries of their offers. */
export async function insertProviders(tx: Tx, providers: readonly NewProvider[]): Promise<void> {
  await PROVIDERS.insert(tx, providers)
}

export async function findProvider(tx: Tx, providerId: string): Promise<ProviderRecord | undefined> {
  return PROVIDERS.find(tx, providerId)
}

/** Returns the first providers of the market. */
export async function listProviders(tx: Tx, limit: number): Promise<ProviderRecord[]> {
  return PROVIDERS.list(tx, 'order by seq limit $1', limit)
}

/** Returns the providers with these numbers, in the order of the numbers. */
export async function listProvidersBySeq(tx: Tx, seqs: readonly number[]): Promise<ProviderRecord[]> {
  return PROVIDERS.listBySeq(tx, seqs)
}

/** Returns the providers in a box, unsorted. */
export async function listProviderCandidates(
  tx: Tx,
  box: BoundingBox,
  { category, service_code, q }: ProviderFilters,
): Promise<ProviderCandidate[]> {
  const values: SqlValue[] = []
  const place = (value: SqlValue): string => `$${values.push(value)}`
  const conditions = boxConditions('p', box, place)
  if (category !== undefined) conditions.push(contains('p.categories', place(` ${category} `)))
  if (service_code !== undefined) conditions.push(contains('p.offers', place(` ${service_code}:`)))
  if (q !== undefined) conditions.push(contains('p.search_text', place(q)))
  const rows = await tx.all(
    `select p.provider_id, p.seq, p.latitude_e6, p.longitude_e6, p.timezone, p.week, p.days_off, p.radius_m,
       p.rating_tenths, p.offers from providers p where ${conditions.join(' and ')}`,
    ...values,
  )
  // Many providers have equal offers: each packed text is parsed once.
  const known = new Map<string, OfferSummary[]>()
  const offersOf = (packed: string): OfferSummary[] => {
    const offers = known.get(packed) ?? unpackOffers(packed)
    known.set(packed, offers)
    return offers
  }
  return rows.map(toCandidate).map((candidate) => ({ ...candidate, offers: offersOf(candidate.offers) }))
}

function packOffers(offers: readonly OfferSummary[]): string {
  return joinSearchWords(
    offers.map((offer) =>
      [offer.service_code, offer.price, offer.default_duration_minutes, offer.buffer_minutes].join(':'),
    ),
  )
}

function unpackOffers(packed: string): OfferSummary[] {
  return packed
    .trim()
    .split(' ')
    .map((word) => {
      const [service_code = '', price, duration, buffer] = word.split(':')
      return {
        service_code,
        price: Number(price),
        default_duration_minutes: Number(duration),
        buffer_minutes: Number(buffer),
      }
    })
}
