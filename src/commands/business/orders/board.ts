/** The board of a store's orders as a value, and what keys and answers make of it. Drawing is `board-view.ts`. */
import { listItemsOfOrder } from '../../../areas/orders/rules/kitchen-lines.ts'
import { mergeLostOrders } from '../../../areas/orders/rules/losses.ts'
import { ORDER_VERB_TEXTS, ORDER_STAGES, type OrderVerb } from '../../../areas/orders/rules/stages.ts'
import { compareNeed, computeMsLeftToAccept, URGENT_MS } from '../../../areas/orders/rules/waiting.ts'
import { ORDER_REJECT_REASONS } from '../../../areas/orders/states.ts'
import type { Money } from '../../../core/money.ts'
import type { ActiveOrders } from './active.ts'
import { mayDo, type BusinessOrderOutput } from './order.ts'
import { humanizeName } from './words.ts'

export type Reason = (typeof ORDER_REJECT_REASONS)[number]

/** A question before an action is sent: the reason of a rejection, the preparation time, or the unavailable items. */
export type BoardQuestion =
  | { about: 'reject'; orderId: string; reason?: Reason }
  | { about: 'time'; orderId: string; verb: OrderVerb; minutes: string }
  | { about: 'item'; orderId: string }

export type BoardTask = { orderId: string; number: string; body: Record<string, unknown> } & (
  | { verb: OrderVerb }
  | { verb: 'off sale'; item: { id: string; name: string } }
)

/** The day's net sales; null where the service has no statement. */
export type Takings = { orders: number; total: Money } | null

/** `since` is when it was first seen, by the terminal's own clock, which never stands still. */
export type BoardNotice = { text: string; kind: 'news' | 'done' | 'refused'; since?: number }

/** The sheet in place of the list, shown from its line `top` on: all keys, all of an order, or the lost orders. */
export type BoardSheet = { top: number } & (
  | { of: 'keys' }
  | { of: 'order'; orderId: string }
  | { of: 'lost' }
)

export type OrderBoard = {
  /** As they stand on it: by stage, and in a stage the one first whose time ends first. */
  orders: readonly BusinessOrderOutput[]
  selected: string | undefined
  /** The service's clock at the last answer. */
  now: number
  frozen: boolean
  question: BoardQuestion | undefined
  /** Sent or about to be; the first is under way. */
  tasks: readonly BoardTask[]
  /** The latest last. */
  notices: readonly BoardNotice[]
  /** The reason why there is no newer answer. */
  silence: string | undefined
  /** The reason why no key acts: a sentence. */
  locked: string | undefined
  /** Undefined until they are known. */
  takings: Takings | undefined
  /** Only the bell is paused: the interface has no way to pause a store. */
  quiet: boolean
  sheet: BoardSheet | undefined
  /** Orders that were lost and not acknowledged, the latest first. */
  lost: readonly BusinessOrderOutput[]
  /** Orders with a problem that waits for the store's answer. */
  problems: readonly BusinessOrderOutput[]
  /** The ids of the lost orders that a user has acknowledged. */
  acknowledged: ReadonlySet<string>
}

const NOTICES = 3
const NOTICE_STAYS_MS = 60_000

export function makeOrderBoard(active: ActiveOrders, locked?: string): OrderBoard {
  const orders = byStage(active.orders)
  return {
    orders,
    selected: orders[0]?.order_id,
    now: active.now,
    frozen: active.frozen,
    question: undefined,
    tasks: [],
    notices: [],
    silence: undefined,
    locked,
    takings: undefined,
    quiet: false,
    sheet: undefined,
    lost: [],
    problems: [],
    acknowledged: new Set(),
  }
}

/** As time goes on by the service's clock and by the terminal's own: what was said a minute ago has been read. */
export function advanceBoard(
  board: OrderBoard,
  { now, elapsed }: { now: number; elapsed: number },
): OrderBoard {
  const notices = board.notices
    .map((notice) => ({ since: elapsed, ...notice }))
    .filter(({ since }) => elapsed - since < NOTICE_STAYS_MS)
  return { ...board, now, notices }
}

/** With those of the orders that were lost and not acknowledged; they stay until they are. */
export function withLost(board: OrderBoard, orders: readonly BusinessOrderOutput[]): OrderBoard {
  const lost = mergeLostOrders(board.lost, orders).filter(({ order_id }) => !board.acknowledged.has(order_id))
  return { ...board, lost }
}

/** The orders that are about to be rejected by themselves. */
export function urgentOrders({ orders, now }: OrderBoard): BusinessOrderOutput[] {
  return orders.filter((order) => (computeMsLeftToAccept(order, now) ?? Infinity) <= URGENT_MS)
}

/** With a new list; the selection stays on its order, or where that was in its stage. */
export function refreshBoard(board: OrderBoard, active: ActiveOrders): OrderBoard {
  const orders = byStage(active.orders)
  const still = new Map(orders.map((order) => [order.order_id, order]))
  const asked = still.get(board.question?.orderId ?? '')
  const { sheet } = board
  return {
    ...board,
    orders,
    selected: still.has(board.selected ?? '') ? board.selected : findNextSelection(board, orders),
    now: active.now,
    frozen: active.frozen,
    sheet: sheet?.of === 'order' && !still.has(sheet.orderId) ? undefined : sheet,
    question: asked !== undefined && isOpen(board.question, asked) ? board.question : undefined,
    silence: undefined,
  }
}

/** Returns the order that is selected when the selected one is gone: the next of its stage, else the one in its place. */
function findNextSelection(board: OrderBoard, orders: readonly BusinessOrderOutput[]): string | undefined {
  const at = board.orders.findIndex(({ order_id }) => order_id === board.selected)
  const gone = board.orders[at]
  const inStage = gone && neighboursOf({ ...board, orders: [...orders, gone].toSorted(compareOrders) }, gone)
  return inStage?.next ?? inStage?.before ?? orders[Math.min(Math.max(at, 0), orders.length - 1)]?.order_id
}

/** Returns the orders of the same stage around one that nothing is being done to. */
function neighboursOf({ orders, tasks }: OrderBoard, { order_id: id, status }: BusinessOrderOutput) {
  const busy = new Set(tasks.map(({ orderId }) => orderId))
  const at = orders.findIndex(({ order_id }) => order_id === id)
  const isFree = (other: BusinessOrderOutput): boolean => other.status === status && !busy.has(other.order_id)
  return {
    next: orders.slice(at + 1).find(isFree)?.order_id,
    before: orders.slice(0, at).findLast(isFree)?.order_id,
  }
}

/** Returns whether a question still makes sense for its order. */
function isOpen(question: BoardQuestion | undefined, order: BusinessOrderOutput): boolean {
  if (question === undefined) return false
  if (question.about === 'item') return true
  return mayDo(question.about === 'reject' ? 'reject' : question.verb, order)
}

/** The orders that the list now has and the board had not. */
export function newOrders(board: OrderBoard, { orders }: ActiveOrders): BusinessOrderOutput[] {
  const known = new Set(board.orders.map(({ order_id }) => order_id))
  return orders.filter(({ order_id }) => !known.has(order_id))
}

/** The orders of the board that the list has no longer. */
export function goneOrders(board: OrderBoard, { orders }: ActiveOrders): BusinessOrderOutput[] {
  const still = new Set(orders.map(({ order_id }) => order_id))
  return board.orders.filter(({ order_id }) => !still.has(order_id))
}

/** One order as an answer gave it; what is over leaves the board. The cursor stays in the stage that it was sent from. */
export function withOrder(board: OrderBoard, order: BusinessOrderOutput): OrderBoard {
  const others = board.orders.filter(({ order_id }) => order_id !== order.order_id)
  const orders = ORDER_STAGES.some((stage) => stage.status === order.status) ? [...others, order] : others
  const left = board.orders.find(({ order_id }) => order_id === order.order_id)
  const isSent = board.tasks.some(({ orderId }) => orderId === order.order_id)
  const around =
    isSent && left !== undefined && left.order_id === board.selected ? neighboursOf(board, left) : undefined
  const selected = around?.next ?? around?.before ?? board.selected
  return refreshBoard({ ...board, selected }, { orders, now: board.now, frozen: board.frozen })
}

export function withNotice(board: OrderBoard, notice: BoardNotice): OrderBoard {
  return { ...board, notices: [...board.notices, notice].slice(-NOTICES) }
}

/** The first task is answered. */
export function withoutTask(board: OrderBoard): OrderBoard {
  return { ...board, tasks: board.tasks.slice(1) }
}

export function selectedOrder({ orders, selected }: OrderBoard): BusinessOrderOutput | undefined {
  return orders.find(({ order_id }) => order_id === selected)
}

/** Returns the order that keys act on: the one that is read, else the selected one. */
export function actedOn(board: OrderBoard): BusinessOrderOutput | undefined {
  const { sheet, orders } = board
  if (sheet?.of !== 'order') return sheet === undefined ? selectedOrder(board) : undefined
  return orders.find(({ order_id }) => order_id === sheet.orderId)
}

/** The keys that do something to the selected order. `r` is ready, the key of the kitchen; a rejection wants another. */
const KEYS: Readonly<Record<string, OrderVerb>> = {
  a: 'accept',
  p: 'prepare',
  r: 'ready',
  c: 'complete',
  x: 'reject',
}

/** The board after a key; what does not concern it leaves it as it is. */
export function pressBoardKey(board: OrderBoard, key: string): OrderBoard {
  if (board.question !== undefined) return answer(board, board.question, key)
  if (board.sheet !== undefined) return pressOnSheet(board, board.sheet, key)
  if (key === '?') return { ...board, sheet: { of: 'keys', top: 0 } }
  if (key === 'b') return { ...board, quiet: !board.quiet }
  if (key === 'l' && board.lost.length > 0) return { ...board, sheet: { of: 'lost', top: 0 } }
  const by = Object.hasOwn(STEPS, key) ? STEPS[key] : undefined
  if (by !== undefined) return move(board, by)
  if (key === 'enter' && board.selected !== undefined)
    return { ...board, sheet: { of: 'order', orderId: board.selected, top: 0 } }
  return pressAction(board, key)
}

/** A sheet scrolls, and Escape leaves it. On that of an order the keys act on it; Enter acknowledges what was lost. */
function pressOnSheet(board: OrderBoard, sheet: BoardSheet, key: string): OrderBoard {
  const by = Object.hasOwn(STEPS, key) ? STEPS[key] : undefined
  if (by !== undefined) return { ...board, sheet: { ...sheet, top: Math.max(0, sheet.top + by) } }
  if (key === 'escape' || key === 'q' || (key === 'enter' && sheet.of !== 'lost'))
    return { ...board, sheet: undefined }
  if (sheet.of === 'keys') return { ...board, sheet: undefined }
  if (sheet.of === 'order') return pressAction(board, key)
  if (key !== 'enter') return board
  const acknowledged = new Set([...board.acknowledged, ...board.lost.map(({ order_id }) => order_id)])
  return { ...board, sheet: undefined, lost: [], acknowledged }
}

function pressAction(board: OrderBoard, key: string): OrderBoard {
  const verb = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined
  const order = actedOn(board)
  if (order === undefined) return board
  if (key === 't') return askTime(board, order)
  if (key === 'o')
    return board.locked === undefined
      ? ask(board, { about: 'item', orderId: order.order_id })
      : begin(board, 'reject', order)
  return verb === undefined ? board : begin(board, verb, order)
}

function ask(board: OrderBoard, question: BoardQuestion): OrderBoard {
  return { ...board, question, notices: board.notices.filter(({ kind }) => kind !== 'refused') }
}

/** A preparation time goes with accepting an order, or with starting it. */
function askTime(board: OrderBoard, order: BusinessOrderOutput): OrderBoard {
  const verb = order.status === 'placed' ? 'accept' : 'prepare'
  if (board.locked !== undefined || !mayDo(verb, order)) return begin(board, verb, order)
  return ask(board, { about: 'time', orderId: order.order_id, verb, minutes: '' })
}

function begin(before: OrderBoard, verb: OrderVerb, order: BusinessOrderOutput): OrderBoard {
  // The error has been read by now.
  const board = { ...before, notices: before.notices.filter(({ kind }) => kind !== 'refused') }
  const number = order.display_number
  if (board.locked !== undefined) return withNotice(board, { kind: 'refused', text: board.locked })
  if (board.tasks.some(({ orderId }) => orderId === order.order_id)) return board
  if (!mayDo(verb, order)) {
    const why =
      verb === 'complete' && order.fulfillment_type === 'delivery'
        ? 'its courier completes it'
        : `it is ${humanizeName(order.status)}`
    return withNotice(board, {
      kind: 'refused',
      text: `${number} cannot be ${ORDER_VERB_TEXTS[verb].done}: ${why}.`,
    })
  }
  if (verb === 'reject') return { ...board, question: { about: 'reject', orderId: order.order_id } }
  return withTask(board, { orderId: order.order_id, number, verb, body: {} })
}

/** Escape leaves a question; what answers it depends on what it is about. */
function answer(board: OrderBoard, question: BoardQuestion, key: string): OrderBoard {
  if (key === 'escape' || (key === 'n' && question.about === 'reject'))
    return { ...board, question: undefined }
  const order = board.orders.find(({ order_id }) => order_id === question.orderId)
  if (order === undefined) return { ...board, question: undefined }
  if (question.about === 'reject') return answerReject(board, question, order, key)
  if (question.about === 'time') return answerTime(board, question, order, key)
  const item = itemsOf(order)[Number(key) - 1]
  if (item === undefined) return board
  return withTask(board, {
    orderId: order.order_id,
    number: order.display_number,
    verb: 'off sale',
    item,
    body: {},
  })
}

/** A reason by its number, then Enter. */
function answerReject(
  board: OrderBoard,
  question: Extract<BoardQuestion, { about: 'reject' }>,
  order: BusinessOrderOutput,
  key: string,
): OrderBoard {
  const reason = ORDER_REJECT_REASONS[Number(key) - 1]
  if (reason !== undefined) return { ...board, question: { ...question, reason } }
  if (key !== 'enter' || question.reason === undefined) return board
  const { order_id: orderId, display_number: number } = order
  return withTask(board, { orderId, number, verb: 'reject', body: { reason_code: question.reason } })
}

const MAX_MINUTES = 180

/** Minutes in figures, then Enter. */
function answerTime(
  board: OrderBoard,
  question: Extract<BoardQuestion, { about: 'time' }>,
  order: BusinessOrderOutput,
  key: string,
): OrderBoard {
  const { minutes, verb } = question
  if (key === 'backspace') return { ...board, question: { ...question, minutes: minutes.slice(0, -1) } }
  if (/^\d$/.test(key) && Number(minutes + key) <= MAX_MINUTES)
    return { ...board, question: { ...question, minutes: String(Number(minutes + key)) } }
  if (key !== 'enter' || Number(minutes) < 1) return board
  const { order_id: orderId, display_number: number } = order
  return withTask(board, { orderId, number, verb, body: { prep_time_minutes: Number(minutes) } })
}

/**
 * With something to send. The cursor does not run after its order: it goes on to the next one of the same stage. After the
 * last it waits for the answer, so that a key pressed twice does no more than once.
 */
function withTask(board: OrderBoard, task: BoardTask): OrderBoard {
  const next = { ...board, question: undefined, tasks: [...board.tasks, task] }
  const order = selectedOrder(board)
  if (task.verb === 'off sale' || order?.order_id !== task.orderId) return next
  return { ...next, selected: neighboursOf(next, order).next ?? board.selected }
}

const MAX_NUMBERED_ITEMS = 9

/** The items of an order that a figure names, each once. */
export function itemsOf(order: BusinessOrderOutput): { id: string; name: string }[] {
  return listItemsOfOrder(order).slice(0, MAX_NUMBERED_ITEMS)
}

/** So many lines are gone by at once. */
const PAGE = 10

const STEPS: Readonly<Record<string, number>> = {
  up: -1,
  k: -1,
  down: 1,
  j: 1,
  'page-up': -PAGE,
  'page-down': PAGE,
  home: -Infinity,
  end: Infinity,
}

function move(board: OrderBoard, by: number): OrderBoard {
  const at = board.orders.findIndex(({ order_id }) => order_id === board.selected)
  const to = Math.min(Math.max(at + by, 0), board.orders.length - 1)
  return { ...board, selected: board.orders[to]?.order_id }
}

/** Returns the actions that the service allows for the order that keys act on, for the footer. */
export function offered(board: OrderBoard): [key: string, verb: OrderVerb][] {
  const order = actedOn(board)
  if (order === undefined || board.locked !== undefined) return []
  return Object.entries(KEYS).filter(
    ([, verb]) => order.allowed_actions.includes(ORDER_VERB_TEXTS[verb].action) && mayDo(verb, order),
  )
}

function byStage(orders: readonly BusinessOrderOutput[]): BusinessOrderOutput[] {
  return orders.toSorted(compareOrders)
}

function compareOrders(a: BusinessOrderOutput, b: BusinessOrderOutput): number {
  const stage = ({ status }: BusinessOrderOutput): number =>
    ORDER_STAGES.findIndex((each) => each.status === status)
  return stage(a) - stage(b) || compareNeed(a, b) || (a.order_id < b.order_id ? -1 : 1)
}
