import { beforeEach, describe, expect, test } from 'vitest'
import { makeParcel } from '../../support/parcel.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('a parcel gets its number, its label, its price and its first event', async () => {
    const world = await openTestSandbox({ engine })
    const { status, headers } = await world.call('create_shipment', makeParcel({ reference: 'A-1' }))
    expect(status).toBe(201)
    expect(headers['Location']).toBe('/v1/shipments/ZC968043370GB')
    const parcel = await world.ok('get_shipment', { tracking_number: 'ZC968043370GB' })
    expect(parcel).toMatchObject({
      tracking_number: 'ZC968043370GB',
      reference: 'A-1',
      status: 'pre_transit',
      status_detail: 'label_created',
      batch_id: null,
      options: { signature_required: false },
      label: {
        format: 'text',
        barcode: { symbology: 'code128', value: 'ZC968043370GB' },
        route_code: 'LON2-RG-B-ND',
      },
      estimated_delivery_date: '2026-11-21',
      attempts: 0,
      max_attempts: 3,
      proof_of_delivery: null,
      cancellation: null,
      created_at: '2026-11-20T09:00:00.000Z',
      collected_at: null,
      delivered_at: null,
    })
    expect(parcel.price.total).toEqual({ amount: 612, currency: 'GBP' })
    expect(parcel.sender.company).toBe('Morgan Trading')
    expect(parcel.scan_history.map(({ sequence, code, status: after }) => [sequence, code, after])).toEqual([
      [1, 'label_created', 'pre_transit'],
    ])
  })

  test('a rejected parcel leaves no rows', async () => {
    const world = await openTestSandbox({ engine })
    const counters = () => world.db.read((tx) => tx.all('select * from ordinals order by kind'))
    await world.ok('create_shipment', makeParcel({ reference: 'A-1' }))
    const before = await counters()
    await world.refused('create_shipment', makeParcel({ reference: 'A-1' }))
    expect(await counters()).toEqual(before)
    expect((await world.ok('list_shipments')).data).toHaveLength(1)
  })

  test('the same key gives the same parcel, another key another', async () => {
    const world = await openTestSandbox({ engine })
    const first = await world.call('create_shipment', makeParcel(), { key: 'k1' })
    const again = await world.call('create_shipment', makeParcel(), { key: 'k1' })
    expect(again.text).toBe(first.text)
    expect(again.headers['Idempotent-Replayed']).toBe('true')
    const other = await world.call('create_shipment', makeParcel(), { key: 'k2' })
    expect(other.body['tracking_number']).not.toBe(first.body['tracking_number'])
  })
})

describe('a parcel', () => {
  let world: TestSandbox

  beforeEach(async () => {
    world = await openTestSandbox()
  })

  test('is the same again in a store with the same seed, and another with another', async () => {
    const make = async (seed: string) =>
      (await (await openTestSandbox({ seed })).call('create_shipment', makeParcel())).text
    expect(await make('7')).toBe(await make('7'))
    expect(await make('7')).not.toBe(await make('8'))
  })

  test('keeps the address as written and the postcode in its usual form', async () => {
    const options = { signature_required: true, leave_safe_place: 'Porch', not_before_date: '2026-11-25' }
    const parcel = await world.ok(
      'create_shipment',
      makeParcel(
        { options, hub_id: 'lon1' },
        {
          postal_code: 'rg11db',
          line2: 'Flat 2',
          access_notes: 'Ring twice',
          location: { latitude: 51.45512345678, longitude: -0.9699999999 },
        },
      ),
    )
    expect(parcel.recipient.address).toEqual({
      line1: '12 Friar Street',
      line2: 'Flat 2',
      city: 'Reading',
      postal_code: 'RG1 1DB',
      country_code: 'GB',
      access_notes: 'Ring twice',
      location: { latitude: 51.455123, longitude: -0.97 },
    })
    expect(parcel.options).toEqual(options)
    expect(parcel.estimated_delivery_date).toBe('2026-11-25')
    expect(parcel.label.route_code).toMatch(/^LON1-/)
  })

  test('comes from the sender it names', async () => {
    const sender = {
      contact: { name: 'Mo' },
      address: { line1: '1 Church Street', city: 'Enfield', postal_code: 'EN2 6AX', country_code: 'GB' },
    }
    const parcel = await world.ok('create_shipment', makeParcel({ sender }))
    expect(parcel.sender).toEqual(sender)
    // The nearest hub to Enfield collects it.
    expect(parcel.label.route_code).toMatch(/^LON5-/)
  })

  test.each([
    ['a postcode that does not exist', { postal_code: 'QQ1 1AA', country_code: 'GB' }],
    [
      'another country',
      { postal_code: '75001', country_code: 'FR', location: { latitude: 48.8, longitude: 2.3 } },
    ],
  ])('cannot come from a sender in %s', async (_what, place) => {
    const address = { line1: '1 Rue', city: 'Paris', ...place }
    const problem = await world.refused(
      'create_shipment',
      makeParcel({ sender: { contact: { name: 'Mo' }, address } }),
    )
    expect(problem).toMatchObject({ status: 422, code: 'address_unresolvable' })
    expect(problem.errors[0]?.pointer).toBe('/sender/address/postal_code')
  })

  test('that is handed in after the cutoff is collected on the next day', async () => {
    await world.advanceTo('2026-11-20T17:00:00.000Z')
    const late = await world.ok('create_shipment', makeParcel())
    // Friday 17:00 is too late; the hub collects again on Monday.
    expect(late.estimated_delivery_date).toBe('2026-11-24')
  })

  test('may use a reference again once the first is cancelled', async () => {
    const first = await world.ok('create_shipment', makeParcel({ reference: 'A-1' }))
    const problem = await world.refused('create_shipment', makeParcel({ reference: 'A-1' }))
    expect(problem).toMatchObject({
      status: 409,
      code: 'duplicate_reference',
      existing_tracking_number: first.tracking_number,
    })
    await world.ok('cancel_shipment', { tracking_number: first.tracking_number })
    await world.ok('create_shipment', makeParcel({ reference: 'A-1' }))
  })

  test('may have a reference that another agreement uses', async () => {
    const body = makeParcel({ reference: 'A-1' })
    const one = await world.ok('create_shipment', body, { as: 'shipper' })
    const other = await world.ok('create_shipment', body, { as: 'shipper2' })
    expect(other.tracking_number).not.toBe(one.tracking_number)
  })

  test.each([
    ['a PO box', {}, { line1: 'PO Box 12' }, 'destination_not_covered', '/recipient/address/line1'],
    [
      'a PO box on the second line',
      {},
      { line2: 'P.O. Box 9' },
      'destination_not_covered',
      '/recipient/address/line2',
    ],
    [
      'a country that is not served',
      {},
      { country_code: 'FR', postal_code: '75001' },
      'destination_not_covered',
      '/recipient/address/country_code',
    ],
    [
      'an embargoed country',
      {},
      { country_code: 'KP' },
      'destination_not_covered',
      '/recipient/address/country_code',
    ],
    [
      'a postcode that does not exist',
      {},
      { postal_code: 'QQ1 1AA' },
      'address_unresolvable',
      '/recipient/address/postal_code',
    ],
    [
      'a point in the sea',
      {},
      { location: { latitude: 50.5, longitude: -0.5 } },
      'address_unresolvable',
      '/recipient/address/location',
    ],
    ['half a postcode', {}, { postal_code: 'RG1' }, 'address_unresolvable', '/recipient/address/postal_code'],
    [
      'a level that does not go there',
      { service_level: 'same_day' },
      { postal_code: 'EH1 1AA' },
      'service_level_not_available',
      '/service_level',
    ],
    [
      'a level that the depot does not offer',
      { service_level: 'same_day', hub_id: 'LON5' },
      {},
      'service_level_not_available',
      '/service_level',
    ],
    [
      'a parcel that is too heavy',
      { parcel: { weight_grams: 30_001, length_mm: 1, width_mm: 1, height_mm: 1 } },
      {},
      'parcel_limits_exceeded',
      '/parcel/weight_grams',
    ],
    [
      'a parcel that is too large around',
      { parcel: { weight_grams: 1, length_mm: 1200, width_mm: 500, height_mm: 401 } },
      {},
      'parcel_limits_exceeded',
      '/parcel/length_mm',
    ],
    [
      'a declared value in another currency',
      {
        parcel: {
          weight_grams: 100,
          length_mm: 100,
          width_mm: 100,
          height_mm: 20,
          declared_value: { amount: 1, currency: 'EUR' },
        },
      },
      {},
      'currency_mismatch',
      '/parcel/declared_value/currency',
    ],
    [
      'a cash amount in another currency',
      { options: { cash_on_delivery: { amount: 1, currency: 'EUR' } } },
      {},
      'currency_mismatch',
      '/options/cash_on_delivery/currency',
    ],
  ])('to %s is refused, naming the field', async (_what, differences, to, code, pointer) => {
    const problem = await world.refused('create_shipment', makeParcel(differences, to))
    expect(problem).toMatchObject({ status: 422, code })
    expect(problem.errors[0]?.pointer).toBe(pointer)
    expect((await world.ok('list_shipments')).data).toEqual([])
  })

  test.each([
    ['line1', '{{address.line1}}', 'a program did not fill in this placeholder'],
    ['line2', 'Flat 3<br/>Peckham', 'it has tags of HTML'],
    ['city', '{"name":"London"}', 'it is JSON, and not a text'],
  ])('whose %s is %s is refused, alone as in a manifest', async (member, text, detail) => {
    const { status, code, errors } = await world.refused(
      'create_shipment',
      makeParcel({}, { [member]: text }),
    )
    expect([status, code]).toEqual([400, 'invalid_request'])
    expect(errors).toMatchObject([
      { pointer: `/recipient/address/${member}`, detail: expect.stringContaining(detail) },
    ])
    const { tracking_number } = await world.ok('create_shipment', makeParcel())
    const { recipient } = makeParcel({}, { [member]: text })
    const correction = await world.refused('correct_recipient', { tracking_number, recipient })
    expect(correction.errors[0]?.pointer).toBe(`/recipient/address/${member}`)
  })

  test('waits for a year at most: a later day is a year that was mistyped', async () => {
    const until = (not_before_date: string) => makeParcel({ options: { not_before_date } })
    expect((await world.ok('create_shipment', until('2027-11-21'))).options.not_before_date).toBe(
      '2027-11-21',
    )
    for (const day of ['2027-11-22', '2062-12-01']) {
      const { status, errors } = await world.refused('create_shipment', until(day))
      expect([status, errors[0]]).toMatchObject([
        400,
        {
          pointer: '/options/not_before_date',
          detail: 'not_before_date must be within a year, by 2027-11-21',
        },
      ])
    }
  })

  test('is rejected if a program did not fill in its sender', async () => {
    const sender = { ...(makeParcel()['recipient'] as object), company: '%company%' }
    const { errors } = await world.refused('create_shipment', makeParcel({ sender }))
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/sender/company'])
  })

  test('gets the possible levels when its own is rejected', async () => {
    const problem = await world.refused(
      'create_shipment',
      makeParcel({ service_level: 'same_day' }, { postal_code: 'EH1 1AA' }),
    )
    expect(problem['alternatives']).toEqual(['next_day', 'two_day', 'economy'])
  })

  test('that is wrong in several places hears of all of them at once', async () => {
    const problem = await world.refused('create_shipment', {
      service_level: 'tomorrow',
      recipient: {
        contact: { name: ' ', phone: '020 7946 0123' },
        address: { city: 'Reading', country_code: 'U1' },
      },
      parcel: { weight_grams: 0, length_mm: 1.5, width_mm: '20', height_mm: 10 },
      price: 1,
    })
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' })
    const found = problem.errors.map(({ pointer, code }) => `${pointer} ${code}`).toSorted()
    expect(found).toEqual([
      '/parcel/length_mm wrong_type',
      '/parcel/weight_grams out_of_range',
      '/parcel/width_mm wrong_type',
      '/price unknown_member',
      '/recipient/address/country_code invalid_format',
      '/recipient/address/line1 required',
      '/recipient/address/postal_code required',
      '/recipient/contact/name invalid_format',
      '/recipient/contact/phone invalid_format',
      '/service_level invalid_enum',
    ])
  })

  test.each([
    'attempt_fails;reason=bad',
    'attempt_fails;times=4',
    'attempt_fails;times=0',
    'lost;times=1',
    'explodes',
    'delayed;hours=721',
  ])('with the scenario %s is refused', async (scenario) => {
    const problem = await world.refused('create_shipment', makeParcel(), { scenario })
    expect(problem).toMatchObject({ status: 400, code: 'scenario_not_allowed' })
  })
})
