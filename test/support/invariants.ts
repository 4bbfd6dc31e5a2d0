/**
 * Invariants of every store, after any call and any interruption. It reads the tables
 * themselves, without the code that wrote them.
 */
import { isTrackingNumber } from '../../src/areas/carrier/rules/tracking-number.ts'
import { CLAIM_EVENTS } from '../../src/areas/carrier/states.ts'
import type { Db, SqlRow, Tx } from '../../src/core/db.ts'
import { checkBookings } from './booking-invariants.ts'
import { catalogueProblems } from './catalogue-invariants.ts'
import { checkDeliveries } from './delivery-invariants.ts'
import { checkOrders } from './order-invariants.ts'
import { checkPeople } from './people-invariants.ts'
import { checkRides } from './ride-invariants.ts'
import { PARCEL_TRANSITIONS } from './state-tables.ts'
import { checkTasks } from './task-invariants.ts'
import { type Amount, changeOf, violatingRows } from './violations.ts'

/** Statuses without further events; a cancelled parcel may still be on its way back. */
const AT_REST = ['delivered', 'returned', 'lost']

type Price = {
  subtotal: Amount
  surcharges: { amount: Amount }[]
  surcharges_total: Amount
  tax: { rate_bps: number; amount: Amount }
  total: Amount
}
type Parcel = {
  number: string
  createdAt: number
  agreement: string
  reference: string | null
  status: string
  doc: { price: Price; proof_of_delivery: unknown; sequence: number; attempts: number }
}
type Scan = { sequence: number; code: string; status: string; at: number }
type Change = { seq: number; type: string; from: string | null; to: string }

/** Returns every violation as a sentence; an empty list when there is none. */
export async function checkInvariants(db: Db): Promise<string[]> {
  return db.read(async (tx) => {
    const found = [await engine(db, tx), await keys(tx), await orphans(tx), await counters(tx)].flat()
    const parcels = (await tx.all('select * from shipments order by seq')).map(toParcel)
    return [
      ...found,
      ...numbers(parcels),
      ...money(parcels),
      ...(await lives(tx, parcels)),
      ...(await catalogueProblems(tx)),
      ...(await checkOrders(tx)),
      ...(await checkDeliveries(tx)),
      ...(await checkRides(tx)),
      ...(await checkPeople(tx)),
      ...(await checkBookings(tx)),
      ...(await checkTasks(tx)),
    ]
  })
}

/**
 * The engine's own checks (docs/rules/failure-model.md#the-integrity-of-the-store-is-checked). PostgreSQL's constraints are
 * checked by the engine as they are written.
 */
async function engine(db: Db, tx: Tx): Promise<string[]> {
  if (db.kind === 'postgres') return []
  const integrity = await tx.all('pragma integrity_check')
  const foreign = await tx.all('pragma foreign_key_check')
  return [
    ...integrity.map((row) => String(row['integrity_check'])).filter((text) => text !== 'ok'),
    ...foreign.map((row) => `foreign key: ${JSON.stringify(row)}`),
  ]
}

/** A key has one answer, and no claim stays without one. */
async function keys(tx: Tx): Promise<string[]> {
  return violatingRows(tx, {
    'key with several answers': `
      select account_id, operation, idempotency_key from idempotency
      group by account_id, operation, idempotency_key having count(*) > 1`,
    'key without an answer': `
      select idempotency_key, status from idempotency where status < 200 or body = ''`,
  })
}

/** Every plan, event and picture has its resource, and every open parcel has exactly one plan. */
async function orphans(tx: Tx): Promise<string[]> {
  const atRest = AT_REST.map((status) => `'${status}'`).join(', ')
  return violatingRows(tx, {
    'scan without a parcel': `
      select e.tracking_number from shipment_events e left join shipments s on s.tracking_number = e.tracking_number
      where s.tracking_number is null`,
    'event without a parcel': `
      select e.event_id from events e left join shipments s on s.tracking_number = e.resource_id
      where e.resource_id like 'Z%' and s.tracking_number is null`,
    'plan for nothing, or for a parcel at rest': `
      select t.seq, t.resource_id, s.status from timeline t left join shipments s on s.tracking_number = t.resource_id
      where t.kind = 'shipment' and (s.tracking_number is null or (s.status in (${atRest}) and t.event <> 'claim_decided'))`,
    'parcel that will never move again': `
      select s.tracking_number, s.status from shipments s left join timeline t on t.resource_id = s.tracking_number
      where t.seq is null and s.status not in (${atRest}, 'cancelled')`,
    'two plans for one parcel': `
      select resource_id from timeline where kind = 'shipment' and event <> 'claim_decided'
      group by resource_id having count(*) > 1`,
    'picture of nothing':
      'select b.sha256 from blobs b left join media m on m.sha256 = b.sha256 where m.media_id is null',
  })
}

/** Counters are never behind what they counted, and `seq` has one order over everything. */
async function counters(tx: Tx): Promise<string[]> {
  return violatingRows(tx, {
    'seq beyond its counter': `
      select w.seq from world w where w.seq < (select coalesce(max(seq), 0) from events)
      or w.seq < (select coalesce(max(seq), 0) from shipments) or w.seq < (select coalesce(max(seq), 0) from timeline)`,
    'ordinal beyond its counter': `
      select o.last from ordinals o where o.kind = 'shipment' and o.last < (select coalesce(max(ordinal), 0) from shipments)`,
    'parcel recorded after the clock':
      'select s.tracking_number from shipments s, world w where s.created_at > w.clock_high',
  })
}

/** Numbers verify; a reference stands for one living parcel of its agreement. */
function numbers(parcels: readonly Parcel[]): string[] {
  const bad = parcels.filter(({ number }) => !isTrackingNumber(number))
  const living = parcels.filter(({ status, reference }) => status !== 'cancelled' && reference !== null)
  const byReference = Map.groupBy(living, ({ agreement, reference }) => `${agreement} ${reference}`)
  return [
    ...bad.map(({ number }) => `bad tracking number ${number}`),
    ...[...byReference]
      .filter(([, those]) => those.length > 1)
      .map(([reference, those]) => `reference ${reference} stands for ${those.length} parcels`),
  ]
}

/** Each price is the sum of its parts, in whole minor units of one currency. */
function money(parcels: readonly Parcel[]): string[] {
  return parcels
    .filter(({ doc: { price } }) => {
      const { subtotal, surcharges, surcharges_total, tax, total } = price
      const whole = [subtotal, surcharges_total, tax.amount, total].every(
        ({ amount, currency }) => Number.isSafeInteger(amount) && amount >= 0 && currency === 'GBP',
      )
      const sum = surcharges.reduce((all, { amount }) => all + amount.amount, 0)
      const adds = total.amount === subtotal.amount + surcharges_total.amount + tax.amount.amount
      return !(whole && adds && sum === surcharges_total.amount)
    })
    .map(({ number, doc }) => `price of ${number} does not add up: ${JSON.stringify(doc.price)}`)
}

/** Each parcel's history is a path of the state table, and equal in row, scans and outbox. */
async function lives(tx: Tx, parcels: readonly Parcel[]): Promise<string[]> {
  const scans = Map.groupBy(
    await tx.all('select * from shipment_events order by tracking_number, sequence'),
    (row) => String(row['tracking_number']),
  )
  const changes = Map.groupBy(await tx.all('select * from events order by seq'), (row) =>
    String(row['resource_id']),
  )
  return parcels.flatMap((parcel) => {
    // The first scan follows from the parcel; stores of older versions have a row for it, too.
    const first = { sequence: 1, code: 'label_created', status: 'pre_transit', at: parcel.createdAt }
    const later = (scans.get(parcel.number) ?? []).map(toScan).filter(({ sequence }) => sequence > 1)
    const own = [first, ...later]
    return [
      ...scanProblems(parcel, own),
      ...changeProblems(parcel, (changes.get(parcel.number) ?? []).map(toChange)),
      ...deliveryProblems(parcel, own),
    ].map((problem) => `${parcel.number}: ${problem}`)
  })
}

function scanProblems({ status, doc }: Parcel, scans: readonly Scan[]): string[] {
  const problems: string[] = []
  let last = { status: '', at: 0 }
  for (const [index, scan] of scans.entries()) {
    const which = `scan ${index + 1}`
    if (scan.sequence !== index + 1) problems.push(`${which} has the sequence ${scan.sequence}`)
    if (scan.at < last.at) problems.push(`${which} is earlier than the one before`)
    if (scan.status !== last.status && !isEdge(last.status, scan.status))
      problems.push(`${which} leads from ${last.status || 'nothing'} to ${scan.status}`)
    last = scan
  }
  if (status !== last.status) problems.push(`is ${status}, its last scan says ${last.status}`)
  if (doc.sequence !== scans.length) problems.push(`counts ${doc.sequence} scans and has ${scans.length}`)
  return problems
}

/** The events that may leave a parcel in its status. */
const NEWS = 'manifested delayed held damaged return_started address_corrected redirected'
  .split(' ')
  .concat(CLAIM_EVENTS)

function changeProblems({ status }: Parcel, changes: readonly Change[]): string[] {
  const problems: string[] = []
  let last = ''
  for (const { seq, type, from, to } of changes) {
    if ((from ?? '') !== last) problems.push(`event ${seq} starts at ${from}, not at ${last}`)
    // A cancelled parcel stays cancelled on its way back.
    if (from === to && (to === 'cancelled' || NEWS.some((word) => type === `shipment.${word}`))) continue
    if (to === last || !isEdge(last, to)) problems.push(`event ${seq} leads from ${last} to ${to}`)
    last = to
  }
  if (status !== last) problems.push(`is ${status}, its last event says ${last}`)
  return problems
}

function deliveryProblems({ status, doc }: Parcel, scans: readonly Scan[]): string[] {
  const { proof_of_delivery, attempts } = doc
  const failed = scans.filter(({ code }) => code === 'delivery_attempted').length
  return [
    ...((status === 'delivered') !== (proof_of_delivery !== null)
      ? ['delivered and its proof disagree']
      : []),
    ...(attempts > 3 || failed > 3 ? [`${attempts} attempts, ${failed} failed ones`] : []),
  ]
}

function isEdge(from: string, to: string): boolean {
  return PARCEL_TRANSITIONS[from]?.includes(to) ?? false
}

function toParcel(row: SqlRow): Parcel {
  return {
    number: String(row['tracking_number']),
    agreement: String(row['agreement_id']),
    reference: row['reference'] === null ? null : String(row['reference']),
    status: String(row['status']),
    createdAt: Number(row['created_at']),
    doc: JSON.parse(String(row['doc'])) as Parcel['doc'],
  }
}

function toScan(row: SqlRow): Scan {
  return {
    sequence: Number(row['sequence']),
    code: String(row['code']),
    status: String(row['status']),
    at: Number(row['occurred_at']),
  }
}

function toChange(row: SqlRow): Change {
  return { seq: Number(row['seq']), type: String(row['type']), ...changeOf(row) }
}
