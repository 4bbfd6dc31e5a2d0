/** A customer reports a provider who did not come, and the record of the booking decides at once. The booking's row is locked. */
import { clampToLastUpdate, type ChangeContext } from '../../../db/lifecycle.ts'
import { keptOfPayment, payForProblem } from '../../payments/lifecycle/compensation.ts'
import { loadPayment } from '../../payments/queries/ledger.ts'
import { assertReportInTime, refuseInTime, refuseProblem } from '../../payments/rules/reported-problem.ts'
import type { BookingRecord } from '../queries/bookings.ts'
import { MISSED_VISIT_GOODWILL } from '../rules.ts'
import type { BookingProblemReason } from '../states.ts'
import { BOOKING_LIFECYCLE } from './booking.ts'

/** Gives goodwill for a provider who did not come. Throws `adjustment_not_allowed`, with both times where the provider came, and `problem_window_over`. */
export async function reportBookingProblemRecord(
  given: ChangeContext,
  booking: BookingRecord,
  { reason_code, note }: { reason_code: BookingProblemReason; note: string | null },
): Promise<void> {
  const scene = clampToLastUpdate(given, booking)
  const { booking_id, status, doc } = booking
  const subject = { name: `Booking ${booking_id}`, status, problems: doc.problems ?? [] }
  if (doc.slot === null) throw refuseProblem(subject, `Booking ${booking_id} has no start yet`)
  const { starts_at } = doc.slot
  assertReportInTime(subject, scene.at, { at: starts_at, since: 'was to start' })
  if (reason_code !== 'provider_no_show' || doc.cancellation?.reason_code !== 'provider_no_show')
    throw refuseInTime(subject, {
      promised: starts_at,
      came: doc.arrived_at,
      grace: 'a provider who has not set off 30 minutes after the start did not come',
    })
  const payment = await loadPayment(scene.tx, booking_id)
  const problem = await payForProblem(scene, payment, {
    kind: 'booking',
    reason_code,
    note,
    refund: keptOfPayment(payment).amount,
    goodwill: { amount: MISSED_VISIT_GOODWILL, currency: scene.world.currency },
  })
  doc.problems = [problem]
  await BOOKING_LIFECYCLE.touch(scene, booking)
  const { problem_id, amount } = problem
  const data = { provider_id: booking.provider_id, problem_id, reason_code, amount }
  await BOOKING_LIFECYCLE.emit(scene, booking, {
    from: status,
    by: 'customer',
    eventName: 'problem_reported',
    data,
  })
}
