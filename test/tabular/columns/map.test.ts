import { describe, expect, test } from 'vitest'
import type { MapOptions } from '../../../src/tabular/columns/map.ts'
import { listMappedColumns, mappingError, toSavedMap } from '../../../src/tabular/columns/mapping.ts'
import { readTable } from '../../../src/tabular/csv/read.ts'
import { catchError } from '../../support/caught.ts'
import { GOOD_ROW, mapManifestColumns, readManifestFlags, makeCsv } from '../../support/manifests.ts'

function map(headers: string, options: MapOptions = {}) {
  const cells = headers.split(',').map((_, index) => String(index))
  return mapManifestColumns(readTable(`${headers}\n${cells.join(',')}\n`), options)
}

/** Returns the header found for each column. */
function found(headers: string, options: MapOptions = {}): Record<string, string> {
  const table = readTable(`${headers}\n${headers.replaceAll(/[^,]+/g, '0')}\n`)
  const { mapping } = mapManifestColumns(table, options)
  return Object.fromEntries(listMappedColumns(mapping).map(({ column, header }) => [column, header]))
}

const REST = 'recipient_name,address_line1,city,postal_code,weight_grams,length_mm,width_mm,height_mm'

describe('headers become columns', () => {
  test('by their own names', () => {
    const { mapping, missing, unknown, ambiguous } = map(`reference,${REST}`)
    expect([...mapping.sources.values()].every(({ how }) => how === 'exact')).toBe(true)
    expect({ missing, unknown, ambiguous }).toEqual({ missing: [], unknown: [], ambiguous: [] })
  })

  test.each([
    ['Weight (kg)', 'weight_grams', 'kg'],
    ['weight_kg', 'weight_grams', 'kg'],
    ['Weight in grams', 'weight_grams', 'g'],
    ['Parcel Weight [lbs]', 'weight_grams', 'lb'],
    ['length_cm', 'length_mm', 'cm'],
    ['Length in', 'length_mm', 'in'],
    ['Depth (mm)', 'height_mm', 'mm'],
    ['dim_w', 'width_mm', undefined],
    ['Dimensions (cm)', 'dimensions', 'cm'],
    ['weight_grams', 'weight_grams', 'g'],
    ['height_mm', 'height_mm', 'mm'],
    ['Weight', 'weight_grams', undefined],
  ])('%s is %s in %s', (header, column, unit) => {
    const { mapping } = map(`${header},other`)
    expect(mapping.sources.get(column as 'weight_grams')?.from[0]?.unit).toBe(unit)
  })

  test('in any case, with accents and punctuation', () => {
    expect(found('REFERENCE,Address Line 1,PostCode,E-Mail,Région')).toEqual({
      reference: 'REFERENCE',
      address_line1: 'Address Line 1',
      postal_code: 'PostCode',
      email: 'E-Mail',
      region: 'Région',
    })
  })

  test.each([
    'Name,Address Line 1,City,Postal Code,Ship To Name,Ship To Address Line 1,Ship To City,Ship To Postal Code',
    'name,address_line1,address_line2,city,postal_code,ship_to_name,ship_to_address_line_1,ship_to_city,ship_to_postal_code',
    'City,Ship To Name,Ship To Address,Ship To City,Ship To Postcode',
  ])(
    "those of the recipient come before another's, also where that has a column's own name: %s",
    (headers) => {
      const columns = found(`Order,${headers}`)
      expect(columns['address_line2']).toBeUndefined()
      for (const column of ['recipient_name', 'address_line1', 'city', 'postal_code'])
        expect(columns[column]).toMatch(/^ship.to/i)
    },
  )

  test('of things is no description above counts of them', () => {
    const counted = map(`Items,reference,${REST}`)
    expect([counted.mapping.sources.has('description'), counted.unknown]).toEqual([false, ['Items']])
    expect(mapManifestColumns(readTable('Items,ref\nTea towel,1\n')).mapping.sources.has('description')).toBe(
      true,
    )
  })

  test('those of the template stay its own beside further ones', () => {
    expect(found(`reference,${REST},Customer City`)['city']).toBe('city')
  })

  test('an exact name wins over an alias, which is then reported as unknown', () => {
    const { mapping, unknown } = map('postal_code,zip')
    expect(mapping.sources.get('postal_code')).toEqual({ how: 'exact', from: [{ at: [0], join: '' }] })
    expect(unknown).toEqual(['zip'])
  })

  test('a saved map comes before aliases and is ignored where its header is absent', () => {
    const saved = { postal_code: 'PLZ', city: 'Ort' }
    expect(found('ref,PLZ,zip,town', { saved })).toMatchObject({ postal_code: 'PLZ', city: 'town' })
  })

  test('--map comes before everything', () => {
    const flags = readManifestFlags('--map', ['zip=Target', 'reference=City'])
    expect(found('postal_code,Target,city', { map: flags })).toEqual({
      postal_code: 'Target',
      reference: 'city',
    })
  })

  test('a saved map keeps a column from another header than the one with its name', () => {
    const saved = { reference: 'Order', city: 'city' }
    expect(found('reference,Order,city', { saved })).toMatchObject({ reference: 'Order', city: 'city' })
  })

  test('a saved map has the found headers, and finds them again', () => {
    const table = readTable('Bestellung,Name,Gewicht kg\n1,2,3\n')
    const flags = readManifestFlags('--map', [
      'reference=Bestellung',
      'recipient_name=Name',
      'weight=Gewicht kg',
    ])
    const { mapping } = mapManifestColumns(table, { map: flags })
    const saved = toSavedMap(mapping, { units: { weight: 'kg' } })
    expect(saved).toEqual({
      reference: 'Bestellung',
      recipient_name: 'Name',
      weight_grams: 'Gewicht kg',
      weight_unit: 'kg',
    })
    expect(mapManifestColumns(table, { saved }).mapping.sources.get('weight_grams')).toEqual({
      how: 'saved',
      from: [{ at: [2], join: '', unit: 'kg' }],
    })
  })
})

describe('an ambiguous header', () => {
  test('two aliases of one column are asked about, and refused in a script', () => {
    const mapped = map(`order_id,order_number,${REST}`)
    expect(mapped.ambiguous).toEqual([{ column: 'reference', headers: ['order_id', 'order_number'] }])
    expect(mapped.missing).toEqual([])
    const error = mappingError(mapped, 1)
    expect(error?.code).toBe('usage')
    expect(error?.message).toContain('reference can be "order_id" (0) or "order_number" (1)')
    expect(error?.hint).toBe('Say which with --map reference=order_id.')
  })

  test('an answer settles it', () => {
    const answer = readManifestFlags('--map', ['reference=order_number'])
    const mapped = map(`order_id,order_number,${REST}`, { map: answer })
    expect(mapped.ambiguous).toEqual([])
    expect(mappingError(mapped, 1)).toBeUndefined()
    expect(mapped.unknown).toEqual(['order_id'])
  })

  test.each(['reference,city,City', 'ref,zip,Zip'])(
    'the same column twice refuses the file: %s',
    (headers) => {
      const error = catchError(() => map(headers))
      expect(error.code).toBe('file_error')
      expect(error.extra['reason']).toMatchObject({ code: 'duplicate_column' })
      expect(error.message).toContain('(column 2)')
    },
  )

  test('unknown columns may repeat', () => {
    expect(map('reference,foo,foo').unknown).toEqual(['foo', 'foo'])
  })

  test('all missing columns are listed at once, with what to type', () => {
    const mapped = map('Unser Ref Feld,Name (last),Town,Kunz PLZ')
    expect(mapped.missing.map(({ column }) => column)).toEqual([
      'reference',
      'recipient_name',
      'address_line1',
      'postal_code',
      'weight_grams',
      'length_mm',
      'width_mm',
      'height_mm',
    ])
    const error = mappingError(mapped, 1)
    expect(error?.extra['reason']).toMatchObject({ code: 'missing_column' })
    expect(error?.exitCode).toBe(2)
    expect(error?.hint).toBe(
      'Add --map "reference=Unser Ref Feld" --map "recipient_name=Name (last)" --map address_line1=HEADER --map "postal_code=Kunz PLZ" --default weight_grams=1200 --default dimensions=30x20x10cm, with your own headers and values.',
    )
  })

  test('unknown headers are named beside the missing columns', () => {
    const mapped = map('Reference,Name,Address,City,Postcode,Weight (kg),Grösse,Foo')
    expect(mappingError(mapped, 1)?.hint).toBe(
      'Add --default dimensions=30x20x10cm, with your own headers and values. No column was found in "Grösse", "Foo".',
    )
    const many = map('Reference,a1,a2,a3,a4,a5,a6,a7')
    expect(mappingError(many, 1)?.hint).toMatch(
      /No column was found in "a1", "a2", "a3", "a4", "a5" and 2 more\.$/,
    )
  })

  test('a file without a header is asked whether it has one', () => {
    const hint = mappingError(map('Amelia Hart,14 Lamb Street'), 3)?.hint
    expect(hint).toContain('No header was recognised in row 3: is that the header?')
    expect(hint).toContain('--map city=HEADER')
  })

  test('one dimensions column replaces the three sizes', () => {
    const sizes = map('reference,recipient_name,address_line1,city,postal_code,weight_grams,dimensions')
    expect(sizes.missing).toEqual([])
  })

  test('defaults stand in for missing columns', () => {
    const defaults = readManifestFlags('--default', ['weight_kg=1.2', 'dimensions=30x20x10cm'])
    expect(map('reference,recipient_name,address_line1,city,postal_code', { defaults }).missing).toEqual([])
    expect(defaults.get('weight_grams')).toBe('1.2kg')
  })

  test('--strict refuses unknown columns', () => {
    const error = catchError(() => map('reference,Gift wrap', { strict: true }))
    expect(error.message).toContain('"Gift wrap"')
    expect(error.exitCode).toBe(2)
  })
})

describe('flags that are wrong', () => {
  test.each([
    ['--map', 'postal_code', 'not of the form column=Header'],
    ['--default', '=5', 'not of the form column=value'],
    ['--map', 'colour=Red', 'names a column that manifests do not have: colour'],
  ] as const)('%s %s', (flag, value, words) => {
    const error = catchError(() => readManifestFlags(flag, [value]))
    expect(error.code).toBe('usage')
    expect(error.message).toContain(words)
  })

  test('a misspelt column gets a suggestion', () => {
    expect(catchError(() => readManifestFlags('--map', ['postal_cod=Zip'])).hint).toBe(
      'Did you mean postal_code?',
    )
  })

  test('a header that the file does not have gets a suggestion', () => {
    const flags = readManifestFlags('--map', ['postal_code=Poscode'])
    expect(catchError(() => map('reference,Postcode', { map: flags })).hint).toBe('Did you mean "Postcode"?')
  })
})

test('--map-only shows where each column comes from, with its first value', () => {
  const table = readTable(makeCsv({ ...GOOD_ROW, Notes: '' }, { ...GOOD_ROW, Notes: 'ring twice' }))
  const { mapping } = mapManifestColumns(table, { defaults: readManifestFlags('--default', ['service=24h']) })
  const rows = listMappedColumns(mapping)
  expect(rows).toContainEqual({ column: 'reference', header: 'reference', how: 'exact', sample: 'A1' })
  expect(rows).toContainEqual({ column: 'instructions', header: 'Notes', how: 'alias', sample: 'ring twice' })
  expect(rows).toContainEqual({ column: 'service_level', header: '', how: 'default', sample: '24h' })
})
