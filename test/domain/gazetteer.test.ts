import { expect, test } from 'vitest'
import { findNamedPlace, PLACE_NAMES } from '../../src/domain/gazetteer.ts'
import { haversineMetres } from '../../src/domain/geo.ts'

test.each(['kings-cross', 'King’s Cross', 'KINGS CROSS', " king's_cross "])('%s is one place', (text) => {
  expect(findNamedPlace(text)).toEqual({ latitude: 51.5308, longitude: -0.1238 })
})

test.each(['', 'atlantis', 'constructor', '51.5,-0.1'])('"%s" is none', (text) => {
  expect(findNamedPlace(text)).toBeUndefined()
})

test('every name stands for a place of its own in London', () => {
  const points = PLACE_NAMES.map(findNamedPlace)
  expect(new Set(points.map((point) => JSON.stringify(point))).size).toBe(PLACE_NAMES.length)
  for (const point of points) {
    expect(
      haversineMetres(point ?? { latitude: 0, longitude: 0 }, { latitude: 51.513, longitude: -0.09 }),
    ).toBeLessThan(12_000)
  }
  expect(PLACE_NAMES).toEqual(PLACE_NAMES.toSorted())
})
