/** A price for people, line by line: the items on the left, the amounts on the right. */
import { type Money, formatGroupedMoney } from '../../core/money.ts'
import type { Bill, BillLine, PriceChoice, Piece, Receipt, RichText } from '../../core/presenter.ts'
import { cellText } from './cell.ts'
import { makePaint, type Paint } from './colour.ts'
import { formatTimeOfDay } from './hour.ts'
import type { RenderOptions } from './render-options.ts'
import {
  sanitizeForTerminal,
  truncateToWidth,
  pad,
  unbroken,
  measureTextWidth,
  wrapText,
  wrapPieces,
} from './text.ts'

/** The greatest width: in a wider one, amounts are too far from their items. */
const MAX_BILL_COLUMNS = 64

type Sheet = {
  style: Paint
  columns: number
  row(label: string, amount: Money): string
  /** The line above the total. */
  rule: string
  textOf(text: RichText): string
}

/** Returns a bill; while one of several prices must be chosen, their table in place of the lines. */
export function billText(
  bill: Bill | Receipt,
  renderOptions: RenderOptions,
  choices: readonly PriceChoice[] = [],
): string {
  const sheet = layOutBill(bill, renderOptions)
  const { style, columns, textOf } = sheet
  const about = bill.about.flatMap((text) => wrapText(textOf(text), columns))
  const notes = bill.notes.flatMap((text) => wrapText(textOf(text), columns))
  return [
    ...wrapText(textOf(bill.head), columns).map((line) => style.bold(truncateToWidth(line, columns))),
    ...about,
    '',
    ...(bill.total === null
      ? choiceRows(choices, renderOptions).map((row) => style.bold(row))
      : priceLines(bill, bill.total, sheet)),
    ...notes.map((line) => (bill.total === null ? line : style.dim(line))),
  ].join('\n')
}

function priceLines(
  bill: Bill | Receipt,
  total: Money,
  { style, columns, row, rule, textOf }: Sheet,
): string[] {
  const lineOf = ({ label, amount }: BillLine): string => row(textOf(label), amount)
  const detailsOf = ({ details = [] }: BillLine): string[] =>
    wrapPieces(details.map((text) => unbroken(textOf(text))).join(', '), columns - 4).filter(
      (text) => text !== '',
    )
  return [
    ...bill.lines.flatMap((line) => [
      lineOf(line),
      ...detailsOf(line).map((text) => style.dim(`    ${text}`)),
    ]),
    rule,
    ...bill.added.map(lineOf),
    style.bold(row('Total', total)),
    ...bill.included.map(({ label, amount }) => style.dim(row(`  of which ${textOf(label)}`, amount))),
    ...('settled' in bill ? bill.settled.map(lineOf) : []),
  ]
}

/** Returns one row for each price, their columns below each other. */
export function choiceRows(choices: readonly PriceChoice[], { accessible }: RenderOptions): string[] {
  const names = Math.max(0, ...choices.map(({ name }) => measureTextWidth(sanitizeForTerminal(name))))
  const prices = Math.max(0, ...choices.map(({ price }) => formatGroupedMoney(price).length))
  return choices.map(({ name, price, facts }) =>
    accessible === true
      ? `${sanitizeForTerminal(name)}: ${[formatGroupedMoney(price), ...facts].join(', ')}`
      : [
          pad(sanitizeForTerminal(name), names),
          pad(formatGroupedMoney(price), prices, 'right'),
          ...facts,
        ].join('  '),
  )
}

/** Returns how texts of a bill and its amounts are written for this screen or file. */
export function layOutBill({ made }: Bill, renderOptions: RenderOptions): Sheet {
  const style = makePaint(renderOptions.colour)
  const columns = Math.min(renderOptions.width, MAX_BILL_COLUMNS)
  const isAccessible = renderOptions.accessible === true
  const pieceOf = (piece: Piece): string => {
    if (typeof piece === 'string') return piece
    if ('name' in piece) return sanitizeForTerminal(piece.name)
    if ('at' in piece) return formatTimeOfDay(piece.at, made, renderOptions)
    const { address, name } = piece.place
    return cellText(address ?? name ?? piece.place, 'place', renderOptions)
  }
  return {
    style,
    columns,
    row: (label, amount) =>
      isAccessible
        ? `${label}: ${formatGroupedMoney(amount)}`
        : spread(label, formatGroupedMoney(amount), columns),
    rule: isAccessible ? '' : style.dim('─'.repeat(columns)),
    textOf: (text) => (typeof text === 'string' ? text : text.map(pieceOf).join('')),
  }
}

/** Returns a line of the given width. The right column is kept, the left one is cut. */
function spread(left: string, right: string, columns: number): string {
  const room = Math.max(1, columns - measureTextWidth(right) - 2)
  return `${pad(truncateToWidth(left, room), room)}  ${right}`
}
