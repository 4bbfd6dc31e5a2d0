import { describe, expect, test } from 'vitest'
import { haversineMetres, type Point } from '../../src/core/geometry.ts'
import { headingAt, type PathMotion, computeRemainingLeg } from '../../src/core/path.ts'
import { fc } from '../support/properties.ts'

const A: Point = { latitude: 51.5, longitude: -0.1 }
const B: Point = { latitude: 51.51, longitude: -0.1 }
const C: Point = { latitude: 51.51, longitude: -0.08 }
const LEG: PathMotion = { path: [A, B, C], starts_at: 0, ends_at: 600_000 }

describe('a heading', () => {
  test('leads from the first point over the others to the last, with its direction', () => {
    expect(headingAt(LEG, 0)).toEqual({ ...A, bearing: 0, at: 0 })
    const half = headingAt(LEG, 300_000)
    expect(half.latitude).toBe(51.51)
    expect(half.bearing).toBe(90)
    expect(headingAt(LEG, 600_000)).toEqual({ ...C, bearing: 90, at: 600_000 })
    expect(headingAt(LEG, 900_000)).toEqual({ ...C, bearing: 90, at: 600_000 })
    expect(headingAt({ ...LEG, path: [C, B, A] }, 0).bearing).toBe(270)
    expect(headingAt({ ...LEG, path: [B, A] }, 0).bearing).toBe(180)
  })

  test('is reported every 20 seconds and at both ends', () => {
    expect(headingAt(LEG, 19_999)).toEqual(headingAt(LEG, 0))
    expect(headingAt(LEG, 20_000).at).toBe(20_000)
    expect(headingAt({ ...LEG, ends_at: 605_000 }, 604_999).at).toBe(600_000)
  })

  test('stays on a path without length', () => {
    const here = { path: [A, A], starts_at: 0, ends_at: 60_000 }
    expect(headingAt(here, 30_000)).toEqual({ ...A, bearing: 0, at: 20_000 })
    expect(headingAt({ path: [A], starts_at: 0, ends_at: 60_000 }, 30_000)).toMatchObject(A)
    expect(headingAt({ ...LEG, ends_at: 0 }, 0)).toMatchObject(C)
  })
})

test('the rest of a leg begins at the present position and keeps its end and arrival time', () => {
  const rest = computeRemainingLeg(LEG, 450_000)
  expect(rest).toMatchObject({ starts_at: 450_000, ends_at: 600_000 })
  expect(rest.path.at(-1)).toEqual(C)
  expect(rest.path).toHaveLength(2)
  expect(computeRemainingLeg(LEG, 60_000).path).toHaveLength(3)
  expect(computeRemainingLeg(LEG, 700_000)).toEqual({ path: [C, C], starts_at: 700_000, ends_at: 700_000 })
})

test('positions on the rest of a leg equal those on the whole leg', () => {
  const cut = fc.integer({ min: 0, max: 29 })
  fc.assert(
    fc.property(cut, cut, (first, later) => {
      const [at, then] = [first * 20_000, Math.max(first, later) * 20_000]
      const [whole, rest] = [headingAt(LEG, then), headingAt(computeRemainingLeg(LEG, at), then)]
      expect(haversineMetres(whole, rest)).toBeLessThan(1)
    }),
  )
})
