import { describe, expect, test } from 'vitest'
import type { FilePrompts } from '../../../src/tabular/import/prompts.ts'
import { findDateOrder, readDate } from '../../../src/tabular/manifest/dates.ts'
import { GOOD_ROW, makeCsv } from '../../support/manifests.ts'
import { readParcels } from '../../support/read-parcels.ts'

const dayOf = (text: string, order?: 'day' | 'month') => {
  const reading = readDate(text, order)
  return 'value' in reading ? reading.value : reading.fault.code
}

test.each([
  ['2026-12-01', '2026-12-01'],
  ['2026/12/01', '2026-12-01'],
  ['2026-12-01T00:00:00Z', '2026-12-01'],
  ['24/12/2026 00:00', '2026-12-24'],
  ['12/24/2026', '2026-12-24'],
  ['24.12.2026', '2026-12-24'],
  ['1.12.26', '2026-12-01'],
  ['24-Dec-26', '2026-12-24'],
  ['24th December 2026', '2026-12-24'],
  ['Dec 24 2026', '2026-12-24'],
  ['December 24, 2026', '2026-12-24'],
  ['2026.12.01', '2026-12-01'],
  ['Tue 1 Dec 2026', '2026-12-01'],
  ['Tuesday, 1 December 2026', '2026-12-01'],
  ['Mar 1 2027', '2027-03-01'],
  ['1. Dezember 2026', '2026-12-01'],
  ['1 décembre 2026', '2026-12-01'],
  ['1 de diciembre de 2026', '2026-12-01'],
  ['1 grudnia 2026', '2026-12-01'],
  ['1 Foo 2026', 'invalid_format'],
  ['05/05/2026', '2026-05-05'],
  ['01/12/2026', 'ambiguous_date'],
  ['1-12-26', 'ambiguous_date'],
  ['01/12', 'ambiguous_date'],
  ['46380', 'ambiguous_date'],
  ['31/02/2026', 'invalid_format'],
  ['24/12', 'invalid_format'],
  ['00/01/1900', 'invalid_format'],
  ['13/13/2026', 'invalid_format'],
  ['2026-12-01 14:30', 'invalid_format'],
  ['20261201', 'invalid_format'],
  ['tomorrow', 'invalid_format'],
])('%s is %s', (text, day) => {
  expect(dayOf(text)).toBe(day)
})

test('a date that can be two days names both, and the order says which it is', () => {
  const reading = readDate('01/12/2026', undefined)
  expect('fault' in reading && reading.fault.detail).toBe(
    'It can mean 1 December 2026 or 12 January 2026; say which with --date-order day|month, or write it like 2026-11-30.',
  )
  expect([dayOf('01/12/2026', 'day'), dayOf('01/12/2026', 'month')]).toEqual(['2026-12-01', '2026-01-12'])
  // What can be read in one way only is read so.
  expect(dayOf('24/12/2026', 'month')).toBe('2026-12-24')
})

test.each([
  [['24/12/2026', '01/12/2026'], 'day'],
  [['12/24/2026', '01/12/2026'], 'month'],
  [['01/12/2026', '02/12/2026'], undefined],
  [['24/12/2026', '12/24/2026'], undefined],
  [['24.12.2026', '2026-12-24', ''], undefined],
])('%j are read %s first', (cells, order) => {
  expect(findDateOrder(cells)).toBe(order)
})

describe('the column of a file', () => {
  const column = (...cells: string[]) => ({
    text: makeCsv(...cells.map((not_before, at) => ({ ...GOOD_ROW, reference: `A-${at}`, not_before }))),
  })

  test('decides for all of its cells, else the flag does', async () => {
    expect((await readParcels(column('24/12/2026', '01/12/2026'))).rows[1]).toContain('Amelia Hart')
    const open = column('03/12/2026', '01/12/2026')
    expect((await readParcels(open)).rows[1]).toContain('1 December 2026 or 12 January 2026')
    expect((await readParcels(open, { 'date-order': 'day' })).rows[1]).toContain('Amelia Hart')
  })

  test('is asked about at a terminal, once', async () => {
    const questions: string[] = []
    const ask: FilePrompts = {
      select: async ({ message, choices }) => {
        questions.push(message)
        return choices[1]?.value as never
      },
      input: async () => '',
    }
    const { rows, answered } = await readParcels(column('03/12/2026', '01/12/2026'), {}, ask)
    expect(rows.map((row) => row.includes('Amelia Hart'))).toEqual([true, true])
    expect(questions).toEqual(['not_before: 03/12/2026 can be two days. Which number is the day?'])
    expect(answered).toEqual([{ flag: '--date-order', value: 'month' }])
    expect((await readParcels(column('24/12/2026', '01/12/2026', '2026-12-01'), {}, ask)).answered).toEqual(
      [],
    )
  })

  test('is read by one rule: a flag that its cells contradict is refused', async () => {
    const { error } = await readParcels(column('24/12/2026', '01/12/2026'), { 'date-order': 'month' })
    expect([error?.exitCode, error?.message]).toEqual([
      2,
      '--date-order month: some dates of the file can only have the day first.',
    ])
  })

  test('of a workbook has the day that each cell holds, however it is shown', async () => {
    const { rows } = await readParcels('not-before-dates.xlsx')
    expect(rows.filter((row) => !row.includes('Nora Quill'))).toEqual([
      '8 not_before: A spreadsheet counts days so: 46357 may be 2026-12-01. Write the day.',
    ])
    expect((await readParcels('dates-1904-iso.xlsx')).rows[0]).toContain('Nora Quill')
  })

  test('not-before-dates.csv: its clear cells are taken, and each other one is told why not', async () => {
    const { rows } = await readParcels('not-before-dates.csv')
    const refused = rows.filter((row) => !row.includes('Nora Quill')).map((row) => Number(row.split(' ')[0]))
    // 19 and 20 are in the past and too far ahead, which the service says.
    expect(refused).toEqual([3, 4, 9, 12, 13, 14, 16, 17, 18, 19])
  })
})

test('date-damage.csv: full dates, times and days of a spreadsheet in texts are doubted', async () => {
  const { said } = await readParcels('date-damage.csv')
  expect(said.find((text) => text.includes('texts into dates'))).toContain(
    'row 2 “2-Sep”, row 3 “01/02/2026”, row 4 “Mar-01” and 5 more cells',
  )
})
