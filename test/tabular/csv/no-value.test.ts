import { describe, expect, test } from 'vitest'
import { getMenuColumn } from '../../../src/commands/business/menu/columns.ts'
import { describeFormula, describeNoValue, isLikeEmpty } from '../../../src/tabular/csv/no-value.ts'
import { getManifestColumn } from '../../../src/tabular/manifest/columns.ts'

describe('an error of a spreadsheet', () => {
  test.each(
    [
      '#N/A #VALUE! #REF! #NAME? #DIV/0! #NUM! #NULL! #SPILL! #CALC! #n/a ########',
      '#NV #WERT! #BEZUG! #ZAHL! #ÜBERLAUF! #VALEUR! #NOM? #NOMBRE! #N/D',
      '#¡VALOR! #¡REF! #¿NOMBRE? #¡DIV/0! #VALORE! #RIF! #NOME? Err:502',
    ].flatMap((line) => line.split(' ')),
  )('%s is refused in every column that is read', (text) => {
    for (const column of ['reference', 'recipient_name', 'address_line2', 'company', 'description'] as const)
      expect(describeNoValue(text, getManifestColumn(column))).toMatch(/save the file again\.$/)
    for (const column of ['name', 'price', 'allergens', 'modifier_name', 'sku'] as const)
      expect(describeNoValue(text, getMenuColumn(column))).toMatch(/save the file again\.$/)
    // An optional telephone or e-mail is skipped instead.
    expect(isLikeEmpty(text, getManifestColumn('phone'))).toBe(true)
    expect(describeNoValue(text, getManifestColumn('email'))).toBeUndefined()
  })

  test.each(['#2001', '#A-17', '#1 Mill Lane', '# 4', 'Flat #N', '##', 'No. 5!'])(
    'is not what %s is',
    (text) => expect(describeNoValue(text, getManifestColumn('address_line1'))).toBeUndefined(),
  )
})

describe('a word for nothing', () => {
  const WORDS = [
    'NULL',
    'null',
    'NaN',
    'nan',
    'None',
    'undefined',
    '[object Object]',
    '(null)',
    String.raw`\N`,
  ]

  test.each(WORDS)('%s is refused where a value is needed, and in codes', (text) => {
    for (const column of ['reference', 'recipient_name', 'address_line1', 'city', 'postal_code'] as const)
      expect(describeNoValue(text, getManifestColumn(column))).toBe(
        'A program wrote this for an empty cell; write the value.',
      )
    for (const column of ['external_ref', 'sku', 'barcode', 'supplier_id'] as const)
      expect(describeNoValue(text, getMenuColumn(column))).toBe(
        'A program wrote this for an empty cell; write the value, or empty the cell.',
      )
  })

  test.each(WORDS)('%s is nothing where a text may be left out', (text) => {
    for (const column of ['address_line2', 'company', 'instructions', 'phone', 'leave_safe_place'] as const)
      expect([
        isLikeEmpty(text, getManifestColumn(column)),
        describeNoValue(text, getManifestColumn(column)),
      ]).toEqual([true, undefined])
  })

  test('inside a value that is needed, it is refused too', () => {
    for (const name of ['undefined undefined', 'Fern null', 'Fern NULL', 'null null'])
      expect([name, describeNoValue(name, getManifestColumn('recipient_name'))]).toEqual([
        name,
        expect.any(String),
      ])
    expect(describeNoValue('ORD-undefined', getManifestColumn('reference'))).toBeDefined()
    expect(describeNoValue('12 Lamb Street, null', getManifestColumn('address_line1'))).toBeDefined()
  })

  test.each(['Null', 'Jennifer Null', 'JENNIFER NULL', 'Nan', 'Nan Goldin', 'Anna Nullmann', 'Nonette Bell'])(
    'is not the person %s',
    (name) => expect(describeNoValue(name, getManifestColumn('recipient_name'))).toBeUndefined(),
  )

  test('None is an option of a dish, no limit, and no allergen', () => {
    for (const column of ['modifier_name', 'modifier_max', 'allergens'] as const)
      expect(describeNoValue('None', getMenuColumn(column))).toBeUndefined()
    expect(describeNoValue('NULL', getMenuColumn('allergens'))).toBeDefined()
    expect(isLikeEmpty('None', getMenuColumn('modifier_name'))).toBe(false)
  })

  test('the company Null keeps its name', () => {
    expect(isLikeEmpty('Null', getManifestColumn('company'))).toBe(false)
  })
})

describe('a formula', () => {
  test.each([
    '=CONCATENATE("GC-",A2)',
    '=HYPERLINK("http://x.example/1";"X-2")',
    '=A1+1',
    '=cmd',
    '=-5',
    '="A-"&B2',
    ' =B2',
    '+A1+B2',
    '-A1*2',
    '@SUM(A1:A3)',
  ])('%s is not its value', (cell) => {
    expect(describeFormula(cell)).toMatch('save the file with the values')
  })

  test.each([
    '="000123"',
    '="5"" pipe"',
    "'=cmd",
    '+447700900123',
    '+Plus Ltd',
    '-5',
    '-A1',
    '@home',
    '- by the gate',
    '=====',
    '=== Gate 3 ===',
    'A=1',
  ])('is not what %s is', (cell) => {
    expect(describeFormula(cell)).toBeUndefined()
  })
})

describe('a sign or word for nothing', () => {
  const SIGNS = [
    '-',
    '--',
    '–',
    '.',
    '?',
    'n/a',
    'N/A',
    'n.a.',
    'tbc',
    'TBA',
    'unknown',
    'Unbekannt',
    'not given',
  ]

  test.each(SIGNS)('%s is refused where a value is needed, and in codes', (text) => {
    for (const column of ['reference', 'recipient_name', 'address_line1', 'city'] as const)
      expect([column, describeNoValue(text, getManifestColumn(column))]).toEqual([
        column,
        'This stands for an empty cell; write the value.',
      ])
    for (const column of ['name', 'category', 'external_ref', 'sku', 'supplier_id'] as const)
      expect(describeNoValue(text, getMenuColumn(column))).toMatch('This stands for an empty cell')
  })

  test.each(SIGNS)('%s is nothing where a text may be left out', (text) => {
    for (const column of ['address_line2', 'company', 'region', 'instructions'] as const)
      expect([
        isLikeEmpty(text, getManifestColumn(column)),
        describeNoValue(text, getManifestColumn(column)),
      ]).toEqual([true, undefined])
    expect(isLikeEmpty(text, getMenuColumn('description'))).toBe(true)
    expect(describeNoValue(text, getMenuColumn('modifier_name'))).toBeUndefined()
  })

  test.each(['0', 'x', 'XXX', 'na', 'nil', 'keine'])('%s may be a code, and is no name or town', (text) => {
    expect(describeNoValue(text, getManifestColumn('reference'))).toBeUndefined()
    expect(describeNoValue(text, getManifestColumn('city'))).toBeDefined()
    expect(describeNoValue(text, getMenuColumn('sku'))).toBeUndefined()
  })

  test.each(['Xu', 'Ono', 'No. 7', 'Nadia', '1', 'A-', 'T.', 'Noël', '24/7 Shop'])(
    'is not what %s is',
    (text) => {
      for (const column of ['reference', 'recipient_name', 'address_line1', 'company'] as const)
        expect([
          isLikeEmpty(text, getManifestColumn(column)),
          describeNoValue(text, getManifestColumn(column)),
        ]).toEqual([false, undefined])
    },
  )

  test('is refused in place of a text where a spreadsheet made it of yes or no', () => {
    for (const text of ['TRUE', 'FALSE', 'WAHR', 'FAUX']) {
      for (const column of ['reference', 'recipient_name', 'company', 'instructions'] as const)
        expect(describeNoValue(text, getManifestColumn(column))).toMatch(
          `${text} is a truth value and no text`,
        )
      expect(describeNoValue(text, getMenuColumn('external_ref'))).toBeDefined()
      for (const column of ['signature_required', 'leave_safe_place'] as const)
        expect(describeNoValue(text, getManifestColumn(column))).toBeUndefined()
      expect(describeNoValue(text, getMenuColumn('available'))).toBeUndefined()
    }
  })
})
