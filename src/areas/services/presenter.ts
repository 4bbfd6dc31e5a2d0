/** A booking from the request to the finished work. */
import type { Static } from 'typebox'
import { formatGroupedMoney } from '../../core/money.ts'
import { type Place, findPlacePoint } from '../../core/places/place.ts'
import {
  type Arrival,
  type Bill,
  type BillLine,
  type CalendarVisit,
  definePresenter,
  type Receipt,
  type RouteMap,
  type RichText,
} from '../../core/presenter.ts'
import { formatMinutes } from '../../core/time.ts'
import {
  formatPurchaseCharge,
  goodwillNotes,
  pricedLines,
  refundNotes,
  receiptTotals,
  walletNotes,
} from '../payments/presenter.ts'
import { BOOKING } from './resource.ts'
import type { ServiceLine } from './rules.ts'
import type { serviceBooking, serviceQuoteSchema } from './schema.ts'

type ServiceBooking = Static<typeof serviceBooking>
type ServiceQuote = Static<typeof serviceQuoteSchema>

export const bookingPresenter = definePresenter<ServiceBooking, ServiceQuote>(BOOKING, {
  states: {
    requested: { now: 'Waiting for the provider', done: 'Requested' },
    confirmed: { now: 'Confirmed' },
    declined: { now: 'Declined by the provider' },
    en_route: { now: 'On the way', mood: 'moving' },
    arrived: { now: 'At the door', mood: 'moving' },
    in_progress: { now: 'At work', done: 'Work started', mood: 'moving' },
    completed: { now: 'Completed' },
    no_show: { now: 'No answer at the door' },
    cancelled: { now: 'Cancelled' },
  },
  path: ['requested', 'confirmed', 'en_route', 'arrived', 'in_progress', 'completed'],
  reasons: {
    not_answered_in_time: 'The provider did not respond in time.',
    provider_declined: 'The provider declined.',
    provider_unavailable: 'The provider cannot come.',
    provider_no_show: 'The provider did not come.',
    moved: 'The start was moved.',
    no_free_slot: 'The provider has no free time in that window.',
    customer_absent: 'No one opened the door.',
  },
  workerField: { member: 'provider', role: 'Provider' },
  name: ({ service_name, provider }) => `${service_name} by ${provider.name}`,
  title: (booking, isLost) =>
    `${booking.service_name}, ${booking.provider.name}, ${formatPurchaseCharge(booking, isLost)}`,
  publicTitle: ({ service_name }) => service_name,
  expectedTimes: ({ slot }) => ({ arrived: slot?.starts_at ?? null, completed: slot?.ends_at ?? null }),
  arrival: arrivalOf,
  // The name on its offers, which every account finds.
  worker: ({ provider: { name } }) => ({ name, firm: true, vehicle: null }),
  routeMap: mapOf,
  notes: (booking) => [
    ...(booking.completion === null ? [] : [booking.completion.summary]),
    ...refundNotes(booking),
    ...goodwillNotes(booking),
    ...problemHint(booking),
    ...walletNotes(booking),
  ],
  price: billOf,
  receipt: receiptOf,
  calendar: calendarOf,
})

function arrivalOf({ status, eta_at, en_route_at, slot, arrival_window }: ServiceBooking): Arrival | null {
  if (status === 'en_route')
    return eta_at === null ? null : { words: 'Arrives about', at: eta_at, since: en_route_at }
  const planned = slot ?? arrival_window
  if ((status !== 'requested' && status !== 'confirmed') || planned === null) return null
  return { words: 'Planned for', at: planned.starts_at, until: planned.ends_at }
}

/** The route is of interest while a provider is on it. */
function mapOf({ status, place, provider, provider_location: at }: ServiceBooking): RouteMap | null {
  const door = findPlacePoint(place)
  if (status !== 'en_route' || at === null || door === undefined) return null
  return {
    places: [{ point: door, mark: 'H', label: place.name ?? 'your address' }],
    mover: { point: at, bearing: null, label: provider.name, to: 'H' },
    shared: { door, words: 'Address', person: provider.name },
  }
}

const LINES: Readonly<Record<ServiceLine['type'], string>> = {
  labour: 'Labour',
  callout: 'Call-out',
  travel: 'Travel',
}

function receiptOf(booking: ServiceBooking, isLost: boolean): Receipt {
  const { service_name, provider, price, lines, tax_included, place } = booking
  return {
    head: [{ name: service_name }, ' by ', { name: provider.name }],
    about: [[...whereText(place), `, ${formatMinutes(booking.duration_minutes)}`]],
    lines: pricedLines(lines, LINES, { label: [{ name: service_name }], amount: price }),
    added: [],
    total: price,
    included: [{ label: 'VAT', amount: tax_included }],
    ...receiptTotals(booking, isLost, notCharged(booking)),
    made: booking.created_at,
  }
}

/** A missed visit gives something to whoever reports it. */
function problemHint({ booking_id, cancellation, problems }: ServiceBooking): string[] {
  return cancellation?.reason_code === 'provider_no_show' && problems.length === 0
    ? [
        `The provider did not come. Within 48 hours: dray services problem ${booking_id} --reason provider_no_show`,
      ]
    : []
}

/** What a card that had not settled was never charged: a late cancellation keeps a part of the price. */
function notCharged({ price, payment: { amount } }: ServiceBooking): BillLine[] {
  const off = { ...price, amount: amount.amount - price.amount }
  return off.amount === 0 ? [] : [{ label: 'Not charged', amount: off }]
}

const CALLED_OFF: readonly string[] = ['cancelled', 'declined']

/** A move and a cancellation are new versions of the entry. */
function calendarOf(booking: ServiceBooking): CalendarVisit | null {
  const { booking_id, status, slot, service_name, provider, place, price, status_history, updated_at } =
    booking
  if (slot === null) return null
  const isCalledOff = CALLED_OFF.includes(status)
  const moves = status_history.filter(({ reason }) => reason === 'moved').length
  const { line1, city, postal_code } = place.address ?? {}
  return {
    entry: {
      id: booking_id,
      sequence: moves + Number(isCalledOff),
      updated_at,
      ...slot,
      status: isCalledOff ? 'CANCELLED' : 'CONFIRMED',
      summary: `${service_name}, ${provider.name}`,
    },
    details: {
      location: [place.name, line1, city, postal_code].filter((part) => part !== undefined).join(', '),
      description: `Booking ${booking_id}, ${formatGroupedMoney(price)}.\n${booking.cancellation_policy}`,
    },
  }
}

function billOf(quote: ServiceQuote): Bill {
  const { starts_at, place, created_at } = quote
  const when: RichText = starts_at === null ? ['at a time to be agreed'] : ['from ', { at: starts_at }]
  return {
    head: [{ name: quote.service_name }, ' by ', { name: quote.provider_name }],
    about: [[`${formatMinutes(quote.duration_minutes)} `, ...whereText(place), ', ', ...when]],
    lines: quote.lines.map(({ type, amount }) => ({ label: LINES[type], amount })),
    added: [],
    total: quote.total,
    included: [{ label: 'VAT', amount: quote.tax_included }],
    notes: [[{ name: quote.cancellation_policy }]],
    made: created_at,
  }
}

function whereText(place: Place): readonly Exclude<RichText, string>[number][] {
  return place.address === undefined && place.name === undefined ? ['at your address'] : ['at ', { place }]
}
