import { describe, expect, test } from 'vitest'
import { COUNTRIES } from '../../src/core/country.ts'
import { toE164 } from '../../src/core/phone.ts'
import { fc } from '../support/properties.ts'

describe('a telephone number', () => {
  test.each([
    ['020 7946 0958', 'GB', '+442079460958'],
    ['07700 900123', 'GB', '+447700900123'],
    ['(020) 7946-0958', 'GB', '+442079460958'],
    ['020-7946–0958', 'GB', '+442079460958'],
    ['tel:020.7946.0958', 'GB', '+442079460958'],
    ['01481 960 194', 'GG', '+441481960194'],
    ['(415) 555-2671', 'US', '+14155552671'],
    ['1-415-555-2671', 'US', '+14155552671'],
    ['876 123 4567', 'JM', '+18761234567'],
    ['06 12 34 56 78', 'FR', '+33612345678'],
    ['030/123456', 'DE', '+4930123456'],
    ['(02) 9374 4000', 'AU', '+61293744000'],
    ['8 (495) 123-45-67', 'RU', '+74951234567'],
    ['06 1 234 5678', 'HU', '+3612345678'],
    ['91 123 45 67', 'ES', '+34911234567'],
    ['0712 345678', 'KE', '+254712345678'],
    ['041 234 5678', 'IE', '+353412345678'],
  ])('%j in %s is %s', (text, country, expected) => {
    expect(toE164(text, country)).toBe(expected)
  })

  test.each([
    ['+44 20 7946 0958', 'FR'],
    ['+44 (0)20 7946 0958', 'GB'],
    ['+44 020 7946 0958', 'GB'],
    ['0044 20 7946 0958', 'FR'],
    ['0044 (0)20 7946 0958', 'FR'],
    ['011 44 20 7946 0958', 'US'],
    ['0011 44 20 7946 0958', 'AU'],
    ['010 44 20 7946 0958', 'JP'],
  ])('%j in %s is already international', (text, country) => {
    expect(toE164(text, country)).toBe('+442079460958')
  })

  test.each([
    ['06 6982 1234', 'IT', '+390669821234'],
    ['+39 06 6982 1234', 'IT', '+390669821234'],
    ['0549 882 123', 'SM', '+3780549882123'],
    ['07 07 07 07 07', 'CI', '+2250707070707'],
  ])('%j keeps its zero in %s', (text, country, expected) => {
    expect(toE164(text, country)).toBe(expected)
  })

  test.each([
    ['7700900123', 'GB', '+447700900123'],
    ['447700900123', 'GB', '+447700900123'],
    ['14155552671', 'US', '+14155552671'],
    ['254712345678', 'KE', '+254712345678'],
    ['9123456789', 'IN', '+919123456789'],
    ['347 123 4567', 'IT', '+393471234567'],
    ['3912345678', 'IT', '+393912345678'],
    ['4915112345678', 'DE', '+4915112345678'],
  ])('%j in %s has lost its zero or its plus sign in a spreadsheet', (text, country, expected) => {
    expect(toE164(text, country)).toBe(expected)
  })

  test('that could be read in two ways is not guessed', () => {
    expect(toE164('49301234567', 'DE')).toBeUndefined()
  })

  test.each([
    ['', 'GB'],
    ['n/a', 'GB'],
    ['12', 'GB'],
    ['0123', 'GB'],
    ['020 7946 0958 1234', 'GB'],
    ['020 7946 0958 x12', 'GB'],
    ['4.477E+11', 'GB'],
    ['+', 'GB'],
    ['++442079460958', 'GB'],
    ['+0123456789', 'GB'],
    ['+44 20 7946+0958', 'GB'],
    ['+1234567890123456', 'GB'],
    ['٠٢٠٧٩٤٦٠٩٥٨', 'GB'],
    ['115 555 2671', 'US'],
    ['555 2671', 'US'],
    ['00 44 20 7946 0958', 'HK'],
    ['020 7946 0958', 'ZZ'],
    ['020 7946 0958', ''],
  ])('%j in %j is none', (text, country) => {
    expect(toE164(text, country)).toBeUndefined()
  })

  test('with two zeros after the calling code is not a number', () => {
    expect(toE164('+60 005205', 'MY')).toBeUndefined()
    expect(toE164('00 51 0002600', 'PE')).toBeUndefined()
  })

  test('is E.164 whenever it is a number, in every country', () => {
    const country = fc.constantFrom(...COUNTRIES.map((row) => row.slice(0, 2)))
    const prefix = fc.constantFrom('', '+', '0', '00', '011')
    const digits = fc.array(fc.nat(9), { minLength: 5, maxLength: 14 })
    let numbers = 0
    fc.assert(
      fc.property(prefix, digits, country, (before, rest, code) => {
        const number = toE164(before + rest.join(' '), code) ?? '+15550000'
        if (number !== '+15550000') numbers += 1
        expect(number).toMatch(/^\+[1-9]\d{6,14}$/)
        expect(toE164(number, code)).toBe(number)
      }),
      { numRuns: 2000 },
    )
    expect(numbers).toBeGreaterThan(100)
  })
})
