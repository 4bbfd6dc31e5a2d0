import { expect, test } from 'vitest'
import { displayNumber } from '../../src/core/display-number.ts'

test('a million orders in a row have a million numbers of four characters', () => {
  const numbers = new Set<string>()
  for (let ordinal = 1; ordinal <= 2 ** 20; ordinal++) numbers.add(displayNumber(ordinal))
  expect(numbers.size).toBe(2 ** 20)
  expect([...numbers].every((number) => /^[0-9A-HJKMNP-TV-Z]{4}$/.test(number))).toBe(true)
})

test('a number does not reveal the next one', () => {
  const values = Array.from({ length: 200 }, (_, index) => Number.parseInt(displayNumber(index + 1), 36))
  const steps = values.slice(1).map((value, index) => value - (values[index] ?? 0))
  expect(new Set(steps).size).toBeGreaterThan(150)
})
