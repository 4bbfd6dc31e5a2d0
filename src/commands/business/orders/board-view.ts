import { formatLossReason, sumLosses } from '../../../areas/orders/rules/losses.ts'
/** The board as the lines of a screen. Everything that a colour says, a word or a sign says too. */
import { ORDER_VERB_TEXTS } from '../../../areas/orders/rules/stages.ts'
import { listNewOrders, computeMsLeftToAccept, URGENT_MS } from '../../../areas/orders/rules/waiting.ts'
import {
  sanitizeForTerminal,
  truncateToWidth,
  measureTextWidth,
  wrapNotice,
  wrapWhole,
} from '../../../cli/output/text.ts'
import { formatGroupedMoney } from '../../../core/money.ts'
import { localTime } from '../../../core/time.ts'
import { detailOf, shorten } from './board-detail.ts'
import { keyLines, questionLines } from './board-keys.ts'
import { agedStyle, listLength, listLines, WIDE } from './board-list.ts'
import type { BoardScreen } from './board-screen.ts'
import { sheetLines } from './board-sheet.ts'
import type { OrderBoard, BoardNotice } from './board.ts'
import type { BusinessOrderOutput } from './order.ts'
import { newWords, problemsWords, timeOrDay } from './words.ts'

/** At most `rows` lines, none wider than `columns`. */
export function renderBoard(board: OrderBoard, screen: BoardScreen): string[] {
  const head = headLines(board, screen)
  const { body, foot } =
    board.sheet === undefined ? renderOrderList(board, screen) : renderSheet(board, screen)
  return [...head, ...body, ...foot].slice(0, screen.rows)
}

/** The board with its sheet scrolled no further than to its end. */
export function clampSheetScroll(board: OrderBoard, screen: BoardScreen): OrderBoard {
  if (board.sheet === undefined) return board
  const { top } = renderSheet(board, screen)
  return { ...board, sheet: { ...board.sheet, top } }
}

/** The lines between head and foot. */
function roomOf(board: OrderBoard, screen: BoardScreen, foot: readonly string[]): number {
  return Math.max(1, screen.rows - headLines(board, screen).length - foot.length)
}

function renderOrderList(board: OrderBoard, screen: BoardScreen): { body: string[]; foot: string[] } {
  const foot = footLines(board, screen)
  return { body: bodyLines(board, screen, roomOf(board, screen, foot)), foot }
}

function renderSheet(
  board: OrderBoard,
  screen: BoardScreen,
): { body: string[]; foot: string[]; top: number } {
  const lines = sheetLines(board, screen)
  const foot = footLines(board, screen)
  const room = roomOf(board, screen, foot)
  if (lines.length <= room) return { body: filled(lines, room), foot, top: 0 }
  // A line less, for how much there is above and below.
  const top = Math.min(board.sheet?.top ?? 0, lines.length - room + 1)
  const below = lines.length - top - room + 1
  const more = [...(top > 0 ? [`↑ ${top} more`] : []), ...(below > 0 ? [`↓ ${below} more`] : [])].join(', ')
  const rest = screen.style.bold(truncateToWidth(`${more} lines`, screen.columns))
  return { body: [...lines.slice(top, top + room - 1), rest], foot, top }
}

function headLines(board: OrderBoard, { columns, rows, style, timezone }: BoardScreen): string[] {
  const bell = board.quiet ? 'bell off, ' : ''
  const time = `${bell}${localTime(board.now, timezone)}${board.frozen ? ', clock frozen' : ''}`
  const count = `Orders: ${board.orders.length} active`
  const long = `${count}${takingsWords(board, columns)}`
  const title = measureTextWidth(long) + measureTextWidth(time) + 2 > columns ? count : long
  const gap = columns - measureTextWidth(title) - measureTextWidth(time)
  const line = gap < 2 ? truncateToWidth(`${title}, ${time}`, columns) : title + ' '.repeat(gap) + time
  const pinned = [
    newLine(board, columns, style),
    ...lostLine(board, columns, style, timezone),
    ...problemLine(board, columns, style),
  ]
  return [style.bold(line), ...pinned, ...(rows < ROOMY ? [] : [''])]
}

/** On a lower screen each line is an order. */
const ROOMY = 22

/** `, today £231.40 net from 12 orders`; shorter where there is less room. */
function takingsWords({ takings }: OrderBoard, columns: number): string {
  if (takings === undefined) return ''
  if (takings === null) return columns < WIDE ? '' : ', today: this service has no statement'
  const { orders, total } = takings
  if (orders === 0 && total.amount === 0) return `, today nothing yet`
  const sum = formatGroupedMoney(total)
  if (columns < WIDE) return `, today ${sum}`
  return `, today ${sum} net from ${orders} ${orders === 1 ? 'order' : 'orders'}`
}

/** The new orders, on every view of the board: how many, their sum, and which of them end first. */
function newLine({ orders, now }: OrderBoard, columns: number, style: BoardScreen['style']): string {
  const [first] = listNewOrders(orders)
  const words = newWords(orders, now)
  if (first === undefined || words === undefined) return style.dim(truncateToWidth('No new orders', columns))
  const sign = (computeMsLeftToAccept(first, now) ?? Infinity) <= URGENT_MS ? '! ' : ''
  // Without room for the sum, the one that ends first is still named.
  const long = listed(`${sign}${words.lead}`, words.ends, columns)
  const line =
    long ??
    listed(`${sign}${words.count}`, words.ends, columns) ??
    truncateToWidth(`${sign}${words.lead}`, columns)
  return style.bold((agedStyle(first, now, style) ?? style.green)(line))
}

/** The lost orders, until they are acknowledged: how many, the goods that they cost, and how the latest were lost. */
function lostLine(
  { lost, now }: OrderBoard,
  columns: number,
  style: BoardScreen['style'],
  timezone: string,
): string[] {
  const sum = sumLosses(lost)
  if (sum === undefined) return []
  const each = lost.map((order) => `${lostWords(order)} ${timeOrDay(order.updated_at, now, timezone)}`)
  const lead = `! ${lost.length} LOST, ${formatGroupedMoney(sum)}`
  return [style.bold(style.red(listed(lead, each, columns) ?? truncateToWidth(lead, columns)))]
}

/** The problems that wait for an answer, with the command that lists their orders. */
function problemLine({ problems }: OrderBoard, columns: number, style: BoardScreen['style']): string[] {
  const words = problemsWords(problems)
  if (words === undefined) return []
  const lead = `! ${words.lead}`
  return [style.bold(style.yellow(listed(lead, [words.way], columns) ?? truncateToWidth(lead, columns)))]
}

function lostWords(order: BusinessOrderOutput): string {
  return `${sanitizeForTerminal(order.display_number)} ${formatLossReason(order)}`
}

/** As many entries behind the lead as there is room for; undefined where that is none. */
function listed(lead: string, entries: readonly string[], columns: number): string | undefined {
  const [first, ...more] = entries
  if (first === undefined || measureTextWidth(lead) + measureTextWidth(first) + 2 > columns) return undefined
  let line = `${lead}: ${first}`
  for (const entry of more) {
    if (measureTextWidth(line) + measureTextWidth(entry) + 2 > columns) break
    line += `, ${entry}`
  }
  return line
}

/** The list, and below it the selected order. When both do not fit, neither its notes nor what is urgent is cut. */
function bodyLines(board: OrderBoard, screen: BoardScreen, room: number): string[] {
  if (board.orders.length === 0) {
    const text = 'No active orders. New orders appear here, with a bell.'
    return filled(wrapNotice(text, screen.columns), room)
  }
  const length = listLength(board)
  const detail = detailOf(board, screen)
  if (length + detail.whole.length <= room)
    return filled([...listLines(board, screen, length), ...detail.whole], room)
  const needed = detail.about.length + detail.notes.length + (detail.rest.length > 0 ? 1 : 0)
  const share = Math.max(needed, room - length, Math.floor(room / 3))
  const least = Math.min(length, MIN_LIST_LINES)
  const shown = shorten(detail, Math.min(share, room - least), screen)
  return filled([...listLines(board, screen, room - shown.length), ...shown], room)
}

/** A heading, the selected order and what else there is. */
const MIN_LIST_LINES = 3

function filled(lines: readonly string[], room: number): string[] {
  return [...lines, ...Array.from({ length: Math.max(0, room - lines.length) }, () => '')]
}

function footLines(board: OrderBoard, screen: BoardScreen): string[] {
  const { columns, style, rows } = screen
  const said = [
    ...board.notices.flatMap((notice) => noticeLines(notice, screen)),
    ...(board.silence === undefined
      ? []
      : wrapNotice(`! ${sanitizeForTerminal(board.silence)}`, columns).map((line) => style.red(line))),
    ...taskLines(board, screen),
  ]
  const keys = board.question === undefined ? keyLines(board, screen) : questionLines(board, screen)
  return [...(rows < ROOMY ? [] : ['']), ...said, ...keys]
}

const SIGNS: Readonly<Record<BoardNotice['kind'], string>> = { news: '*', done: '+', refused: '!' }

/** An error is told whole; other news has a line on a low screen. */
function noticeLines({ text, kind }: BoardNotice, { columns, rows, style }: BoardScreen): string[] {
  const decorate = { news: style.cyan, done: style.green, refused: style.red }[kind]
  const said = `${SIGNS[kind]} ${sanitizeForTerminal(text)}`
  const lines = kind === 'news' && rows < ROOMY ? [truncateToWidth(said, columns)] : wrapWhole(said, columns)
  return lines.map((line) => decorate(line))
}

/** The action that is under way, and how many come after it. */
function taskLines({ tasks }: OrderBoard, { columns }: BoardScreen): string[] {
  const [task] = tasks
  if (task === undefined) return []
  const words =
    task.verb === 'off sale'
      ? `Marking ${sanitizeForTerminal(task.item.name)} unavailable`
      : `${ORDER_VERB_TEXTS[task.verb].doing} ${sanitizeForTerminal(task.number)}`
  const more = tasks.length === 1 ? '' : `, ${tasks.length - 1} more`
  return [truncateToWidth(`${words}${more} …`, columns)]
}
