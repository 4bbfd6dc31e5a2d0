/** A store's order as the commands read it, and what the store can do with it. */
import { ORDER_VERB_TEXTS, type OrderVerb } from '../../../areas/orders/rules/stages.ts'
import { canMoveOrder } from '../../../areas/orders/states.ts'
import type { OperationOutput } from '../../../client/operations.ts'

/** Its history is not in lists. */
export type BusinessOrderOutput = OperationOutput<'list_business_orders'>['data'][number] &
  Partial<Pick<OperationOutput<'get_business_order'>, 'status_history'>>

/** Returns whether it is worth asking the service: a state from which the states allow it, whatever else may stand against it. */
export function mayDo(verb: OrderVerb, { status, fulfillment_type }: BusinessOrderOutput): boolean {
  if (verb === 'complete' && fulfillment_type === 'delivery') return false
  return canMoveOrder(status, ORDER_VERB_TEXTS[verb].to)
}
