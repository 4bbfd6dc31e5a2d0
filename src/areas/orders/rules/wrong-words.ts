/** The parts of an order that went wrong, in words: on the screens of its store and of its customer. Pure. */
import { spellMoney, type Money } from '../../../core/money.ts'

/** Returns whether an adjustment, as it is read, still waits for the customer's answer. */
export function isAsked({
  answer_by,
  answer,
}: {
  answer_by?: string | null
  answer?: object | null
}): boolean {
  return answer_by !== undefined && answer_by !== null && (answer ?? null) === null
}

type Wronged = {
  adjustments?: readonly Adjusted[]
  problems?: readonly { status: string; reason_code: string; amount: Money }[]
  lines: readonly Line[]
}

type Adjusted = {
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

/** Returns the adjustments that were taken off before the payment. */
export function takenOff<T extends Pick<Adjusted, 'refund_id' | 'amount' | 'answer_by' | 'answer'>>({
  adjustments = [],
}: {
  adjustments?: readonly T[]
}): T[] {
  return adjustments.filter((each) => each.refund_id === null && each.amount.amount > 0 && !isAsked(each))
}

/** Returns the replacements that the customer is asked about. A service from before sends none. */
export function questionsOf<T extends Pick<Adjusted, 'answer_by' | 'answer'>>({
  adjustments = [],
}: {
  adjustments?: readonly T[]
}): T[] {
  return adjustments.filter(isAsked)
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
function exchangeWords(order: Wronged, { lines: taken }: Pick<Adjusted, 'lines'>): string {
  const names = lineNames(order)
  return taken
    .map(({ line_id, quantity, replacement }) => {
      const by = replacement ? ` by ${replacement.name}` : ''
      return `${quantity === 0 ? '' : `${quantity} × `}${names.get(line_id) ?? line_id}${by}`
    })
    .join(', ')
}

/** Returns the words for an open question: the lines, the money, and the allergens of the new items. */
export function questionWords(order: Wronged, asked: Adjusted): string {
  const allergens = [...new Set(asked.lines.flatMap(({ replacement }) => replacement?.allergens ?? []))]
  const money = asked.amount.amount === 0 ? 'at the same price' : `for ${spellMoney(asked.amount)} less`
  const contains = allergens.length === 0 ? '' : `, contains ${allergens.join(', ').replaceAll('_', ' ')}`
  return `${exchangeWords(order, asked)}, ${money}${contains}`
}

/** Says what was taken off or replaced, what the customer is asked, and which problems were reported. */
export function wrongNotes(order: Wronged): string[] {
  const { problems = [], adjustments = [] } = order
  const reason = (code: string): string => code.replaceAll('_', ' ')
  const off = takenOff(order)
  return [
    ...adjustments.flatMap((each) => {
      if (isAsked(each)) return `Question to the customer: replace ${questionWords(order, each)}?`
      const { kind, amount, reason_code, answer } = each
      const why = answer?.accept === false ? 'no replacement' : reason(reason_code)
      if (kind === 'replaced') return `Replaced: ${exchangeWords(order, each)} (${why})`
      if (kind === 'refunded') return []
      const sum = off.includes(each) ? `${spellMoney(amount)}, ` : ''
      return `Taken off: ${sum}${exchangeWords(order, each)} (${why})`
    }),
    ...problems.map(
      ({ status, reason_code, amount }) =>
        `Problem of ${spellMoney(amount)} (${reason(reason_code)}): ${status === 'open' ? 'waiting for the store' : status}`,
    ),
  ]
}
