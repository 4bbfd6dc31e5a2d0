/** A sheet fills the screen in place of the list: all keys, all of an order, or the orders that were lost. */
import { formatLossReason, computeViewedStoreLoss } from '../../../areas/orders/rules/losses.ts'
import { cellText } from '../../../cli/output/cell.ts'
import { sanitizeForTerminal, wrapWhole } from '../../../cli/output/text.ts'
import { formatGroupedMoney } from '../../../core/money.ts'
import { helpLines } from './board-keys.ts'
import type { BoardScreen } from './board-screen.ts'
import { actedOn, type OrderBoard } from './board.ts'
import type { BusinessOrderOutput } from './order.ts'
import { formatStoreOrder } from './show.ts'
import { formatOrderCustomer, formatOrderItems } from './words.ts'

/** All lines of the sheet, however many. */
export function sheetLines(board: OrderBoard, screen: BoardScreen): string[] {
  const { columns, style, timezone } = screen
  if (board.sheet?.of === 'keys') return helpLines(screen)
  if (board.sheet?.of === 'lost') return board.lost.flatMap((order) => lostLines(order, screen))
  const order = actedOn(board)
  const options = { tty: true, width: columns, colour: style.bold('-') !== '-', timezone }
  return order === undefined ? [] : formatStoreOrder(order, options).split('\n')
}

/** The way in which it was lost, the goods that it cost the store, and the person to call. */
function lostLines(order: BusinessOrderOutput, { columns, style, timezone }: BoardScreen): string[] {
  const at = cellText(order.updated_at, '', { tty: true, width: columns, colour: false, timezone })
  const lead = `${sanitizeForTerminal(order.display_number)}  ${formatGroupedMoney(computeViewedStoreLoss(order))}, ${formatLossReason(order)} at ${at}`
  return [
    ...wrapWhole(lead, columns).map((line) => style.bold(style.red(line))),
    ...wrapWhole(`${formatOrderCustomer(order)}: ${formatOrderItems(order)}`, columns - 2).map(
      (line) => `  ${line}`,
    ),
    '',
  ]
}
