import type { Contact } from '../../../core/address.ts'
import type { Tx } from '../../../core/db.ts'
import type { Money } from '../../../core/money.ts'
import type { ResolvedPlace } from '../../../core/places/place.ts'
import type { Span } from '../../../core/time.ts'
import type { Motion } from '../../../core/travel.ts'
import { defineRow, defineTable, places } from '../../../store/table.ts'
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

const BOOKINGS = defineTable<BookingRecord, 'starts_at'>({
  name: 'bookings',
  key: 'booking_id',
  columns: {
    booking_id: 'text',
    seq: 'integer',
    ordinal: 'integer',
    account_id: 'text',
    provider_id: 'text',
    quote_id: 'text',
    status: 'text',
    created_at: 'integer',
    updated_at: 'integer',
    doc: 'json',
    starts_at: ({ doc }) => doc.slot?.starts_at ?? null,
  },
  changing: ['status', 'starts_at', 'updated_at', 'doc'],
})

export async function insertBooking(tx: Tx, booking: BookingRecord): Promise<void> {
  await BOOKINGS.insert(tx, [booking])
}

export async function findBooking(tx: Tx, bookingId: string): Promise<BookingRecord | undefined> {
  return BOOKINGS.find(tx, bookingId)
}

/** Reads a booking for a change: other writers of it and of what is planned for it wait. */
export async function lockBooking(tx: Tx, bookingId: string): Promise<BookingRecord | undefined> {
  return BOOKINGS.lock(tx, bookingId)
}

/** Locks those of the bookings that exist, in one order, so that two that lock many never wait for each other. */
export async function lockBookings(
  tx: Tx,
  bookingIds: readonly string[],
  options: { skipLocked: boolean },
): Promise<Set<string>> {
  return BOOKINGS.lockMany(tx, bookingIds, options)
}

/** The last visit before another one of its provider; without `planned` only one that the provider has set off to. */
export async function findVisitBefore(
  tx: Tx,
  { provider_id, doc }: Pick<BookingRecord, 'provider_id' | 'doc'>,
  { planned }: { planned: boolean },
): Promise<BookingRecord | undefined> {
  return BOOKINGS.first(
    tx,
    `where provider_id = $1 and starts_at < $2
       and status in (${planned ? `'confirmed', ` : ''}'en_route', 'arrived', 'in_progress', 'completed', 'no_show')
     order by starts_at desc limit 1`,
    provider_id,
    doc.slot?.starts_at ?? 0,
  )
}

const toDoc = defineRow<Pick<BookingRecord, 'doc'>>({ doc: 'json' })

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
    const { slot, place } = toDoc(row).doc
    return slot === null ? [] : [{ slot, place }]
  })
}

/** Writes what a booking's life can change. */
export async function updateBooking(tx: Tx, booking: BookingRecord): Promise<void> {
  await BOOKINGS.update(tx, booking)
}

/** Every booking in one of these states, whoever's. */
export async function listBookingsIn(tx: Tx, statuses: readonly BookingStatus[]): Promise<BookingRecord[]> {
  return BOOKINGS.list(tx, `where status in (${places(statuses.length)}) order by seq`, ...statuses)
}
