import { describe, expect, test } from 'vitest'
import {
  computeKept,
  durationFault,
  findMovableUntil,
  priceService,
  type ServiceOffer,
} from '../../../src/areas/services/rules.ts'
import { computeIncludedTax } from '../../../src/core/money.ts'
import { gbp } from '../../support/money.ts'
import { fc } from '../../support/properties.ts'

const TRAVEL = { radius_m: 10_000, free_radius_m: 3000, per_km: gbp(90) }

const offer = (pricing: Partial<ServiceOffer['pricing']> = {}): ServiceOffer => ({
  service_code: 'fix_leak',
  name: 'Fix a leak',
  description: 'Taps',
  pricing: { model: 'hourly', price: gbp(6800), minimum_minutes: 60, callout_fee: gbp(4500), ...pricing },
  default_duration_minutes: 60,
  buffer_minutes: 30,
  slot_required: false,
})

const price = (minutes: number, distance_m: number, pricing: Partial<ServiceOffer['pricing']> = {}) => {
  const { lines, total } = priceService(offer(pricing), TRAVEL, { minutes, distance_m })
  return [...lines.map(({ type, amount }) => `${type} ${amount.amount}`), total.amount]
}

describe('a price', () => {
  test('is labour, call-out and travel', () => {
    expect(price(90, 5000)).toEqual(['labour 10200', 'callout 4500', 'travel 180', 14_880])
  })

  test('has no travel within the free radius, and none for a single metre beyond it', () => {
    expect(price(60, 3000)).toEqual(['labour 6800', 'callout 4500', 11_300])
    expect(price(60, 3005)).toEqual(['labour 6800', 'callout 4500', 11_300])
    expect(price(60, 3006)).toEqual(['labour 6800', 'callout 4500', 'travel 1', 11_301])
  })

  test('is the same however long a job of one price takes', () => {
    const fixed = { model: 'fixed', callout_fee: gbp(0) } as const
    expect(price(60, 0, fixed)).toEqual(['labour 6800', 6800])
    expect(price(300, 0, fixed)).toEqual(['labour 6800', 6800])
  })

  test('shows labour even when it costs nothing', () => {
    expect(price(60, 0, { price: gbp(0), callout_fee: gbp(0) })).toEqual(['labour 0', 0])
  })

  test('is whole pence, and the sum of its lines', () => {
    fc.assert(
      fc.property(
        fc.nat(99_999),
        fc.nat(9999),
        fc.integer({ min: 1, max: 32 }),
        fc.nat(20_000),
        (rate, callout, quarters, distance_m) => {
          const asked = offer({ price: gbp(rate), callout_fee: gbp(callout) })
          const { lines, total } = priceService(asked, TRAVEL, { minutes: quarters * 15, distance_m })
          const sum = lines.reduce((all, { amount }) => all + amount.amount, 0)
          expect(total.amount).toBe(sum)
          expect(lines.every(({ amount }) => Number.isSafeInteger(amount.amount) && amount.amount >= 0)).toBe(
            true,
          )
          const exact = (rate * quarters) / 4 + callout + (Math.max(0, distance_m - 3000) * 90) / 1000
          expect(Math.abs(total.amount - exact)).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})

describe('a duration', () => {
  test.each([
    [60, undefined],
    [75, undefined],
    [480, undefined],
    [45, 'it is sold from 60 to 480 minutes'],
    [70, 'it is sold in steps of 15 minutes'],
  ])('of %i minutes, sold by the hour', (minutes, fault) => {
    expect(durationFault(offer(), minutes)).toBe(fault)
  })

  test('of a job at one price is its own', () => {
    expect(durationFault(offer({ model: 'fixed' }), 60)).toBeUndefined()
    expect(durationFault(offer({ model: 'fixed' }), 90)).toBe('it has a fixed price and takes 60 minutes')
  })
})

test.each([
  [0, 0],
  [12_000, 2000],
  [9999, 1666],
  [1, 0],
  [3, 0],
  [99_999_999_999, 16_666_666_666],
])('of a total of %i a fifth on top is %i', (total, tax) => {
  expect(computeIncludedTax(gbp(total), 2000)).toEqual(gbp(tax))
})

describe('what is kept of a cancelled booking', () => {
  const START = Date.parse('2026-11-24T10:00:00.000Z')
  const HOUR = 3_600_000
  test.each([
    [4800, START - 24 * HOUR, 0],
    [4800, START - 24 * HOUR + 1, 2400],
    [4800, START - 23 * HOUR, 2400],
    [4801, START - 23 * HOUR, 2401],
    [4801, START - 1, 2401],
    [4801, START, 4801],
    [4801, START + HOUR, 4801],
    [1, START - 1, 1],
  ])('of %i at %i is %i: half of it goes back, rounded down', (total, at, kept) => {
    expect(computeKept(total, START, at)).toBe(kept)
  })

  test('is nothing before a start is confirmed', () => {
    expect(computeKept(4800, null, START)).toBe(0)
    expect(findMovableUntil(START)).toBe(START - 24 * HOUR)
  })
})
