/**
 * The lifecycle of a problem: its customer reports it, its store answers, or else the platform pays, and the customer may appeal. The
 * order's row is locked.
 */
import { AppError } from '../../../core/errors.ts'
import { seededInt } from '../../../core/hash.ts'
import { newIds } from '../../../db/counters.ts'
import { clampToLastUpdate, type ChangeContext } from '../../../db/lifecycle.ts'
import { unscheduleEvents } from '../../../db/timeline.ts'
import { findDelivery } from '../../couriers/queries/deliveries.ts'
import { loadPayment } from '../../payments/queries/ledger.ts'
import { netPaid } from '../../payments/rules/payment.ts'
import { type OrderRecord, updateOrder } from '../queries/orders.ts'
import {
  type Acceptance,
  type AdjustmentReason,
  refundFor,
  type LineAdjustmentRequest,
  type OrderProblem,
  type ProblemAnswer,
  computeUnitsTaken,
} from '../rules/adjust.ts'
import {
  assertAppealable,
  assertReportable,
  atMost,
  type ProblemClaim,
  claimLeft,
  claimOf,
  isRecorded,
} from '../rules/problems.ts'
import { applyAdjustment } from './adjust.ts'
import { canStaffActForOrder } from './staff.ts'
import { scheduleExtraEvents, writeOrder } from './write.ts'

/**
 * The time in which the store has to answer, and after which the staff of an absent owner does
 * (docs/rules/food-and-stores.md#a-store-answers-a-problem-within-a-day).
 */
const ANSWER_MS = 24 * 3_600_000
const STAFF_MS = 30 * 60_000
/** The number of problems, of ten, that the staff accepts. */
const STAFF_ACCEPTS = 8
const DECLINED = 'We checked the order: it left the store complete.'

const PROBLEM_EVENTS = ['problem_staff', 'problem_overdue'] as const
type ProblemEvent = (typeof PROBLEM_EVENTS)[number]

type Report = { reason_code: AdjustmentReason; lines: readonly LineAdjustmentRequest[]; note: string | null }

/** The customer reports a problem. Throws `problem_window_over`, `adjustment_not_allowed`, `amount_exceeds_paid`. */
export async function reportProblem(given: ChangeContext, order: OrderRecord, report: Report): Promise<void> {
  const scene = clampToLastUpdate(given, order)
  const { at } = scene
  const payment = await loadPayment(scene.tx, order.order_id)
  assertReportable(order, payment, at)
  const { lines, amount } = claimOf(order, payment, report)
  const [problem_id = ''] = await newIds(scene, 'prb')
  const problem: OrderProblem = {
    problem_id,
    at,
    status: 'open',
    reason_code: report.reason_code,
    lines: lines.map(({ line_id, quantity }) => ({ line_id, quantity })),
    amount,
    note: report.note,
    answer_by: at + ANSWER_MS,
    answer: null,
  }
  order.doc.problems = [...(order.doc.problems ?? []), problem]
  await scheduleExtraEvents(scene, order, [
    { event: 'problem_staff', due_at: at + STAFF_MS, payload: { problem_id } },
    { event: 'problem_overdue', due_at: problem.answer_by, payload: { problem_id } },
  ])
  const data = { problem_id, reason_code: problem.reason_code, amount }
  await writeOrder(scene, order, { told: 'problem_reported', by: 'customer', data })
}

type StoreProblemAnswer = {
  accept: Acceptance
  lines?: readonly LineAdjustmentRequest[] | undefined
  note: string | null
}

/** The store answers a problem. Throws `adjustment_not_allowed` for one that is answered, and `amount_exceeds_paid`. */
export async function answerProblem(
  given: ChangeContext,
  order: OrderRecord,
  problem: OrderProblem,
  { accept, lines, note }: StoreProblemAnswer,
): Promise<void> {
  if (problem.status !== 'open')
    throw new AppError('adjustment_not_allowed', `The problem is ${problem.status} already.`, {
      extra: { current_status: problem.status },
    })
  const scene = clampToLastUpdate(given, order)
  const { doc } = order
  const taken = lines && computeUnitsTaken(doc, lines)
  const claim = taken && { lines: taken, amount: refundFor(doc, taken) }
  await close(scene, order, problem, { by: 'store', accept, note, claim })
}

/** Applies a planned event: the staff of an absent owner answers, or the platform pays for a store that did not. */
export async function followProblem(
  event: ProblemEvent,
  scene: ChangeContext,
  order: OrderRecord,
): Promise<void> {
  const id = scene.event?.payload['problem_id']
  const problem = order.doc.problems?.find(({ problem_id }) => problem_id === id)
  if (problem?.status !== 'open') return
  if (event === 'problem_overdue')
    return close(scene, order, problem, { by: 'system', accept: 'full', note: null })
  if (!(await canStaffActForOrder(scene.tx, order, scene.at))) return
  const drawn = seededInt(10, scene.world.seed, ['order', order.ordinal, problem.at, 'problem'])
  const accept = drawn < STAFF_ACCEPTS ? 'full' : 'none'
  await close(scene, order, problem, { by: 'store', accept, note: accept === 'none' ? DECLINED : null })
}

type ProblemClosure = Pick<ProblemAnswer, 'by' | 'accept' | 'note'> & { claim?: ProblemClaim | undefined }

/** Ends a problem. The store bears its goods; the platform a late courier, and whatever the store left unanswered. */
async function close(
  scene: ChangeContext,
  order: OrderRecord,
  problem: OrderProblem,
  { by, accept, note, claim }: ProblemClosure,
): Promise<void> {
  const { at } = scene
  const { reason_code, problem_id } = problem
  problem.status = accept === 'none' ? 'declined' : 'accepted'
  problem.answer = { at, by, accept, note, adjustment_id: null }
  const payment = await loadPayment(scene.tx, order.order_id)
  const kept = netPaid({ payment, refunds: payment.refunds })
  const { lines, amount } = claim ?? claimLeft(order.doc, kept, problem)
  if (accept !== 'none' && amount.amount > 0) {
    const borne_by = by === 'store' && problem.lines.length > 0 ? 'store' : 'platform'
    const draft = { by, kind: 'refunded' as const, lines, amount, borne_by, reason_code, note } as const
    problem.answer.adjustment_id = (await applyAdjustment(scene, order, draft)).adjustment_id
  }
  await unplan(scene, order)
  await writeOrder(scene, order, { told: 'problem_answered', by, data: { problem_id, accept } })
}

/** Takes back what is planned for problems, once none is open. */
async function unplan({ tx }: ChangeContext, { order_id, doc }: OrderRecord): Promise<void> {
  if (doc.problems?.every(({ status }) => status !== 'open') === true)
    await unscheduleEvents(tx, order_id, PROBLEM_EVENTS)
}

/** Lowers the open problems of an order to what a refund by its store left of them. One of which nothing is left is closed. */
export async function lowerProblems(scene: ChangeContext, order: OrderRecord): Promise<void> {
  const open = order.doc.problems?.filter(({ status }) => status === 'open') ?? []
  if (open.length === 0) return
  const payment = await loadPayment(scene.tx, order.order_id)
  const kept = netPaid({ payment, refunds: payment.refunds })
  for (const problem of open) {
    const { lines, amount } = claimLeft(order.doc, kept, problem)
    problem.amount = amount
    if (amount.amount > 0) problem.lines = lines.map(({ line_id, quantity }) => ({ line_id, quantity }))
    else problem.status = 'closed'
  }
  await unplan(scene, order)
  await updateOrder(scene.tx, order)
  for (const { status, problem_id } of open)
    if (status === 'closed')
      await writeOrder(scene, order, { told: 'problem_closed', by: 'store', data: { problem_id } })
}

/**
 * The customer appeals against a decline. The records of the order and its delivery decide at once: either the platform pays what is
 * left of the problem, or the decline stands. Throws `adjustment_not_allowed`, `problem_window_over` and `amount_exceeds_paid`.
 */
export async function appealProblem(
  given: ChangeContext,
  order: OrderRecord,
  problem: OrderProblem,
): Promise<void> {
  const scene = clampToLastUpdate(given, order)
  const { tx, at } = scene
  const { doc, order_id, delivery_id } = order
  assertAppealable(order, problem, at)
  const delivery = delivery_id === null ? undefined : await findDelivery(tx, delivery_id)
  const accept = isRecorded(problem, doc, delivery)
  const { problem_id, reason_code } = problem
  problem.appeal = { at, accept, adjustment_id: null }
  if (accept) {
    const payment = await loadPayment(tx, order_id)
    const kept = netPaid({ payment, refunds: payment.refunds })
    const { lines, amount } = atMost(payment, claimLeft(doc, kept, problem))
    const draft = {
      by: 'system',
      kind: 'refunded',
      lines,
      amount,
      borne_by: 'platform',
      reason_code,
    } as const
    problem.status = 'accepted'
    problem.appeal.adjustment_id = (
      await applyAdjustment(scene, order, { ...draft, note: null })
    ).adjustment_id
  }
  await writeOrder(scene, order, { told: 'problem_appealed', by: 'customer', data: { problem_id, accept } })
}
