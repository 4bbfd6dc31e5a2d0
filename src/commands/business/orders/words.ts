/** The words in which people read an order, line by line. */
import { formatAllergens } from '../../../areas/orders/rules/allergens.ts'
import { cookedWords, kitchenRows, LINE_DEPARTURE_WORDS } from '../../../areas/orders/rules/kitchen-lines.ts'
import {
  formatRemainingTime,
  listNewOrders,
  type OrderNote,
  span,
  sumOrderTotals,
  computeMsLeftToAccept,
} from '../../../areas/orders/rules/waiting.ts'
import { summarizeOpenProblems, problemNotes } from '../../../areas/orders/rules/wrong-words.ts'
import { chargeOf, refundable, refundsOf } from '../../../areas/payments/rules/payment.ts'
import { cellText } from '../../../cli/output/cell.ts'
import type { RenderOptions } from '../../../cli/output/render-options.ts'
import { sanitizeForTerminal } from '../../../cli/output/text.ts'
import { formatGroupedMoney } from '../../../core/money.ts'
import { localDate, localTime } from '../../../core/time.ts'
import type { BusinessOrderOutput } from './order.ts'

/** `2 × Pad Thai, Spring rolls`: what is to cook. */
export function formatOrderItems(order: BusinessOrderOutput): string {
  return sanitizeForTerminal(cookedWords(order))
}

/** Returns what an order is charged after all that went back. */
export function formatOrderCharge(order: BusinessOrderOutput): string {
  return formatGroupedMoney(chargeOf(order))
}

/** `card, paid`, and of a table whether its check is open. */
export function formatOrderPayment({ payment, table }: BusinessOrderOutput): string {
  const check = table?.check?.status === 'open' ? ', bill open' : ''
  return `${humanizeName(payment.method)}, ${humanizeName(payment.status)}${check}`
}

/** ` £27.19 will be refunded to the customer.` where a rejection gives back money. */
export function formatOrderRefund(order: BusinessOrderOutput): string {
  const back = refundable(order)
  return back === undefined ? '' : ` ${formatGroupedMoney(back)} will be refunded to the customer.`
}

/** `delivery`, `dine in at table 4`. */
export function formatOrderFulfillment({ fulfillment_type, table }: BusinessOrderOutput): string {
  const at = table === null ? '' : ` at table ${sanitizeForTerminal(table.table_number)}`
  return humanizeName(fulfillment_type) + at
}

export function formatOrderCustomer({ customer }: BusinessOrderOutput): string {
  const phone = customer.phone_masked === null ? '' : `, ${sanitizeForTerminal(customer.phone_masked)}`
  const known = customer.orders_count === 1 ? 'first order' : `${customer.orders_count} orders`
  return `${sanitizeForTerminal(customer.first_name)} (${known})${phone}`
}

/** A line of a basket, clean; the amount only of what is one, whether the customer wrote it, and whether it is no longer cooked. */
export type BasketLine = {
  text: string
  amount?: string
  indent: number
  isNote?: true
  isStruck?: true
  /** A dish with an allergen that the customer named, and its allergens. */
  isDanger?: true
}

/** Returns the lines to cook and those that left, each with its modifiers and notes below it, and replacements under theirs. */
export function basketLines(order: BusinessOrderOutput): BasketLine[] {
  // A service from before there were ticks sends none.
  const { kitchen_lines: lines = [] } = order as Partial<BusinessOrderOutput>
  const made = new Set(lines.flatMap(({ line_id, done }) => (done ? [line_id] : [])))
  return kitchenRows(order).flatMap((row) => {
    const { quantity, name, modifiers, notes, warning, amount, leaving, isReplacement } = row
    const done = made.has(row.line_id) ? ', made' : ''
    const fate = leaving === undefined ? done : `, ${LINE_DEPARTURE_WORDS[leaving]}`
    const text = `${isReplacement ? 'instead: ' : ''}${quantity} × ${sanitizeForTerminal(name)}${fate}`
    const indent = isReplacement ? 1 : 0
    const chosen = modifiers.map((each) => {
      const times = each.quantity === 1 ? '' : ` × ${each.quantity}`
      return sanitizeForTerminal(each.name) + times
    })
    const struck = leaving === undefined || leaving === 'asked' ? {} : { isStruck: true as const }
    const danger = leaving === undefined && warning.named.length > 0 ? { isDanger: true as const } : {}
    const contains = leaving === undefined ? formatAllergens(warning) : undefined
    return [
      { text, indent, ...(amount !== null && { amount: formatGroupedMoney(amount) }), ...struck, ...danger },
      ...(contains === undefined
        ? []
        : [{ text: sanitizeForTerminal(contains), indent: indent + 1, ...danger }]),
      ...(chosen.length === 0 ? [] : [{ text: chosen.join(', '), indent: indent + 1, ...struck }]),
      ...(notes === null
        ? []
        : [{ text: `"${sanitizeForTerminal(notes)}"`, indent: 1, isNote: true as const }]),
    ]
  })
}

/** `Note from the customer: "Ring twice"`; one about an allergy says so first. */
export function formatOrderNote({ text, of, allergy }: OrderNote): string {
  const on = of === undefined ? 'from the customer' : `on ${sanitizeForTerminal(of)}`
  return `${allergy ? 'ALLERGY! ' : ''}Note ${on}: "${sanitizeForTerminal(text)}"`
}

/** Returns the facts about an order beside its basket and notes, in the words of the board and of `show`. */
export function factLines(order: BusinessOrderOutput, renderOptions: RenderOptions): string[] {
  const { slot, delivery, rejection, auto_accepted: isAuto } = order
  const time = (instant: string) => cellText(instant, '', renderOptions)
  return [
    ...(isAuto ? ['Accepted automatically'] : []),
    ...(slot === null ? [] : [`Wanted ${time(slot.starts_at)} to ${time(slot.ends_at)}`]),
    ...(delivery === null ? [] : [`Delivery ${humanizeName(delivery.status)}`]),
    ...courierLines(delivery, time),
    ...tableShareLines(order),
    ...(rejection === null
      ? []
      : [
          `Rejected: ${humanizeName(rejection.reason_code)}${rejection.note === null ? '' : `, "${sanitizeForTerminal(rejection.note)}"`}`,
        ]),
    ...problemNotes(order).map((note) => sanitizeForTerminal(note)),
    ...refundsOf(order).map(
      ({ amount, destination, status }) =>
        `Refund of ${formatGroupedMoney(amount)} to ${humanizeName(destination)}: ${humanizeName(status)}`,
    ),
  ]
}

/** Returns the shares in which the table of an order was paid, and what they paid of the order; none unless there were several. */
function tableShareLines({ table, order_id }: BusinessOrderOutput): string[] {
  const shares = table?.check?.shares ?? []
  if (shares.length < 2) return []
  const parts = shares.flatMap(({ orders }, at) =>
    orders
      .filter((each) => each.order_id === order_id)
      .map(({ amount }) => `${formatGroupedMoney(amount)} by share ${at + 1}`),
  )
  const amounts = shares.map(({ amount }) => formatGroupedMoney(amount)).join(', ')
  return [`Table paid in ${shares.length} shares: ${amounts}`, `Of this order: ${parts.join(', ')}`]
}

/** The courier who brings it and the time; afterwards the one who brought it. */
function courierLines(
  delivery: BusinessOrderOutput['delivery'],
  time: (instant: string) => string,
): string[] {
  if (!delivery?.courier) return []
  const { name, vehicle_type, phone_masked, eta_at } = delivery.courier
  const by = { name: sanitizeForTerminal(name), vehicle_type: humanizeName(vehicle_type) }
  if (delivery.status === 'delivered') return [`Delivered by ${by.name} (${by.vehicle_type})`]
  const eta = eta_at === null ? '' : `, ETA ${time(eta_at)}`
  return [`Courier ${by.name} (${by.vehicle_type}), ${sanitizeForTerminal(phone_masked)}${eta}`]
}

/** `Order 7K2M was rejected by the store at 12:03: item unavailable, "No noodles".`; undefined without a history. */
export function lastChange({ display_number, status_history = [] }: BusinessOrderOutput): string | undefined {
  const last = status_history.at(-1)
  if (last === undefined) return undefined
  const { status, at, by, reason, note } = last
  const whose = by === 'system' ? '' : ` by the ${humanizeName(by)}`
  const time = cellText(at, '', { tty: true, width: 80, colour: false })
  const why = [
    ...(reason === null ? [] : [humanizeName(reason)]),
    ...(note === null ? [] : [`"${sanitizeForTerminal(note)}"`]),
  ].join(', ')
  const end = why === '' ? '.' : `: ${why}.`
  return `Order ${sanitizeForTerminal(display_number)} ${CAME_TO[status] ?? `was ${humanizeName(status)}${whose} at`} ${time}${end}`
}

/** The states that an order is in rather than was brought to. */
const CAME_TO: Readonly<Record<string, string>> = {
  preparing: 'has been in preparation since',
  ready: 'has been ready since',
  out_for_delivery: 'has been out for delivery since',
  failed: 'failed at',
}

/** `pay_at_table` as people write it. */
export function humanizeName(name: string): string {
  return sanitizeForTerminal(name).replaceAll('_', ' ')
}

/** `count` is `2 NEW`, `lead` has their sum, and `ends` says when each of them ends, the first first. */
type NewWords = { count: string; lead: string; ends: string[] }

/** `2 NEW, £54.38`, and `7K2M 0:30 left` for each of them; undefined without a new order. */
export function newWords(orders: readonly BusinessOrderOutput[], now: number): NewWords | undefined {
  const waiting = listNewOrders(orders)
  const sum = sumOrderTotals(waiting.map((order) => ({ total: chargeOf(order) })))
  if (sum === undefined) return undefined
  const ends = waiting.flatMap((order) => {
    const left = computeMsLeftToAccept(order, now)
    return left === undefined ? [] : [`${sanitizeForTerminal(order.display_number)} ${leftWords(left)}`]
  })
  const count = `${waiting.length} NEW`
  return { count, lead: `${count}, ${formatGroupedMoney(sum)}`, ends }
}

/** `2 PROBLEMS, £13.35`, and the command that lists their orders; undefined without an open problem. */
export function problemsWords(
  orders: readonly BusinessOrderOutput[],
): { lead: string; way: string } | undefined {
  const problems = summarizeOpenProblems(orders)
  if (problems === undefined) return undefined
  const { length } = problems.open
  const lead = `${length} ${length === 1 ? 'PROBLEM' : 'PROBLEMS'}, ${formatGroupedMoney(problems.sum)}`
  return { lead, way: '`dray business orders list --problem open`' }
}

/** `7:48 left` until it is rejected by itself; of one for later in hours. */
export function leftWords(left: number): string {
  return left <= 0 ? 'time over' : `${formatRemainingTime(left)} left`
}

/** `18:30` in the zone; `Sat 21 Nov 18:30` where that is not the day of `now`. */
export function timeOrDay(instant: string, now: number, timezone: string): string {
  const at = Date.parse(instant)
  const time = localTime(at, timezone)
  if (localDate(at, timezone) === localDate(now, timezone)) return time
  const day = { weekday: 'short', day: 'numeric', month: 'short', timeZone: timezone } as const
  return `${new Intl.DateTimeFormat('en-GB', day).format(at).replace(',', '')} ${time}`
}

/** `now`, `3 min`, `1 h 5 min`, `2 d`. */
export function formatCountdown(ms: number): string {
  return ms < 60_000 ? 'now' : span(ms)
}
