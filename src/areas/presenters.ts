/** The presenter of every resource with a life, loaded when it is first told. */
import type { AnyPresenter } from '../core/presenter.ts'
import type { LivingName } from '../generated/resources.ts'

export const PRESENTERS: Readonly<Record<LivingName, () => Promise<AnyPresenter>>> = {
  food_order: () => import('./food/presenter.ts').then((m) => m.foodOrderPresenter),
  ride: () => import('./rides/presenter.ts').then((m) => m.ridePresenter),
  delivery: () => import('./delivery/presenter.ts').then((m) => m.deliveryPresenter),
  shipment: () => import('./carrier/presenter.ts').then((m) => m.shipmentPresenter),
  booking: () => import('./services/presenter.ts').then((m) => m.bookingPresenter),
  task: () => import('./tasks/presenter.ts').then((m) => m.taskPresenter),
  store_order: () => import('./business/presenter.ts').then((m) => m.storeOrderPresenter),
}
