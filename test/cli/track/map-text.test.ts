import { expect, test } from 'vitest'
import { measureTextWidth } from '../../../src/cli/output/text.ts'
import { mapText, type Sketch } from '../../../src/cli/track/map-text.ts'
import { FORBIDDEN, HOSTILE } from '../../support/hostile.ts'
import { makeRenderOptions } from '../../support/screens.ts'

const RIDE: Sketch = {
  places: [
    { point: { latitude: 51.53, longitude: -0.12 }, mark: 'P', label: 'pickup' },
    { point: { latitude: 51.51, longitude: -0.06 }, mark: 'D', label: 'drop-off' },
  ],
  mover: { point: { latitude: 51.52, longitude: -0.09 }, bearing: 116, label: 'Amara', to: 'D' },
}

test('draws the route with its ends and the person on it, north up', () => {
  const lines = mapText(RIDE, makeRenderOptions(80))
  const map = lines.slice(1, -3)
  expect(
    map.every((line) => measureTextWidth(line) === 56 && line.startsWith('│') && line.endsWith('│')),
  ).toBe(true)
  expect(map.findIndex((line) => line.includes('P'))).toBe(0)
  expect(map.findIndex((line) => line.includes('D'))).toBe(map.length - 1)
  const vehicle = map.findIndex((line) => line.includes('↘'))
  expect(vehicle).toBeGreaterThan(0)
  expect(vehicle).toBeLessThan(map.length - 1)
  expect(map.join('').match(/·/g)?.length).toBeGreaterThan(20)
  expect(lines.slice(-2)).toEqual(['P pickup   D drop-off', '↘ Amara, 2.4 km from D'])
})

test('shows the river and the stations of London below the route, as far as the map reaches', () => {
  const lines = mapText(RIDE, makeRenderOptions(80))
  const map = lines.slice(0, -2).join('\n')
  expect(map).toContain('▫ Euston')
  expect(map).toMatch(/└─ .*▫ station ─+┘/)
  const across: Sketch = {
    places: [
      { point: { latitude: 51.515, longitude: -0.09 }, mark: 'P', label: 'pickup' },
      { point: { latitude: 51.495, longitude: -0.08 }, mark: 'D', label: 'drop-off' },
    ],
    mover: null,
  }
  const crossing = mapText(across, makeRenderOptions(80))
  expect(crossing.filter((line) => /~~~/.test(line)).length).toBeGreaterThan(1)
  expect(crossing.at(-2)).toMatch(/^└─ ~ the Thames ─ ▫ station ─+┘$/)
  // of a country the river is a smear, and elsewhere there is none
  for (const point of [
    { latitude: 53.4, longitude: -2.2 },
    { latitude: 40.7, longitude: -74 },
  ]) {
    const far = { ...across, places: [...across.places.slice(0, 1), { point, mark: 'D', label: 'drop-off' }] }
    expect(mapText(far, makeRenderOptions(80)).join('')).not.toMatch(/[~▫]/)
  }
})

test.each([40, 80, 120])('is no wider than a terminal of %i columns', (columns) => {
  expect(
    mapText(RIDE, makeRenderOptions(columns)).filter((line) => measureTextWidth(line) > columns),
  ).toEqual([])
})

test('describes in words what it cannot draw', () => {
  const words = ['P pickup   D drop-off', '↘ Amara, 2.4 km from D']
  expect(mapText(RIDE, makeRenderOptions(80, { accessible: true }))).toEqual(words)
  expect(mapText(RIDE, makeRenderOptions(21))).toHaveLength(2)
})

test('draws places that lie on top of each other', () => {
  const point = { latitude: 51.5, longitude: -0.1 }
  const map = mapText({ places: [{ point, mark: 'P', label: 'pickup' }], mover: null }, makeRenderOptions(80))
  expect(map).toHaveLength(4)
  expect(map[1]).toContain('P')
})

test('draws a route straight north, and one straight east', () => {
  const from = { latitude: 51.5, longitude: -0.1 }
  for (const to of [
    { latitude: 51.6, longitude: -0.1 },
    { latitude: 51.5, longitude: 0.1 },
  ]) {
    const map = mapText(
      {
        places: [
          { point: from, mark: 'P', label: 'a' },
          { point: to, mark: 'D', label: 'b' },
        ],
        mover: null,
      },
      makeRenderOptions(80),
    ).join('\n')
    expect(map).toMatch(/P/)
    expect(map).toMatch(/D/)
    expect(map).toContain('·')
  }
})

test.each(HOSTILE)('labels from elsewhere cannot draw: %j', (hostile) => {
  const places = RIDE.places.map((place) => ({ ...place, label: hostile }))
  expect(mapText({ ...RIDE, places }, makeRenderOptions(80)).join('')).not.toMatch(FORBIDDEN)
})
