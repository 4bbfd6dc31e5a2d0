/** The list of an agreement's parcels: every filter, and every pair of filters, reads along an index. */
import type { Tx } from '../../../core/db.ts'
import type { ListPosition, Slice } from '../../../core/slice.ts'
import {
  addCreation,
  type CreationSpan,
  FIRST_ENTRIES_FACTOR,
  scanFirstEntries,
  NEWEST_FIRST,
  scanPage,
  walkNewestFirst,
} from '../../../db/lists.ts'
import { findStoredForms } from '../../../db/old-codes.ts'
import { defineRow } from '../../../db/table.ts'
import { readIntegerColumn } from '../../../db/values.ts'
import type { ServiceLevelCode } from '../rules/rates.ts'
import type { ShipmentStatus } from '../states.ts'
import type { ShipmentRecord } from './shipments.ts'

/** Spans are half-open, in milliseconds. */
export type ShipmentFilters = CreationSpan & {
  /** Only these statuses and levels; a filter by one of them lists every value of the other. */
  kinds?: { statuses: readonly ShipmentStatus[]; levels: readonly ServiceLevelCode[] } | undefined
  reference?: string | undefined
  batch_id?: string | undefined
  /** Empty for parcels without a customer. */
  customer?: string | undefined
  delivered_from?: number | undefined
  delivered_to?: number | undefined
}

/** A parcel as a list shows it, with its document as it is stored. */
export type ListedShipment = Omit<ShipmentRecord, 'ordinal' | 'agreement_id' | 'content_hash' | 'doc'> & {
  doc: string
}

/** `scannedTo` is set when the scan ended before the page was full: the next page continues from there. */
export type ListedShipments = { rows: ListedShipment[]; scannedTo: ListPosition | undefined }

/** The filters with all forms in which the reference may be stored. */
type Filters = Omit<ShipmentFilters, 'reference'> & { references?: readonly string[] }

type Page = { after: ListPosition | undefined; limit: number }

/** The most index entries that one page reads: a few milliseconds, however many parcels there are. */
const SCAN = 20_000

/** The most rows that one page opens: each may need a read from disk. A whole manifest fits. */
const OPENED = 500

const LISTED = {
  table: 'shipments',
  select: `select tracking_number, seq, reference, customer, status, service_level, hub_id, batch_id, created_at, updated_at,
  delivered_at, doc from shipments`,
} as const

const toListed = defineRow<ListedShipment>({
  tracking_number: 'text',
  seq: 'integer',
  reference: 'text or null',
  customer: 'text or null',
  status: 'text',
  service_level: 'text',
  hub_id: 'text',
  batch_id: 'text or null',
  created_at: 'integer',
  updated_at: 'integer',
  delivered_at: 'integer or null',
  doc: 'text',
})

const toPosition = defineRow<ListPosition>({ created_at: 'integer', seq: 'integer' })

const EVER = Number.MAX_SAFE_INTEGER

/** The columns are those of the index of delivered parcels: entries that do not match are skipped without their rows. */
const BY_DELIVERY = {
  ...LISTED,
  key: 'seq',
  columns: 'seq, created_at, delivered_at, service_level',
  order: NEWEST_FIRST,
  position: ['created_at', 'seq'],
} as const

/**
 * Returns an agreement's parcels, newest first, after a position. Status, level and creation are found by walks of one
 * index; the other filters look through at most `scan` entries of theirs.
 */
export async function listAgreementShipments(
  tx: Tx,
  agreementId: string,
  given: ShipmentFilters,
  { after, limit, scan = SCAN }: Slice & { scan?: number },
): Promise<ListedShipments> {
  const { reference } = given
  const filters: Filters = {
    ...given,
    ...(reference !== undefined && {
      references: await findStoredForms(tx, 'parcel', agreementId, [reference]),
    }),
  }
  const { kinds, customer, created_from, created_to } = filters
  const page = { after, limit, scan }
  if (isByDelivery(filters)) return listDelivered(tx, agreementId, filters, page)
  // The indexes of customers omit parcels without one.
  if (isByReference(filters) || customer === '') return scanRows(tx, agreementId, filters, page)
  const any = { status: kinds?.statuses, service_level: kinds?.levels }
  const all = { agreement_id: agreementId, ...(customer !== undefined && { customer }) }
  const walk = { created_from, created_to, all, any }
  const rows = await walkNewestFirst({ all: tx.allUnsnapshotted }, LISTED, walk, { after, limit })
  return { rows: rows.map(toListed), scannedTo: undefined }
}

/** Returns whether the index to scan is one of references, batches or customers, which has none of the other columns. */
function isWhole(filters: Filters): boolean {
  return isByReference(filters) || filters.customer !== undefined
}

/** Returns whether the index of references or of batches is the one to scan. */
function isByReference({ references, batch_id }: Filters): boolean {
  return references !== undefined || batch_id !== undefined
}

/** Returns whether only delivered parcels are listed. */
function isByDelivery({ delivered_from, delivered_to }: Filters): boolean {
  return delivered_from !== undefined || delivered_to !== undefined
}

/** Returns whether the index of customers is the one to scan. */
function isOfCustomer({ customer }: Filters): boolean {
  return customer !== undefined && customer !== ''
}

async function listDelivered(
  tx: Tx,
  agreementId: string,
  filters: Filters,
  page: Page & { scan: number },
): Promise<ListedShipments> {
  const { after, limit, scan } = page
  if (filters.kinds?.statuses.includes('delivered') === false) return { rows: [], scannedTo: undefined }
  // The newest parcels, and those after the last of a page, are mostly of the span: to narrow it would cost more.
  const isDense = after !== undefined || filters.delivered_to === undefined
  if (isDense && !isWhole(filters) && limit * FIRST_ENTRIES_FACTOR <= scan) {
    const rows = await scanFirstEntries(tx, BY_DELIVERY, conditionsOf(agreementId, filters, after), limit)
    if (rows.length === limit) return { rows: rows.map(toListed), scannedTo: undefined }
  }
  const bounded = await boundByDelivery(tx, agreementId, filters, scan)
  return bounded === undefined ? { rows: [], scannedTo: undefined } : scanRows(tx, agreementId, bounded, page)
}

/** Returns the matching rows among the next entries of the index by reference, batch or delivery time. */
async function scanRows(
  tx: Tx,
  agreementId: string,
  filters: Filters,
  { after, limit, scan }: Page & { scan: number },
): Promise<ListedShipments> {
  const opens = isWhole(filters)
  const { rows, last } = await scanPage(
    tx,
    opens ? { ...BY_DELIVERY, columns: '*' } : BY_DELIVERY,
    conditionsOf(agreementId, filters, after),
    { limit, scan: opens ? Math.min(scan, OPENED) : scan },
  )
  return {
    rows: rows.map(toListed),
    scannedTo: last && toPosition(last),
  }
}

/** The entries of an index that are looked at, and those of them that fit the filters. */
function conditionsOf(
  agreementId: string,
  filters: Filters,
  after: ListPosition | undefined,
): Parameters<typeof scanPage>[2] {
  const { kinds, references, batch_id, customer, delivered_from, delivered_to } = filters
  return {
    addEntries(where) {
      where.and('agreement_id = ?', agreementId)
      addCreation(where, filters, after)
      if (references !== undefined) where.oneOf('reference', references)
      else if (batch_id !== undefined) where.and('batch_id = ?', batch_id)
      else if (isOfCustomer(filters)) where.and('customer = ?', customer)
      else if (isByDelivery(filters)) where.and('delivered_at is not null')
    },
    addFits(where) {
      if (references !== undefined) where.and('batch_id = ?', batch_id)
      if (customer === '') where.and('customer is null')
      else where.and('customer = ?', customer)
      where.and('delivered_at >= ?', delivered_from)
      where.and('delivered_at < ?', delivered_to)
      where.oneOf('service_level', kinds?.levels)
      if (!isByDelivery(filters)) where.oneOf('status', kinds?.statuses)
    },
  }
}

/**
 * Narrows the span of creation to the parcels delivered in the requested span; undefined when there are none. With more
 * than `scan` of them it keeps the span: their pages are full anyway.
 */
async function boundByDelivery(
  tx: Tx,
  agreementId: string,
  filters: Filters,
  scan: number,
): Promise<Filters | undefined> {
  const { delivered_from, delivered_to = EVER, created_from = 0, created_to = EVER } = filters
  const row = await tx.get(
    `select count(*) as count, min(created_at) as first, max(created_at) as last from (
       select created_at from shipments where agreement_id = $1 and delivered_at >= $2 and delivered_at < $3
       order by delivered_at limit $4) as delivered`,
    agreementId,
    delivered_from ?? 0,
    delivered_to,
    scan + 1,
  )
  const count = readIntegerColumn(row, 'count')
  if (count === 0) return undefined
  // No parcel is delivered before it is created.
  if (count > scan) return { ...filters, created_to: Math.min(created_to, delivered_to) }
  return {
    ...filters,
    created_from: Math.max(created_from, readIntegerColumn(row, 'first')),
    created_to: Math.min(created_to, readIntegerColumn(row, 'last') + 1),
  }
}
