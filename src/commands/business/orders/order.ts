/** A store's order as the commands read it (`contract.md` B8), and what the store can do with it. */
import type { FulfillmentType } from '../../../areas/merchants/rules.ts'
import { acceptDeadline } from '../../../areas/orders/rules/accept-deadline.ts'
import { canMoveOrder } from '../../../areas/orders/states.ts'
import type { OrderAction, OrderStatus } from '../../../areas/orders/states.ts'
import type { PaymentMethod, PaymentStatus } from '../../../areas/payments/rules/payment.ts'
import type { Discount, Fee, OrderLine, TaxLine } from '../../../areas/payments/rules/price.ts'
import type { Money } from '../../../core/money.ts'

/** Instants as they travel: RFC 3339. */
export type Order = {
  order_id: string
  display_number: string
  merchant_id: string
  status: OrderStatus
  fulfillment_type: FulfillmentType
  customer: { first_name: string; phone_masked: string | null; orders_count: number }
  lines: (OrderLine & { sku: string | null })[]
  subtotal: Money
  fees: Fee[]
  discounts: Discount[]
  taxes: TaxLine[]
  total: Money
  notes: string | null
  payment: { method: PaymentMethod; status: PaymentStatus; collected_by: string }
  refund: { status: string; destination: string; amount: Money } | null
  table: {
    table_number: string
    party_size: number | null
    check: { status: 'open' | 'closed'; balance: Money | null } | null
  } | null
  slot: { starts_at: string; ends_at: string } | null
  prep: { estimated_ready_at: string; ready_at: string | null; prep_time_minutes?: number }
  delivery: {
    delivery_id: string
    status: string
    courier: { name: string; vehicle_type: string; phone_masked: string; eta_at: string | null } | null
  } | null
  rejection: { reason_code: string; note: string | null } | null
  allowed_actions: OrderAction[]
  placed_at: string
  /** Not in lists. */
  status_history?: {
    status: OrderStatus
    at: string
    by: string
    reason: string | null
    note: string | null
  }[]
}

export const VERBS = ['accept', 'prepare', 'ready', 'complete', 'reject'] as const
/** What a command or a key says. */
export type Verb = (typeof VERBS)[number]

type Deed = {
  operation: string
  /** Its word in `allowed_actions`. */
  action: OrderAction
  to: OrderStatus
  /** `Accepting A1B2`. */
  doing: string
}

export const DEEDS: Readonly<Record<Verb, Deed>> = {
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

/** How long is left until an order that nobody accepts is rejected by itself; undefined once it is accepted. */
export function timeToAccept({ status, placed_at, slot, prep }: Order, now: number): number | undefined {
  if (status !== 'placed') return undefined
  const from = Date.parse(placed_at)
  const scheduledFor = slot === null ? null : Date.parse(slot.starts_at)
  const prepMinutes = prep.prep_time_minutes ?? 0
  return acceptDeadline({ from, scheduledFor, prepMinutes, opens: from }) - now
}

/** Whether it is worth asking the service: a state from which the states allow it, whatever else may stand against it. */
export function mayDo(verb: Verb, { status, fulfillment_type }: Order): boolean {
  if (verb === 'complete' && fulfillment_type === 'delivery') return false
  return canMoveOrder(status, DEEDS[verb].to)
}
