import type { Address } from '../../core/address.ts'
import type { Tx, SqlValue } from '../../core/db.ts'
import type { BoundingBox } from '../../core/geometry.ts'
import type { Money } from '../../core/money.ts'
import type { DayHours, OpeningHours } from '../../core/opening-hours.ts'
import {
  bandOf,
  contains,
  boxConditions,
  pointColumns,
  snap,
  toE6,
  joinSearchWords,
} from '../../db/nearby.ts'
import { cached } from '../../db/read-cache.ts'
import { defineRow, defineTable, formatPlaceholders } from '../../db/table.ts'
import { readIntegerColumn } from '../../db/values.ts'
import type { PaymentMethod } from '../payments/rules/payment.ts'
import type { FulfillmentType, MerchantKind, StoreSettings } from './rules.ts'

/** The fields of a store that are not searchable columns. */
export type MerchantDoc = {
  description: string | null
  cuisines: string[]
  address: Address
  phone: string | null
  opening_hours: OpeningHours[]
  /** Single days with hours of their own, in order; absent before the first one. */
  dates?: DayHours[]
  fulfillment_types: FulfillmentType[]
  /** Null when the store does not deliver. */
  delivery: {
    fee: Money
    minimum_order: Money
    /** Charged instead of refusing a basket below the minimum; null rejects it. */
    small_order_fee: Money | null
    radius_m: number
  } | null
  service_fee: Money
  prep_time_minutes: number
  rating_tenths: number | null
  rating_count: number
  price_level: 1 | 2 | 3 | 4
  prices_include_tax: boolean
  /** The rate for fees, and for items without their own. */
  tax_rate_bps: number
  tax_name: string
  payment_methods: PaymentMethod[]
  /** True if the sandbox accepts and prepares its orders. */
  auto_accept: boolean
  /** The number of orders in one slot of 15 minutes. */
  slot_capacity: number
  /** Table numbers, for stores with tables. */
  tables: string[]
  /** Absent until the store changes one. */
  settings?: StoreSettings
}

export type MerchantRecord = {
  merchant_id: string
  seq: number
  /** The business agreement that owns it; null when it belongs to no account. */
  agreement_id: string | null
  name: string
  /** The folded name and cuisines, for searches. */
  search_text: string
  kind: MerchantKind
  location: { latitude: number; longitude: number }
  /** Its opening hours, packed by `core/opening-hours.ts`. */
  week: string
  timezone: string
  currency: string
  /** The end of its pause, which may be past; null without one. */
  paused_until: number | null
  /** The minutes that it needs longer than usual, until an instant; null: until it says otherwise. */
  busy_minutes: number
  busy_until: number | null
  menu_version: number
  menu_updated_at: number
  doc: MerchantDoc
}

export type CandidateFilters = {
  kind?: MerchantKind | undefined
  cuisine?: string | undefined
  fulfillment_type?: FulfillmentType | undefined
  /** Also those that take no orders now. */
  include_closed?: boolean | undefined
}

/** The fields of a store that a search reads in a box. */
export type MerchantCandidate = {
  seq: number
  location: { latitude: number; longitude: number }
  week: string
  timezone: string
  paused_until: number | null
  busy_minutes: number
  busy_until: number | null
  /** 0 when it does not deliver. */
  radius_m: number
  prep_time_minutes: number
  rating_tenths: number
}

/** The columns by which a search finds and sorts stores. */
type SearchColumns =
  | 'band'
  | 'latitude_e6'
  | 'longitude_e6'
  | 'cuisines'
  | 'fulfillment_types'
  | 'radius_m'
  | 'prep_time_minutes'
  | 'rating_tenths'

const MERCHANTS = defineTable<MerchantRecord, SearchColumns>({
  name: 'merchants',
  key: 'merchant_id',
  columns: {
    merchant_id: 'text',
    seq: 'integer',
    agreement_id: 'text or null',
    name: 'text',
    search_text: 'text',
    kind: 'text',
    location: pointColumns(),
    band: ({ location }) => bandOf(location.latitude),
    latitude_e6: ({ location }) => toE6(location.latitude),
    longitude_e6: ({ location }) => toE6(location.longitude),
    timezone: 'text',
    currency: 'text',
    week: 'text',
    paused_until: 'integer or null',
    busy_minutes: 'integer',
    busy_until: 'integer or null',
    cuisines: ({ doc }) => joinSearchWords(doc.cuisines),
    fulfillment_types: ({ doc }) => joinSearchWords(doc.fulfillment_types),
    radius_m: ({ doc }) => doc.delivery?.radius_m ?? 0,
    prep_time_minutes: ({ doc }) => doc.prep_time_minutes,
    rating_tenths: ({ doc }) => doc.rating_tenths ?? 0,
    menu_version: 'integer',
    menu_updated_at: 'integer',
    doc: 'json',
  },
  select: `select merchant_id, seq, agreement_id, name, search_text, kind, latitude_e6, longitude_e6, timezone, currency,
  week, paused_until, busy_minutes, busy_until, menu_version, menu_updated_at, doc from merchants`,
})

const toCandidate = defineRow<MerchantCandidate>({
  seq: 'integer',
  location: pointColumns(),
  week: 'text',
  timezone: 'text',
  paused_until: 'integer or null',
  busy_minutes: 'integer',
  busy_until: 'integer or null',
  radius_m: 'integer',
  prep_time_minutes: 'integer',
  rating_tenths: 'integer',
})

const toStoreName = defineRow<{ agreement_id: string; name: string }>({ agreement_id: 'text', name: 'text' })

export async function insertMerchants(tx: Tx, merchants: readonly MerchantRecord[]): Promise<void> {
  await MERCHANTS.insert(tx, merchants)
}

export async function findMerchant(tx: Tx, merchantId: string): Promise<MerchantRecord | undefined> {
  return cached(tx, { key: `merchant ${merchantId}`, tables: ['merchants'], holds: isThere }, () =>
    MERCHANTS.find(tx, merchantId),
  )
}

/** A store that does not exist is not cached: any caller may request any id. */
const isThere = (merchant: MerchantRecord | undefined): boolean => merchant !== undefined

/**
 * Finds a store and locks its row: changes of its catalogue and reservations of its slots wait until the transaction
 * ends.
 */
export async function lockMerchant(tx: Tx, merchantId: string): Promise<MerchantRecord | undefined> {
  // On SQLite no other connection writes in the meantime, so what is kept needs no lock.
  return tx.forUpdate === '' ? findMerchant(tx, merchantId) : MERCHANTS.lock(tx, merchantId)
}

/** Returns the stores of a business agreement, in the order in which they were opened. */
export async function listMerchantsOf(tx: Tx, agreementId: string): Promise<MerchantRecord[]> {
  return MERCHANTS.list(tx, 'where agreement_id = $1 order by seq', agreementId)
}

/** Returns the names of the stores of every business agreement. */
export async function listStoreNames(tx: Tx): Promise<Map<string, string[]>> {
  const rows = await tx.all(
    'select agreement_id, name from merchants where agreement_id is not null order by seq',
  )
  const grouped = Map.groupBy(rows.map(toStoreName), ({ agreement_id }) => agreement_id)
  return new Map([...grouped].map(([id, own]) => [id, own.map(({ name }) => name)]))
}

/** The fields of a store that a map shows. */
export type StoreSpot = Pick<MerchantRecord, 'merchant_id' | 'name' | 'kind' | 'location'>

const toSpot = defineRow<StoreSpot>({
  merchant_id: 'text',
  name: 'text',
  kind: 'text',
  location: pointColumns(),
})

/** Returns the first stores of the market. */
export async function listStoreSpots(tx: Tx, limit: number): Promise<StoreSpot[]> {
  const rows = await tx.all(
    'select merchant_id, name, kind, latitude_e6, longitude_e6 from merchants order by seq limit $1',
    limit,
  )
  return rows.map(toSpot)
}

/** Returns the stores with these numbers, in the order of the numbers. */
export async function listMerchantsBySeq(
  tx: Tx,
  seqs: readonly number[],
): Promise<readonly MerchantRecord[]> {
  const missing: number[] = []
  let reading: Promise<Map<number, MerchantRecord>> | undefined
  const found = await Promise.all(
    seqs.map((seq) =>
      cached(tx, { key: `merchant ${seq}`, tables: ['merchants'], holds: isThere }, async () => {
        missing.push(seq)
        // One statement reads them, once all that are missing are known.
        reading ??= Promise.resolve().then(() => readBySeq(tx, missing))
        return (await reading).get(seq)
      }),
    ),
  )
  return found.filter((merchant) => merchant !== undefined)
}

async function readBySeq(tx: Tx, seqs: readonly number[]): Promise<Map<number, MerchantRecord>> {
  const merchants = await MERCHANTS.listBySeq(tx, seqs)
  return new Map(merchants.map((merchant) => [merchant.seq, merchant]))
}

/** Reading so many stores costs about as much as reading one. */
const MAX_FEW_MERCHANTS = 50

/** Returns whether the service has so few stores that a search may as well look at all of them. */
export async function hasFewMerchants(tx: Tx): Promise<boolean> {
  return cached(tx, { key: 'few merchants', tables: ['merchants'], holds: () => true }, async () => {
    const row = await tx.get(
      `select count(*) as count from (select seq from merchants limit ${MAX_FEW_MERCHANTS + 1}) as first`,
    )
    return readIntegerColumn(row, 'count') <= MAX_FEW_MERCHANTS
  })
}

/**
 * Returns the stores in a box, unsorted, and some around it, closed ones too. An index alone answers it. Searches from the same neighbourhood share the answer, until a store changes.
 */
export async function listCandidates(
  tx: Tx,
  box: BoundingBox,
  { kind, cuisine, fulfillment_type }: CandidateFilters,
): Promise<readonly MerchantCandidate[]> {
  const values: SqlValue[] = []
  const place = (value: SqlValue): string => `$${values.push(value)}`
  const conditions = boxConditions('m', snap(box), place)
  if (kind !== undefined) conditions.push(`m.kind = ${place(kind)}`)
  if (cuisine !== undefined) conditions.push(contains('m.cuisines', place(` ${cuisine} `)))
  if (fulfillment_type !== undefined)
    conditions.push(contains('m.fulfillment_types', place(` ${fulfillment_type} `)))
  const where = conditions.join(' and ')
  const key = `candidates ${JSON.stringify([where, values])}`
  return cached(tx, { key, tables: ['merchants'], holds: areFew, sizeOf: sizeOfCandidates }, async () => {
    const rows = await tx.all(
      `select m.seq, m.latitude_e6, m.longitude_e6, m.week, m.timezone, m.paused_until, m.busy_minutes, m.busy_until,
         m.radius_m, m.prep_time_minutes, m.rating_tenths
       from merchants m where ${where}`,
      ...values,
    )
    return rows.map(toCandidate)
  })
}

/** To keep more of them costs more than it saves. */
const MAX_CACHED_CANDIDATES = 500
/** In characters. */
const CANDIDATE_SIZE = 200

function areFew(candidates: readonly MerchantCandidate[]): boolean {
  return candidates.length <= MAX_CACHED_CANDIDATES
}

function sizeOfCandidates(candidates: readonly MerchantCandidate[]): number {
  return CANDIDATE_SIZE * (1 + candidates.length)
}

/** Returns those of the stores whose search text or an item's name contains a (folded) text. */
export async function findMerchantSeqsByText(
  tx: Tx,
  seqs: readonly number[],
  q: string,
): Promise<Set<number>> {
  const rows = await tx.all(
    `select m.seq from merchants m where m.seq in (${formatPlaceholders(seqs.length, 2)}) and (${contains('m.search_text', '$1')}
       or exists (select 1 from catalog_items i
         where i.merchant_id = m.merchant_id and i.deleted_at is null and ${contains('i.name_key', '$1')}))`,
    q,
    ...seqs,
  )
  return new Set(rows.map((row) => readIntegerColumn(row, 'seq')))
}

/** Writes when a store takes orders and how long it needs. */
export async function updateHours(tx: Tx, merchant: MerchantRecord): Promise<void> {
  await tx.run(
    'update merchants set week = $2, paused_until = $3, busy_minutes = $4, busy_until = $5, doc = $6 where merchant_id = $1',
    merchant.merchant_id,
    ...MERCHANTS.valuesOf(merchant, ['week', 'paused_until', 'busy_minutes', 'busy_until', 'doc']),
  )
}

/** Writes the settings of a store. */
export async function updateSettings(
  tx: Tx,
  { merchant_id, doc }: MerchantRecord,
  settings: StoreSettings,
): Promise<void> {
  await tx.run(
    'update merchants set doc = $2 where merchant_id = $1',
    merchant_id,
    JSON.stringify({ ...doc, settings }),
  )
}

/** Counts a visible change of the store's menu. */
export async function bumpMenuVersion(tx: Tx, merchantId: string, now: number): Promise<void> {
  await tx.run(
    'update merchants set menu_version = menu_version + 1, menu_updated_at = $2 where merchant_id = $1',
    merchantId,
    now,
  )
}
