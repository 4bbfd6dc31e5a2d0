import { expect, test } from 'vitest'
import { priceRun } from '../../../../src/areas/delivery/rules/price.ts'
import { gbp } from '../../../support/money.ts'

test('a run costs its base, its kilometres and its size, tax included', () => {
  expect(priceRun(8420, 'medium', 'GBP')).toEqual({
    lines: [
      { type: 'base', amount: gbp(350) },
      { type: 'distance', amount: gbp(800) },
      { type: 'size', amount: gbp(150) },
    ],
    total: gbp(1300),
    tax_included: gbp(217),
  })
})

test('a small parcel has no surcharge and no line for its size', () => {
  expect(priceRun(1000, 'small', 'GBP').lines.map(({ type }) => type)).toEqual(['base', 'distance'])
  expect((['small', 'medium', 'large', 'xl'] as const).map((size) => priceRun(0, size, 'GBP').total)).toEqual(
    [350, 500, 650, 950].map(gbp),
  )
})

test('half a penny is rounded up, and the lines always add up', () => {
  // 95 pence a kilometre: 10 m cost 0.95 p, 100 m 9.5 p.
  expect([5, 10, 100].map((metres) => priceRun(metres, 'small', 'GBP').total.amount)).toEqual([350, 351, 360])
  for (let metres = 0; metres < 30_000; metres += 377) {
    const { lines, total, tax_included } = priceRun(metres, 'xl', 'GBP')
    expect(lines.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(total.amount)
    expect(Math.abs(tax_included.amount * 6 - total.amount)).toBeLessThanOrEqual(3)
  }
})
