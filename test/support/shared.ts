/** One resource of each kind that can be shared, in a test's world. */
import { sendRun } from './deliveries.ts'
import { CARD, makeBasket, newKey } from './food.ts'
import { makeParcel } from './parcel.ts'
import { requestTestRide } from './rides.ts'
import { bookJob } from './services.ts'
import { createTestTask } from './tasks.ts'
import type { TestSandbox } from './world.ts'

/** Each kind: who owns it, and the operation and field that show it. */
export const SHARED = {
  food_order: { as: 'member', show: 'get_food_order', id: 'order_id' },
  ride: { as: 'everything', show: 'get_ride', id: 'ride_id' },
  delivery: { as: 'member', show: 'get_delivery', id: 'delivery_id' },
  shipment: { as: 'shipper', show: 'get_shipment', id: 'tracking_number' },
  booking: { as: 'everything', show: 'get_service_booking', id: 'booking_id' },
  task: { as: 'member', show: 'get_task', id: 'task_id' },
} as const

export type SharedKind = keyof typeof SHARED
export const SHARED_KINDS = Object.keys(SHARED) as SharedKind[]

/** Makes one of each; returns their ids. */
export async function makeOneOfEach(world: TestSandbox): Promise<Record<SharedKind, string>> {
  const as = (kind: SharedKind) => ({ as: SHARED[kind].as, key: newKey() })
  const basket = await makeBasket(world)
  const { quote_id } = await world.ok('quote_food_order', basket, { as: 'member' })
  const contact = { name: 'Priya Shah', phone: '+447700900123' }
  const order = { quote_id, payment: CARD, contact, notes: 'The key is under the mat' }
  return {
    food_order: (await world.ok('place_food_order', order, as('food_order'))).order_id,
    ride: (await requestTestRide(world, as('ride'))).ride_id,
    delivery: (await sendRun(world)).delivery_id,
    shipment: (await world.ok('create_shipment', makeParcel(), as('shipment'))).tracking_number,
    booking: (await bookJob(world, {}, as('booking'))).booking_id,
    task: (await createTestTask(world)).task_id,
  }
}
