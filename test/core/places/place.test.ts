import { describe, expect, test } from 'vitest'
import type { Address } from '../../../src/core/address.ts'
import { haversineMetres } from '../../../src/core/geometry.ts'
import { findNamedPlace } from '../../../src/core/places/gazetteer.ts'
import { LONDON_DISTRICTS } from '../../../src/core/places/place.ts'
import { findPlacePoint, resolvePlace } from '../../../src/core/places/place.ts'
import { findPostcodeArea } from '../../../src/core/places/postcode.ts'
import { fc } from '../../support/properties.ts'

const LIME_STREET: Address = {
  line1: '40 Lime Street',
  city: 'London',
  postal_code: 'EC3M 7AW',
  country_code: 'GB',
}
const POINT = { latitude: 51.501476, longitude: -0.140634 }

function at(postal_code: string, more: Partial<Address> = {}) {
  return resolvePlace({ address: { ...LIME_STREET, postal_code, ...more } })
}

describe('an address', () => {
  test('gets a point in its district and the name of that', () => {
    const address = { ...LIME_STREET, line1: '3 Rood Lane', postal_code: 'EC3M 8AB' }
    const place = resolvePlace({ address })
    expect(place).toMatchObject({ address, name: 'Fenchurch Street', precision: 'district' })
    expect(haversineMetres(place?.location ?? POINT, { latitude: 51.5125, longitude: -0.0803 })).toBeLessThan(
      450,
    )
  })

  test.each([
    ['its own line', {}, 'exact'],
    ['a short form of the street', { line1: '40 lime st.' }, 'exact'],
    ['its floor', { line1: 'Floor 3, 40 Lime Street' }, 'exact'],
    ['its line after the company', { line1: 'Morgan & Co', line2: '40 Lime Street' }, 'exact'],
    ['the name of who is there', { line1: 'Morgan Trading' }, 'exact'],
    ['half of the postcode', { postal_code: 'ec3m' }, 'exact'],
    ['the next door', { line1: '42 Lime Street' }, 'street'],
    ['another postcode of the street', { postal_code: 'EC3M 5BN' }, 'street'],
    ['another line of the postcode', { line1: 'The Old Vault' }, 'postcode'],
  ])('near a known one with %s is that close: %j', (_, more, precision) => {
    const place = resolvePlace({ address: { ...LIME_STREET, ...more } })
    const metres = haversineMetres(place?.location ?? POINT, { latitude: 51.5129, longitude: -0.0823 })
    expect(place?.precision).toBe(precision)
    expect(metres).toBeLessThanOrEqual(precision === 'exact' ? 0 : 41)
  })

  test.each([
    ['Buckingham Palace', 'SW1A 1AA', 'Buckingham Palace', 'exact'],
    ['10 Downing Street', 'SW1A 2AA', 'Downing Street', 'exact'],
    ['King’s Cross Station, Euston Road', 'N1C 4AX', 'King’s Cross', 'exact'],
    ['221B Baker Street', 'NW1 6XE', 'Baker Street', 'street'],
    ['1 Sloane Square', 'SW1W 8BB', 'Sloane Square', 'street'],
    ['Heathrow Terminal 5', 'TW6 2GA', 'Heathrow Terminal 5', 'exact'],
  ])('that begins with %s is at the named place', (line1, postal_code, name, precision) => {
    const place = at(postal_code, { line1 })
    const { latitude = 0, longitude = 0 } = findNamedPlace(name) ?? {}
    expect(place?.precision).toBe(precision)
    expect(haversineMetres(place?.location ?? POINT, { latitude, longitude })).toBeLessThanOrEqual(
      precision === 'exact' ? 0 : 151,
    )
  })

  test('of the README stands on its street, and so does that street itself', () => {
    const square = { latitude: 51.5207, longitude: -0.0868 }
    for (const line1 of ['12 Finsbury Square', 'Flat 2, 31 Finsbury Sq.', 'Finsbury Square']) {
      const place = at('EC2A 1AN', { line1 })
      expect([line1, place?.precision]).toEqual([line1, 'street'])
      expect(haversineMetres(place?.location ?? POINT, square)).toBeLessThanOrEqual(41)
    }
  })

  test('of a known name or street elsewhere is not there', () => {
    expect(at('M1 1AE', { line1: 'Victoria' })).toMatchObject({ name: 'Manchester', precision: 'district' })
    expect(at('SW19 1AA', { line1: '12 Baker Street' })?.precision).toBe('district')
    expect(at('E17 2AA')?.precision).toBe('district')
    expect(at('E15 2NH', { line1: '118 Brick Lane' })?.precision).toBe('postcode')
  })

  test('is always at the same point, with six decimals', () => {
    expect(at('EC3M 7AW')).toEqual(at('EC3M 7AW'))
    const location = at('ec3m7aw')?.location
    expect(location).toEqual(at('EC3M 7AW')?.location)
    expect(String(location?.latitude)).toMatch(/^51\.\d{1,6}$/)
  })

  test('has neighbours close by, and other streets farther off', () => {
    const [here, next, street] = [
      at('EC3M 7AW'),
      at('EC3M 7AW', { line1: '42 Lime Street' }),
      at('EC3M 6LX', { line1: '3 Rood Lane' }),
    ]
    const from = (place: typeof here) => haversineMetres(here?.location ?? POINT, place?.location ?? POINT)
    expect(from(next)).toBeGreaterThan(1)
    expect(from(next)).toBeLessThanOrEqual(80)
    expect(from(street)).toBeGreaterThan(80)
  })

  test('may lie outside of London, or name only its district', () => {
    expect(at('M1 1AE')).toMatchObject({ name: 'Manchester' })
    expect(at('E8')).toMatchObject({ name: 'Hackney' })
    expect(at('W1T')).toMatchObject({ name: 'Mayfair and Soho' })
    expect(at('KW15 1AA')).toMatchObject({ name: 'Orkney' })
    expect(at('JE2 3AB', { country_code: 'JE' })?.name).toBe('Jersey')
  })

  test.each([
    ['a postcode that does not exist', 'QQ1 1AA', 'GB'],
    ['no postcode at all', '10115', 'GB'],
    ['another country', '10115', 'DE'],
    ['a country where nothing is sent', '10115', 'KP'],
  ])('with %s cannot be found', (_, postal_code, country_code) => {
    expect(at(postal_code, { country_code })).toBeUndefined()
  })

  test('that has its own point stays there', () => {
    const place = { address: { ...LIME_STREET, location: POINT } }
    expect(findPlacePoint(place)).toEqual(POINT)
    expect(resolvePlace(place)).toEqual({
      ...place,
      location: POINT,
      name: 'Buckingham Palace',
      precision: 'exact',
    })
    expect(
      at('10115', { country_code: 'DE', location: { latitude: 52.53, longitude: 13.38 } }),
    ).toMatchObject({
      location: { latitude: 52.53 },
      name: 'London',
    })
  })
})

describe('a point', () => {
  test.each([
    [POINT, 'Buckingham Palace'],
    [{ latitude: 51.5129, longitude: -0.0823 }, 'Lime Street'],
    [{ latitude: 51.5304, longitude: -0.1236 }, 'King’s Cross'],
    [{ latitude: 51.5057, longitude: -0.1158 }, 'South Bank'],
    [{ latitude: 51.545, longitude: -0.012 }, 'Olympic Park'],
    [{ latitude: 53.48, longitude: -2.24 }, 'Manchester'],
  ])('%j is called %s', (location, name) => {
    expect(resolvePlace({ location })).toEqual({ location, name, precision: 'exact' })
  })

  test('from an earlier answer is known as exactly as it said', () => {
    expect(resolvePlace({ location: POINT, precision: 'district' })?.precision).toBe('district')
  })

  test('keeps the name that it was given', () => {
    expect(resolvePlace({ location: POINT, name: 'The palace' })?.name).toBe('The palace')
  })

  test('in the middle of an ocean cannot be found', () => {
    expect(resolvePlace({ location: { latitude: 45, longitude: -30 } })).toBeUndefined()
  })

  test('takes precedence over the point of the address', () => {
    const location = { latitude: 51.6, longitude: -0.1 }
    expect(findPlacePoint({ location, address: { ...LIME_STREET, location: POINT } })).toEqual(location)
    expect(findPlacePoint({ address: LIME_STREET })).toBeUndefined()
  })
})

test('the districts are those of London, each in its postcode area', () => {
  expect(new Set(LONDON_DISTRICTS.map(([district]) => district)).size).toBe(LONDON_DISTRICTS.length)
  for (const [district, , latitude, longitude] of LONDON_DISTRICTS) {
    expect(findPostcodeArea(district)).toMatchObject({ zone: 'A' })
    expect(haversineMetres({ latitude, longitude }, { latitude: 51.513, longitude: -0.09 })).toBeLessThan(
      18_000,
    )
  }
})

test('every address of London lies within its district', () => {
  const letter = fc.constantFrom(...'ABDEFGHJLNPQRSTUWXYZ'.split(''))
  fc.assert(
    fc.property(
      fc.constantFrom(...LONDON_DISTRICTS),
      fc.nat(9),
      letter,
      letter,
      fc.string(),
      (row, digit, a, b, line1) => {
        const [district, name, latitude, longitude] = row
        const place = at(`${district} ${digit}${a}${b}`, { line1 })
        expect(place?.name).toBe(name)
        expect(haversineMetres(place?.location ?? POINT, { latitude, longitude })).toBeLessThan(445)
      },
    ),
    { numRuns: 300 },
  )
})
