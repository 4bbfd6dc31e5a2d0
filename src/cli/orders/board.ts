/** The board of a store's orders as a value, and what keys and answers make of it. Drawing is `board-view.ts`. */
import { REJECT_REASONS } from '../../domain/order-states.ts'
import type { Active } from './active.ts'
import { DEEDS, mayDo } from './order.ts'
import type { Order, Verb } from './order.ts'
import { word } from './words.ts'

/** The columns or headings of the board, in the order in which an order goes through them. */
export const STAGES = ['placed', 'accepted', 'preparing', 'ready', 'out_for_delivery'] as const

export type Reason = (typeof REJECT_REASONS)[number]

/** What a rejection is asked before it goes out. */
export type Question = { orderId: string; reason?: Reason }

export type Task = { orderId: string; number: string; verb: Verb; body: Record<string, unknown> }

export type Notice = { text: string; kind: 'news' | 'done' | 'refused' }

export type Board = {
  /** As they stand on it: by stage, and in a stage the longest waiting first. */
  orders: readonly Order[]
  selected: string | undefined
  /** The service's clock at the last answer. */
  now: number
  frozen: boolean
  question: Question | undefined
  /** Sent or about to be; the first is under way. */
  tasks: readonly Task[]
  /** The latest last. */
  notices: readonly Notice[]
  /** Why there is no newer answer. */
  silence: string | undefined
  /** Why no key acts: a sentence. */
  locked: string | undefined
}

const NOTICES = 3

export function makeBoard(active: Active, locked?: string): Board {
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
  }
}

/** With a new list; the selection stays on its order, or where that was. */
export function refresh(board: Board, active: Active): Board {
  const orders = byStage(active.orders)
  const before = board.orders.findIndex(({ order_id }) => order_id === board.selected)
  const stays = orders.some(({ order_id }) => order_id === board.selected)
  const next = orders[Math.min(Math.max(before, 0), orders.length - 1)]
  const asked = orders.find(({ order_id }) => order_id === board.question?.orderId)
  return {
    ...board,
    orders,
    selected: stays ? board.selected : next?.order_id,
    now: active.now,
    frozen: active.frozen,
    question: asked !== undefined && mayDo('reject', asked) ? board.question : undefined,
    silence: undefined,
  }
}

/** The orders that the list now has and the board had not. */
export function newOrders(board: Board, { orders }: Active): Order[] {
  const known = new Set(board.orders.map(({ order_id }) => order_id))
  return orders.filter(({ order_id }) => !known.has(order_id))
}

/** The orders of the board that the list has no longer. */
export function goneOrders(board: Board, { orders }: Active): Order[] {
  const still = new Set(orders.map(({ order_id }) => order_id))
  return board.orders.filter(({ order_id }) => !still.has(order_id))
}

/** One order as an answer gave it; what is over leaves the board. */
export function withOrder(board: Board, order: Order): Board {
  const others = board.orders.filter(({ order_id }) => order_id !== order.order_id)
  const orders = STAGES.some((stage) => stage === order.status) ? [...others, order] : others
  return refresh(board, { orders, now: board.now, frozen: board.frozen })
}

export function withNotice(board: Board, notice: Notice): Board {
  return { ...board, notices: [...board.notices, notice].slice(-NOTICES) }
}

/** The first task is answered. */
export function withoutTask(board: Board): Board {
  return { ...board, tasks: board.tasks.slice(1) }
}

export function selectedOrder({ orders, selected }: Board): Order | undefined {
  return orders.find(({ order_id }) => order_id === selected)
}

/** The keys that do something to the selected order. `r` is ready, the key of the kitchen; a rejection wants another. */
const KEYS: Readonly<Record<string, Verb>> = {
  a: 'accept',
  p: 'prepare',
  r: 'ready',
  c: 'complete',
  x: 'reject',
}

/** The board after a key; what does not concern it leaves it as it is. */
export function press(board: Board, key: string): Board {
  if (board.question !== undefined) return answer(board, board.question, key)
  if (key === 'up' || key === 'k') return move(board, -1)
  if (key === 'down' || key === 'j') return move(board, 1)
  if (key === 'home') return move(board, -Infinity)
  if (key === 'end') return move(board, Infinity)
  const verb = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined
  const order = selectedOrder(board)
  return verb === undefined || order === undefined ? board : begin(board, verb, order)
}

function begin(before: Board, verb: Verb, order: Order): Board {
  // What was refused is read by now.
  const board = { ...before, notices: before.notices.filter(({ kind }) => kind !== 'refused') }
  const number = order.display_number
  if (board.locked !== undefined) return withNotice(board, { kind: 'refused', text: board.locked })
  if (board.tasks.some(({ orderId }) => orderId === order.order_id)) return board
  if (!mayDo(verb, order)) {
    const why =
      verb === 'complete' && order.fulfillment_type === 'delivery'
        ? 'its courier completes it'
        : `it is ${word(order.status)}`
    return withNotice(board, { kind: 'refused', text: `${number} cannot be ${PAST[verb]}: ${why}.` })
  }
  if (verb === 'reject') return { ...board, question: { orderId: order.order_id } }
  return { ...board, tasks: [...board.tasks, { orderId: order.order_id, number, verb, body: {} }] }
}

/** Done to an order, as in "cannot be …". */
export const PAST: Readonly<Record<Verb, string>> = {
  accept: 'accepted',
  prepare: 'started',
  ready: 'made ready',
  complete: 'completed',
  reject: 'rejected',
}

/** A reason by its number, then Enter; Escape keeps the order. */
function answer(board: Board, question: Question, key: string): Board {
  if (key === 'escape' || key === 'n') return { ...board, question: undefined }
  const reason = REJECT_REASONS[Number(key) - 1]
  if (reason !== undefined) return { ...board, question: { ...question, reason } }
  const order = board.orders.find(({ order_id }) => order_id === question.orderId)
  if (key !== 'enter' || question.reason === undefined || order === undefined) return board
  const task: Task = {
    orderId: order.order_id,
    number: order.display_number,
    verb: 'reject',
    body: { reason_code: question.reason },
  }
  return { ...board, question: undefined, tasks: [...board.tasks, task] }
}

function move(board: Board, by: number): Board {
  const at = board.orders.findIndex(({ order_id }) => order_id === board.selected)
  const to = Math.min(Math.max(at + by, 0), board.orders.length - 1)
  return { ...board, selected: board.orders[to]?.order_id }
}

/** What the store can do with the selected order now, as the service says: what the footer offers. */
export function offered(board: Board): [key: string, verb: Verb][] {
  const order = selectedOrder(board)
  if (order === undefined || board.locked !== undefined) return []
  return Object.entries(KEYS).filter(
    ([, verb]) => order.allowed_actions.includes(DEEDS[verb].action) && mayDo(verb, order),
  )
}

function byStage(orders: readonly Order[]): Order[] {
  const stage = ({ status }: Order): number => STAGES.findIndex((each) => each === status)
  return orders.toSorted(
    (a, b) =>
      stage(a) - stage(b) ||
      (a.placed_at < b.placed_at ? -1 : a.placed_at > b.placed_at ? 1 : 0) ||
      (a.order_id < b.order_id ? -1 : 1),
  )
}
