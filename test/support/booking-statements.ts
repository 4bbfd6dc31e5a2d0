/**
 * Returns every statement about providers and bookings, for the test that runs all of them on both engines. Needs the
 * account `acc_1`.
 */
import { insertQuote } from '../../src/areas/quotes/queries.ts'
import * as cells from '../../src/areas/services/queries/booked-cells.ts'
import * as bookings from '../../src/areas/services/queries/bookings.ts'
import * as providers from '../../src/areas/services/queries/providers.ts'
import type { Tx } from '../../src/core/db.ts'

type Statements = readonly (readonly [name: string, run: (tx: Tx) => Promise<unknown>])[]

const HALF_HOUR = 1_800_000

/** Documents are text for the store. It reads a provider's radius and categories, and a booking's start. */
function makeProvider(index: number): Parameters<typeof providers.insertProviders>[1][number] {
  return {
    provider_id: `prv_${index}`,
    seq: 950 + index,
    name: `Provider ${index}`,
    search_text: `provider ${index} cleaning`,
    location: { latitude: 51.5 + index / 100, longitude: -0.1 },
    time: { week: '540-1020', timezone: 'Europe/London', daysOff: index === 1 ? '2026-11-21' : '' },
    rating_tenths: index === 1 ? null : 48,
    offers: [
      { service_code: 'clean', price: 1800, default_duration_minutes: 120, buffer_minutes: 30 },
      { service_code: 'deep_clean', price: 2400, default_duration_minutes: 240, buffer_minutes: 15 },
    ],
    doc: { categories: ['cleaning'], travel: { radius_m: 5000 } } as providers.ProviderDoc,
  }
}

function makeBooking(at: number, index: number, starts_at: number | null): bookings.BookingRecord {
  const slot = starts_at === null ? null : { starts_at, ends_at: starts_at + HALF_HOUR }
  return {
    booking_id: `bkg_${index}`,
    seq: 960 + index,
    ordinal: index,
    account_id: 'acc_1',
    provider_id: 'prv_1',
    quote_id: `quo_booking_${index}`,
    status: starts_at === null ? 'requested' : 'confirmed',
    created_at: at + index,
    updated_at: at + index,
    doc: { slot } as bookings.BookingDoc,
  }
}

export function bookingStatements(now: number): Statements {
  const box = { south: 51.49, north: 51.53, west: -0.2, east: 0 }
  const filters: providers.ProviderFilters[] = [
    {},
    { category: 'cleaning', service_code: 'clean', q: 'provider 2' },
    { category: 'plumbing' },
    { service_code: 'deep' },
  ]
  const hours = [0, 1, 2].map((index) => now + index * HALF_HOUR)
  return [
    ['insertProviders', (tx) => providers.insertProviders(tx, [makeProvider(1), makeProvider(2)])],
    ['findProvider', (tx) => providers.findProvider(tx, 'prv_1')],
    ['findProvider', (tx) => providers.findProvider(tx, 'prv_9')],
    ['listProvidersBySeq', (tx) => providers.listProvidersBySeq(tx, [952, 999, 951])],
    ['listProvidersBySeq', (tx) => providers.listProvidersBySeq(tx, [])],
    ...filters.map(
      (filter) =>
        [
          'listProviderCandidates',
          async (tx: Tx) =>
            (await providers.listProviderCandidates(tx, box, filter)).toSorted((a, b) => a.seq - b.seq),
        ] as const,
    ),
    ...[1, 2].map(
      (index) =>
        [
          'insertQuote',
          (tx: Tx) =>
            insertQuote(tx, {
              quote_id: `quo_booking_${index}`,
              account_id: 'acc_1',
              kind: 'service',
              created_at: now,
              expires_at: now,
              used_by: `bkg_${index}`,
              doc: {},
            }),
        ] as const,
    ),
    ['insertBookedCells', (tx) => cells.insertBookedCells(tx, 'prv_1', hours, 'bkg_1')],
    ['insertBookedCells', (tx) => cells.insertBookedCells(tx, 'prv_1', hours.slice(2), 'bkg_2')],
    [
      'listBookedCells',
      async (tx) => {
        const until = now + 2 * HALF_HOUR
        const taken = await cells.listBookedCells(
          tx,
          ['prv_1', 'prv_2'],
          { from: now, to: until },
          { ways: false },
        )
        return [[...taken('prv_1')].toSorted((a, b) => a - b), [...taken('prv_2')]]
      },
    ],
    [
      'insertWayCells',
      (tx) => cells.insertWayCells(tx, 'prv_1', [now - HALF_HOUR, now + HALF_HOUR], 'bkg_2'),
    ],
    [
      'listBookedCells',
      async (tx) => {
        const taken = await cells.listBookedCells(
          tx,
          ['prv_1'],
          { from: now - HALF_HOUR, to: now },
          { ways: true },
        )
        return [...taken('prv_1')].toSorted((a, b) => a - b)
      },
    ],
    ['listVisits', (tx) => bookings.listVisits(tx, 'prv_1', now, now + 1)],
    ['insertBooking', (tx) => bookings.insertBooking(tx, makeBooking(now, 1, now))],
    ['insertBooking', (tx) => bookings.insertBooking(tx, makeBooking(now, 2, null))],
    ['findBooking', (tx) => bookings.findBooking(tx, 'bkg_1')],
    ...[true, false].map(
      (planned) =>
        [
          'findVisitBefore',
          (tx: Tx) => bookings.findVisitBefore(tx, makeBooking(now, 1, now + 1), { planned }),
        ] as const,
    ),
    ['findBooking', (tx) => bookings.findBooking(tx, 'bkg_9')],
    ['listBookingsIn', (tx) => bookings.listBookingsIn(tx, ['requested', 'confirmed'])],
    ['lockBooking', (tx) => bookings.lockBooking(tx, 'bkg_2')],
    ['lockBookings', (tx) => bookings.lockBookings(tx, ['bkg_2', 'bkg_9', 'bkg_1'], { skipLocked: false })],
    ['lockBookings', (tx) => bookings.lockBookings(tx, ['bkg_2'], { skipLocked: true })],
    [
      'updateBooking',
      (tx) => bookings.updateBooking(tx, { ...makeBooking(now, 2, now), updated_at: now + 9 }),
    ],
    ['deleteBookedCells', (tx) => cells.deleteBookedCells(tx, 'bkg_1')],
  ]
}
