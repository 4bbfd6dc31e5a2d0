import { expect, test } from 'vitest'
import { CARD, makeBasket, newKey } from '../support/food.ts'
import { openTestSandbox } from '../support/world.ts'

const SOHO = { location: { latitude: 51.5137, longitude: -0.1337 } }
const RIVER = { location: { latitude: 51.5098, longitude: -0.1105 } }
const SEA = { location: { latitude: 50.7, longitude: -0.14 } }

test.each([
  [RIVER, 'is in the Thames; give a point on land'],
  [SEA, 'is in the sea; give a point on land'],
])('nobody drives, brings or works at %j', async (wet, why) => {
  const world = await openTestSandbox()
  const parcel = { size: 'small', description: 'Keys' }
  const answers = [
    await world.refused('quote_ride', { pickup: SOHO, dropoff: wet }),
    await world.refused('quote_ride', { pickup: SOHO, dropoff: SOHO, stops: [wet] }),
    await world.refused('quote_delivery', { pickup: wet, dropoff: SOHO, parcel }),
    await world.refused('quote_task', {
      task_type: 'property_photo',
      place: wet,
      requirements: { views: ['front'] },
    }),
    await world.refused('quote_food_order', await makeBasket(world, { dropoff: wet })),
  ]
  for (const { code, errors } of answers)
    expect([code, errors[0]?.detail]).toEqual(['address_unresolvable', expect.stringContaining(why)])
  const { latitude, longitude } = wet.location
  expect(await world.ok('check_coverage', { latitude, longitude })).toMatchObject({ deliverable: false })
})

test('an order keeps its address as it was typed, along with the point that was found for it', async () => {
  const world = await openTestSandbox()
  const address = {
    line1: 'Flat 3,  12 finsbury Sq.',
    line2: 'c/o Ravi',
    city: 'LONDON',
    postal_code: 'ec2a1an',
    country_code: 'GB',
    access_notes: 'Ring twice',
  }
  const { quote_id } = await world.ok('quote_food_order', await makeBasket(world, { dropoff: { address } }))
  const { order_id } = await world.ok('place_food_order', { quote_id, payment: CARD }, { key: newKey() })
  const { dropoff } = await world.ok('get_food_order', { order_id })
  expect(dropoff?.address).toEqual(address)
  expect(dropoff?.location?.latitude).toBeCloseTo(51.52, 1)
})
