import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { MENU_FILE_KIND } from '../../../src/commands/business/menu/kind.ts'
import { makeExpectedHeader } from '../../../src/tabular/columns/match.ts'
import { readTable, type DataTable } from '../../../src/tabular/csv/read.ts'
import { MANIFEST_FILE_KIND } from '../../../src/tabular/manifest/kind.ts'
import { catchError } from '../../support/caught.ts'
import { exportFile } from '../../support/manifests.ts'

const HEADER = 'Reference,Name,Address,Town,Postcode,Weight,Length,Width,Height'
const PARCEL = 'A1,Ann Hill,14 Lamb Street,London,E1 6EA,500,300,200,100'
const OTHER = 'A2,Ben Hill,15 Lamb Street,London,E1 6EA,600,300,200,100'

const read = (...rows: string[]): DataTable =>
  readTable(rows.join('\r\n'), { expected: makeExpectedHeader(MANIFEST_FILE_KIND) })
const readMenu = (...rows: string[]): DataTable =>
  readTable(rows.join('\n'), { expected: makeExpectedHeader(MENU_FILE_KIND) })

describe('titles above the header', () => {
  test.each<[string, string[], number]>([
    ['a title that the spreadsheet filled up with delimiters', ['Parcels of Monday,,,,,,,,'], 2],
    ['a title alone', ['Parcels of Monday'], 2],
    ['a title with a comma', ['Parcels, Monday'], 2],
    ['several rows and a blank one', ['Hart & Co,,', 'Depot:,Park Royal,Date:,21/11/2026', '', ',,,'], 5],
    ['a title of several lines in quotes', ['"Hart & Co\r\nParcels of Monday",,'], 2],
    ['groups of columns', [',Recipient,,,,Parcel,,,'], 2],
    ['blank rows alone', ['', '', ',,,,'], 4],
  ])('are not read: %s', (_, titles, headerRow) => {
    const table = read(...titles, HEADER, '', PARCEL)
    expect(table.header.join(',')).toBe(HEADER)
    expect(table.headerRow).toBe(headerRow)
    expect(table.rows.map(({ row }) => row)).toEqual([headerRow + 2])
    expect(table.titles.length).toBe(titles.filter((title) => /\w/.test(title)).length)
  })

  test('do not decide the delimiter', () => {
    const table = read('Parcels, Monday', HEADER.replaceAll(',', ';'), PARCEL.replaceAll(',', ';'))
    expect(table).toMatchObject({ delimiter: ';', headerRow: 2, rows: [{ row: 3 }] })
  })

  test('may be above an export of a shop', () => {
    const text = readFileSync(exportFile('shipstation'), 'utf8')
    expect(read('Shipments', text).headerRow).toBe(2)
  })

  test('a parcel above the header is not lost as one', () => {
    const error = catchError(() => read(PARCEL, HEADER, OTHER))
    expect(error.message).toBe('Row 1 looks like a parcel, but it is above the header in row 2.')
    expect(error.hint).toBe('Move it below the header, or delete it.')
  })

  test('a header that is there twice is the first', () => {
    expect(read(HEADER, PARCEL, HEADER, OTHER)).toMatchObject({
      headerRow: 1,
      repeats: [3],
      rows: [{ row: 2 }, { row: 4 }],
    })
  })
})

describe('a file without a header', () => {
  test('is refused with the row that would be lost and what to do', () => {
    const error = catchError(() => read('', PARCEL, OTHER))
    expect(error).toMatchObject({ code: 'file_error', exitCode: 2 })
    expect(error.message).toBe(
      'The file has no header: row 2 looks like a parcel (A1, Ann Hill, 14 Lamb Street, …) and would be lost as one.',
    )
    expect(error.hint).toBe(
      'Insert a row above it that names the columns, with at least reference, recipient_name, address_line1, city, postal_code, weight_grams, length_mm, width_mm, height_mm. `dray carrier template` writes one.',
    )
    expect(error.extra['reason']).toEqual({ code: 'missing_column', row: 2 })
  })

  test.each(['9.00', '£9', '9,00 €', '"9,00"', '9.00 GBP', '€ 9'])('is known by a price of %s', (price) => {
    expect(catchError(() => readMenu(`Laksa\tSoups\t${price}`, `Pho\tSoups\t${price}`)).message).toContain(
      'row 1 looks like an item (Laksa, Soups,',
    )
  })

  test('below a title is refused, too', () => {
    expect(catchError(() => read('Parcels of Monday', PARCEL, OTHER)).message).toContain(
      'row 2 looks like a parcel',
    )
  })

  test('of which one word is the name of a column is refused', () => {
    expect(catchError(() => readMenu('Extra,Drinks,2.50', 'Tea,Drinks,2.20')).message).toContain(
      'row 1 looks like',
    )
  })
})

describe('a header in words that are not known', () => {
  test('is taken for one', () => {
    expect(read('Zamówienie,Odbiorca,Ulica', 'A1,Ann,Lamb Street 14')).toMatchObject({ headerRow: 1 })
  })

  test('is found below a title', () => {
    expect(read('Przesyłki', 'Zamówienie;Odbiorca;Ulica', 'A1;Ann;Lamb Street 14')).toMatchObject({
      headerRow: 2,
      delimiter: ';',
    })
  })

  test('is not looked for in a row of modifiers whose words are names of columns', () => {
    const rows = ['Danie;Dział;Cena;Dodatek;Rodzaj;Dopłata', 'Laksa;Zupy;9;;;', ';;;Extra;Option;']
    expect(readMenu(...rows)).toMatchObject({ headerRow: 1, rows: [{ row: 2 }, { row: 3 }] })
  })

  test('is found by the headers that are mapped', () => {
    const expected = makeExpectedHeader(MANIFEST_FILE_KIND, new Set(['cislo_1', 'ulice']))
    const text = 'Zásilky;14;2026\nČíslo 1;Ulice;12\nA1;Lamb Street 14;3'
    expect(readTable(text, { expected })).toMatchObject({ headerRow: 2, header: ['Číslo 1', 'Ulice', '12'] })
  })
})
