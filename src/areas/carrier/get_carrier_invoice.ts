import * as Type from 'typebox'
import type { Context } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { MARKET_TIMEZONE } from '../../core/market.ts'
import { defineOperation } from '../../core/operation.ts'
import type { Stretch } from '../../core/period.ts'
import { balance, closed, instant, means, named, nullable } from '../../core/schema.ts'
import { byServiceClock, startOfDay, toTimestamp } from '../../core/time.ts'
import type { ListPosition } from '../../store/lists.ts'
import { agreementOf, touchesAgreement } from './own.ts'
import { type BilledParcel, INVOICE_KINDS, type InvoiceLine, linesOf, sumInvoice } from './rules/invoice.ts'
import { serviceLevelCode } from './schema.ts'
import { listHubs } from './store/hubs.ts'
import { findTerms } from './store/rate-cards.ts'
import { listShipments, type ShipmentFilters } from './store/shipment-list.ts'
import type { ShipmentDoc } from './store/shipments.ts'

const DAY_MS = 86_400_000
/** No parcel is first scanned, and no claim decided, that long after its creation. */
const LONGEST_DAYS = 100
/** Cash of an older parcel is owed at most that long after its delivery. */
const CASH_DAYS = 10
/** The parcels that are read at once. */
const PAGE = 500

const kind = Type.Enum(INVOICE_KINDS, { meaning: 'Kind of the charge', label: 'Charge' })

const sums = {
  net: means('Amount before VAT', balance, 'Net'),
  vat: means('VAT', balance, 'VAT'),
  total: means('Amount with VAT', balance, 'Total'),
}

const carrierInvoice = named('CarrierInvoice', {
  month: Type.String({ meaning: 'Month' }),
  from: means('Start', instant),
  to: means('End, not included', instant),
  timezone: Type.String({ meaning: 'Time zone of the month (IANA)' }),
  currency: Type.String({ meaning: 'Three letters (ISO 4217)' }),
  closed: Type.Boolean({ meaning: 'True once the month is over' }),
  lines: Type.Array(
    closed({
      kind,
      at: means('Time of the charge', instant, 'Time'),
      tracking_number: Type.String({ meaning: 'Tracking number' }),
      reference: nullable('Your own reference', Type.String()),
      customer: nullable('Your customer', Type.String()),
      service_level: serviceLevelCode,
      subtotal: means('Price before surcharges', balance),
      surcharges: means('Surcharges', balance, 'Surcharges'),
      net: sums.net,
      vat_bps: Type.Integer({ meaning: 'VAT rate in basis points (2000 = 20%)' }),
      vat: sums.vat,
      total: sums.total,
    }),
    { meaning: 'Charges and credits, oldest first' },
  ),
  kinds: Type.Array(closed({ kind, lines: Type.Integer({ meaning: 'Number of lines' }), ...sums }), {
    meaning: 'Sums of the lines by kind',
    label: 'Charges',
  }),
  vat: Type.Array(
    closed({
      rate_bps: Type.Integer({ meaning: 'VAT rate in basis points (2000 = 20%)' }),
      net: sums.net,
      vat: sums.vat,
    }),
    { meaning: 'VAT by rate, without cash', label: 'VAT' },
  ),
  billed: means('Parcels, returns and claims, with VAT', balance, 'Billed'),
  due: means('Billed less the cash that is owed to you; below 0 to you', balance, 'To pay'),
})

export const getCarrierInvoice = defineOperation({
  name: 'get_carrier_invoice',
  area: 'carrier',
  toolset: 'parcel-life',
  summary: 'Get the invoice of a month',
  description:
    'One line per charge: parcels and returns when first scanned, and credits below 0 for claims and for cash collected at the door. A parcel cancelled before its first scan costs nothing; one stopped later is billed.',
  details: 'VAT is the sum of the lines. The current month is an invoice so far.',
  method: 'GET',
  path: '/v1/invoices/{month}',
  scope: 'shipments.read',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input: closed({
    month: Type.String({
      pattern: String.raw`^\d{4}-(?:0[1-9]|1[0-2])$`,
      errorMessage: 'must be a month such as 2026-11',
      description: 'Month, such as 2026-11',
    }),
  }),
  output: carrierInvoice,
  errors: [],
  brief: { long: { fields: 'month,closed,kinds,vat,billed,due' } },
  example: () => ({ month: '2026-11' }),
  cli: {
    command: 'carrier invoice',
    danger: 'read',
    positionals: ['month'],
    columns: ['month', 'closed', 'kinds', 'vat', 'billed', 'due'],
  },
  touches: touchesAgreement,
  async run(context, { month }) {
    const { tx, now } = context
    const agreementId = agreementOf(context)
    const [terms, [hub]] = [await findTerms(tx, agreementId), await listHubs(tx, agreementId)]
    const timezone = hub?.timezone ?? MARKET_TIMEZONE
    const stretch = monthOf(month, timezone)
    assertBegun(month, stretch, { now, timezone })
    const currency = terms?.card.currency ?? ''
    const lines = await readLines(context, agreementId, stretch)
    return {
      month,
      from: toTimestamp(stretch.from),
      to: toTimestamp(stretch.to),
      timezone,
      currency,
      closed: now >= stretch.to,
      lines: lines.map((line) => toAnswer(line, currency)),
      ...sumInvoice(lines, currency),
    }
  },
})

function monthOf(month: string, timezone: string): Stretch {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 })
  return {
    from: startOfDay(first.toString(), timezone),
    to: startOfDay(first.add({ months: 1 }).toString(), timezone),
  }
}

function assertBegun(
  month: string,
  { from }: Stretch,
  { now, timezone }: { now: number; timezone: string },
): void {
  if (from <= now) return
  const detail = `${month} has not begun: ${byServiceClock(now, timezone)}`
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ parameter: 'month', code: 'out_of_range', detail }],
  })
}

async function readLines(
  { tx }: Pick<Context, 'tx'>,
  agreementId: string,
  stretch: Stretch,
): Promise<InvoiceLine[]> {
  const horizon = stretch.from - LONGEST_DAYS * DAY_MS
  const lines: InvoiceLine[] = []
  const read = async (filters: ShipmentFilters): Promise<void> => {
    for (let after: ListPosition | undefined, more = true; more;) {
      const { rows, scannedTo } = await listShipments(tx, agreementId, filters, { after, limit: PAGE })
      for (const row of rows) {
        const parcel: BilledParcel = { ...row, doc: JSON.parse(row.doc) as ShipmentDoc }
        lines.push(...linesOf(parcel, stretch))
      }
      const last = rows.at(-1)
      after = scannedTo ?? last
      more = scannedTo !== undefined || rows.length === PAGE
    }
  }
  await read({ created_from: horizon, created_to: stretch.to })
  // A parcel may have been created long before the day on which it was to be delivered.
  await read({
    delivered_from: stretch.from - CASH_DAYS * DAY_MS,
    delivered_to: stretch.to,
    created_to: horizon,
  })
  return lines.toSorted((a, b) => a.at - b.at || a.parcel.seq - b.parcel.seq)
}

function toAnswer({ kind: of, at, parcel, vat_bps, ...amounts }: InvoiceLine, currency: string) {
  const { tracking_number, reference, customer, service_level } = parcel
  const money = (amount: number) => ({ amount, currency })
  return {
    kind: of,
    at: toTimestamp(at),
    tracking_number,
    reference,
    customer,
    service_level,
    subtotal: money(amounts.subtotal),
    surcharges: money(amounts.surcharges),
    net: money(amounts.net),
    vat_bps,
    vat: money(amounts.vat),
    total: money(amounts.total),
  }
}
