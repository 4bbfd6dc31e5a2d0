/**
 * The time that an order may still wait, the order of tickets, and what a kitchen must notice: one model for the board of a
 * terminal and for the kitchen page.
 */
import type { Money } from '../../../core/money.ts'
import type { OrderStatus } from '../states.ts'
import { isAllergy } from './allergens.ts'

/** The time left to accept an order below which it is urgent. */
export const URGENT_MS = 90_000
/** The time left to accept an order below which its store should look at it soon. */
export const SOON_TO_ACCEPT_MS = 180_000
/** The time left until the promise below which the kitchen should hurry. */
export const SOON_DUE_MS = 240_000
/** A kitchen is late from so long after the promised time. */
export const LATE_MS = 60_000

type OrderAcceptDeadline = { accept_by: string | null }
type QueuedOrder = OrderAcceptDeadline & {
  status: OrderStatus
  placed_at: string
  prep: { estimated_ready_at: string }
}

/** Returns how long is left until the service rejects an unaccepted order; undefined when none waits. */
export function computeMsLeftToAccept({ accept_by }: OrderAcceptDeadline, now: number): number | undefined {
  return accept_by === null ? undefined : Date.parse(accept_by) - now
}

/** Compares orders of one state: the one whose time ends first comes first, then the one that was placed first. */
export function compareNeed(a: QueuedOrder, b: QueuedOrder): number {
  return compare(findQueueDeadline(a), findQueueDeadline(b)) || compare(a.placed_at, b.placed_at)
}

/** Returns the time at which a new order must be accepted, and any other be ready. A new one has no limit if no one waits for it. */
function findQueueDeadline({ status, accept_by, prep }: QueuedOrder): number {
  if (status === 'placed') return accept_by === null ? Infinity : Date.parse(accept_by)
  return Date.parse(prep.estimated_ready_at)
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns how soon an order needs a look, 0 for at once: what has to go first from a list that is too long is last. */
export function importanceOf(order: QueuedOrder, now: number): number {
  if ((computeMsLeftToAccept(order, now) ?? Infinity) <= URGENT_MS) return 0
  if (isCooked(order)) return findQueueDeadline(order) - now <= -LATE_MS ? 1 : 3
  return { placed: 2, ready: 4 }[order.status as string] ?? 5
}

/** Returns whether the kitchen has it and owes it at a promised time. */
export function isCooked({ status }: Pick<QueuedOrder, 'status'>): boolean {
  return status === 'accepted' || status === 'preparing'
}

/** Returns the new orders, the one that ends first first. */
export function listNewOrders<T extends QueuedOrder>(orders: readonly T[]): T[] {
  return orders.filter(({ status }) => status === 'placed').toSorted(compareNeed)
}

/** Returns what orders of one store come to; undefined without any. */
export function sumOrderTotals(orders: readonly { total: Money }[]): Money | undefined {
  const [first] = orders
  if (first === undefined) return undefined
  return { ...first.total, amount: orders.reduce((sum, { total }) => sum + total.amount, 0) }
}

type OrderWithNotes = { notes: string | null; lines: readonly { name: string; notes: string | null }[] }

/** A note on an order or, with its name, on an item of it, and whether it is about an allergy. */
export type OrderNote = { text: string; of: string | undefined; allergy: boolean }

/** Returns all notes of an order as their customer wrote them, allergies first. */
export function notesOf({ notes, lines }: OrderWithNotes): OrderNote[] {
  const all = [{ text: notes, of: undefined }, ...lines.map((line) => ({ text: line.notes, of: line.name }))]
  return all
    .flatMap(({ text, of }) => (text === null ? [] : [{ text, of, allergy: isAllergy(text) }]))
    .toSorted((a, b) => Number(b.allergy) - Number(a.allergy))
}

/** `7:48`, never more than is left; of an hour and more `1 h 5 min`. */
export function formatRemainingTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds >= 3600) return span(ms)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** `3 min`, `1 h 5 min`, `2 d`. */
export function span(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.floor(hours / 24)} d`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}
