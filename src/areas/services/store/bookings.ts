import type { Contact } from '../../../core/address.ts'
import type { Row, Tx } from '../../../core/db.ts'
import type { Money } from '../../../core/money.ts'
import type { ResolvedPlace } from '../../../core/places/place.ts'
import type { Span } from '../../../core/time.ts'
import type { Motion } from '../../../core/travel.ts'
import type { Media } from '../../proofs/rules/proof.ts'
import type { BookingStatus } from '../states.ts'

/** Who moved a booking. */
export type BookingActor = 'customer' | 'provider' | 'system'

/** What a booking holds beyond its searchable columns. Times in milliseconds. */
export type BookingDoc = {
  provider: {
    name: string
    /** E.164; shown masked only. */
    phone: string
    photo_url: string | null
    base: { latitude: number; longitude: number }
  }
  service_code: string
  service_name: string
  duration_minutes: number
  buffer_minutes: number
  slot: Span | null
  /** When a request may begin; null where any time will do. */
  preferred_window: Span | null
  arrival_window: Span | null
  place: ResolvedPlace
  contact: Contact
  notes: string | null
  access_notes: string | null
  price: Money
  tax_included: Money
  /** From the place to the farthest one where the provider comes; absent where the booking is older than that. */
  longest_way_seconds?: number
  /** The provider on the way. */
  leg: Motion | null
  /** How often the provider has looked for a time for a request in vain. */
  looks: number
  en_route_at: number | null
  arrived_at: number | null
  started_at: number | null
  completed_at: number | null
  completion: { summary: string; media: Media[] } | null
  /** Why it was cancelled or declined. */
  cancellation: { by: BookingActor; reason_code: string; note: string | null; at: number } | null
  history: { status: BookingStatus; at: number; by: BookingActor; reason: string | null }[]
  /** How the sandbox plays this booking. */
  scenario: { name: string; options: Record<string, string> } | null
}

export type BookingRecord = {
  booking_id: string
  seq: number
  /** Which booking of the store it is, from 1: every draw about it derives from this. */
  ordinal: number
  account_id: string
  provider_id: string
  quote_id: string
  status: BookingStatus
  created_at: number
  updated_at: number
  doc: BookingDoc
}

const COLUMNS = [
  'booking_id',
  'seq',
  'ordinal',
  'account_id',
  'provider_id',
  'quote_id',
  'status',
  'created_at',
  'updated_at',
  'doc',
] as const

const SELECT = `select ${COLUMNS.join(', ')} from bookings`

/** Ids of one `in (…)`: few lengths of list, so that few statements are kept. */
const CHUNK = 100

export async function insertBooking(tx: Tx, booking: BookingRecord): Promise<void> {
  await tx.insertMany(
    'bookings',
    [...COLUMNS, 'starts_at'],
    [
      [
        ...COLUMNS.map((column) => (column === 'doc' ? JSON.stringify(booking.doc) : booking[column])),
        booking.doc.slot?.starts_at ?? null,
      ],
    ],
  )
}

export async function findBooking(tx: Tx, bookingId: string): Promise<BookingRecord | undefined> {
  const row = await tx.get(`${SELECT} where booking_id = $1`, bookingId)
  return row && toBooking(row)
}

/** Reads a booking for a change: other writers of it and of what is planned for it wait. */
export async function lockBooking(tx: Tx, bookingId: string): Promise<BookingRecord | undefined> {
  const row = await tx.get(`${SELECT} where booking_id = $1 ${tx.forUpdate}`, bookingId)
  return row && toBooking(row)
}

/** Locks those of the bookings that exist, in one order, so that two that lock many never wait for each other. */
export async function lockBookings(
  tx: Tx,
  bookingIds: readonly string[],
  { skipLocked }: { skipLocked: boolean },
): Promise<Set<string>> {
  const locked = new Set<string>()
  const sorted = [...new Set(bookingIds)].toSorted()
  for (let start = 0; start < sorted.length; start += CHUNK) {
    const chunk = sorted.slice(start, start + CHUNK)
    const rows = await tx.all(
      `select booking_id from bookings where booking_id in (${chunk.map((_, index) => `$${index + 1}`).join(', ')})
       order by booking_id ${tx.forUpdate} ${skipLocked ? tx.skipLocked : ''}`,
      ...chunk,
    )
    for (const row of rows) locked.add(String(row['booking_id']))
  }
  return locked
}

/** The last visit before another one of its provider; without `planned` only one that the provider has set off to. */
export async function findVisitBefore(
  tx: Tx,
  { provider_id, doc }: Pick<BookingRecord, 'provider_id' | 'doc'>,
  { planned }: { planned: boolean },
): Promise<BookingRecord | undefined> {
  const row = await tx.get(
    `${SELECT} where provider_id = $1 and starts_at < $2
       and status in (${planned ? `'confirmed', ` : ''}'en_route', 'arrived', 'in_progress', 'completed', 'no_show')
     order by starts_at desc limit 1`,
    provider_id,
    doc.slot?.starts_at ?? 0,
  )
  return row && toBooking(row)
}

/** A visit of a provider: when, and where. */
export type VisitRecord = { slot: Span; place: ResolvedPlace }

/** The visits of a provider that begin in [from, to) and are not called off, the earliest first. */
export async function listVisits(
  tx: Tx,
  providerId: string,
  from: number,
  to: number,
): Promise<VisitRecord[]> {
  const rows = await tx.all(
    `select doc from bookings where provider_id = $1 and starts_at >= $2 and starts_at < $3
       and status in ('confirmed', 'en_route', 'arrived', 'in_progress', 'completed', 'no_show')
     order by starts_at`,
    providerId,
    from,
    to,
  )
  return rows.flatMap((row) => {
    const { slot, place } = JSON.parse(String(row['doc'])) as BookingDoc
    return slot === null ? [] : [{ slot, place }]
  })
}

/** Writes what a booking's life can change. */
export async function updateBooking(
  tx: Tx,
  { booking_id, status, updated_at, doc }: BookingRecord,
): Promise<void> {
  await tx.run(
    'update bookings set status = $1, starts_at = $2, updated_at = $3, doc = $4 where booking_id = $5',
    status,
    doc.slot?.starts_at ?? null,
    updated_at,
    JSON.stringify(doc),
    booking_id,
  )
}

/** Every booking in one of these states, whoever's. */
export async function listBookingsIn(tx: Tx, statuses: readonly BookingStatus[]): Promise<BookingRecord[]> {
  const rows = await tx.all(
    `${SELECT} where status in (${statuses.map((_, index) => `$${index + 1}`).join(', ')}) order by seq`,
    ...statuses,
  )
  return rows.map(toBooking)
}

function toBooking(row: Row): BookingRecord {
  return {
    booking_id: String(row['booking_id']),
    seq: Number(row['seq']),
    ordinal: Number(row['ordinal']),
    account_id: String(row['account_id']),
    provider_id: String(row['provider_id']),
    quote_id: String(row['quote_id']),
    status: String(row['status']) as BookingStatus,
    created_at: Number(row['created_at']),
    updated_at: Number(row['updated_at']),
    doc: JSON.parse(String(row['doc'])) as BookingDoc,
  }
}
