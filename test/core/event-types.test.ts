import { expect, test } from 'vitest'
import { RESOURCES } from '../../src/areas/resources.ts'
import { listEventTypes, listRecordedTypes } from '../../src/core/event-types.ts'
import { listLastEvents } from '../../src/db/events.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { placeTestOrder } from '../support/order-life.ts'
import { makeParcel } from '../support/parcel.ts'
import { requestTestRide } from '../support/rides.ts'
import { createTestTask } from '../support/tasks.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const TYPES = listEventTypes(RESOURCES)

test('each event of a resource that is told has a type that can be chosen', async () => {
  const world = await openTestSandbox()
  for (let index = 0; index < 12; index++) {
    await world.ok('create_shipment', makeParcel({ reference: `A-${index}` }), { as: 'everything' })
    await placeTestOrder(world, {
      as: 'everything',
      type: index % 2 === 0 ? 'delivery' : 'pickup',
      method: 'cash',
    })
  }
  await requestTestRide(world)
  await createTestTask(world)
  await world.advance(10 * 86_400_000)
  const names = new Set(TYPES.map(({ type }) => type.split('.', 1)[0]))
  const happened = (await world.db.read((tx) => listLastEvents(tx, 2000))).map(({ type }) => type)
  const told = [...new Set(happened)].filter((type) => names.has(type.split('.', 1)[0]))
  expect(told).toEqual(
    expect.arrayContaining(['shipment.created', 'shipment.collected', 'food_order.completed']),
  )
  const known = new Set(TYPES.map(({ type }) => type))
  expect(told.filter((type) => !known.has(type))).toEqual([])
  // A test may listen to every type, also of payments, items and memberships.
  await world.ok(
    'set_catalog_item_availability',
    { item_id: await firstItem(world), available: false },
    { as: 'everything' },
  )
  const all = (await world.db.read((tx) => listLastEvents(tx, 2000))).map(({ type }) => type)
  expect(all.filter((type) => !listRecordedTypes(RESOURCES).includes(type))).toEqual([])
  expect(all).toEqual(
    expect.arrayContaining(['payment.unpaid', 'payment.paid', 'catalog_item.availability_changed']),
  )
})

test('the scope of a type is that of the call that shows its resource', async () => {
  for (const { type, show, scope } of TYPES)
    expect([type, (await OPERATIONS[show as keyof typeof OPERATIONS]()).scope]).toEqual([type, scope])
})

async function firstItem(world: TestSandbox): Promise<string> {
  const { data } = await world.ok('list_catalog_items', {}, { as: 'everything' })
  return data[0]?.item_id ?? ''
}
