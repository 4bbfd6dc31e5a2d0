/** The facts of an order in the documents of programs: one form for all that hold its members. */
import { type Facts, toMinorUnits, toMinute } from './facts.ts'
import { membersOf } from './paths.ts'
import type { ResourceDocument } from './reading.ts'

type Line = { line_id: string; name: string; quantity: number; removed?: number; replaced?: number }
type Adjustment = {
  kind: string
  answer_by?: string | null
  answer?: object | null
  lines: readonly { line_id: string; quantity: number; replacement?: Line | null }[]
}
type Basket = { lines?: readonly Line[] | null; adjustments?: readonly Adjustment[] | null }

/** Returns the facts of an order as a program reads it: of its customer, its store, a list or a tool. */
export function readOrderDocument(order: ResourceDocument): Facts {
  const { first, text } = membersOf(order)
  const money = (...paths: readonly string[]) => toMinorUnits(first(...paths))
  const time = (...paths: readonly string[]) => toMinute(first(...paths))
  return {
    state: {
      own: text('status'),
      payment: text('payment.status'),
      refund: text('refund.status'),
      bill: text('table.check.status'),
      rejection: text('rejection.reason_code'),
      way: text('fulfillment_type'),
      method: text('payment.method'),
    },
    ...readUnits(order as Basket),
    sums: {
      subtotal: money('subtotal'),
      fees: money('fees_total'),
      discounts: money('discount_total'),
      tax: money('tax_total'),
      total: money('total'),
      charged: money('charged'),
      refunded: money('refunded'),
      paid: money('payment.amount'),
    },
    times: {
      placed: time('placed_at', 'created_at'),
      acceptBy: time('accept_by'),
      ready: time('estimated_ready_at', 'prep.estimated_ready_at'),
      delivery: time('estimated_delivery_at'),
      // The customer is told when the courier is at the door, the store when at the store.
      courierAtDoor: time('courier.eta_at'),
      courierAtStore: time('delivery.courier.eta_at'),
      wanted: time('slot.starts_at'),
    },
    who: {
      customer: text('customer.first_name'),
      courier: text('courier.name', 'delivery.courier.name'),
      store: text('merchant.name'),
    },
    where: { table: text('table.table_number'), place: text('dropoff.name') },
  }
}

/** The units that are left of each item; of a document without adjustments only where nothing was replaced. */
function readUnits({ lines, adjustments }: Basket): Pick<Facts, 'lines' | 'cooking'> {
  if (!Array.isArray(lines) || lines.some(({ quantity }) => quantity === undefined)) return {}
  if (adjustments === undefined)
    return lines.some(({ replaced }) => replaced !== 0) ? {} : { lines: countUnits(lines) }
  const changes = adjustments ?? []
  const backs = changes
    .filter((change) => !isAsked(change))
    .flatMap((change) => change.lines)
    .flatMap(({ quantity, replacement }) => (replacement ? [{ ...replacement, quantity }] : []))
  const left = countUnits([...lines, ...backs])
  const cooking = { ...left }
  const names = new Map([...lines, ...backs].map(({ line_id, name }) => [line_id, name]))
  for (const { line_id, quantity } of changes.filter(isAsked).flatMap((change) => change.lines)) {
    const name = names.get(line_id) ?? line_id
    cooking[name] = (cooking[name] ?? 0) - quantity
  }
  return { lines: left, cooking }
}

/** Returns whether the customer has not answered yet. */
function isAsked({ answer_by = null, answer = null }: Adjustment): boolean {
  return answer_by !== null && answer === null
}

function countUnits(lines: readonly Line[]): Record<string, number> {
  const left: Record<string, number> = {}
  for (const { name, quantity, removed = 0, replaced = 0 } of lines)
    left[name] = (left[name] ?? 0) + quantity - removed - replaced
  return left
}
