/** A ride on its way: who drives, in what, and where the car is. */
import { isRideOver, type RideStatus } from '../../areas/rides/states.ts'
import { aheadOf, type Journey, refundNotes } from '../../cli/track/journey.ts'
import type { Sketch } from '../../cli/track/map-text.ts'
import type { Answer } from '../../client/operations.ts'
import { spellMoney } from '../../core/money.ts'
import { pointOf } from '../../core/places/place.ts'
import { toTimestamp } from '../../core/time.ts'

type Ride = Answer<'get_ride'>

/** The statuses of a successful ride. */
const PATH: readonly RideStatus[] = [
  'scheduled',
  'processing',
  'accepted',
  'arriving',
  'arrived',
  'in_progress',
  'completed',
]

const WORDS: Readonly<Record<RideStatus, string>> = {
  scheduled: 'Scheduled',
  processing: 'Looking for one',
  accepted: 'Driver found',
  arriving: 'Nearly there',
  arrived: 'At the pickup',
  in_progress: 'On its way',
  completed: 'There',
  cancelled: 'Cancelled',
  no_drivers_available: 'Nobody drives',
}

const TO_PICKUP: readonly RideStatus[] = ['accepted', 'arriving']

/** As of `now`, the service's clock in milliseconds. */
export function toRideJourney(ride: Ride, now: number): Journey {
  const { ride_id, status, fare, dropoff } = ride
  const tier = ride.tier === 'xl' ? 'XL' : ride.tier.charAt(0).toUpperCase() + ride.tier.slice(1)
  const to = dropoff.address?.line1 ?? dropoff.name
  return {
    id: ['ride_id', ride_id],
    name: `Ride ${ride_id}`,
    title: `${tier}${to === undefined ? '' : ` to ${to}`}, ${spellMoney(fare)}`,
    status,
    over: isRideOver(status),
    history: ride.status_history,
    ahead: listAhead(ride, now),
    word: (each) => WORDS[each as RideStatus] ?? each,
    role: 'driver',
    mover: toMover(ride),
    leg: toLeg(ride, now),
    sketch: toSketch(ride),
    notes: listNotes(ride),
    open: null,
  }
}

function listAhead({ status, scheduled_for, dropoff_eta_at, ...ride }: Ride, now: number): Journey['ahead'] {
  return aheadOf(PATH, status, {
    arrived: arrivalOf(ride.pickup_eta_seconds, now) ?? scheduled_for,
    completed: dropoff_eta_at,
  })
}

function arrivalOf(seconds: number | null, now: number): string | null {
  return seconds === null ? null : toTimestamp(now + seconds * 1000)
}

function toMover({ driver, vehicle, status }: Ride): Journey['mover'] {
  if (driver === null || vehicle === null || isRideOver(status)) return null
  const { make, model, colour, licence_plate } = vehicle
  const car = `${colour} ${make} ${model}, ${licence_plate}`
  return {
    news: `${driver.name}, ${car}`,
    line: `${driver.name}, rated ${driver.rating.toFixed(1)}: ${car}`,
  }
}

/** To the pickup since the driver accepted, then to the drop-off since it set off. */
function toLeg(ride: Ride, now: number): Journey['leg'] {
  const { status, status_history: history, dropoff_eta_at } = ride
  const since = (wanted: RideStatus) => history.findLast((entry) => entry.status === wanted)?.at ?? null
  if (TO_PICKUP.includes(status)) {
    const until = arrivalOf(ride.pickup_eta_seconds, now)
    return until === null ? null : { since: since('accepted'), until }
  }
  if (status !== 'in_progress' || dropoff_eta_at === null) return null
  return { since: since('in_progress'), until: dropoff_eta_at }
}

function toSketch(ride: Ride): Sketch | null {
  const { pickup, stops, dropoff, vehicle_location: car, driver, status } = ride
  if (car === null || driver === null) return null
  const named = [
    { place: pickup, mark: 'P', label: pickup.name ?? 'pickup' },
    ...stops.map((place, index) => ({
      place,
      mark: String(index + 1),
      label: place.name ?? `stop ${index + 1}`,
    })),
    { place: dropoff, mark: 'D', label: dropoff.name ?? 'drop-off' },
  ]
  const way = named.flatMap(({ place, ...rest }) => {
    const point = pointOf(place)
    return point === undefined ? [] : [{ point, ...rest }]
  })
  const { latitude, longitude, bearing } = car
  return {
    way,
    vehicle: {
      point: { latitude, longitude },
      bearing: status === 'arrived' ? null : bearing,
      label: driver.name,
      to: status === 'in_progress' ? 'D' : 'P',
    },
  }
}

const BEFORE_BOARDING: readonly RideStatus[] = ['scheduled', 'processing', 'accepted', 'arriving', 'arrived']

function listNotes({ status, pickup_pin, cancellation, receipt, refund }: Ride): string[] {
  const fee = cancellation?.fee.amount ?? 0
  const due = cancellation?.balance_due ?? null
  return [
    ...(BEFORE_BOARDING.includes(status) ? [`PIN ${pickup_pin}: tell it to the driver at the pickup.`] : []),
    ...(receipt !== null && (fee > 0 || status === 'completed')
      ? [`Charged: ${spellMoney(receipt.charged)}${fee > 0 ? ', the fee of a late cancellation' : ''}`]
      : []),
    ...(due === null ? [] : [`Owed with the next ride: ${spellMoney(due)}, the fee of a late cancellation`]),
    ...refundNotes(refund),
  ]
}
