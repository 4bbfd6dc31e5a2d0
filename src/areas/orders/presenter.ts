/** An order from the basket to the door, the counter or the table: one presenter for its customer and its store. */
import type { StateWords, Presenter } from '../../core/presenter.ts'
import { COURIER_REASONS } from '../couriers/presenter.ts'
import { AUTO_ACCEPT_REASON, type OrderStatus } from './states.ts'

type Fulfillment = 'delivery' | 'pickup' | 'dine_in'

type Order = { status: OrderStatus; fulfillment_type: Fulfillment; display_number: string }

/** The words for a completed order. */
export const ORDER_DONE: Readonly<Record<Fulfillment, string>> = {
  delivery: 'Delivered',
  pickup: 'Collected',
  dine_in: 'Served',
}

const PATH: readonly OrderStatus[] = [
  'placed',
  'accepted',
  'preparing',
  'ready',
  'out_for_delivery',
  'completed',
]

type SharedPresenterKey = 'states' | 'path' | 'reasons' | 'workerField' | 'name'

/** The part of the presenter that both sides share. */
export const ORDER_PRESENTER = {
  states: {
    placed: { now: 'Waiting for the store', done: 'Placed' },
    accepted: { now: 'Accepted by the store', done: 'Accepted' },
    preparing: { now: 'Being prepared' },
    ready: ({ fulfillment_type: type }): StateWords =>
      type === 'delivery' ? { now: 'Ready' } : { now: 'Ready for you', done: 'Ready' },
    out_for_delivery: { now: 'On its way', mood: 'moving' },
    completed: ({ fulfillment_type: type }): StateWords => ({ now: ORDER_DONE[type] }),
    rejected: { now: 'Not accepted by the store' },
    cancelled: { now: 'Cancelled' },
    failed: { now: 'Could not be delivered' },
  },
  path: ({ fulfillment_type: type }) =>
    type === 'delivery' ? PATH : PATH.filter((status) => status !== 'out_for_delivery'),
  reasons: {
    ...COURIER_REASONS,
    [AUTO_ACCEPT_REASON]: 'The store accepts orders automatically.',
    not_accepted_in_time: 'The store did not respond in time.',
    item_unavailable: 'Something was sold out.',
    store_closed: 'The store is closed.',
    too_busy: 'The store is too busy.',
    cannot_fulfil_note: 'The store cannot follow the note.',
    price_error: 'A price was wrong.',
    customer_absent: 'No one opened the door.',
  },
  workerField: { member: 'courier', role: 'Courier' },
  name: ({ display_number }) => `Order ${display_number}`,
} as const satisfies Pick<Presenter<Order, never>, SharedPresenterKey>
