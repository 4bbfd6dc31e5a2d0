/** A rider reports a problem, and the record of the ride decides at once. The ride's row is locked. */
import { clampToLastUpdate, type ChangeContext } from '../../../db/lifecycle.ts'
import { keptOfPayment, payForProblem } from '../../payments/lifecycle/compensation.ts'
import { loadPayment } from '../../payments/queries/ledger.ts'
import { countsAsPaid } from '../../payments/rules/payment.ts'
import { assertReportInTime, refuseInTime, refuseProblem } from '../../payments/rules/reported-problem.ts'
import type { RideRecord } from '../queries/rides.ts'
import { computeLateRefund } from '../rules.ts'
import type { RideProblemReason } from '../states.ts'
import { RIDE_LIFECYCLE } from './ride.ts'

/** Pays for a driver who came late. Throws `adjustment_not_allowed`, with both times where the driver came in time, and `problem_window_over`. */
export async function reportRideProblemRecord(
  given: ChangeContext,
  ride: RideRecord,
  { reason_code, note }: { reason_code: RideProblemReason; note: string | null },
): Promise<void> {
  const scene = clampToLastUpdate(given, ride)
  const { ride_id, status, doc } = ride
  const subject = { name: `Ride ${ride_id}`, status, problems: doc.problems ?? [] }
  if (status !== 'completed' || doc.completed_at === null)
    throw refuseProblem(
      subject,
      `Ride ${ride_id} is ${status.replaceAll('_', ' ')}: a problem is reported once it is completed`,
    )
  assertReportInTime(subject, scene.at, { at: doc.completed_at, since: 'ended' })
  const payment = await loadPayment(scene.tx, ride_id)
  if (!countsAsPaid(payment)) throw refuseProblem(subject, `Nothing is paid for ride ${ride_id}`)
  const promised = doc.promised_pickup_at ?? null
  const came = doc.history.findLast((entry) => entry.status === 'arrived')?.at ?? null
  const earlier = doc.lines.reduce(
    (sum, { type, amount }) => (type === 'balance_due' ? sum + amount.amount : sum),
    0,
  )
  const refund =
    reason_code === 'late' && promised !== null && came !== null
      ? computeLateRefund(payment.amount.amount - earlier, came - promised)
      : 0
  if (refund === 0) throw refuseInTime(subject, { promised, came, grace: 'more than 10 minutes late counts' })
  const problem = await payForProblem(scene, payment, {
    kind: 'ride',
    reason_code,
    note,
    refund: Math.min(refund, keptOfPayment(payment).amount),
    goodwill: { ...payment.amount, amount: 0 },
  })
  doc.problems = [problem]
  await RIDE_LIFECYCLE.touch(scene, ride)
  const { problem_id, amount } = problem
  const data = { problem_id, reason_code, amount }
  await RIDE_LIFECYCLE.emit(scene, ride, { from: status, by: 'rider', eventName: 'problem_reported', data })
}
