/** Screens of rides, at three widths and without drawing: no line is wider than the terminal, no price is cut. */
import { describe, expect, test } from 'vitest'
import { ridePresenter } from '../../../src/areas/rides/presenter.ts'
import { billText } from '../../../src/cli/output/bill.ts'
import type { RenderOptions } from '../../../src/cli/output/render-options.ts'
import { renderTracking } from '../../../src/cli/track/journey.ts'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { presentResource } from '../../../src/core/presenter.ts'
import { FORBIDDEN, HOSTILE } from '../../support/hostile.ts'
import { gbp } from '../../support/money.ts'
import { partialResponse } from '../../support/part.ts'
import { makeRenderOptions, linesBeyond, WIDTHS } from '../../support/screens.ts'

type Ride = OperationOutput<'get_ride'>
type RideQuote = OperationOutput<'quote_ride'>
type Fare = RideQuote['fares'][number]

const ECONOMY: Fare = {
  tier: 'economy',
  name: 'Economy',
  capacity: 4,
  fare: gbp(1497),
  tax_included: gbp(249),
  lines: [
    { type: 'base', amount: gbp(250) },
    { type: 'distance', amount: gbp(926) },
    { type: 'time', amount: gbp(321) },
  ],
  surge_bps: 10_000,
  available: true,
  pickup_eta_seconds: 181,
}

const QUOTE = partialResponse<RideQuote>({
  quote_id: 'quo_1',
  created_at: '2026-11-20T12:00:00.000Z',
  expires_at: '2026-11-20T12:05:00.000Z',
  expires_in_seconds: 300,
  pickup: { name: "King's Cross", location: { latitude: 51.5308, longitude: -0.1238 } },
  dropoff: {
    name: 'City',
    address: { line1: '1 Leadenhall Street', city: 'London', postal_code: 'EC3V 1AB', country_code: 'GB' },
  },
  stops: [],
  scheduled_for: null,
  road_distance_m: 8420,
  driving_time_seconds: 1071,
  fares: [
    ECONOMY,
    {
      ...ECONOMY,
      tier: 'premium',
      name: 'Premium',
      fare: gbp(12_345),
      available: false,
      pickup_eta_seconds: null,
    },
  ],
})

const RIDE = partialResponse<Ride>({
  ride_id: 'rid_1',
  status: 'in_progress',
  tier: 'economy',
  pickup: QUOTE.pickup,
  dropoff: { name: 'Bank', location: { latitude: 51.5133, longitude: -0.0886 } },
  stops: [{ name: 'Angel', location: { latitude: 51.5322, longitude: -0.1058 } }],
  fare: gbp(1497),
  payment: { status: 'paid', amount: gbp(1497) },
  refund: null,
  driver: { name: 'Adaeze Obi', rating: 4.9 },
  vehicle: { make: 'Toyota', model: 'Prius', colour: 'silver', licence_plate: 'QA21 XBD' },
  vehicle_location: { latitude: 51.525, longitude: -0.1, bearing: 140, at: '2026-11-20T12:14:40.000Z' },
  pickup_eta_seconds: null,
  dropoff_eta_at: '2026-11-20T12:20:00.000Z',
  pickup_pin: '4711',
  cancellation_fee: null,
  cancellation: null,
  receipt: null,
  status_history: [
    { status: 'processing', at: '2026-11-20T12:00:00.000Z', by: 'rider', reason: null },
    { status: 'accepted', at: '2026-11-20T12:00:20.000Z', by: 'driver', reason: null },
    { status: 'in_progress', at: '2026-11-20T12:10:00.000Z', by: 'driver', reason: null },
  ],
  scheduled_for: null,
})
const faresText = (quote: RideQuote, renderOptions: RenderOptions) =>
  billText(ridePresenter.price(quote, null), renderOptions, ridePresenter.choices(quote))
const fareText = (quote: RideQuote, { tier }: Fare, renderOptions: RenderOptions) =>
  billText(ridePresenter.price(quote, tier), renderOptions)
const NOW = Date.parse('2026-11-20T12:15:00Z')
const screenOf = (ride: Ride, renderOptions: RenderOptions) =>
  renderTracking(presentResource(ridePresenter, ride, NOW), NOW, renderOptions)

describe.each(WIDTHS)('at %i columns', (columns) => {
  test.each([
    ['fares', faresText(QUOTE, makeRenderOptions(columns))],
    ['bill', fareText(QUOTE, ECONOMY, makeRenderOptions(columns))],
    ['ride', screenOf(RIDE, makeRenderOptions(columns))],
  ])('the %s fit', (_, screen) => {
    expect(linesBeyond(columns, screen)).toEqual([])
  })
})

test('the fares are listed below each other, with what cannot be had', () => {
  expect(faresText(QUOTE, makeRenderOptions(80)))
    .toBe(`Ride from King's Cross to 1 Leadenhall Street, London EC3V 1AB,
GB
8.4 km, about 18 minutes

Economy   £14.97  4 seats  in 3 min
Premium  £123.45  4 seats  no driver now`)
})

test('the screen shows a busy hour, a stop and a time', () => {
  const fares = QUOTE.fares.map((fare) => ({ ...fare, surge_bps: 13_500 }))
  const text = faresText(
    { ...QUOTE, fares, stops: RIDE.stops, scheduled_for: '2026-11-20T19:30:00.000Z' },
    makeRenderOptions(120),
  )
  expect(text).toContain('High demand: 1.35 times the usual fare.')
  expect(text).toContain('via Angel to')
  expect(text).toContain('pickup at 19:30')
})

test('the bill adds up to the fare, and names the tax', () => {
  const bill = fareText(QUOTE, ECONOMY, makeRenderOptions(64))
  expect(bill).toMatch(/Base fare +£2\.50\nDistance +£9\.26\nTime +£3\.21\n─+\nTotal +£14\.97/)
  expect(bill).toMatch(/ {2}of which VAT +£2\.49$/)
  expect(fareText(QUOTE, ECONOMY, makeRenderOptions(64, { accessible: true }))).toContain('Total: £14.97')
})

test('the ride shows what happened, what comes, the driver, the leg and the map', () => {
  const screen = screenOf(RIDE, makeRenderOptions(80))
  expect(screen).toContain('Economy to Bank, £14.97')
  expect(screen).toContain('● On the way       12:10\n○ Arrived          about 12:20')
  expect(screen).toContain('Driver: Adaeze Obi, rated 4.9, silver Toyota Prius, QA21 XBD')
  expect(screen).toContain('━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌ Arrives about 12:20, in 5 minutes')
  expect(screen).toContain("P King's Cross   1 Angel   D Bank")
  expect(screen).toContain('↘ Adaeze Obi, 1.5 km from D')
  expect(screen).not.toContain('PIN')
})

test('before it, the way to the pickup counts down', () => {
  const accepted = partialResponse<Ride>({
    ...RIDE,
    status: 'accepted',
    pickup_eta_seconds: 240,
    status_history: RIDE.status_history.slice(0, 2),
  })
  const screen = screenOf(accepted, makeRenderOptions(80))
  expect(screen).toContain('At the pickup about 12:19, in 4 minutes')
  expect(screen).toContain('○ At the pickup     about 12:19')
  expect(screen).toContain('from P')
  expect(screen).toContain('PIN 4711')
})

test('a late cancellation tells its fee and what came back', () => {
  const cancelled = partialResponse<Ride>({
    ...RIDE,
    status: 'cancelled',
    driver: null,
    vehicle: null,
    vehicle_location: null,
    dropoff_eta_at: null,
    cancellation: { reason_code: 'long_wait', fee: gbp(500), balance_due: null },
    receipt: { charged: gbp(500) },
    refund: { status: 'succeeded', amount: gbp(997), destination: 'original_method' },
  })
  const screen = screenOf(cancelled, makeRenderOptions(80))
  expect(screen).toContain('Charged: £5.00, the late cancellation fee')
  expect(screen).toContain('Refund of £9.97 to original method: succeeded')
  expect(screen).not.toMatch(/[○│]/)
  const owing = partialResponse<Ride>({
    ...cancelled,
    cancellation: { reason_code: 'long_wait', fee: gbp(0), balance_due: gbp(500) },
    refund: null,
  })
  expect(screenOf(owing, makeRenderOptions(80))).toContain(
    'Due with the next ride: £5.00, the late cancellation fee',
  )
})

test.each(HOSTILE)('names from elsewhere cannot draw: %j', (hostile) => {
  const place = { ...RIDE.pickup, name: hostile }
  const ride: Ride = { ...RIDE, pickup: place, dropoff: { ...RIDE.dropoff, name: hostile } }
  const fares = QUOTE.fares.map((fare) => ({ ...fare, name: hostile }))
  for (const screen of [
    screenOf(
      { ...ride, ...partialResponse<Ride>({ driver: { name: hostile, rating: 5 } }) },
      makeRenderOptions(80),
    ),
    faresText({ ...QUOTE, pickup: place, fares }, makeRenderOptions(80)),
  ])
    expect(screen).not.toMatch(FORBIDDEN)
})
