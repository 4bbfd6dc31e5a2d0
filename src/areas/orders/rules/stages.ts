/** The stages of an active order, and what its store does with it: one model for a terminal's board and the kitchen page. */
import type { OrderAction, OrderStatus } from '../states.ts'

/** The columns or headings, in the order in which an order goes through them. */
export const ORDER_STAGES = [
  { status: 'placed', title: 'New' },
  { status: 'accepted', title: 'To make' },
  { status: 'preparing', title: 'Cooking' },
  { status: 'ready', title: 'Ready' },
  { status: 'out_for_delivery', title: 'On the way' },
] as const satisfies readonly { status: OrderStatus; title: string }[]

export const ORDER_VERBS = ['accept', 'prepare', 'ready', 'complete', 'reject'] as const
/** The action of a command, a key or a button. */
export type OrderVerb = (typeof ORDER_VERBS)[number]

type VerbTexts = {
  /** Its word in `allowed_actions`. */
  action: OrderAction
  to: OrderStatus
  /** The button. */
  label: string
  /** `Accepting A1B2`. */
  doing: string
  /** As in "cannot be …" and "was not …". */
  done: string
}

export const ORDER_VERB_TEXTS = {
  accept: {
    operation: 'accept_business_order',
    action: 'accept',
    to: 'accepted',
    label: 'Accept',
    doing: 'Accepting',
    done: 'accepted',
  },
  prepare: {
    operation: 'start_business_order_prep',
    action: 'preparing',
    to: 'preparing',
    label: 'Start',
    doing: 'Starting',
    done: 'started',
  },
  ready: {
    operation: 'mark_business_order_ready',
    action: 'ready',
    to: 'ready',
    label: 'Ready',
    doing: 'Marking ready',
    done: 'marked ready',
  },
  complete: {
    operation: 'complete_business_order',
    action: 'complete',
    to: 'completed',
    label: 'Complete',
    doing: 'Completing',
    done: 'completed',
  },
  reject: {
    operation: 'reject_business_order',
    action: 'reject',
    to: 'rejected',
    label: 'Reject',
    doing: 'Rejecting',
    done: 'rejected',
  },
} as const satisfies Readonly<Record<OrderVerb, VerbTexts & { operation: string }>>

/**
 * Returns what became of an order, as board, kitchen page and typed lines say it: `7K2M is ready.`,
 * `7K2M is rejected and refunded: item unavailable.` Names come as the service gives them.
 */
export function formatOrderState({
  display_number,
  status,
  rejection,
  refund,
}: {
  display_number: string
  status: OrderStatus
  rejection: { reason_code: string } | null
  refund: object | null
}): string {
  const back = status === 'rejected' && refund !== null ? ' and refunded' : ''
  const why = rejection === null ? '' : `: ${rejection.reason_code.replaceAll('_', ' ')}`
  return `${display_number} is ${status.replaceAll('_', ' ')}${back}${why}.`
}

/** Returns the past participle for an action: `marked ready`. */
export function doneWords(wanted: OrderAction): string {
  return Object.values(ORDER_VERB_TEXTS).find(({ action }) => action === wanted)?.done ?? wanted
}
