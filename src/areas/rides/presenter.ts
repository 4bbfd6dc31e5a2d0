/** A ride from the request to the drop-off. */
import type { Static } from 'typebox'
import { type Money, formatGroupedMoney } from '../../core/money.ts'
import { findPlacePoint } from '../../core/places/place.ts'
import { spotOf } from '../../core/places/spot.ts'
import {
  type Arrival,
  type Bill,
  type PriceChoice,
  definePresenter,
  type AssignedWorker,
  type Receipt,
  type RouteMap,
} from '../../core/presenter.ts'
import { toTimestamp } from '../../core/time.ts'
import {
  formatPurchaseCharge,
  goodwillNotes,
  pricedLines,
  refundNotes,
  receiptTotals,
  walletNotes,
} from '../payments/presenter.ts'
import { RIDE } from './resource.ts'
import type { FareLineType } from './rules.ts'
import type { rideQuoteSchema } from './schema.ts'
import { isRideOver, type RideStatus } from './states.ts'
import type { Ride } from './views.ts'

type RideQuote = Static<typeof rideQuoteSchema>

export const ridePresenter = definePresenter<Ride, RideQuote>(RIDE, {
  states: {
    scheduled: { now: 'Scheduled' },
    processing: { now: 'Looking for a driver', done: 'Requested' },
    accepted: { now: 'Driver on the way', done: 'Driver assigned', mood: 'moving' },
    arriving: { now: 'Nearly at the pickup', mood: 'moving' },
    arrived: { now: 'At the pickup', mood: 'moving' },
    in_progress: { now: 'On the way', done: 'Ride started', mood: 'moving' },
    completed: { now: 'Arrived' },
    cancelled: { now: 'Cancelled' },
    no_drivers_available: { now: 'No driver available' },
  },
  path: ['processing', 'accepted', 'arrived', 'in_progress', 'completed'],
  reasons: {
    driver_cancelled: 'The driver could not come. Another driver is being found.',
    no_drivers_available: 'No driver was free in time.',
    driver_late: 'The driver is late.',
    rider_no_show: 'No one came to the pickup.',
  },
  workerField: { member: 'driver', role: 'Driver' },
  name: ({ ride_id }) => `Ride ${ride_id}`,
  title(ride, isLost) {
    const { tier, dropoff } = ride
    const kind = tier === 'xl' ? 'XL' : tier.charAt(0).toUpperCase() + tier.slice(1)
    const to = dropoff.address?.line1 ?? dropoff.name
    return `${kind}${to === undefined ? '' : ` to ${to}`}, ${formatPurchaseCharge(ride, isLost)}`
  },
  publicTitle: () => 'Ride',
  expectedTimes: (ride, now) => ({
    arrived: pickupAt(ride, now) ?? ride.scheduled_for,
    completed: ride.dropoff_eta_at,
  }),
  arrival: arrivalOf,
  worker: driverOf,
  routeMap: mapOf,
  notes: notesOf,
  price: billOf,
  choices: (quote) => quote.fares.map(toChoice),
  receipt: receiptOf,
})

function pickupAt({ pickup_eta_seconds: seconds }: Ride, now: number): string | null {
  return seconds === null ? null : toTimestamp(now + seconds * 1000)
}

/** To the pickup since the driver accepted, then to the drop-off since it set off. */
function arrivalOf(ride: Ride, now: number): Arrival | null {
  const { status, status_history, dropoff_eta_at, scheduled_for } = ride
  const since = (wanted: RideStatus) =>
    status_history.findLast((entry) => entry.status === wanted)?.at ?? null
  if (status === 'scheduled' && scheduled_for !== null) return { words: 'Pickup about', at: scheduled_for }
  if (status === 'accepted' || status === 'arriving') {
    const at = pickupAt(ride, now)
    return at === null ? null : { words: 'At the pickup about', at, since: since('accepted') }
  }
  if (status !== 'in_progress' || dropoff_eta_at === null) return null
  return { words: 'Arrives about', at: dropoff_eta_at, since: since('in_progress') }
}

function driverOf({ driver, vehicle }: Ride): AssignedWorker | null {
  if (driver === null) return null
  const { name, rating } = driver
  if (vehicle === null) return { name, rating, vehicle: null }
  const { make, model, colour, licence_plate } = vehicle
  return { name, rating, vehicle: `${colour} ${make} ${model}`, plate: licence_plate }
}

/** The car on the way; afterwards there is none. */
function mapOf({ pickup, stops, dropoff, vehicle_location, driver, status }: Ride): RouteMap | null {
  if (vehicle_location === null || driver === null || isRideOver(status)) return null
  const { latitude, longitude, bearing } = vehicle_location
  const aboard = status === 'in_progress'
  const door = findPlacePoint(aboard ? dropoff : pickup)
  return {
    places: [
      ...spotOf(pickup, 'P', 'pickup'),
      ...stops.flatMap((place, index) => spotOf(place, String(index + 1), `stop ${index + 1}`)),
      ...spotOf(dropoff, 'D', 'drop-off'),
    ],
    mover: {
      point: { latitude, longitude },
      bearing: status === 'arrived' ? null : bearing,
      label: driver.name,
      to: aboard ? 'D' : 'P',
    },
    shared:
      door === undefined ? null : { door, words: aboard ? 'Destination' : 'Pickup', person: driver.name },
  }
}

const BEFORE_BOARDING: readonly RideStatus[] = ['scheduled', 'processing', 'accepted', 'arriving', 'arrived']

function notesOf(ride: Ride): string[] {
  const { status, pickup_pin, cancellation, receipt } = ride
  const fee = cancellation?.fee.amount ?? 0
  const due = cancellation?.balance_due ?? null
  return [
    ...(BEFORE_BOARDING.includes(status) ? [`PIN ${pickup_pin}: tell it to the driver at the pickup.`] : []),
    ...(receipt !== null && (fee > 0 || status === 'completed')
      ? [`Charged: ${formatGroupedMoney(receipt.charged)}${fee > 0 ? ', the late cancellation fee' : ''}`]
      : []),
    ...(due === null
      ? []
      : [`Due with the next ride: ${formatGroupedMoney(due)}, the late cancellation fee`]),
    ...refundNotes(ride),
    ...goodwillNotes(ride),
    ...walletNotes(ride),
  ]
}

const LINES: Readonly<Record<FareLineType | 'cancellation_fee' | 'no_show_fee', string>> = {
  base: 'Base fare',
  distance: 'Distance',
  time: 'Time',
  booking_fee: 'Booking fee',
  surge: 'High demand',
  minimum_topup: 'Minimum fare top-up',
  balance_due: 'Due from an earlier ride',
  cancellation_fee: 'Late cancellation fee',
  no_show_fee: 'No-show fee',
}

/** The fare as it is charged at the end. A ride that was called off is charged a fee at most, and no VAT of the fare. */
function receiptOf(ride: Ride, isLost: boolean): Receipt {
  const { receipt, fare, lines, cancellation, pickup, dropoff } = ride
  const due = cancellation?.balance_due ?? null
  const settled = receiptTotals(ride, isLost)
  return {
    ...settled,
    head: ['Ride from ', { place: pickup }, ' to ', { place: dropoff }],
    about: ride.stops.map((place) => ['Stop at ', { place }]),
    lines: pricedLines(receipt?.lines ?? lines, LINES, {
      label: isLost ? 'No charge' : 'Fare',
      amount: receipt?.charged ?? fare,
    }),
    added: [],
    total: receipt?.charged ?? fare,
    included: isLost ? [] : [{ label: 'VAT', amount: ride.tax_included }],
    notes: isLost ? walletNotes(ride) : settled.notes,
    settled: [
      ...settled.settled,
      ...(due === null ? [] : [{ label: 'Due with the next ride', amount: due }]),
    ],
    made: ride.created_at,
  }
}

function billOf(quote: RideQuote, choice: string | null): Bill {
  const { pickup, dropoff, stops, scheduled_for, fares, created_at } = quote
  const fare = fares.find(({ tier }) => tier === choice)
  const kilometres = `${(quote.road_distance_m / 1000).toFixed(1)} km`
  const minutes = Math.max(1, Math.round(quote.driving_time_seconds / 60))
  const surge = fare?.surge_bps ?? Math.max(0, ...fares.map(({ surge_bps }) => surge_bps))
  const tax: Money | undefined = fare?.tax_included
  return {
    head: [
      'Ride from ',
      { place: pickup },
      ...stops.flatMap((place) => [' via ', { place }]),
      ' to ',
      { place: dropoff },
    ],
    about: [
      ...(fare === undefined ? [] : [[{ name: fare.name }, `, ${fare.capacity} seats`]]),
      [
        `${kilometres}, about ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
        ...(scheduled_for === null ? [] : [', pickup at ', { at: scheduled_for }]),
      ],
      ...(surge > 10_000 ? [`High demand: ${surge / 10_000} times the usual fare.`] : []),
    ],
    lines: (fare?.lines ?? []).map(({ type, amount }) => ({ label: LINES[type], amount })),
    added: [],
    total: fare?.fare ?? null,
    included: tax === undefined ? [] : [{ label: 'VAT', amount: tax }],
    notes: fares.length === 0 ? ['No car has enough seats.'] : [],
    made: created_at,
  }
}

function toChoice({
  tier,
  name,
  fare,
  capacity,
  available,
  pickup_eta_seconds: seconds,
}: RideQuote['fares'][number]): PriceChoice {
  const soon = seconds === null ? 'at the pickup time' : `in ${Math.max(1, Math.round(seconds / 60))} min`
  return {
    value: tier,
    name,
    price: fare,
    facts: [`${capacity} seats`, available ? soon : 'no driver now'],
  }
}
