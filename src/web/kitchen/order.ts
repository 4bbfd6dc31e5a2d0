/** A store's order on the kitchen page: its column, its words, and what its kitchen must see first. */
import {
  compareNeed,
  formatRemainingTime,
  isCooked,
  LATE_MS,
  span,
  computeMsLeftToAccept,
  URGENT_MS,
} from '../../areas/orders/rules/waiting.ts'
import { countsAsPaid } from '../../areas/payments/rules/payment.ts'
import type { OperationOutput } from '../../client/operations.ts'

export type Order = OperationOutput<'list_business_orders'>['data'][number]

/** Returns the orders of a column: those first that must be dealt with first, then those that were placed first. */
export function inColumn(orders: readonly Order[], status: Order['status']): Order[] {
  return orders.filter((order) => order.status === status).toSorted(compareNeed)
}

/** Returns the orders that are about to be rejected by the clock. */
export function urgentOrders(orders: readonly Order[], now: number): Order[] {
  return orders.filter((order) => (computeMsLeftToAccept(order, now) ?? Infinity) <= URGENT_MS)
}

/** The state of an order against the clock. */
export type Timing = { mood: 'calm' | 'soon' | 'urgent'; label: string; time: string; share?: number }

/** The clock gives so long to accept, as far as a bar shows it. */
const WHOLE_MS = 600_000
const SOON_MS = 300_000

/** Returns the time that matters for an order now. */
export function timingOf(order: Order, now: number): Timing {
  const left = computeMsLeftToAccept(order, now)
  if (left !== undefined) {
    const mood = left <= URGENT_MS ? 'urgent' : left <= SOON_MS ? 'soon' : 'calm'
    const share = Math.max(0, Math.min(1, left / WHOLE_MS))
    return { mood, label: 'to accept', time: formatRemainingTime(left), share }
  }
  if (isCooked(order)) {
    const due = Date.parse(order.prep.estimated_ready_at) - now
    if (due <= -LATE_MS) return { mood: 'urgent', label: 'late', time: span(-due) }
    if (due < 60_000) return { mood: 'soon', label: 'due', time: 'now' }
    return { mood: due < SOON_MS ? 'soon' : 'calm', label: 'due in', time: span(due) }
  }
  const since = now - Date.parse((order.status === 'ready' ? order.prep.ready_at : null) ?? order.updated_at)
  return since < 60_000
    ? { mood: 'calm', label: 'just', time: 'now' }
    : { mood: 'calm', label: 'for', time: span(since) }
}

/** `14:05` where the page is read. */
export function clockTime(instant: string | number): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(instant))
}

/** `Fri 20 Nov, 14:05` where the page is read. */
export function dayAndTime(instant: string | number): string {
  const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
  return `${day.format(new Date(instant)).replace(',', '')}, ${clockTime(instant)}`
}

/** `14:05`; with its day, as in `Sat 21 Nov, 14:05`, where that is not the day of `now`. */
export function timeOn(instant: string | number, now: number): string {
  const isToday = new Date(instant).toDateString() === new Date(now).toDateString()
  return isToday ? clockTime(instant) : dayAndTime(instant)
}

/** Returns `Paused until 14:05`, with the day where that is not today. */
export function pausedWords(until: number, now: number): string {
  return until === Infinity ? 'Paused' : `Paused until ${timeOn(until, now)}`
}

/** An item after a change of its availability, with the open orders that have it. */
export type ChangedItem = OperationOutput<'set_catalog_item_availability'>

/** Returns `X7KH (for 20:00), 7K2M (for Sat 21 Nov, 12:00) and 3 more` for the open orders that have an item; undefined without any. */
export function touchedWords({ touched_orders: touched }: ChangedItem, now: number): string | undefined {
  if (touched === null || touched === undefined) return undefined
  const { count, orders } = touched
  const listed = orders.map(
    ({ display_number, wanted_at }) => `${display_number} (for ${timeOn(wanted_at, now)})`,
  )
  return `${listed.join(', ')}${count > orders.length ? ` and ${count - orders.length} more` : ''}`
}

/** `Delivery`, `Table 4`. */
export function howWords({ fulfillment_type, table }: Order): string {
  if (table !== null) return `Table ${table.table_number}`
  return capital(words(fulfillment_type))
}

/** Returns why an order is not paid yet, or undefined when nothing is owed. */
export function paymentWords({ payment, table }: Order): string | undefined {
  if (table?.check?.status === 'open') return 'Bill open'
  if (countsAsPaid(payment)) return undefined
  return payment.method === 'cash' ? 'Cash' : capital(words(payment.status))
}

/** `item_unavailable` as people write it. */
export function words(name: string): string {
  return name.replaceAll('_', ' ')
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The minutes that a kitchen may choose, with the ones that the store takes by itself. */
export function prepChoices({ prep }: Order): number[] {
  const usual = prep.prep_time_minutes
  return [...new Set([5, 10, 15, 20, 25, 30, 40, 50, 60, 90, usual])].toSorted((a, b) => a - b)
}
