/** Headers typed as people write them, in five languages: a third of their words are not in the reader's table. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { mapHeaders } from '../../../src/tabular/columns/map.ts'
import { mappingError } from '../../../src/tabular/columns/mapping.ts'
import { readTable } from '../../../src/tabular/csv/read.ts'
import { MANIFEST_FILE_KIND } from '../../../src/tabular/manifest/kind.ts'
import { GOOD_ROW, parseTestManifest, makeCsv } from '../../support/manifests.ts'

/** `?` is a header that must not be read unasked; `!` one of a payer, a sender or an item, which is not proposed either. */
const LISTS = readFileSync(new URL('../../support/headers/phrases.txt', import.meta.url), 'utf8')
  .split(/^\[(\w+)\]\n/m)
  .slice(1)

function headersOf(list: string): { header: string; wanted: string }[] {
  return list.split('\n').flatMap((line) => {
    const [, header, wanted] = /^(.+): (\S+)$/.exec(line) ?? []
    return header === undefined || wanted === undefined ? [] : [{ header, wanted }]
  })
}

/** Reads a file of one header beside one that nobody knows; says its column, and which columns it is proposed for. */
function readAlone(header: string) {
  const table = readTable(`${header}\tzzz\n1\t2\n`, { delimiter: '\t' })
  const { mapping, missing } = mapHeaders(MANIFEST_FILE_KIND, table)
  const [column] = [...mapping.sources]
    .filter(([, { from }]) => from[0]?.at.includes(0))
    .map(([name]) => name)
  const proposed = missing.flatMap((each) => (each.headers.includes(header) ? [each.column] : []))
  return { column, proposed }
}

describe.each(
  LISTS.flatMap((language, at) => (at % 2 === 0 ? [[language, LISTS[at + 1] ?? ''] as const] : [])),
)('%s headers', (_, list) => {
  const headers = headersOf(list)

  test('are found, asked about or refused', () => {
    expect(headers.length).toBeGreaterThan(59)
    const read = headers.map(({ header, wanted }) => {
      const { column } = readAlone(header)
      return [header, column ?? (/[?!]/.test(wanted) ? wanted : 'not found')]
    })
    expect(read).toEqual(headers.map(({ header, wanted }) => [header, wanted]))
  })

  test('of a payer, a sender or an item are never proposed for a recipient', () => {
    const others = headers.filter(({ wanted }) => wanted === '!')
    const weights = new Set(['weight_grams'])
    const proposed = others.flatMap(({ header }) =>
      readAlone(header).proposed.flatMap((column) => (weights.has(column) ? [] : [[header, column]])),
    )
    expect(proposed).toEqual([])
  })
})

test('a hint names every column of the owner that it proposes, and nothing is made up for what a column holds', () => {
  const headers =
    'Ref,Sublessee,Sublessee Address 1,Sublessee Address 2,Sublessee Address 3,Sublessee Town,Sublessee Postcode,Billing Town,Sublessee Country,Load'
  const table = readTable(`${headers}\n1,2,3,4,5,6,7,8,9,1.2 kg\n`)
  const hint = mappingError(mapHeaders(MANIFEST_FILE_KIND, table), 1)?.hint ?? ''
  expect(hint).toContain('--map "address_line1=Sublessee Address 1"')
  expect(hint).toContain('--map "address_line2=Sublessee Address 2 + Sublessee Address 3"')
  expect(hint).toContain('--map "country_code=Sublessee Country"')
  expect(hint).toContain('--map weight_grams=Load')
  expect(hint).not.toContain('=Billing')
})

test('several headers may be mapped to one column', () => {
  const map = new Map([['address_line2', 'Foo 2 + Foo 3']] as const)
  const csv =
    'ref,name,address,town,postcode,weight,dims,Foo 2,Foo 3\nA,B,1 C,London,E1 6EA,500 g,20x15x5cm,x,y\n'
  expect(parseTestManifest(csv, { map }).rows[0]?.draft?.recipient.address.line2).toBe('x, y')
})

test('the own words of the recipient come before another address without an owner', () => {
  const csv =
    'Ref,Name,Address,Town,Postcode,Delivery Address,Delivery Postcode\nA,B,1 Bill Street,Leeds,LS1 4AP,2 Lamb Street,E1 6EA\n'
  const { missing, mapping } = mapHeaders(MANIFEST_FILE_KIND, readTable(csv))
  expect(mapping.sources.get('postal_code')?.from[0]?.at).toEqual([6])
  // The town is that of the other address: it is requested.
  expect(missing.map(({ column }) => column)).toContain('city')
})

test.each([
  ['Age check', 'yes', 'A check of the age is not offered'],
  ['Alterssichtprüfung', 'ja', 'A check of the age is not offered'],
  ['Gefahrgut', 'UN 3480', 'Dangerous goods are not offered'],
  ['Saturday delivery', 'Y', 'Delivery on a Saturday is not offered'],
  ['Required by', '2026-11-25', 'Delivery by a time or a date is not offered'],
  ['Delivery date', '2026-11-25', 'Delivery on an exact day (not_before gives the earliest) is not offered'],
  ['Requested Delivery Date (DD/MM/YYYY)', '25/11/2026', 'Delivery on an exact day'],
  ['Wunschtermin', '25.11.2026', 'Delivery on an exact day'],
  ['Date de livraison souhaitée', '25/11/2026', 'Delivery on an exact day'],
  ['Fecha de entrega', '25/11/2026', 'Delivery on an exact day'],
  ['Data di consegna', '25/11/2026', 'Delivery on an exact day'],
  ['Parcelshop ID', '4711', 'Delivery to a pick-up point or a locker is not offered'],
  ['Point relais', '012345', 'Delivery to a pick-up point or a locker is not offered'],
  ['Eigenhändig', 'ja', 'Delivery to the named person alone is not offered'],
  ['Service - Wunschtag', '28.11.2026', 'Delivery on an exact day'],
  ['Service - Alterssichtprüfung', 'A18', 'A check of the age is not offered'],
  ['Nombre de colis', '2', 'A row is one parcel'],
  ['Bultos', '3', 'A row is one parcel'],
  ['Anzahl Pakete', '2', 'A row is one parcel'],
])('%s %s is refused, not ignored', (header, cell, detail) => {
  const head = 'ref\tname\taddress\ttown\tpostcode\tweight\tdims'
  const row = 'A\tB\t1 C\tLondon\tE1 6EA\t500 g\t20x15x5cm'
  const read = (text: string) => parseTestManifest(`${head}\t${header}\n${row}\t${text}\n`).rows[0]
  expect(read(cell)?.errors.map((error) => error.detail)).toEqual([expect.stringContaining(detail)])
  for (const none of ['', 'no', '0', 'n/a']) expect(read(none)?.errors).toEqual([])
})

test.each(['Ship date', 'Versanddatum', 'Estimated delivery date', 'Order date'])(
  '%s wishes no day of delivery',
  (header) => {
    const csv = `ref,name,address,town,postcode,weight,dims,${header}\nA,B,1 C,London,E1 6EA,500 g,20x15x5cm,2026-11-25\n`
    expect(parseTestManifest(csv).rows[0]?.errors).toEqual([])
  },
)

test('the row above a header says whose its columns are', () => {
  const csv = [
    'Parcels of Monday,,,,,,,,',
    ',Sender,,Delivery address,,,,Parcel,',
    'Ref,Company,Phone,Name,Address,Town,Postcode,Weight kg,Dims cm',
    'A-1,My Shop Ltd,0113 496 0000,Fern Holloway,12 Lamb Street,London,E1 6EA,1.2,30x20x10',
  ].join('\n')
  const { rows, table, unknown } = parseTestManifest(csv)
  expect(table.titles.map(({ row }) => row)).toEqual([1])
  expect(unknown).toEqual(['Sender Company', 'Sender Phone'])
  expect(rows[0]).toMatchObject({ row: 4, errors: [] })
  expect(rows[0]?.draft?.recipient).toMatchObject({
    contact: { name: 'Fern Holloway' },
    address: { line1: '12 Lamb Street', city: 'London', postal_code: 'E1 6EA' },
  })
  expect(rows[0]?.draft?.recipient).not.toHaveProperty('company')
})

test('two addresses of the same headers are told apart by the row above', () => {
  const csv = [
    ';Rechnungsadresse;;;;Lieferadresse;;;;Paket;',
    'Bestellnummer;Name;Straße;PLZ;Ort;Name;Straße;PLZ;Ort;Gewicht (kg);Maße (cm)',
    'A-1;Zahler GmbH;Ladenweg 1;10115;Berlin;Fern Holloway;12 Lamb Street;E1 6EA;London;1,2;30x20x10',
  ].join('\n')
  expect(parseTestManifest(csv).rows[0]?.draft?.recipient).toMatchObject({
    contact: { name: 'Fern Holloway' },
    address: { line1: '12 Lamb Street', city: 'London', postal_code: 'E1 6EA' },
  })
})

test('a title with a date is no row of owners', () => {
  const csv =
    'Delivery list,,,26/11/2026,,,\nRef,Name,Address,Town,Postcode,Weight kg,Dims cm\nA,B,1 C,London,E1 6EA,1.2,30x20x10\n'
  expect(parseTestManifest(csv).table.header).toEqual(
    'Ref,Name,Address,Town,Postcode,Weight kg,Dims cm'.split(','),
  )
})

describe('an amount', () => {
  const amountOf = (header: string, cell: string, more = '', currency = '') => {
    const csv = `ref\tname\taddress\ttown\tpostcode\tweight\tdims\t${header}${more}\nA\tB\t1 C\tLondon\tE1 6EA\t500 g\t20x15x5cm\t${cell}${currency}\n`
    const { draft, errors } = parseTestManifest(csv).rows[0] ?? { errors: [] }
    return errors[0]?.detail ?? draft?.parcel.declared_value ?? draft?.options?.cash_on_delivery
  }

  test.each([
    ['COD', '25', { amount: 2500, currency: 'GBP' }],
    ['COD (EUR)', '25', { amount: 2500, currency: 'EUR' }],
    ['Value (€)', '25', { amount: 2500, currency: 'EUR' }],
    ['Wert €', '25', { amount: 2500, currency: 'EUR' }],
    ['Service - Nachnahme - Betrag', '25', { amount: 2500, currency: 'GBP' }],
    ['Reembolso', '25', { amount: 2500, currency: 'GBP' }],
    ['COD', '0.00', undefined],
    ['COD', 'No', undefined],
    ['COD', 'Yes', expect.stringContaining('is not an amount')],
    ['COD (EUR)', '£25', '£25 is in GBP, and "COD (EUR)" says EUR; correct one of them.'],
  ])('below %s: %s', (header, cell, amount) => {
    expect(amountOf(header, cell)).toEqual(amount)
  })

  test.each(['Value (pence)', 'value_in_cents'])('below %s is refused, and not read as pounds', (header) => {
    const map = new Map([['declared_value', header]])
    const csv = makeCsv({ ...GOOD_ROW, [header]: '2500' })
    expect(parseTestManifest(csv, { map }).rows[0]?.errors[0]?.detail).toMatch('is not in major units')
  })

  test('of two currencies is refused', () => {
    expect(amountOf('Value (EUR)', '25', '\tCurrency', '\tGBP')).toBe(
      '"Value (EUR)" says EUR, and "Currency" says GBP; correct one of them.',
    )
  })
})
