import { describe, expect, test } from 'vitest'
import {
  findPlace,
  findPoint,
  formatPlaceSuggestions,
  resolveSearchPoint,
  locatePlace,
} from '../../../src/core/places/words.ts'
import { catchError } from '../../support/caught.ts'

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
    ['EC2A 1AB', 'EC2A 1AB'],
    ['n1c4ag', 'N1C 4AG'],
    ['London N1C 4AG', 'N1C 4AG'],
    ['N1C 4AG, London, United Kingdom', 'N1C 4AG'],
    ['EC2A', 'EC2A'],
  ])('is a postcode alone, by which it is called: %s', (typed, name) => {
    expect(findPlace(typed)).toEqual({ name, location: findPoint(typed), precision: 'district' })
    expect(findPoint(typed)?.latitude).toBeCloseTo(51.52, 1)
  })

  test('is a postcode alone, as near as its known street', () => {
    expect(findPlace('ec2a 1an')).toMatchObject({ name: 'EC2A 1AN', precision: 'postcode' })
  })

  test.each([
    ['LHR', 'Heathrow Airport'],
    ['lgw', 'Gatwick Airport'],
    ['The O2', 'O2 Arena'],
    ['10 Downing Street', 'Downing Street'],
    ['forno santa rosa', 'Forno Santa Rosa'],
    ['lon1', 'LON1'],
  ])('is what people call it: %s', (typed, name) => {
    expect(findPlace(typed)).toMatchObject({ name })
  })

  test.each(['46 Lime Street', '46 lime st, London', '46 Lime Street, London EC3M 7AW'])(
    'is a known address, with or without its postcode: %s',
    (typed) => {
      expect(findPoint(typed)).toEqual({ latitude: 51.512851, longitude: -0.082154 })
    },
  )

  test.each(['', 'home', '12 Finsbury Square', 'ZZ9 9ZZ', '51.5129'])('is not "%s"', (typed) => {
    expect(findPlace(typed)).toBeUndefined()
  })
})

test.each([
  ['14 Doughty Street', ' (an address needs its full postcode)'],
  ['zzyzx', / \(known places are, for example, heathrow-airport, .* and waterloo\)$/],
  ['Piccadilly', ' (did you mean piccadilly-circus?)'],
  ['padd', ' (did you mean paddington?)'],
])('%s gets a suggestion', (typed, words) => {
  expect(formatPlaceSuggestions(typed)).toMatch(words)
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

describe('a place by its name alone', () => {
  test('is what a flag would make of it', () => {
    expect(locatePlace({ name: 'kings-cross' }, '/pickup')).toEqual({
      name: 'King’s Cross',
      location: { latitude: 51.5308, longitude: -0.1238 },
      precision: 'exact',
    })
    expect(locatePlace({ name: '46 Lime Street, London EC3M 7AW' }, '/pickup')).toMatchObject({
      address: { line1: '46 Lime Street' },
      location: { latitude: 51.512851, longitude: -0.082154 },
      precision: 'exact',
    })
  })

  test.each([
    ['bridge', ['london-bridge', 'tower-bridge']],
    ['Goosefoot', ['Goosefoot Grocer Spitalfields', 'Goosefoot Grocer Clerkenwell']],
    ['kings corss', ['kings-cross']],
  ])('that may mean several places, or is misspelt, is refused with them: %s', (name, alternatives) => {
    const error = catchError(() => locatePlace({ name }, '/stops/0'))
    expect(error).toMatchObject({
      code: 'address_unresolvable',
      errors: [{ pointer: '/stops/0/name', code: 'invalid_format' }],
      extra: { alternatives: expect.arrayContaining(alternatives) },
    })
    for (const each of alternatives) expect(findPlace(each)).toBeDefined()
  })

  test('that nothing is like has no alternatives', () => {
    expect(catchError(() => locatePlace({ name: 'qqq' }, '/place'))).toMatchObject({ extra: {} })
  })
})

describe('the middle of a search', () => {
  const CITY = { latitude: 51.5, longitude: -0.1 }

  test('is the point, or that of the words, or the usual one', () => {
    expect(resolveSearchPoint(CITY)).toEqual(CITY)
    expect(resolveSearchPoint({ near: 'bank' })).toEqual({ latitude: 51.5133, longitude: -0.0886 })
    expect(resolveSearchPoint({}, CITY)).toEqual(CITY)
  })

  test.each([
    [{ near: 'bank', ...CITY }, 'mutually_exclusive', ['near', 'latitude', 'longitude']],
    [{ near: 'bank', longitude: 0 }, 'mutually_exclusive', ['near', 'longitude']],
    [{ latitude: 51.5 }, 'required', ['longitude']],
    [{}, 'required', ['near']],
  ])('is not told by %j', (input, code, parameters) => {
    expect(catchError(() => resolveSearchPoint(input))).toMatchObject({
      code: 'invalid_request',
      errors: parameters.map((parameter) => ({ parameter, code })),
    })
  })
})
