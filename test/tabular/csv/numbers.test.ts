import { describe, expect, test } from 'vitest'
import {
  findOpenUnit,
  haveDecimalCommas,
  isBare,
  isUnit,
  type LengthUnit,
  parseBoolean,
  parseDimensions,
  parseLength,
  parseWeight,
  unitOf,
  unitsOf,
  type WeightUnit,
  withPoints,
  withSureCommas,
} from '../../../src/tabular/csv/numbers.ts'

describe('weights', () => {
  test.each<[string, WeightUnit, number]>([
    ['1200', 'g', 1200],
    ['1200g', 'kg', 1200],
    ['1.2kg', 'g', 1200],
    ['1,2 kg', 'g', 1200],
    ['1.2 KGS', 'g', 1200],
    ['1.5lb', 'g', 680],
    ['2 lbs.', 'g', 907],
    ['1.2 KGM', 'g', 1200],
    ['8oz', 'g', 227],
    ['52', 'oz', 1474],
    ['0.85', 'kg', 850],
    ['1.234', 'kg', 1234],
    ['1,234.50', 'oz', 34997],
    ['1.234,00 g', 'kg', 1234],
    ['1 lb 4 oz', 'kg', 567],
    ['1 lb + 4 oz', 'g', 567],
    ['2 pounds, 3 ounces', 'g', 992],
    ['4 × 500 g', 'g', 2000],
    ['2 × 0.5 kg + 1 × 300 g', 'g', 1300],
    ['12 000 g', 'kg', 12000],
    ['1200.00', 'g', 1200],
    ['  1.2kg ', 'g', 1200],
    ['0.001', 'kg', 1],
    ['12 × 500 g', 'g', 6000],
    [' 4×500 g', 'g', 2000],
    ['1 lb + 15 oz', 'g', 879],
    // Zero ounces, other units and three weights do not tell a part of the weight twice.
    ['1.25 lb 0 oz', 'g', 567],
    ['1 kg + 20 oz', 'g', 1567],
    ['1.5 lb + 300 g', 'g', 980],
    ['1.5 lb + 2 oz + 3 oz', 'g', 822],
    ['1.5 oz + 100 g', 'g', 143],
  ])('%s in a column of %s is %d g', (text, unit, grams) => {
    expect(parseWeight(text, unit)).toBe(grams)
  })

  test.each<[string, WeightUnit, string, string]>([
    ['1,234', 'g', 'ambiguous_number', '1234 or 1.234'],
    ['1,234kg', 'g', 'ambiguous_number', '1234 or 1.234'],
    ['heavy', 'g', 'invalid_format', 'not a number'],
    ['1 kg 200 g', 'kg', 'invalid_format', '"1 kg 200 g" is two numbers; write it as one, in g, kg, oz, lb.'],
    ['1.25 lb + 20 oz', 'g', 'ambiguous_number', 'the same weight twice'],
    ['1.25 lb 4 oz', 'g', 'ambiguous_number', 'the same weight twice'],
    ['1.234,5 g', 'kg', 'invalid_format', '1.234,5 g has a fraction of a gram; write whole grams.'],
    ['1.2345 kg', 'g', 'invalid_format', '1.2345 kg has a fraction of a gram; write whole grams.'],
    ['12 stone', 'g', 'invalid_format', '"stone" is not a unit; use g, kg, oz, lb.'],
    ['-5', 'g', 'out_of_range', 'negative'],
    ['0', 'g', 'out_of_range', 'more than 0'],
    ['0.0001', 'kg', 'out_of_range', 'more than 0'],
    ['1.2', 'g', 'invalid_format', 'write whole g, or the unit behind the number'],
    ['١٢٠٠', 'g', 'invalid_format', 'not a number'],
    ['1e3', 'g', 'invalid_format', 'not a number'],
    ['12,34.5', 'g', 'invalid_format', 'not a number'],
    ['99999999999999999999', 'g', 'out_of_range', 'too large'],
    [' 99999999999999 kg ', 'g', 'out_of_range', '99999999999999 kg is too large'],
    [' 0.6 g ', 'kg', 'out_of_range', '0.6 g is too small'],
    [' 1.2345 kg ', 'g', 'invalid_format', '1.2345 kg has a fraction'],
    [' 1 lb + 16 oz ', 'g', 'ambiguous_number', '1 lb + 16 oz may be'],
    [' 12kg 200 g ', 'g', 'invalid_format', '"12kg 200 g" is two numbers'],
    ['1 kg  200g', 'g', 'invalid_format', 'is two numbers'],
    ['1 kg x', 'g', 'invalid_format', 'not a number'],
    ['x1 kg 2', 'g', 'invalid_format', 'not a number'],
    ['x4 × 500 g', 'g', 'invalid_format', 'not a number'],
    ['about 12 stone', 'g', 'invalid_format', 'not a number'],
    [`1 kg ${'2'.repeat(35)}`, 'g', 'invalid_format', 'is two numbers'],
    [`1 kg ${'2'.repeat(36)}`, 'g', 'invalid_format', 'not a number'],
  ])('%s in a column of %s is refused', (text, unit, problem, words) => {
    expect(parseWeight(text, unit)).toEqual({ problem, detail: expect.stringContaining(words) })
  })

  test('a fraction of grams is named without the spaces around it', () => {
    expect(parseWeight(' 1.5 ', 'g')).toMatchObject({
      detail: expect.stringMatching(/^1\.5 g has a fraction/),
    })
  })
})

describe('lengths', () => {
  test.each<[string, LengthUnit, number]>([
    ['300', 'mm', 300],
    ['30cm', 'mm', 300],
    ['300 mm', 'in', 300],
    ['12in', 'mm', 305],
    ['12"', 'mm', 305],
    ['0.4 m', 'mm', 400],
    ['12.5', 'cm', 125],
  ])('%s in a column of %s is %d mm', (text, unit, millimetres) => {
    expect(parseLength(text, unit)).toBe(millimetres)
  })

  test.each([
    ['x5', 'invalid_format'],
    ['0', 'out_of_range'],
    ['1.5', 'invalid_format'],
    ['0.05cm', 'out_of_range'],
    ['5kg', 'invalid_format'],
  ])('%s in a column of mm is refused', (text, problem) => {
    expect(parseLength(text, 'mm')).toMatchObject({ problem })
  })

  test.each<[string, LengthUnit, [number, number, number]]>([
    ['30x20x10cm', 'mm', [300, 200, 100]],
    ['30 x 20 x 10 cm', 'mm', [300, 200, 100]],
    ['300×200×100', 'mm', [300, 200, 100]],
    ['30cm x 200mm x 0.1m', 'mm', [300, 200, 100]],
    ['12*8*4', 'in', [305, 203, 102]],
    ['20 by 15 by 5 cm', 'mm', [200, 150, 50]],
    ['20х15Х5 cm', 'mm', [200, 150, 50]],
  ])('dimensions %s in a column of %s', (text, unit, sizes) => {
    expect(parseDimensions(text, unit)).toEqual(sizes)
  })

  test.each(['30x20', '30x20x10x5', 'small', '30xx10', '20.05x15x5cm'])(
    'dimensions %s are refused',
    (text) => {
      expect(parseDimensions(text, 'mm')).toMatchObject({ problem: 'invalid_format' })
    },
  )
})

describe('units', () => {
  test('of a column are those of its kind', () => {
    expect(['weight', 'length', 'dimensions', 'text'].map(unitsOf)).toEqual([
      ['g', 'kg', 'oz', 'lb'],
      ['mm', 'cm', 'm', 'in'],
      ['mm', 'cm', 'm', 'in'],
      [],
    ])
  })

  test.each<[string, 'weight' | 'length' | undefined, string | undefined]>([
    ['kg', undefined, 'kg'],
    ['kg', 'weight', 'kg'],
    ['kg', 'length', undefined],
    ['zentimeter', 'length', 'cm'],
    ['"', undefined, 'in'],
    ['stone', undefined, undefined],
    ['stone', 'weight', undefined],
  ])('%s as a %s is %s', (word, kind, unit) => {
    expect(unitOf(word, kind)).toBe(unit)
  })

  test('may stand in a cell of their own', () => {
    const cells = ['oz', ' OZ. ', 'cm', 'o.z', 'stone', '12', '']
    expect(cells.filter((cell) => isUnit(cell))).toEqual(['oz', ' OZ. ', 'cm'])
    expect(cells.filter((cell) => isUnit(cell, 'weight'))).toEqual(['oz', ' OZ. '])
  })

  test('are missing behind a number that ends a cell', () => {
    const cells = ['12', '12  ', '1.', 'kg 12', '12 kg', '12kg ', 'a', '']
    expect(cells.filter(isBare)).toEqual(['12', '12  ', '1.', 'kg 12'])
  })
})

describe('a file of numbers', () => {
  test.each([
    ['12,5 beside it', ['1,250', '12,5'], true],
    ['0,850 beside it', ['1,250', '0,850'], true],
    ['one of four decimals', ['1,2345'], true],
    ['a decimal comma behind points of thousands', ['1.234,50'], true],
    ['a unit behind it', ['1,250', '12,5 kg'], true],
    ['two sides of a box', ['1,250', '30,5x20x10'], true],
    ['nothing else that tells', ['1,250', '2,400', '850'], false],
    ['no comma at all', ['12.5', '1.250'], false],
    // A decimal point elsewhere: a comma may then group thousands.
    ['2.5 elsewhere', ['1,250', '2.5'], false],
    ['2.5 elsewhere, and 12,5', ['1,250', '12,5', '2.5'], false],
    ['2.50 kg elsewhere, and 12,5', ['12,5', '2.50 kg'], false],
    ['commas of thousands elsewhere', ['12,5', '1,234,567'], false],
    ['a point behind a comma of thousands', ['12,5', '1,234.567'], false],
    ['points of thousands elsewhere', ['12,5', '1.250'], true],
    ['a word before it', ['EUR 12,5'], true],
    ['a word before 0,850', ['EUR 0,850'], true],
    ['a word behind 0,850', ['0,850 kg'], true],
    ['10,850, which is no 0,850', ['1,250', '10,850'], false],
    ['12,5 before other digits', ['12,5 1'], false],
    ['12,5 behind other digits', ['1 12,5'], false],
    ['0,850 behind other digits', ['1 0,850'], false],
    ['0,850 before other digits', ['0,850 1'], false],
  ])('with %s has decimal commas: %s', (_, cells, have) => {
    expect([haveDecimalCommas(cells), haveDecimalCommas(cells.toReversed())]).toEqual([have, have])
  })

  test.each([
    ['1.250', '1250', '1250'],
    ['1,250', '1.250', '1,2500'],
    ['0,250', '0.250', '0,250'],
    ['10,250', '10.250', '10,2500'],
    ['1,2345', '1.2345', '1,2345'],
    ['12,5 kg', '12.5 kg', '12,5 kg'],
    ['1.234.567,5', '1234567.5', '1234567,5'],
    ['30,5x20x10', '30.5x20x10', '30,5x20x10'],
    ['1.2345', '1.2345', '1.2345'],
    ['850', '850', '850'],
  ])('of decimal commas: %s is %s, and stands alone as %s', (text, points, alone) => {
    expect([withPoints(text), withSureCommas(text)]).toEqual([points, alone])
  })
})

describe('whether bare numbers leave their unit open', () => {
  test.each<[string, string[], string | undefined]>([
    ['whole grams', ['850', '1200', '2400'], undefined],
    ['a fraction', ['850', '1.2', '2400'], '1.2'],
    ['a decimal comma', ['850', '40', '1,2'], '1,2'],
    ['small numbers', ['900', '1', '2', '3'], '1'],
    ['a median of 50', ['40', '60'], undefined],
    ['a median below 50', ['40', '59'], '40'],
    ['all with their own unit', ['1.2kg', '300g', ''], undefined],
    ['one without', ['1.2kg', '3', ''], '3'],
    ['decimals that are whole', ['1200.00', '850.0'], undefined],
    ['no numbers at all', ['', 'heavy'], undefined],
    ['50 beside smaller ones', ['50', '49', '10'], '49'],
    ['an odd number of them', ['40', '60', '70'], undefined],
    ['an even number of them, around 50', ['40', '48', '51', '70'], '40'],
    ['a middle of 50', ['40', '50', '60'], undefined],
    ['12 light ones', ['12 × 40'], '12 × 40'],
    ['12 light ones, written close', ['12×40'], '12×40'],
    ['12 light ones, written wide', ['12  ×  40'], '12  ×  40'],
    ['a count with a fraction, which is no number', ['1.12 × 500'], undefined],
    ['12 of them', ['12 × 500', '12×400', '12  ×  300'], undefined],
    ['12 of them, and a fraction', ['12 × 500', '12 × 0.5', '300'], '12 × 0.5'],
    ['spaces alone', ['  ', '500'], undefined],
  ])('%s', (_, cells, open) => {
    const at = findOpenUnit(cells, 'weight')
    expect(at === undefined ? undefined : cells[at]).toBe(open)
  })

  test('dimensions are looked at side by side', () => {
    expect(findOpenUnit(['30x20x10'], 'dimensions')).toBe(0)
    expect(findOpenUnit(['300x200x100'], 'dimensions')).toBeUndefined()
    expect(findOpenUnit(['30x20x10cm'], 'dimensions')).toBeUndefined()
    expect(findOpenUnit(['small', '30x20'], 'dimensions')).toBeUndefined()
  })
})

test.each([
  ['yes', true],
  ['Y', true],
  ['TRUE', true],
  ['1', true],
  ['no', false],
  ['n', false],
  ['J', true],
  ['S', true],
  ['False', false],
  [' 0 ', false],
  ['x', undefined],
  // Not a boolean: it could be a French oui or a zero.
  ['o', undefined],
  ['', undefined],
  ['constructor', undefined],
])('the boolean %j is %s', (text, value) => {
  expect(parseBoolean(text)).toBe(value)
})
