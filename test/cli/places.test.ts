import { describe, expect, test } from 'vitest'
import { findPlace, findPoint, meantPlaces } from '../../src/cli/places.ts'

describe('a place to deliver to', () => {
  test.each([
    ['12 Finsbury Square, London EC2A 1AN', '12 Finsbury Square', 'London', 'EC2A 1AN', 'GB'],
    ['12 Finsbury Square, ec2a1an', '12 Finsbury Square', 'London', 'EC2A1AN', 'GB'],
    ['12 Finsbury Square, London, EC2A 1AN, GB', '12 Finsbury Square', 'London', 'EC2A 1AN', 'GB'],
    ['Flat 2, 5 Market Place, Reading RG1 2DE', 'Flat 2, 5 Market Place', 'Reading', 'RG1 2DE', 'GB'],
    ['12 Finsbury Square, London EC2A 1AN, gbr', '12 Finsbury Square', 'London', 'EC2A 1AN', 'GB'],
    ['12 Finsbury Square, London EC2A 1AN, England', '12 Finsbury Square', 'London', 'EC2A 1AN', 'GB'],
    ['1 Quay, London EC2A 1AN, Atlantis', '1 Quay', 'London', 'EC2A 1AN', 'Atlantis'],
    ['12 Finsbury Square, London EC2A 1AN, United Kingdom', '12 Finsbury Square', 'London', 'EC2A 1AN', 'GB'],
    ['12 Finsbury Square, London EC2A 1AN England', '12 Finsbury Square', 'London', 'EC2A 1AN', 'GB'],
    ['12 Finsbury Square London EC2A 1AN', '12 Finsbury Square', 'London', 'EC2A 1AN', 'GB'],
    ['10 Downing Street, London SW1A 2AA', '10 Downing Street', 'London', 'SW1A 2AA', 'GB'],
    ['1 Quay, St. Peter Port GY1 1AA, GG', '1 Quay', 'St. Peter Port', 'GY1 1AA', 'GG'],
  ])('is an address in one line: %s', (typed, line1, city, postal_code, country_code) => {
    expect(findPlace(typed)).toEqual({ address: { line1, city, postal_code, country_code } })
  })

  test('is a point, or a name that the gazetteer has', () => {
    expect(findPlace(' 51.5129, -0.0823')).toEqual({ location: { latitude: 51.5129, longitude: -0.0823 } })
    expect(findPlace('old-street')).toEqual({
      name: 'Old Street',
      location: { latitude: 51.5258, longitude: -0.0875 },
    })
  })

  test.each([
    ['EC2A 1AN', 'EC2A 1AN'],
    ['n1c4ag', 'N1C 4AG'],
    ['London N1C 4AG', 'N1C 4AG'],
    ['N1C 4AG, London, United Kingdom', 'N1C 4AG'],
    ['EC2A', 'EC2A'],
  ])('is a postcode alone, by which it is called: %s', (typed, name) => {
    expect(findPlace(typed)).toEqual({ name, location: findPoint(typed) })
    expect(findPoint(typed)?.latitude).toBeCloseTo(51.52, 1)
  })

  test.each([
    ['LHR', 'Heathrow Airport'],
    ['lgw', 'Gatwick Airport'],
    ['The O2', 'O2 Arena'],
    ['10 Downing Street', 'Downing Street'],
  ])('is what people call it: %s', (typed, name) => {
    expect(findPlace(typed)).toMatchObject({ name })
  })

  test.each(['', 'home', '12 Finsbury Square', 'ZZ9 9ZZ', '51.5129'])('is not "%s"', (typed) => {
    expect(findPlace(typed)).toBeUndefined()
  })
})

test.each([
  ['14 Doughty Street', ' (an address needs its full postcode)'],
  ['thames', / \(known places are, for example, heathrow-airport, .* and waterloo\)$/],
  ['Piccadilly', ' (did you mean piccadilly-circus?)'],
  ['padd', ' (did you mean paddington?)'],
])('%s gets a suggestion', (typed, words) => {
  expect(meantPlaces(typed)).toMatch(words)
})

test('a postcode, whole or its first half, is a point near its district', () => {
  for (const typed of ['EC2A 1AN', 'ec2a']) {
    const point = findPoint(typed)
    expect(point?.latitude).toBeCloseTo(51.52, 1)
    expect(point?.longitude).toBeCloseTo(-0.08, 1)
  }
  expect(findPoint('12 Finsbury Square, London EC2A 1AN, England')).toBeDefined()
  expect(findPoint('ZZ9 9ZZ')).toBeUndefined()
})
