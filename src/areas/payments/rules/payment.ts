/** The types of payments and refunds (`contract.md` B2, C4), for every area. */
import type { Money } from '../../../core/money.ts'

export const PAYMENT_METHODS = ['card', 'wallet', 'cash', 'pay_at_table'] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

export const PAYMENT_STATUSES = ['unpaid', 'paid', 'refund_pending', 'refunded', 'failed'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

export const COLLECTORS = ['platform', 'store_processor'] as const
export type Collector = (typeof COLLECTORS)[number]

export const REFUND_DESTINATIONS = ['platform_wallet', 'card_via_store_processor', 'original_method'] as const
export type RefundDestination = (typeof REFUND_DESTINATIONS)[number]

export const REFUND_STATUSES = ['pending', 'succeeded', 'failed'] as const

/** Times in milliseconds of service time. */
export type Refund = {
  refund_id: string
  status: (typeof REFUND_STATUSES)[number]
  destination: RefundDestination
  amount: Money
  reason: string
  created_at: number
  settled_at: number | null
}

/** The price of a resource, and the status of its payment. Times in milliseconds of service time. */
export type Payment = {
  payment_id: string
  /** The id of the order, ride, delivery, booking or task. */
  resource_id: string
  account_id: string
  method: PaymentMethod
  status: PaymentStatus
  collected_by: Collector
  amount: Money
  created_at: number
  paid_at: number | null
  refund: Refund | null
}
