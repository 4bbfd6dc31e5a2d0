import { describe, expect, test } from 'vitest'
import {
  interpolatePoint,
  boxesAround,
  computeRoadTravelSeconds,
  haversineMetres,
  roadDistanceMetres,
} from '../../src/core/geometry.ts'
import { fc } from '../support/properties.ts'

const london = { latitude: 51.501476, longitude: -0.140634 }
const paris = { latitude: 48.858222, longitude: 2.2945 }

const point = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
})

describe('distance', () => {
  test('is that of a sphere of the mean radius', () => {
    expect(haversineMetres(london, paris)).toBeCloseTo(341_208.5, 0)
    // one degree of latitude on a sphere of this radius
    expect(haversineMetres({ latitude: 0, longitude: 0 }, { latitude: 1, longitude: 0 })).toBeCloseTo(
      111_195.08,
      1,
    )
  })

  test('is zero to itself, the same both ways and at most half the globe', () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        expect(haversineMetres(a, a)).toBe(0)
        expect(haversineMetres(a, b)).toBeCloseTo(haversineMetres(b, a), 3)
        expect(haversineMetres(a, b)).toBeLessThanOrEqual(20_015_115)
      }),
    )
  })

  test('is short over the date line', () => {
    expect(
      haversineMetres({ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }),
    ).toBeCloseTo(111_195, 0)
  })

  test('by road is 1.3 times as long, in whole metres', () => {
    expect(roadDistanceMetres({ latitude: 0, longitude: 0 }, { latitude: 1, longitude: 0 })).toBe(144_554)
  })

  test.each([
    ['car', 180],
    ['motorbike', 171],
    ['bicycle', 298],
    ['walker', 801],
  ] as const)('takes a %s %d seconds for a kilometre', (vehicle, seconds) => {
    expect(computeRoadTravelSeconds(1000, vehicle)).toBe(seconds)
  })
})

describe('a position on the way', () => {
  test('begins at one end, stops at the other and keeps six decimals', () => {
    expect(interpolatePoint(london, paris, 0)).toEqual(london)
    expect(interpolatePoint(london, paris, 1)).toEqual(paris)
    expect(interpolatePoint(london, paris, 2)).toEqual(paris)
    expect(interpolatePoint(london, paris, -1)).toEqual(london)
    expect(interpolatePoint(london, paris, 1 / 3)).toEqual({ latitude: 50.620391, longitude: 0.671077 })
  })

  test('goes the short way over the date line', () => {
    const a = { latitude: 0, longitude: 179 }
    const b = { latitude: 0, longitude: -179 }
    expect(interpolatePoint(a, b, 0.25)).toEqual({ latitude: 0, longitude: 179.5 })
    expect(interpolatePoint(a, b, 0.75)).toEqual({ latitude: 0, longitude: -179.5 })
    expect(interpolatePoint(b, a, 0.75)).toEqual({ latitude: 0, longitude: 179.5 })
  })

  test('is always a place on earth', () => {
    fc.assert(
      fc.property(point, point, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, share) => {
        const { latitude, longitude } = interpolatePoint(a, b, share)
        expect(Math.abs(latitude)).toBeLessThanOrEqual(90)
        expect(Math.abs(longitude)).toBeLessThanOrEqual(180)
      }),
    )
  })
})

describe('the boxes around a circle', () => {
  test('are one, wider than high away from the equator', () => {
    const [box, ...more] = boxesAround({ latitude: 60, longitude: 10 }, 11_119.5)
    expect(more).toEqual([])
    expect(box?.south).toBeCloseTo(59.9, 3)
    expect(box?.north).toBeCloseTo(60.1, 3)
    expect(box?.west).toBeCloseTo(9.8, 2)
    expect(box?.east).toBeCloseTo(10.2, 2)
  })

  test('are two across the meridian of 180 degrees, and all longitudes around a pole', () => {
    expect(boxesAround({ latitude: 0, longitude: 179.99 }, 5000)).toMatchObject([
      { east: 180 },
      { west: -180 },
    ])
    expect(boxesAround({ latitude: 0, longitude: -179.99 }, 5000)).toMatchObject([
      { east: 180 },
      { west: -180 },
    ])
    expect(boxesAround({ latitude: -89.99, longitude: 3 }, 5000)).toMatchObject([
      { south: -90, west: -180, east: 180 },
    ])
  })

  test('hold every point that is near enough', () => {
    const degrees = fc.double({ min: -0.5, max: 0.5, noNaN: true })
    let [inside, beyond] = [0, 0]
    fc.assert(
      fc.property(
        point,
        fc.integer({ min: 100, max: 20_000 }),
        degrees,
        degrees,
        (centre, metres, north, east) => {
          const other = {
            latitude: Math.max(-90, Math.min(90, centre.latitude + north)),
            longitude: ((centre.longitude + east + 540) % 360) - 180,
          }
          const held = boxesAround(centre, metres).some(
            (box) =>
              box.south <= other.latitude &&
              other.latitude <= box.north &&
              box.west <= other.longitude &&
              other.longitude <= box.east,
          )
          const near = haversineMetres(centre, other) <= metres
          if (near) inside += 1
          if (!held) beyond += 1
          expect(held || !near).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
    expect(Math.min(inside, beyond)).toBeGreaterThan(50)
  })
})
