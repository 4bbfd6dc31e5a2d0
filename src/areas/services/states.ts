/** The statuses of a service booking and its moves (docs/rules/services.md#the-statuses-of-a-booking). */
export const BOOKING_STATUSES = [
  'requested',
  'confirmed',
  'declined',
  'en_route',
  'arrived',
  'in_progress',
  'completed',
  'no_show',
  'cancelled',
] as const
export type BookingStatus = (typeof BOOKING_STATUSES)[number]

const MOVES: Readonly<Record<BookingStatus, readonly BookingStatus[]>> = {
  requested: ['confirmed', 'declined', 'cancelled'],
  confirmed: ['en_route', 'cancelled'],
  declined: [],
  en_route: ['arrived', 'cancelled'],
  arrived: ['in_progress', 'no_show', 'cancelled'],
  in_progress: ['completed'],
  completed: [],
  no_show: [],
  cancelled: [],
}

/** Returns true if a booking may move from one status to the other. */
export function canMoveBooking(from: BookingStatus, to: BookingStatus): boolean {
  return MOVES[from].includes(to)
}

/** The statuses in which the customer may cancel: until work begins. */
const CANCELLABLE: readonly BookingStatus[] = ['requested', 'confirmed', 'en_route', 'arrived']

export function isBookingCancellable(status: BookingStatus): boolean {
  return CANCELLABLE.includes(status)
}

export const BOOKING_CANCEL_REASONS = [
  'changed_plans',
  'booked_by_mistake',
  'taking_too_long',
  'wrong_address',
  'other',
] as const
export type BookingCancelReason = (typeof BOOKING_CANCEL_REASONS)[number]

/** Returns true when no status can follow. */
export function isBookingOver(status: BookingStatus): boolean {
  return MOVES[status].length === 0
}

export const SERVICE_CATEGORIES = [
  'cleaning',
  'plumbing',
  'electrical',
  'handyman',
  'gardening',
  'beauty',
  'pet_care',
  'tutoring',
] as const
export type ServiceCategory = (typeof SERVICE_CATEGORIES)[number]

/** The times of a booking, and of its quote, that people are told. */
export const BOOKING_TIMES = [
  'slot.starts_at',
  'slot.ends_at',
  'preferred_window.starts_at',
  'preferred_window.ends_at',
  'arrival_window.starts_at',
  'arrival_window.ends_at',
  'eta_at',
] as const
export const BOOKING_QUOTE_TIMES = [
  'starts_at',
  'estimated_arrival_window.starts_at',
  'estimated_arrival_window.ends_at',
] as const

export const BOOKING_PROBLEM_REASONS = ['provider_no_show', 'other'] as const
export type BookingProblemReason = (typeof BOOKING_PROBLEM_REASONS)[number]
