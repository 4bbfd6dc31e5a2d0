import { describe, expect, test } from 'vitest'
import { decimalToNumber, parseDecimal } from '../../src/core/decimal.ts'
import { fc } from '../support/properties.ts'

describe('a number as people write it', () => {
  test.each([
    ['8.50', '8', '50'],
    ['8,5', '8', '5'],
    ['1,234.50', '1234', '50'],
    ['1.234,50', '1234', '50'],
    ['1 234,50', '1234', '50'],
    ['1\u00a0234,50', '1234', '50'],
    ["1'234.50", '1234', '50'],
    ['1.234', '1', '234'],
    ['0,234', '0', '234'],
    ['1234,567', '1234', '567'],
    ['1,2345', '1', '2345'],
    ['1,234,567', '1234567', ''],
    ['1.234.567', '1234567', ''],
    ['1,234,567.8', '1234567', '8'],
    ['007', '7', ''],
    ['.5', '0', '5'],
    [' 12 ', '12', ''],
  ])('%j is %s and %j', (text, whole, fraction) => {
    expect(parseDecimal(text)).toEqual({ whole, fraction })
  })

  test.each(['1,234', '12,345', '999,999'])('%j can mean two numbers, and both are named', (text) => {
    expect(parseDecimal(text)).toEqual({
      problem: 'ambiguous_number',
      detail: `"${text}" can mean ${text.replace(',', '')} or ${text.replace(',', '.')}; write one of these.`,
    })
  })

  test.each([
    '',
    ' ',
    'abc',
    '1e3',
    '1,23.45',
    '12,34,567',
    '1.2.3',
    '5.',
    '1,234 567.8',
    '1..2',
    '٣',
    '１',
    '+1',
    'NaN',
    '0x10',
  ])('%j is no number', (text) => {
    expect(parseDecimal(text)).toMatchObject({ problem: 'invalid_format' })
  })

  test('a negative number is out of range', () => {
    expect(parseDecimal('-1')).toMatchObject({ problem: 'out_of_range' })
  })

  test('a long text is not repeated in full', () => {
    const answer = parseDecimal('x'.repeat(5000))
    expect('detail' in answer && answer.detail.length).toBeLessThan(100)
  })

  test('keeps the value of every plain decimal', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(999_999), (whole, fraction) => {
        const text = `${whole}.${fraction}`
        const decimal = parseDecimal(text)
        expect('whole' in decimal && decimalToNumber(decimal)).toBe(Number(text))
      }),
    )
  })
})
