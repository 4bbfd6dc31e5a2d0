import { expect, test } from 'vitest'
import { computeDeliveryMinutes } from '../../../src/areas/merchants/rules.ts'

const STORE = { latitude: 51.512851, longitude: -0.082154 }

test('a courier who is asked when the kitchen is done has to come and to take it', () => {
  // 60 seconds to hand over, whatever the way.
  expect(computeDeliveryMinutes(15, STORE, STORE)).toEqual({ eta_min_minutes: 19, eta_max_minutes: 29 })
})

test('a ride of 1000 m is 1300 m by road, 310 seconds on a bicycle and one minute to hand over', () => {
  const north = { ...STORE, latitude: STORE.latitude + 1000 / 111_195 }
  expect(computeDeliveryMinutes(20, STORE, north)).toEqual({ eta_min_minutes: 30, eta_max_minutes: 40 })
})
