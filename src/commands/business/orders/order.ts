/** A store's order as the commands read it (`contract.md` B8), and what the store can do with it. */
import { canMoveOrder } from '../../../areas/orders/states.ts'
import type { OrderAction, OrderStatus } from '../../../areas/orders/states.ts'
import type { Answer } from '../../../client/operations.ts'

/** Its history is not in lists. */
export type Order = Answer<'list_business_orders'>['data'][number] &
  Partial<Pick<Answer<'get_business_order'>, 'status_history'>>

export const VERBS = ['accept', 'prepare', 'ready', 'complete', 'reject'] as const
/** The action of a command or a key. */
export type Verb = (typeof VERBS)[number]

type ActionText = {
  operation: string
  /** Its word in `allowed_actions`. */
  action: OrderAction
  to: OrderStatus
  /** `Accepting A1B2`. */
  doing: string
}

export const ACTION_TEXTS: Readonly<Record<Verb, ActionText>> = {
  accept: { operation: 'accept_business_order', action: 'accept', to: 'accepted', doing: 'Accepting' },
  prepare: {
    operation: 'start_business_order_prep',
    action: 'preparing',
    to: 'preparing',
    doing: 'Starting',
  },
  ready: { operation: 'mark_business_order_ready', action: 'ready', to: 'ready', doing: 'Marking ready' },
  complete: {
    operation: 'complete_business_order',
    action: 'complete',
    to: 'completed',
    doing: 'Completing',
  },
  reject: { operation: 'reject_business_order', action: 'reject', to: 'rejected', doing: 'Rejecting' },
}

/** Whether it is worth asking the service: a state from which the states allow it, whatever else may stand against it. */
export function mayDo(verb: Verb, { status, fulfillment_type }: Order): boolean {
  if (verb === 'complete' && fulfillment_type === 'delivery') return false
  return canMoveOrder(status, ACTION_TEXTS[verb].to)
}
