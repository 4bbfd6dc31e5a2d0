/** The keys of the board: those that do something now, all of them, and those that answer a question. */
import { listItemsOfOrder } from '../../../areas/orders/rules/kitchen-lines.ts'
import { ORDER_REJECT_REASONS } from '../../../areas/orders/states.ts'
import { sanitizeForTerminal, pad, measureTextWidth, wrapNotice } from '../../../cli/output/text.ts'
import type { BoardScreen } from './board-screen.ts'
import { type OrderBoard, itemsOf, offered, type BoardQuestion, type BoardSheet } from './board.ts'
import type { BusinessOrderOutput } from './order.ts'
import { formatOrderRefund, humanizeName } from './words.ts'

const GAP = 2

/** Returns the present action of each key of the board. */
export function keyLines(board: OrderBoard, { columns, style }: BoardScreen): string[] {
  const keys = board.sheet === undefined ? boardKeys(board) : sheetKeys(board, board.sheet)
  return rowsOf(
    keys.map(([key, does]) => ({ text: `${key} ${does}`, shown: `${style.bold(key)} ${does}` })),
    columns,
  )
}

function boardKeys(board: OrderBoard): [string, string][] {
  return [
    ...actionKeys(board),
    ...(board.lost.length > 0 ? [['l', 'lost'] as [string, string]] : []),
    ...(board.orders.length > 1 ? [['↑↓', 'select'] as [string, string]] : []),
    ...(board.orders.length > 0 ? [['Enter', 'open'] as [string, string]] : []),
    ['?', 'all keys'],
    ['q', 'quit'],
  ]
}

function sheetKeys(board: OrderBoard, { of }: BoardSheet): [string, string][] {
  const back: [string, string] = ['Esc', 'back']
  if (of === 'keys')
    return [
      ['↑↓', 'scroll'],
      ['any other key', 'back'],
    ]
  if (of === 'lost')
    return [
      ['Enter', 'acknowledge lost orders and remove them from the board'],
      ['Esc', 'leave them on it'],
    ]
  return [...actionKeys(board), ['↑↓', 'scroll'], back]
}

function actionKeys(board: OrderBoard): [string, string][] {
  return [...offered(board).map(([key, verb]): [string, string] => [key, verb]), ...moreKeys(board)]
}

function moreKeys(board: OrderBoard): [string, string][] {
  const offers = offered(board)
  if (offers.length === 0) return []
  const timed = offers.some(([, verb]) => verb === 'accept' || verb === 'prepare')
  return [...(timed ? [['t', 'time'] as [string, string]] : []), ['o', 'unavailable']]
}

/** The action of each key, for the screen of all keys. */
const ALL_KEYS = [
  ['↑ ↓', 'select an order; Home and End go to the first and the last'],
  ['a', 'accept the selected order'],
  ['t', 'accept or start it with a preparation time in minutes'],
  ['p', 'start preparing it'],
  ['r', 'mark ready; a delivery gets its courier'],
  ['c', 'complete: collected or served'],
  ['x', 'reject with a reason and refund the customer'],
  ['o', 'mark an item of it unavailable'],
  ['Enter', 'open the selected order: lines, notes and times'],
  ['l', 'open the lost orders; Enter there acknowledges them'],
  ['b', 'turn only the bell off or on; the store stays open'],
  ['Ctrl-L', 'draw the screen again'],
  ['q', 'quit; orders are not changed'],
] as const

/** All keys, as a sheet. */
export function helpLines({ columns, style }: BoardScreen): string[] {
  const lines = ALL_KEYS.flatMap(([key, does]) =>
    wrapNotice(does, columns - KEY_ROOM).map(
      (line, at) => `${pad(at === 0 ? `  ${key}` : '', KEY_ROOM)}${line}`,
    ),
  )
  return [style.bold('All keys'), ...lines]
}

const KEY_ROOM = 10

/** The question that is open, and the keys that answer it. */
export function questionLines(board: OrderBoard, screen: BoardScreen): string[] {
  const { question } = board
  const order = board.orders.find(({ order_id }) => order_id === question?.orderId)
  if (question === undefined || order === undefined) return []
  const number = sanitizeForTerminal(order.display_number)
  if (question.about === 'reject') return rejectLines(question, order, screen)
  if (question.about === 'time') {
    const doing = question.verb === 'accept' ? 'Accept' : 'Start'
    const minutes = question.minutes === '' ? '_' : question.minutes
    const ways = [
      ['0-9', 'minutes'],
      ['Enter', `${doing.toLowerCase()} ${number}`],
      ['Esc', 'leave it'],
    ]
    return askLines(`${doing} ${number}: ready in ${minutes} minutes (1 to 180)`, ways, screen)
  }
  const items = itemsOf(order).map(({ name }, index) => [String(index + 1), sanitizeForTerminal(name)])
  const rest = listItemsOfOrder(order).length - items.length
  const more = rest > 0 ? ` (${rest} more: \`dray business catalog available\`)` : ''
  return askLines(`Which item is unavailable?${more}`, [...items, ['Esc', 'none']], screen)
}

function askLines(
  lead: string,
  ways: readonly (readonly string[])[],
  { columns, style }: BoardScreen,
): string[] {
  return [
    ...wrapNotice(lead, columns).map((line) => style.yellow(line)),
    ...rowsOf(
      ways.map(([key = '', does = '']) => ({ text: `${key} ${does}`, shown: `${style.bold(key)} ${does}` })),
      columns,
    ),
  ]
}

function rejectLines(
  question: Extract<BoardQuestion, { about: 'reject' }>,
  order: BusinessOrderOutput,
  screen: BoardScreen,
): string[] {
  const back = formatOrderRefund(order)
  const number = sanitizeForTerminal(order.display_number)
  const lead =
    question.reason === undefined
      ? `Reject ${number}?${back} Reason:`
      : `Reject ${number}: ${humanizeName(question.reason)}.${back} Reject it?`
  const reasons = ORDER_REJECT_REASONS.map((reason, index) => [String(index + 1), humanizeName(reason)])
  const ways = [
    ...(question.reason === undefined ? reasons : [['Enter', `reject ${number}`]]),
    ['Esc', 'keep it'],
  ]
  return askLines(lead, ways, screen)
}

/** Pieces side by side in as many rows as they need. */
function rowsOf(pieces: readonly { text: string; shown: string }[], columns: number): string[] {
  const rows: string[] = []
  let used = 0
  for (const { text, shown } of pieces) {
    const room = measureTextWidth(text) + GAP + 1
    if (rows.length === 0 || used + room - GAP - 1 > columns) {
      rows.push(shown)
      used = room
    } else {
      rows.push(`${rows.pop() ?? ''}   ${shown}`)
      used += room
    }
  }
  return rows
}
