import { describe, expect, test } from 'vitest'
import { COUNTRY_PATTERN } from '../../src/core/address.ts'
import { normalizeInput } from '../../src/gateway/normalize-input.ts'
import { makeParcel } from '../support/parcel.ts'
import { openTestSandbox } from '../support/world.ts'

const OFFICE = { line1: '12 Finsbury Square', city: 'London', postal_code: 'EC2A 1AN' }
const recipient = {
  contact: { name: 'Grace Okoro' },
  address: { line1: '12 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' },
}
const BOX = { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 }

test.each(['UK', 'gbr', 'Gb', 'United Kingdom', 'Great Britain', 'england'])(
  '%s means GB in every field for a country',
  async (typed) => {
    const world = await openTestSandbox()
    const covered = await world.ok('check_coverage', { postal_code: 'SW1A 1AA', country_code: typed })
    expect(covered).toMatchObject({ deliverable: true, country_code: 'GB' })

    const rates = await world.ok('quote_rates', { to_postal_code: 'RG1 1AA', to_country_code: typed, ...BOX })
    expect(rates.data.length).toBeGreaterThan(0)
    const hubs = await world.ok('list_hubs', { postal_code: 'EC3M 7AW', country_code: typed })
    expect(hubs.data.length).toBeGreaterThan(0)

    const stop = { address: { ...OFFICE, country_code: typed } }
    const quote = await world.ok('quote_ride', {
      pickup: { location: { latitude: 51.5308, longitude: -0.1238 } },
      dropoff: { location: { latitude: 51.5033, longitude: -0.1147 } },
      stops: [stop],
    })
    expect(quote.stops[0]?.address?.country_code).toBe('GB')
  },
)

test('a parcel of a manifest is the same however its country is written', async () => {
  const world = await openTestSandbox()
  const [asUk, asGb] = ['UK', 'GB'].map((country_code) => makeParcel({ reference: 'A-1' }, { country_code }))
  const first = await world.ok('create_shipments_batch', { shipments: [asUk] })
  expect(first.counts).toMatchObject({ created: 1 })
  const number = first.results[0]?.tracking_number
  expect(await world.ok('create_shipments_batch', { shipments: [asGb] })).toMatchObject({
    counts: { duplicate: 1 },
    results: [{ tracking_number: number }],
  })
  const shipment = await world.ok('get_shipment', { tracking_number: number })
  expect(shipment.recipient.address.country_code).toBe('GB')
})

test('what a caller typed stays as it was, so that the same call again is the same call', async () => {
  const world = await openTestSandbox()
  const typed = makeParcel({ reference: 'A-1' }, { country_code: 'United Kingdom' })
  const before = structuredClone(typed)
  const first = await world.call('create_shipment', typed, { key: 'one' })
  expect(typed).toEqual(before)
  expect(await world.call('create_shipment', before, { key: 'one' })).toMatchObject({ text: first.text })
})

test.each([
  ['DEU', 'DE'],
  ['de', 'DE'],
  ['ukr', 'UA'],
  ['Germany', 'DE'],
  ['Côte d’Ivoire', 'CI'],
  ['The Netherlands', 'NL'],
])('%s means %s', async (typed, code) => {
  const world = await openTestSandbox()
  const found = await world.ok('check_coverage', { postal_code: '10115', country_code: typed })
  expect(found).toMatchObject({ country_code: code, reason_code: 'not_served' })
})

test.each(['iso', 'QQ', 'Atlantis'])('%s is refused, because no country is called so', async (typed) => {
  const world = await openTestSandbox()
  const { errors } = await world.refused('check_coverage', { postal_code: '10115', country_code: typed })
  const detail = `country_code must be a country such as GB, GBR or United Kingdom; ${typed} is not a country`
  expect(errors).toEqual([{ parameter: 'country_code', code: 'invalid_format', detail }])
})

test('a row of a manifest with a country that does not exist is rejected alone, by its place', async () => {
  const world = await openTestSandbox()
  const good = makeParcel({ reference: 'A-1' })
  const bad = makeParcel({ reference: 'A-2' }, { country_code: 'QQQ' })
  const { counts, results } = await world.ok('create_shipments_batch', { shipments: [good, bad] })
  expect(counts).toMatchObject({ created: 1, rejected: 1 })
  expect(results[1]?.reason?.errors?.[0]?.pointer).toBe('/recipient/address/country_code')
})

describe('characters that show nothing', () => {
  test('make no other reference, in any row and on any way, and no other content', async () => {
    const world = await openTestSandbox()
    const plain = makeParcel({
      reference: 'INV-1',
      recipient: {
        ...recipient,
        contact: { name: 'Grace Okoro', email: 'grace@example.com', phone: '+447700900123' },
      },
    })
    const first = await world.ok('create_shipment', plain)
    const unseen = makeParcel({
      reference: '\ufeffINV\u20111\u200b',
      recipient: {
        address: { ...recipient.address, postal_code: '\u202aRG1\u00a01DB\u202c', country_code: 'GB\u200b' },
        contact: { name: 'Grace Okoro', email: 'grace@\u00adexample.com ', phone: '\u200e+447700900123' },
      },
    })
    const again = await world.ok('create_shipments_batch', {
      shipments: [unseen],
      manifest_reference: 'M-\u200b1',
    })
    expect(again).toMatchObject({
      manifest_reference: 'M-1',
      results: [{ result: 'duplicate', reference: 'INV-1', tracking_number: first.tracking_number }],
    })
    expect(await world.refused('create_shipment', unseen)).toMatchObject({ code: 'duplicate_reference' })
    const { data } = await world.ok('list_shipments', { reference: 'INV-1\u2060' })
    expect(data.map(({ tracking_number }) => tracking_number)).toEqual([first.tracking_number])
    const found = await world.ok('get_shipment', { tracking_number: `\u200b${first.tracking_number}` })
    expect(found.reference).toBe('INV-1')
  })

  test('are no reference of their own', async () => {
    const world = await openTestSandbox()
    const { errors } = await world.refused('create_shipment', makeParcel({ reference: '\u200b\u00ad' }))
    expect(errors?.[0]).toEqual({
      pointer: '/reference',
      code: 'required',
      detail: 'reference must not be empty',
    })
  })

  test('stay in names, which they may spell', async () => {
    const world = await openTestSandbox()
    const name = 'می\u200cخواهم 👩\u200d🍳 Re\u00adné'
    const parcel = makeParcel({ recipient: { ...recipient, contact: { name } } })
    expect((await world.ok('create_shipment', parcel)).recipient.contact.name).toBe(name)
  })

  test('are part of what a call sends: the same key with and without them is not the same call', async () => {
    const world = await openTestSandbox()
    const typed = makeParcel({ reference: 'INV-1\u200b' })
    const first = await world.call('create_shipment', typed, { key: 'one' })
    expect(await world.call('create_shipment', typed, { key: 'one' })).toMatchObject({ text: first.text })
    const other = await world.call('create_shipment', makeParcel({ reference: 'INV-1' }), { key: 'one' })
    expect(other.body).toMatchObject({ code: 'idempotency_key_reused' })
  })

  test('make no other item of a menu', async () => {
    const world = await openTestSandbox()
    const item = { name: 'Pie', category: 'Bakery', price: { amount: 650, currency: 'GBP' } }
    const codes = {
      external_ref: 'P\u20111',
      sku: 'S\u200b1',
      barcode: '5012345678900\u200e',
      supplier_id: 'F\ufeff',
    }
    const made = await world.ok('create_catalog_item', { ...item, ...codes }, { as: 'owner' })
    expect(made).toMatchObject({ external_ref: 'P-1', sku: 'S1', barcode: '5012345678900', supplier_id: 'F' })
    const rows = [{ ...item, name: 'Soup', external_ref: 'P-1\u2060' }]
    const { results } = await world.ok('import_catalog_items', { items: rows }, { as: 'owner' })
    expect(results).toMatchObject([{ result: 'duplicate', item_id: made.item_id }])
    expect(
      await world.refused(
        'create_catalog_item',
        { ...item, name: 'Tart', external_ref: ' P-1' },
        { as: 'owner' },
      ),
    ).toMatchObject({ code: 'duplicate_item' })
  })
})

describe('an input', () => {
  const country = { pattern: COUNTRY_PATTERN }
  const code = { form: 'code' }
  const schema = {
    properties: {
      country,
      code,
      name: {},
      place: { properties: { country } },
      codes: { items: code },
      open: {},
    },
  }

  test('that is written as it is read stays the same', async () => {
    const given = {
      country: 'GB',
      code: 'A-1',
      name: '\u200bA',
      codes: ['A', 'B'],
      place: { country: 'GB' },
      open: [1],
    }
    expect((await normalizeInput(schema, given)).input).toBe(given)
  })

  test('is tidied in a copy, at each place', async () => {
    const given = { name: '\u200bA', codes: ['A', 'B\u200b'], place: { country: 'uk', more: 'uk' } }
    const before = structuredClone(given)
    expect(await normalizeInput(schema, given)).toEqual({
      input: { name: '\u200bA', codes: ['A', 'B'], place: { country: 'GB', more: 'uk' } },
      errors: [],
    })
    expect(given).toEqual(before)
  })

  test('of another shape is left to the validator', async () => {
    const given = {
      country: 7,
      code: null,
      codes: { 0: 'A\u200b' },
      place: ['uk'],
      open: ['uk'],
      name: { country: 'uk' },
    }
    expect(await normalizeInput(schema, given)).toEqual({ input: given, errors: [] })
    const nothing = { place: null, codes: null }
    expect((await normalizeInput(schema, nothing)).input).toBe(nothing)
    // No country has so short a name, or one with digits.
    for (const text of ['g', '44']) {
      const odd = { country: text }
      expect(await normalizeInput(schema, odd)).toEqual({ input: odd, errors: [] })
    }
  })

  test('names a country that may be meant, and where', async () => {
    const { input, errors } = await normalizeInput(schema, { place: { country: 'Germny' }, code: 'A\u200b' })
    expect(input).toEqual({ place: { country: 'Germny' }, code: 'A' })
    expect(errors).toEqual([
      {
        pointer: '/place/country',
        code: 'invalid_format',
        detail:
          'country must be a country such as GB, GBR or United Kingdom; Germny is not a country; did you mean Germany?',
      },
    ])
  })
})
