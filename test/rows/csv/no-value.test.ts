import { describe, expect, test } from 'vitest'
import { columnOf as menuColumn } from '../../../src/commands/business/menu/columns.ts'
import { describeNoValue, isLikeEmpty } from '../../../src/rows/csv/no-value.ts'
import { columnOf } from '../../../src/rows/manifest/columns.ts'

describe('an error of a spreadsheet', () => {
  test.each(
    [
      '#N/A #VALUE! #REF! #NAME? #DIV/0! #NUM! #NULL! #SPILL! #CALC! #n/a ########',
      '#NV #WERT! #BEZUG! #ZAHL! #ÜBERLAUF! #VALEUR! #NOM? #NOMBRE! #N/D',
      '#¡VALOR! #¡REF! #¿NOMBRE? #¡DIV/0! #VALORE! #RIF! #NOME? Err:502',
    ].flatMap((line) => line.split(' ')),
  )('%s is refused in every column that is read', (text) => {
    for (const column of ['reference', 'recipient_name', 'address_line2', 'company', 'description'] as const)
      expect(describeNoValue(text, columnOf(column))).toMatch(/save the file again\.$/)
    for (const column of ['name', 'price', 'allergens', 'modifier_name', 'sku'] as const)
      expect(describeNoValue(text, menuColumn(column))).toMatch(/save the file again\.$/)
    // An optional telephone or e-mail is left out instead.
    expect(isLikeEmpty(text, columnOf('phone'))).toBe(true)
    expect(describeNoValue(text, columnOf('email'))).toBeUndefined()
  })

  test.each(['#2001', '#A-17', '#1 Mill Lane', '# 4', 'Flat #N', '##', 'N/A', 'No. 5!'])(
    'is not what %s is',
    (text) => expect(describeNoValue(text, columnOf('address_line1'))).toBeUndefined(),
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
      expect(describeNoValue(text, columnOf(column))).toBe(
        'A program wrote this for an empty cell; write the value.',
      )
    for (const column of ['external_ref', 'sku', 'barcode', 'supplier_id'] as const)
      expect(describeNoValue(text, menuColumn(column))).toBe(
        'A program wrote this for an empty cell; write the value, or empty the cell.',
      )
  })

  test.each(WORDS)('%s is nothing where a text may be left out', (text) => {
    for (const column of ['address_line2', 'company', 'instructions', 'phone', 'leave_safe_place'] as const)
      expect([isLikeEmpty(text, columnOf(column)), describeNoValue(text, columnOf(column))]).toEqual([
        true,
        undefined,
      ])
  })

  test('inside a value that is needed, it is refused too', () => {
    for (const name of ['undefined undefined', 'Fern null', 'Fern NULL', 'null null'])
      expect([name, describeNoValue(name, columnOf('recipient_name'))]).toEqual([name, expect.any(String)])
    expect(describeNoValue('ORD-undefined', columnOf('reference'))).toBeDefined()
    expect(describeNoValue('12 Lamb Street, null', columnOf('address_line1'))).toBeDefined()
  })

  test.each(['Null', 'Jennifer Null', 'JENNIFER NULL', 'Nan', 'Nan Goldin', 'Anna Nullmann', 'Nonette Bell'])(
    'is not the person %s',
    (name) => expect(describeNoValue(name, columnOf('recipient_name'))).toBeUndefined(),
  )

  test('None is an option of a dish, no limit, and no allergen', () => {
    for (const column of ['modifier_name', 'modifier_max', 'allergens'] as const)
      expect(describeNoValue('None', menuColumn(column))).toBeUndefined()
    expect(describeNoValue('NULL', menuColumn('allergens'))).toBeDefined()
    expect(isLikeEmpty('None', menuColumn('modifier_name'))).toBe(false)
  })

  test('the company Null keeps its name', () => {
    expect(isLikeEmpty('Null', columnOf('company'))).toBe(false)
  })
})
