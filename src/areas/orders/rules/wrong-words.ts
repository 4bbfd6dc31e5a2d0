/** The parts of an order that went wrong, in words: on the screens of its store and of its customer. Pure. */
import { formatGroupedMoney, type Money } from '../../../core/money.ts'
import { sumOrderTotals } from './waiting.ts'

/** Returns whether an adjustment, as it is read, still waits for the customer's answer. */
export function isAwaitingCustomerAnswer({
  answer_by,
  answer,
}: {
  answer_by?: number | string | null
  answer?: object | null
}): boolean {
  return answer_by !== undefined && answer_by !== null && (answer ?? null) === null
}

type OrderWithProblems = {
  adjustments?: readonly ReportedAdjustment[]
  problems?: readonly {
    status: string
    reason_code: string
    lines: ReportedAdjustment['lines']
    amount: Money
    note: string | null
    answer: { note: string | null } | null
    appeal?: { accept: boolean } | null
  }[]
  lines: readonly Line[]
}

type ReportedAdjustment = {
  adjustment_id: string
  kind: 'removed' | 'replaced' | 'refunded'
  lines: readonly {
    line_id: string
    quantity: number
    replacement?: { line_id: string; name: string; allergens: readonly string[] } | null
  }[]
  refund_id: string | null
  amount: Money
  reason_code: string
  answer_by?: string | null
  answer?: { accept: boolean; by: string } | null
}

/** Returns the adjustments that were removed before the payment. */
export function takenOff<
  T extends Pick<ReportedAdjustment, 'refund_id' | 'amount' | 'answer_by' | 'answer'>,
>({ adjustments = [] }: { adjustments?: readonly T[] }): T[] {
  return adjustments.filter(
    (each) => each.refund_id === null && each.amount.amount > 0 && !isAwaitingCustomerAnswer(each),
  )
}

/** Returns the replacements that the customer is asked about. A service from before sends none. */
export function listOpenQuestions<T extends Pick<ReportedAdjustment, 'answer_by' | 'answer'>>({
  adjustments = [],
}: {
  adjustments?: readonly T[]
}): T[] {
  return adjustments.filter(isAwaitingCustomerAnswer)
}

type Line = { line_id: string; name: string }

/** Returns the names of the lines of an order and of their replacements, by the line's id. */
export function lineNames({
  lines,
  adjustments = [],
}: {
  lines: readonly Line[]
  adjustments?: readonly { lines: readonly { replacement?: Line | null }[] }[]
}): Map<string, string> {
  const replaced = adjustments.flatMap((each) => each.lines.flatMap(({ replacement }) => replacement ?? []))
  return new Map([...lines, ...replaced].map(({ line_id, name }) => [line_id, name]))
}

/** Returns `1 × Focaccia by Ciabatta, 2 × Cola by Water`. */
function exchangeWords(
  order: OrderWithProblems,
  { lines: taken }: Pick<ReportedAdjustment, 'lines'>,
): string {
  const names = lineNames(order)
  return taken
    .map(({ line_id, quantity, replacement }) => {
      const by = replacement ? ` by ${replacement.name}` : ''
      return `${quantity === 0 ? '' : `${quantity} × `}${names.get(line_id) ?? line_id}${by}`
    })
    .join(', ')
}

/** Returns the words for an open question: the lines, the money, and the allergens of the new items. */
export function questionWords(order: OrderWithProblems, asked: ReportedAdjustment): string {
  const allergens = [...new Set(asked.lines.flatMap(({ replacement }) => replacement?.allergens ?? []))]
  const money =
    asked.amount.amount === 0 ? 'at the same price' : `for ${formatGroupedMoney(asked.amount)} less`
  const contains = allergens.length === 0 ? '' : `, contains ${allergens.join(', ').replaceAll('_', ' ')}`
  return `${exchangeWords(order, asked)}, ${money}${contains}`
}

/** Returns `2 × Focaccia (missing)`; of a late delivery `late`. */
export function formatOrderProblem(
  order: OrderWithProblems,
  { lines, reason_code }: Pick<NonNullable<OrderWithProblems['problems']>[number], 'lines' | 'reason_code'>,
): string {
  const reason = reason_code.replaceAll('_', ' ')
  return lines.length === 0 ? reason : `${exchangeWords(order, { lines })} (${reason})`
}

type Open = { status: string; answer_by: string; amount: Money }

/** Returns the open problems of orders, the one first that must be answered first, and their sum; undefined without any. */
export function summarizeOpenProblems<P extends Open, T extends { problems?: readonly P[] }>(
  orders: readonly (T & { problems?: readonly P[] })[],
) {
  const open = orders
    .flatMap((order) => (order.problems ?? []).map((problem) => ({ order, problem })))
    .filter(({ problem }) => problem.status === 'open')
    .toSorted((a, b) => Date.parse(a.problem.answer_by) - Date.parse(b.problem.answer_by))
  const sum = sumOrderTotals(open.map(({ problem }) => ({ total: problem.amount })))
  return sum && { open, sum }
}

/** Says how an appeal was decided. A service from before sends none. */
function appealWords({ appeal = null }: { appeal?: { accept: boolean } | null }): string {
  if (appeal === null) return ''
  return appeal.accept ? '; appeal: the platform pays' : '; appeal: the decline stands'
}

/** Says what was removed or replaced, what the customer is asked, and which problems were reported. */
export function problemNotes(order: OrderWithProblems): string[] {
  const { problems = [], adjustments = [] } = order
  const reason = (code: string): string => code.replaceAll('_', ' ')
  const off = takenOff(order)
  return [
    ...adjustments.flatMap((each) => {
      if (isAwaitingCustomerAnswer(each))
        return `Question to the customer: replace ${questionWords(order, each)}?`
      const { kind, amount, reason_code, answer } = each
      const why = answer?.accept === false ? 'no replacement' : reason(reason_code)
      if (kind === 'replaced') return `Replaced: ${exchangeWords(order, each)} (${why})`
      if (kind === 'refunded') return []
      const sum = off.includes(each) ? `${formatGroupedMoney(amount)}, ` : ''
      return `Taken off: ${sum}${exchangeWords(order, each)} (${why})`
    }),
    ...problems.map((problem) => {
      const { status, amount, note, answer } = problem
      const said = (text: string | null = null): string => (text === null ? '' : `, "${text}"`)
      const now = status === 'open' ? 'waiting for the store' : status
      const last = appealWords(problem)
      return `Problem: ${formatOrderProblem(order, problem)}, ${formatGroupedMoney(amount)}${said(note)}: ${now}${said(answer?.note)}${last}`
    }),
  ]
}
