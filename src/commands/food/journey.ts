/** An order on its way: what a store cooks, and who brings it. */
import { isOrderOver, type OrderStatus } from '../../areas/orders/states.ts'
import { hasPictures } from '../../areas/proofs/rules/proof.ts'
import { aheadOf, broughtBy, type Journey, refundNotes } from '../../cli/track/journey.ts'
import type { Answer } from '../../client/operations.ts'
import { spellMoney } from '../../core/money.ts'
import { resolvePlace } from '../../core/places/place.ts'
import { courierSketch } from '../delivery/sketch.ts'

type FoodOrder = Answer<'get_food_order'>

/** The statuses of a successful order. */
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

/** The word for a completed order. */
export const DONE: Readonly<Record<FoodOrder['fulfillment_type'], string>> = {
  delivery: 'Delivered',
  pickup: 'Collected',
  dine_in: 'Served',
}

/** Saves the picture of the proof. */
export const OPEN_PROOF = 'dray food show {display_number} --save proof'

export function toOrderJourney(order: FoodOrder): Journey {
  const { courier, refund, fulfillment_type: type } = order
  return {
    id: ['order_id', order.order_id],
    name: `Order ${order.display_number}`,
    title: `${order.merchant.name}, order ${order.display_number}, ${spellMoney(order.total)}`,
    status: order.status,
    over: isOrderOver(order.status),
    history: order.status_history,
    ahead: listAhead(order),
    word: (status) => (status === 'completed' ? DONE[type] : (WORDS[status as OrderStatus] ?? status)),
    role: 'courier',
    mover: courier && toMover(courier),
    leg: courier === null || courier.eta_at === null ? null : { since: null, until: courier.eta_at },
    sketch: toSketch(order),
    notes: refundNotes(refund),
    open: hasPictures([order.proof_of_delivery]) ? OPEN_PROOF : null,
  }
}

function toSketch({ courier, merchant, dropoff }: FoodOrder): Journey['sketch'] {
  const { name, address } = merchant
  if (courier === null || courier.location === null || dropoff === null || address === null) return null
  const from = resolvePlace({ name, address })
  const to = resolvePlace(dropoff)
  if (from === undefined || to === undefined) return null
  return courierSketch({ courier, status: courier.status, from, to })
}

function listAhead(order: FoodOrder): Journey['ahead'] {
  return aheadOf(PATHS[order.fulfillment_type], order.status, {
    ready: order.estimated_ready_at,
    completed: order.estimated_delivery_at,
  })
}

function toMover({ name, vehicle_type, status }: NonNullable<FoodOrder['courier']>): Journey['mover'] {
  const doing = status.replaceAll('_', ' ')
  if (status === 'delivered')
    return { news: `${name}, ${vehicle_type}`, line: broughtBy({ name, vehicle_type }) }
  return { news: `${name}, ${vehicle_type}, ${doing}`, line: `${name} by ${vehicle_type}: ${doing}` }
}
