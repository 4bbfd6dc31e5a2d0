/** The surfaces of a ride, a delivery, a booking, a task and a parcel for whoever bought it: a declaration for each kind. */
import { type Facts, toMinorUnits, toMinute } from './facts.ts'
import { listOwnerSurfaces, type OwnedKind, readShownBill } from './owner-surfaces.ts'
import { PARCEL_PAPERS } from './parcel-papers.ts'
import { membersOf } from './paths.ts'
import type { ResourceDocument } from './reading.ts'
import type { Surface } from './surface.ts'

/** A fact, with the paths by which documents call it, and the label and heading by which screens do. */
type NamedFact = { paths?: readonly string[]; label?: string; heading?: string }
type NamedFacts = {
  state: Readonly<Record<string, NamedFact>>
  sums: Readonly<Record<string, NamedFact>>
  times: Readonly<Record<string, NamedFact>>
  who: Readonly<Record<string, NamedFact>>
  where: Readonly<Record<string, NamedFact>>
}

/** The payment as every purchase shows it. */
const PAYMENT = {
  state: {
    payment: { paths: ['payment.status'], label: 'Payment', heading: 'Payment' },
    method: { paths: ['payment.method'], label: 'Payment method' },
    refund: { paths: ['refund.status'], label: 'Refund status' },
  },
  sums: {
    paid: { paths: ['payment.amount'] },
    refunded: { paths: ['refunded'], label: 'Refunded' },
  },
} as const

const STATUS = { paths: ['status'], label: 'Status', heading: 'Status' }

type BoughtKind = Omit<OwnedKind, 'readDocument' | 'readScreen' | 'readRow'> & { facts: NamedFacts }

/** Returns the surfaces of a kind whose facts are named. */
function listBoughtSurfaces({ facts, ...kind }: BoughtKind): Surface[] {
  return listOwnerSurfaces({
    ...kind,
    readDocument: (document: ResourceDocument) => {
      const { first } = membersOf(document)
      return takeFacts(facts, ({ paths = [] }) => first(...paths))
    },
    readScreen: (screen) => {
      const { said, sums } = readShownBill(screen)
      const read = takeFacts(facts, ({ label = '' }) => said[label])
      return { ...read, sums: { ...sums, ...withoutGaps(read.sums ?? {}) } }
    },
    readRow: (cell) => takeFacts(facts, ({ heading }) => (heading === undefined ? undefined : cell(heading))),
  })
}

/** Returns the facts whose values `take` finds. */
function takeFacts(facts: NamedFacts, take: (named: NamedFact) => unknown): Facts {
  const each = <T>(group: keyof NamedFacts, read: (value: unknown) => T) =>
    Object.fromEntries(Object.entries(facts[group]).map(([name, named]) => [name, read(take(named))]))
  return {
    state: each('state', toText),
    sums: each('sums', toMinorUnits),
    times: each('times', toMinute),
    who: each('who', toText),
    where: each('where', toPlaceName),
  }
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** `Bank (51.5133, -0.0886)` is Bank. */
function toPlaceName(value: unknown): string | undefined {
  return toText(value)?.replace(/ \(-?[\d.]+, -?[\d.]+\)$/, '')
}

function withoutGaps<T>(values: Readonly<Record<string, T | undefined>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, T] => entry[1] !== undefined),
  )
}

const RIDES = listBoughtSurfaces({
  of: 'ride',
  group: 'rides',
  path: '/v1/rides',
  list: '/v1/rides',
  tools: { show: 'get_ride', list: 'list_rides' },
  price: 'fare',
  steps: 'states',
  titleSum: 'charged',
  events: { kind: 'ride', news: /^problem_/ },
  words: {
    Scheduled: 'scheduled',
    'Looking for a driver': 'processing',
    'Driver on the way': 'accepted',
    'Nearly at the pickup': 'arriving',
    'At the pickup': 'arrived',
    'On the way': 'in_progress',
    Arrived: 'completed',
    Cancelled: 'cancelled',
    'No driver available': 'no_drivers_available',
  },
  hasReceipt: true,
  facts: {
    state: { own: STATUS, ...PAYMENT.state, tier: { paths: ['tier'], label: 'Tier', heading: 'Tier' } },
    sums: {
      fare: { paths: ['fare'], heading: 'Fare' },
      // What a ride costs in the end is the total of its bill.
      total: { paths: ['receipt.charged'] },
      ...PAYMENT.sums,
      tax: { paths: ['tax_included'] },
    },
    times: {
      made: { paths: ['created_at'], heading: 'Requested' },
      arrival: { paths: ['dropoff_eta_at'], label: 'Drop-off ETA' },
    },
    who: { driver: { paths: ['driver.name'], label: 'Driver' } },
    where: {
      from: { paths: ['pickup.name'], label: 'From', heading: 'From' },
      to: { paths: ['dropoff.name'], label: 'To', heading: 'To' },
      plate: { paths: ['vehicle.plate'], label: 'Plate' },
    },
  },
})

const DELIVERIES = listBoughtSurfaces({
  of: 'delivery',
  group: 'delivery',
  path: '/v1/deliveries',
  list: undefined,
  tools: { show: 'get_delivery', list: undefined },
  price: 'total',
  steps: 'states',
  titleSum: 'charged',
  events: { kind: 'delivery', news: /^(?:delayed|attempted|problem_)/ },
  words: {
    'Looking for a courier': 'pending',
    'Courier on the way to the pickup': 'assigned',
    'At the pickup': 'arrived_at_pickup',
    'On its way': 'picked_up',
    'At the door': 'arrived_at_dropoff',
    Delivered: 'delivered',
    'Returning to sender': 'returning',
    'Returned to sender': 'returned',
    Cancelled: 'cancelled',
  },
  hasReceipt: true,
  facts: {
    state: { own: STATUS, ...PAYMENT.state },
    sums: { total: { paths: ['price'] }, ...PAYMENT.sums, tax: { paths: ['tax_included'] } },
    times: { arrival: { paths: ['dropoff_eta_at'], label: 'Delivery ETA' } },
    who: { courier: { paths: ['courier.name'], label: 'Courier' } },
    where: {
      from: { paths: ['pickup.place.name'], label: 'From' },
      to: { paths: ['dropoff.place.name'], label: 'To' },
    },
  },
})

const BOOKINGS = listBoughtSurfaces({
  of: 'booking',
  group: 'services',
  path: '/v1/services/bookings',
  list: undefined,
  tools: { show: 'get_service_booking', list: undefined },
  price: 'total',
  steps: 'states',
  titleSum: 'charged',
  events: { kind: 'service_booking', news: /^(?:moved|problem_)/ },
  words: {
    'Waiting for the provider': 'requested',
    Confirmed: 'confirmed',
    'Declined by the provider': 'declined',
    'On the way': 'en_route',
    'At the door': 'arrived',
    'At work': 'in_progress',
    Completed: 'completed',
    'No answer at the door': 'no_show',
    Cancelled: 'cancelled',
  },
  hasReceipt: true,
  facts: {
    state: { own: STATUS, ...PAYMENT.state },
    sums: { total: { paths: ['price'] }, ...PAYMENT.sums, tax: { paths: ['tax_included'] } },
    times: { start: { paths: ['slot.starts_at'], label: 'Start' } },
    who: { provider: { paths: ['provider.name'], label: 'Provider' } },
    where: { place: { paths: ['place.name'], label: 'Place' } },
  },
})

const TASKS = listBoughtSurfaces({
  of: 'task',
  group: 'tasks',
  path: '/v1/tasks',
  list: undefined,
  tools: { show: 'get_task', list: undefined },
  price: 'total',
  steps: 'states',
  titleSum: 'charged',
  events: { kind: 'task', news: /^problem_/ },
  words: {
    'Looking for a tasker': 'created',
    'Tasker assigned': 'assigned',
    'On the way': 'en_route',
    'At work': 'in_progress',
    'Under review': 'under_review',
    Completed: 'completed',
    'Could not be completed': 'failed',
    Cancelled: 'cancelled',
    'No tasker available': 'unfulfilled',
  },
  hasReceipt: true,
  facts: {
    state: { own: STATUS, ...PAYMENT.state },
    sums: { total: { paths: ['price'] }, ...PAYMENT.sums, tax: { paths: ['tax_included'] } },
    times: {
      from: { paths: ['window.starts_at'], label: 'Not before' },
      until: { paths: ['window.ends_at'], label: 'Deadline' },
      arrival: { paths: ['eta_at'], label: 'ETA' },
    },
    who: { tasker: { paths: ['provider.name'], label: 'Tasker' } },
    where: { place: { paths: ['place.name'], label: 'Place' } },
  },
})

const PARCELS = listBoughtSurfaces({
  of: 'parcel',
  group: 'carrier',
  path: '/v1/shipments',
  list: '/v1/shipments',
  tools: { show: 'get_shipment', list: 'list_shipments' },
  price: 'total',
  steps: 'scans',
  titleSum: undefined,
  // The words of its events are those of its scans, and tell more than its state.
  events: { kind: 'shipment', news: /./ },
  words: {
    'Awaiting collection': 'pre_transit',
    'On its way': 'in_transit',
    'Out for delivery': 'out_for_delivery',
    'Delivery attempt failed': 'delivery_attempted',
    'Ready for pickup': 'available_for_pickup',
    Delivered: 'delivered',
    'Returning to sender': 'returning',
    'Returned to sender': 'returned',
    Lost: 'lost',
    Cancelled: 'cancelled',
  },
  hasReceipt: false,
  facts: {
    state: {
      own: STATUS,
      scan: { paths: ['status_detail'], label: 'Last scan' },
      service: { paths: ['service_level'], label: 'Service', heading: 'Service' },
    },
    sums: {
      total: { paths: ['price.total', 'total'], label: 'Total', heading: 'Total' },
      tax: { paths: ['price.tax.amount'] },
    },
    times: {
      delivery: { paths: ['estimated_delivery_date'], label: 'Delivery date', heading: 'Delivery date' },
    },
    who: {
      recipient: {
        paths: ['recipient.contact.name', 'recipient_name'],
        label: 'Recipient',
        heading: 'Recipient',
      },
    },
    where: { postcode: { paths: ['recipient.address.postal_code'], heading: 'Postcode' } },
  },
})

export const BOUGHT_SURFACES: readonly Surface[] = [
  ...RIDES,
  ...DELIVERIES,
  ...BOOKINGS,
  ...TASKS,
  ...PARCELS,
  ...PARCEL_PAPERS,
]
