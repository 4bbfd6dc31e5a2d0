import { describe, expect, test } from 'vitest'
import {
  escapeCoercion,
  escapeAmbiguous,
  unescapeCoercion,
} from '../../../src/tabular/csv/escape-coercion.ts'
import { readTable } from '../../../src/tabular/csv/read.ts'
import { escapeFormula, unescapeFormula, writeCsv } from '../../../src/tabular/csv/write.ts'
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
    expect(escapeFormula(text)).toMatch(/^'/)
    expect(unescapeFormula(escapeFormula(text))).toBe(text)
  })

  test.each(['Leeds', "O'Brien", "'t Hof", '5 - 7 High Street', 'a=b', "it's @ home"])(
    '%j stays as it is',
    (text) => {
      expect(escapeFormula(text)).toBe(text)
    },
  )

  test('an apostrophe that was there already survives', () => {
    expect(unescapeFormula(escapeFormula("'=1"))).toBe("'=1")
    expect(escapeFormula("'=1")).toBe("''=1")
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
        const wanted = rows.filter((row) => row.some((cell) => escapeFormula(cell).trim() !== ''))
        if (wanted.length === 0) return
        const table = readTable(writeCsv([['a', 'b', 'c'], ...wanted], { delimiter, bom: false }))
        expect(table.rows.map(({ cells }) => cells.map(unescapeFormula))).toEqual(wanted)
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

describe('text that a spreadsheet would change', () => {
  test.each([
    '000456',
    '0012E5',
    '1e5',
    '1234567890123456',
    '1/2',
    '1-2',
    '2-Jan',
    'Jan 2026',
    '2. März 2026',
    'DEC1',
    '2026年1月2日',
    '2026-11-21T17:00:00Z',
    '12:30',
    '9 am',
    '12.50',
    '1,5',
    '£5',
    'GBP 5',
    '17.5%',
    '(5)',
    '07700 900102',
    '1 1/2',
    'true',
    'FALSCH',
    '#N/A',
    ' Fern',
    ' 7',
    '12 ',
  ])('%j gets an apostrophe, and loses it when read again, also with more behind it', (text) => {
    expect(escapeCoercion(text)).toBe(`'${text}`)
    expect(unescapeCoercion(`'${text}`)).toBe(text)
    expect(unescapeCoercion(`'${text} Rye Lane`)).toBe(`${text} Rye Lane`)
  })

  test.each([
    '500',
    '0',
    'SE15',
    'E1 6EA',
    '12 Lamb Street',
    '20x15x5cm',
    '500 g',
    'ORD-1',
    "'t Hof",
    'Leeds',
    '',
    'O’Brien',
  ])('%j stays as it is', (text) => {
    expect(escapeCoercion(text)).toBe(text)
    expect(unescapeCoercion(text)).toBe(text)
  })

  const changed = oneof(
    hostile,
    string({
      unit: constantFrom(
        ...Array.from("'= -+0159/.:E%£\t\n #,"),
        'Jan',
        'true',
        'GBP',
        'x',
        '1E5',
        'T',
        'Z',
        'am',
      ),
    }),
  )

  test('comes back as it was, with whatever apostrophes it had', () => {
    assert(
      property(changed, (text) => {
        expect(unescapeCoercion(escapeCoercion(text))).toBe(text)
        expect(unescapeCoercion(escapeAmbiguous(text, text))).toBe(text)
        expect(unescapeCoercion(escapeAmbiguous(escapeFormula(text), text))).toBe(text)
      }),
    )
  })
})
