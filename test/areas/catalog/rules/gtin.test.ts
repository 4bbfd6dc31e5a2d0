import { expect, test } from 'vitest'
import { gtinCheckDigit, isGtin } from '../../../../src/areas/catalog/rules/gtin.ts'
import { fc } from '../../../support/properties.ts'

test.each([
  ['501234567890', 0],
  ['400638133393', 1],
  ['9638507', 4],
  ['03600029145', 2],
  ['1061414100041', 5],
  ['0', 0],
])('the check digit of %s is %i', (digits, expected) => {
  expect(gtinCheckDigit(digits)).toBe(expected)
})

test.each(['5012345678900', '4006381333931', '96385074', '036000291452', '10614141000415'])(
  'takes %s',
  (code) => {
    expect(isGtin(code)).toBe(true)
  },
)

test.each(['', '5012345678901', '501234567891', '12345', '5012345678900 ', '501234567890O', '٥٠١٢٣٤٥٦٧٨٩٠٠'])(
  'refuses %j',
  (code) => {
    expect(isGtin(code)).toBe(false)
  },
)

test('every code has one right check digit, and one wrong digit is always noticed', () => {
  const lengths = fc.constantFrom(7, 11, 12, 13)
  const bodies = lengths.chain((length) =>
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }),
  )
  fc.assert(
    fc.property(bodies, fc.nat(), fc.integer({ min: 1, max: 9 }), (digits, place, change) => {
      const body = digits.join('')
      const code = `${body}${gtinCheckDigit(body)}`
      expect(isGtin(code)).toBe(true)
      const at = place % code.length
      const wrong = (Number(code[at]) + change) % 10
      expect(isGtin(`${code.slice(0, at)}${wrong}${code.slice(at + 1)}`)).toBe(false)
    }),
  )
})
