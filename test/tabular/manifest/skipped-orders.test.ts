import { describe, expect, test } from 'vitest'
import { parseInclude } from '../../../src/tabular/manifest/skipped-orders.ts'
import { catchError } from '../../support/caught.ts'
import {
  exportFile,
  GOOD_ROW,
  PARCEL_DEFAULTS,
  parseTestManifest,
  makeCsv,
  type MappedManifest,
} from '../../support/manifests.ts'

/** The reasons of the orders that are skipped, by reference. */
function listSkipped({ rows }: MappedManifest): Record<string, readonly string[]> {
  return Object.fromEntries(
    rows.flatMap(({ reference = '', skipReasons: reasons }) =>
      reasons === undefined ? [] : [[reference, reasons]],
    ),
  )
}

function warnings({ notes }: MappedManifest): string[] {
  return notes.flatMap(({ kind, text }) => (kind === 'warning' ? [text] : []))
}

/** The reason for which an order is skipped whose cells say so. */
function reasonOf(cells: Record<string, string>): readonly string[] | undefined {
  return parseTestManifest(makeCsv({ ...GOOD_ROW, ...cells })).rows[0]?.skipReasons
}

describe('the export of a shop', () => {
  const shopify = (include: readonly string[] = []) =>
    parseTestManifest(
      exportFile('shopify-statuses'),
      { defaults: PARCEL_DEFAULTS },
      { include, unknownLevel: 'economy' },
    )

  test('of Shopify: by payment, dispatch, cancellation, pickup and goods that are not shipped', () => {
    const upload = shopify()
    expect(listSkipped(upload)).toEqual({
      '#2002': ['refunded'],
      '#2003': ['voided'],
      '#2004': ['unpaid'],
      '#2006': ['no_shipping'],
      '#2008': ['collected'],
      '#2009': ['no_shipping'],
      '#2010': ['sent'],
      '#2011': ['cancelled'],
      '#2015': ['sent'],
      '#2021': ['cancelled'],
    })
    expect(warnings(upload).slice(0, 5)).toEqual([
      '1 order is refunded in part: #2005. It is not skipped.',
      '1 order is sent in part: #2007. It is not skipped.',
      '1 order is a high risk: #2012. It is not skipped.',
      '1 order has items that are not shipped: #2013. It is not skipped.',
      '1 order is not paid, and sent on terms or for cash on delivery: #2014. It is not skipped.',
    ])
  })

  test('each is sent when its reason is included, and all with all', () => {
    const drafts = (include: string) =>
      shopify([include]).rows.flatMap(({ draft, reference }) => (draft === undefined ? [] : [reference]))
    const usual = drafts('draft')
    expect(drafts('refunded,unpaid').filter((each) => !usual.includes(each))).toEqual(['#2002', '#2004'])
    expect(listSkipped(shopify(['all']))).toEqual({})
  })

  test('of WooCommerce: pending, on hold, drafts; the country of its export is known', () => {
    const upload = parseTestManifest(exportFile('woocommerce-statuses'), { defaults: PARCEL_DEFAULTS })
    expect(listSkipped(upload)).toEqual({
      '803': ['unpaid'],
      '804': ['on_hold', 'collected'],
      '805': ['draft'],
    })
    expect(upload.rows[0]?.draft?.recipient.address).toMatchObject({ country_code: 'GB', city: 'London' })
    for (const [status, reason] of Object.entries({
      'wc-pending': ['unpaid'],
      'wc-on-hold': ['on_hold'],
      'wc-checkout-draft': ['draft'],
      trash: ['cancelled'],
      'wc-failed': ['unpaid'],
      'wc-completed': ['sent'],
      'wc-processing': undefined,
    })) {
      const row = { shipping_first_name: 'Ann', shipping_last_name: 'Hill', shipping_address_1: '1 A Road' }
      const address = { shipping_postcode: 'E1 6EA', shipping_city: 'London', status, order_id: '9' }
      const read = parseTestManifest(makeCsv({ ...row, ...address }), { defaults: PARCEL_DEFAULTS })
      expect([status, read.rows[0]?.skipReasons]).toEqual([status, reason])
    }
  })

  test('of Etsy and Squarespace: sent orders have a date, refunded ones a status', () => {
    const etsy = new Map([
      ['reference', 'Order ID'],
      ['recipient_name', 'Ship Name'],
      ['address_line1', 'Ship Address1'],
      ['address_line2', 'Ship Address2'],
      ['city', 'Ship City'],
      ['postal_code', 'Ship Zipcode'],
    ] as const)
    const sold = parseTestManifest(
      exportFile('etsy-items'),
      { map: etsy, defaults: PARCEL_DEFAULTS },
      { mergeLines: true },
    )
    expect(listSkipped(sold)).toEqual({ '3300000002': ['sent'] })
    expect(sold.rows[0]?.draft).toMatchObject({
      reference: '3300000001',
      recipient: { contact: { name: 'Fern Holloway' }, address: { line2: 'Flat 3' } },
    })
    const squarespace = new Map([
      ['recipient_name', 'Shipping Name'],
      ['address_line1', 'Shipping Address1'],
      ['address_line2', 'Shipping Address2'],
      ['city', 'Shipping City'],
      ['postal_code', 'Shipping Zip'],
      ['service_level', 'Private Notes'],
    ] as const)
    const orders = parseTestManifest(
      exportFile('squarespace-orders'),
      { map: squarespace, defaults: PARCEL_DEFAULTS },
      { mergeLines: true },
    )
    expect(listSkipped(orders)).toEqual({ '00124': ['refunded'] })
    expect(orders.rows[0]).toMatchObject({
      reference: '00123',
      rows: [{ row: 2 }, { row: 3 }],
      draft: { recipient: { address: { line1: '12 Lamb Street', line2: 'Flat 3', postal_code: 'E1 6EA' } } },
    })
  })

  test('of Click & Drop: no status, nothing is left out; a service code that is not known is told', () => {
    const sizes = new Map([['dimensions', '20x15x5cm']] as const)
    const upload = parseTestManifest(exportFile('click-and-drop-services'), { defaults: sizes })
    expect(listSkipped(upload)).toEqual({})
    expect(warnings(upload)).toEqual([
      'Service code has no known service level in "DE1" (1); these rows are not sent.',
    ])
  })
})

describe('any other file', () => {
  test.each([
    // Words of shops and tools.
    [{ Status: 'Cancelled' }, 'cancelled'],
    [{ Status: 'CANCELED' }, 'cancelled'],
    [{ Status: 'Cancelled by customer' }, 'cancelled'],
    [{ Status: 'Cancelled - no stock' }, 'cancelled'],
    [{ 'Order Status': 'Awaiting Payment' }, 'unpaid'],
    [{ 'Order Status': 'Manual Verification Required' }, 'on_hold'],
    [{ 'Order Status': 'Awaiting Pickup' }, 'collected'],
    [{ 'Order Status': 'on_hold' }, 'on_hold'],
    [{ 'order-status': 'Shipped' }, 'sent'],
    [{ 'amazon-order-id': '1', 'order-status': 'Pending' }, 'unpaid'],
    [{ 'Financial status': 'PENDING' }, 'unpaid'],
    [{ 'Payment status': 'Partially paid' }, 'unpaid'],
    [{ 'Payment status': 'voided' }, 'voided'],
    [{ 'Fulfillment Status': 'Completed' }, 'sent'],
    [{ 'Fulfillment Type': 'Pickup' }, 'collected'],
    [{ 'Order Type': 'inperson' }, 'collected'],
    [{ 'Delivery method': 'Click & Collect' }, 'collected'],
    [{ 'Delivery method': 'Digital download' }, 'no_shipping'],
    [{ 'Shipped On Date': '18-Nov-26' }, 'sent'],
    [{ Shipped: 'yes' }, 'sent'],
    [{ Paid: 'No' }, 'unpaid'],
    [{ 'quantity-to-ship': '0' }, 'sent'],
    [{ 'is-buyer-requested-cancellation': 'true' }, 'cancelled'],
    // Four more languages.
    [{ Bestellstatus: 'Storniert' }, 'cancelled'],
    [{ Zahlungsstatus: 'offen' }, 'unpaid'],
    [{ Versandstatus: 'versendet' }, 'sent'],
    [{ Versandart: 'Selbstabholung' }, 'collected'],
    [{ 'État de la commande': 'Remboursée' }, 'refunded'],
    [{ Statut: 'Annulée' }, 'cancelled'],
    [{ 'Mode de livraison': 'Retrait en magasin' }, 'collected'],
    [{ 'Estado del pedido': 'Pendiente de pago' }, 'unpaid'],
    [{ Estado: 'Enviado' }, 'sent'],
    [{ 'Stato ordine': 'Annullato' }, 'cancelled'],
    [{ Stato: 'Spedito' }, 'sent'],
    [{ 'Dispatched On Date': '21-Nov-26' }, 'sent'],
  ])('%o is left out: %s', (cells, reason) => {
    expect(reasonOf(cells)).toEqual([reason])
  })

  test.each([
    [{ Status: 'Paid' }],
    [{ Status: 'processing' }],
    [{ 'Order Status': 'Awaiting Fulfillment' }],
    [{ 'Fulfillment Status': 'PENDING' }],
    [{ 'Payment status': 'Completed' }],
    [{ Bestellstatus: 'offen' }],
    [{ 'Shipping method': 'DPD Pickup point' }],
    [{ 'Shipping method': 'InPost locker' }],
    [{ 'Shipping method': 'Collect+' }],
    [{ 'Delivery method': 'Retrait en point relais' }],
    [{ 'Date shipped': '-' }],
    [{ 'Cancelled at': '0000-00-00 00:00:00' }],
    // The results of this program, when somebody adds them to a sheet.
    [{ Status: 'rejected' }],
    [{ Status: 'not_sent' }],
    // A region, a date to come, and a column that somebody named.
    [{ Estado: 'Madrid' }],
    [{ 'Ship date': '2026-11-30' }],
  ])('%o is sent, and nothing is said', (cells) => {
    const upload = parseTestManifest(makeCsv({ ...GOOD_ROW, ...cells }))
    // A way of shipping may still name no service level.
    const said = warnings(upload).filter((text) => !text.includes('service level'))
    expect([upload.rows[0]?.skipReasons, said]).toEqual([undefined, []])
  })

  test('words for a service that nobody knows are named once, with the flag that says what they mean', () => {
    const row = (reference: string, Service: string) => ({ ...GOOD_ROW, reference, service_level: Service })
    const { notes } = parseTestManifest(
      makeCsv(row('A1', 'Standard'), row('A2', 'Express'), row('A3', 'Standard')),
    )
    expect(notes.map(({ text, typed }) => typed ?? text)).toEqual([
      'service_level has no known service level in "Standard" (2), "Express" (1); these rows are not sent. Say what a word stands for: --map-value "service_level:Standard=economy".',
    ])
  })

  test('a word that nobody knows is a doubt, and the order is sent', () => {
    const row = (reference: string, Status: string) => ({ ...GOOD_ROW, reference, Status })
    const upload = parseTestManifest(makeCsv(row('A1', 'VIP'), row('A2', 'Pending'), row('A3', 'VIP')))
    expect(listSkipped(upload)).toEqual({})
    expect(warnings(upload)).toEqual([
      '2 orders have the Status "VIP", which may mean "do not send": A1, A3. They are not skipped.',
      '1 order has the Status "Pending", which may mean "do not send": A2. It is not skipped.',
    ])
    expect(upload.unknown).toEqual([])
  })

  test('a column that is read as something of the parcel is no status', () => {
    const file = makeCsv({ ...GOOD_ROW, Status: 'Cancelled stamps' }, { ...GOOD_ROW, Status: 'Refunded' })
    const upload = parseTestManifest(file, { map: new Map([['description', 'Status']] as const) })
    expect(listSkipped(upload)).toEqual({})
  })

  test('an order of several rows is left out when all of them say so, and told when some do', () => {
    const row = (reference: string, status: string) => ({ ...GOOD_ROW, reference, 'item-status': status })
    const file = makeCsv(
      row('A1', 'Cancelled'),
      row('A1', 'Refunded'),
      row('A2', 'Shipped'),
      row('A2', 'Unshipped'),
      row('A3', 'Unshipped'),
      row('A3', ''),
    )
    const upload = parseTestManifest(file, {}, { mergeLines: true })
    expect(listSkipped(upload)).toEqual({ A1: ['cancelled', 'refunded'] })
    expect(warnings(upload)).toEqual(['1 order is sent in part: A2. It is not skipped.'])
  })

  test('an unpaid order that is paid at the door or on invoice is sent, and told', () => {
    for (const [header, words] of [
      ['Payment method', 'Cash on Delivery (COD)'],
      ['Zahlungsart', 'Kauf auf Rechnung'],
    ] as const) {
      const upload = parseTestManifest(makeCsv({ ...GOOD_ROW, 'Payment status': 'pending', [header]: words }))
      expect(listSkipped(upload)).toEqual({})
      expect(warnings(upload)).toEqual([
        '1 order is not paid, and sent on terms or for cash on delivery: A1. It is not skipped.',
      ])
    }
  })
})

test('a word that is no reason is refused, with the nearest one', () => {
  expect([...parseInclude(['Refunded, on-hold', 'sent'])]).toEqual(['refunded', 'on_hold', 'sent'])
  const error = catchError(() => parseInclude(['refundd']))
  expect([error.code, error.hint]).toEqual([
    'usage',
    'Did you mean refunded? Use cancelled, refunded, voided, unpaid, on_hold, draft, sent, no_shipping, collected or all.',
  ])
})
