import type { Address } from '../../core/address.ts'
import type { Row, Tx, Value } from '../../core/db.ts'
import type { Box } from '../../core/geometry.ts'
import type { Money } from '../../core/money.ts'
import type { OpeningHours } from '../../core/opening-hours.ts'
import { bandOf, contains, isWithin, toE6, toWords } from '../../store/nearby.ts'
import type { PaymentMethod } from '../payments/rules/payment.ts'
import type { FulfillmentType, MerchantKind } from './rules.ts'

/** What a store holds beyond its searchable columns. */
export type MerchantDoc = {
  description: string | null
  cuisines: string[]
  address: Address
  phone: string | null
  opening_hours: OpeningHours[]
  fulfillment_types: FulfillmentType[]
  /** Null where the store sends no couriers. */
  delivery: {
    fee: Money
    minimum_order: Money
    /** Charged instead of refusing a basket below the minimum; null refuses it. */
    small_order_fee: Money | null
    radius_m: number
  } | null
  service_fee: Money
  prep_time_minutes: number
  rating_tenths: number | null
  rating_count: number
  price_level: 1 | 2 | 3 | 4
  prices_include_tax: boolean
  /** Of fees, and of items that name none. */
  tax_rate_bps: number
  tax_name: string
  payment_methods: PaymentMethod[]
  /** The sandbox accepts and cooks for it. */
  auto_accept: boolean
  /** Orders for one slot of 15 minutes. */
  slot_capacity: number
  /** Table numbers, where one can eat. */
  tables: string[]
}

export type MerchantRecord = {
  merchant_id: string
  seq: number
  /** The business agreement that owns it; null where nobody of the sandbox does. */
  agreement_id: string | null
  name: string
  /** Folded: its name and cuisines, what it is found by. */
  search_text: string
  kind: MerchantKind
  location: { latitude: number; longitude: number }
  /** Its opening hours, packed by `core/opening-hours.ts`. */
  week: string
  timezone: string
  currency: string
  paused: boolean
  menu_version: number
  menu_updated_at: number
  doc: MerchantDoc
}

export type CandidateFilters = {
  kind?: MerchantKind | undefined
  cuisine?: string | undefined
  fulfillment_type?: FulfillmentType | undefined
}

/** What a search decides by, of a store in its box. */
export type Candidate = {
  seq: number
  location: { latitude: number; longitude: number }
  week: string
  timezone: string
  /** 0 where it sends no couriers. */
  radius_m: number
  prep_time_minutes: number
  rating_tenths: number
}

const COLUMNS = [
  'merchant_id',
  'seq',
  'agreement_id',
  'name',
  'search_text',
  'kind',
  'band',
  'latitude_e6',
  'longitude_e6',
  'timezone',
  'currency',
  'week',
  'paused',
  'cuisines',
  'fulfillment_types',
  'radius_m',
  'prep_time_minutes',
  'rating_tenths',
  'menu_version',
  'menu_updated_at',
  'doc',
] as const

const SELECT = `select merchant_id, seq, agreement_id, name, search_text, kind, latitude_e6, longitude_e6, timezone, currency,
  week, paused, menu_version, menu_updated_at, doc from merchants`

export async function insertMerchants(tx: Tx, merchants: readonly MerchantRecord[]): Promise<void> {
  await tx.insertMany('merchants', COLUMNS, merchants.map(toRow))
}

export async function findMerchant(tx: Tx, merchantId: string): Promise<MerchantRecord | undefined> {
  const row = await tx.get(`${SELECT} where merchant_id = $1`, merchantId)
  return row && toMerchant(row)
}

/** As `findMerchant`; whoever changes the store's catalogue or takes one of its slots waits until this transaction ends. */
export async function lockMerchant(tx: Tx, merchantId: string): Promise<MerchantRecord | undefined> {
  const row = await tx.get(`${SELECT} where merchant_id = $1 ${tx.forUpdate}`, merchantId)
  return row && toMerchant(row)
}

/** The stores of a business agreement, in the order in which they were opened. */
export async function listMerchantsOf(tx: Tx, agreementId: string): Promise<MerchantRecord[]> {
  const rows = await tx.all(`${SELECT} where agreement_id = $1 order by seq`, agreementId)
  return rows.map(toMerchant)
}

/** The names of the stores of every business agreement. */
export async function listStoreNames(tx: Tx): Promise<Map<string, string[]>> {
  const rows = await tx.all(
    'select agreement_id, name from merchants where agreement_id is not null order by seq',
  )
  const grouped = Map.groupBy(rows, (row) => String(row['agreement_id']))
  return new Map([...grouped].map(([id, own]) => [id, own.map((row) => String(row['name']))]))
}

/** The stores with these numbers, in the order of the numbers given. */
export async function listMerchantsBySeq(tx: Tx, seqs: readonly number[]): Promise<MerchantRecord[]> {
  if (seqs.length === 0) return []
  const places = seqs.map((_, index) => `$${index + 1}`).join(', ')
  const rows = await tx.all(`${SELECT} where seq in (${places})`, ...seqs)
  const bySeq = new Map(rows.map((row) => [Number(row['seq']), row]))
  return seqs.flatMap((seq) => {
    const row = bySeq.get(seq)
    return row === undefined ? [] : [toMerchant(row)]
  })
}

/** The stores in a box that are not paused, in no order, read from an index alone. */
export async function listCandidates(
  tx: Tx,
  box: Box,
  { kind, cuisine, fulfillment_type }: CandidateFilters,
): Promise<Candidate[]> {
  const values: Value[] = []
  const place = (value: Value): string => `$${values.push(value)}`
  const conditions = [...isWithin('m', box, place), 'm.paused = 0']
  if (kind !== undefined) conditions.push(`m.kind = ${place(kind)}`)
  if (cuisine !== undefined) conditions.push(contains('m.cuisines', place(` ${cuisine} `)))
  if (fulfillment_type !== undefined)
    conditions.push(contains('m.fulfillment_types', place(` ${fulfillment_type} `)))
  const rows = await tx.all(
    `select m.seq, m.latitude_e6, m.longitude_e6, m.week, m.timezone, m.radius_m, m.prep_time_minutes, m.rating_tenths
     from merchants m where ${conditions.join(' and ')}`,
    ...values,
  )
  return rows.map(toCandidate)
}

/** Those of the stores with these numbers that have a (folded) text in their search text or in the name of an item. */
export async function findNamed(tx: Tx, seqs: readonly number[], q: string): Promise<Set<number>> {
  const places = seqs.map((_, index) => `$${index + 2}`).join(', ')
  const rows = await tx.all(
    `select m.seq from merchants m where m.seq in (${places}) and (${contains('m.search_text', '$1')}
       or exists (select 1 from catalog_items i
         where i.merchant_id = m.merchant_id and i.deleted_at is null and ${contains('i.name_key', '$1')}))`,
    q,
    ...seqs,
  )
  return new Set(rows.map((row) => Number(row['seq'])))
}

/** Counts a change of what the store's menu shows. */
export async function touchMenu(tx: Tx, merchantId: string, now: number): Promise<void> {
  await tx.run(
    'update merchants set menu_version = menu_version + 1, menu_updated_at = $2 where merchant_id = $1',
    merchantId,
    now,
  )
}

function toRow(merchant: MerchantRecord): Value[] {
  const { location, doc } = merchant
  return [
    merchant.merchant_id,
    merchant.seq,
    merchant.agreement_id,
    merchant.name,
    merchant.search_text,
    merchant.kind,
    bandOf(location.latitude),
    toE6(location.latitude),
    toE6(location.longitude),
    merchant.timezone,
    merchant.currency,
    merchant.week,
    merchant.paused ? 1 : 0,
    toWords(doc.cuisines),
    toWords(doc.fulfillment_types),
    doc.delivery?.radius_m ?? 0,
    doc.prep_time_minutes,
    doc.rating_tenths ?? 0,
    merchant.menu_version,
    merchant.menu_updated_at,
    JSON.stringify(doc),
  ]
}

function toLocation(row: Row): MerchantRecord['location'] {
  return { latitude: Number(row['latitude_e6']) / 1e6, longitude: Number(row['longitude_e6']) / 1e6 }
}

function toCandidate(row: Row): Candidate {
  return {
    seq: Number(row['seq']),
    location: toLocation(row),
    week: String(row['week']),
    timezone: String(row['timezone']),
    radius_m: Number(row['radius_m']),
    prep_time_minutes: Number(row['prep_time_minutes']),
    rating_tenths: Number(row['rating_tenths']),
  }
}

function toMerchant(row: Row): MerchantRecord {
  const agreement = row['agreement_id']
  return {
    merchant_id: String(row['merchant_id']),
    seq: Number(row['seq']),
    agreement_id: typeof agreement === 'string' ? agreement : null,
    name: String(row['name']),
    search_text: String(row['search_text']),
    kind: String(row['kind']) as MerchantKind,
    location: toLocation(row),
    week: String(row['week']),
    timezone: String(row['timezone']),
    currency: String(row['currency']),
    paused: row['paused'] === 1,
    menu_version: Number(row['menu_version']),
    menu_updated_at: Number(row['menu_updated_at']),
    doc: JSON.parse(String(row['doc'])) as MerchantDoc,
  }
}
