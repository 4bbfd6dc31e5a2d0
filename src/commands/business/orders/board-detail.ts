/** The selected order below the list of the board: its notes first, then what it is made of. */
import { isAllergy } from '../../../areas/orders/rules/allergens.ts'
import { notesOf } from '../../../areas/orders/rules/waiting.ts'
import type { Paint } from '../../../cli/output/colour.ts'
import { sanitizeForTerminal, truncateToWidth, pad, wrapWhole } from '../../../cli/output/text.ts'
import type { BoardScreen } from './board-screen.ts'
import { type OrderBoard, selectedOrder } from './board.ts'
import { formatNoteLines } from './show.ts'
import type { BasketLine } from './words.ts'
import {
  basketLines,
  formatOrderCustomer,
  factLines,
  formatOrderFulfillment,
  formatOrderPayment,
} from './words.ts'

const GAP = 2

export type Detail = {
  /** As it stands when there is room for all of it. */
  whole: string[]
  /** The number of the order, its customer, and how it is got and paid. */
  about: string[]
  /** All notes, allergies first: never omitted. */
  notes: string[]
  /** Everything else. */
  rest: string[]
}

/** Describes the selected order. */
export function detailOf(board: OrderBoard, { columns, style, timezone }: BoardScreen): Detail {
  const order = selectedOrder(board)
  if (order === undefined) return { whole: [], about: [], notes: [], rest: [] }
  const options = { tty: true, width: columns, colour: false, timezone }
  const facts = factLines(order, options).flatMap((fact) => wrapWhole(fact, columns))
  const who = `${sanitizeForTerminal(order.display_number)}  ${formatOrderCustomer(order)}, ${formatOrderFulfillment(order)}, ${formatOrderPayment(order)}`
  const about = [style.dim('─'.repeat(columns)), ...wrapWhole(who, columns)]
  const basket = basketLines(order)
  const all = notesOf(order).map((note) => ({ ...note, lines: formatNoteLines(note, columns, style) }))
  const own = all.filter(({ of }) => of === undefined)
  const basketOf = (some: readonly BasketLine[]) => some.flatMap((line) => basketLine(line, columns, style))
  return {
    whole: ['', ...about, ...own.flatMap(({ lines }) => lines), ...basketOf(basket), ...facts],
    about,
    notes: all.flatMap(({ lines }) => lines),
    rest: [...basketOf(basket.filter(({ isNote }) => isNote !== true)), ...facts],
  }
}

/** Returns at most so many lines of an order: its notes, and as much of the rest as there is room for. */
export function shorten(
  { whole, about, notes, rest }: Detail,
  room: number,
  { columns, style }: BoardScreen,
): string[] {
  if (whole.length <= room) return whole
  if (room < 1) return []
  const all = [...about, ...notes, ...rest]
  if (all.length <= room) return all
  const more = (count: number): string => truncateToWidth(`  … ${count} more lines: Enter shows all`, columns)
  if (about.length + notes.length < room)
    return [...all.slice(0, room - 1), style.dim(more(all.length - room + 1))]
  // The list names the order, too. On a screen that is too low for its notes, they call for the key that opens them.
  if (notes.length <= room) return notes.length === 0 ? about.slice(0, room) : notes
  const missing = notes.length - room + 1
  return [...notes.slice(0, room - 1), style.bold(style.red(more(missing)))]
}

/** A line of the basket; a wish about it stands out, and what left the order is struck. */
function basketLine(line: BasketLine, columns: number, style: Paint): string[] {
  if (line.isStruck === true) return detailLine(line, columns).map(style.struck)
  if (line.isDanger === true) return detailLine(line, columns).map((each) => style.bold(style.red(each)))
  if (line.isNote !== true) return detailLine(line, columns)
  const decorate = isAllergy(line.text) ? style.red : style.yellow
  const text = isAllergy(line.text) ? `ALLERGY! ${line.text}` : line.text
  return detailLine({ ...line, text }, columns).map((each) => style.bold(decorate(each)))
}

const AMOUNT = 8
const DETAIL = 70

function detailLine({ text, amount, indent }: BasketLine, columns: number): string[] {
  const margin = '  '.repeat(indent + 1)
  if (amount === undefined) return wrapWhole(text, columns - margin.length).map((line) => margin + line)
  const room = Math.min(DETAIL, columns) - margin.length - AMOUNT - GAP
  return [`${margin}${pad(truncateToWidth(text, room), room)}${pad(amount, AMOUNT + GAP, 'right')}`]
}
