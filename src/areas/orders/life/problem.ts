/** The life of a problem: its customer reports it, and its store answers, or else the platform pays. The order's row is locked. */
import { AppError } from '../../../core/errors.ts'
import { drawBelow } from '../../../core/hash.ts'
import { newIds } from '../../../store/counters.ts'
import { notBefore, type Scene } from '../../../store/life.ts'
import { unscheduleEvents } from '../../../store/timeline.ts'
import { keptOf } from '../../payments/rules/payment.ts'
import { loadPayment } from '../../payments/store.ts'
import {
  type Acceptance,
  type AdjustmentReason,
  backFor,
  type LineRequest,
  type Problem,
  type ProblemAnswer,
  takeLines,
} from '../rules/adjust.ts'
import { assertReportable, type Claim, claimLeft, claimOf } from '../rules/problems.ts'
import type { OrderRecord } from '../store/orders.ts'
import { adjust } from './adjust.ts'
import { isOwnerAway } from './staff.ts'
import { planBeside, writeOrder } from './write.ts'

/** The time in which the store has to answer, and after which the staff of an absent owner does. */
const ANSWER_MS = 24 * 3_600_000
const STAFF_MS = 30 * 60_000
/** The number of problems, of ten, that the staff accepts. */
const STAFF_ACCEPTS = 8
const DECLINED = 'We checked the order: it left the store complete.'

const PROBLEM_EVENTS = ['problem_staff', 'problem_overdue'] as const
type ProblemEvent = (typeof PROBLEM_EVENTS)[number]

type Report = { reason_code: AdjustmentReason; lines: readonly LineRequest[]; note: string | null }

/** The customer reports a problem. Throws `problem_window_over`, `adjustment_not_allowed`, `amount_exceeds_paid`. */
export async function reportProblem(given: Scene, order: OrderRecord, report: Report): Promise<void> {
  const scene = notBefore(given, order)
  const { at } = scene
  const payment = await loadPayment(scene.tx, order.order_id)
  assertReportable(order, payment, at)
  const { lines, amount } = claimOf(order, payment, report)
  const [problem_id = ''] = await newIds(scene, 'prb')
  const problem: Problem = {
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
  await planBeside(scene, order, [
    { event: 'problem_staff', due_at: at + STAFF_MS, payload: { problem_id } },
    { event: 'problem_overdue', due_at: problem.answer_by, payload: { problem_id } },
  ])
  const data = { problem_id, reason_code: problem.reason_code, amount }
  await writeOrder(scene, order, { told: 'problem_reported', by: 'customer', data })
}

type Answer = { accept: Acceptance; lines?: readonly LineRequest[] | undefined; note: string | null }

/** The store answers a problem. Throws `adjustment_not_allowed` for one that is answered, and `amount_exceeds_paid`. */
export async function answerProblem(
  given: Scene,
  order: OrderRecord,
  problem: Problem,
  { accept, lines, note }: Answer,
): Promise<void> {
  if (problem.status !== 'open')
    throw new AppError('adjustment_not_allowed', `The problem is ${problem.status} already.`, {
      extra: { current_status: problem.status },
    })
  const scene = notBefore(given, order)
  const { doc } = order
  const taken = lines && takeLines(doc, lines)
  const claim = taken && { lines: taken, amount: backFor(doc, taken) }
  await close(scene, order, problem, { by: 'store', accept, note, claim })
}

/** Applies a planned event: the staff of an absent owner answers, or the platform pays for a store that did not. */
export async function followProblem(event: ProblemEvent, scene: Scene, order: OrderRecord): Promise<void> {
  const id = scene.event?.payload['problem_id']
  const problem = order.doc.problems?.find(({ problem_id }) => problem_id === id)
  if (problem?.status !== 'open') return
  if (event === 'problem_overdue')
    return close(scene, order, problem, { by: 'system', accept: 'full', note: null })
  if (!(await isOwnerAway(scene.tx, order, scene.at))) return
  const drawn = drawBelow(10, scene.world.seed, ['order', order.ordinal, problem.at, 'problem'])
  const accept = drawn < STAFF_ACCEPTS ? 'full' : 'none'
  await close(scene, order, problem, { by: 'store', accept, note: accept === 'none' ? DECLINED : null })
}

type Closing = Pick<ProblemAnswer, 'by' | 'accept' | 'note'> & { claim?: Claim | undefined }

/** Ends a problem. The store bears its goods; the platform a late courier, and whatever the store left unanswered. */
async function close(
  scene: Scene,
  order: OrderRecord,
  problem: Problem,
  { by, accept, note, claim }: Closing,
): Promise<void> {
  const { tx, at } = scene
  const { reason_code, problem_id } = problem
  problem.status = accept === 'none' ? 'declined' : 'accepted'
  problem.answer = { at, by, accept, note, adjustment_id: null }
  const payment = await loadPayment(tx, order.order_id)
  const kept = keptOf({ payment, refunds: payment.refunds })
  const { lines, amount } = claim ?? claimLeft(order.doc, kept, problem)
  if (accept !== 'none' && amount.amount > 0) {
    const borne_by = by === 'store' && problem.lines.length > 0 ? 'store' : 'platform'
    const draft = { by, kind: 'refunded' as const, lines, amount, borne_by, reason_code, note } as const
    problem.answer.adjustment_id = (await adjust(scene, order, draft)).adjustment_id
  }
  if (order.doc.problems?.every(({ status }) => status !== 'open') === true)
    await unscheduleEvents(tx, order.order_id, PROBLEM_EVENTS)
  await writeOrder(scene, order, { told: 'problem_answered', by, data: { problem_id, accept } })
}
