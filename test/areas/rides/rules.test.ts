import { describe, expect, test } from 'vitest'
import {
  cancellationFee,
  noShowFee,
  PLAIN_BPS,
  priceRide,
  type Tariff,
} from '../../../src/areas/rides/rules.ts'
import { gbp } from '../../support/money.ts'
import { fc } from '../../support/properties.ts'

const ECONOMY: Tariff = { base_fare: 250, per_km: 110, per_minute: 18, minimum_fare: 500 }
const TERMS = { surge_bps: PLAIN_BPS, tax_bps: 2000, currency: 'GBP' }

describe('a fare', () => {
  test('of 8420 m and 1071 s is 14.97, of which 2.49 tax', () => {
    expect(priceRide(ECONOMY, { road_distance_m: 8420, driving_time_seconds: 1071 }, TERMS)).toEqual({
      fare: gbp(1497),
      tax_included: gbp(249),
      lines: [
        { type: 'base', amount: gbp(250) },
        { type: 'distance', amount: gbp(926) },
        { type: 'time', amount: gbp(321) },
      ],
    })
  })

  test('is multiplied by the surge, then topped up to the minimum', () => {
    const short = { road_distance_m: 100, driving_time_seconds: 72 }
    // 250 + 11 + 22 (21.6) = 283; times 1.2 = 340 (339.6)
    expect(priceRide(ECONOMY, short, { ...TERMS, surge_bps: 12_000 }).lines).toEqual([
      { type: 'base', amount: gbp(250) },
      { type: 'distance', amount: gbp(11) },
      { type: 'time', amount: gbp(22) },
      { type: 'surge', amount: gbp(57) },
      { type: 'minimum_topup', amount: gbp(160) },
    ])
  })

  test('rounds halves up, each component alone', () => {
    const { lines } = priceRide(ECONOMY, { road_distance_m: 50, driving_time_seconds: 5 }, TERMS)
    // 5.5 and 1.5
    expect(lines.slice(1, 3).map(({ amount }) => amount.amount)).toEqual([6, 2])
  })

  test('is the sum of its lines, at least the minimum, and never less with more of anything', () => {
    const trip = fc.record({
      road_distance_m: fc.integer({ min: 0, max: 200_000 }),
      driving_time_seconds: fc.integer({ min: 0, max: 40_000 }),
    })
    fc.assert(
      fc.property(trip, fc.integer({ min: 10_000, max: 18_000 }), (ridden, surge_bps) => {
        const price = priceRide(ECONOMY, ridden, { ...TERMS, surge_bps })
        expect(price.lines.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(price.fare.amount)
        expect(price.lines.every(({ amount }) => Number.isInteger(amount.amount) && amount.amount >= 0)).toBe(
          true,
        )
        expect(price.fare.amount).toBeGreaterThanOrEqual(500)
        const further = { ...ridden, road_distance_m: ridden.road_distance_m + 1000 }
        expect(priceRide(ECONOMY, further, { ...TERMS, surge_bps }).fare.amount).toBeGreaterThanOrEqual(
          price.fare.amount,
        )
      }),
    )
  })
})

describe('the fee of a cancellation', () => {
  test('is zero without a driver, and until 120 seconds after the driver accepted', () => {
    expect(cancellationFee(1497, null, 1_000_000)).toBe(0)
    expect(cancellationFee(1497, 1000, 121_000)).toBe(0)
    expect(cancellationFee(1497, 1000, 121_001)).toBe(500)
  })

  test('is never more than the fare', () => {
    expect(noShowFee(1497)).toBe(500)
    expect(noShowFee(320)).toBe(320)
    expect(cancellationFee(320, 0, 200_000)).toBe(320)
  })
})
