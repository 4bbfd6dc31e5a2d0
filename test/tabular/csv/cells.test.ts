import { expect, test } from 'vitest'
import { readMoney, readText, checkShortenedNumber } from '../../../src/tabular/csv/cells.ts'

test('text is refused when it is too long in characters or holds what nobody sees', () => {
  expect(readText('é'.repeat(64), 64)).toEqual({ value: 'é'.repeat(64) })
  expect(readText('😀'.repeat(65), 64)).toMatchObject({ fault: { code: 'too_long' } })
  expect(readText('a\u001b[2Jb', 64)).toMatchObject({ fault: { code: 'hidden_characters' } })
  expect(readText('a\u202eb', 64)).toMatchObject({ fault: { code: 'hidden_characters' } })
})

test('a shortened number has lost its digits, whoever shortened it', () => {
  for (const text of ['5.01235E+12', '5,01235E+12', '1E+14', '5.01235e+9', '5.01235E12'])
    expect([text, checkShortenedNumber(text)?.fault.code]).toEqual([text, 'invalid_format'])
  for (const text of ['5E12', 'E+12', '12.5E+12', '5.01235', 'A5.1E+12'])
    expect([text, checkShortenedNumber(text)]).toEqual([text, undefined])
})

test.each([
  ['Apr 50', '4.50'],
  ['Apr. 50', '4.50'],
  ['Mär 20', '3.20'],
  ['Oct-1999', '10.99'],
  ['01.04.1950', '4.50'],
  ['04. Mai', undefined],
  ['5-Aug', undefined],
])('the amount %s became a date in a spreadsheet, and %s is suggested', (text, suggestion) => {
  const reading = readMoney(text, 'GBP')
  expect(reading).toMatchObject({
    fault: { detail: expect.stringContaining('turned this amount into a date') },
  })
  expect('fault' in reading && reading.fault.suggestion).toBe(suggestion)
})

test.each(['6.50 +VAT', '6.50 ex VAT', 'inc. VAT 6.50', '6,50 zzgl. MwSt'])(
  '%s has words about tax',
  (text) => {
    expect(readMoney(text, 'GBP')).toMatchObject({
      fault: { detail: expect.stringContaining('words about tax') },
    })
  },
)
