import { describe, expect, test } from 'vitest'
import * as cells from '../../../../src/commands/business/menu/cells.ts'

describe('a tax', () => {
  test.each([
    ['20', 2000],
    ['20%', 2000],
    ['0.2', 2000],
    ['8.25 %', 825],
    ['0.0825', 825],
    ['0,2', 2000],
    ['17.5', 1750],
    ['1%', 100],
    ['0.5%', 50],
    ['0', 0],
    ['100', 10_000],
  ])('of %s is %d hundredths of a per cent', (text, value) => {
    expect(cells.readTax(text)).toEqual({ value })
  })

  test.each([
    ['1', 'ambiguous_number'],
    ['1.0', 'ambiguous_number'],
    ['120', 'out_of_range'],
    ['-5', 'out_of_range'],
    ['8.255%', 'invalid_format'],
    ['standard', 'invalid_format'],
  ])('of %s is refused as %s', (text, code) => {
    expect(cells.readTax(text)).toMatchObject({ fault: { code } })
  })
})

describe('availability', () => {
  test.each(['yes', 'Y', 'TRUE', '1', 'active', 'In stock', 'in-stock', 'Available', '24', 'Verfügbar'])(
    '%s is on sale',
    (text) => {
      expect(cells.readAvailability(text)).toEqual({ value: true })
    },
  )

  test.each(['nicht verfügbar', 'available 3', 'price'])('%s is refused', (text) => {
    expect(cells.readAvailability(text)).toMatchObject({ fault: { code: 'invalid_format' } })
  })

  test.each([
    'no',
    'n',
    'false',
    '0',
    'sold out',
    'SOLD-OUT',
    'inactive',
    'Out of stock',
    'draft',
    '86',
    'Agotado',
  ])('%s is off sale', (text) => {
    expect(cells.readAvailability(text)).toEqual({ value: false })
  })

  test('anything else is asked for in other words', () => {
    expect(cells.readAvailability('maybe')).toMatchObject({ fault: { code: 'invalid_format' } })
  })
})

describe('a barcode', () => {
  test('is a GTIN, however it is spaced', () => {
    expect(cells.readBarcode('5 012345-678900')).toEqual({ value: '5012345678900' })
    expect(cells.readBarcode('12345670')).toEqual({ value: '12345670' })
  })

  test.each([
    ['5.01235E+12', 'A spreadsheet has shortened', undefined],
    ['5012345678901', 'The check digit should be 0', undefined],
    ['1234', '4 digits', undefined],
    ['ABC', 'a GTIN', undefined],
    ['36000291452', 'leading zeros', '036000291452'],
  ])('%s', (text, detail, suggestion) => {
    const reading = cells.readBarcode(text)
    expect('fault' in reading && reading.fault.detail).toContain(detail)
    expect('fault' in reading && reading.fault.suggestion).toBe(suggestion)
  })
})

describe('how many may be chosen', () => {
  test.each([
    ['2', 2],
    ['yes', 1],
    ['Required', 1],
    ['no', 0],
    ['optional', 0],
    ['1', 1],
  ])('at least %s is %d', (text, value) => {
    expect(cells.readLeast(text)).toEqual({ value })
  })

  test.each([
    ['3', 3],
    ['*', null],
    ['no limit', null],
  ])('at most %s is %s', (text, value) => {
    expect(cells.readMost(text)).toEqual({ value })
  })

  test('at most none is rejected', () => {
    expect(cells.readMost('0')).toMatchObject({ fault: { code: 'out_of_range' } })
  })
})

test('words are between bars or semicolons, each once', () => {
  expect(cells.readTags('vegan | gluten_free; vegan ;')).toEqual({ value: ['vegan', 'gluten_free'] })
  expect(cells.readTags('Milk, Celery')).toEqual({ value: ['Milk', 'Celery'] })
  expect(cells.readTags('Milk, skimmed; Celery')).toEqual({ value: ['Milk, skimmed', 'Celery'] })
  expect(cells.readTags('Milk, skimmed', true)).toEqual({ value: ['Milk, skimmed'] })
  expect(cells.readTags(String.raw`nuts\; seeds|a\|b`)).toEqual({ value: ['nuts; seeds', 'a|b'] })
  expect(cells.readTags('x'.repeat(41))).toMatchObject({ fault: { code: 'too_long' } })
})

test('a count is whole and not below nought', () => {
  expect(cells.readCount('1,250', 5000)).toMatchObject({ fault: { code: 'ambiguous_number' } })
  expect(cells.readCount('abc', 50)).toMatchObject({ fault: { detail: '"abc" is not a whole number.' } })
  expect(cells.readCount('12', 50)).toEqual({ value: 12 })
  expect(cells.readCount('1.5', 50)).toMatchObject({ fault: { code: 'invalid_format' } })
  expect(cells.readCount('-1', 50)).toMatchObject({ fault: { code: 'out_of_range' } })
  expect(cells.readCount('51', 50)).toMatchObject({ fault: { code: 'out_of_range' } })
})

test('an instant has its offset', () => {
  expect(cells.parseTimestampCell('2026-11-21T18:00:00+01:00')).toEqual({ value: '2026-11-21T17:00:00.000Z' })
  expect(cells.parseTimestampCell('2026-11-21 18:00')).toMatchObject({ fault: { code: 'invalid_format' } })
})

describe('allergens', () => {
  test.each([
    ['Gluten, Milk', ['Gluten', 'Milk']],
    ['gluten/celery', ['gluten', 'celery']],
    ['Milk & eggs + fish', ['Milk', 'eggs', 'fish']],
    ['Gluten Milk', ['Gluten', 'Milk']],
    ['tree nuts', ['tree nuts']],
    ['may contain nuts', ['may contain nuts']],
    ['1,7,9', ['1', '7', '9']],
    ['None', []],
    ['NO NUTS', []],
    ['nut-free', []],
    ['free from milk and eggs', []],
    ['None known', []],
    ['N/A', []],
    ['-', []],
  ])('%s are %j', (text, tags) => {
    expect(cells.readAllergens(text, false)).toEqual({ value: tags })
  })

  test.each(['No nuts but contains milk', 'No milk, eggs', 'no coriander'])('%s is asked about', (text) => {
    expect(cells.readAllergens(text, false)).toMatchObject({
      fault: { detail: expect.stringContaining('list only the allergens that it has') },
    })
  })

  test('of a file that dray wrote stay as they are', () => {
    expect(cells.readAllergens('None|gluten/celery', true)).toEqual({ value: ['None', 'gluten/celery'] })
  })
})
