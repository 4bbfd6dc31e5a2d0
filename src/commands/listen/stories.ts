/** The shortest story that ends in each type of event: how its resource is made, and what then happens to it. */
import { AppError } from '../../core/errors.ts'
import type { ExampleResults } from '../../core/operation.ts'
import { toTimestamp } from '../../core/time.ts'

type Input = Readonly<Record<string, unknown>>

/** A call with its input, by the answers before it and the sandbox clock where it needs them. */
export type TriggerCall = {
  call: string
  input: Input | ((done: ExampleResults, now: number) => Input)
  /** The sandbox account that calls, where it is not the user's. */
  as?: string
  plane?: 'sandbox'
  /** True if its input does not name the resource. */
  ofWorld?: true
}

type TriggerKind = {
  /** The calls that make the resource; the last one takes the scenario. */
  make: readonly TriggerCall[]
  /** The field of the last answer with its id. */
  id: string
  /** By the last word of the type: the scenario of the sandbox, and the calls about the resource before it is waited for. */
  words: Readonly<
    Record<string, { scenario?: string; make?: readonly TriggerCall[]; acts?: readonly TriggerCall[] }>
  >
}

const DAY_MS = 86_400_000
const PAYMENT = { method: 'card', payment_token: 'tok_ok' }
const HERE = { location: { latitude: 51.5129, longitude: -0.0823 }, name: 'Lime Street' }
const THERE = { location: { latitude: 51.5308, longitude: -0.1238 }, name: 'King’s Cross' }
const RECIPIENT = {
  contact: { name: 'Grace Okoro' },
  address: { line1: '12 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' },
}

/** The two sides of an order, as sandbox accounts where they are not the user's, and the call that names the store. */
type Sides = {
  customer?: string
  store?: string
  find: TriggerCall
  merchantOf: (done: ExampleResults) => string
}

/** Returns the store of the story. Throws `merchant_closed` where the search, which lists open stores alone, has none. */
function assertOpen(store: { merchant_id: string } | undefined): { merchant_id: string } {
  if (store !== undefined) return store
  throw new AppError('merchant_closed', 'Forno Santa Rosa, the store of this story, is closed now.', {
    hint: '`dray business hours show` has its hours; `dray sandbox clock advance 1h` moves the clock.',
  })
}

/** Forno Santa Rosa, which `everything` owns. */
const AS_CUSTOMER: Sides = {
  store: 'everything',
  find: { call: 'search_restaurants', input: { latitude: 51.5129, longitude: -0.0823, q: 'Forno' } },
  merchantOf: (done) => assertOpen(done['search_restaurants'].data[0]).merchant_id,
}
const AS_STORE: Sides = {
  customer: 'member',
  find: { call: 'get_store_hours', input: {} },
  merchantOf: (done) => done['get_store_hours'].merchant_id,
}

const by = (account: string | undefined) => (account === undefined ? {} : { as: account })

function itemOf(done: ExampleResults, index: number): string {
  return done['get_restaurant_menu'].categories[0].items[index].item_id
}

function problemIn(done: ExampleResults): string {
  return done['report_order_problem'].problems[0].problem_id
}

/** The calls that order two of the first item: `how` belongs to the quote, `options` to the order. */
function orderCalls({ customer, find, merchantOf }: Sides, how: object, options: object = {}): TriggerCall[] {
  return [
    find,
    { call: 'get_restaurant_menu', ...by(customer), input: (done) => ({ merchant_id: merchantOf(done) }) },
    {
      call: 'quote_food_order',
      ...by(customer),
      input: (done) => ({
        merchant_id: merchantOf(done),
        items: [{ item_id: itemOf(done, 0), quantity: 2 }],
        ...how,
      }),
    },
    {
      call: 'place_food_order',
      ...by(customer),
      input: (done) => ({ quote_id: done['quote_food_order'].quote_id, payment: PAYMENT, ...options }),
    },
  ]
}

/** The calls by which a store declines a problem, and its customer appeals. */
function appealed(seller: Pick<TriggerCall, 'as'>, buyer: Pick<TriggerCall, 'as'>): TriggerCall[] {
  const problem = (done: ExampleResults) => ({ problem_id: problemIn(done) })
  const input: TriggerCall['input'] = (done) => ({
    ...problem(done),
    accept: 'none',
    note: 'It left complete.',
  })
  return [
    { call: 'answer_order_problem', ...seller, input },
    { call: 'appeal_order_problem', ...buyer, input: problem },
  ]
}

function orderKind(sides: Sides): TriggerKind {
  const [buyer, seller] = [by(sides.customer), by(sides.store)]
  const collected = { fulfillment_type: 'pickup' }
  const brought = orderCalls(sides, { fulfillment_type: 'delivery', dropoff: THERE })
  const unit = { line_id: 'line_1', quantity: 1 }
  const refund = { kind: 'refunded', reason_code: 'missing' }
  const accept: TriggerCall = { call: 'accept_business_order', ...seller, input: {} }
  const reported: readonly TriggerCall[] = [
    accept,
    { call: 'complete_business_order', ...seller, input: {} },
    { call: 'report_order_problem', ...buyer, input: { reason_code: 'missing', lines: [unit] } },
  ]
  const adjust = (input: TriggerCall['input']): TriggerCall => ({
    call: 'adjust_business_order',
    ...seller,
    input,
  })
  return {
    make: orderCalls(sides, collected),
    id: 'order_id',
    words: {
      placed: {},
      accepted: { scenario: 'store_auto' },
      preparing: { scenario: 'store_auto' },
      ready: { scenario: 'store_auto' },
      completed: { scenario: 'store_auto' },
      out_for_delivery: { scenario: 'store_auto', make: brought },
      rejected: { scenario: 'store_rejects;reason=too_busy' },
      cancelled: {
        acts: [{ call: 'cancel_food_order', ...buyer, input: { reason_code: 'changed_mind' } }],
      },
      failed: {
        scenario: 'undeliverable;reason=refused',
        make: brought,
        acts: [accept, { call: 'mark_business_order_ready', ...seller, input: {} }],
      },
      adjusted: { acts: [adjust({ ...refund, lines: [unit] })] },
      substitution_asked: {
        make: orderCalls(sides, collected, { substitutions: 'ask' }),
        acts: [
          adjust((done) => ({
            kind: 'replaced',
            reason_code: 'out_of_stock',
            lines: [{ ...unit, replacement: { item_id: itemOf(done, 1) } }],
          })),
        ],
      },
      problem_reported: { acts: reported },
      problem_answered: { acts: reported },
      // The problem is over once the whole line is refunded.
      problem_closed: { acts: [...reported, adjust({ ...refund, lines: [{ line_id: 'line_1' }] })] },
      problem_appealed: { acts: [...reported, ...appealed(seller, buyer)] },
    },
  }
}

/** Lets time pass, so that a worker is late by the record. */
const advance = (by: string): TriggerCall => ({
  call: 'advance_clock',
  plane: 'sandbox',
  ofWorld: true,
  input: { by },
})

const scan = (code: string, reason?: string): TriggerCall => ({
  call: 'scan_shipment',
  plane: 'sandbox',
  input: { code, ...(reason !== undefined && { reason }) },
})
const CLAIM: readonly TriggerCall[] = [
  scan('collected'),
  { call: 'create_claim', input: { reason_code: 'damaged', value: { amount: 3500, currency: 'GBP' } } },
]

const ride = (when: (now: number) => Input): readonly TriggerCall[] => [
  { call: 'quote_ride', input: (_, now) => ({ pickup: HERE, dropoff: THERE, ...when(now) }) },
  {
    call: 'request_ride',
    input: (done) => ({ quote_id: done['quote_ride'].quote_id, tier: 'economy', payment: PAYMENT }),
  },
]

/** A booking of the first free start so many days ahead, or one without a start, to which the provider answers. */
const booking = (hasSlot: boolean, daysAhead = 1): readonly TriggerCall[] => [
  {
    call: 'search_service_providers',
    input: { latitude: 51.5188, longitude: -0.0814, category: 'cleaning' },
  },
  ...(hasSlot
    ? [
        {
          call: 'get_provider_availability',
          input: (done: ExampleResults, now: number) => ({
            provider_id: done['search_service_providers'].data[0].provider_id,
            service_code: 'regular_clean',
            date: toTimestamp(now + daysAhead * DAY_MS).slice(0, 10),
            days: 14 - daysAhead,
          }),
        },
      ]
    : []),
  {
    call: 'quote_service',
    input: (done) => ({
      provider_id: done['search_service_providers'].data[0].provider_id,
      service_code: 'regular_clean',
      place: { location: { latitude: 51.5188, longitude: -0.0814 }, name: 'Home' },
      ...(hasSlot && { starts_at: done['get_provider_availability'].data[0].starts_at }),
    }),
  },
  {
    call: 'book_service',
    input: (done) => ({
      quote_id: done['quote_service'].quote_id,
      contact: { name: 'Ana Moreau', phone: '+442079460123' },
      payment: PAYMENT,
    }),
  },
]
const ASKED = booking(false)

/** The stories by the first word of the type. */
export const TRIGGERS: Readonly<Record<string, TriggerKind>> = {
  food_order: orderKind(AS_CUSTOMER),
  business_order: orderKind(AS_STORE),
  ride: {
    make: ride(() => ({})),
    id: 'ride_id',
    words: {
      ...each('processing', 'accepted', 'arriving', 'arrived', 'in_progress', 'completed'),
      scheduled: { make: ride((now) => ({ scheduled_for: toTimestamp(now + DAY_MS) })) },
      no_drivers_available: { scenario: 'no_driver' },
      cancelled: { acts: [{ call: 'cancel_ride', input: { reason_code: 'changed_plans' } }] },
      delayed: { scenario: 'driver_late;minutes=25' },
      problem_reported: {
        scenario: 'driver_late;minutes=25',
        acts: [advance('2h'), { call: 'report_ride_problem', input: { reason_code: 'late' } }],
      },
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
      attempted: { scenario: 'undeliverable;reason=access_denied;waits=600' },
      problem_reported: {
        scenario: 'goods_damaged',
        acts: [advance('3h'), { call: 'report_delivery_problem', input: { reason_code: 'damaged' } }],
      },
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
      manifested: { acts: [scan('manifested')] },
      held: { acts: [scan('collected'), scan('held', 'other')] },
      delayed: { scenario: 'delayed' },
      delivery_attempted: { scenario: 'attempt_fails' },
      rescheduled: { scenario: 'attempt_fails' },
      available_for_pickup: { scenario: 'attempt_fails;times=3' },
      damaged: { scenario: 'damaged' },
      lost: { scenario: 'lost' },
      return_started: { scenario: 'returned' },
      returned: { scenario: 'returned' },
      cancelled: { acts: [{ call: 'cancel_shipment', input: {} }] },
      address_corrected: {
        acts: [
          {
            call: 'correct_recipient',
            input: {
              recipient: { ...RECIPIENT, address: { ...RECIPIENT.address, line1: '21 Friar Street' } },
            },
          },
        ],
      },
      redirected: {
        acts: [{ call: 'redirect_shipment', input: { safe_place: 'Behind the blue bin' } }],
      },
      claim_opened: { acts: CLAIM },
      claim_accepted: { scenario: 'damaged', acts: CLAIM },
      claim_rejected: { acts: CLAIM },
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
      cancelled: { acts: [{ call: 'cancel_task', input: { reason_code: 'no_longer_needed' } }] },
    },
  },
  service_booking: {
    make: booking(true),
    id: 'booking_id',
    words: {
      ...each('confirmed', 'en_route', 'arrived', 'in_progress', 'completed'),
      requested: { make: ASKED },
      declined: { scenario: 'provider_declines', make: ASKED },
      no_show: { scenario: 'customer_no_show' },
      cancelled: { scenario: 'provider_cancels' },
      problem_reported: {
        scenario: 'provider_no_show',
        acts: [
          advance('24h'),
          { call: 'report_booking_problem', input: { reason_code: 'provider_no_show' } },
        ],
      },
      moved: {
        make: booking(true, 3),
        acts: [
          {
            call: 'move_booking',
            input: (done) => ({ starts_at: done['get_provider_availability'].data.at(-1).starts_at }),
          },
        ],
      },
    },
  },
}

/** The words to which a resource comes by itself. */
function each(...words: string[]): TriggerKind['words'] {
  return Object.fromEntries(words.map((word) => [word, {}]))
}
