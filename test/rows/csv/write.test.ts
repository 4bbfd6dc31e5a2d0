import { describe, expect, test } from 'vitest'
import { readTable } from '../../../src/rows/csv/read.ts'
import { guard, unguard, writeCsv } from '../../../src/rows/csv/write.ts'
import { fc } from '../../support/properties.ts'

const { assert, property, array, string, constantFrom, oneof, integer } = fc

describe('text that a spreadsheet would run', () => {
  test.each([
    ['=HYPERLINK("http://evil.example";"x")'],
    ['+447700900123'],
    ['-2+3'],
    ['@SUM(A1)'],
    ['\t=1'],
    ['\r=1'],
    ['＝1+1'],
    ['＋1'],
    ['－1'],
    ['＠x'],
  ])('%j gets an apostrophe, and loses it when read again', (text) => {
    expect(guard(text)).toMatch(/^'/)
    expect(unguard(guard(text))).toBe(text)
  })

  test.each(['Leeds', "O'Brien", "'t Hof", '5 - 7 High Street', 'a=b', "it's @ home"])(
    '%j stays as it is',
    (text) => {
      expect(guard(text)).toBe(text)
    },
  )

  test('an apostrophe that was there already survives', () => {
    expect(unguard(guard("'=1"))).toBe("'=1")
    expect(guard("'=1")).toBe("''=1")
  })

  test('what another delimiter would split off is guarded too', () => {
    expect(writeCsv([['note;=1+1', 'x']])).toBe('"note;\'=1+1",x\r\n')
  })

  test('a negative number is a number in a number column, text elsewhere', () => {
    expect(writeCsv([['-5', '-5', -5]], undefined, new Set([0]))).toBe("-5,'-5,-5\r\n")
  })
})

test('cells are quoted as RFC 4180 says', () => {
  expect(writeCsv([['a', 'b,c', 'say "hi"', 'two\nlines', undefined, 12.5]])).toBe(
    'a,"b,c","say ""hi""","two\nlines",,12.5\r\n',
  )
})

test('a file can start with a byte order mark and use another delimiter', () => {
  expect(writeCsv([['a', 'b']], { delimiter: ';', bom: true })).toBe('\uFEFFa;b\r\n')
})

/** Hostile text: frequent formula starts, delimiters, quotes and newlines. */
const hostile = oneof(
  string({ unit: constantFrom(...Array.from('=+-@\t\r\n＝＋－＠,;|"\'ab 1')) }),
  string({ unit: 'grapheme' }),
).filter((text) => !text.includes('\0'))

test('what is written is read again unchanged, with any delimiter', () => {
  assert(
    property(
      array(array(hostile, { minLength: 3, maxLength: 3 }), { minLength: 1 }),
      constantFrom(',', ';', '\t', '|'),
      (rows, delimiter) => {
        const wanted = rows.filter((row) => row.some((cell) => guard(cell).trim() !== ''))
        if (wanted.length === 0) return
        const table = readTable(writeCsv([['a', 'b', 'c'], ...wanted], { delimiter, bom: false }))
        expect(table.rows.map(({ cells }) => cells.map(unguard))).toEqual(wanted)
      },
    ),
  )
})

test('no cell of a written file starts a formula, however the line is split', () => {
  assert(
    property(array(oneof(hostile, integer()), { minLength: 2, maxLength: 4 }), (row) => {
      const text = writeCsv([row])
      for (const piece of text.split(/[,;\t|"\r\n]/)) {
        expect(/^[=+\-@＝＋－＠]/.test(piece) && !/^-\d+$/.test(piece)).toBe(false)
      }
    }),
  )
})
