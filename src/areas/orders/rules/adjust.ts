/**
 * The cost of a part of an order that is removed or refunded
 * (docs/rules/money.md#refunds-of-part-of-a-line). Pure, in minor units: the service
 * and the question before a refund use the same sums.
 */
import { AppError } from '../../../core/errors.ts'
import { formatMoney, type Money } from '../../../core/money.ts'
import { type REFUND_BEARERS, type Payment, type Refund, refundsOf } from '../../payments/rules/payment.ts'
import { type OrderLine, sum } from '../../payments/rules/price.ts'
import {
  type LineMoney,
  type LineTaken,
  linesOf,
  computeOrderParts,
  type PricedOrder,
  takenOf,
  sumOrderParts,
} from './shares.ts'
import { isAwaitingCustomerAnswer, lineNames } from './wrong-words.ts'

export const ADJUSTMENT_KINDS = ['removed', 'replaced', 'refunded'] as const
export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number]

export const ADJUSTMENT_REASONS = [
  'missing',
  'wrong',
  'damaged',
  'late',
  'quality',
  'out_of_stock',
  'other',
] as const
export type AdjustmentReason = (typeof ADJUSTMENT_REASONS)[number]

/** A change of a part of an order, as it is stored. Times in milliseconds. */
export type Adjustment = {
  adjustment_id: string
  at: number
  by: 'store' | 'customer' | 'system'
  kind: AdjustmentKind
  lines: AdjustedLine[]
  /** The amount that was refunded to the customer, or that the customer no longer has to pay. */
  amount: Money
  /** The party that pays for it (docs/rules/money.md#who-bears-a-refund). */
  borne_by: (typeof REFUND_BEARERS)[number]
  reason_code: AdjustmentReason
  note: string | null
  refund_id: string | null
  /** Its time, where it came after the payment and changed no money. */
  free_at?: number
  /** The time by which its customer had to answer, and the answer, where the customer was asked. */
  answer_by?: number
  answer?: { at: number; by: 'customer' | 'system'; accept: boolean }
}

/** An item in place of another, with its options. `unit_price` is charged for a unit with them. */
export type ItemReplacement = Pick<
  OrderLine,
  'item_id' | 'name' | 'modifiers' | 'unit_price' | 'tax_rate_bps'
> & { allergens: readonly string[] }

/** Units that are taken of a line. */
export type UnitsTaken = Omit<LineTaken, 'back'>

/** The units that were taken of a line, with their replacement. */
export type AdjustedLine = UnitsTaken & { back?: NonNullable<LineTaken['back']> & ItemReplacement }

/** A replacement that waits for the customer's answer, as it is stored. It becomes an adjustment then. */
export type SubstitutionQuestion = Pick<
  Adjustment,
  'adjustment_id' | 'at' | 'lines' | 'amount' | 'reason_code' | 'note'
> & {
  /** The time at which the lines are removed, unless the customer has said yes. */
  answer_by: number
  /** The stock that it holds, by the item. */
  reserved: Readonly<Record<string, number>>
}

export const PROBLEM_STATUSES = ['open', 'accepted', 'declined', 'closed'] as const
export const ACCEPTANCES = ['full', 'part', 'none'] as const
export type Acceptance = (typeof ACCEPTANCES)[number]

/** A problem that the customer reported, as it is stored. Times in milliseconds. */
export type OrderProblem = {
  problem_id: string
  at: number
  status: (typeof PROBLEM_STATUSES)[number]
  reason_code: AdjustmentReason
  /** Empty for a late delivery. */
  lines: { line_id: string; quantity: number }[]
  /** Its worth when it was reported, less what the store refunded of its lines since. */
  amount: Money
  note: string | null
  /** The time by which the store has to answer. */
  answer_by: number
  answer: ProblemAnswer | null
  /** The customer's appeal against a decline, and its decision: at once, and the last one. */
  appeal?: ProblemAppeal
}

export type ProblemAppeal = { at: number; accept: boolean; adjustment_id: string | null }

export type ProblemAnswer = {
  at: number
  by: 'store' | 'system'
  accept: Acceptance
  note: string | null
  adjustment_id: string | null
}

/** The units of a line to take, all that are left unless a number is given; or an amount of it, which takes no units. */
export type LineAdjustmentRequest = {
  line_id: string
  quantity?: number | undefined
  amount?: Money | undefined
}

type ReceivedOrder = Omit<PricedOrder, 'adjustments'> & {
  /** A service from before there were adjustments sends none. */
  adjustments?: readonly {
    lines: readonly (LineAmounts & {
      quantity: number
      replacement?: (LineAmounts & ItemReplacement) | null
    })[]
    refund_id: string | null
    answer_by?: string | null
    answer?: object | null
  }[]
}

type LineAmounts = { line_id: string; amount: Money; goods: Money }

type PricedOrderRead = Omit<PricedOrder, 'adjustments'> & {
  adjustments: { refund_id: string | null; lines: AdjustedLine[] }[]
}

/** Returns an order that was read from the service, as sums need it. */
export function toPricedOrder(view: ReceivedOrder): PricedOrderRead {
  const toLine = ({ line_id, amount, goods }: LineAmounts) => ({
    line_id,
    cost: amount.amount,
    worth: goods.amount,
  })
  // The units of a question are gone, and its replacement is not there yet.
  const adjustments = (view.adjustments ?? []).map(({ lines, refund_id, ...asked }) => ({
    refund_id,
    lines: lines.map(({ quantity, replacement = null, ...line }) => ({
      ...toLine(line),
      quantity,
      ...(replacement !== null &&
        !isAwaitingCustomerAnswer(asked) && { back: { ...replacement, ...toLine(replacement) } }),
    })),
  }))
  return { ...view, adjustments }
}

type ViewedRefund = Omit<Refund, 'share' | 'created_at' | 'settled_at'>

/** Returns the payment of an order that was read from the service, as sums need it: only the order of its refunds counts. */
export function paidOf(
  view: { payment: Pick<Payment, 'status' | 'amount' | 'collected_by'> } & Parameters<
    typeof refundsOf<ViewedRefund>
  >[0],
): Pick<Payment, 'amount' | 'paid_at' | 'refunds' | 'collected_by'> {
  const { status, amount, collected_by } = view.payment
  const isPaid = status !== 'unpaid' && status !== 'failed'
  const refunds = refundsOf(view).map((refund) => ({
    ...refund,
    share: null,
    created_at: 0,
    settled_at: null,
  }))
  return { amount, collected_by, paid_at: isPaid ? 0 : null, refunds }
}

/**
 * Returns the lines of an order that was read from the service, as ordered, and after them those that replaced others;
 * `left` units of each can still be taken.
 */
export function countUnitsLeftByLine(view: ReceivedOrder & Parameters<typeof lineNames>[0]) {
  const sold = toPricedOrder(view)
  const names = lineNames(view)
  const taken = takenOf(sold)
  return linesOf(sold).map(({ line_id, quantity }) => ({
    line_id,
    name: names.get(line_id) ?? line_id,
    left: quantity - sum(taken.flatMap((each) => (each.line_id === line_id ? each.quantity : []))),
  }))
}

/** Returns k of q units of an amount, rounded half up: q times one unit is the amount. */
function shareOf(amount: number, k: number, q: number): number {
  return q === 0 ? 0 : Math.floor((2 * k * amount + q) / (2 * q))
}

/**
 * Returns what these units or amounts take of an order, after what was taken before. Throws `invalid_request` for a line that
 * the order does not have, and `amount_exceeds_paid` for more than is left of one.
 */
export function computeUnitsTaken(sold: PricedOrder, lines: readonly LineAdjustmentRequest[]): UnitsTaken[] {
  const known = new Map(linesOf(sold).map((line) => [line.line_id, line]))
  const taken: UnitsTaken[] = []
  for (const [at, request] of lines.entries()) {
    const line = known.get(request.line_id)
    if (line === undefined) throw unknownLine(request.line_id, at, [...known.keys()])
    const before = [...takenOf(sold), ...taken].filter(({ line_id }) => line_id === line.line_id)
    taken.push(computeLineTaken(line, before, { ...request, at, currency: sold.total.currency }))
  }
  return taken
}

type IndexedLineRequest = LineAdjustmentRequest & { at: number; currency: string }

/** The units of a line that are gone, and what went back for them. */
type Before = { gone: number; refunded: number; lost: number }

function computeLineTaken(
  line: LineMoney,
  taken: readonly UnitsTaken[],
  taking: IndexedLineRequest,
): UnitsTaken {
  const { amount } = taking
  const before = {
    gone: sum(taken.map(({ quantity }) => quantity)),
    refunded: sum(taken.map(({ cost }) => cost)),
    lost: sum(taken.map(({ worth }) => worth)),
  }
  const units = unitsOf(line, before, taking)
  const cost = costOf(line, before, { ...taking, units })
  const due =
    amount === undefined
      ? shareOf(line.worth, before.gone + units, line.quantity)
      : shareOf(line.worth, before.refunded + cost, line.cost)
  return {
    line_id: line.line_id,
    quantity: amount === undefined ? units : 0,
    cost,
    // The store loses no goods for which the customer gets no money.
    worth: cost === 0 ? 0 : Math.max(0, due - before.lost),
  }
}

/** Returns the units to take; all that are left unless the request says otherwise. */
function unitsOf(
  { line_id, quantity: all }: LineMoney,
  { gone }: Before,
  taking: IndexedLineRequest,
): number {
  const { quantity, amount, at } = taking
  const units = quantity ?? (amount === undefined ? all - gone : 0)
  if (units <= all - gone && (units > 0 || amount !== undefined)) return units
  throw exceeds(`${line_id} has ${all - gone} of its ${all} units left`, `/lines/${at}/quantity`)
}

function costOf(line: LineMoney, before: Before, taking: IndexedLineRequest & { units: number }): number {
  const { amount, quantity, units, at, currency } = taking
  const byUnits = Math.max(0, shareOf(line.cost, before.gone + units, line.quantity) - before.refunded)
  if (amount === undefined) return byUnits
  const most = quantity === undefined ? line.cost - before.refunded : byUnits
  if (amount.amount <= most) return amount.amount
  const left = { amount: most, currency }
  throw exceeds(`at most ${formatMoney(left)} can go back for ${line.line_id}`, `/lines/${at}/amount`, left)
}

/** Returns what the customer gets back for lines that are taken now: with the tax on them, where it is added. */
export function refundFor(sold: PricedOrder, lines: readonly LineTaken[]): Money {
  const before = takenOf(sold)
  const total = (taken: readonly LineTaken[]): number => sumOrderParts(computeOrderParts(sold, taken))
  return { ...sold.total, amount: total(before) - total([...before, ...lines]) }
}

/** Returns how many units of an order are left after lines are taken, over all its lines. */
export function unitsLeft(sold: PricedOrder, lines: readonly LineTaken[] = []): number {
  const ordered = linesOf(sold).map(({ quantity }) => quantity)
  return sum(ordered) - sum([...takenOf(sold), ...lines].map(({ quantity }) => quantity))
}

/** Throws `adjustment_not_allowed` where nothing would be left of an order after these lines. */
export function assertSomeLeft(
  sold: PricedOrder,
  taken: readonly LineTaken[],
  { display_number }: { display_number: string },
): void {
  if (unitsLeft(sold, taken) > 0) return
  throw new AppError('adjustment_not_allowed', `Nothing would be left of order ${display_number}.`, {
    hint: `Reject the whole order instead: \`dray business orders reject ${display_number}\`.`,
  })
}

function unknownLine(lineId: string, at: number, known: readonly string[]): AppError {
  const detail = `${lineId} is not a line of the order: it has ${known.join(', ')}`
  return new AppError('invalid_request', `${detail}.`, {
    errors: [{ pointer: `/lines/${at}/line_id`, code: 'not_in_menu', detail }],
  })
}

function exceeds(detail: string, pointer: string, amount?: Money): AppError {
  return new AppError('amount_exceeds_paid', `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`, {
    errors: [{ pointer, code: 'out_of_range', detail }],
    ...(amount !== undefined && { extra: { amount } }),
  })
}
