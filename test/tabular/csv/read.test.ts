import { describe, expect, test } from 'vitest'
import { delimiterName } from '../../../src/tabular/csv/delimiter.ts'
import { headerKey } from '../../../src/tabular/csv/keys.ts'
import { readTable } from '../../../src/tabular/csv/read.ts'
import { catchError } from '../../support/caught.ts'

describe('the delimiter', () => {
  test.each([
    [',', 'comma'],
    [';', 'semicolon'],
    ['\t', 'tab'],
    ['|', 'pipe'],
  ] as const)('%j is found in the header', (delimiter, name) => {
    const table = readTable([`ref${delimiter}city`, `A1${delimiter}Leeds`].join('\n'))
    expect(table).toMatchObject({ delimiter, header: ['ref', 'city'], rows: [{ cells: ['A1', 'Leeds'] }] })
    expect(delimiterName(table.delimiter)).toBe(name)
  })

  test('those inside quotes do not count', () => {
    expect(readTable('"a,b,c";d\n1;2\n').header).toEqual(['a,b,c', 'd'])
  })

  test("Excel's sep= line decides and is no row", () => {
    const table = readTable('sep=;\r\na;b,c\r\n1;2\r\n')
    expect(table.header).toEqual(['a', 'b,c'])
    expect(table.rows).toEqual([{ row: 2, cells: ['1', '2'] }])
  })

  test('can be given', () => {
    expect(readTable('a,b|c\n1,2|3\n', { delimiter: '|' }).header).toEqual(['a,b', 'c'])
  })

  test('a single column needs none', () => {
    expect(readTable('ref\nA1\n')).toMatchObject({ header: ['ref'], rows: [{ cells: ['A1'] }] })
  })
})

describe('rows have the numbers that a spreadsheet shows', () => {
  test.each([
    ['LF', 'a,b\n1,2\n3,4\n'],
    ['CRLF', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['CR of old Macs', 'a,b\r1,2\r3,4\r'],
    ['all of them mixed', 'a,b\r\n1,2\n3,4\r'],
    ['no final newline', 'a,b\n1,2\n3,4'],
  ])('%s', (_, text) => {
    expect(readTable(text).rows).toEqual([
      { row: 2, cells: ['1', '2'] },
      { row: 3, cells: ['3', '4'] },
    ])
  })

  test('blank rows are skipped but counted', () => {
    expect(readTable('\n\na,b\n\n1,2\n ,\n,\n\n3,4\n\n').rows).toEqual([
      { row: 5, cells: ['1', '2'] },
      { row: 9, cells: ['3', '4'] },
    ])
  })

  test('a quoted cell of several lines makes one row, and may hold delimiters and quotes', () => {
    const table = readTable('a,b\r\n"one\r\ntwo","say ""hi"", then go"\r\n3,4\r\n')
    expect(table.rows).toEqual([
      { row: 2, cells: ['one\r\ntwo', 'say "hi", then go'] },
      { row: 3, cells: ['3', '4'] },
    ])
  })

  test('leading zeros and long numbers stay as they are', () => {
    expect(readTable('a,b\n00123,4.10\n').rows[0]?.cells).toEqual(['00123', '4.10'])
  })
})

describe('a malformed file is refused and the row named', () => {
  test.each([
    ['empty', '', 'empty_file', 'The file is empty'],
    ['only blank lines', '\n\r\n,\n', 'empty_file', 'The file is empty'],
    ['only a header', 'ref,city\n', 'empty_file', 'no rows'],
    ['no header', '123,456\n1,2\n', 'missing_column', 'Row 1 is not a header'],
    [
      'an unclosed quote',
      'a,b\n1,2\n3,"4\n5,6\n',
      'malformed_csv',
      'opens in row 3, column 2 is never closed',
    ],
    [
      'an unclosed quote after a long cell',
      'a,b\r\n"1\r\n\r\n",2\r\n3,"4',
      'malformed_csv',
      'opens in row 3',
    ],
    [
      'a quote in the middle',
      'a,b\n1,2\n3,5" pipe\n',
      'malformed_csv',
      'middle of a cell in row 3, column 2.',
    ],
    ['text after a closing quote', 'a,b\n1,"2" x\n', 'malformed_csv', 'a cell in row 2, column 2.'],
    ['an extra cell', 'a,b\n1,2\n3,4,5\n', 'malformed_csv', 'The header has 2 cells, but row 3 has 3.'],
    [
      'a blank cell too many in some rows: an amount without quotes is two cells',
      'a,b\n1,2\n6,50,\n',
      'malformed_csv',
      'The header has 2 cells, but row 3 has 3.',
    ],
    [
      'a blank cell too many in all rows, and every price cut in two',
      'Item,Price,Note\nSoup,6,50,\nPie,7,25,\n',
      'malformed_csv',
      'The header has 3 cells, but row 2 has 4, row 3 has 4.',
    ],
    [
      'a cell under no header',
      'a,b,\n1,2,\n3,4,5\n',
      'malformed_csv',
      'The header has 2 cells, but row 3 has 3.',
    ],
    ['a cell too many between tabs', 'a\tb\n1\t2\n6\t50\t\n', 'malformed_csv', 'row 3 has 3.'],
    ['a million columns', `a${','.repeat(1_000_000)}\n`, 'file_too_large', 'at most 1000'],
    [
      'a row of a million cells',
      `a,b\n1,2\nx${','.repeat(1_000_000)}\n`,
      'malformed_csv',
      'row 3 has 1000001',
    ],
    [
      'a giant quoted cell',
      `a,b\n1,"${'x'.repeat(2_000_000)}"\n`,
      'malformed_csv',
      'Row 2 is larger than 1 MiB',
    ],
    ['a giant cell', `a,b\n1,${'x'.repeat(2_000_000)}\n`, 'malformed_csv', 'Row 2 is larger than 1 MiB'],
    ['ten million delimiters', `a,b\n${','.repeat(10_000_000)}`, 'file_too_large', '4 million cells'],
  ])('%s', (_, text, code, words) => {
    const error = catchError(() => readTable(text))
    expect(error.code).toBe('file_error')
    expect(error.extra['reason']).toMatchObject({ code })
    expect(error.message).toContain(words)
  })

  test('only the first of many rows that are too long are listed', () => {
    const error = catchError(() => readTable(`a,b\n${'1,2,3\n'.repeat(40)}`))
    expect(error.message).toBe(
      'The header has 2 cells, but row 2 has 3, row 3 has 3, row 4 has 3, row 5 has 3, row 6 has 3 and 35 more rows have too many.',
    )
  })
})

test('the header once more, as where files were put together, is no row', () => {
  const table = readTable('a,b\n1,2\n a ,b,\n\uFEFFa,b\na,2\n')
  expect(table.rows.map(({ row }) => row)).toEqual([2, 5])
  expect(table.repeats).toEqual([3, 4])
  expect(catchError(() => readTable('a,b\na,b\n')).message).toBe('The file has a header but no rows.')
})

describe('what a spreadsheet writes for blank cells at the end of a row', () => {
  test('left out, they are empty, and the rows are told', () => {
    const table = readTable('a,b,c\n1,2,3\n4\n5,6\n')
    expect(table.rows.map(({ cells }) => cells)).toEqual([
      ['1', '2', '3'],
      ['4', '', ''],
      ['5', '6', ''],
    ])
    expect(table.short).toEqual([3, 4])
  })

  test('more of them than the header has, in all rows, are cut off', () => {
    const table = readTable('a,b\n1,2,,\n3,4, \n')
    expect(table.rows.map(({ cells }) => cells)).toEqual([
      ['1', '2'],
      ['3', '4'],
    ])
    expect(table.short).toEqual([])
  })
})

test('a formula without quotes around its own is refused by its place, with what to do', () => {
  const error = catchError(() => readTable('a;b\n1;=HYPERLINK("http://x.example";"A-1")\n'))
  expect([error.message, error.hint]).toEqual([
    'A quote stands in the middle of a cell in row 2, column 2.',
    'It is a formula: save the file with the values.',
  ])
})

test('a file with a quote is read like one without', () => {
  const plain = 'a,b\r\n1, 2 \n\n3,\r,4\n'
  const quoted = plain.replace('a,b', '"a",b')
  expect(readTable(quoted)).toEqual(readTable(plain))
})

test.each([
  ['  Post Code ', 'post_code'],
  ['Größe (cm)', 'große_cm'],
  ['Région', 'region'],
  ['Ship To - Address 1', 'ship_to_address_1'],
  ['Order #', 'order'],
  ['E-Mail', 'e_mail'],
  ['_row', 'row'],
  ['📦', ''],
])('the header %j is compared as %j', (header, key) => {
  expect(headerKey(header)).toBe(key)
})
