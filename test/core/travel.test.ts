import { describe, expect, test } from 'vitest'
import { canVehicleCarry, vehiclesFor } from '../../src/areas/couriers/rules.ts'
import { haversineMetres } from '../../src/core/geometry.ts'
import {
  extendTrail,
  isImminent,
  computeLastPingTime,
  computeLastPosition,
  travelSeconds,
} from '../../src/core/travel.ts'
import { fc } from '../support/properties.ts'

const SHOP = { latitude: 51.513, longitude: -0.0824 }
const DOOR = { latitude: 51.52, longitude: -0.0724 }
const LEG = { from: SHOP, to: DOOR, starts_at: 1_000_000, ends_at: 1_300_000 }

describe('a courier on the way', () => {
  test('is at the start before and at the end after it, and half way in between', () => {
    expect(computeLastPosition(LEG, 0)).toEqual(SHOP)
    expect(computeLastPosition(LEG, LEG.ends_at)).toEqual(DOOR)
    expect(computeLastPosition(LEG, LEG.ends_at + 60_000)).toEqual(DOOR)
    expect(computeLastPosition(LEG, LEG.starts_at + 140_000)).toEqual({
      latitude: 51.516267,
      longitude: -0.077733,
    })
  })

  test('reports its position only every 20 seconds', () => {
    expect(computeLastPosition(LEG, LEG.starts_at + 59_999)).toEqual(
      computeLastPosition(LEG, LEG.starts_at + 40_000),
    )
    expect(computeLastPosition(LEG, LEG.starts_at + 60_000)).not.toEqual(
      computeLastPosition(LEG, LEG.starts_at + 59_999),
    )
    expect(computeLastPingTime(LEG, LEG.starts_at + 59_999)).toBe(LEG.starts_at + 40_000)
  })

  test('never goes back', () => {
    fc.assert(
      fc.property(fc.nat(400_000), fc.nat(400_000), (a, b) => {
        const left = (after: number) => haversineMetres(computeLastPosition(LEG, LEG.starts_at + after), DOOR)
        expect(left(Math.max(a, b))).toBeLessThanOrEqual(left(Math.min(a, b)))
      }),
    )
  })

  test('with no distance to travel is already there', () => {
    const motion = { from: DOOR, to: DOOR, starts_at: 5, ends_at: 5 }
    expect([computeLastPosition(motion, 0), computeLastPosition(motion, 9)]).toEqual([DOOR, DOOR])
  })

  test('is about to arrive within 80 metres', () => {
    expect(isImminent({ latitude: 51.5207, longitude: -0.0724 }, DOOR)).toBe(true)
    expect(isImminent({ latitude: 51.5208, longitude: -0.0724 }, DOOR)).toBe(false)
  })
})

test('a van takes as long as a car, a walker longer', () => {
  const [van, car, walker] = (['van', 'car', 'walker'] as const).map((vehicle) =>
    travelSeconds(SHOP, DOOR, vehicle),
  )
  expect(van).toBe(car)
  expect(walker).toBeGreaterThan(Number(car))
})

test('nobody walks five kilometres or brings a wardrobe on a bicycle', () => {
  expect(canVehicleCarry('walker', 'small', 2000)).toBe(true)
  expect(canVehicleCarry('walker', 'small', 2001)).toBe(false)
  expect(canVehicleCarry('bicycle', 'medium', 8000)).toBe(true)
  expect(canVehicleCarry('bicycle', 'large', 100)).toBe(false)
  expect(canVehicleCarry('van', 'xl', 30_000)).toBe(true)
})

test('a trail keeps its last 50 points and no point twice in a row', () => {
  let trail = extendTrail([], SHOP)
  trail = extendTrail(trail, SHOP)
  expect(trail).toEqual([SHOP])
  for (let step = 0; step < 80; step++)
    trail = extendTrail(trail, { latitude: 51 + step / 1000, longitude: 0 })
  expect(trail).toHaveLength(50)
  expect(trail.at(-1)).toEqual({ latitude: 51.079, longitude: 0 })
})

test('the smallest vehicle that can carry it is sent', () => {
  expect(vehiclesFor('small', 300)).toEqual(['bicycle', 'motorbike', 'car', 'van'])
  expect(vehiclesFor('small', 12_000)).toEqual(['motorbike', 'car', 'van'])
  expect(vehiclesFor('medium', 0)).toEqual(['motorbike', 'car', 'van'])
  expect(vehiclesFor('medium', 16_000)).toEqual(['car', 'van'])
  expect(vehiclesFor('large', 25_000)).toEqual(['car', 'van'])
  expect(vehiclesFor('xl', 0)).toEqual(['van'])
})
