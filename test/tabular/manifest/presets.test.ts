import { describe, expect, test } from 'vitest'
import { findPreset } from '../../../src/tabular/columns/columns.ts'
import { mappingError } from '../../../src/tabular/columns/mapping.ts'
import { headerKey } from '../../../src/tabular/csv/keys.ts'
import { MANIFEST_FILE_KIND } from '../../../src/tabular/manifest/kind.ts'
import {
  exportFile,
  PARCEL_DEFAULTS,
  parseTestManifest,
  type MappedManifest,
} from '../../support/manifests.ts'

/** Reads an export; `unknownLevel` is that of the parcels whose word for a service names none. */
const upload = (name: string, defaults = PARCEL_DEFAULTS, unknownLevel?: string): MappedManifest =>
  parseTestManifest(exportFile(name), { defaults }, unknownLevel === undefined ? {} : { unknownLevel })

describe('exports of real tools map without a flag', () => {
  test.each(['shopify-orders', 'shipstation', 'click-and-drop', 'woocommerce'])('%s', (name) => {
    const { mapping, missing, ambiguous, unknown, rows } = upload(name, PARCEL_DEFAULTS, 'economy')
    expect(mapping.preset?.name).toBe(name)
    expect({ missing, ambiguous, unknown }).toEqual({ missing: [], ambiguous: [], unknown: [] })
    expect(rows.flatMap(({ errors }) => errors)).toEqual([])
  })

  test.each([
    ['shopify-orders', ['weight_grams', 'length_mm', 'width_mm', 'height_mm']],
    ['shipstation', []],
    ['click-and-drop', ['length_mm', 'width_mm', 'height_mm']],
    ['woocommerce', ['weight_grams', 'length_mm', 'width_mm', 'height_mm']],
  ])('%s lacks only what its tool does not know', (name, columns) => {
    expect(parseTestManifest(exportFile(name)).missing.map(({ column }) => column)).toEqual(columns)
  })

  test('one that lacks weight and size is refused in a script, with the defaults to give', () => {
    const error = mappingError(parseTestManifest(exportFile('shopify-orders')), 1)
    expect(error?.extra['reason']).toMatchObject({ code: 'missing_column' })
    expect(error?.hint).toContain('--default weight_grams=1200 --default dimensions=30x20x10cm')
  })
})

describe('a Shopify export', () => {
  const { rows, notes } = upload('shopify-orders')

  test('has one parcel per order', () => {
    expect(rows.map((parcel) => [parcel.reference, parcel.rows.map(({ row }) => row)])).toEqual([
      ['#1041', [2, 3, 4]],
      ['#1042', [5]],
      ['#1043', [6, 7]],
      ['#1044', [8]],
    ])
  })

  test('gives a whole recipient and says what is in the parcel', () => {
    expect(rows[0]?.draft).toMatchObject({
      recipient: {
        contact: { name: 'Zoë Bennett', phone: '+447700900231', email: 'zoe.bennett@example.com' },
        address: {
          line1: '71 Fore Street',
          line2: 'Flat 2',
          postal_code: 'EX4 3HR',
          access_notes: 'Please leave with the café next door if out',
        },
      },
      parcel: { description: 'Linen apron - Natural, 2 × Tea towel - Blue stripe, Gift wrap' },
      service_level: 'two_day',
    })
  })

  test('does not insure parcels for the price of the goods', () => {
    expect(rows.map(({ draft }) => draft?.parcel.declared_value)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  test('leaves cancelled orders out, and warns of shipping methods that are no service level', () => {
    expect(rows.map(({ skipReasons }) => skipReasons)).toEqual([
      undefined,
      undefined,
      undefined,
      ['cancelled'],
    ])
    expect(notes).toEqual([
      { kind: 'info', text: '6 rows are 3 parcels: adjacent rows of one order go together.' },
      {
        kind: 'warning',
        text: 'Shipping Method has no known service level in "Standard" (1); these rows are not sent.',
        typed:
          'Shipping Method has no known service level in "Standard" (1); these rows are not sent. Say what a word stands for: --map-value "service_level:Standard=economy".',
      },
    ])
    expect(rows[2]?.errors.map(({ value }) => value)).toEqual(['Standard'])
  })

  test('takes the default level for those', () => {
    const defaults = new Map([...PARCEL_DEFAULTS, ['service_level', 'economy'] as const])
    const levels = upload('shopify-orders', defaults).rows.map(({ draft }) => draft?.service_level)
    expect(levels).toEqual(['two_day', 'next_day', 'economy', undefined])
  })
})

test('a ShipStation export is in ounces and inches', () => {
  expect(upload('shipstation').rows.map(({ draft }) => draft?.parcel)).toMatchObject([
    { weight_grams: 1474, length_mm: 305, width_mm: 254, height_mm: 229 },
    {
      weight_grams: 2452,
      length_mm: 406,
      width_mm: 305,
      height_mm: 165,
      description: 'Copper pan 20 cm, Copper pan lid',
    },
    { weight_grams: 238, length_mm: 203, width_mm: 152, height_mm: 51 },
  ])
})

test('a Click & Drop file is in kilograms, joins names and address lines and knows the service codes', () => {
  expect(upload('click-and-drop').rows.map(({ draft }) => draft)).toMatchObject([
    {
      recipient: { contact: { name: 'Ms Eleanor Webb' } },
      parcel: { weight_grams: 850 },
      service_level: 'two_day',
      options: { signature_required: false, leave_safe_place: 'Porch' },
    },
    {
      recipient: { contact: { name: 'Marcus Adeyemi' }, address: { line2: 'Church Lane, Lower Quarter' } },
      parcel: { weight_grams: 1400 },
      service_level: 'next_day',
      options: { signature_required: true },
    },
    {
      recipient: { contact: { name: 'Mrs Fiona Campbell' }, address: { country_code: 'GB' } },
      parcel: { weight_grams: 4250 },
    },
  ])
})

test('a WooCommerce export joins names, takes the phone from billing and leaves completed orders out', () => {
  const { rows } = upload('woocommerce', PARCEL_DEFAULTS, 'economy')
  expect(rows[0]?.draft).toMatchObject({
    reference: '8112',
    recipient: { contact: { name: 'Aoife Byrne', phone: '+447700900650' } },
    parcel: { description: '2 × Beeswax candle, Candle snuffer' },
  })
  expect(rows.map(({ reference, skipReasons }) => [reference, skipReasons])).toContainEqual([
    '8109',
    ['sent'],
  ])
})

test.each([
  [
    'woocommerce',
    'Order Number,Order Status,Order Date,Customer Note,First Name (Billing),Last Name (Billing),Email (Billing),Phone (Billing),First Name (Shipping),Last Name (Shipping),Address 1&2 (Shipping),City (Shipping),State Code (Shipping),Postcode (Shipping),Country Code (Shipping),Shipping Method Title,Item Name',
  ],
  [
    'shipstation',
    'Order ID (required),Order Date,Order Value,Requested Service,Ship To - Name,Ship To - Company,Ship To - Address 1,Ship To - Address 2,Ship To - Address 3,Ship To - State/Province,Ship To - City,Ship To - Postal Code,Ship To - Country,Ship To - Phone,Ship To - Email,Total Weight in Oz,Dimensions - Length,Dimensions - Width,Dimensions - Height,Notes - From Customer',
  ],
  [
    'shipstation',
    'Order #,Order Total,Order Requested Shipping Service,Order Total Weight (oz),Recipient Full Name,Recipient Phone,Recipient Company,Address Line 1,Address Line 2,Address Line 3,City,State,Postal Code,Country Code,Item Name',
  ],
])('other layouts of %s are known too', (name, header) => {
  expect(findPreset(MANIFEST_FILE_KIND.presets, header.split(',').map(headerKey))?.name).toBe(name)
  const cells = header
    .split(',')
    .map(() => 'x')
    .join(',')
  const { missing } = parseTestManifest(`${header}\n${cells}\n`, { defaults: PARCEL_DEFAULTS })
  expect(missing).toEqual([])
})

test('a column that a clerk added to an export counts', () => {
  const header =
    'Name,Shipping Name,Shipping Address1,Shipping City,Shipping Zip,Weight (kg),length_mm,width_mm,height_mm'
  const { rows } = parseTestManifest(`${header}\n#1,Amelia,1 Street,London,'E1 6EA,1.5,300,200,100\n`)
  expect(rows[0]?.draft?.parcel.weight_grams).toBe(1500)
})

test('an order with nothing to ship is refused, not sent half', () => {
  const header = 'Name,Shipping Name,Shipping Address1,Shipping City,Shipping Zip'
  const { rows } = parseTestManifest(`${header}\n#1,,,,\n`, { defaults: PARCEL_DEFAULTS })
  expect(rows[0]?.errors.map(({ column, code }) => [column, code])).toEqual([
    ['Shipping Name', 'required'],
    ['Shipping Address1', 'required'],
    ['Shipping City', 'required'],
    ['Shipping Zip', 'required'],
  ])
})
