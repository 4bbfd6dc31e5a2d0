/** The list of an agreement's parcels: every filter, and every pair of them, is a walk along an index. */
import type { ServiceLevelCode } from '../domain/carrier.ts'
import type { ShipmentStatus } from '../domain/shipment-states.ts'
import type { Tx, Value } from './db.ts'
import { SELECT, type ShipmentRecord, toShipment } from './shipments.ts'

/** Spans are half-open, in milliseconds. */
export type ShipmentFilters = {
  /** Only these statuses and levels; both are listed in full where only the other is asked for. */
  kinds?: { statuses: readonly ShipmentStatus[]; levels: readonly ServiceLevelCode[] } | undefined
  reference?: string | undefined
  batch_id?: string | undefined
  created_from?: number | undefined
  created_to?: number | undefined
  delivered_from?: number | undefined
  delivered_to?: number | undefined
}

export type ListPosition = { created_at: number; seq: number }

/** `scannedTo` is set where the scan ended before the page was full: the next page goes on below it. */
export type ListedShipments = { rows: ShipmentRecord[]; scannedTo: ListPosition | undefined }

type Page = { after: ListPosition | undefined; limit: number }

/** The most index entries that one page looks through: a few milliseconds, however many parcels there are. */
const SCAN = 20_000

const EVER = Number.MAX_SAFE_INTEGER

/** What the index of delivered parcels holds: entries that do not fit are passed over without their rows. */
const DELIVERY_COLUMNS = 'seq, created_at, delivered_at, service_level'

const NEWEST_FIRST = 'order by created_at desc, seq desc'

/**
 * Returns an agreement's parcels, newest first, after a position. Status, level and creation are found by walks of one
 * index; the other filters look through at most `scan` entries of theirs.
 */
export async function listShipments(
  tx: Tx,
  agreementId: string,
  filters: ShipmentFilters,
  after: ListPosition | undefined,
  limit: number,
  scan = SCAN,
): Promise<ListedShipments> {
  const { reference, batch_id, delivered_from, delivered_to } = filters
  const isScanned = [reference, batch_id, delivered_from, delivered_to].some((value) => value !== undefined)
  if (!isScanned) {
    return { rows: await walkKinds(tx, agreementId, filters, { after, limit }), scannedTo: undefined }
  }
  const bounded = await boundByDelivery(tx, agreementId, filters, scan)
  if (bounded === undefined) return { rows: [], scannedTo: undefined }
  return scanRows(tx, agreementId, bounded, { after, limit, scan })
}

/** One walk for each status and level, all in one statement, so that a parcel that moves on meanwhile is met once. */
async function walkKinds(
  tx: Tx,
  agreementId: string,
  filters: ShipmentFilters,
  { after, limit }: Page,
): Promise<ShipmentRecord[]> {
  const { statuses, levels } = filters.kinds ?? { statuses: [undefined], levels: [undefined] }
  const params: Value[] = []
  const walks = [...new Set<ShipmentStatus | undefined>(statuses)].flatMap((status) =>
    levels.map((level) => {
      const where = makeWhere(params)
      addCreation(where, agreementId, filters, after)
      where.and('status = ?', status)
      where.and('service_level = ?', level)
      return `${SELECT} where ${where.text()} ${NEWEST_FIRST} limit $${params.push(limit)}`
    }),
  )
  const [only = ''] = walks
  const union = walks.map((walk, index) => `select * from (${walk}) as walk_${index}`).join(' union all ')
  const sql = walks.length === 1 ? only : `${union} ${NEWEST_FIRST} limit $${params.push(limit)}`
  return (await tx.all(sql, ...params)).map(toShipment)
}

/** The rows that fit among the next entries of the index of a reference, of a batch or of what was delivered. */
async function scanRows(
  tx: Tx,
  agreementId: string,
  filters: ShipmentFilters,
  { after, limit, scan }: Page & { scan: number },
): Promise<ListedShipments> {
  const { kinds, reference, batch_id, delivered_from, delivered_to } = filters
  const params: Value[] = []
  const where = makeWhere(params)
  addCreation(where, agreementId, filters, after)
  if (reference !== undefined) where.and('reference = ?', reference)
  else if (batch_id !== undefined) where.and('batch_id = ?', batch_id)
  else where.and('delivered_at is not null')
  const isByDelivery = reference === undefined && batch_id === undefined
  const entries = `from shipments where ${where.text()} ${NEWEST_FIRST}`
  const entryParams = params.slice()
  const fits = makeWhere(params)
  fits.and('1 = 1')
  if (reference !== undefined) fits.and('batch_id = ?', batch_id)
  fits.and('delivered_at >= ?', delivered_from)
  fits.and('delivered_at < ?', delivered_to)
  fits.oneOf('service_level', kinds?.levels)
  if (!isByDelivery) fits.oneOf('status', kinds?.statuses)
  const rows = await tx.all(
    `${SELECT} where seq in (select seq from (
       select ${isByDelivery ? DELIVERY_COLUMNS : '*'} ${entries} limit $${params.push(scan)}
     ) as entries where ${fits.text()} ${NEWEST_FIRST} limit $${params.push(limit)}) ${NEWEST_FIRST}`,
    ...params,
  )
  const found = rows.map(toShipment)
  if (found.length === limit) return { rows: found, scannedTo: undefined }
  const last = await tx.get(
    `select created_at, seq ${entries} limit 1 offset $${entryParams.push(scan - 1)}`,
    ...entryParams,
  )
  return {
    rows: found,
    scannedTo: last && { created_at: Number(last['created_at']), seq: Number(last['seq']) },
  }
}

/**
 * Narrows the span of creation to that of the parcels which were delivered in the span asked for; undefined when there
 * are none. A span with more than `scan` of them stays as it is: its pages are full.
 */
async function boundByDelivery(
  tx: Tx,
  agreementId: string,
  filters: ShipmentFilters,
  scan: number,
): Promise<ShipmentFilters | undefined> {
  const { delivered_from, delivered_to = EVER, created_from = 0, created_to = EVER, kinds } = filters
  if (delivered_from === undefined && filters.delivered_to === undefined) return filters
  if (kinds?.statuses.includes('delivered') === false) return undefined
  const row = await tx.get(
    `select count(*) as count, min(created_at) as first, max(created_at) as last from (
       select created_at from shipments where agreement_id = $1 and delivered_at >= $2 and delivered_at < $3
       order by delivered_at limit $4) as delivered`,
    agreementId,
    delivered_from ?? 0,
    delivered_to,
    scan + 1,
  )
  const count = Number(row?.['count'])
  if (count === 0) return undefined
  // No parcel is delivered before it is created.
  if (count > scan) return { ...filters, created_to: Math.min(created_to, delivered_to) }
  return {
    ...filters,
    created_from: Math.max(created_from, Number(row?.['first'])),
    created_to: Math.min(created_to, Number(row?.['last']) + 1),
  }
}

type Where = {
  /** Adds a condition unless its value is undefined. */
  and(condition: string, ...values: (Value | undefined)[]): void
  /** Adds that a column has one of the values, unless there is no list. */
  oneOf(column: string, values: readonly Value[] | undefined): void
  text(): string
}

/** Conditions of one statement; their values are added to its parameters. */
function makeWhere(params: Value[]): Where {
  const conditions: string[] = []
  return {
    and(condition, ...values) {
      if (values.includes(undefined)) return
      const given = values as Value[]
      let next = 0
      conditions.push(condition.replaceAll('?', () => `$${params.push(given[next++] ?? null)}`))
    },
    oneOf(column, values) {
      if (values === undefined) return
      conditions.push(`${column} in (${values.map((value) => `$${params.push(value)}`).join(', ')})`)
    },
    text: () => conditions.join(' and '),
  }
}

/** What every walk and every scan begins with: whose parcels, and from where to where in the order of creation. */
function addCreation(
  where: Where,
  agreementId: string,
  { created_from, created_to }: ShipmentFilters,
  after: ListPosition | undefined,
): void {
  where.and('agreement_id = ?', agreementId)
  where.and('created_at >= ?', created_from)
  // A later page starts below the end of the span anyway; a second upper bound would be the one an index takes.
  where.and('created_at < ?', after === undefined ? created_to : undefined)
  where.and('(created_at, seq) < (?, ?)', after?.created_at, after?.seq)
}
