/** A customer reports a problem with a run, and its record decides at once. The run's row is locked. */
import { clampToLastUpdate, type ChangeContext } from '../../../db/lifecycle.ts'
import { DELIVERIES } from '../../couriers/lifecycle/delivery.ts'
import type { DeliveryRecord } from '../../couriers/queries/deliveries.ts'
import type { DeliveryProblemReason } from '../../couriers/states.ts'
import { keptOfPayment, payForProblem } from '../../payments/lifecycle/compensation.ts'
import { loadPayment } from '../../payments/queries/ledger.ts'
import { refundedSum, type Payment } from '../../payments/rules/payment.ts'
import { assertReportInTime, refuseInTime, refuseProblem } from '../../payments/rules/reported-problem.ts'
import { findRunWorth, type RunWorth } from '../rules/worth.ts'

/**
 * Pays for a run that came late or whose goods are damaged: of both, for the one that gives more. What is more than is kept of the
 * payment goes to the wallet. Throws `adjustment_not_allowed`, with both times where it came in time, and `problem_window_over`.
 */
export async function reportDeliveryProblemRecord(
  given: ChangeContext,
  delivery: DeliveryRecord,
  { reason_code, note }: { reason_code: DeliveryProblemReason; note: string | null },
): Promise<void> {
  const scene = clampToLastUpdate(given, delivery)
  const { delivery_id, status, doc } = delivery
  const subject = { name: `Delivery ${delivery_id}`, status, problems: doc.problems ?? [] }
  assertOwnRunOver(delivery)
  assertReportInTime(subject, scene.at, { at: endOf(delivery), since: 'ended' })
  const payment = await loadPayment(scene.tx, delivery_id)
  const worth = worthOf(delivery, payment)
  const isRefused = reason_code === 'other' || worth[reason_code] === 0
  if (isRefused && payment.paid_at === null)
    throw refuseProblem(subject, `Nothing is paid for delivery ${delivery_id}`)
  if (isRefused)
    throw refuseInTime(subject, {
      promised: doc.promised_delivery_at ?? null,
      came: delivery.delivered_at,
      grace: 'more than 15 minutes late counts, and damage that the courier recorded',
    })
  const paid_for = worth.damaged > worth.late ? 'damaged' : 'late'
  const back = refundedSum(payment.refunds)?.amount ?? 0
  const due = worth[paid_for] - back
  if (due <= 0) throw refuseProblem(subject, `All that delivery ${delivery_id} is worth went back already`)
  const refund = Math.min(due, keptOfPayment(payment).amount)
  const problem = await payForProblem(scene, payment, {
    kind: 'delivery',
    reason_code: paid_for,
    note,
    refund,
    goodwill: { ...payment.amount, amount: due - refund },
  })
  doc.problems = [problem]
  await DELIVERIES.touch(scene, delivery)
  const { problem_id, amount } = problem
  const data = { order_id: null, problem_id, reason_code: paid_for, amount }
  await DELIVERIES.emit(scene, delivery, {
    from: status,
    by: 'customer',
    eventName: 'problem_reported',
    data,
  })
}

function assertOwnRunOver({ delivery_id, order_id, status }: DeliveryRecord): void {
  if (order_id !== null)
    throw refuseProblem(
      { status },
      `Delivery ${delivery_id} brings order ${order_id}: report a problem with the order instead`,
    )
  if (status === 'delivered' || status === 'returned') return
  const word = status.replaceAll('_', ' ')
  throw refuseProblem({ status }, `Delivery ${delivery_id} is ${word}: a problem is reported once it is over`)
}

function endOf({ delivered_at, doc, updated_at }: DeliveryRecord): number {
  return delivered_at ?? doc.history.findLast(({ status }) => status === 'returned')?.at ?? updated_at
}

/** Returns what the record of a run gives for each reason, in minor units: of a price only what was paid. */
function worthOf({ delivered_at, doc }: DeliveryRecord, { paid_at, amount }: Payment): RunWorth {
  const promised = doc.promised_delivery_at ?? null
  return findRunWorth({
    price: paid_at === null ? 0 : amount.amount,
    value: doc.parcel.value?.amount ?? null,
    lateMs: promised === null || delivered_at === null ? 0 : delivered_at - promised,
    isDamaged: doc.history.some(({ reason }) => reason === 'damaged'),
  })
}
