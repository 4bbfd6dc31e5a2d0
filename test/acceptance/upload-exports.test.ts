import { expect } from 'vitest'
import type { PrintedFailure, Shipments, CarrierUploadReport } from '../support/answers.ts'
import { acceptanceTest } from '../support/story.ts'
import { makeSheetFromCsv, workbookOf } from '../support/workbooks.ts'

const SIZES = '--default weight_grams=700 --default dimensions=30x20x10cm --service economy'

acceptanceTest('a Shopify export becomes parcels, several lines of an order one parcel', async (told) => {
  told.take('test/support/exports/shopify-orders.csv')
  const missing = await told.dray('carrier upload shopify-orders.csv --yes --json', { exit: 2 })
  expect(missing.json<PrintedFailure>().detail).toMatch(/weight/)
  const ran = await told.dray(`carrier upload shopify-orders.csv ${SIZES} --yes --json`)
  expect(ran.stderr).toMatch(/Shopify/)
  const parcels = (await told.dray('carrier list --all --json')).json<Shipments>().data
  expect(parcels.find(({ reference }) => reference?.includes('1041'))).toMatchObject({
    recipient: {
      contact: { name: 'Zoë Bennett', phone: '+447700900231' },
      address: { line1: '71 Fore Street', line2: 'Flat 2', postal_code: 'EX4 3HR', country_code: 'GB' },
    },
    parcel: { weight_grams: 700, length_mm: 300, width_mm: 200, height_mm: 100 },
  })
  expect(new Set(parcels.map(({ reference }) => reference)).size).toBe(parcels.length)
  expect(ran.json<CarrierUploadReport>().counts.created).toBe(parcels.length)
  expect(ran.json<CarrierUploadReport>().skipped).toEqual([
    { row: 8, reference: '#1044', reason: 'cancelled' },
  ])
})

acceptanceTest(
  'orders that should not be sent are left out, and every doubt is told to a script',
  async (told) => {
    told.take('test/support/exports/shopify-statuses.csv')
    const upload = `carrier upload shopify-statuses.csv ${SIZES} --json`
    const report = (await told.dray(`${upload} --dry-run`, { exit: 9 })).json<CarrierUploadReport>()
    const done = (await told.dray(`${upload} --yes`, { exit: 9 })).json<CarrierUploadReport>()
    for (const { counts, skipped, warnings } of [report, done]) {
      expect(counts).toMatchObject({ total: 21, created: 10, rejected: 1, skipped: 10 })
      expect(skipped).toHaveLength(10)
      expect(skipped).toContainEqual({ row: 3, reference: '#2002', reason: 'refunded' })
      expect(skipped).toContainEqual({ row: 9, reference: '#2008', reason: 'collected' })
      expect(warnings).toContain('1 order is refunded in part: #2005. It is not skipped.')
    }
    expect(told.read('shopify-statuses.results.csv').match(/,skipped,,,/g)).toHaveLength(10)
    const typo = await told.dray(`${upload} --yes --include refundd`, { exit: 2 })
    expect(typo.json<PrintedFailure>()).toMatchObject({
      hint: expect.stringMatching('Did you mean refunded') as string,
    })
    expect((await told.dray('carrier list --all --json')).json<Shipments>().data).toHaveLength(10)
    const more = (
      await told.dray(`${upload} --yes --include refunded,voided`, { exit: 9 })
    ).json<CarrierUploadReport>()
    expect(more.counts).toMatchObject({ created: 2, duplicate: 10, skipped: 8 })

    // Where all are omitted, there is nothing to correct.
    told.write(
      'none.csv',
      told
        .read('shopify-statuses.csv')
        .split('\n')
        .filter((_, at) => at === 0 || at === 2)
        .join('\n'),
    )
    const none = await told.dray(`carrier upload none.csv ${SIZES} --yes`)
    expect(none.stderr).toContain('1 order skipped: 1 refunded (#2002). To include it: --include refunded')
    expect(none.stderr).toContain('0 created, 1 skipped by status.')
  },
)

acceptanceTest('a ShipStation export is read in ounces and inches', async (told) => {
  told.take('test/support/exports/shipstation.csv')
  const report = (await told.dray('carrier upload shipstation.csv --yes --json')).json<CarrierUploadReport>()
  expect(report.counts).toMatchObject({ total: 3, created: 3 })
  const { data } = (await told.dray('carrier list --reference SS-20981 --json')).json<Shipments>()
  expect(data[0]).toMatchObject({
    service_level: 'next_day',
    recipient: { contact: { name: 'Priya Nair' } },
    parcel: { weight_grams: 1474, length_mm: 305, width_mm: 254, height_mm: 229 },
  })
})

acceptanceTest(
  'a Click & Drop export, saved as a workbook, is read in kilograms, its names joined',
  async (told) => {
    told.take('test/support/exports/click-and-drop.csv')
    const notes = { name: 'Notes', rows: { 1: ['Sent on Friday'] } }
    told.write(
      'orders.xlsx',
      workbookOf([notes, makeSheetFromCsv('Orders', told.read('click-and-drop.csv'))]),
    )
    const ran = await told.dray('carrier upload orders.xlsx --default dimensions=30x20x10cm --yes --json')
    expect(ran.stderr).toContain('a workbook, sheet Orders of 2, a Royal Mail Click & Drop file')
    expect(told.read('orders.results.csv')).toContain('CD-5001')
    expect(ran.json<CarrierUploadReport>().counts).toMatchObject({ total: 3, created: 3 })
    const { data } = (await told.dray('carrier list --reference CD-5001 --json')).json<Shipments>()
    expect(data[0]).toMatchObject({
      recipient: { contact: { name: expect.stringContaining('Eleanor Webb') as string } },
      parcel: { weight_grams: 850 },
      options: { leave_safe_place: 'Porch' },
    })
  },
)

acceptanceTest('a WooCommerce export becomes parcels', async (told) => {
  told.take('test/support/exports/woocommerce.csv')
  const report = (
    await told.dray(`carrier upload woocommerce.csv ${SIZES} --yes --json`)
  ).json<CarrierUploadReport>()
  expect(report.counts.rejected).toBe(0)
  const { data } = (await told.dray('carrier list --reference 8113 --json')).json<Shipments>()
  expect(data[0]).toMatchObject({
    service_level: 'two_day',
    recipient: { company: 'Studio Müller', contact: { name: 'Daniel Müller' } },
  })
})

acceptanceTest('a file with headers of its own is mapped once, and known the next time', async (told) => {
  const rows = (reference: string) =>
    `No.,Who,Where,Place,Code,Grams,L,W,H\n${reference},Ann,14 Lamb Street,London,E1 6EA,500,300,200,100\n`
  told.write('one.csv', rows('X-1'))
  told.write('two.csv', rows('X-2'))
  const map =
    '--map reference=No. --map recipient_name=Who --map address_line1=Where --map city=Place --map postal_code=Code --map weight_grams=Grams --map length_mm=L --map width_mm=W --map height_mm=H'
  expect(
    (await told.dray('carrier upload one.csv --yes --json', { exit: 2 })).json<PrintedFailure>().detail,
  ).toMatch(/reference|recipient/)
  await told.dray(`carrier upload one.csv ${map} --map-only --save-map warehouse`)
  const report = (await told.dray('carrier upload two.csv --yes --json')).json<CarrierUploadReport>()
  expect(report.counts).toMatchObject({ total: 1, created: 1 })
  expect((await told.dray('carrier list --json')).json<Shipments>().data).toHaveLength(1)
})
