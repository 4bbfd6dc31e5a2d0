/**
 * Adjustments of an order: its store takes units off, replaces them or gives money back, and its customer answers
 * (docs/rules/food-and-stores.md#a-store-changes-lines-before-the-handover).
 */
import { AppError, type ProblemFieldError } from '../../../core/errors.ts'
import { formatMoney, type Money } from '../../../core/money.ts'
import { throwIfErrors } from '../../../core/schema.ts'
import { clampToLastUpdate, type ChangeContext } from '../../../db/lifecycle.ts'
import { loadPayment } from '../../payments/queries/ledger.ts'
import { netPaid } from '../../payments/rules/payment.ts'
import type { OrderRecord } from '../queries/orders.ts'
import {
  type Adjustment,
  type AdjustmentKind,
  assertSomeLeft,
  refundFor,
  computeUnitsTaken,
  type UnitsTaken,
} from '../rules/adjust.ts'
import { assertAdjustable } from '../rules/allowed.ts'
import {
  isWholeOrderCancelWanted,
  isCustomerAnswerNeeded,
  replaceLines,
  withQuestions,
} from '../rules/substitution.ts'
import { isOrderOver } from '../states.ts'
import { applyAdjustment } from './adjust.ts'
import { endQuestions, rejectOrder } from './order.ts'
import { lowerProblems } from './problem.ts'
import { askCustomer, addReservedStock } from './questions.ts'
import { type ReplaceRequest, reserveReplacements } from './replacements.ts'

type AdjustmentRequest = Pick<Adjustment, 'reason_code' | 'note'> & {
  kind: AdjustmentKind
  lines: readonly ReplaceRequest[]
  /** The amount that the store has seen; another one is rejected. */
  expected_amount: Money | undefined
}

/**
 * The store takes units off an order, replaces them, or gives money back for a part of it. The customer's wish decides whether a
 * replacement is asked about first, and whether the order ends instead. Throws `adjustment_not_allowed`, `amount_exceeds_paid`,
 * `invalid_request`, and the errors of `reserveReplacements`.
 */
export async function adjustOrder(
  given: ChangeContext,
  order: OrderRecord,
  wish: AdjustmentRequest,
): Promise<void> {
  const { kind, expected_amount: expected, reason_code, note } = wish
  const { doc, order_id } = order
  const scene = clampToLastUpdate(given, order)
  const payment = await loadPayment(scene.tx, order_id)
  assertAdjustable(kind, order, payment, scene.at)
  assertLines(wish, doc.total.currency)
  const taken = computeUnitsTaken(withQuestions(doc), wish.lines)
  if (isWholeOrderCancelWanted(kind, doc)) {
    assertExpected(netPaid({ payment, refunds: payment.refunds }), expected)
    const item_ids = doc.lines.flatMap(({ line_id, item_id }) =>
      taken.some((each) => each.line_id === line_id) ? item_id : [],
    )
    return rejectOrder(scene, order, { reason_code: 'item_unavailable', note: note ?? undefined, item_ids })
  }
  if (kind === 'replaced') return replace(scene, order, wish, taken)
  if (kind === 'removed') assertSomeLeft(doc, taken, order)
  const amount = refundFor(doc, taken)
  assertExpected(amount, expected)
  if (kind === 'refunded' && amount.amount === 0)
    throw new AppError('amount_exceeds_paid', `Nothing is left to refund for these lines.`, {
      extra: { amount },
    })
  await applyAdjustment(scene, order, {
    by: 'store',
    kind,
    lines: taken,
    amount,
    borne_by: 'store',
    reason_code,
    note,
  })
  await lowerProblems(scene, order)
}

/** Replaces lines at once, or asks the customer: by the customer's wish, and where the notes name an allergen of the new item. */
async function replace(
  scene: ChangeContext,
  order: OrderRecord,
  { lines: requests, reason_code, note, expected_amount }: AdjustmentRequest,
  taken: readonly UnitsTaken[],
): Promise<void> {
  const { doc } = order
  const { items, reserved, categories } = await reserveReplacements(scene, order, requests, taken)
  doc.categories = { ...doc.categories, ...categories }
  const lines = replaceLines(doc, taken, items)
  const amount = refundFor(doc, lines)
  assertExpected(amount, expected_amount)
  const draft = { lines, amount, reason_code, note }
  if (!isCustomerAnswerNeeded(doc, items)) {
    doc.reserved = addReservedStock(doc.reserved, reserved)
    await applyAdjustment(scene, order, { ...draft, by: 'store', kind: 'replaced', borne_by: 'store' })
  } else if (order.status === 'ready')
    throw new AppError(
      'adjustment_not_allowed',
      `Order ${order.display_number} is ready: it is too late to ask its customer about a replacement.`,
      { hint: 'Take the lines off instead (kind removed).', extra: { current_status: order.status } },
    )
  else await askCustomer(scene, order, { ...draft, reserved })
}

function assertExpected(amount: Money, expected: Money | undefined): void {
  if (expected === undefined || expected.amount === amount.amount) return
  const detail = `expected_amount is ${formatMoney(expected)}; ${formatMoney(amount)} goes back`
  throw new AppError('adjustment_not_allowed', `${detail}.`, {
    extra: { amount },
    errors: [{ pointer: '/expected_amount', code: 'out_of_range', detail }],
  })
}

/** Amounts are in the order's currency; those of lines are refunded only, and replacements are for kind replaced. */
function assertLines({ kind, lines, expected_amount }: AdjustmentRequest, currency: string): void {
  const given = [
    ['/expected_amount', expected_amount] as const,
    ...lines.map(({ amount }, at) => [`/lines/${at}/amount`, amount] as const),
  ]
  const amounts = given.flatMap(([pointer, amount]): ProblemFieldError[] => {
    if (amount === undefined) return []
    if (amount.currency !== currency)
      return [{ pointer, code: 'invalid_enum', detail: `the currency of the order is ${currency}` }]
    return kind === 'refunded' || pointer === '/expected_amount'
      ? []
      : [{ pointer, code: 'mutually_exclusive', detail: 'amount goes with kind refunded only' }]
  })
  const replacements = lines.flatMap(({ replacement }, at): ProblemFieldError[] => {
    const pointer = `/lines/${at}/replacement`
    if ((replacement !== undefined) === (kind === 'replaced')) return []
    return replacement === undefined
      ? [{ pointer, code: 'required', detail: 'replacement is required with kind replaced' }]
      : [{ pointer, code: 'mutually_exclusive', detail: 'replacement goes with kind replaced only' }]
  })
  throwIfErrors([...amounts, ...replacements])
}

/** The customer answers a question of the store. Throws `adjustment_not_found`, and `adjustment_not_allowed` for one that has ended. */
export async function answerSubstitutionQuestion(
  given: ChangeContext,
  order: OrderRecord,
  adjustmentId: string,
  accept: boolean,
): Promise<void> {
  const { doc, status, display_number } = order
  const { questions = [], adjustments = [] } = doc
  if (!questions.some(({ adjustment_id }) => adjustment_id === adjustmentId)) {
    const answered = adjustments.find(({ adjustment_id }) => adjustment_id === adjustmentId)
    const extra = { current_status: status }
    if (isOrderOver(status))
      throw new AppError('adjustment_not_allowed', `Order ${display_number} is ${status} already.`, { extra })
    if (answered === undefined)
      throw new AppError('adjustment_not_found', `Order ${order.order_id} has no adjustment ${adjustmentId}.`)
    const why = answered.answer === undefined ? 'needs no answer' : 'is answered already'
    throw new AppError('adjustment_not_allowed', `The adjustment ${why}.`, { extra })
  }
  await endQuestions(clampToLastUpdate(given, order), order, { id: adjustmentId, by: 'customer', accept })
}
