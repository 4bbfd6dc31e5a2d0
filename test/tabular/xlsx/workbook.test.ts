import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/core/errors.ts'
import { openWorkbook } from '../../../src/tabular/xlsx/workbook.ts'
import {
  type WorkbookOptions,
  type MadeCell,
  pack,
  makeSheetFromCsv,
  workbookOf,
} from '../../support/workbooks.ts'

async function failing(bytes: Uint8Array): Promise<AppError> {
  try {
    const { sheets } = await openWorkbook(bytes)
    for (const sheet of sheets) await sheet.read()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('it was read')
}

/** The texts of one row of cells. */
async function shown(
  cells: readonly MadeCell[],
  making: WorkbookOptions = {},
): Promise<string[] | undefined> {
  const [sheet] = (await openWorkbook(workbookOf([{ name: 'A', rows: { 1: cells } }], making))).sheets
  return (await sheet?.read())?.rows[0]?.cells
}

describe('a cell is read as the person sees it', () => {
  test.each<[string, string | number, string, string]>([
    ['a reference whose format fills it with zeros', '0000000', '12345', '0012345'],
    ['a number of 18 digits', 0, '123456789012345678', '123456789012345678'],
    ['a long number that a spreadsheet has rounded', 0, '1.23456789012346E+17', '123456789012346000'],
    ['a long number under a format of digits', '0', '123456789012345678', '123456789012345678'],
    ['a sum with an error of its computer', 0, '0.30000000000000004', '0.3'],
    ['a price', '"£"#,##0.00', '1234.5', '£1234.50'],
    ['a price as accountants write it', '_-"£"* #,##0.00_-;-"£"* #,##0.00_-', '8.5', '£8.50'],
    ['a price in euros, as written in Germany', '[$€-407] #,##0.00', '8.5', '€ 8,50'],
    ['a share', 9, '0.2', '20%'],
    ['a weight with its unit', '0.0" kg"', '1.25', '1.3 kg'],
    ['a date in its own form', 'dd/mm/yyyy', '46347', '21/11/2026'],
    ['a date in the form of the computer', 14, '46347', '2026-11-21'],
    ['a moment', 'd mmm yyyy hh:mm', '46347.75', '21 Nov 2026 18:00'],
    ['a long number under the scientific format', 11, '1234567890123', '1234567890123'],
    ['a long number under a scientific format of its own', '##0.0E+0', '447700900123', '447700900123'],
    ['a number of 18 digits under the scientific format', 11, '123456789012345678', '123456789012345678'],
    ['a weight under the scientific format', 11, '0.85', '0.85'],
    ['a text with an E beside a number', '0" E+0"', '12', '12 E+0'],
    ['a number in a cell of text', '@', '12', '12'],
    ['a number whose format is not valid', '"', '8.5', '8.5'],
  ])('%s', async (_, format, v, text) => {
    expect(await shown([{ s: 1, v }], { formats: [format] })).toEqual([text])
  })

  test('dates of a Mac, which count from 1904', async () => {
    const making = { formats: ['yyyy-mm-dd'], since1904: true }
    expect(await shown([{ s: 1, v: '44885' }], making)).toEqual(['2026-11-21'])
  })

  test('texts of all kinds, truth values, and what a formula gave', async () => {
    const cells = [
      '0012345',
      { t: 'inlineStr', v: '' },
      { t: 'b', v: '1' },
      { t: 'str', f: 'A1&"x"', v: '0012345x_x000A_&' },
      { f: 'SUM(1,2)', v: '3' },
      'Zoë & <b> 😀',
    ]
    expect(await shown(cells)).toEqual(['0012345', '', 'TRUE', '0012345x\n&', '3', 'Zoë & <b> 😀'])
    const rich =
      '<sst><si><r><t>Ren</t></r><r><t xml:space="preserve">é &#x1F600;</t></r><rPh><t>no</t></rPh></si></sst>'
    expect(await shown(['one'], { parts: { 'xl/sharedStrings.xml': rich } })).toEqual(['René 😀'])
    const inline =
      '<x:worksheet xmlns:x="u"><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c><x:c r="D1"><x:v>2</x:v></x:c></x:row></x:sheetData></x:worksheet>'
    expect(await shown([], { parts: { 'xl/worksheets/sheet1.xml': inline } })).toEqual(['a', '', '', '2'])
  })
})

test('an error and a formula without a value are told with their cell', async () => {
  const cells = ['a', { t: 'e', f: 'VLOOKUP(1)', v: '#N/A' }, { f: 'SUM(1,2)' }]
  const [sheet] = (await openWorkbook(workbookOf([{ name: 'A', rows: { 7: cells } }]))).sheets
  const row = (await sheet?.read())?.rows[0]
  expect(row?.row).toBe(7)
  expect([...(row?.wrong ?? [])]).toEqual([
    [1, 'Cell B7 has the error #N/A instead of a value.'],
    [2, 'Cell C7 has a formula without a value: open the workbook in a spreadsheet and save it.'],
  ])
})

describe('a file that is no workbook is refused with what to do', () => {
  const compound = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]
  const whole = workbookOf([{ name: 'A', rows: { 1: ['reference', 'city'] } }])
  const relations = (target: string) =>
    `<Relationships><Relationship Id="a" Type="x/officeDocument" Target="${target}"/></Relationships>`
  test.each<[string, Uint8Array, string, string]>([
    ['a workbook of Excel 2003', Uint8Array.from(compound), 'bad_encoding', 'Excel 2003 or older (.xls)'],
    [
      'one with a password',
      Uint8Array.from([...compound, ...Buffer.from('EncryptedPackage', 'utf16le')]),
      'workbook_locked',
      'protected by a password',
    ],
    ['half of one', whole.subarray(0, whole.length / 2), 'workbook_damaged', 'damaged or incomplete'],
    [
      'one of OpenDocument',
      pack({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' }),
      'bad_encoding',
      '(.ods)',
    ],
    ['a binary one', pack({ '_rels/.rels': relations('xl/workbook.bin') }), 'bad_encoding', '(.xlsb)'],
    ['an archive', pack({ 'orders.csv': 'a,b' }), 'bad_encoding', 'a ZIP archive and no workbook'],
    ['a document', pack({ '_rels/.rels': relations('word/document.xml') }), 'bad_encoding', 'no workbook'],
    [
      'one whose sheet ends early',
      workbookOf([{ name: 'A', rows: {} }], {
        parts: { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData>' },
      }),
      'workbook_damaged',
      'damaged',
    ],
    [
      'one with a cell beyond the last column',
      workbookOf([{ name: 'A', rows: {} }], {
        parts: { 'xl/worksheets/sheet1.xml': '<worksheet><row><c r="ZZZ1"><v>1</v></c></row></worksheet>' },
      }),
      'workbook_damaged',
      'damaged',
    ],
  ])('%s', async (_, bytes, code, words) => {
    const error = await failing(bytes)
    expect(error.extra['reason']).toMatchObject({ code })
    expect(error.message).toContain(words)
    expect(error.hint).toMatch(/CSV \(UTF-8\)/)
  })

  test('one that unpacks to far more than it is, before it is unpacked', async () => {
    const bytes = Buffer.from(whole)
    // The archive says of its last part how large it is unpacked.
    const at = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]))
    bytes.writeUInt32LE(0xfff_ffff, at + 24)
    const error = await failing(bytes)
    expect(error.extra['reason']).toMatchObject({ code: 'file_too_large' })
    bytes.writeUInt32LE(20, at + 24)
    expect((await failing(bytes)).extra['reason']).toMatchObject({ code: 'workbook_damaged' })
  })

  test('one with more cells than anybody fills', async () => {
    const row = '<row><c r="XFD1"><v>1</v></c></row>'
    const parts = { 'xl/worksheets/sheet1.xml': `<worksheet>${row.repeat(250)}</worksheet>` }
    expect((await failing(workbookOf([{ name: 'A', rows: {} }], { parts }))).message).toContain(
      '4 million cells',
    )
  })
})

/** A workbook whose part has elements within elements, so many levels deep. */
function deepWorkbook(levels: number, name: 'sheet' | 'strings' | 'relations'): Uint8Array {
  const parts = unzipSync(workbookOf([{ name: 'A', rows: { 1: ['x'] } }]))
  const path = Object.keys(parts).find((each) => DEEP[name].test(each)) ?? ''
  const text = strFromU8(parts[path] as Uint8Array)
  // The root is the first level.
  const deep = '<a>'.repeat(levels - 1) + '</a>'.repeat(levels - 1)
  return zipSync({
    ...parts,
    [path]: strToU8(text.replace(/(<(?:worksheet|sst|Relationships)[^>]*>)/, `$1${deep}`)),
  })
}

const DEEP = { sheet: /sheet1\.xml$/, strings: /sharedStrings\.xml$/, relations: /workbook\.xml\.rels$/ }

test.each(['sheet', 'strings', 'relations'] as const)(
  'elements within elements are refused at the 65th level of the %s, however deep they go',
  async (name) => {
    for (const levels of [65, 400_000]) {
      const { message } = await failing(deepWorkbook(levels, name))
      expect(message).toBe('The workbook has elements more than 64 levels deep.')
    }
    const [sheet] = (await openWorkbook(deepWorkbook(64, name))).sheets
    expect((await sheet?.read())?.rows.map(({ cells }) => cells)).toEqual([['x']])
  },
)

test('bytes that were changed on the way are a damaged workbook, never a fault of the program', async () => {
  const bytes = workbookOf([makeSheetFromCsv('Parcels', 'reference,city\nA-1,London\nA-2,Leeds\n')])
  for (let at = 4; at < bytes.length; at += 3) {
    const changed = Uint8Array.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 0xff
    const read = async () => {
      for (const sheet of (await openWorkbook(changed)).sheets) await sheet.read()
    }
    // Some bytes say nothing that matters.
    const error: unknown = await read().catch((thrown: unknown) => thrown)
    expect((error as { code?: string } | undefined)?.code ?? 'file_error').toBe('file_error')
  }
})

test('cells and rows that only have a format leave no trace', async () => {
  const blank = Array.from(
    { length: 2000 },
    (_, at) => `<row r="${at + 3}" ht="15"><c r="A${at + 3}" s="0"/><c r="B${at + 3}" s="0"></c></row>`,
  )
  const sheet = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="str"><v>reference</v></c></row><row r="2"><c r="A2" s="0"/><c r="C2" t="str"><v>A-1</v></c></row>${blank.join('')}<row r="2003"><c r="B2003" t="str"><v>last</v></c></row></sheetData></worksheet>`
  const book = await openWorkbook(
    workbookOf([{ name: 'S', rows: {} }], { parts: { 'xl/worksheets/sheet1.xml': sheet } }),
  )
  const { rows } = (await book.sheets[0]?.read()) ?? { rows: [] }
  expect(rows.map(({ row, cells }) => [row, cells])).toEqual([
    [1, ['reference']],
    [2, ['', '', 'A-1']],
    [2003, ['', 'last']],
  ])
})
