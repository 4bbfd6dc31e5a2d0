/** An order on its way: what has happened, what comes next, and who brings it. */
import { spellMoney } from '../../domain/money.ts'
import type { OrderStatus } from '../../domain/order-states.ts'
import { cellText } from '../output/cell.ts'
import { paint, type Paint } from '../output/colour.ts'
import type { Manner } from '../output/manner.ts'
import { clean, fit } from '../output/text.ts'
import { hourOf } from './price-text.ts'
import type { FoodOrder } from './shapes.ts'

/** What an order that goes well passes through. */
const PATHS: Readonly<Record<FoodOrder['fulfillment_type'], readonly OrderStatus[]>> = {
  delivery: ['placed', 'accepted', 'preparing', 'ready', 'out_for_delivery', 'completed'],
  pickup: ['placed', 'accepted', 'preparing', 'ready', 'completed'],
  dine_in: ['placed', 'accepted', 'preparing', 'ready', 'completed'],
}

const WORDS: Readonly<Record<OrderStatus, string>> = {
  placed: 'Placed',
  accepted: 'Accepted',
  preparing: 'Being prepared',
  ready: 'Ready',
  out_for_delivery: 'On its way',
  completed: 'Completed',
  rejected: 'Rejected by the store',
  cancelled: 'Cancelled',
  failed: 'Failed',
}

const DONE: Readonly<Record<FoodOrder['fulfillment_type'], string>> = {
  delivery: 'Delivered',
  pickup: 'Collected',
  dine_in: 'Served',
}

/** The screen of an order at a moment of the service's clock. */
export function orderText(order: FoodOrder, now: number, manner: Manner): string {
  const style = paint(manner.colour)
  const title = `${clean(order.merchant.name)}, order ${clean(order.display_number)}, ${spellMoney(order.total)}`
  return [
    style.bold(fit(title, manner.width)),
    '',
    ...steps(order, manner, style).map((line) => fit(line, manner.width)),
    ...courierLines(order, now, manner),
    ...refundLines(order, manner),
  ].join('\n')
}

/** What has been reached with its time, then what is still to come. */
function steps(order: FoodOrder, manner: Manner, style: Paint): string[] {
  const today = order.status_history[0]?.at ?? order.estimated_ready_at
  const last = order.status_history.length - 1
  const reached = order.status_history.map(({ status, at, reason }, index) => {
    const why = reason === null ? '' : `  ${clean(reason).replaceAll('_', ' ')}`
    const text = `${nameOf(status, order).padEnd(16)} ${hourOf(at, today, manner)}${why}`
    return index === last ? style.bold(`● ${text}`) : `${style.green('✔')} ${text}`
  })
  const path = PATHS[order.fulfillment_type]
  const at = path.indexOf(order.status)
  const ahead = at === -1 ? [] : path.slice(at + 1)
  return [...reached, ...ahead.map((status) => style.dim(`○ ${aheadText(status, order, today, manner)}`))]
}

function aheadText(status: OrderStatus, order: FoodOrder, today: string, manner: Manner): string {
  const name = nameOf(status, order)
  const due =
    status === 'ready'
      ? order.estimated_ready_at
      : status === 'completed'
        ? order.estimated_delivery_at
        : null
  return due === null ? name : `${name.padEnd(16)} about ${hourOf(due, today, manner)}`
}

function nameOf(status: OrderStatus, { fulfillment_type }: FoodOrder): string {
  return status === 'completed' ? DONE[fulfillment_type] : WORDS[status]
}

function courierLines({ courier }: FoodOrder, now: number, manner: Manner): string[] {
  if (courier === null) return []
  const { name, vehicle_type, status, eta_at } = courier
  const who = `${clean(name)} by ${clean(vehicle_type)}: ${clean(status).replaceAll('_', ' ')}`
  return [
    '',
    fit(who, manner.width),
    ...(eta_at === null ? [] : [fit(etaText(eta_at, now, manner), manner.width)]),
  ]
}

/** `Arrives about 12:33, in 4 minutes` */
function etaText(eta: string, now: number, manner: Manner): string {
  const minutes = Math.max(0, Math.round((Date.parse(eta) - now) / 60_000))
  const left = minutes === 0 ? 'any moment' : `in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  return `Arrives about ${hourOf(eta, eta, manner)}, ${left}`
}

function refundLines({ refund }: FoodOrder, manner: Manner): string[] {
  if (refund === null) return []
  const to = clean(refund.destination).replaceAll('_', ' ')
  return ['', fit(`Refund of ${spellMoney(refund.amount)} to ${to}: ${clean(refund.status)}`, manner.width)]
}

/** One thing that changed, for a line of its own. */
export type Change = { at: string; status: string; by: string; reason: string | null; courier: string | null }

/** What happened since the `seen` entries of the history, and the courier when that is news. */
export function changesOf(
  { status_history, courier }: FoodOrder,
  seen: number,
  lastCourier: string | null,
  at: string,
): Change[] {
  const states = status_history.slice(seen).map((entry) => ({ ...entry, courier: null }))
  const words = courierWords(courier)
  const news: Change[] =
    words === null || words === lastCourier
      ? []
      : [{ at, status: 'courier', by: 'courier', reason: null, courier: words }]
  return [...states, ...news]
}

export function courierWords(courier: FoodOrder['courier']): string | null {
  return courier === null
    ? null
    : `${courier.name}, ${courier.vehicle_type}, ${courier.status.replaceAll('_', ' ')}`
}

/** As one line: its columns for a pipe, words for people. */
export function changeLine({ at, status, by, reason, courier }: Change, manner: Manner): string {
  const why = reason === null ? '' : ` (${clean(reason).replaceAll('_', ' ')})`
  const what = courier === null ? status.replaceAll('_', ' ') + why : clean(courier)
  return [cellText(at, 'at', manner), what, courier === null ? `by ${by}` : 'courier'].join(
    manner.tty ? '  ' : '\t',
  )
}
