import { expect, test } from 'vitest'
import { haversineMetres } from '../../../src/core/geometry.ts'
import { findNamedPlace, namedPlaces, similarNames } from '../../../src/core/places/gazetteer.ts'
import { KNOWN_NAMES } from '../../../src/core/places/known-addresses.ts'

const PLACE_NAMES = [...namedPlaces().keys()]

test.each(['kings-cross', 'King’s Cross', 'KINGS CROSS', " king's_cross ", 'Kings Cross Station, London'])(
  '%s is one place',
  (text) => {
    expect(findNamedPlace(text)).toEqual({ name: 'King’s Cross', latitude: 51.5308, longitude: -0.1238 })
  },
)

test.each(['', 'atlantis', 'constructor', '51.5,-0.1'])('"%s" is none', (text) => {
  expect(findNamedPlace(text)).toBeUndefined()
})

test.each([
  ['heathrow', 'Heathrow Airport'],
  ['Heathrow Airport', 'Heathrow Airport'],
  ['heathrow terminal 5', 'Heathrow Terminal 5'],
  ['Heathrow Airport Terminal 5 station', 'Heathrow Terminal 5'],
  ['Heathrow T2', 'Heathrow Terminal 2'],
  ['LHR T4', 'Heathrow Terminal 4'],
  ['Gatwick North', 'Gatwick North Terminal'],
])('%s is %s', (text, name) => {
  expect(findNamedPlace(text)?.name).toBe(name)
})

test('a terminal that does not exist is no place, and never the middle of its airport', () => {
  expect(findNamedPlace('Heathrow Terminal 9')).toBeUndefined()
  expect(findNamedPlace('Bank Terminal 2')).toBeUndefined()
  expect(similarNames('heathrow t9')).toContain('heathrow-terminal-5')
})

test('a terminal is where it is: terminal 5 lies 2.3 km west of the middle of Heathrow', () => {
  const [airport, terminal] = ['heathrow', 'heathrow-terminal-5'].map(findNamedPlace)
  if (airport === undefined || terminal === undefined) throw new Error('both are known')
  expect(Math.round(haversineMetres(airport, terminal) / 100)).toBe(23)
})

test.each([
  ['hethrow airport', ['heathrow-airport']],
  ['picadilly circus', ['piccadilly-circus']],
  ['charing', ['charing-cross']],
  ['cross road', ['charing-cross']],
])('%s may mean %j', (text, names) => {
  expect(similarNames(text)).toEqual(expect.arrayContaining(names))
})

test.each([
  ['Forna Santo Rosso', 'Forno Santa Rosa'],
  ['Harbor & Hak', 'Harbour & Hake'],
  ['Ketle & Cumin', 'Kettle & Cumin'],
  ['quan sin', 'Quán Sen'],
  ['LONN1', 'LON1'],
])('%s may mean the store %s', (text, name) => {
  expect(similarNames(text, KNOWN_NAMES)[0]).toBe(name)
})

test('every name stands for a place of its own in London', () => {
  const points = PLACE_NAMES.map(findNamedPlace)
  expect(new Set(points.map((point) => JSON.stringify(point))).size).toBe(PLACE_NAMES.length)
  for (const point of points) {
    expect(
      haversineMetres(point ?? { latitude: 0, longitude: 0 }, { latitude: 51.513, longitude: -0.09 }),
    ).toBeLessThan(42_000)
  }
  expect(PLACE_NAMES).toEqual(PLACE_NAMES.toSorted())
})
