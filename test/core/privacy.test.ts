import { expect, test } from 'vitest'
import { firstName, maskPhone } from '../../src/core/privacy.ts'

test.each([
  ['+447700900123', '+44•••••••123'],
  ['+12125550100', '+12••••••100'],
  ['+6512345', '+65••345'],
])('of %s one sees %s', (phone, masked) => {
  expect(maskPhone(phone)).toBe(masked)
})

test.each([
  ['Priya Shah', 'Priya'],
  ['  Björn  Ek ', 'Björn'],
  ['Cher', 'Cher'],
])('%s is called %s', (name, first) => {
  expect(firstName(name)).toBe(first)
})
