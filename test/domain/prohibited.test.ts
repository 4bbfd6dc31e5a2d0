import { expect, test } from 'vitest'
import { findProhibited } from '../../src/domain/prohibited.ts'

test.each([
  ['Hunting rifles', 'rifles'],
  ['A box of FIREWORKS for Sunday', 'fireworks'],
  ['two  live\nanimals', 'live animals'],
  ['Grandma’s cash', 'cash'],
  ['flick-knife', 'flick knife'],
  ['Three puppies', 'puppies'],
  ['petrol', 'petrol'],
  ['Jerry can of petrol', 'petrol'],
  ['Petrol (5 l)', 'petrol'],
  ['petrol can, full', 'petrol'],
  ['gunpowder', 'gunpowder'],
  ['a pistol and a towel', 'pistol'],
  ['Explosives', 'explosives'],
  ['Radioactive source', 'radioactive'],
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
  'Petrol blue dress',
  'Gunpowder green tea',
  'Kitten heels',
  'Cash register rolls',
  'Water pistol',
  'Poison ivy in a pot',
])('%s is taken', (description) => {
  expect(findProhibited(description)).toBeUndefined()
})
