import { describe, expect, test } from 'vitest'
import {
  chargeableWeight,
  computeDeliveryEstimate,
  findParcelLimitError,
  LIMITS,
  type PriceInputs,
  priceParcel,
  REFERENCE_CARD,
  SERVICE_LEVEL_CODES,
  SERVICE_LEVELS,
} from '../../../../src/areas/carrier/rules/rates.ts'
import { gbp } from '../../../support/money.ts'
import { fc } from '../../../support/properties.ts'

const parcel = (weight_grams: number, length_mm = 100, width_mm = 100, height_mm = 100) => ({
  weight_grams,
  length_mm,
  width_mm,
  height_mm,
})

const price = (inputs: Partial<PriceInputs>) =>
  priceParcel(REFERENCE_CARD, {
    service_level: 'next_day',
    zone: 'B',
    parcel: parcel(1400),
    island: false,
    ...inputs,
  })

describe('the price of a parcel', () => {
  test('is that of the worked example: next day, zone B, 1.4 kg', () => {
    expect(price({})).toEqual({
      subtotal: gbp(472),
      surcharges: [{ type: 'fuel', amount: gbp(38) }],
      surcharges_total: gbp(38),
      tax: { rate_bps: 2000, amount: gbp(102) },
      total: gbp(612),
    })
  })

  test.each([
    ['same_day', [650, 720, null, null], 90],
    ['next_day', [420, 472, 560, 690], 60],
    ['two_day', [340, 380, 450, 560], 45],
    ['economy', [270, 300, 360, 450], 35],
  ] as const)('%s follows the card in every zone', (service_level, firstByZone, further) => {
    for (const [index, zone] of (['A', 'B', 'C', 'D'] as const).entries()) {
      const first = firstByZone[index] ?? null
      const at = (grams: number) => price({ service_level, zone, parcel: parcel(grams) })?.subtotal.amount
      expect(at(1)).toBe(first ?? undefined)
      expect(at(2000)).toBe(first ?? undefined)
      expect(at(2001)).toBe(first === null ? undefined : first + further)
      expect(at(3000)).toBe(first === null ? undefined : first + further)
      expect(at(3001)).toBe(first === null ? undefined : first + 2 * further)
      expect(at(30_000)).toBe(first === null ? undefined : first + 28 * further)
    }
  })

  test('adds each surcharge where it applies', () => {
    const all = price({
      zone: 'D',
      parcel: parcel(5000, 1100, 100, 100),
      island: true,
      declared_value: gbp(12_345),
    })
    expect(all?.surcharges).toEqual([
      { type: 'fuel', amount: gbp(70) },
      { type: 'remote_area', amount: gbp(350) },
      { type: 'oversize', amount: gbp(400) },
      { type: 'insurance', amount: gbp(123) },
    ])
    expect(all?.total).toEqual(gbp(870 + 943 + 363))
  })

  test.each([
    [parcel(1, 1000, 100, 100), false],
    [parcel(1, 1001, 100, 100), true],
    [parcel(1, 100, 1001, 100), true],
    [parcel(1, 900, 400, 400), false],
    [parcel(1, 900, 401, 400), true],
  ])('%j is oversize: %s', (measured, oversize) => {
    const types = price({ parcel: measured })?.surcharges.map(({ type }) => type)
    expect(types?.includes('oversize')).toBe(oversize)
  })

  test('rejects a declared value in another currency', () => {
    expect(() => price({ declared_value: { amount: 100, currency: 'EUR' } })).toThrow(RangeError)
  })

  test('adds up, in whole minor units that are never negative', () => {
    const side = fc.integer({ min: 1, max: 1200 })
    fc.assert(
      fc.property(
        fc.record({
          service_level: fc.constantFrom(...SERVICE_LEVEL_CODES),
          zone: fc.constantFrom('A', 'B', 'C', 'D'),
          parcel: fc.record({
            weight_grams: fc.integer({ min: 1, max: 30_000 }),
            length_mm: side,
            width_mm: side,
            height_mm: side,
          }),
          island: fc.boolean(),
          declared_value: fc.option(fc.nat(99_999_999_999).map(gbp), { nil: undefined }),
        }),
        (inputs) => {
          const rate = priceParcel(REFERENCE_CARD, inputs)
          if (rate === undefined) return
          const surcharges = rate.surcharges.map(({ amount }) => amount.amount)
          const amounts = [rate.subtotal.amount, rate.tax.amount.amount, rate.total.amount, ...surcharges]
          expect(amounts.filter((amount) => !Number.isSafeInteger(amount) || amount < 0)).toEqual([])
          expect(surcharges.reduce((sum, amount) => sum + amount, 0)).toBe(rate.surcharges_total.amount)
          expect(rate.subtotal.amount + rate.surcharges_total.amount + rate.tax.amount.amount).toBe(
            rate.total.amount,
          )
        },
      ),
    )
  })
})

describe('the weight that is charged', () => {
  test.each([
    [parcel(1400), 1400],
    [parcel(100, 300, 200, 100), 1200],
    [parcel(1200, 300, 200, 100), 1200],
    [parcel(1, 101, 100, 100), 202],
    [parcel(1, 101, 101, 100), 205],
  ])('of %j is %d g', (measured, grams) => {
    expect(chargeableWeight(measured)).toBe(grams)
  })
})

describe('the limits', () => {
  test.each([
    parcel(LIMITS.weight_grams),
    parcel(1, 1200, 450, 450),
    parcel(1, 450, 450, 1200),
    parcel(1, 600, 600, 600),
  ])('%j is carried', (measured) => {
    expect(findParcelLimitError(measured)).toBeUndefined()
  })

  test.each([
    [parcel(30_001), 'weight_grams', '30001 g'],
    [parcel(1, 1201), 'length_mm', '1201 mm'],
    [parcel(1, 100, 1201), 'width_mm', '1201 mm'],
    [parcel(1, 100, 100, 1201), 'height_mm', '1201 mm'],
    [parcel(1, 1200, 451, 450), 'length_mm', '3002 mm'],
  ])('%j is not, because of %s', (measured, field, said) => {
    expect(findParcelLimitError(measured)).toEqual({ field, detail: expect.stringContaining(said) })
  })
})

describe('the delivery date', () => {
  const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const
  const hub = { timezone: 'Europe/London', collection: { days: weekdays, cutoff: '17:00' } }
  const level = (code: string) => {
    const found = SERVICE_LEVELS.find((each) => each.code === code)
    if (found === undefined) throw new Error(`no level ${code}`)
    return found
  }

  // 2026-11-20 is a Friday
  test.each([
    ['same_day', '2026-11-20T12:59:59Z', '2026-11-20', '2026-11-20'],
    ['same_day', '2026-11-20T13:00:00Z', '2026-11-23', '2026-11-23'],
    ['next_day', '2026-11-19T16:59:59Z', '2026-11-19', '2026-11-20'],
    ['next_day', '2026-11-19T17:00:00Z', '2026-11-20', '2026-11-21'],
    ['next_day', '2026-11-20T17:00:00Z', '2026-11-23', '2026-11-24'],
    ['two_day', '2026-11-20T09:00:00Z', '2026-11-20', '2026-11-24'],
    ['economy', '2026-11-20T09:00:00Z', '2026-11-20', '2026-11-27'],
    // summer time: 16:30 UTC is 17:30 at the hub
    ['next_day', '2026-06-16T16:30:00Z', '2026-06-17', '2026-06-18'],
  ])('of %s at %s: collected %s, delivered %s', (code, now, collected_on, estimated_delivery_date) => {
    const service = level(code)
    expect(computeDeliveryEstimate(service, hub, Date.parse(now))).toEqual({
      collected_on,
      estimated_delivery_date,
      transit_days: service.transit_days_max,
    })
  })

  test('keeps to the hub’s own cutoff and days', () => {
    const early = { ...hub, collection: { days: ['wed', 'sat'] as const, cutoff: '10:00' } }
    const now = Date.parse('2026-11-18T10:00:00Z')
    expect(computeDeliveryEstimate(level('next_day'), early, now - 1).collected_on).toBe('2026-11-18')
    expect(computeDeliveryEstimate(level('next_day'), early, now).collected_on).toBe('2026-11-21')
    // A parcel of the same-day service is not delivered on Saturdays.
    expect(computeDeliveryEstimate(level('same_day'), early, now)).toEqual({
      collected_on: '2026-11-25',
      estimated_delivery_date: '2026-11-25',
      transit_days: 0,
    })
  })

  test('needs a hub that collects at all', () => {
    const never = { ...hub, collection: { days: [], cutoff: '17:00' } }
    expect(() => computeDeliveryEstimate(level('next_day'), never, 0)).toThrow(RangeError)
  })
})
