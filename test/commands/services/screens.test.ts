/**
 * Screens of home services, at three widths and without drawing: no line is wider than the terminal, no price is cut.
 */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { bookingPresenter } from '../../../src/areas/services/presenter.ts'
import { billText } from '../../../src/cli/output/bill.ts'
import type { RenderOptions } from '../../../src/cli/output/render-options.ts'
import { changeLine, listTrackingChanges, renderTracking } from '../../../src/cli/track/journey.ts'
import type { OperationOutput } from '../../../src/client/operations.ts'
import { gridText } from '../../../src/commands/services/grid-text.ts'
import { offerPrice } from '../../../src/commands/services/providers.ts'
import { presentResource } from '../../../src/core/presenter.ts'
import { formatMinutes } from '../../../src/core/time.ts'
import { FORBIDDEN, HOSTILE } from '../../support/hostile.ts'
import { gbp } from '../../support/money.ts'
import { partialResponse } from '../../support/part.ts'
import { makeRenderOptions, linesBeyond, WIDTHS } from '../../support/screens.ts'

type ServiceBooking = OperationOutput<'get_service_booking'>
type ServiceQuote = OperationOutput<'quote_service'>
type Slot = OperationOutput<'get_provider_availability'>['data'][number]

const slot = (local: string) =>
  partialResponse<Slot>({
    starts_at: `${local}:00.000Z`,
    duration_minutes: 60,
    local_start: `${local}:00+00:00`,
  })
const WEEK = {
  date: '2026-11-20',
  days: 7,
  slots: ['2026-11-20T10:00', '2026-11-20T11:30', '2026-11-21T09:00', '2026-11-26T10:30'].map(slot),
}

const QUOTE = partialResponse<ServiceQuote>({
  quote_id: 'quo_1',
  created_at: '2026-11-20T09:00:00.000Z',
  expires_at: '2026-11-20T09:15:00.000Z',
  expires_in_seconds: 900,
  provider_name: 'Thames Pipe & Tap',
  service_name: 'Fix a leak',
  duration_minutes: 90,
  place: {
    address: {
      line1: '12 Finsbury Square',
      city: 'London',
      postal_code: 'EC2A 1AN',
      country_code: 'GB',
    },
  },
  starts_at: '2026-11-21T10:00:00.000Z',
  lines: [
    { type: 'labour', amount: gbp(10_200) },
    { type: 'callout', amount: gbp(4500) },
    { type: 'travel', amount: gbp(213) },
  ],
  total: gbp(14_913),
  tax_included: gbp(2486),
  cancellation_policy: 'If the provider cancels, all goes back.',
})

const BOOKING = partialResponse<ServiceBooking>({
  booking_id: 'bkg_1',
  status: 'en_route',
  provider: { name: 'Thames Pipe & Tap' },
  service_name: 'Fix a leak',
  slot: { starts_at: '2026-11-20T10:00:00.000Z', ends_at: '2026-11-20T11:30:00.000Z' },
  arrival_window: { starts_at: '2026-11-20T10:00:00.000Z', ends_at: '2026-11-20T10:30:00.000Z' },
  place: { location: { latitude: 51.5188, longitude: -0.0814 }, name: 'Home' },
  price: gbp(14_913),
  payment: {
    payment_id: 'pay_1',
    method: 'card',
    status: 'paid',
    collected_by: 'platform',
    amount: gbp(14_913),
  },
  refund: null,
  provider_location: { latitude: 51.512, longitude: -0.088 },
  eta_at: '2026-11-20T10:00:00.000Z',
  en_route_at: '2026-11-20T09:30:00.000Z',
  completion: null,
  status_history: [
    { status: 'confirmed', at: '2026-11-20T08:00:00.000Z', by: 'customer', reason: null },
    { status: 'en_route', at: '2026-11-20T09:30:00.000Z', by: 'provider', reason: null },
  ],
})
const NOW = Date.parse('2026-11-20T09:45:00Z')

const quoteText = (quote: OperationOutput<'quote_service'>, renderOptions: RenderOptions) =>
  billText(bookingPresenter.price(quote, null), renderOptions)

describe.each(WIDTHS)('at %i columns', (columns) => {
  test.each([
    ['the grid', (renderOptions: RenderOptions) => gridText(WEEK, renderOptions)],
    ['the bill', (renderOptions: RenderOptions) => quoteText(QUOTE, renderOptions)],
    [
      'the way',
      (renderOptions: RenderOptions) =>
        renderTracking(presentResource(bookingPresenter, BOOKING, NOW), NOW, renderOptions),
    ],
  ])('%s fits', (_, draw) => {
    const drawn = draw(makeRenderOptions(columns))
    expect(linesBeyond(columns, drawn)).toEqual([])
    for (const text of [drawn, draw(makeRenderOptions(columns, { accessible: true }))])
      expect(text).not.toMatch(FORBIDDEN)
  })

  test('the bill keeps its prices', () => {
    const text = quoteText(QUOTE, makeRenderOptions(columns))
    for (const price of ['£102.00', '£45.00', '£2.13', '£149.13', '£24.86']) expect(text).toContain(price)
  })
})

describe('the grid', () => {
  test('is in the same columns in colour', () => {
    const plain = (text: string): string => stripVTControlCharacters(text).replaceAll(/ +$/gm, '')
    const coloured = gridText(WEEK, makeRenderOptions(80, { colour: true }))
    expect(coloured).toContain('\x1b[32m●')
    expect(plain(coloured)).toBe(gridText(WEEK, makeRenderOptions(80)))
  })

  test('has a column for each day and a row for each half hour between the first and the last start', () => {
    expect(gridText(WEEK, makeRenderOptions(80))).toBe(
      [
        '      Fri 20 Sat 21 Sun 22 Mon 23 Tue 24 Wed 25 Thu 26',
        '09:00 ·      ●      ·      ·      ·      ·      ·',
        '09:30 ·      ·      ·      ·      ·      ·      ·',
        '10:00 ●      ·      ·      ·      ·      ·      ·',
        '10:30 ·      ·      ·      ·      ·      ·      ●',
        '11:00 ·      ·      ·      ·      ·      ·      ·',
        '11:30 ●      ·      ·      ·      ·      ·      ·',
      ].join('\n'),
    )
  })

  test('goes on below where a terminal is narrow', () => {
    const blocks = gridText(WEEK, makeRenderOptions(40)).split('\n\n')
    expect(blocks.map((block) => block.split('\n')[0]?.trim())).toEqual([
      'Fri 20 Sat 21 Sun 22 Mon 23',
      'Tue 24 Wed 25 Thu 26',
    ])
    // Each block has only the rows that it needs.
    expect(blocks[1]).toContain('10:30 ·      ·      ●')
    expect(blocks[1]).not.toContain('09:00')
  })

  test('says so where nothing is open', () => {
    expect(gridText({ ...WEEK, days: 2, slots: [] }, makeRenderOptions(80))).toBe(
      '      Fri 20 Sat 21\n      no free starts',
    )
  })

  test('is read aloud day by day', () => {
    const spoken = gridText(WEEK, makeRenderOptions(80, { accessible: true })).split('\n')
    expect(spoken[0]).toBe('Fri 20: 10:00, 11:30')
    expect(spoken[2]).toBe('Sun 22: no free starts')
    expect(spoken).toHaveLength(7)
  })

  test('shows a start that is off the half hours of the others', () => {
    const odd = { ...WEEK, days: 1, slots: [slot('2026-11-20T10:00'), slot('2026-11-20T10:45')] }
    expect(gridText(odd, makeRenderOptions(80)).split('\n').slice(1)).toEqual([
      '10:00 ●',
      '10:30 ·',
      '10:45 ●',
    ])
  })
})

describe('the way', () => {
  test('shows who comes, how far, and what is still to come', () => {
    const text = renderTracking(presentResource(bookingPresenter, BOOKING, NOW), NOW, makeRenderOptions(80))
    expect(text).toContain('Fix a leak, Thames Pipe & Tap, £149.13')
    expect(text).toContain('● On the way       09:30')
    expect(text).toContain('Arrives about 10:00, in 15 minutes')
    expect(text).toContain('○ Completed        about 11:30')
    expect(text).toContain('Thames Pipe & Tap, 880 m from H')
  })

  test('tells at its end what was done, or what is paid back', () => {
    const done = renderTracking(
      presentResource(
        bookingPresenter,
        {
          ...BOOKING,
          status: 'completed',
          provider_location: null,
          eta_at: null,
          completion: { summary: 'Fixed.', media: [] },
        },
        NOW,
      ),
      NOW,
      makeRenderOptions(80),
    )
    expect(done).toContain('Fixed.')
    const refund = { amount: gbp(14_913), status: 'succeeded', destination: 'original_method' } as const
    const off = presentResource(
      bookingPresenter,
      {
        ...BOOKING,
        ...partialResponse<ServiceBooking>({
          status: 'cancelled',
          provider_location: null,
          eta_at: null,
          refund,
        }),
      },
      NOW,
    )
    expect(off.isFinal).toBe(true)
    expect(off.upcoming).toEqual([])
    expect(renderTracking(off, NOW, makeRenderOptions(80))).toContain(
      'Refund of £149.13 to original method: succeeded',
    )
  })

  test('is one line for each change in a pipe', () => {
    const lines = listTrackingChanges(presentResource(bookingPresenter, BOOKING, NOW), 1, null, '').map(
      (change) => changeLine(change, { tty: false, width: 80, colour: false }),
    )
    expect(lines).toHaveLength(1)
    expect(lines[0]?.split('\t').slice(1)).toEqual(['en_route', 'by provider'])
  })
})

test('the bill of a job without a start says so, and of a nameless place too', () => {
  const text = quoteText(
    { ...QUOTE, starts_at: null, place: { location: { latitude: 51.5, longitude: 0 } } },
    makeRenderOptions(80),
  )
  expect(text).toContain('1 h 30 min at your address, at a time to be agreed')
})

test.each([
  [45, '45 min'],
  [60, '1 h'],
  [150, '2 h 30 min'],
])('%i minutes are %s', (minutes, words) => {
  expect(formatMinutes(minutes)).toBe(words)
})

test('an offer says by what it is priced', () => {
  const offer = {
    service_code: 'fix_leak',
    name: 'Fix a leak',
    description: '',
    pricing: { model: 'hourly' as const, price: gbp(6800), minimum_minutes: 60, callout_fee: gbp(4500) },
    default_duration_minutes: 90,
    buffer_minutes: 0,
    slot_required: false,
  }
  expect(offerPrice(offer)).toBe('£68.00 an hour, from 1 h and £45.00 call-out')
  const fixed = { ...offer.pricing, model: 'fixed' as const, callout_fee: gbp(0) }
  expect(offerPrice({ ...offer, pricing: fixed })).toBe('£68.00 for 1 h 30 min')
})

test('names cannot draw on the terminal', () => {
  for (const name of HOSTILE) {
    const quote = { ...QUOTE, provider_name: name, service_name: name, cancellation_policy: name }
    expect(quoteText(quote, makeRenderOptions(80))).not.toMatch(FORBIDDEN)
    const provider = { name }
    const place = { ...BOOKING.place, name }
    const booking = partialResponse<ServiceBooking>({ ...BOOKING, provider, service_name: name, place })
    expect(
      renderTracking(presentResource(bookingPresenter, booking, NOW), NOW, makeRenderOptions(80)),
    ).not.toMatch(FORBIDDEN)
  }
})
