import { expect, test } from 'vitest'
import { computeRoadTravelSeconds, type Point, roadDistanceMetres } from '../../src/core/geometry.ts'
import { formulaRoute } from '../../src/core/route.ts'

const [A, B, C]: [Point, Point, Point] = [
  { latitude: 51.5, longitude: -0.1 },
  { latitude: 51.52, longitude: -0.08 },
  { latitude: 51.49, longitude: -0.05 },
]

test('is the formula between two points', () => {
  const metres = roadDistanceMetres(A, B)
  expect(formulaRoute({ points: [A, B], vehicle: 'car' })).toEqual({
    distance_m: metres,
    duration_seconds: computeRoadTravelSeconds(metres, 'car'),
  })
})

test('adds up stop by stop', () => {
  const [there, on] = [
    [A, B],
    [B, C],
  ].map((points) => formulaRoute({ points, vehicle: 'bicycle' }))
  const whole = formulaRoute({ points: [A, B, C], vehicle: 'bicycle' })
  expect(whole.distance_m).toBe((there?.distance_m ?? 0) + (on?.distance_m ?? 0))
  expect(whole.duration_seconds).toBe((there?.duration_seconds ?? 0) + (on?.duration_seconds ?? 0))
})

test('is zero for a single place', () => {
  expect(formulaRoute({ points: [A], vehicle: 'car' })).toEqual({ distance_m: 0, duration_seconds: 0 })
})
