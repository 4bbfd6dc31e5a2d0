import { describe, expect, test } from 'vitest'
import { addressLines, countryLine } from '../../../../src/areas/carrier/label/address.ts'

const STREET = { line1: '1 Long Road', city: 'Town', postal_code: '12345' }

describe('an address is written in the order of its country', () => {
  test.each([
    ['GB', ['1 Long Road', 'TOWN', '12345']],
    ['DE', ['1 Long Road', '12345 Town']],
    ['US', ['1 Long Road', 'Town, Region 12345']],
    ['HU', ['Town', '1 Long Road', '12345']],
    ['AU', ['1 Long Road', 'Town Region 12345']],
    // Its post needs no postcode and names the emirate; nothing that was typed is lost.
    ['AE', ['1 Long Road', 'Town', 'Region', '12345']],
    // A country without rules.
    ['AQ', ['1 Long Road', 'Town', '12345']],
  ])('%s', (country_code, lines) => {
    expect(addressLines({ ...STREET, region: 'Region', country_code })).toEqual(lines)
  })

  test('from the largest place to the smallest in East Asian script', () => {
    const address = { line1: '千代田1-1', city: '千代田区', region: '東京都', postal_code: '100-0001' }
    expect(addressLines({ ...address, country_code: 'JP' })).toEqual([
      '〒100-0001',
      '東京都',
      '千代田区',
      '千代田1-1',
    ])
  })
})

test('a country is written in English capitals', () => {
  expect(countryLine('DE')).toBe('GERMANY')
})
