/** The board as the lines of a screen. Everything that a colour says, a word or a sign says too. */
import { spellMoney } from '../../domain/money.ts'
import { REJECT_REASONS } from '../../domain/order-states.ts'
import { localTime } from '../../domain/time.ts'
import type { Paint } from '../output/colour.ts'
import { clean, fit, pad, width, wrapNotice } from '../output/text.ts'
import { type Board, type Notice, offered, selectedOrder, STAGES } from './board.ts'
import { DEEDS } from './order.ts'
import type { Order } from './order.ts'
import type { BasketLine } from './words.ts'
import {
  basketLines,
  customerWords,
  factLines,
  fulfillmentWords,
  itemWords,
  paymentWords,
  spanWords,
  word,
} from './words.ts'

export type Screen = {
  columns: number
  rows: number
  style: Paint
  /** Of the times shown. */
  timezone: string
}

/** At most `rows` lines, none wider than `columns`. */
export function drawBoard(board: Board, screen: Screen): string[] {
  const head = headLines(board, screen)
  const foot = footLines(board, screen)
  const room = Math.max(1, screen.rows - head.length - foot.length)
  return [...head, ...bodyLines(board, screen, room), ...foot].slice(0, screen.rows)
}

function headLines(board: Board, { columns, style, timezone }: Screen): string[] {
  const time = `${localTime(board.now, timezone)}${board.frozen ? ', clock stopped' : ''}`
  const count = board.orders.length
  const title = `Orders: ${count} active`
  const gap = columns - width(title) - width(time)
  const line = gap < 2 ? fit(`${title}, ${time}`, columns) : title + ' '.repeat(gap) + time
  return [style.bold(line), '']
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
  const age = spanWords(now - Date.parse(order.placed_at))
  const due = dueWords(order, now, timezone)
  const items = itemWords(order)
  const number = clean(order.display_number)
  if (columns >= WIDE) {
    const how = fulfillmentWords(order)
    return { number, age, due, how, items, total: spellMoney(order.total), pay: paymentWords(order) }
  }
  const pay = order.payment.status === 'unpaid' ? 'unpaid' : ''
  return { number, age: isLate(due) ? due : age, due: '', how: '', items, total: '', pay }
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
  if (selected) return style.bold(late ? style.red(line) : style.cyan(line))
  return late ? style.red(line) : line
}

function detailLines(board: Board, { columns, style, timezone }: Screen): string[] {
  const order = selectedOrder(board)
  if (order === undefined) return []
  const facts = factLines(order, { tty: true, width: columns, colour: false, timezone })
  const about = `${clean(order.display_number)}  ${customerWords(order)}, ${fulfillmentWords(order)}, ${paymentWords(order)}`
  return [
    '',
    style.dim('─'.repeat(columns)),
    ...wrapNotice(about, columns),
    ...basketLines(order).flatMap((line) => detailLine(line, columns)),
    ...facts.flatMap((fact) => wrapNotice(fact, columns)),
  ]
}

const AMOUNT = 8
const DETAIL = 70

function detailLine({ text, amount, indent }: BasketLine, columns: number): string[] {
  const margin = '  '.repeat(indent + 1)
  if (amount === undefined) return wrapNotice(margin + text, columns)
  const room = Math.min(DETAIL, columns) - margin.length - AMOUNT - GAP
  return [`${margin}${pad(fit(text, room), room)}${pad(amount, AMOUNT + GAP, 'right')}`]
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
  const dress = { news: style.cyan, done: style.green, refused: style.red }[kind]
  return wrapNotice(`${SIGNS[kind]} ${clean(text)}`, columns).map((line) => dress(line))
}

function taskLines({ tasks }: Board, { columns }: Screen): string[] {
  if (tasks.length === 0) return []
  const words = tasks.map(({ verb, number }) => `${DEEDS[verb].doing} ${clean(number)}`)
  return wrapNotice(`${words.join(', ')} …`, columns)
}

/** What each key of the board would do now. */
function keyLines(board: Board, { columns, style }: Screen): string[] {
  const keys: [string, string][] = [
    ...offered(board).map(([key, verb]): [string, string] => [key, verb]),
    ...(board.orders.length > 1 ? [['↑↓', 'select'] as [string, string]] : []),
    ['q', 'quit'],
  ]
  return rowsOf(
    keys.map(([key, does]) => ({ text: `${key} ${does}`, shown: `${style.bold(key)} ${does}` })),
    columns,
  )
}

function questionLines(board: Board, { columns, style }: Screen): string[] {
  const { question } = board
  const order = board.orders.find(({ order_id }) => order_id === question?.orderId)
  if (question === undefined || order === undefined) return []
  const back = order.payment.status === 'paid' ? ` ${spellMoney(order.total)} goes back to the customer.` : ''
  const number = clean(order.display_number)
  const lead =
    question.reason === undefined
      ? `Reject ${number}?${back} Why:`
      : `Reject ${number}: ${word(question.reason)}.${back} Sure?`
  const reasons = REJECT_REASONS.map((reason, index) => [String(index + 1), word(reason)])
  const ways = [
    ...(question.reason === undefined ? reasons : [['Enter', `reject ${number}`]]),
    ['Esc', 'keep it'],
  ]
  return [
    ...wrapNotice(lead, columns).map((line) => style.yellow(line)),
    ...rowsOf(
      ways.map(([key = '', does = '']) => ({ text: `${key} ${does}`, shown: `${style.bold(key)} ${does}` })),
      columns,
    ),
  ]
}

/** Pieces side by side in as many rows as they need. */
function rowsOf(pieces: readonly { text: string; shown: string }[], columns: number): string[] {
  const rows: string[] = []
  let used = 0
  for (const { text, shown } of pieces) {
    const room = width(text) + GAP + 1
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
