/** The lines of invoices: written once, when a charge is due, and never changed. */
import type { Tx } from '../../../core/db.ts'
import type { SqlValue } from '../../../core/db.ts'
import type { TimeRange } from '../../../core/period.ts'
import type { Slice } from '../../../core/slice.ts'
import { nextSeq } from '../../../db/counters.ts'
import { makeWhere, CUSTOM_PLAN_COMMENT, type Where } from '../../../db/lists.ts'
import { defineRow, defineTable } from '../../../db/table.ts'
import { readIntegerColumn } from '../../../db/values.ts'
import { type InvoiceCharge, type ChargeSum, listCharges } from '../rules/invoice.ts'
import { listShipmentsAfter, type ShipmentRecord } from './shipments.ts'

type LineRecord = InvoiceCharge & {
  /** Its place in the order of the store, by which later lines are told from earlier ones. */
  seq: number
} & Pick<ShipmentRecord, 'agreement_id' | 'tracking_number' | 'customer'>

/** A line with what an invoice shows of its parcel. */
export type InvoiceLine = Omit<LineRecord, 'agreement_id'> &
  Pick<ShipmentRecord, 'reference' | 'service_level'>

/** The lines that an invoice is made of. */
export type InvoicePart = TimeRange & {
  /** The last line that was written before the invoice began to be read. */
  until: number
  /** The customer that the parcels must be for; empty for parcels without one. */
  customer?: string | undefined
}

const LINE = {
  seq: 'integer',
  at: 'integer',
  kind: 'text',
  tracking_number: 'text',
  customer: 'text or null',
  subtotal: 'integer',
  net: 'integer',
  vat_bps: 'integer',
  vat: 'integer',
} as const

const LINES = defineTable<LineRecord>({
  name: 'invoice_lines',
  key: 'seq',
  columns: { ...LINE, agreement_id: 'text' },
})

const toLine = defineRow<InvoiceLine>({ ...LINE, reference: 'text or null', service_level: 'text' })

const toSum = defineRow<ChargeSum>({
  kind: 'text',
  vat_bps: 'integer',
  lines: 'integer',
  net: 'integer',
  vat: 'integer',
})

/** Writes charges of parcels at a service time. They get their places in this order. */
export async function insertInvoiceCharges(
  tx: Tx,
  at: number,
  charges: readonly (readonly [parcel: ShipmentRecord, charge: InvoiceCharge])[],
): Promise<void> {
  if (charges.length === 0) return
  const first = await nextSeq(tx, at, charges.length)
  await LINES.insert(
    tx,
    charges.map(([{ agreement_id, tracking_number, customer }, charge], index) => ({
      ...charge,
      seq: first + index,
      agreement_id,
      tracking_number,
      customer,
    })),
  )
}

/** The parcels of an older store that are read at once. */
const FILLED = 1000

/** Completes the migration that made the table: writes the charges of all parcels. */
export async function fillInvoiceLines(tx: Tx, now: number): Promise<void> {
  for (let after = 0; ;) {
    const parcels = await listShipmentsAfter(tx, after, FILLED)
    const last = parcels.at(-1)
    if (last === undefined) return
    await insertInvoiceCharges(
      tx,
      now,
      parcels.flatMap((parcel) => listCharges(parcel).map((charge) => [parcel, charge] as const)),
    )
    after = last.seq
  }
}

/** Returns the place of the last line that was written in this store; 0 where there is none. */
export async function lastInvoiceLine(tx: Tx): Promise<number> {
  const row = await tx.get('select seq from invoice_lines order by seq desc limit 1')
  return row === undefined ? 0 : readIntegerColumn(row, 'seq')
}

/** Returns the lines of a part after a position, oldest first. */
export async function listInvoiceLines(
  tx: Tx,
  agreementId: string,
  part: InvoicePart,
  { after, limit }: Slice<{ at: number; seq: number }>,
): Promise<InvoiceLine[]> {
  const params: SqlValue[] = []
  const where = wherePart(params, agreementId, part)
  where.and('(at, seq) > (?, ?)', after?.at, after?.seq)
  const rows = await tx.all(
    `select l.seq, l.at, l.kind, l.tracking_number, l.customer, l.subtotal, l.net, l.vat_bps, l.vat,
       s.reference, s.service_level
     from (select * from invoice_lines where ${where.text()} order by at, seq limit ${limit}) as l
     join shipments s on s.tracking_number = l.tracking_number order by l.at, l.seq ${CUSTOM_PLAN_COMMENT}`,
    ...params,
  )
  return rows.map(toLine)
}

/** Returns the sums of a part by kind and VAT rate; they are read from the index alone. */
export async function sumInvoiceLines(tx: Tx, agreementId: string, part: InvoicePart): Promise<ChargeSum[]> {
  const params: SqlValue[] = []
  const where = wherePart(params, agreementId, part)
  const sum = (column: string): string => `cast(sum(${column}) as bigint) as ${column}`
  const rows = await tx.all(
    `select kind, vat_bps, count(*) as lines, ${sum('net')}, ${sum('vat')} from invoice_lines
     where ${where.text()} group by kind, vat_bps ${CUSTOM_PLAN_COMMENT}`,
    ...params,
  )
  return rows.map(toSum)
}

function wherePart(
  params: SqlValue[],
  agreementId: string,
  { from, to, until, customer }: InvoicePart,
): Where {
  const where = makeWhere(params)
  where.and('agreement_id = ?', agreementId)
  where.and('at >= ?', from)
  where.and('at < ?', to)
  where.and('seq <= ?', until)
  if (customer === '') where.and('customer is null')
  else where.and('customer = ?', customer)
  return where
}
