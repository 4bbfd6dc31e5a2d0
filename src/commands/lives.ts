/** The things that can be followed after a call that creates or changes them: an order, a ride. */
import type { Life } from '../cli/track/life.ts'
import { wantedState } from '../core/resource.ts'
import { type LivingName, RESOURCES } from '../generated/resources.ts'

const PROGRESS: Readonly<Record<LivingName, Life['load']>> = {
  food_order: async () => (await import('./food/journey.ts')).toOrderJourney,
  ride: async () => (await import('./rides/journey.ts')).toRideJourney,
  delivery: async () => (await import('./delivery/journey.ts')).toDeliveryJourney,
  shipment: async () => (await import('./carrier/progress.ts')).toShipmentProgress,
  booking: async () => (await import('./services/journey.ts')).toBookingJourney,
  task: async () => (await import('./tasks/journey.ts')).toTaskJourney,
  store_order: async () => (await import('./business/orders/progress.ts')).toStoreProgress,
}

const NAMES = Object.keys(PROGRESS) as LivingName[]

/** Returns the resource that an operation creates or changes; undefined when it cannot be followed. */
export function lifeOf(operation: string): Life | undefined {
  for (const name of NAMES) {
    const { id, show: read, life } = RESOURCES[name]
    const success = wantedState(RESOURCES[name], operation)
    if (read !== undefined && life !== undefined && success !== undefined)
      return { id, read, success, track: life.track, nudge: life.nudge, load: PROGRESS[name] }
  }
  return undefined
}
