/** Courier deliveries in a test's world: quoted, requested, followed. */
import { CARD, newKey } from './food.ts'
import type { TestSandbox } from './world.ts'

/** By Lime Street, and on Finsbury Square: 1.5 km by road. */
export const FROM = { location: { latitude: 51.5129, longitude: -0.0823 }, name: 'Lime Street' }
export const TO = {
  address: { line1: '12 Finsbury Square', city: 'London', postal_code: 'EC2A 1AN', country_code: 'GB' },
  location: { latitude: 51.5207, longitude: -0.0873 },
  name: 'Finsbury Square',
}
export const PARCEL_OF_KEYS = { size: 'small', weight_grams: 300, description: 'A set of keys' } as const
export const ANA = { name: 'Ana Moreau', phone: '+442079460123' }
export const RAVI = { name: 'Ravi Shah', phone: '+442079460188' }

export type DeliveryOptions = {
  as?: string
  /** Overrides of the quote's input. */
  quote?: Record<string, unknown>
  /** Overrides of the request's input. */
  request?: Record<string, unknown>
  scenario?: string
  key?: string
}

/** Quotes a delivery, for the field by default. */
export function quoteRun(world: TestSandbox, { as = 'member', quote = {} }: DeliveryOptions = {}) {
  return world.ok('quote_delivery', { pickup: FROM, dropoff: TO, parcel: PARCEL_OF_KEYS, ...quote }, { as })
}

/** Returns the body that confirms a quote. */
export function requestOf(quote_id: string, over: Record<string, unknown> = {}): Record<string, unknown> {
  return { quote_id, pickup_contact: ANA, dropoff_contact: RAVI, payment: CARD, ...over }
}

/** Quotes and requests a delivery. */
export async function sendRun(world: TestSandbox, run: DeliveryOptions = {}) {
  const { as = 'member', request, scenario, key = newKey() } = run
  const { quote_id } = await quoteRun(world, run)
  return world.ok('request_delivery', requestOf(quote_id, request), {
    as,
    key,
    ...(scenario !== undefined && { scenario }),
  })
}

export function fetchDelivery(world: TestSandbox, delivery_id: string, as = 'member') {
  return world.ok('get_delivery', { delivery_id }, { as })
}

/** Advances the clock by 10 seconds at a time until the delivery has the status. Returns the delivery. */
export async function advanceToDeliveryStatus(world: TestSandbox, delivery_id: string, status: string) {
  for (let waited = 0; waited < 4 * 3600; waited += 10) {
    const delivery = await fetchDelivery(world, delivery_id)
    if (delivery.status === status) return delivery
    await world.advance(10_000)
  }
  throw new Error(`${delivery_id} never was ${status}`)
}
