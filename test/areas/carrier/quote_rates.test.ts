import { beforeAll, describe, expect, test } from 'vitest'
import { fc } from '../../support/properties.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

let world: TestSandbox

beforeAll(async () => {
  world = await openTestSandbox()
})

const READING = { to_postal_code: 'RG1 1DB', to_country_code: 'GB' }
const SMALL = { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 }

test('prices every level of the contracted card, cheapest first', async () => {
  const { data, has_more, next_cursor } = await world.ok('quote_rates', { ...READING, ...SMALL })
  expect(data.map(({ service_level, price }) => [service_level, price.total.amount])).toEqual([
    ['economy', 389],
    ['two_day', 492],
    ['next_day', 612],
    ['same_day', 934],
  ])
  expect(data.map(({ attributes }) => attributes)).toEqual([['cheapest'], [], [], ['fastest']])
  expect({ has_more, next_cursor }).toEqual({ has_more: false, next_cursor: null })
})

test('shows how the price of the manual’s example comes about', async () => {
  const { data } = await world.ok('quote_rates', { ...READING, ...SMALL, service_level: 'next_day' })
  expect(data).toEqual([
    {
      service_level: 'next_day',
      name: 'Next day',
      price: {
        subtotal: { amount: 472, currency: 'GBP' },
        surcharges: [{ type: 'fuel', amount: { amount: 38, currency: 'GBP' } }],
        surcharges_total: { amount: 38, currency: 'GBP' },
        tax: { rate_bps: 2000, amount: { amount: 102, currency: 'GBP' } },
        total: { amount: 612, currency: 'GBP' },
      },
      zone: 'B',
      chargeable_weight_grams: 1400,
      estimated_delivery_date: '2026-11-21',
      transit_days: 1,
      attributes: ['cheapest', 'fastest'],
      rate_card_id: 'reference',
      rate_card_version: 1,
    },
  ])
})

test('a large light box is charged by its volume', async () => {
  const box = { weight_grams: 500, length_mm: 400, width_mm: 300, height_mm: 300 }
  const { data } = await world.ok('quote_rates', { ...READING, ...box })
  expect(data[0]?.chargeable_weight_grams).toBe(7200)
})

test('insurance, islands and size each add their surcharge', async () => {
  const { data } = await world.ok('quote_rates', {
    to_postal_code: 'HS1 2AB',
    to_country_code: 'GB',
    weight_grams: 1000,
    length_mm: 1100,
    width_mm: 100,
    height_mm: 20,
    declared_value_amount: 10_000,
    declared_value_currency: 'GBP',
    service_level: 'economy',
  })
  const [rate] = data
  const amounts = rate?.price.surcharges.map(({ type, amount }) => [type, amount.amount])
  expect(amounts).toEqual([
    ['fuel', 36],
    ['remote_area', 350],
    ['oversize', 400],
    ['insurance', 100],
  ])
  expect(rate?.price.total.amount).toBe(Math.round((450 + 886) * 1.2))
})

test('a level that the depot or the zone does not offer is omitted', async () => {
  const fromCroydon = await world.ok('quote_rates', { ...READING, ...SMALL, from_hub_id: 'lon4' })
  expect(fromCroydon.data.map(({ service_level }) => service_level)).toEqual([
    'economy',
    'two_day',
    'next_day',
  ])
  const toEdinburgh = await world.ok('quote_rates', {
    ...SMALL,
    to_postal_code: 'EH1 1AA',
    to_country_code: 'GB',
    service_level: 'same_day',
  })
  expect(toEdinburgh.data).toEqual([])
})

test('creates nothing', async () => {
  const before = await world.db.read((tx) => tx.all('select seq from world'))
  await world.ok('quote_rates', { ...READING, ...SMALL })
  expect(await world.db.read((tx) => tx.all('select seq from world'))).toEqual(before)
})

describe('refuses', () => {
  test.each([
    ['a country that is not served', { to_country_code: 'FR' }, 'destination_not_covered', 'to_country_code'],
    [
      'a postcode that does not exist',
      { to_postal_code: 'QQ1 1AA' },
      'destination_not_covered',
      'to_postal_code',
    ],
    ['a parcel that is too heavy', { weight_grams: 30_001 }, 'parcel_limits_exceeded', 'weight_grams'],
    ['a parcel that is too long', { height_mm: 1201 }, 'parcel_limits_exceeded', 'height_mm'],
    [
      'a value in another currency',
      { declared_value_amount: 100, declared_value_currency: 'EUR' },
      'currency_mismatch',
      'declared_value_currency',
    ],
  ])('%s', async (_what, query, code, parameter) => {
    const problem = await world.refused('quote_rates', { ...READING, ...SMALL, ...query })
    expect(problem).toMatchObject({ status: 422, code })
    expect(problem.errors[0]?.parameter).toBe(parameter)
  })

  test('a closed depot, and an unknown one', async () => {
    for (const from_hub_id of ['LON6', 'LON9', 'hub_00000000000000000000000000']) {
      const problem = await world.refused('quote_rates', { ...READING, ...SMALL, from_hub_id })
      expect(problem).toMatchObject({
        status: 404,
        code: 'hub_not_found',
        errors: [{ parameter: 'from_hub_id' }],
      })
    }
  })

  test('a depot of another agreement', async () => {
    const query = { ...READING, ...SMALL, from_hub_id: 'LON2' }
    await world.ok('quote_rates', query, { as: 'shipper' })
    expect(await world.refused('quote_rates', query, { as: 'shipper2' })).toMatchObject({
      code: 'hub_not_found',
    })
  })

  test('a currency without an amount', async () => {
    const problem = await world.refused('quote_rates', {
      ...READING,
      ...SMALL,
      declared_value_currency: 'GBP',
    })
    expect(problem.errors).toEqual([
      expect.objectContaining({ parameter: 'declared_value_amount', code: 'required' }),
    ])
  })
})

test('every rate equals the later price of the parcel, alone or in a manifest', async () => {
  const sides = fc.integer({ min: 1, max: 500 })
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        weight_grams: fc.integer({ min: 1, max: 30_000 }),
        length_mm: sides,
        width_mm: sides,
        height_mm: sides,
        postal_code: fc.constantFrom('EC1A 1BB', 'RG1 1DB', 'EH1 1AA', 'HS1 2AB', 'BT1 5GS', 'IV51 9EU'),
        service_level: fc.constantFrom('same_day', 'next_day', 'two_day', 'economy'),
        value: fc.option(fc.integer({ min: 0, max: 250_000 }), { nil: undefined }),
      }),
      async ({ postal_code, service_level, value, ...parcel }) => {
        run += 1
        const declared_value =
          value === undefined ? {} : { declared_value: { amount: value, currency: 'GBP' } }
        const recipient = {
          contact: { name: 'A' },
          address: { line1: '1 Street', city: 'Town', postal_code, country_code: 'GB' },
        }
        const body = { recipient, service_level, parcel: { ...parcel, ...declared_value } }
        const { data } = await world.ok('quote_rates', {
          to_postal_code: postal_code,
          to_country_code: 'GB',
          ...parcel,
          service_level,
          ...(value !== undefined && { declared_value_amount: value }),
        })
        const [rate] = data
        const { body: single } = await world.call('create_shipment', body)
        expect(single).toMatchObject(
          rate === undefined
            ? { code: 'service_level_not_available' }
            : { price: rate.price, estimated_delivery_date: rate.estimated_delivery_date },
        )
        const batch = await world.ok('create_shipments_batch', {
          shipments: [{ ...body, reference: `P${run}` }],
        })
        expect(batch.results[0]?.total).toEqual(rate?.price.total)
      },
    ),
    { numRuns: 40 },
  )
})

test('a country that is not served is named, with those that are', async () => {
  const world = await openTestSandbox()
  const { hint, errors } = await world.refused('quote_rates', {
    to_postal_code: '75001',
    to_country_code: 'FR',
    weight_grams: 500,
    length_mm: 300,
    width_mm: 200,
    height_mm: 100,
  })
  expect(hint).toBe(
    'The carrier does not deliver in France (FR). It delivers in United Kingdom (GB), Isle of Man (IM), Jersey (JE), and Guernsey (GG).',
  )
  expect(errors?.[0]?.parameter).toBe('to_country_code')
})
