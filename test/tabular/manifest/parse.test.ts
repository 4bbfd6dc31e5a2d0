import { describe, expect, test } from 'vitest'
import { readTable } from '../../../src/tabular/csv/read.ts'
import { parseManifest, usesHubs } from '../../../src/tabular/manifest/parse.ts'
import { catchError } from '../../support/caught.ts'
import {
  GOOD_ROW,
  mapManifestColumns,
  readManifestFlags,
  parseTestManifest,
  makeCsv,
} from '../../support/manifests.ts'
import { fc } from '../../support/properties.ts'

const { array, assert, constantFrom, dictionary, oneof, property, string } = fc

describe('a good row', () => {
  test('becomes the body of create_shipment', () => {
    const { rows, notes } = parseTestManifest(
      makeCsv({
        Reference: ' A1 ',
        'To Name': 'Amelia  Hart',
        Company: 'Hart & Co',
        'Address 1': '14 Lamb Street',
        'Address 2': 'Flat 3',
        Town: 'London',
        County: 'Greater London',
        'Post Code': 'e16ea',
        Country: 'United Kingdom',
        Mobile: '07700 900123',
        'E-mail': 'amelia@example.com',
        'Weight (kg)': '1,2',
        Dimensions: '30x20x10cm',
        Service: 'Next Day',
        Depot: 'lon1',
        Contents: 'Two books',
        Value: '£89.50',
        Signature: 'Y',
        Safeplace: 'Porch',
        Notes: 'Ring twice,\nthen wait',
      }),
      {},
      { hubs: [{ hub_id: 'hub_1', code: 'LON1' }] },
    )
    expect(rows).toEqual([
      {
        row: 2,
        rows: [expect.objectContaining({ row: 2 })],
        reference: 'A1',
        errors: [],
        draft: {
          reference: 'A1',
          recipient: {
            contact: { name: 'Amelia Hart', phone: '+447700900123', email: 'amelia@example.com' },
            company: 'Hart & Co',
            address: {
              line1: '14 Lamb Street',
              line2: 'Flat 3',
              city: 'London',
              region: 'Greater London',
              postal_code: 'E1 6EA',
              country_code: 'GB',
              access_notes: 'Ring twice, then wait',
            },
          },
          parcel: {
            weight_grams: 1200,
            length_mm: 300,
            width_mm: 200,
            height_mm: 100,
            description: 'Two books',
            declared_value: { amount: 8950, currency: 'GBP' },
          },
          service_level: 'next_day',
          hub_id: 'hub_1',
          options: { signature_required: true, leave_safe_place: 'Porch' },
        },
      },
    ])
    expect(notes).toEqual([])
  })

  test('has only what the file has', () => {
    const { rows } = parseTestManifest(makeCsv(GOOD_ROW), {}, { country: 'JE', currency: 'JEP' })
    expect(rows[0]?.errors).toEqual([])
    expect(rows[0]?.draft).toEqual({
      reference: 'A1',
      recipient: {
        contact: { name: 'Amelia Hart' },
        address: { line1: '14 Lamb Street', city: 'London', postal_code: 'E1 6EA', country_code: 'JE' },
      },
      parcel: { weight_grams: 1200, length_mm: 300, width_mm: 200, height_mm: 100 },
    })
  })

  test('takes the currency of its own column, which the value must not contradict', () => {
    const csv = makeCsv(
      { ...GOOD_ROW, declared_value: '10', currency: 'EUR' },
      { ...GOOD_ROW, reference: 'A2', declared_value: '10 CHF', currency: 'eur' },
      { ...GOOD_ROW, reference: 'A3', declared_value: '', currency: 'nonsense' },
    )
    const { rows } = parseTestManifest(csv)
    expect(rows.map(({ draft, errors: [error] }) => draft?.parcel.declared_value ?? error?.detail)).toEqual([
      { amount: 1000, currency: 'EUR' },
      '10 CHF is in CHF, and "currency" says EUR; correct one of them.',
      undefined,
    ])
  })
})

describe('a bad row', () => {
  test('is told everything that is wrong with it, under the headers of the file', () => {
    const { rows } = parseTestManifest(
      makeCsv({
        Ref: '',
        'Full Name': 'x'.repeat(130),
        Street: '',
        City: 'London',
        'Post Code': 'SWIA 1AA',
        'Weight (g)': 'heavy',
        'Length (mm)': '-5',
        'Width (mm)': '1,234',
        'Height (mm)': '100',
        Service: 'next_dya',
        Value: '8.505',
        POD: 'perhaps',
      }),
    )
    expect(rows[0]?.draft).toBeUndefined()
    expect(rows[0]?.errors.map(({ column, code, suggestion }) => [column, code, suggestion])).toEqual([
      ['Ref', 'required', undefined],
      ['Full Name', 'too_long', undefined],
      ['Street', 'required', undefined],
      ['Post Code', 'invalid_format', 'SW1A 1AA'],
      ['Weight (g)', 'invalid_format', undefined],
      ['Length (mm)', 'out_of_range', undefined],
      ['Width (mm)', 'ambiguous_number', undefined],
      ['Service', 'invalid_enum', 'next_day'],
      ['Value', 'invalid_format', undefined],
      ['POD', 'invalid_format', undefined],
    ])
    expect(rows[0]?.errors[3]).toMatchObject({ pointer: '/recipient/address/postal_code', value: 'SWIA 1AA' })
    expect(rows[0]?.errors[1]?.value).toBe(`${'x'.repeat(39)}…`)
  })

  test('does not spoil its neighbours, and rows have the numbers of the spreadsheet', () => {
    const csv = makeCsv(
      GOOD_ROW,
      { ...GOOD_ROW, reference: 'A2', city: '' },
      { ...GOOD_ROW, reference: 'A3' },
    )
    const { rows } = parseTestManifest(csv.replace('\nA2', '\n\n\nA2'))
    expect(rows.map(({ row, draft }) => [row, draft?.reference])).toEqual([
      [2, 'A1'],
      [5, undefined],
      [6, 'A3'],
    ])
  })

  test.each([
    ['0,850', 1250],
    ['12,5', 1250],
    ['12.5', undefined],
    ['2.5', undefined],
    ['2.50', undefined],
    ['2,400', undefined],
  ])('beside %s a weight of 1,250 is %s', (other, grams) => {
    const csv = makeCsv({ ...GOOD_ROW, weight_grams: '1,250' }, { ...GOOD_ROW, weight_grams: other })
    const { rows } = parseTestManifest(csv.replace('weight_grams', 'Gewicht (kg)'))
    expect(rows[0]?.draft?.parcel.weight_grams).toBe(grams)
    expect(rows[0]?.errors.map(({ code }) => code)).toEqual(grams === undefined ? ['ambiguous_number'] : [])
  })

  test.each([
    'Großbritannien',
    'GROSSBRITANNIEN',
    'Vereinigtes Königreich',
    'Royaume-Uni',
    'reino unido',
    'Regno Unito',
  ])('the country %s is GB', (country) => {
    const { rows } = parseTestManifest(makeCsv({ ...GOOD_ROW, country }))
    expect(rows[0]?.draft?.recipient.address.country_code).toBe('GB')
  })

  test('with a country that nobody knows is not blamed for its postcode and phone', () => {
    const csv = makeCsv({ ...GOOD_ROW, country: 'Deutchland', postal_code: '10115', phone: '030 901820' })
    expect(parseTestManifest(csv).rows[0]?.errors.map(({ column }) => column)).toEqual(['country'])
  })

  test.each([
    ['weight_grams', '30001', 'over the limit of 30000 g'],
    ['length_mm', '1201', 'at most 1200 mm'],
    ['height_mm', '1201', 'at most 1200 mm'],
  ])('beyond the limits of a parcel is told which side: %s %s', (column, value, words) => {
    const { rows } = parseTestManifest(makeCsv({ ...GOOD_ROW, [column]: value }))
    expect(rows[0]?.errors).toEqual([
      {
        column,
        pointer: `/parcel/${column}`,
        value,
        code: 'out_of_range',
        detail: expect.stringContaining(words),
      },
    ])
  })

  test('beyond the limits by its dimensions is told so', () => {
    const { length_mm: _l, width_mm: _w, height_mm: _h, ...rest } = GOOD_ROW
    const { rows } = parseTestManifest(makeCsv({ ...rest, dimensions: '130x20x10cm' }))
    expect(rows[0]?.errors).toMatchObject([
      { column: 'dimensions', code: 'out_of_range', value: '130x20x10cm' },
    ])
  })

  test('without its dimensions is told so, unless the sides are given', () => {
    const { length_mm: _l, width_mm: _w, height_mm: _h, ...rest } = GOOD_ROW
    expect(parseTestManifest(makeCsv({ ...rest, dimensions: '' })).rows[0]?.errors).toMatchObject([
      { column: 'dimensions', code: 'required' },
    ])
    const sides = makeCsv(
      { ...GOOD_ROW, dimensions: '' },
      { ...rest, reference: 'A2', dimensions: '30x20x10cm' },
    )
    expect(parseTestManifest(sides).rows.map(({ draft }) => draft?.parcel.length_mm)).toEqual([300, 300])
  })
})

describe('defaults', () => {
  test('fill blank cells and missing columns, in g and mm whatever the file is in', () => {
    const csv = 'ref,to_name,street,town,zip,weight_kg\nA1,a,b,c,E1 6EA,\nA2,a,b,c,E1 6EA,1.5\n'
    const defaults = readManifestFlags('--default', [
      'weight_grams=700',
      'dimensions=300x200x100',
      'service=48h',
    ])
    const { rows } = parseTestManifest(csv, { defaults })
    expect(rows.map(({ draft }) => [draft?.parcel.weight_grams, draft?.service_level])).toEqual([
      [700, 'two_day'],
      [1500, 'two_day'],
    ])
  })

  test.each(['weight_grams=heavy', 'service_level=tomorrow', 'weight_grams=1.2', 'height_mm=5000'])(
    'that are wrong themselves are a usage error: %s',
    (flag) => {
      const [name = ''] = flag.split('=')
      const csv = makeCsv({ ...GOOD_ROW, [name]: '' })
      const error = catchError(() =>
        parseTestManifest(csv, { defaults: readManifestFlags('--default', [flag]) }),
      )
      expect(error.code).toBe('usage')
      expect(error.message).toContain(`The default for ${name} cannot be used`)
    },
  )
})

test('a file of another unit needs the answer to be read right', () => {
  const table = readTable(
    makeCsv({ ...GOOD_ROW, weight_grams: 'x' })
      .replace('weight_grams', 'weight')
      .replace('x', '1.2'),
  )
  const { mapping } = mapManifestColumns(table)
  const options = { country: 'GB', currency: 'GBP' }
  const read = (weight: 'kg' | 'lb') =>
    parseManifest(mapping, { ...options, units: { weight, length: 'mm' } }).rows[0]?.draft?.parcel
      .weight_grams
  expect([read('kg'), read('lb')]).toEqual([1200, 544])
})

test('a reference that several rows carry is left to the service', () => {
  const csv = makeCsv(GOOD_ROW, { ...GOOD_ROW, reference: 'A2' }, GOOD_ROW)
  const { rows } = parseTestManifest(csv)
  expect(rows.every(({ draft }) => draft !== undefined)).toBe(true)
})

test.each([
  ['Behind the shed', { leave_safe_place: 'Behind the shed' }],
  ['yes', { leave_safe_place: 'Any safe place' }],
  ['N', undefined],
  ['', undefined],
])('the safe place %j', (place, options) => {
  const { rows } = parseTestManifest(makeCsv({ ...GOOD_ROW, safe_place: place }))
  expect(rows[0]?.draft?.options).toEqual(options)
})

test('hubs are needed only when the file or a default names one', () => {
  const { mapping } = mapManifestColumns(readTable(makeCsv(GOOD_ROW)))
  expect(usesHubs(mapping)).toBe(false)
  expect(usesHubs(mapManifestColumns(readTable('hub\nLON1\n')).mapping)).toBe(true)
  expect(usesHubs({ ...mapping, defaults: new Map([['hub', 'LON1']]) })).toBe(true)
})

test('a row is either a shipment or has errors, whatever its cells hold', () => {
  const cell = oneof(
    string({ unit: 'grapheme' }),
    constantFrom('', '1200', '1,234', '30x20x10', "'SW1A 1AA", 'yes', '24h', '£8.50', '+44', 'GB', '=1+1'),
  )
  const columns = constantFrom(
    ...Object.keys(GOOD_ROW),
    'dimensions',
    'country',
    'phone',
    'hub',
    'value',
    'notes',
  )
  assert(
    property(array(dictionary(columns, cell), { minLength: 1, maxLength: 5 }), (spoilt) => {
      const all = Object.fromEntries(spoilt.flatMap((row) => Object.keys(row).map((key) => [key, ''])))
      const csv = makeCsv(...spoilt.map((row) => ({ ...GOOD_ROW, ...all, ...row })))
      const { rows } = parseTestManifest(csv.replaceAll('\0', ''), {}, { mergeLines: true })
      for (const { draft, errors } of rows) expect(draft === undefined).toBe(errors.length > 0)
      for (const { value } of rows.flatMap(({ errors }) => errors))
        expect(Array.from(value).length).toBeLessThan(41)
    }),
  )
})
