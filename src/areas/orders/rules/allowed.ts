/** The actions that an order allows now, and the errors for the others. Pure. */
import { AppError } from '../../../core/errors.ts'
import { formatMoney } from '../../../core/money.ts'
import { countsAsPaid, type Payment } from '../../payments/rules/payment.ts'
import type { OrderRecord } from '../queries/orders.ts'
import { isOrderOver, ORDER_ACTIONS, type OrderAction, type OrderStatus } from '../states.ts'
import { type AdjustmentKind, unitsLeft } from './adjust.ts'
import { doneWords } from './stages.ts'
import { withQuestions } from './substitution.ts'

const FROM: Readonly<Record<OrderAction, readonly OrderStatus[]>> = {
  accept: ['placed'],
  preparing: ['accepted'],
  ready: ['accepted', 'preparing'],
  complete: ['accepted', 'preparing', 'ready'],
  reject: ['placed', 'accepted', 'preparing', 'ready'],
}

const CANCELLABLE: readonly OrderStatus[] = ['placed', 'accepted']

/** Returns whether preparation may begin: orders by card or wallet must be paid first. */
export function canStartPreparation(payment: Payment): boolean {
  const { method } = payment
  return (method !== 'card' && method !== 'wallet') || countsAsPaid(payment)
}

/** Returns why a store may not do this to the order now. It checks type, status, check and payment, in that order. */
export function findRefusal(action: OrderAction, order: OrderRecord, payment: Payment): AppError | undefined {
  const { status, doc } = order
  const name = `Order ${order.display_number}`
  if (action === 'complete' && order.fulfillment_type === 'delivery') {
    return new AppError(
      'fulfillment_type_mismatch',
      `${name} is for delivery: its courier completes it, not the store.`,
      { extra: { current_status: status } },
    )
  }
  if (!FROM[action].includes(status)) {
    return new AppError('invalid_state', `${name} is ${status}: it cannot be ${doneWords(action)} now.`, {
      extra: { current_status: status, allowed_statuses: FROM[action] },
    })
  }
  if ((action === 'ready' || action === 'complete') && hangsOnAnswer(doc)) {
    return new AppError(
      'invalid_state',
      `${name} is nothing but a replacement that its customer is asked about.`,
      {
        extra: { current_status: status },
        hint: 'Wait for the answer, at most five minutes, or reject the order.',
      },
    )
  }
  if (action === 'complete' && doc.check?.status === 'open') {
    const { check_id, balance } = doc.check
    return new AppError(
      'table_check_open',
      `The table bill of ${name} is open, with ${formatMoney(balance)} to pay.`,
      {
        extra: { check_id, balance },
        hint: `\`dray business table ${doc.table?.table_number ?? ''} --pay\` settles the bill of the table; then complete the order.`,
      },
    )
  }
  if ((action === 'accept' || action === 'complete') && !canStartPreparation(payment)) {
    return new AppError(
      'payment_required',
      `${name} is not paid yet: its ${payment.method} payment is ${payment.status}.`,
      { hint: 'Try again once the payment is settled.' },
    )
  }
  return undefined
}

/** Returns whether nothing is left of an order unless its customer says yes to what is asked. */
function hangsOnAnswer({ questions = [], ...doc }: OrderRecord['doc']): boolean {
  return questions.length > 0 && unitsLeft(withQuestions({ ...doc, questions })) === 0
}

/** Returns the actions that a store may do with the order now. */
export function allowedActions(order: OrderRecord, payment: Payment): OrderAction[] {
  return ORDER_ACTIONS.filter((action) => findRefusal(action, order, payment) === undefined)
}

/** Returns whether the customer may cancel the order now. */
export function isOrderCancellable({ status }: Pick<OrderRecord, 'status'>): boolean {
  return CANCELLABLE.includes(status)
}

const DAY_MS = 86_400_000
/**
 * The time after the end of an order in which the store may refund a part of it
 * (docs/rules/food-and-stores.md#a-store-may-refund-for-thirty-days).
 */
const REFUND_DAYS = 30

/** Throws `adjustment_not_allowed` unless the store may adjust the order like this now. */
export function assertAdjustable(
  kind: AdjustmentKind,
  order: OrderRecord,
  payment: Payment,
  now: number,
): void {
  const { display_number, status } = order
  const [why, hint] = whyUnadjustable(kind, order, payment, now) ?? []
  if (why === undefined) return
  throw new AppError('adjustment_not_allowed', `Order ${display_number} ${why}.`, {
    extra: { current_status: status },
    ...(hint !== undefined && { hint }),
  })
}

function whyUnadjustable(
  kind: AdjustmentKind,
  order: OrderRecord,
  payment: Payment,
  now: number,
): [why: string, hint?: string] | undefined {
  const { status, display_number } = order
  const isPaid = countsAsPaid(payment)
  if (!isPaid && (isOrderOver(status) || payment.status !== 'unpaid'))
    return [`is ${status} and its payment ${payment.status.replaceAll('_', ' ')}: nothing is left of it`]
  if (kind === 'replaced' && (order.doc.substitutions ?? 'refund') === 'refund')
    return [
      'takes no replacements: its customer wants the money back for what is missing',
      `Take the lines off instead (kind removed): \`dray business orders adjust ${display_number} --remove 1\`.`,
    ]
  if (kind !== 'refunded') {
    const hint = `Refund lines instead (kind refunded): \`dray business orders adjust ${display_number} --refund 1\`.`
    return FROM.reject.includes(status) ? undefined : [`is ${status}: its lines cannot be changed`, hint]
  }
  if (!isPaid) return ['is not paid yet', 'Take lines off it instead (kind removed): the customer pays less.']
  const isOld = isOrderOver(status) && now > findOrderEnd(order) + REFUND_DAYS * DAY_MS
  return isOld ? [`ended more than ${REFUND_DAYS} days ago`] : undefined
}

/** Returns when an order ended. */
export function findOrderEnd({ doc, updated_at }: Pick<OrderRecord, 'doc' | 'updated_at'>): number {
  return doc.history.at(-1)?.at ?? updated_at
}
