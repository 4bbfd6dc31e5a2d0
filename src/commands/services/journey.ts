/** A booking under way: the provider who comes to the door, and works there. */
import { type BookingStatus, isBookingOver } from '../../areas/services/states.ts'
import { aheadOf, type Journey, refundNotes } from '../../cli/track/journey.ts'
import type { Answer } from '../../client/operations.ts'
import { spellMoney } from '../../core/money.ts'
import { pointOf } from '../../core/places/place.ts'

type ServiceBooking = Answer<'get_service_booking'>

/** The statuses of a successful booking. */
const PATH: readonly BookingStatus[] = [
  'requested',
  'confirmed',
  'en_route',
  'arrived',
  'in_progress',
  'completed',
]

const WORDS: Readonly<Record<BookingStatus, string>> = {
  requested: 'Requested',
  confirmed: 'Confirmed',
  declined: 'Declined',
  en_route: 'On the way',
  arrived: 'At the door',
  in_progress: 'At work',
  completed: 'Done',
  no_show: 'Nobody at home',
  cancelled: 'Cancelled',
}

export function toBookingJourney(booking: ServiceBooking): Journey {
  const { provider, status, slot, refund, completion, en_route_at, eta_at } = booking
  return {
    id: ['booking_id', booking.booking_id],
    name: `${booking.service_name} by ${provider.name}`,
    title: `${booking.service_name}, ${provider.name}, ${spellMoney(booking.price)}`,
    status,
    over: isBookingOver(status),
    history: booking.status_history,
    ahead: aheadOf(PATH, status, { arrived: slot?.starts_at ?? null, completed: slot?.ends_at ?? null }),
    word: (each) => WORDS[each as BookingStatus] ?? each,
    role: 'provider',
    mover: null,
    leg: eta_at === null ? null : { since: en_route_at, until: eta_at },
    sketch: sketchOf(booking),
    notes: [...(completion === null ? [] : [completion.summary]), ...refundNotes(refund)],
    open: null,
  }
}

/** The way is of interest while somebody is on it. */
function sketchOf({ status, place, provider, provider_location: at }: ServiceBooking): Journey['sketch'] {
  const door = pointOf(place)
  if (status !== 'en_route' || at === null || door === undefined) return null
  return {
    way: [{ point: door, mark: 'H', label: place.name ?? 'your door' }],
    vehicle: { point: at, bearing: null, label: provider.name, to: 'H' },
  }
}
