/** What can be followed after a call that creates or changes it: an order, a ride, a parcel. `--wait` reads this. */
import type { Progress } from '../cli/track/journey.ts'

export type Life = {
  /** The member that names it, in answers and in the input of `read`. */
  id: string
  /** The operation that reads it. */
  read: string
  /** The final states that are a success of the call. */
  success: readonly string[]
  /** The command that follows it. */
  track: string
  /** How far a frozen clock is to be moved for something to happen: `15m`. */
  nudge: string
  /** Loads the function that reads the progress out of an answer. */
  load(): Promise<(answer: never, now: number) => Progress>
}

const ORDER: Life = {
  id: 'order_id',
  read: 'get_food_order',
  success: ['completed'],
  track: 'dray food track',
  nudge: '15m',
  load: async () => (await import('./food/journey.ts')).toOrderJourney,
}
const STORE_ORDER: Life = {
  id: 'order_id',
  read: 'get_business_order',
  success: ['completed'],
  track: 'dray business orders show',
  nudge: '15m',
  load: async () => (await import('./business/orders/progress.ts')).toStoreProgress,
}
const RIDE: Life = {
  id: 'ride_id',
  read: 'get_ride',
  success: ['completed'],
  track: 'dray rides track',
  nudge: '5m',
  load: async () => (await import('./rides/journey.ts')).toRideJourney,
}
const DELIVERY: Life = {
  id: 'delivery_id',
  read: 'get_delivery',
  success: ['delivered'],
  track: 'dray delivery track',
  nudge: '5m',
  load: async () => (await import('./delivery/journey.ts')).toDeliveryJourney,
}
const SHIPMENT: Life = {
  id: 'tracking_number',
  read: 'get_shipment',
  success: ['delivered'],
  track: 'dray carrier track',
  nudge: '1d',
  load: async () => (await import('./carrier/progress.ts')).toShipmentProgress,
}
const BOOKING: Life = {
  id: 'booking_id',
  read: 'get_service_booking',
  success: ['completed'],
  track: 'dray services track',
  nudge: '1d',
  load: async () => (await import('./services/journey.ts')).toBookingJourney,
}
const TASK: Life = {
  id: 'task_id',
  read: 'get_task',
  success: ['completed'],
  track: 'dray tasks track',
  nudge: '15m',
  load: async () => (await import('./tasks/journey.ts')).toTaskJourney,
}

/** Who calls something off wants it called off. */
const calledOff = (life: Life, state = 'cancelled'): Life => ({ ...life, success: [state] })

const LIVES: Readonly<Record<string, Life>> = {
  place_food_order: ORDER,
  cancel_food_order: calledOff(ORDER),
  request_ride: RIDE,
  cancel_ride: calledOff(RIDE),
  request_delivery: DELIVERY,
  create_shipment: SHIPMENT,
  create_shipments_batch: SHIPMENT,
  cancel_shipment: calledOff(SHIPMENT),
  book_service: BOOKING,
  create_task: TASK,
  cancel_task: calledOff(TASK),
  accept_business_order: STORE_ORDER,
  start_business_order_prep: STORE_ORDER,
  mark_business_order_ready: STORE_ORDER,
  complete_business_order: STORE_ORDER,
  reject_business_order: calledOff(STORE_ORDER, 'rejected'),
}

/** The life that an operation begins or changes; undefined for operations without one. */
export function lifeOf(operation: string): Life | undefined {
  return LIVES[operation]
}
