import type { Contact } from '../../../core/address.ts'
import type { Tx } from '../../../core/db.ts'
import type { Money } from '../../../core/money.ts'
import type { ResolvedPlace } from '../../../core/places/place.ts'
import type { TimeWindow } from '../../../core/time.ts'
import type { Motion } from '../../../core/travel.ts'
import { defineRow, defineTable, formatPlaceholders } from '../../../db/table.ts'
import type { ReportedProblem } from '../../payments/rules/reported-problem.ts'
import type { Media } from '../../proofs/rules/proof.ts'
import type { ServiceLine } from '../rules.ts'
import type { BookingStatus } from '../states.ts'

/** The one who changed a booking's status. */
export type BookingActor = 'customer' | 'provider' | 'system'

/** The fields of a booking that are not searchable columns. Times in milliseconds. */
export type BookingDoc = {
  provider: {
    name: string
    /** E.164; only shown masked. */
    phone: string
    photo_url: string | null
    base: { latitude: number; longitude: number }
  }
  service_code: string
  service_name: string
  duration_minutes: number
  buffer_minutes: number
  slot: TimeWindow | null
  /** The span in which a request may begin; null for any time. */
  preferred_window: TimeWindow | null
  arrival_window: TimeWindow | null
  place: ResolvedPlace
  contact: Contact
  notes: string | null
  access_notes: string | null
  price: Money
  /** Absent in older bookings. */
  lines?: ServiceLine[]
  tax_included: Money
  /** The travel time from the place to the farthest place of the provider; absent in older bookings. */
  longest_way_seconds?: number
  /** The motion of a provider on the way. */
  leg: Motion | null
  /** The number of times that the provider found no time for a request. */
  looks: number
  en_route_at: number | null
  arrived_at: number | null
  started_at: number | null
  completed_at: number | null
  completion: { summary: string; media: Media[] } | null
  problems?: ReportedProblem[]
  /** The reason of a cancellation or an error. */
  cancellation: {
    by: BookingActor
    reason_code: string
    note: string | null
    /** The part of the price that is kept; absent in older bookings, which kept none. */
    fee?: Money
    at: number
  } | null
  history: { status: BookingStatus; at: number; by: BookingActor; reason: string | null }[]
  /** The scenario by which the sandbox plays this booking. */
  scenario: { name: string; options: Record<string, string> } | null
}

export type BookingRecord = {
  booking_id: string
  seq: number
  /** The booking's number in this store, from 1: every random draw about it uses this. */
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

/** Returns those of the bookings that exist, by id. */
export async function findBookings(
  tx: Tx,
  bookingIds: readonly string[],
): Promise<Map<string, BookingRecord>> {
  return BOOKINGS.findMany(tx, bookingIds)
}

/** Locks and reads a booking: changes of it and of its planned events wait. */
export async function lockBooking(tx: Tx, bookingId: string): Promise<BookingRecord | undefined> {
  return BOOKINGS.lock(tx, bookingId)
}

/** Locks those of the bookings that exist, always in the same order: two such calls cannot deadlock. */
export async function lockBookings(
  tx: Tx,
  bookingIds: readonly string[],
  options: { skipLocked: boolean },
): Promise<Set<string>> {
  return BOOKINGS.lockMany(tx, bookingIds, options)
}

/**
 * Finds the provider's last visit before another one; without `planned`, only a visit that the provider has set off to.
 */
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

/** A provider's visit: its time and place. */
export type VisitRecord = { slot: TimeWindow; place: ResolvedPlace }

/** Returns a provider's visits that begin in [from, to) and are not cancelled, earliest first. */
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

/** Writes the fields of a booking that can change. */
export async function updateBooking(tx: Tx, booking: BookingRecord): Promise<void> {
  await BOOKINGS.update(tx, booking)
}

/** Returns every booking in one of these statuses, of all accounts. */
export async function listBookingsIn(tx: Tx, statuses: readonly BookingStatus[]): Promise<BookingRecord[]> {
  return BOOKINGS.list(
    tx,
    `where status in (${formatPlaceholders(statuses.length)}) order by seq`,
    ...statuses,
  )
}
