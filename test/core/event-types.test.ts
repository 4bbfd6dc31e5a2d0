import { expect, test } from 'vitest'
import { OPERATIONS } from '../../src/areas/index.ts'
import { RESOURCES } from '../../src/areas/resources.ts'
import { listEventTypes } from '../../src/core/event-types.ts'
import { listLastEvents } from '../../src/store/events.ts'
import { place } from '../support/order-life.ts'
import { makeParcel } from '../support/parcel.ts'
import { requestRide } from '../support/rides.ts'
import { createTask } from '../support/tasks.ts'
import { openWorld } from '../support/world.ts'

const TYPES = listEventTypes(RESOURCES)

test('each event of a resource that is told has a type that can be chosen', async () => {
  const world = await openWorld()
  for (let index = 0; index < 12; index++) {
    await world.ok('create_shipment', makeParcel({ reference: `A-${index}` }), { as: 'everything' })
    await place(world, { as: 'everything', type: index % 2 === 0 ? 'delivery' : 'pickup', method: 'cash' })
  }
  await requestRide(world)
  await createTask(world)
  await world.advance(10 * 86_400_000)
  const names = new Set(TYPES.map(({ type }) => type.split('.', 1)[0]))
  const happened = (await world.db.read((tx) => listLastEvents(tx, 1000))).map(({ type }) => type)
  const told = [...new Set(happened)].filter((type) => names.has(type.split('.', 1)[0]))
  expect(told).toEqual(
    expect.arrayContaining(['shipment.created', 'shipment.collected', 'food_order.completed']),
  )
  const known = new Set(TYPES.map(({ type }) => type))
  expect(told.filter((type) => !known.has(type))).toEqual([])
})

test('the scope of a type is that of the call that shows its resource', async () => {
  for (const { type, show, scope } of TYPES)
    expect([type, (await OPERATIONS[show as keyof typeof OPERATIONS]()).scope]).toEqual([type, scope])
})
