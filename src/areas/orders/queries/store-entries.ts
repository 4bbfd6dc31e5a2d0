/** The entries in the books of stores: written once, when each happens. Only the number of the closed day is set later. */
import type { Tx, SqlValue } from '../../../core/db.ts'
import type { TimeRange } from '../../../core/period.ts'
import type { Slice } from '../../../core/slice.ts'
import { nextSeq } from '../../../db/counters.ts'
import { makeWhere, CUSTOM_PLAN_COMMENT, type Where } from '../../../db/lists.ts'
import { defineRow, defineTable } from '../../../db/table.ts'
import { readIntegerColumn } from '../../../db/values.ts'
import { payableOf } from '../../payments/queries/sales.ts'
import type { EntryPart, StoreEntry } from '../rules/store-entries.ts'

type EntryRecord = Omit<StoreEntry, 'parts'> & { seq: number; closed_day: number | null }

/** The columns by which entries are summed apart, and the sums. */
const KEYS = ['kind', 'method', 'collected_by', 'reason', 'borne_by', 'is_posted'] as const
const SUMS = [
  'amount',
  'share',
  'collected',
  'goods_back',
  'fees',
  'tips',
  'platform_discount',
  'store_discount',
] as const

/** The sums of the entries that have the same keys, and their number. */
export type EntrySum = Pick<StoreEntry, (typeof KEYS)[number] | (typeof SUMS)[number]> & { entries: number }

/** The sums of a store's entries. */
export type EntrySums = { entries: EntrySum[]; parts: EntryPart[] }

const SUM = {
  kind: 'text',
  method: 'text',
  collected_by: 'text',
  reason: 'text or null',
  borne_by: 'text or null',
  is_posted: 'boolean',
  amount: 'integer',
  share: 'integer',
  collected: 'integer',
  goods_back: 'integer',
  fees: 'integer',
  tips: 'integer',
  platform_discount: 'integer',
  store_discount: 'integer',
} as const

const ENTRIES = defineTable<EntryRecord>({
  name: 'store_entries',
  key: 'seq',
  columns: {
    ...SUM,
    seq: 'integer',
    merchant_id: 'text',
    order_id: 'text',
    at: 'integer',
    refund_id: 'text or null',
    closed_day: 'integer or null',
  },
})

const PART = { kind: 'text', key: 'text', net: 'integer', vat: 'integer' } as const

const PARTS = defineTable<EntryPart & { seq: number }>({
  name: 'store_entry_parts',
  key: 'seq',
  columns: { ...PART, seq: 'integer' },
})

const toSum = defineRow<EntrySum>({ ...SUM, entries: 'integer' })
const toPart = defineRow<EntryPart>(PART)

/** Writes entries at a service time, each with the number of the closed day in which it counts, if one has it already. */
export async function insertStoreEntries(
  tx: Tx,
  at: number,
  entries: readonly (StoreEntry & { closed_day?: number | undefined })[],
): Promise<void> {
  if (entries.length === 0) return
  const first = await nextSeq(tx, at, entries.length)
  await ENTRIES.insert(
    tx,
    entries.map(({ closed_day = null, ...entry }, index) => ({ ...entry, seq: first + index, closed_day })),
  )
  const parts = entries.flatMap((entry, index) =>
    entry.parts.map((part) => ({ ...part, seq: first + index })),
  )
  if (parts.length > 0) await PARTS.insert(tx, parts)
}

/**
 * The entries of a store that are summed: those of a stretch of time, or those of it that no closed day counts yet, that the closed
 * day `countedBy` counts, or that no closed day up to `notCountedBy` counts.
 */
export type EntryFilter = TimeRange & {
  merchant_id: string
  isUnclosed?: boolean
  countedBy?: number
  notCountedBy?: number
}

/** The entries that one statement sums: about 10 ms of SQLite. */
const MAX_SUMMED = 5000

type EntryPosition = { at: number; seq: number }

/** Returns the sums of entries. No statement reads more than a fixed number of them, so that others run in between. */
export async function sumStoreEntries(tx: Tx, filter: EntryFilter): Promise<EntrySums> {
  const [entries, parts]: [Map<string, EntrySum>, Map<string, EntryPart>] = [new Map(), new Map()]
  for (let after: EntryPosition | undefined; ;) {
    const last = await findLastSummed(tx, filter, after)
    const span = { after, last }
    for (const each of await sumEntries(tx, filter, span))
      addTo(entries, KEYS.map((key) => each[key]).join(' '), each, ['entries', ...SUMS])
    for (const each of await sumParts(tx, filter, span))
      addTo(parts, `${each.kind} ${each.key}`, each, ['net', 'vat'])
    if (last === undefined) return { entries: [...entries.values()], parts: [...parts.values()] }
    after = last
  }
}

function addTo<K extends string, S extends Record<K, number>>(
  sums: Map<string, S>,
  key: string,
  each: S,
  columns: readonly K[],
): void {
  const known = sums.get(key)
  if (known === undefined) sums.set(key, each)
  else for (const column of columns) known[column] = (known[column] + each[column]) as S[K]
}

/** A part of the entries: after one position, up to and with another. */
type EntrySpan = { after: EntryPosition | undefined; last: EntryPosition | undefined }

/** Returns the last of the entries that are summed at once; undefined where fewer are left. */
async function findLastSummed(
  tx: Tx,
  filter: EntryFilter,
  after: EntryPosition | undefined,
): Promise<EntryPosition | undefined> {
  const params: SqlValue[] = []
  const where = whereEntries(params, filter, { after, last: undefined })
  const row = await tx.get(
    `select at, seq from store_entries where ${where.text()} order by at, seq limit 1 offset ${MAX_SUMMED - 1}
     ${CUSTOM_PLAN_COMMENT}`,
    ...params,
  )
  return row && { at: readIntegerColumn(row, 'at'), seq: readIntegerColumn(row, 'seq') }
}

async function sumEntries(tx: Tx, filter: EntryFilter, span: EntrySpan): Promise<EntrySum[]> {
  const params: SqlValue[] = []
  const where = whereEntries(params, filter, span)
  const keys = KEYS.join(', ')
  const rows = await tx.all(
    `select ${keys}, count(*) as entries, ${SUMS.map(sumOf).join(', ')} from store_entries
     where ${where.text()} group by ${keys} order by ${keys} ${CUSTOM_PLAN_COMMENT}`,
    ...params,
  )
  return rows.map(toSum)
}

async function sumParts(tx: Tx, filter: EntryFilter, span: EntrySpan): Promise<EntryPart[]> {
  const params: SqlValue[] = []
  const where = whereEntries(params, filter, span)
  // A cross join is made in this order by SQLite: entry by entry.
  const rows = await tx.all(
    `select p.kind, p.key, ${['net', 'vat'].map(sumOf).join(', ')}
     from (select seq from store_entries where ${where.text()}) as e cross join store_entry_parts p
     where p.seq = e.seq group by p.kind, p.key order by p.kind, p.key ${CUSTOM_PLAN_COMMENT}`,
    ...params,
  )
  return rows.map(toPart)
}

/** PostgreSQL's sum of whole numbers is a decimal. */
function sumOf(column: string): string {
  return `cast(sum(${column}) as bigint) as ${column}`
}

function whereEntries(
  params: SqlValue[],
  { merchant_id, from, to, isUnclosed = false, countedBy, notCountedBy }: EntryFilter,
  { after, last }: EntrySpan,
): Where {
  const where = makeWhere(params)
  where.and('merchant_id = ?', merchant_id)
  where.and('at >= ?', from)
  where.and('at < ?', to)
  where.and('(at, seq) > (?, ?)', after?.at, after?.seq)
  where.and('(at, seq) <= (?, ?)', last?.at, last?.seq)
  if (isUnclosed) where.and('closed_day is null')
  where.and('closed_day = ?', countedBy)
  where.and('(closed_day is null or closed_day > ?)', notCountedBy)
  return where
}

/** An entry, with the number of its order. */
export type NamedEntry = Pick<StoreEntry, 'order_id' | 'kind' | 'at' | 'amount'> & { display_number: string }

const toNamed = defineRow<NamedEntry>({
  order_id: 'text',
  display_number: 'text',
  kind: 'text',
  at: 'integer',
  amount: 'integer',
})

/** Returns entries by their time. They are those of an evening at most: late ones, after an early close. */
export async function listStoreEntries(tx: Tx, filter: EntryFilter): Promise<NamedEntry[]> {
  const params: SqlValue[] = []
  const where = whereEntries(params, filter, { after: undefined, last: undefined })
  const rows = await tx.all(
    `select e.order_id, o.display_number, e.kind, e.at, e.amount
     from (select seq, order_id, kind, at, amount from store_entries where ${where.text()}) as e
     join orders o on o.order_id = e.order_id order by e.at, e.seq ${CUSTOM_PLAN_COMMENT}`,
    ...params,
  )
  return rows.map(toNamed)
}

export const DUE_CHANGE_KINDS = [
  'sale',
  'collected_by_store',
  'refund',
  'refunded_by_store',
  'payout',
] as const

/** A change of what a store is due. One entry makes two where money was in the store's own hands. */
export type DueChange = {
  at: number
  seq: number
  /** 1 for the change by the store's part, 2 for that by money in its hands. */
  part: number
  kind: (typeof DUE_CHANGE_KINDS)[number]
  amount: number
  order_id: string | null
  display_number: string | null
  method: StoreEntry['method'] | null
  reason: string | null
  payout_id: string | null
}

const toDueChange = defineRow<DueChange>({
  at: 'integer',
  seq: 'integer',
  part: 'integer',
  kind: 'text',
  amount: 'integer',
  order_id: 'text or null',
  display_number: 'text or null',
  method: 'text or null',
  reason: 'text or null',
  payout_id: 'text or null',
})

export type DuePosition = Pick<DueChange, 'at' | 'seq' | 'part'>

/** Returns the changes of what a store is due in a stretch of time after a position, oldest first. Their sum is the whole change. */
export async function listDueChanges(
  tx: Tx,
  { merchant_id, from, to }: TimeRange & { merchant_id: string },
  { after, limit }: Slice<DuePosition>,
): Promise<DueChange[]> {
  const params: SqlValue[] = []
  const walk = (owner: readonly [column: string, value: string], more: string): string => {
    const where = makeWhere(params)
    where.and(`${owner[0]} = ?`, owner[1])
    where.and('at >= ?', from)
    where.and('at < ?', to)
    where.and('(at, seq) >= (?, ?)', after?.at, after?.seq)
    // One entry more: of the first one, the page before may have had all.
    return `where ${where.text()} and ${more} order by at, seq limit ${limit + 1}`
  }
  const part = (at: 1 | 2, amount: string, [sold, back]: readonly [string, string]): string =>
    `select at, seq, ${at} as part, case kind when 'capture' then '${sold}' else '${back}' end as kind, ${amount} as amount,
       order_id, method, reason, null as payout_id from entries where ${amount} <> 0`
  const entries = `select * from store_entries
    ${walk(['merchant_id', merchant_id], 'is_posted = 1 and (share <> 0 or collected <> 0)')}`
  const payouts = `select at, seq, 1 as part, 'payout' as kind, amount, null as order_id, null as method, null as reason,
      resource_id as payout_id from ledger ${walk(['account', payableOf(merchant_id)], `kind = 'payout'`)}`
  const rest = makeWhere(params)
  rest.and('(at, seq, part) > (?, ?, ?)', after?.at, after?.seq, after?.part)
  const rows = await tx.all(
    `with entries as (${entries}), payouts as (${payouts}), changes as (
       ${part(1, 'share', ['sale', 'refund'])}
       union all ${part(2, 'collected', ['collected_by_store', 'refunded_by_store'])}
       union all select * from payouts)
     select c.*, o.display_number
     from (select * from changes where ${rest.text()} order by at, seq, part limit ${limit}) as c
     left join orders o on o.order_id = c.order_id order by c.at, c.seq, c.part ${CUSTOM_PLAN_COMMENT}`,
    ...params,
  )
  return rows.map(toDueChange)
}

/**
 * Counts the entries of a stretch of time that no closed day counts yet in the day with this number. The caller holds the world's
 * row, which every writer of an entry needs.
 */
export async function closeStoreEntries(
  tx: Tx,
  merchantId: string,
  { number, from, to }: TimeRange & { number: number },
): Promise<void> {
  await tx.run(
    `update store_entries set closed_day = $4
     where merchant_id = $1 and closed_day is null and at >= $2 and at < $3`,
    merchantId,
    from,
    to,
    number,
  )
}

/** Returns the time of a store's first entry; undefined before any. */
export async function findFirstStoreEntry(tx: Tx, merchantId: string): Promise<number | undefined> {
  const row = await tx.get(
    'select at from store_entries where merchant_id = $1 order by at, seq limit 1',
    merchantId,
  )
  return row && readIntegerColumn(row, 'at')
}

/** Takes out the rows of an older store's entries. Returns their closed days by order, and by refund where each is one. */
export async function removeOlderEntries(tx: Tx): Promise<Map<string, number>> {
  const rows = await tx.all('select coalesce(refund_id, order_id) as id, closed_day from store_entries')
  await tx.run('delete from store_entries')
  return new Map(rows.map((row) => [String(row['id']), readIntegerColumn(row, 'closed_day')]))
}
