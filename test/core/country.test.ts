import { describe, expect, test } from 'vitest'
import { callingCodeOf, COUNTRIES, findCountryCode, isCountryCode } from '../../src/core/country.ts'

const rows = COUNTRIES.map((row) => row.split(' '))

describe('the list of countries', () => {
  test('is that of ISO 3166-1: 249 codes of each kind, in order, each once', () => {
    expect(rows).toHaveLength(249)
    expect(new Set(rows.map(([, alpha3]) => alpha3)).size).toBe(249)
    const alpha2 = rows.map(([code = '']) => code)
    expect([...new Set(alpha2)].toSorted()).toEqual(alpha2)
    expect(COUNTRIES.every((row) => /^[A-Z]{2} [A-Z]{3} [1-9]\d{0,2} [a-z]+([ |][a-z]+)*$/.test(row))).toBe(
      true,
    )
  })

  test('gives no name to two countries', () => {
    const names = COUNTRIES.flatMap((row) => row.split(' ').slice(3).join(' ').split('|'))
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test('knows every country by the English name that this machine has for it', () => {
    for (const style of ['long', 'short'] as const) {
      const names = new Intl.DisplayNames('en', { type: 'region', style })
      for (const [code = ''] of rows)
        expect([code, findCountryCode(names.of(code) ?? '')]).toEqual([code, code])
    }
  })
})

describe('a country', () => {
  test.each([
    ['GB', 'GB'],
    ['United Kingdom (UK)', 'GB'],
    ['UK - United Kingdom', 'GB'],
    ['GB (Great Britain)', 'GB'],
    ['England, UK', 'GB'],
    ['Scotland, United Kingdom', 'GB'],
    ['UK Mainland', 'GB'],
    ['GB-NIR', 'GB'],
    ['gb-sct', 'GB'],
    ['XI', 'GB'],
    ['Ireland (Republic of)', 'IE'],
    ['ROI', 'IE'],
    ['US-CA', 'US'],
    ['gb', 'GB'],
    ['GBR', 'GB'],
    ['UK', 'GB'],
    ['U.K.', 'GB'],
    ['United Kingdom', 'GB'],
    ['Great Britain', 'GB'],
    ['England', 'GB'],
    [' scotland ', 'GB'],
    ['Northern Ireland', 'GB'],
    ['Ireland', 'IE'],
    ['USA', 'US'],
    ['U.S.A.', 'US'],
    ['The United States of America', 'US'],
    ['Germany', 'DE'],
    ['Côte d’Ivoire', 'CI'],
    ["Cote d'Ivoire", 'CI'],
    ['Åland Islands', 'AX'],
    ['Trinidad & Tobago', 'TT'],
    ['Korea, Republic of', 'KR'],
    ["Korea (Democratic People's Republic of)", 'KP'],
    ['Tanzania, United Republic of', 'TZ'],
    ['Viet Nam', 'VN'],
    ['the Netherlands', 'NL'],
    ['Guinea-Bissau', 'GW'],
    ['Guinea', 'GN'],
    ['Niger', 'NE'],
    ['Nigeria', 'NG'],
    ['Dominica', 'DM'],
    ['Dominican Republic', 'DO'],
    ['Congo', 'CG'],
    ['DR Congo', 'CD'],
    ['Isle of Man', 'IM'],
  ])('%j is %s', (text, code) => {
    expect(findCountryCode(text)).toBe(code)
  })

  test.each(['', ' ', 'ZZ', 'XXX', 'Atlantis', 'the', 'constructor', '__proto__', '44', 'GB GBR'])(
    '%j is none',
    (text) => {
      expect(findCountryCode(text)).toBeUndefined()
    },
  )

  test('code on the wire is alpha-2 in capitals', () => {
    expect(['GB', 'gb', 'UK', 'GBR', '', 'ZZ'].map(isCountryCode)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })

  test.each([
    ['GB', '44'],
    ['JE', '44'],
    ['IE', '353'],
    ['US', '1'],
    ['JM', '1'],
    ['KZ', '7'],
    ['VA', '39'],
    ['AX', '358'],
    ['CW', '599'],
    ['SS', '211'],
    ['ZZ', undefined],
  ])('%s is called by %s', (code, callingCode) => {
    expect(callingCodeOf(code)).toBe(callingCode)
  })
})
