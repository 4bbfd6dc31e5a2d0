/** A parcel on its way: who collects it, and who brings it. */
import { type DeliveryStatus, isDeliveryOver } from '../../areas/couriers/states.ts'
import { hasPictures } from '../../areas/proofs/rules/proof.ts'
import { aheadOf, broughtBy, type Journey, refundNotes } from '../../cli/track/journey.ts'
import type { Answer } from '../../client/operations.ts'
import { spellMoney } from '../../core/money.ts'
import { courierSketch } from './sketch.ts'

type Delivery = Answer<'get_delivery'>

/** The statuses of a successful delivery, and of one that is returned. */
const PATH: readonly DeliveryStatus[] = [
  'pending',
  'assigned',
  'arrived_at_pickup',
  'picked_up',
  'arrived_at_dropoff',
  'delivered',
]
const WAY_BACK: readonly DeliveryStatus[] = ['returning', 'returned']

const WORDS: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'Looking for one',
  assigned: 'Courier found',
  arrived_at_pickup: 'At the pickup',
  picked_up: 'On its way',
  arrived_at_dropoff: 'At the door',
  delivered: 'Delivered',
  returning: 'On its way back',
  returned: 'Returned',
  cancelled: 'Cancelled',
}

/** Saves the pictures of the proofs. */
export const OPEN_PROOF = 'dray delivery show {delivery_id} --save proof'

export function toDeliveryJourney(delivery: Delivery): Journey {
  const { delivery_id, parcel, status, price } = delivery
  const cost = delivery.origin.kind === 'food_order' ? 'paid with its order' : spellMoney(price)
  return {
    id: ['delivery_id', delivery_id],
    name: `The delivery “${parcel.description}”`,
    title: `${parcel.description}, ${cost}`,
    status,
    over: isDeliveryOver(status),
    history: delivery.status_history,
    ahead: listAhead(delivery),
    word: (each) => WORDS[each as DeliveryStatus] ?? each,
    role: 'courier',
    mover: toMover(delivery),
    leg: toLeg(delivery),
    sketch: toSketch(delivery),
    notes: listNotes(delivery),
    open: hasPictures([delivery.proof_of_delivery]) ? OPEN_PROOF : null,
  }
}

function listAhead({ status, pickup_eta_at, dropoff_eta_at }: Delivery): Journey['ahead'] {
  return aheadOf(WAY_BACK.includes(status) ? WAY_BACK : PATH, status, {
    arrived_at_pickup: pickup_eta_at,
    arrived_at_dropoff: dropoff_eta_at,
  })
}

function toMover({ courier, courier_imminent, status }: Delivery): Journey['mover'] {
  if (courier === null) return null
  const { name, vehicle_type, rating } = courier
  const doing = courier_imminent && !status.startsWith('arrived') ? 'about to be there' : ''
  if (status === 'delivered') return { news: `${name}, ${vehicle_type}`, line: broughtBy(courier) }
  const line = `${name} by ${vehicle_type}, rated ${rating.toFixed(1)}`
  return { news: `${name}, ${vehicle_type}`, line: doing === '' ? line : `${line}: ${doing}` }
}

/** Legs have their arrivals but the way back, which nobody waits for. */
function toLeg({ status, status_history, pickup_eta_at, dropoff_eta_at }: Delivery): Journey['leg'] {
  const until = { assigned: pickup_eta_at, picked_up: dropoff_eta_at }[String(status)] ?? null
  return until === null ? null : { since: status_history.at(-1)?.at ?? null, until }
}

function toSketch({ courier, status, pickup, dropoff }: Delivery): Journey['sketch'] {
  return courierSketch({ courier, status, from: pickup.place, to: dropoff.place })
}

function listNotes(delivery: Delivery): string[] {
  const { dropoff_pincode, status, refund, undeliverable, proof_of_delivery: proof } = delivery
  return [
    ...(dropoff_pincode === null || isDeliveryOver(status)
      ? []
      : [`PIN ${dropoff_pincode}: whoever receives it tells it to the courier.`]),
    ...(undeliverable === null
      ? []
      : [`Could not be handed over: ${undeliverable.reason_code.replaceAll('_', ' ')}`]),
    ...(proof === null ? [] : [proofLine(proof)]),
    ...refundNotes(refund),
  ]
}

function proofLine(proof: NonNullable<Delivery['proof_of_delivery']>): string {
  const who = proof.recipient_name === null ? '' : ` by ${proof.recipient_name}`
  const pin = proof.pincode_verified === true ? ', the PIN was right' : ''
  const back = proof.waypoint === 'return' ? ', back with the sender' : ''
  return `Proof: ${proof.method.replaceAll('_', ' ')}${who}${pin}${back}`
}
