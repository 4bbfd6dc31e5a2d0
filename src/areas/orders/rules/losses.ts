/**
 * The orders that a store lost, and the goods that each one cost it: one model for board, kitchen page, report and statement.
 * Pure, in minor units of the order's currency.
 */
import type { Money } from '../../../core/money.ts'
import { sum } from '../../payments/rules/price.ts'
import { LOST_ORDER_STATUSES, type OrderStatus, type OrderRejectReason } from '../states.ts'
import { paidOf, toPricedOrder } from './adjust.ts'
import { listOrderBookEntries, goodsOf, computeOrderParts, type PricedOrder, takenOf } from './shares.ts'

export const LOSS_REASONS = ['not_accepted_in_time', 'cancelled', 'not_delivered', 'rejected'] as const
export type LossReason = (typeof LOSS_REASONS)[number]

type EndedOrder = { status: OrderStatus; rejection: { reason_code: OrderRejectReason } | null }

/** Returns why an order was lost; undefined for every other one. `rejected` is the store's own choice. */
export function lossReasonOf({ status, rejection }: EndedOrder): LossReason | undefined {
  if (status === 'cancelled') return 'cancelled'
  if (status === 'failed') return 'not_delivered'
  if (status !== 'rejected') return undefined
  return rejection?.reason_code === 'not_accepted_in_time' ? 'not_accepted_in_time' : 'rejected'
}

/** The words for how an order was lost, on every screen of its store. */
export const LOSS_WORDS: Readonly<Record<LossReason, string>> = {
  not_accepted_in_time: 'not accepted in time',
  cancelled: 'cancelled by the customer',
  not_delivered: 'not delivered',
  rejected: 'rejected by the store',
}

/** Says how an order was lost against the will of its store; undefined for every other one. */
export function formatLossReason(order: EndedOrder): string | undefined {
  const reason = lossReasonOf(order)
  return reason === undefined || reason === 'rejected' ? undefined : LOSS_WORDS[reason]
}

/**
 * Returns the goods that the end of a lost order cost its store, less its own discounts. That is nothing where the price was
 * kept, and where the platform bears the refund: the store is paid then. Parts that were refunded before are no part of it.
 */
export function computeStoreLoss(
  sold: PricedOrder,
  payment: Parameters<typeof listOrderBookEntries>[1],
): number {
  if (payment.paid_at === null) return goodsOf(computeOrderParts(sold, takenOf(sold)))
  return sum(
    listOrderBookEntries(sold, payment).map(({ kind, before, after }) =>
      kind === 'refund' && after.goods.size === 0 ? goodsOf(before) : 0,
    ),
  )
}

type ViewedOrder = Parameters<typeof toPricedOrder>[0] & Parameters<typeof paidOf>[0] & { total: Money }

/** Returns the same of an order that was read from the service. */
export function computeViewedStoreLoss(order: ViewedOrder): Money {
  return { ...order.total, amount: computeStoreLoss(toPricedOrder(order), paidOf(order)) }
}

/** Returns the goods that these lost orders of one store cost it; undefined without any. */
export function sumLosses(lost: readonly ViewedOrder[]): Money | undefined {
  const [first, ...more] = lost.map(computeViewedStoreLoss)
  return first && { ...first, amount: first.amount + sum(more.map(({ amount }) => amount)) }
}

/** A screen that opens says what was lost among the orders of so long before. */
const LOSSES_OF_MS = 12 * 3_600_000

/** Returns the filters of a list which has all recent lost orders among others. */
export function lostFilters(now: number) {
  const status: OrderStatus[] = [...LOST_ORDER_STATUSES]
  return { status, created_from: new Date(now - LOSSES_OF_MS).toISOString(), limit: 100 }
}

/** Returns the lost orders of both lists, each once, the latest first. */
export function mergeLostOrders<T extends EndedOrder & { order_id: string; updated_at: string }>(
  before: readonly T[],
  more: readonly T[],
): T[] {
  const byId = new Map([...before, ...more].map((order) => [order.order_id, order]))
  const lost = [...byId.values()].filter((order) => formatLossReason(order) !== undefined)
  return lost.toSorted((a, b) => Date.parse(b.updated_at) - Date.parse(a.updated_at))
}
