import { isAllergy } from '../../../areas/orders/rules/waiting.ts'
import type { Paint } from '../../../cli/output/colour.ts'
import { clean, fit, pad, wrapNotice } from '../../../cli/output/text.ts'
import type { Screen } from './board-screen.ts'
import { type Board, selectedOrder } from './board.ts'
import type { BasketLine } from './words.ts'
import { basketLines, customerWords, factLines, fulfillmentWords, paymentWords } from './words.ts'

const GAP = 2

/** The selected order below the list: notes first, then what it is made of. */
export function detailLines(board: Board, { columns, style, timezone }: Screen): string[] {
  const order = selectedOrder(board)
  if (order === undefined) return []
  const facts = factLines(order, { tty: true, width: columns, colour: false, timezone })
  const about = `${clean(order.display_number)}  ${customerWords(order)}, ${fulfillmentWords(order)}, ${paymentWords(order)}`
  return [
    '',
    style.dim('─'.repeat(columns)),
    ...wrapNotice(about, columns),
    ...facts.filter(isNote).flatMap((fact) => noteLines(fact, columns, style)),
    ...basketLines(order).flatMap((line) => basketLine(line, columns, style)),
    ...facts.filter((fact) => !isNote(fact)).flatMap((fact) => wrapNotice(fact, columns)),
  ]
}

function isNote(fact: string): boolean {
  return fact.startsWith('Note ')
}

/** A note stands out, one about an allergy most: by its first word too. */
function noteLines(note: string, columns: number, style: Paint): string[] {
  const allergy = isAllergy(note)
  const decorate = allergy ? style.red : style.yellow
  return wrapNotice(`${allergy ? 'ALLERGY! ' : ''}${note}`, columns).map((line) => style.bold(decorate(line)))
}

/** A line of the basket; a wish about it stands out. */
function basketLine(line: BasketLine, columns: number, style: Paint): string[] {
  if (!line.text.startsWith('"')) return detailLine(line, columns)
  const decorate = isAllergy(line.text) ? style.red : style.yellow
  const text = isAllergy(line.text) ? `ALLERGY! ${line.text}` : line.text
  return detailLine({ ...line, text }, columns).map((each) => style.bold(decorate(each)))
}

const AMOUNT = 8
const DETAIL = 70

function detailLine({ text, amount, indent }: BasketLine, columns: number): string[] {
  const margin = '  '.repeat(indent + 1)
  if (amount === undefined) return wrapNotice(margin + text, columns)
  const room = Math.min(DETAIL, columns) - margin.length - AMOUNT - GAP
  return [`${margin}${pad(fit(text, room), room)}${pad(amount, AMOUNT + GAP, 'right')}`]
}
