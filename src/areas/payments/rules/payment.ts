/** The types of payments and refunds, for every area. */
import type { Money } from '../../../core/money.ts'

export const PAYMENT_METHODS = ['card', 'wallet', 'cash', 'pay_at_table'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/**
 * The methods that pay for a ride, a delivery, a visit and a task. A store has its own for its orders. Nobody is at the
 * place of a task, and a visit is paid at once, so neither takes cash.
 */
export const PAYMENT_METHODS_BY_KIND = {
  ride: ['card', 'wallet', 'cash'],
  delivery: ['card', 'wallet', 'cash'],
  booking: ['card', 'wallet'],
  task: ['card', 'wallet'],
} as const satisfies Record<string, readonly PaymentMethod[]>

export const PAYMENT_STATUSES = [
  'unpaid',
  'paid',
  'partially_refunded',
  'refund_pending',
  'refunded',
  'failed',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

export const COLLECTORS = ['platform', 'store_processor', 'store'] as const
export type Collector = (typeof COLLECTORS)[number]

export const REFUND_DESTINATIONS = ['platform_wallet', 'card_via_store_processor', 'original_method'] as const
export type RefundDestination = (typeof REFUND_DESTINATIONS)[number]

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const

export const REFUND_BEARERS = ['store', 'platform'] as const

/** Times in milliseconds of service time. */
export type Refund = {
  refund_id: string
  status: (typeof REFUND_STATUSES)[number]
  destination: RefundDestination
  amount: Money
  reason: string
  /** The one that it costs the goods, where a store sold something. */
  borne_by: (typeof REFUND_BEARERS)[number] | null
  /** The change of what the store is due; null where none was posted. */
  share: number | null
  created_at: number
  settled_at: number | null
}

/** The price of a resource, and the status of its payment. Times in milliseconds of service time. */
export type Payment = {
  payment_id: string
  /** The id of the order, ride, delivery, booking or task. */
  resource_id: string
  account_id: string
  /** The store, where one sold something. */
  merchant_id: string | null
  method: PaymentMethod
  status: PaymentStatus
  collected_by: Collector
  amount: Money
  created_at: number
  paid_at: number | null
  /** The change of what the store is due, by the capture; null where none was posted. */
  share: number | null
  /** Oldest first. In sum they are at most the amount, without those that failed. */
  refunds: readonly Refund[]
}

/** The statuses of a payment of which something is kept, so that what was bought may go on. */
const PAID_STATUSES = ['paid', 'partially_refunded'] as const satisfies readonly PaymentStatus[]

/**
 * Returns whether the resource is paid. Each rule asks here, because a fee or a part may be all that was kept
 * (docs/rules/money.md#partly-refunded-counts-as-paid).
 */
export function countsAsPaid({ status }: { status: PaymentStatus }): boolean {
  return (PAID_STATUSES as readonly PaymentStatus[]).includes(status)
}

/** Returns whether work waits for a card that has not settled yet. */
export function isAwaited({ method, status }: { method: PaymentMethod; status: PaymentStatus }): boolean {
  return method === 'card' && status === 'unpaid'
}

type RefundAmount = { amount: Money; status: Refund['status'] }
type RefundedResource<R> = { refund?: R | null; refunds?: readonly R[] }
type PaidResource = RefundedResource<RefundAmount> & { payment: { amount: Money } }

/** Returns all refunds of a resource. A service from before there were several sends the latest alone. */
export function refundsOf<R>({ refund = null, refunds }: RefundedResource<R>): readonly R[] {
  return refunds ?? (refund === null ? [] : [refund])
}

/** Returns the status of a paid payment once something of it was refunded, or is on its way. A failed refund gave nothing. */
export function statusWithRefunds(
  { amount }: { amount: Money },
  refunds: readonly RefundAmount[],
): PaymentStatus {
  const back = refundedOf(refunds)
  if (back < amount.amount) return back > 0 ? 'partially_refunded' : 'paid'
  return refunds.some(({ status }) => status === 'pending') ? 'refund_pending' : 'refunded'
}

/** Returns what is kept of a paid price: all but its refunds, which may be pending. */
export function netPaid(sold: PaidResource): Money {
  const { amount } = sold.payment
  return { ...amount, amount: amount.amount - refundedOf(refundsOf(sold)) }
}

/** Returns what an order is charged: all that is kept; before the payment, what is to be paid. `isLost`: it ended without its goods. */
export function orderCharge(
  sold: PaidResource & { payment: { status: PaymentStatus } },
  isLost: boolean,
): Money {
  const { status, amount } = sold.payment
  return status === 'failed' || (status === 'unpaid' && isLost) ? { ...amount, amount: 0 } : netPaid(sold)
}

/** Returns the charge of an order as it is read. A service from before says it by payment and refunds alone. */
export function chargeOf(order: PaidResource & { charged?: Money }): Money {
  return order.charged ?? netPaid(order)
}

/**
 * Returns what goes back when a resource is rejected or cancelled in full
 * (docs/rules/money.md#one-refund-ends-a-purchase): all that is kept. Undefined where nothing was
 * paid, and where nothing is kept.
 */
export function refundable(sold: PaidResource & { payment: { status: PaymentStatus } }): Money | undefined {
  return countsAsPaid(sold.payment) ? netPaid(sold) : undefined
}

/** Returns the sum of the refunds that did not fail; undefined without any. */
export function refundedSum(refunds: readonly RefundAmount[]): Money | undefined {
  const given = refunds.filter(({ status }) => status !== 'failed')
  const [first] = given
  return first && { ...first.amount, amount: refundedOf(given) }
}

function refundedOf(refunds: readonly RefundAmount[]): number {
  return refunds.reduce((sum, { amount, status }) => (status === 'failed' ? sum : sum + amount.amount), 0)
}
