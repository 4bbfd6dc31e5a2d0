import { describe, expect, test } from 'vitest'
import {
  isTrackingNumber,
  normalizeTrackingNumber,
  makeTrackingNumber,
  generateTrackingNumbers,
} from '../../../../src/areas/carrier/rules/tracking-number.ts'
import { fc } from '../../../support/properties.ts'

const position = fc.integer({ min: 1, max: 2_599_999_000 })

describe('tracking numbers', () => {
  test('the first one is the same in every store', () => {
    expect(makeTrackingNumber(1)).toBe('ZC968043370GB')
  })

  test.each(['ZC473124829GB', 'ZC000000014GB', 'ZC765432171GB', 'RR473124829DE'])(
    '%s is well formed',
    (number) => {
      expect(isTrackingNumber(number)).toBe(true)
    },
  )

  test.each([
    '',
    'ZC473124829G',
    'ZC473124829GBX',
    'Z1473124829GB',
    'ZC473124828GB',
    'zc473124829gb',
    'ZC47312482٩GB',
    'ZC473124829GB\n',
    // S mod 11 = 0: S10 would give it the check digit 5
    'ZC000000005GB',
  ])('%j is not', (number) => {
    expect(isTrackingNumber(number)).toBe(false)
  })

  test('are read with spaces, hyphens and small letters', () => {
    expect(normalizeTrackingNumber(' zc 4731-2482 9 gb\n')).toBe('ZC473124829GB')
  })

  test('every one issued verifies, and every single wrong digit of it is caught', () => {
    fc.assert(
      fc.property(
        position,
        fc.integer({ min: 2, max: 10 }),
        fc.integer({ min: 1, max: 9 }),
        (n, at, shift) => {
          const number = makeTrackingNumber(n)
          expect(isTrackingNumber(number)).toBe(true)
          const wrong = String((Number(number.charAt(at)) + shift) % 10)
          expect(isTrackingNumber(number.slice(0, at) + wrong + number.slice(at + 1))).toBe(false)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('are unique while each call goes on where the last one ended', () => {
    const issued: string[] = []
    let n = 1
    for (const count of [1, 500, 7, 0, 1, 491]) {
      const { numbers, next } = generateTrackingNumbers(n, count)
      expect(numbers).toHaveLength(count)
      issued.push(...numbers)
      n = next
    }
    expect(new Set(issued).size).toBe(1000)
    expect(issued).toEqual(generateTrackingNumbers(1, 1000).numbers)
  })

  test('skip about one serial in eleven, and never lose or repeat one by it', () => {
    fc.assert(
      fc.property(position, fc.integer({ min: 1, max: 300 }), (n, count) => {
        const { numbers, next } = generateTrackingNumbers(n, count)
        const again = Array.from({ length: next - n }, (_, index) => makeTrackingNumber(n + index))
        expect([...new Set(again)]).toEqual(numbers)
      }),
    )
    const { next } = generateTrackingNumbers(1, 10_000)
    expect(next / 10_000).toBeCloseTo(1.1, 2)
  })

  test('go on with the next indicator when one is used up', () => {
    expect(makeTrackingNumber(100_000_000)).toMatch(/^ZC/)
    expect(makeTrackingNumber(100_000_001)).toBe('ZA968043370GB')
    expect(makeTrackingNumber(2_500_000_001)).toMatch(/^ZZ/)
    expect(() => generateTrackingNumbers(2_600_000_000, 2)).toThrow(RangeError)
  })
})
