/**
 * Invariants of all bookings. It reads the tables themselves, without the
 * code that wrote them.
 */
import type { SqlRow, Tx } from '../../src/core/db.ts'
import { metresBetween, type GeoPoint } from './distance.ts'
import { BOOKING_TRANSITIONS } from './state-tables.ts'
import { type Amount, pathViolations, violatingRows } from './violations.ts'

const HALF_HOUR = 1_800_000
const MINUTE = 60_000

type Booking = {
  id: string
  provider: string
  quote: string
  status: string
  startsAt: number | null
  doc: {
    history: { status: string; at: number }[]
    slot: { starts_at: number; ends_at: number } | null
    duration_minutes: number
    buffer_minutes: number
    price: Amount
    completion: { media: unknown[] } | null
    cancellation: { fee?: Amount } | null
    place: { location: GeoPoint }
    arrived_at: number | null
  }
}

/** Statuses of visits that are not confirmed or will not take place. */
const OFF = ['requested', 'declined', 'cancelled']

/** Returns every violation as a sentence; an empty list when there is none. */
export async function checkBookings(tx: Tx): Promise<string[]> {
  const bookings = (await tx.all('select * from bookings order by seq')).map(toBooking)
  if (bookings.length === 0) return cellsOfNobody(tx)
  const by = (rows: readonly SqlRow[], column: string) => Map.groupBy(rows, (row) => String(row[column]))
  const events = by(await tx.all('select resource_id, doc from events order by seq'), 'resource_id')
  const cells = by(await tx.all('select * from booked_cells order by cell_start'), 'booking_id')
  const plans = by(await tx.all(`select * from timeline where kind = 'booking'`), 'resource_id')
  const payments = by(
    await tx.all(
      'select *, (select sum(r.amount) from refunds r where r.resource_id = payments.resource_id) as refund_amount from payments',
    ),
    'resource_id',
  )
  const quotes = by(await tx.all('select * from quotes where used_by is not null'), 'used_by')
  return [
    ...(await cellsOfNobody(tx)),
    ...bookings.flatMap((booking) =>
      [
        ...path(booking, events.get(booking.id) ?? []),
        ...held(booking, cells.get(booking.id) ?? []),
        ...planned(booking, plans.get(booking.id) ?? []),
        ...paid(booking, payments.get(booking.id) ?? []),
        ...quoted(booking, quotes.get(booking.id) ?? []),
      ].map((problem) => `${booking.id}: ${problem}`),
    ),
    ...overlaps(bookings),
    ...ways(bookings),
  ]
}

/** Providers have enough time to travel between visits, and arrive at each start. */
function ways(bookings: readonly Booking[]): string[] {
  const visits = bookings.filter(({ status, doc }) => doc.slot !== null && !OFF.includes(status))
  const byProvider = Map.groupBy(visits, ({ provider }) => provider)
  const tight = [...byProvider.values()].flatMap((own) => {
    const sorted = own.toSorted((a, b) => startOf(a) - startOf(b))
    return sorted.slice(1).flatMap((visit, index) => {
      const before = sorted[index]
      if (before === undefined) return []
      const gap = startOf(visit) - (before.doc.slot?.ends_at ?? 0)
      const way = secondsBetween(before.doc.place.location, visit.doc.place.location) * 1000
      return gap >= way ? [] : [`${visit.id}: ${way - gap} ms are missing for the way from ${before.id}`]
    })
  })
  const late = visits
    .filter(({ doc, ...visit }) => (doc.arrived_at ?? 0) > startOf({ doc, ...visit }))
    .map(({ id, doc }) => `${id}: its provider arrived at ${doc.arrived_at}, after its start`)
  return [...tight, ...late]
}

function startOf({ doc }: Booking): number {
  return doc.slot?.starts_at ?? 0
}

/** Returns seconds by road at 30 km/h, with a minute to park. */
function secondsBetween(a: GeoPoint, b: GeoPoint): number {
  return Math.round(Math.round(1.3 * metresBetween(a, b)) / 8.33) + 60
}

function cellsOfNobody(tx: Tx): Promise<string[]> {
  return violatingRows(tx, {
    'half hour of nobody': `
      select c.provider_id, c.cell_start, c.booking_id from booked_cells c
      left join bookings b on b.booking_id = c.booking_id and b.provider_id = c.provider_id where b.booking_id is null`,
  })
}

function path(booking: Booking, events: readonly SqlRow[]): string[] {
  const { status, doc } = booking
  const problems = pathViolations(booking, BOOKING_TRANSITIONS, events)
  if (isOff(status) !== (doc.cancellation !== null))
    problems.push(`is ${status} and its cancellation says otherwise`)
  if ((status === 'completed') !== (doc.completion !== null))
    problems.push(`is ${status} and its completion says otherwise`)
  return problems
}

/** A booking holds exactly the half hours of its slot and buffer while it is active; otherwise none. */
function held({ status, startsAt, provider, doc }: Booking, cells: readonly SqlRow[]): string[] {
  const { slot, duration_minutes, buffer_minutes } = doc
  const problems: string[] = []
  if ((slot?.starts_at ?? null) !== startsAt) problems.push('its row has another start than its slot')
  if (slot !== null && slot.ends_at - slot.starts_at !== duration_minutes * MINUTE)
    problems.push('its slot is not as long as its job')
  const off = OFF.includes(status)
  const count = slot === null || off ? 0 : Math.ceil((duration_minutes + buffer_minutes) / 30)
  const expected = Array.from({ length: count }, (_, index) => (slot?.starts_at ?? 0) + index * HALF_HOUR)
  const got = cells.filter((row) => row['provider_id'] === provider).map((row) => Number(row['cell_start']))
  if (got.join() !== expected.join())
    problems.push(`is ${status} and holds ${got.length} half hours, not ${count}`)
  return problems
}

/** An open booking has exactly one planned event. */
function planned({ status }: Booking, plans: readonly SqlRow[]): string[] {
  const steps = plans.filter((row) => !String(row['event']).endsWith('_settles'))
  const over = BOOKING_TRANSITIONS[status]?.length === 0
  return steps.length === (over ? 0 : 1) ? [] : [`is ${status} and has ${steps.length} plans`]
}

/** The full price is charged once, and refunded only if nobody comes, less what a late cancellation keeps. */
function paid({ status, doc }: Booking, payments: readonly SqlRow[]): string[] {
  const [payment, ...more] = payments
  if (payment === undefined || more.length > 0) return [`has ${payments.length} payments`]
  const kept = doc.cancellation?.fee?.amount ?? 0
  // A card that had not settled at a late cancellation is charged what is kept.
  const amount = kept > 0 && payment['amount'] === kept ? kept : doc.price.amount
  const off = isOff(status)
  const fitting = off ? [offStatus(payment, { kept, amount })] : openStatuses(status)
  const back = payment['refund_amount']
  return [
    ...(payment['amount'] === amount ? [] : [`pays ${String(payment['amount'])}`]),
    ...(fitting.includes(String(payment['status']))
      ? []
      : [`is ${status} and its payment ${String(payment['status'])}`]),
    ...(off && payment['paid_at'] !== null && Number(back ?? 0) !== amount - kept
      ? [`gets ${String(back)} back`]
      : []),
  ]
}

function isOff(status: string): boolean {
  return status === 'declined' || status === 'cancelled'
}

/** The status of the payment of a visit that is off, of which a part may be kept. */
function offStatus(payment: SqlRow, { kept, amount }: { kept: number; amount: number }): string {
  if (payment['paid_at'] === null) return 'failed'
  if (kept === 0) return 'refunded'
  return kept === amount ? 'paid' : 'partially_refunded'
}

function openStatuses(status: string): string[] {
  return ['completed', 'no_show', 'in_progress', 'arrived', 'en_route'].includes(status)
    ? ['paid']
    : ['paid', 'unpaid']
}

/** One quote, one booking, at the quoted price. */
function quoted({ quote, doc }: Booking, quotes: readonly SqlRow[]): string[] {
  const [only, ...more] = quotes
  if (only?.['quote_id'] !== quote || more.length > 0) return [`has ${quotes.length} quotes`]
  const { total } = JSON.parse(String(only['doc'])) as { total: Amount }
  const same = total.amount === doc.price.amount && total.currency === doc.price.currency
  return same ? [] : [`charged ${doc.price.amount}, quoted ${total.amount}`]
}

/** The same by the spans themselves: no provider has two overlapping visits. */
function overlaps(bookings: readonly Booking[]): string[] {
  const active = bookings.filter(
    ({ status, doc }) => doc.slot !== null && !['declined', 'cancelled'].includes(status),
  )
  return [...Map.groupBy(active, ({ provider }) => provider).values()].flatMap((own) => {
    const sorted = own.toSorted((a, b) => (a.startsAt ?? 0) - (b.startsAt ?? 0))
    return sorted.flatMap((booking, index) => {
      const next = sorted[index + 1]
      const ends = (booking.doc.slot?.ends_at ?? 0) + booking.doc.buffer_minutes * MINUTE
      return next !== undefined && (next.startsAt ?? 0) < ends ? [`${booking.id} runs into ${next.id}`] : []
    })
  })
}

function toBooking(row: SqlRow): Booking {
  return {
    id: String(row['booking_id']),
    provider: String(row['provider_id']),
    quote: String(row['quote_id']),
    status: String(row['status']),
    startsAt: row['starts_at'] === null ? null : Number(row['starts_at']),
    doc: JSON.parse(String(row['doc'])) as Booking['doc'],
  }
}
