import * as Type from 'typebox'
import type { Static } from 'typebox'
import type { OperationContext } from '../../core/context.ts'
import { AppError } from '../../core/errors.ts'
import { MARKET_TIMEZONE } from '../../core/market.ts'
import { defineOperation } from '../../core/operation.ts'
import type { TimeRange } from '../../core/period.ts'
import {
  balance,
  strictObject,
  instant,
  describeField,
  component,
  nullable,
  paginationParams,
  dateOrDateTime,
} from '../../core/schema.ts'
import { describeServiceClock, startOfDay, toInstant, toTimestamp } from '../../core/time.ts'
import { cached } from '../../db/read-cache.ts'
import { requireCarrierAgreement, CARRIER_AGREEMENT } from './access.ts'
import { listAgreementHubs } from './queries/hubs.ts'
import {
  type InvoiceLine,
  type InvoicePart,
  lastInvoiceLine,
  listInvoiceLines,
  sumInvoiceLines,
} from './queries/invoice-lines.ts'
import { findCarrierTerms } from './queries/rate-cards.ts'
import { INVOICE_KINDS, sumInvoice } from './rules/invoice.ts'
import { customerOrNone, serviceLevelCode } from './schema.ts'

const kind = Type.Enum(INVOICE_KINDS, { meaning: 'Kind of the charge', label: 'Charge' })

const sums = {
  net: describeField('Amount before VAT', balance, 'Net'),
  vat: describeField('VAT', balance, 'VAT'),
  total: describeField('Amount with VAT', balance, 'Total'),
}

const invoiceLine = strictObject({
  kind,
  at: describeField('Time of the charge', instant, 'Time'),
  tracking_number: Type.String({ meaning: 'Tracking number' }),
  reference: nullable('Your own reference', Type.String()),
  customer: nullable('Your customer', Type.String()),
  service_level: serviceLevelCode,
  subtotal: describeField('Price before surcharges', balance),
  surcharges: describeField('Surcharges', balance, 'Surcharges'),
  net: sums.net,
  vat_bps: Type.Integer({ meaning: 'VAT rate in basis points (2000 = 20%)' }),
  vat: sums.vat,
  total: sums.total,
})

const carrierInvoice = component('CarrierInvoice', {
  month: Type.String({ meaning: 'Month' }),
  from: describeField('Start', instant),
  to: describeField('End, not included', instant),
  timezone: Type.String({ meaning: 'Time zone of the month (IANA)' }),
  currency: Type.String({ meaning: 'Three letters (ISO 4217)' }),
  closed: Type.Boolean({ meaning: 'True once the month is over' }),
  customer: Type.Optional(
    nullable('Customer whose parcels alone count; null for parcels without one', Type.String()),
  ),
  kinds: Type.Array(strictObject({ kind, lines: Type.Integer({ meaning: 'Number of lines' }), ...sums }), {
    meaning: 'Sums of all lines by kind',
    label: 'Charges',
  }),
  vat: Type.Array(
    strictObject({
      rate_bps: Type.Integer({ meaning: 'VAT rate in basis points (2000 = 20%)' }),
      net: sums.net,
      vat: sums.vat,
    }),
    { meaning: 'VAT by rate, without cash', label: 'VAT' },
  ),
  billed: describeField('Parcels, returns and claims, with VAT', balance, 'Billed'),
  due: describeField('Billed less the cash that is owed to you; below 0 to you', balance, 'To pay'),
  lines: Type.Optional(
    Type.Array(invoiceLine, { meaning: 'Charges and credits of this page, oldest first' }),
  ),
  has_more: Type.Optional(Type.Boolean({ meaning: 'True if more lines follow' })),
  next_cursor: Type.Optional(nullable('Cursor for the next page; null on the last page', Type.String())),
})

const input = strictObject({
  month: Type.String({
    pattern: String.raw`^\d{4}-(?:0[1-9]|1[0-2])$`,
    errorMessage: 'must be a month such as 2026-11',
    description: 'Month, such as 2026-11',
  }),
  customer: Type.Optional(customerOrNone),
  from: Type.Optional(dateOrDateTime('Start of a part of the month')),
  to: Type.Optional(dateOrDateTime('End of a part of the month, not included')),
  lines: Type.Optional(Type.Boolean({ default: true, description: 'False for the sums alone' })),
  ...paginationParams,
})

export const getCarrierInvoice = defineOperation({
  name: 'get_carrier_invoice',
  area: 'carrier',
  toolset: 'parcel-changes',
  summary: 'Get the invoice of a month',
  description:
    'One line per charge: parcels and returns when first scanned, and credits below 0 for claims and for cash collected at the door. A parcel cancelled before its first scan costs nothing; one stopped later is billed. The sums are of all lines; lines come in pages.',
  details:
    'VAT is the sum of the lines. The current month is an invoice so far. All pages are of the moment of the first: charges since then are in neither their lines nor their sums. The invoices of all customers and of parcels without one add up to the whole.',
  method: 'GET',
  path: '/v1/invoices/{month}',
  scope: 'shipments.read',
  entitlement: 'carrier_agreement',
  createsTransaction: false,
  idempotency: 'none',
  input,
  output: carrierInvoice,
  errors: ['invalid_cursor'],
  brief: { rows: 'lines', long: { fields: 'month,closed,kinds,vat,billed,due' } },
  example: () => ({ month: '2026-11' }),
  cli: {
    command: 'carrier invoice',
    danger: 'read',
    positionals: ['month'],
    columns: ['month', 'closed', 'kinds', 'vat', 'billed', 'due'],
  },
  touches: CARRIER_AGREEMENT.touches,
  async run(context, asked) {
    const { tx, now } = context
    const { month, customer, lines = true } = asked
    const agreementId = requireCarrierAgreement(context)
    const [terms, [hub]] = [await findCarrierTerms(tx, agreementId), await listAgreementHubs(tx, agreementId)]
    const timezone = hub?.timezone ?? MARKET_TIMEZONE
    const whole = monthOf(month, timezone)
    assertBegun(month, whole, { now, timezone })
    const stretch = partOf(whole, asked, timezone)
    const currency = terms?.card.currency ?? ''
    // Lines are only added: those up to the last one of the first page stay as they were.
    const until = Number(context.cursor.after?.[0] ?? (await lastInvoiceLine(tx)))
    const part = { ...stretch, until, customer }
    return {
      month,
      from: toTimestamp(stretch.from),
      to: toTimestamp(stretch.to),
      timezone,
      currency,
      closed: now >= whole.to,
      ...(customer !== undefined && { customer: customer === '' ? null : customer }),
      ...sumInvoice(await readSums(context, agreementId, part), currency),
      ...(lines && (await readLines(context, agreementId, part, currency))),
    }
  },
})

function monthOf(month: string, timezone: string): TimeRange {
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 })
  return {
    from: startOfDay(first.toString(), timezone),
    to: startOfDay(first.add({ months: 1 }).toString(), timezone),
  }
}

function assertBegun(
  month: string,
  { from }: TimeRange,
  { now, timezone }: { now: number; timezone: string },
): void {
  if (from <= now) return
  const detail = `${month} has not begun: ${describeServiceClock(now, timezone)}`
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ parameter: 'month', code: 'out_of_range', detail }],
  })
}

/** Returns the part of a month that is requested. Throws `invalid_request` for one that is empty. */
function partOf(month: TimeRange, asked: Static<typeof input>, timezone: string): TimeRange {
  const from = Math.max(month.from, toInstant(asked.from, timezone) ?? month.from)
  const to = Math.min(month.to, toInstant(asked.to, timezone) ?? month.to)
  if (from < to) return { from, to }
  const parameter = asked.to === undefined ? 'from' : 'to'
  const detail = `from and to must be a part of ${asked.month}, and from must be before to`
  throw new AppError('invalid_request', `${detail}.`, {
    errors: [{ parameter, code: 'out_of_range', detail }],
  })
}

/** Each page has the sums: they are read once while no line is added. */
function readSums({ tx }: OperationContext, agreementId: string, part: InvoicePart) {
  const key = JSON.stringify(['invoice', agreementId, part])
  return cached(tx, { key, tables: ['invoice_lines'], holds: () => true }, () =>
    sumInvoiceLines(tx, agreementId, part),
  )
}

async function readLines(
  { tx, cursor }: OperationContext,
  agreementId: string,
  part: InvoicePart,
  currency: string,
) {
  const [, at, seq] = cursor.after ?? []
  const rows = await listInvoiceLines(tx, agreementId, part, {
    after: at === undefined ? undefined : { at: Number(at), seq: Number(seq) },
    limit: cursor.limit + 1,
  })
  const { data, ...page } = cursor.page(
    rows,
    (line) => [part.until, line.at, line.seq],
    (line) => toAnswer(line, currency),
  )
  return { lines: data, ...page }
}

function toAnswer(line: InvoiceLine, currency: string): Static<typeof invoiceLine> {
  const money = (amount: number) => ({ amount, currency })
  const { kind: of, tracking_number, reference, customer, service_level, subtotal, net, vat_bps, vat } = line
  return {
    kind: of,
    at: toTimestamp(line.at),
    tracking_number,
    reference,
    customer,
    service_level,
    subtotal: money(subtotal),
    surcharges: money(net - subtotal),
    net: money(net),
    vat_bps,
    vat: money(vat),
    total: money(net + vat),
  }
}
