/** The things that can be followed after a call that creates or changes them: an order, a ride. `--wait` reads this. */
import type { Progress } from '../cli/track/journey.ts'
import { type Life as ResourceLife, wantedState } from '../core/resource.ts'
import { type LivingName, RESOURCES } from '../generated/resources.ts'

/** A resource that can be waited for, as an operation leaves it. */
export type Life = Pick<ResourceLife, 'track' | 'nudge'> & {
  /** The member that names it, in answers and in the input of `read`. */
  id: string
  /** The operation that reads it. */
  read: string
  /** The final state that is a success of the call. */
  success: string
  /** Loads the function that reads the progress out of an answer. */
  load: LoadProgress
}

type LoadProgress = () => Promise<(answer: never, now: number) => Progress>

const PROGRESS: Readonly<Record<LivingName, LoadProgress>> = {
  food_order: async () => (await import('./food/journey.ts')).toOrderJourney,
  ride: async () => (await import('./rides/journey.ts')).toRideJourney,
  delivery: async () => (await import('./delivery/journey.ts')).toDeliveryJourney,
  shipment: async () => (await import('./carrier/progress.ts')).toShipmentProgress,
  booking: async () => (await import('./services/journey.ts')).toBookingJourney,
  task: async () => (await import('./tasks/journey.ts')).toTaskJourney,
  store_order: async () => (await import('./business/orders/progress.ts')).toStoreProgress,
}

const NAMES = Object.keys(PROGRESS) as LivingName[]

/** The life that an operation begins or changes; undefined for operations without one. */
export function lifeOf(operation: string): Life | undefined {
  for (const name of NAMES) {
    const { id, show: read, life } = RESOURCES[name]
    const success = wantedState(RESOURCES[name], operation)
    if (read !== undefined && life !== undefined && success !== undefined)
      return { id, read, success, track: life.track, nudge: life.nudge, load: PROGRESS[name] }
  }
  return undefined
}
