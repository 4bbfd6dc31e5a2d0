/** The list of the board: orders under the names of their stages. Where not all fit, the least important are omitted. */
import { findKitchenAlert } from '../../../areas/orders/rules/kitchen-lines.ts'
import { ORDER_STAGES } from '../../../areas/orders/rules/stages.ts'
import {
  importanceOf,
  isCooked,
  LATE_MS,
  SOON_TO_ACCEPT_MS,
  computeMsLeftToAccept,
  URGENT_MS,
} from '../../../areas/orders/rules/waiting.ts'
import { listOpenQuestions, problemNotes } from '../../../areas/orders/rules/wrong-words.ts'
import type { Paint } from '../../../cli/output/colour.ts'
import { sanitizeForTerminal, truncateToWidth, pad, measureTextWidth } from '../../../cli/output/text.ts'
import type { BoardScreen } from './board-screen.ts'
import type { OrderBoard } from './board.ts'
import type { BusinessOrderOutput } from './order.ts'
import {
  formatOrderCharge,
  formatOrderFulfillment,
  formatOrderItems,
  leftWords,
  formatOrderPayment,
  formatCountdown,
  timeOrDay,
} from './words.ts'

type Stage = { title: string; orders: BusinessOrderOutput[] }

function stagesOf({ orders }: OrderBoard): Stage[] {
  return ORDER_STAGES.map((stage) => ({
    title: stage.title,
    orders: orders.filter(({ status }) => status === stage.status),
  })).filter(({ orders: some }) => some.length > 0)
}

/** Returns the number of lines of the whole list, with a line between two stages. */
export function listLength(board: OrderBoard): number {
  const { length } = stagesOf(board)
  return board.orders.length + length + Math.max(0, length - 1)
}

/** The list in at most `room` lines. The selected order is on it, whatever else is not. */
export function listLines(board: OrderBoard, screen: BoardScreen, room: number): string[] {
  const { columns, style } = screen
  const stages = stagesOf(board)
  const isWhole = listLength(board) <= room
  const shown = isWhole ? new Set(board.orders) : mostImportant(board, stages, room)
  const widths = cellWidths(board, screen)
  const lines = stages.flatMap(({ title, orders }, at) => {
    const some = orders.filter((order) => shown.has(order))
    if (some.length === 0) return []
    const hidden = orders.length - some.length
    const heading = `${title.toUpperCase()} ${orders.length}${hidden > 0 ? `, ${hidden} not shown` : ''}`
    return [
      ...(isWhole && at > 0 ? [''] : []),
      style.bold(truncateToWidth(heading, columns)),
      ...some.map((order) => orderLine(board, order, widths, screen)),
    ]
  })
  const left = stages.filter(({ orders }) => !orders.some((order) => shown.has(order)))
  const counts = left.map(({ title, orders }) => `${orders.length} ${title.toLowerCase()}`)
  const all =
    counts.length === 0 ? lines : [...lines, style.dim(truncateToWidth(`Also ${counts.join(', ')}`, columns))]
  // Without room for its heading, the selected order comes first.
  return room < 2 ? lines.slice(1, 1 + room) : all.slice(0, room)
}

/** Returns the orders for which there is room: the selected one, what can be selected next, then the most urgent. */
function mostImportant(
  board: OrderBoard,
  stages: readonly Stage[],
  room: number,
): ReadonlySet<BusinessOrderOutput> {
  const { orders, now } = board
  const at = orders.findIndex(({ order_id }) => order_id === board.selected)
  const near = [at, at + 1, at - 1].flatMap((place) => orders[place] ?? [])
  const rest = orders.toSorted((a, b) => importanceOf(a, now) - importanceOf(b, now))
  const shown = new Set<BusinessOrderOutput>()
  const stageOf = new Map(stages.flatMap((stage) => stage.orders.map((order) => [order, stage])))
  const headed = new Set<Stage | undefined>()
  for (const order of [...near, ...rest]) {
    const stage = stageOf.get(order)
    const named = headed.has(stage) ? headed.size : headed.size + 1
    const also = named < stages.length ? 1 : 0
    if (shown.has(order) || (shown.size > 0 && shown.size + 1 + named + also > room)) continue
    shown.add(order)
    headed.add(stage)
  }
  return shown
}

type Cells = {
  number: string
  age: string
  due: string
  how: string
  items: string
  total: string
  pay: string
}
type Widths = Readonly<Record<keyof Cells, number>>

/** Below this a line says what has to be cooked, since when, and whether something is amiss. */
export const WIDE = 76
const GAP = 2

function cellsOf({ now }: OrderBoard, order: BusinessOrderOutput, { columns, timezone }: BoardScreen): Cells {
  const left = computeMsLeftToAccept(order, now)
  const age = left === undefined ? formatCountdown(now - Date.parse(order.placed_at)) : leftWords(left)
  const due = dueWords(order, now, timezone)
  const items = `${alertWord(findKitchenAlert(order), columns)}${changeWord(order)}${formatOrderItems(order)}`
  const number = sanitizeForTerminal(order.display_number)
  if (columns >= WIDE) {
    const how = formatOrderFulfillment(order)
    return { number, age, due, how, items, total: formatOrderCharge(order), pay: formatOrderPayment(order) }
  }
  const pay = order.payment.status === 'unpaid' ? 'unpaid' : ''
  return { number, age: isLate(due) ? due : age, due: '', how: '', items, total: '', pay }
}

/** `ALLERGY! ` or `NOTE! ` before the items; where room is short a note is a sign only. */
function alertWord(alert: ReturnType<typeof findKitchenAlert>, columns: number): string {
  if (alert === undefined) return ''
  return alert === 'NOTE' && columns < WIDE ? '! ' : `${alert}! `
}

/** `ASKED! ` while the customer is asked about a replacement, and `CHANGED! ` for an order that is not cooked as it was placed. */
function changeWord(order: BusinessOrderOutput): string {
  if (listOpenQuestions(order).length > 0) return 'ASKED! '
  return problemNotes(order).length > 0 ? 'CHANGED! ' : ''
}

/** Returns the distance from the promised time, for what the kitchen still has; for when it is wanted, before that. */
function dueWords(order: BusinessOrderOutput, now: number, timezone: string): string {
  const { status, prep, slot } = order
  if (status === 'placed') return slot === null ? '' : `for ${timeOrDay(slot.starts_at, now, timezone)}`
  if (!isCooked(order)) return ''
  const left = Date.parse(prep.estimated_ready_at) - now
  if (left <= -LATE_MS) return `late ${formatCountdown(-left)}`
  return left < 60_000 ? 'due now' : `due ${formatCountdown(left)}`
}

function isLate(due: string): boolean {
  return due.startsWith('late')
}

/** Each column as wide as its widest text; the items have what is left. */
function cellWidths(board: OrderBoard, screen: BoardScreen): Widths {
  const { columns } = screen
  const rows = board.orders.map((order) => cellsOf(board, order, screen))
  const widest = (name: keyof Cells): number =>
    Math.max(0, ...rows.map((cells) => measureTextWidth(cells[name])))
  const widths = {
    number: widest('number'),
    age: widest('age'),
    due: widest('due'),
    how: Math.min(24, widest('how')),
    items: 0,
    total: widest('total'),
    pay: Math.min(26, widest('pay')),
  }
  const taken = Object.values(widths).filter((each) => each > 0)
  const items = columns - MARK - taken.reduce((sum, each) => sum + each + GAP, 0)
  return { ...widths, items: Math.max(0, Math.min(items, widest('items'))) }
}

const MARK = 2

function orderLine(
  board: OrderBoard,
  order: BusinessOrderOutput,
  widths: Widths,
  { columns, style, ...rest }: BoardScreen,
): string {
  const selected = order.order_id === board.selected
  const cells = cellsOf(board, order, { columns, style, ...rest })
  const late = isLate(cells.due) || isLate(cells.age)
  const text = Object.entries(cells)
    .filter(([name]) => widths[name as keyof Cells] > 0)
    .map(([name, cell]) => {
      const room = widths[name as keyof Cells]
      return pad(truncateToWidth(cell, room), room, name === 'total' || name === 'age' ? 'right' : 'left')
    })
    .join(' '.repeat(GAP))
  const line = truncateToWidth(`${selected ? '> ' : '  '}${text}`, columns).trimEnd()
  const tint = late ? style.red : (agedStyle(order, board.now, style) ?? (selected ? style.cyan : undefined))
  const tinted = tint === undefined ? line : tint(line)
  return selected ? style.bold(tinted) : tinted
}

/** The less time is left to accept it, the warmer. The figure says the same. */
export function agedStyle(
  order: BusinessOrderOutput,
  now: number,
  style: Paint,
): ((text: string) => string) | undefined {
  const left = computeMsLeftToAccept(order, now)
  if (left === undefined) return undefined
  if (left <= URGENT_MS) return style.red
  return left <= SOON_TO_ACCEPT_MS ? style.yellow : style.green
}
