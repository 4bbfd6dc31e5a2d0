/** A courier delivery from the request to the proof. */
import type { Static } from 'typebox'
import {
  type Arrival,
  type Bill,
  definePresenter,
  type AssignedWorker,
  type Receipt,
} from '../../core/presenter.ts'
import { COURIER_REASONS, courierMap, vehicleText } from '../couriers/presenter.ts'
import { type DeliveryStatus, isDeliveryOver } from '../couriers/states.ts'
import {
  formatPurchaseCharge,
  goodwillNotes,
  pricedLines,
  refundNotes,
  receiptTotals,
  walletNotes,
} from '../payments/presenter.ts'
import { absentNotes, proofNotes, presentProof } from '../proofs/presenter.ts'
import { hasPictures } from '../proofs/rules/proof.ts'
import { DELIVERY } from './resource.ts'
import type { deliveryQuoteSchema } from './schema.ts'
import type { Delivery } from './views.ts'

type DeliveryQuote = Static<typeof deliveryQuoteSchema>

const PATH: readonly DeliveryStatus[] = [
  'pending',
  'assigned',
  'arrived_at_pickup',
  'picked_up',
  'arrived_at_dropoff',
  'delivered',
]
const WAY_BACK: readonly DeliveryStatus[] = ['returning', 'returned']

export const deliveryPresenter = definePresenter<Delivery, DeliveryQuote>(DELIVERY, {
  states: {
    pending: { now: 'Looking for a courier', done: 'Requested' },
    assigned: { now: 'Courier on the way to the pickup', done: 'Courier assigned' },
    arrived_at_pickup: { now: 'At the pickup' },
    picked_up: { now: 'On its way', done: 'Collected', mood: 'moving' },
    arrived_at_dropoff: { now: 'At the door', mood: 'moving' },
    delivered: { now: 'Delivered' },
    returning: { now: 'Returning to sender', mood: 'failed' },
    returned: { now: 'Returned to sender' },
    cancelled: { now: 'Cancelled' },
  },
  path: ({ status }) => (WAY_BACK.includes(status) ? WAY_BACK : PATH),
  reasons: COURIER_REASONS,
  workerField: { member: 'courier', role: 'Courier' },
  name: ({ parcel }) => `The delivery “${parcel.description}”`,
  title: (delivery, isLost) => {
    const { parcel, payment } = delivery
    const charge =
      payment === null ? 'paid with its order' : formatPurchaseCharge({ ...delivery, payment }, isLost)
    return `${parcel.description}, ${charge}`
  },
  publicTitle: () => 'Delivery',
  expectedTimes: ({ pickup_eta_at, dropoff_eta_at }) => ({
    arrived_at_pickup: pickup_eta_at,
    arrived_at_dropoff: dropoff_eta_at,
  }),
  arrival: arrivalOf,
  worker: courierOf,
  routeMap: ({ courier, status, pickup, dropoff }) =>
    courierMap({ courier, status, from: pickup.place, to: dropoff.place }),
  notes: notesOf,
  proof: ({ proof_of_delivery }) => presentProof(proof_of_delivery),
  openCommand: ({ status, pickup_proof, proof_of_delivery }) =>
    isDeliveryOver(status) && hasPictures([pickup_proof, proof_of_delivery])
      ? 'dray delivery show {delivery_id} --save proof'
      : null,
  price: billOf,
  receipt: receiptOf,
})

function arrivalOf({ status, status_history, dropoff_eta_at }: Delivery): Arrival | null {
  if (WAY_BACK.includes(status) || dropoff_eta_at === null) return null
  const since = status === 'picked_up' ? (status_history.at(-1)?.at ?? null) : null
  return { words: 'Arrives about', at: dropoff_eta_at, since }
}

function courierOf({ courier, courier_imminent, status }: Delivery): AssignedWorker | null {
  if (courier === null) return null
  const { name, rating } = courier
  const vehicle = vehicleText(courier.vehicle_type)
  const isNear = courier_imminent && !status.startsWith('arrived') && !isDeliveryOver(status)
  return { name, rating, vehicle, ...(isNear && { doing: 'about to arrive' }) }
}

function notesOf(delivery: Delivery): string[] {
  const { dropoff_pincode, status, undeliverable, proof_of_delivery } = delivery
  return [
    ...(dropoff_pincode === null || isDeliveryOver(status)
      ? []
      : [`PIN ${dropoff_pincode}: the recipient tells it to the courier.`]),
    ...absentNotes(delivery.if_absent, isDeliveryOver(status)),
    ...(undeliverable === null ? [] : [`Not handed over: ${undeliverable.reason_code.replaceAll('_', ' ')}`]),
    ...proofNotes(proof_of_delivery),
    ...refundNotes(delivery),
    ...goodwillNotes(delivery),
    ...walletNotes(delivery),
  ]
}

/** The delivery of an order has no payment of its own: it is on the order's receipt. */
function receiptOf(delivery: Delivery, isLost: boolean): Receipt | null {
  const { parcel, price, lines, tax_included, pickup, dropoff, payment } = delivery
  if (payment === null) return null
  const labels = { base: 'Courier', distance: 'Distance', size: `Size ${parcel.size}` }
  return {
    head: ['Courier delivery: ', { name: parcel.description }],
    about: [['From ', { place: pickup.place }, ' to ', { place: dropoff.place }]],
    lines: pricedLines(lines, labels, { label: 'Courier', amount: price }),
    added: [],
    total: price,
    included: [{ label: 'VAT', amount: tax_included }],
    ...receiptTotals({ ...delivery, payment }, isLost),
    made: delivery.created_at,
  }
}

function billOf(quote: DeliveryQuote): Bill {
  const { parcel, pickup, dropoff, created_at } = quote
  const kilometres = `${(quote.road_distance_m / 1000).toFixed(1)} km`
  const labels = { base: 'Courier', distance: kilometres, size: `Size ${parcel.size}` }
  return {
    head: ['Courier delivery: ', { name: parcel.description }],
    about: [
      ['From ', { place: pickup }, ' to ', { place: dropoff }],
      [
        'Collection about ',
        { at: quote.pickup_eta_at },
        ', arrival about ',
        { at: quote.dropoff_eta_at },
        `, ${vehicleText(quote.vehicle_type)}`,
      ],
      ...(parcel.requires_id ? ['The recipient must show ID.'] : []),
      ...absentNotes(quote.if_absent),
    ],
    lines: quote.lines.map(({ type, amount }) => ({ label: labels[type], amount })),
    added: [],
    total: quote.total,
    included: [{ label: 'VAT', amount: quote.tax_included }],
    notes: [],
    made: created_at,
  }
}
