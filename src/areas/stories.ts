/** The story of every resource with a life, loaded when it is first told. */
import type { AnyStory } from '../core/story.ts'
import type { LivingName } from '../generated/resources.ts'

export const STORIES: Readonly<Record<LivingName, () => Promise<AnyStory>>> = {
  food_order: () => import('./food/story.ts').then((m) => m.foodOrderStory),
  ride: () => import('./rides/story.ts').then((m) => m.rideStory),
  delivery: () => import('./delivery/story.ts').then((m) => m.deliveryStory),
  shipment: () => import('./carrier/story.ts').then((m) => m.shipmentStory),
  booking: () => import('./services/story.ts').then((m) => m.bookingStory),
  task: () => import('./tasks/story.ts').then((m) => m.taskStory),
  store_order: () => import('./business/story.ts').then((m) => m.storeOrderStory),
}
