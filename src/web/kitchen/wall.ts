/** The wall of the kitchen page: which tickets are on it, in which order, and what each says of its time. Pure. */
import { ORDER_STAGES } from '../../areas/orders/rules/stages.ts'
import {
  computeMsLeftToAccept,
  formatRemainingTime,
  LATE_MS,
  SOON_DUE_MS,
  SOON_TO_ACCEPT_MS,
  span,
  URGENT_MS,
} from '../../areas/orders/rules/waiting.ts'
import { type Order, shortTimeOn } from './order.ts'

/** The state of a ticket: that of its order, and `later` for one whose start is still to come. */
export type TicketState = 'new' | 'make' | 'cooking' | 'ready' | 'way' | 'later'

const STATE_OF: Readonly<Partial<Record<Order['status'], TicketState>>> = {
  placed: 'new',
  accepted: 'make',
  preparing: 'cooking',
  ready: 'ready',
  out_for_delivery: 'way',
}

/** The sign of each state, which needs no colour. */
export const STATE_SIGNS: Readonly<Record<TicketState, string>> = {
  new: '●',
  make: '○',
  cooking: '◐',
  ready: '✓',
  way: '→',
  later: '◷',
}

/** Returns the words of a state, as the board of a terminal has them: `To make`. */
export function stateWords(state: TicketState): string {
  if (state === 'later') return 'Later'
  return ORDER_STAGES.find(({ status }) => STATE_OF[status] === state)?.title ?? ''
}

/** Returns when the preparation of an order begins, so that it is ready at the promised time. */
function findStart({ prep }: Order): number {
  return Date.parse(prep.estimated_ready_at) - prep.prep_time_minutes * 60_000
}

/** Returns the state of the ticket of an active order. */
export function stateOf(order: Order, now: number): TicketState {
  if (order.status === 'accepted' && order.slot !== null && findStart(order) > now) return 'later'
  return STATE_OF[order.status] ?? 'way'
}

/** The tabs of the wall: a name, and the states of its tickets. */
export const WALL_TABS = [
  { id: 'all', title: 'All', states: ['new', 'make', 'cooking', 'ready', 'later'] },
  { id: 'new', title: 'New', states: ['new'] },
  { id: 'make', title: 'To make', states: ['make', 'cooking'] },
  { id: 'ready', title: 'Ready', states: ['ready'] },
  { id: 'way', title: 'On the way', states: ['way'] },
  { id: 'later', title: 'Later', states: ['later'] },
] as const satisfies readonly { id: string; title: string; states: readonly TicketState[] }[]

export type WallTab = (typeof WALL_TABS)[number]['id']

/** Returns the orders of a tab, the one first by which something is lost first. */
export function listTickets(orders: readonly Order[], tab: WallTab, now: number): Order[] {
  const states: readonly TicketState[] = WALL_TABS.find(({ id }) => id === tab)?.states ?? []
  return orders
    .filter((order) => states.includes(stateOf(order, now)))
    .map((order) => ({ order, rank: RANKS[stateOf(order, now)], due: findNextLoss(order, now) }))
    .toSorted(
      (a, b) => a.rank - b.rank || compare(a.due, b.due) || compare(a.order.placed_at, b.order.placed_at),
    )
    .map(({ order }) => order)
}

const RANKS: Readonly<Record<TicketState, number>> = {
  new: 0,
  make: 0,
  cooking: 0,
  ready: 1,
  later: 2,
  way: 3,
}

/** Infinity less Infinity is no number. */
function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns the time that puts a ticket in its place among those of its rank. */
function findNextLoss(order: Order, now: number): number {
  const { accept_by, prep } = order
  const state = stateOf(order, now)
  if (state === 'new') return accept_by === null ? Infinity : Date.parse(accept_by)
  if (state === 'later') return findStart(order)
  return state === 'make' || state === 'cooking' ? Date.parse(prep.estimated_ready_at) : waitsSince(order)
}

function waitsSince({ status, prep, updated_at }: Order): number {
  return Date.parse((status === 'ready' ? prep.ready_at : null) ?? updated_at)
}

/** The time block of a ticket: the time, its meaning, and how much it presses. `share` is what is left of the time to accept. */
export type TicketTiming = {
  mood: 'calm' | 'soon' | 'urgent'
  time: string
  label: string
  share?: number
}

/** The service gives so long to accept, as far as a bar shows it. */
const WHOLE_MS = 600_000
const MINUTE_MS = 60_000

/** Returns the time that matters for an order now. */
export function timingOf(order: Order, now: number): TicketTiming {
  const state = stateOf(order, now)
  if (state === 'new') return timeToAccept(order, now)
  if (state === 'later' && order.slot !== null)
    return {
      mood: 'calm',
      time: shortTimeOn(order.slot.starts_at, now),
      // The day stands once.
      label: `start ${shortTimeOn(findStart(order), Date.parse(order.slot.starts_at))}`,
    }
  if (state === 'ready' || state === 'way') {
    const since = now - waitsSince(order)
    if (since < MINUTE_MS) return { mood: 'calm', time: 'now', label: state === 'ready' ? 'ready' : 'gone' }
    return { mood: 'calm', time: span(since), label: state === 'ready' ? 'waiting' : 'gone' }
  }
  return timeToPromise(order, now)
}

function timeToAccept(order: Order, now: number): TicketTiming {
  const left = computeMsLeftToAccept(order, now)
  if (left === undefined)
    return { mood: 'calm', time: span(now - Date.parse(order.placed_at)), label: 'not paid' }
  const mood = left <= URGENT_MS ? 'urgent' : left <= SOON_TO_ACCEPT_MS ? 'soon' : 'calm'
  const share = Math.max(0, Math.min(1, left / WHOLE_MS))
  return { mood, time: formatRemainingTime(left), label: 'to accept', share }
}

function timeToPromise({ prep }: Order, now: number): TicketTiming {
  const left = Date.parse(prep.estimated_ready_at) - now
  if (left <= -LATE_MS) return { mood: 'urgent', time: span(-left), label: 'late' }
  const label = `due ${shortTimeOn(prep.estimated_ready_at, now)}`
  if (left < MINUTE_MS) return { mood: 'soon', time: 'now', label }
  return { mood: left < SOON_DUE_MS ? 'soon' : 'calm', time: span(left), label }
}

/** Returns the foot line about the tickets that are not in sight; undefined without any. */
export function hiddenWords(
  hidden: readonly Order[],
  now: number,
): { text: string; mood: TicketTiming['mood'] } | undefined {
  const [first] = hidden
  if (first === undefined) return undefined
  const { mood, time, label } = timingOf(first, now)
  return { text: `${hidden.length} more, ${nextWords(first, { time, label }, now)}`, mood }
}

function nextWords(order: Order, { time, label }: Pick<TicketTiming, 'time' | 'label'>, now: number): string {
  const { display_number: number } = order
  const state = stateOf(order, now)
  if (state === 'new') return label === 'not paid' ? `${number} is not paid` : `next ends in ${time}`
  if (state === 'later') return `next at ${time}`
  if (label === 'late') return `${number} is ${time} late`
  if (state === 'make' || state === 'cooking')
    return time === 'now' ? 'next is due now' : `next due in ${time}`
  if (time === 'now') return `${number} is ${label} now`
  return state === 'ready' ? `${number} waits ${time}` : `${number} left ${time} ago`
}

/** Returns how much each tab has. */
export function countTabs(orders: readonly Order[], now: number): Readonly<Record<WallTab, number>> {
  const counts = WALL_TABS.map(({ id }) => [id, listTickets(orders, id, now).length] as const)
  return Object.fromEntries(counts) as Record<WallTab, number>
}
