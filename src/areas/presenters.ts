/** The story of every resource with a life, loaded when it is first told. */
import type { AnyStory } from '../core/presenter.ts'
import type { LivingName } from '../generated/resources.ts'

export const STORIES: Readonly<Record<LivingName, () => Promise<AnyStory>>> = {
  food_order: () => import('./food/presenter.ts').then((m) => m.foodOrderStory),
  ride: () => import('./rides/presenter.ts').then((m) => m.rideStory),
  delivery: () => import('./delivery/presenter.ts').then((m) => m.deliveryStory),
  shipment: () => import('./carrier/presenter.ts').then((m) => m.shipmentStory),
  booking: () => import('./services/presenter.ts').then((m) => m.bookingStory),
  task: () => import('./tasks/presenter.ts').then((m) => m.taskStory),
  store_order: () => import('./business/presenter.ts').then((m) => m.storeOrderStory),
}
