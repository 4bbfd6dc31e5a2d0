import { expect } from 'vitest'
import type {
  Coverage,
  Events,
  PrintedFailure,
  HubList,
  ShippingRates,
  Shipment,
  Shipments,
} from '../support/answers.ts'
import { createCommand, makeManifestCsv } from '../support/clerk.ts'
import { acceptanceTest } from '../support/story.ts'

const RATES =
  'carrier rates --to-postal-code "RG1 1AA" --to-country GB --weight 1.4kg --length 30cm --width 20cm --height 10cm'

acceptanceTest('a shipper asks where parcels go', async (told) => {
  const served = (
    await told.dray('carrier coverage --postal-code "sw1a1aa" --country GB --json')
  ).json<Coverage>()
  expect(served).toMatchObject({ deliverable: true, postal_code: 'SW1A 1AA', zone: 'A', reason_code: null })
  expect(served.service_levels.map(({ code }) => code)).toEqual([
    'same_day',
    'next_day',
    'two_day',
    'economy',
  ])
  expect(served.service_levels[0]?.estimated_delivery_date).toBe('2026-11-20')

  const point = (await told.dray('carrier coverage --point 51.5014,-0.1406 --json')).json<Coverage>()
  expect(point).toMatchObject({ deliverable: true, zone: 'A', country_code: 'GB' })
  const island = (
    await told.dray('carrier coverage --postal-code "KW15 1LE" --country GB --json')
  ).json<Coverage>()
  expect(island).toMatchObject({ deliverable: true, zone: 'D' })
  expect(island.restrictions).toEqual(expect.arrayContaining(['no_saturday', 'islands_surcharge']))
  const nowhere = (
    await told.dray('carrier coverage --postal-code 10115 --country DE --json')
  ).json<Coverage>()
  expect(nowhere).toMatchObject({ deliverable: false, reason_code: 'not_served', service_levels: [] })

  const both = await told.dray(
    'carrier coverage --postal-code "SW1A 1AA" --country GB --point 51.5,-0.1 --json',
    { exit: 6 },
  )
  expect(both.json<PrintedFailure>().errors[0]?.code).toBe('mutually_exclusive')
  expect(
    (await told.dray('carrier coverage --json', { exit: 6 })).json<PrintedFailure>().errors[0]?.code,
  ).toBe('required')
})

acceptanceTest('a shipper compares rates; the price of the manual comes out', async (told) => {
  const rates = (await told.dray(`${RATES} --json`)).json<ShippingRates>().data
  expect(rates.map(({ service_level, price }) => [service_level, price.total.amount])).toEqual([
    ['economy', 389],
    ['two_day', 492],
    ['next_day', 612],
    ['same_day', 934],
  ])
  expect(rates[0]?.attributes).toContain('cheapest')
  expect(rates.find(({ service_level }) => service_level === 'next_day')?.price).toMatchObject({
    subtotal: { amount: 472 },
    surcharges: [{ type: 'fuel', amount: { amount: 38 } }],
    tax: { rate_bps: 2000, amount: { amount: 102 } },
  })
  const one = (
    await told.dray(`${RATES} --service next_day --declared-value 100.00 --json`)
  ).json<ShippingRates>().data
  expect(one).toHaveLength(1)
  expect(one[0]?.price.surcharges).toContainEqual({
    type: 'insurance',
    amount: { amount: 100, currency: 'GBP' },
  })

  expect((await told.dray(`${RATES} --from-hub NOPE --json`, { exit: 5 })).json<PrintedFailure>().code).toBe(
    'hub_not_found',
  )
  const heavy = await told.dray(`${RATES.replace('1.4kg', '31kg')} --json`, { exit: 6 })
  expect(heavy.json<PrintedFailure>().code).toBe('parcel_limits_exceeded')
  const far = await told.dray(`${RATES.replace('RG1 1AA', '75001').replace('GB', 'FR')} --json`, { exit: 6 })
  expect(far.json<PrintedFailure>().code).toBe('destination_not_covered')
})

acceptanceTest('a shipper sees the depots of the agreement, nearest first to a postcode', async (told) => {
  const all = (await told.dray('carrier hubs --json')).json<HubList>().data
  expect(all.map(({ code }) => code)).toEqual(['LON1', 'LON2', 'LON3', 'LON4', 'LON5'])
  const near = (await told.dray('carrier hubs --postal-code "CR0 4XB" --country GB --json')).json<HubList>()
    .data
  expect(near[0]?.code).toBe('LON4')
  const other = (await told.dray('carrier hubs --as shipper2 --json')).json<HubList>().data
  expect(other.map(({ code }) => code)).toEqual(['LON1', 'LON4'])
})

acceptanceTest('a shipper sends one parcel, and the price is the one that was quoted', async (told) => {
  const made = (await told.dray(createCommand('A-1001', '--json'))).json<Shipment>()
  expect(made).toMatchObject({
    tracking_number: 'ZC968043370GB',
    reference: 'A-1001',
    status: 'pre_transit',
    price: { total: { amount: 612, currency: 'GBP' } },
    label: { barcode: { symbology: 'code128', value: 'ZC968043370GB' } },
    attempts: 0,
    proof_of_delivery: null,
  })
  const shown = (await told.dray('carrier show ZC968043370GB --json')).json<Shipment>()
  expect(shown).toEqual(made)
  expect((await told.dray('carrier show "zc 9680 4337 0 gb" --json')).json<Shipment>()).toEqual(made)
  const people = await told.dray('carrier show ZC968043370GB')
  expect(people.stdout).toMatch(/price\.total\t6\.12 GBP|£6\.12/)

  const taken = await told.dray(createCommand('A-1001', '--json'), { exit: 7 })
  expect(taken.json<PrintedFailure>()).toMatchObject({
    code: 'duplicate_reference',
    existing_tracking_number: 'ZC968043370GB',
  })
  // a reference is free again once its parcel is cancelled
  await told.dray('carrier cancel ZC968043370GB --confirm ZC968043370GB --json')
  expect((await told.dray(createCommand('A-1001', '--json'))).json<Shipment>().tracking_number).not.toBe(
    'ZC968043370GB',
  )
})

acceptanceTest(
  'a wrong digit is told from a parcel that does not exist, and from that of somebody else',
  async (told) => {
    await told.dray(createCommand('A-1', '--json'))
    const typo = await told.dray('carrier show ZC968043371GB --json', { exit: 6 })
    expect(typo.json<PrintedFailure>().code).toBe('invalid_tracking_number')
    const unknown = await told.dray('carrier show ZC473124829GB --as shipper --json', { exit: 5 })
    const foreign = await told.dray('carrier show ZC968043370GB --as shipper --json', { exit: 5 })
    expect(foreign.json<PrintedFailure>().code).toBe('shipment_not_found')
    const { title, hint } = unknown.json<PrintedFailure>()
    expect(foreign.json<PrintedFailure>()).toMatchObject({ title, hint })
    expect(foreign.json<PrintedFailure>().detail.replace('ZC968043370GB', 'ZC473124829GB')).toBe(
      unknown.json<PrintedFailure>().detail,
    )
  },
)

acceptanceTest('a clerk finds parcels by state, reference, batch and day, page by page', async (told) => {
  told.write('one.csv', makeManifestCsv(30, 'ONE-'))
  await told.dray('carrier upload one.csv --yes --json')
  await told.advance('1d')
  told.write('two.csv', makeManifestCsv(7, 'TWO-'))
  const upload = (await told.dray('carrier upload two.csv --yes --json')).json<{ batch_ids: string[] }>()
  const references = (page: Shipments) => page.data.map(({ reference }) => reference)
  const list = async (flags: string): Promise<Shipments> =>
    (await told.dray(`carrier list ${flags} --json`)).json<Shipments>()

  const first = await list('--limit 10')
  expect(references(first)).toEqual(
    [7, 6, 5, 4, 3, 2, 1].map((n) => `TWO-000${n}`).concat(['ONE-0030', 'ONE-0029', 'ONE-0028']),
  )
  expect(first.has_more).toBe(true)
  const second = await list(`--limit 10 --cursor ${first.next_cursor}`)
  expect(references(second)[0]).toBe('ONE-0027')
  expect((await list('--all')).data).toHaveLength(37)
  expect((await list('')).data).toHaveLength(25)
  const search = 'carrier find recipient --limit 2 --json'
  expect((await told.dray(search)).json<Shipments>()).toMatchObject({ data: [{}, {}], has_more: true })
  const none = await told.dray('carrier find recipient nobody')
  expect(none.stderr).toContain(
    'No parcel has all these words. Searched: recipient’s name, company, street, town',
  )

  expect(references(await list(`--batch ${upload.batch_ids[0]} --limit 100`))).toHaveLength(7)
  expect(references(await list('--reference ONE-0004'))).toEqual(['ONE-0004'])
  expect(references(await list('--created-from 2026-11-21 --limit 100'))).toHaveLength(7)
  expect(references(await list('--created-to 2026-11-21 --limit 100'))).toHaveLength(30)
  expect(references(await list('--created-from yesterday --created-to today --limit 100'))).toHaveLength(30)
  // the first day's parcels were collected in the evening
  expect(references(await list('--status in_transit --limit 100'))).toHaveLength(30)
  expect(references(await list('--status pre_transit,cancelled --limit 100'))).toHaveLength(7)

  const other = await told.dray(`carrier list --status pre_transit --cursor ${first.next_cursor} --json`, {
    exit: 6,
  })
  expect(other.json<PrintedFailure>().code).toBe('invalid_cursor')
  const broken = await told.dray('carrier list --cursor abc --json', { exit: 6 })
  expect(broken.json<PrintedFailure>().code).toBe('invalid_cursor')
  expect((await list('--as shipper')).data).toEqual([])
})

acceptanceTest('a clerk reads what happened to a parcel, oldest first, page by page', async (told) => {
  await told.dray(createCommand('A-1', '--json'))
  await told.advance('4d')
  const all = (await told.dray('carrier events ZC968043370GB --json')).json<Events>()
  expect(all.data.map(({ sequence }) => sequence)).toEqual(all.data.map((_, index) => index + 1))
  expect(all.data[0]).toMatchObject({ code: 'label_created', status: 'pre_transit' })
  expect(all.data.at(-1)).toMatchObject({ code: 'delivered', status: 'delivered' })
  const page = (await told.dray('carrier events ZC968043370GB --limit 3 --json')).json<Events>()
  const rest = (
    await told.dray(`carrier events ZC968043370GB --limit 100 --cursor ${page.next_cursor} --json`)
  ).json<Events>()
  expect([...page.data, ...rest.data]).toEqual(all.data)
  const shown = (await told.dray('carrier show ZC968043370GB --json')).json<Shipment>()
  expect(shown.scan_history).toEqual(all.data)
})
