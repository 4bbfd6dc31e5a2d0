import { isOrderOver } from '../../../areas/orders/states.ts'
import type { Progress } from '../../../cli/track/journey.ts'
import type { Order } from './order.ts'

/** How far an order is, as its store sees it. */
export function toStoreProgress({ display_number, status, status_history = [] }: Order): Progress {
  return {
    name: `Order ${display_number}`,
    status,
    over: isOrderOver(status),
    history: status_history,
    role: 'courier',
    mover: null,
  }
}
