/** The shortest story that ends in each type of event: how its resource is made, and what then happens to it. */
import type { Answers } from '../../core/operation.ts'

type Input = Readonly<Record<string, unknown>>

/** A call with its input, by the answers before it where it needs them. */
export type Call = { call: string; input: Input | ((done: Answers) => Input) }

type Kind = {
  /** The calls that make the resource; the last one takes the scenario. */
  make: readonly Call[]
  /** The member of the last answer with its id. */
  id: string
  /** By the last word of the type: the scenario of the sandbox, and what is done to the resource, in place of waiting. */
  words: Readonly<
    Record<string, { scenario?: string; make?: readonly Call[]; act?: { call: string; input: Input } }>
  >
}

const PAYMENT = { method: 'card', payment_token: 'tok_ok' }
const HERE = { location: { latitude: 51.5129, longitude: -0.0823 }, name: 'Lime Street' }
const THERE = { location: { latitude: 51.5308, longitude: -0.1238 }, name: 'King’s Cross' }
const RECIPIENT = {
  contact: { name: 'Grace Okoro' },
  address: { line1: '12 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' },
}

const order = (how: object): readonly Call[] => [
  { call: 'search_restaurants', input: { latitude: 51.5129, longitude: -0.0823, q: 'Forno' } },
  {
    call: 'get_restaurant_menu',
    input: (done) => ({ merchant_id: done['search_restaurants'].data[0].merchant_id }),
  },
  {
    call: 'quote_food_order',
    input: (done) => ({
      merchant_id: done['search_restaurants'].data[0].merchant_id,
      items: [{ item_id: done['get_restaurant_menu'].categories[0].items[0].item_id, quantity: 2 }],
      ...how,
    }),
  },
  {
    call: 'place_food_order',
    input: (done) => ({ quote_id: done['quote_food_order'].quote_id, payment: PAYMENT }),
  },
]
const BROUGHT = order({ fulfillment_type: 'delivery', dropoff: THERE })
const MISSING = { reason_code: 'missing', lines: [{ line_id: 'line_1', quantity: 1 }] }

const ORDER: Kind = {
  make: order({ fulfillment_type: 'pickup' }),
  id: 'order_id',
  words: {
    placed: {},
    accepted: { scenario: 'store_auto' },
    preparing: { scenario: 'store_auto' },
    ready: { scenario: 'store_auto' },
    completed: { scenario: 'store_auto' },
    out_for_delivery: { scenario: 'store_auto', make: BROUGHT },
    rejected: { scenario: 'store_rejects;reason=too_busy' },
    cancelled: { act: { call: 'cancel_food_order', input: { reason_code: 'changed_mind' } } },
    adjusted: { act: { call: 'adjust_business_order', input: { ...MISSING, kind: 'refunded' } } },
  },
}

/** The stories by the first word of the type. */
export const STORIES: Readonly<Record<string, Kind>> = {
  food_order: ORDER,
  business_order: ORDER,
  ride: {
    make: [
      { call: 'quote_ride', input: { pickup: HERE, dropoff: THERE } },
      {
        call: 'request_ride',
        input: (done) => ({ quote_id: done['quote_ride'].quote_id, tier: 'economy', payment: PAYMENT }),
      },
    ],
    id: 'ride_id',
    words: {
      ...each('processing', 'accepted', 'arriving', 'arrived', 'in_progress', 'completed'),
      no_drivers_available: { scenario: 'no_driver' },
      cancelled: { act: { call: 'cancel_ride', input: { reason_code: 'changed_plans' } } },
    },
  },
  delivery: {
    make: [
      {
        call: 'quote_delivery',
        input: {
          pickup: HERE,
          dropoff: THERE,
          parcel: { size: 'small', weight_grams: 300, description: 'A set of keys' },
        },
      },
      {
        call: 'request_delivery',
        input: (done) => ({
          quote_id: done['quote_delivery'].quote_id,
          pickup_contact: { name: 'Ana Moreau', phone: '+442079460123' },
          dropoff_contact: { name: 'Ravi Shah', phone: '+442079460188' },
          payment: PAYMENT,
        }),
      },
    ],
    id: 'delivery_id',
    words: {
      ...each('pending', 'assigned', 'arrived_at_pickup', 'picked_up', 'arrived_at_dropoff', 'delivered'),
      returning: { scenario: 'undeliverable;reason=refused' },
      returned: { scenario: 'undeliverable;reason=refused' },
      cancelled: { scenario: 'no_courier' },
      delayed: { scenario: 'courier_delay;seconds=600' },
    },
  },
  shipment: {
    make: [
      {
        call: 'create_shipment',
        input: {
          recipient: RECIPIENT,
          parcel: { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 },
          service_level: 'next_day',
        },
      },
    ],
    id: 'tracking_number',
    words: {
      ...each('created', 'collected', 'out_for_delivery', 'delivered'),
      delivery_attempted: { scenario: 'attempt_fails' },
      rescheduled: { scenario: 'attempt_fails' },
      available_for_pickup: { scenario: 'attempt_fails;times=3' },
      damaged: { scenario: 'damaged' },
      lost: { scenario: 'lost' },
      returned: { scenario: 'returned' },
      cancelled: { act: { call: 'cancel_shipment', input: {} } },
    },
  },
  task: {
    make: [
      {
        call: 'quote_task',
        input: {
          task_type: 'shelf_audit',
          place: { location: { latitude: 51.5129, longitude: -0.0864 }, name: 'Leadenhall' },
          requirements: { store_name: 'Goosefoot Grocers', products: ['Oat milk 1 l'] },
        },
      },
      { call: 'create_task', input: (done) => ({ quote_id: done['quote_task'].quote_id, payment: PAYMENT }) },
    ],
    id: 'task_id',
    words: {
      ...each('created', 'assigned', 'en_route', 'in_progress', 'under_review', 'completed'),
      failed: { scenario: 'task_fails' },
      unfulfilled: { scenario: 'no_provider' },
      cancelled: {
        act: { call: 'cancel_task', input: { reason_code: 'no_longer_needed' } },
      },
    },
  },
}

/** The words to which a resource comes by itself. */
function each(...words: string[]): Kind['words'] {
  return Object.fromEntries(words.map((word) => [word, {}]))
}
