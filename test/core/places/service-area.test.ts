import { expect, test } from 'vitest'
import { isPointServed } from '../../../src/core/places/service-area.ts'

test.each([
  ['Bank', 51.5133, -0.0886, true],
  ['Heathrow', 51.47, -0.4543, true],
  ['Croydon', 51.3762, -0.0982, true],
  ['Brighton', 50.8225, -0.1372, false],
  ['Manchester', 53.4808, -2.2426, false],
])('couriers come to %s or not', (_, latitude, longitude, served) => {
  expect(isPointServed({ latitude, longitude })).toBe(served)
})
