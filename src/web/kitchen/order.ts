/** A store's order on the kitchen page: its words, and what its kitchen must see first. */
import { computeMsLeftToAccept, URGENT_MS } from '../../areas/orders/rules/waiting.ts'
import { countsAsPaid } from '../../areas/payments/rules/payment.ts'
import type { OperationOutput } from '../../client/operations.ts'

export type Order = OperationOutput<'list_business_orders'>['data'][number]

/** Returns the orders that are about to be rejected by the clock. */
export function urgentOrders(orders: readonly Order[], now: number): Order[] {
  return orders.filter((order) => (computeMsLeftToAccept(order, now) ?? Infinity) <= URGENT_MS)
}

/** `14:05` where the page is read. */
export function clockTime(instant: string | number): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(instant))
}

/** `14:05:09` where the page is read. */
export function clockSeconds(instant: number): string {
  const parts = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  return new Intl.DateTimeFormat('en-GB', parts).format(new Date(instant))
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

/** Days before and after today that a weekday names. */
const MAX_NAMED_DAYS = 6

/** `14:05` today; `Sun 20:00` within six days; `29 Nov 20:00` beyond. */
export function shortTimeOn(instant: string | number, now: number): string {
  const at = new Date(instant)
  const midnight = (time: Date): number => new Date(time).setHours(12, 0, 0, 0)
  const days = Math.round((midnight(at) - midnight(new Date(now))) / 86_400_000)
  if (days === 0) return clockTime(instant)
  const day =
    Math.abs(days) <= MAX_NAMED_DAYS
      ? ({ weekday: 'short' } as const)
      : ({ day: 'numeric', month: 'short' } as const)
  return `${new Intl.DateTimeFormat('en-GB', day).format(at)} ${clockTime(instant)}`
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
