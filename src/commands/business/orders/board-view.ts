/** The board as the lines of a screen. Everything that a colour says, a word or a sign says too. */
import { alertOf, timeToAccept, URGENT_MS } from '../../../areas/orders/rules/waiting.ts'
import type { Paint } from '../../../cli/output/colour.ts'
import { clean, fit, pad, width, wrapNotice } from '../../../cli/output/text.ts'
import { timeLeft } from '../../../cli/questions.ts'
import { spellMoney } from '../../../core/money.ts'
import { localTime } from '../../../core/time.ts'
import { detailLines } from './board-detail.ts'
import { helpLines, keyLines, questionLines } from './board-keys.ts'
import type { Screen } from './board-screen.ts'
import { type Board, type Notice, STAGES } from './board.ts'
import { ACTION_TEXTS } from './order.ts'
import type { Order } from './order.ts'
import { fulfillmentWords, itemWords, paymentWords, spanWords, word } from './words.ts'

/** At most `rows` lines, none wider than `columns`. */
export function drawBoard(board: Board, screen: Screen): string[] {
  if (board.help) return helpLines(screen).slice(0, screen.rows)
  const head = headLines(board, screen)
  const foot = footLines(board, screen)
  const room = Math.max(1, screen.rows - head.length - foot.length)
  return [...head, ...bodyLines(board, screen, room), ...foot].slice(0, screen.rows)
}

function headLines(board: Board, { columns, style, timezone }: Screen): string[] {
  const bell = board.quiet ? 'bell off, ' : ''
  const time = `${bell}${localTime(board.now, timezone)}${board.frozen ? ', clock stopped' : ''}`
  const title = `Orders: ${board.orders.length} active${takingsWords(board, columns)}`
  const gap = columns - width(title) - width(time)
  const line = gap < 2 ? fit(`${title}, ${time}`, columns) : title + ' '.repeat(gap) + time
  return [style.bold(line), '']
}

/** `   Today £231.40 from 12 orders`; shorter where there is less room. */
function takingsWords({ takings }: Board, columns: number): string {
  if (takings === undefined) return ''
  const { orders, total } = takings
  const sum = total === undefined ? 'nothing yet' : spellMoney(total)
  if (columns < WIDE || total === undefined) return `, today ${sum}`
  return `, today ${sum} from ${orders} ${orders === 1 ? 'order' : 'orders'}`
}

/** The list, and below it as much of the selected order as there is room for. */
function bodyLines(board: Board, screen: Screen, room: number): string[] {
  const { lines, at } = listLines(board, screen)
  const detail = detailLines(board, screen)
  const left = room - lines.length
  // With many orders the list has the greater part: what is not seen is not cooked.
  const share = Math.max(left, Math.floor(room / 3))
  const shown = share < 4 ? [] : crop(detail, share, screen)
  const body = [...windowed(lines, at, room - shown.length, screen), ...shown]
  return [...body, ...Array.from({ length: Math.max(0, room - body.length) }, () => '')]
}

/** The orders under the names of their stages, and the line of the selected one. */
function listLines(board: Board, screen: Screen): { lines: string[]; at: number } {
  const { style, columns } = screen
  if (board.orders.length === 0) {
    return { lines: wrapNotice('No active orders. A new one appears here, with a bell.', columns), at: 0 }
  }
  const lines: string[] = []
  let at = 0
  const widths = cellWidths(board, screen)
  for (const stage of STAGES) {
    const group = board.orders.filter(({ status }) => status === stage)
    if (group.length === 0) continue
    if (lines.length > 0) lines.push('')
    lines.push(style.bold(fit(`${word(stage).toUpperCase()} ${group.length}`, columns)))
    for (const order of group) {
      const selected = order.order_id === board.selected
      if (selected) at = lines.length
      lines.push(orderLine(board, order, widths, selected, screen))
    }
  }
  return { lines, at }
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
const WIDE = 76
const GAP = 2

function cellsOf({ now }: Board, order: Order, { columns, timezone }: Screen): Cells {
  const left = timeToAccept(order, now)
  const age = left === undefined ? spanWords(now - Date.parse(order.placed_at)) : leftWords(left)
  const due = dueWords(order, now, timezone)
  const items = `${alertWord(alertOf(order), columns)}${itemWords(order)}`
  const number = clean(order.display_number)
  if (columns >= WIDE) {
    const how = fulfillmentWords(order)
    return { number, age, due, how, items, total: spellMoney(order.total), pay: paymentWords(order) }
  }
  const pay = order.payment.status === 'unpaid' ? 'unpaid' : ''
  return { number, age: isLate(due) ? due : age, due: '', how: '', items, total: '', pay }
}

/** `ALLERGY! ` or `NOTE! ` before the items; where room is short a note is a sign only. */
function alertWord(alert: ReturnType<typeof alertOf>, columns: number): string {
  if (alert === undefined) return ''
  return alert === 'NOTE' && columns < WIDE ? '! ' : `${alert}! `
}

/** `7:48 left` until it is rejected by itself; of one for later in hours. */
function leftWords(left: number): string {
  if (left > 3_600_000) return `${spanWords(left)} left`
  return left <= 0 ? 'time over' : `${timeLeft(left)} left`
}

/** How far from the promised time, for what the kitchen still has; for when it is wanted, before that. */
function dueWords({ status, prep, slot }: Order, now: number, timezone: string): string {
  if (status === 'placed')
    return slot === null ? '' : `for ${localTime(Date.parse(slot.starts_at), timezone)}`
  if (status !== 'accepted' && status !== 'preparing') return ''
  const left = Date.parse(prep.estimated_ready_at) - now
  if (left <= -60_000) return `late ${spanWords(-left)}`
  return left < 60_000 ? 'due now' : `due ${spanWords(left)}`
}

function isLate(due: string): boolean {
  return due.startsWith('late')
}

/** Each column as wide as its widest text; the items have what is left. */
function cellWidths(board: Board, screen: Screen): Widths {
  const { columns } = screen
  const rows = board.orders.map((order) => cellsOf(board, order, screen))
  const widest = (name: keyof Cells): number => Math.max(0, ...rows.map((cells) => width(cells[name])))
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
const WARNING_MS = 300_000

function orderLine(board: Board, order: Order, widths: Widths, selected: boolean, screen: Screen): string {
  const { columns, style } = screen
  const cells = cellsOf(board, order, screen)
  const late = isLate(cells.due) || isLate(cells.age)
  const text = Object.entries(cells)
    .filter(([name]) => widths[name as keyof Cells] > 0)
    .map(([name, cell]) => {
      const room = widths[name as keyof Cells]
      return pad(fit(cell, room), room, name === 'total' || name === 'age' ? 'right' : 'left')
    })
    .join(' '.repeat(GAP))
  const line = fit(`${selected ? '> ' : '  '}${text}`, columns).trimEnd()
  const tint = late ? style.red : (agedStyle(order, board.now, style) ?? (selected ? style.cyan : undefined))
  const tinted = tint === undefined ? line : tint(line)
  return selected ? style.bold(tinted) : tinted
}

/** The less time is left to accept it, the warmer. The figure says the same. */
function agedStyle(order: Order, now: number, style: Paint): ((text: string) => string) | undefined {
  const left = timeToAccept(order, now)
  if (left === undefined) return undefined
  if (left <= URGENT_MS) return style.red
  return left <= WARNING_MS ? style.yellow : style.green
}

function footLines(board: Board, screen: Screen): string[] {
  const { columns, style } = screen
  const said = [
    ...board.notices.flatMap((notice) => noticeLines(notice, screen)),
    ...(board.silence === undefined
      ? []
      : wrapNotice(`! ${clean(board.silence)}`, columns).map((line) => style.red(line))),
    ...taskLines(board, screen),
  ]
  return [
    '',
    ...said,
    ...(board.question === undefined ? keyLines(board, screen) : questionLines(board, screen)),
  ]
}

const SIGNS: Readonly<Record<Notice['kind'], string>> = { news: '*', done: '+', refused: '!' }

function noticeLines({ text, kind }: Notice, { columns, style }: Screen): string[] {
  const decorate = { news: style.cyan, done: style.green, refused: style.red }[kind]
  return wrapNotice(`${SIGNS[kind]} ${clean(text)}`, columns).map((line) => decorate(line))
}

function taskLines({ tasks }: Board, { columns }: Screen): string[] {
  if (tasks.length === 0) return []
  const words = tasks.map((task) =>
    task.verb === 'off sale'
      ? `Taking ${clean(task.item.name)} off sale`
      : `${ACTION_TEXTS[task.verb].doing} ${clean(task.number)}`,
  )
  return wrapNotice(`${words.join(', ')} …`, columns)
}

/** The part of a list around one line, with how much there is above and below. */
function windowed(lines: readonly string[], at: number, room: number, { columns, style }: Screen): string[] {
  if (lines.length <= room || room < 3) return lines.slice(Math.max(0, at - room + 1), Math.max(room, at + 1))
  const from = Math.min(Math.max(0, at - Math.floor(room / 2)), lines.length - room)
  const part = lines.slice(from, from + room)
  const below = lines.length - from - room
  const more = (count: number, where: string) => style.dim(fit(`  … ${count} more lines ${where}`, columns))
  if (from > 0) part[0] = more(from + 1, 'above')
  if (below > 0) part[room - 1] = more(below + 1, 'below')
  return part
}

function crop(lines: readonly string[], room: number, { columns, style }: Screen): string[] {
  if (lines.length <= room) return [...lines]
  const rest = lines.length - room + 1
  return [...lines.slice(0, room - 1), style.dim(fit(`  … ${rest} more lines`, columns))]
}
