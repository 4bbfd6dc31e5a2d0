import type { Row, Tx, Value } from '../../../core/db.ts'
import type { Box } from '../../../core/geometry.ts'
import type { WorkingTime } from '../../../core/slots.ts'
import { bandOf, contains, isWithin, toE6, toWords } from '../../../store/nearby.ts'
import type { ServiceOffer, Travel } from '../rules.ts'
import type { ServiceCategory } from '../states.ts'

/** What a provider holds beyond its searchable columns. */
export type ProviderDoc = {
  categories: ServiceCategory[]
  services: ServiceOffer[]
  rating_count: number
  languages: string[]
  verified: boolean
  /** E.164; shown masked only. */
  phone: string
  photo_url: string | null
  travel: Travel
  tax_rate_bps: number
  cancellation_policy: string
}

export type ProviderRecord = {
  provider_id: string
  seq: number
  name: string
  /** Folded: its name, categories and services, what it is found by. */
  search_text: string
  location: { latitude: number; longitude: number }
  /** The local hours in which it works, and the dates on which it does not. */
  time: WorkingTime
  rating_tenths: number | null
  doc: ProviderDoc
}

/** What a search needs of an offer. Amounts in minor units. */
export type OfferSummary = {
  service_code: string
  /** Of its usual duration, called out, without travel. */
  price: number
  default_duration_minutes: number
  buffer_minutes: number
}

/** What a search decides by, of a provider in its box. */
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
  /** Folded: part of the provider's search text. */
  q?: string | undefined
}

const COLUMNS = [
  'provider_id',
  'seq',
  'name',
  'search_text',
  'band',
  'latitude_e6',
  'longitude_e6',
  'timezone',
  'week',
  'days_off',
  'radius_m',
  'rating_tenths',
  'categories',
  'offers',
  'doc',
] as const

const SELECT = `select ${COLUMNS.join(', ')} from providers`

/** With the offers as a search weighs them. */
export async function insertProviders(
  tx: Tx,
  providers: readonly (ProviderRecord & { offers: readonly OfferSummary[] })[],
): Promise<void> {
  await tx.insertMany(
    'providers',
    COLUMNS,
    providers.map(({ location, time, doc, ...provider }) => [
      provider.provider_id,
      provider.seq,
      provider.name,
      provider.search_text,
      bandOf(location.latitude),
      toE6(location.latitude),
      toE6(location.longitude),
      time.timezone,
      time.week,
      time.daysOff,
      doc.travel.radius_m,
      provider.rating_tenths ?? 0,
      toWords(doc.categories),
      packOffers(provider.offers),
      JSON.stringify(doc),
    ]),
  )
}

export async function findProvider(tx: Tx, providerId: string): Promise<ProviderRecord | undefined> {
  const row = await tx.get(`${SELECT} where provider_id = $1`, providerId)
  return row && toProvider(row)
}

/** The providers with these numbers, in the order of the numbers given. */
export async function listProvidersBySeq(tx: Tx, seqs: readonly number[]): Promise<ProviderRecord[]> {
  if (seqs.length === 0) return []
  const places = seqs.map((_, index) => `$${index + 1}`).join(', ')
  const rows = await tx.all(`${SELECT} where seq in (${places})`, ...seqs)
  const bySeq = new Map(rows.map((row) => [Number(row['seq']), row]))
  return seqs.flatMap((seq) => {
    const row = bySeq.get(seq)
    return row === undefined ? [] : [toProvider(row)]
  })
}

/** The providers in a box, in no order. */
export async function listProviderCandidates(
  tx: Tx,
  box: Box,
  { category, service_code, q }: ProviderFilters,
): Promise<ProviderCandidate[]> {
  const values: Value[] = []
  const place = (value: Value): string => `$${values.push(value)}`
  const conditions = isWithin('p', box, place)
  if (category !== undefined) conditions.push(contains('p.categories', place(` ${category} `)))
  if (service_code !== undefined) conditions.push(contains('p.offers', place(` ${service_code}:`)))
  if (q !== undefined) conditions.push(contains('p.search_text', place(q)))
  const rows = await tx.all(
    `select p.provider_id, p.seq, p.latitude_e6, p.longitude_e6, p.timezone, p.week, p.days_off, p.radius_m,
       p.rating_tenths, p.offers from providers p where ${conditions.join(' and ')}`,
    ...values,
  )
  // Many offer the same; then what was read of it is read once.
  const known = new Map<string, OfferSummary[]>()
  const offersOf = (packed: string): OfferSummary[] => {
    const offers = known.get(packed) ?? unpackOffers(packed)
    known.set(packed, offers)
    return offers
  }
  return rows.map((row) => ({
    provider_id: String(row['provider_id']),
    seq: Number(row['seq']),
    location: toLocation(row),
    radius_m: Number(row['radius_m']),
    rating_tenths: Number(row['rating_tenths']),
    time: toTime(row),
    offers: offersOf(String(row['offers'])),
  }))
}

function packOffers(offers: readonly OfferSummary[]): string {
  return toWords(
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

function toLocation(row: Row): ProviderRecord['location'] {
  return { latitude: Number(row['latitude_e6']) / 1e6, longitude: Number(row['longitude_e6']) / 1e6 }
}

function toTime(row: Row): WorkingTime {
  return {
    week: String(row['week']),
    timezone: String(row['timezone']),
    daysOff: String(row['days_off']),
  }
}

function toProvider(row: Row): ProviderRecord {
  const rating = Number(row['rating_tenths'])
  return {
    provider_id: String(row['provider_id']),
    seq: Number(row['seq']),
    name: String(row['name']),
    search_text: String(row['search_text']),
    location: toLocation(row),
    time: toTime(row),
    rating_tenths: rating === 0 ? null : rating,
    doc: JSON.parse(String(row['doc'])) as ProviderDoc,
  }
}
