import { expect, test } from 'vitest'
import { findProhibited } from '../../src/domain/prohibited.ts'

test.each([
  ['Hunting rifles', 'rifles'],
  ['A box of FIREWORKS for Sunday', 'fireworks'],
  ['two  live\nanimals', 'live animals'],
  ['Grandma’s cash', 'cash'],
  ['flick-knife', 'flick knife'],
  ['Three puppies', 'puppies'],
])('%s is not taken', (description, word) => {
  expect(findProhibited(description)).toBe(word)
})

test.each([
  'A set of keys',
  'A cashmere jumper',
  'Bath bombs',
  'A stuffed animal',
  'Bullet journal',
  'Poisson à la crème',
  'Glue gun',
  'Petroleum jelly',
])('%s is taken', (description) => {
  expect(findProhibited(description)).toBeUndefined()
})
