import { describe, expect, test } from 'vitest'
import {
  errorsCsv,
  toResultsFileForm,
  resultsCsv,
  detectOwnFileKind,
} from '../../../src/tabular/columns/results.ts'
import { decode } from '../../../src/tabular/csv/decode.ts'
import { readTable } from '../../../src/tabular/csv/read.ts'
import type { FileForm } from '../../../src/tabular/csv/write.ts'
import { makeCsvRowFile } from '../../../src/tabular/import/csv-file.ts'
import { gatherOutcomes } from '../../../src/tabular/import/outcomes.ts'
import {
  type ParcelBatchResult,
  type ParcelOutcome,
  PARCEL_RESULT_CELLS,
  PARCEL_MESSAGES,
} from '../../../src/tabular/manifest/outcomes.ts'
import {
  exportFile,
  GOOD_ROW,
  PARCEL_DEFAULTS,
  parseTestManifest,
  makeCsv,
  type MappedManifest,
} from '../../support/manifests.ts'

const PLAIN = { delimiter: ',', bom: false }

const money = (amount: number) => ({ amount, currency: 'GBP' })

/** Returns the outcomes of a file whose valid rows get `results` in order. */
function outcomes(upload: MappedManifest, results: Omit<ParcelBatchResult, 'row'>[]): ParcelOutcome[] {
  const file = makeCsvRowFile(PLAIN, upload.mapping, upload, PARCEL_RESULT_CELLS)
  const rows = upload.rows.filter(({ draft }) => draft !== undefined)
  const answered = results.map((result, at) => ({ row: at + 1, ...result }))
  return gatherOutcomes(PARCEL_MESSAGES, file, [{ rows, results: answered }])
}

function results(upload: MappedManifest, all: ParcelOutcome[], form: FileForm = PLAIN): string {
  return resultsCsv(upload.mapping, { rows: upload.rows, outcomes: all }, PARCEL_RESULT_CELLS, form)
}

function errors(upload: MappedManifest, all: ParcelOutcome[]): string | undefined {
  return errorsCsv(upload.mapping, upload.rows, all, PLAIN)
}

describe('the results file', () => {
  test('has the columns of the manifest and what became of each row', () => {
    const upload = parseTestManifest(
      makeCsv(GOOD_ROW, { ...GOOD_ROW, reference: 'A2', city: '' }, { ...GOOD_ROW, reference: 'A3' }),
    )
    const all = outcomes(upload, [
      { result: 'created', tracking_number: 'ZC968043370GB', total: money(612) },
      { result: 'duplicate', tracking_number: 'ZC473124829GB', reason: { code: 'already_exists' } },
    ])
    expect(results(upload, all)).toBe(
      [
        'reference,recipient_name,address_line1,city,postal_code,weight_grams,length_mm,width_mm,height_mm,row,result,tracking_number,price,reason',
        'A1,Amelia Hart,14 Lamb Street,London,E1 6EA,1200,300,200,100,2,created,ZC968043370GB,6.12,',
        'A2,Amelia Hart,14 Lamb Street,,E1 6EA,1200,300,200,100,3,rejected,,,invalid_row: city is required.',
        'A3,Amelia Hart,14 Lamb Street,London,E1 6EA,1200,300,200,100,4,duplicate,ZC473124829GB,,already_exists: Created before.',
        '',
      ].join('\r\n'),
    )
  })

  test.each([
    ['semicolons', ';', 'Gewicht (kg)', '1,2', ';7,50;'],
    ['commas', ',', 'Gewicht (kg)', '"1,2"', ',"7,50",'],
    ['semicolons and points', ';', 'Gewicht (kg)', '1.2', ';7.50;'],
  ])(
    'has amounts in the form of the sheet, with all their decimals: %s',
    (_, delimiter, weight, cell, price) => {
      const { weight_grams: _weight, ...row } = GOOD_ROW
      const upload = parseTestManifest(
        [[...Object.keys(row), weight].join(delimiter), [...Object.values(row), cell].join(delimiter)].join(
          '\r\n',
        ),
      )
      const form = { delimiter, bom: false }
      const all = outcomes(upload, [
        { result: 'created', tracking_number: 'ZC968043370GB', total: money(750) },
      ])
      const answer = results(upload, all, form)
      expect(answer).toContain(`${delimiter}ZC968043370GB${price}`)
      // It is read again: a corrected copy keeps its weight.
      expect(parseTestManifest(answer).rows[0]?.draft?.parcel).toEqual(upload.rows[0]?.draft?.parcel)
    },
  )

  test('repeats the result in each row of a parcel, but not its price', () => {
    const upload = parseTestManifest(
      exportFile('shopify-orders'),
      { defaults: PARCEL_DEFAULTS },
      { unknownLevel: 'economy' },
    )
    const all = outcomes(upload, [{ result: 'created', tracking_number: 'ZC968043370GB', total: money(612) }])
    const table = readTable(results(upload, all))
    expect(table.rows.map(({ cells }) => cells.slice(-5, -1))).toEqual([
      ['2', 'created', 'ZC968043370GB', '6.12'],
      ['3', 'created', 'ZC968043370GB', ''],
      ['4', 'created', 'ZC968043370GB', ''],
      ['5', 'not_sent', '', ''],
      ['6', 'not_sent', '', ''],
      ['7', 'not_sent', '', ''],
      ['8', 'skipped', '', ''],
    ])
  })

  test('tells the row of the file that a duplicate repeats', () => {
    const upload = parseTestManifest(
      makeCsv({ ...GOOD_ROW, city: '' }, { ...GOOD_ROW, reference: 'A2' }, { ...GOOD_ROW, reference: 'A2' }),
    )
    const all = outcomes(upload, [
      { result: 'created', tracking_number: 'ZC968043370GB', total: money(612) },
      {
        result: 'duplicate',
        tracking_number: 'ZC968043370GB',
        reason: { code: 'duplicate_in_manifest', duplicate_of_row: 1 },
      },
    ])
    expect(all[2]?.reason?.duplicate_of_row).toBe(3)
    expect(results(upload, all)).toContain('duplicate_in_manifest: The same parcel as row 3.')
  })

  test('keeps a reference that is in use with the number that has it', () => {
    const upload = parseTestManifest(makeCsv(GOOD_ROW))
    const all = outcomes(upload, [
      {
        result: 'rejected',
        reason: { code: 'reference_conflict', existing_tracking_number: 'ZC473124829GB' },
      },
    ])
    expect(results(upload, all)).toContain(
      ',2,rejected,ZC473124829GB,,reference_conflict: reference: The reference is already used for a parcel with other content.',
    )
  })

  test('runs no formula, and negative weights stay numbers', () => {
    const upload = parseTestManifest(
      makeCsv({ ...GOOD_ROW, recipient_name: '=HYPERLINK("http://evil.example")', weight_grams: '-5' }),
    )
    const text = results(upload, outcomes(upload, []))
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
    expect(text).toContain(',-5,300,')
  })
})

describe('the errors file', () => {
  test('holds only rejected rows, with everything wrong under the headers of the file', () => {
    const { postal_code: _, ...rest } = GOOD_ROW
    const upload = parseTestManifest(
      makeCsv(
        { ...rest, 'Post Code': 'E1 6EA' },
        { ...rest, reference: 'A2', city: '', 'Post Code': 'SWIA 1AA' },
        { ...rest, reference: 'A3', 'Post Code': 'E1 6EB' },
        { ...rest, reference: 'A4', 'Post Code': 'E1 6ED' },
      ),
    )
    const wrong = [
      { pointer: '/recipient/address/postal_code', code: 'invalid_format', detail: 'No such postcode.' },
      { pointer: '/parcel/weight_grams', code: 'out_of_range', detail: 'Too heavy.' },
    ]
    const all = outcomes(upload, [
      { result: 'created', tracking_number: 'ZC968043370GB', total: money(612) },
      { result: 'rejected', reason: { code: 'destination_not_covered' } },
      { result: 'rejected', reason: { code: 'invalid_row', errors: wrong } },
    ])
    const table = readTable(errors(upload, all) ?? '')
    expect(table.header.slice(-6)).toEqual([
      'Post Code',
      '_row',
      '_column',
      '_code',
      '_message',
      '_suggestion',
    ])
    expect(table.rows.map(({ cells }) => cells.slice(-6))).toEqual([
      [
        'SWIA 1AA',
        '3',
        'city; Post Code',
        'required; invalid_format',
        'city is required. Post Code: The postcode is incomplete or wrong; enter it in full, such as SW1A 1AA.',
        'SW1A 1AA',
      ],
      ['E1 6EB', '4', 'Post Code', 'destination_not_covered', 'Destination is not covered.', ''],
      [
        'E1 6ED',
        '5',
        'Post Code; weight_grams',
        'invalid_format; out_of_range',
        'Post Code: No such postcode. weight_grams: Too heavy.',
        '',
      ],
    ])
  })

  test('names the column for a refusal of the service', () => {
    const upload = parseTestManifest(
      makeCsv(GOOD_ROW, { ...GOOD_ROW, reference: 'A2' }, { ...GOOD_ROW, reference: 'A3' }),
    )
    const all = outcomes(upload, [
      { result: 'rejected', reason: { code: 'destination_not_covered' } },
      {
        result: 'rejected',
        reason: {
          code: 'invalid_row',
          errors: [{ pointer: '/parcel/declared_value/amount', code: 'out_of_range', detail: 'Too much.' }],
        },
      },
      { result: 'rejected', reason: { code: 'some_new_code' } },
    ])
    expect(all.map(({ reason }) => reason?.errors[0])).toEqual([
      {
        column: 'postal_code',
        pointer: '/recipient/address/postal_code',
        value: 'E1 6EA',
        code: 'destination_not_covered',
        detail: 'Destination is not covered.',
      },
      {
        column: 'declared_value',
        pointer: '/parcel/declared_value',
        value: '',
        code: 'out_of_range',
        detail: 'Too much.',
      },
      {
        column: 'reference',
        pointer: '/reference',
        value: 'A3',
        code: 'some_new_code',
        detail: 'some_new_code',
      },
    ])
  })

  test('is not written when nothing was rejected', () => {
    const upload = parseTestManifest(makeCsv(GOOD_ROW))
    expect(errors(upload, outcomes(upload, [{ result: 'created' }]))).toBeUndefined()
  })

  test('corrected, is a manifest again', () => {
    const upload = parseTestManifest(
      makeCsv(
        { ...GOOD_ROW, city: '', phone: '+44 7700 900123', recipient_name: "-'Hart" },
        { ...GOOD_ROW, reference: 'A2' },
      ),
      { strict: true },
    )
    const text =
      errors(upload, outcomes(upload, []))?.replace('14 Lamb Street,,', '14 Lamb Street,London,') ?? ''
    const again = parseTestManifest(text, { strict: true })
    expect(again.unknown).toEqual([])
    expect(again.rows).toMatchObject([
      {
        reference: 'A1',
        errors: [],
        draft: { recipient: { contact: { name: "-'Hart", phone: '+447700900123' } } },
      },
    ])
  })

  test('uploaded uncorrected, gives the same file and not more columns', () => {
    const upload = parseTestManifest(makeCsv({ ...GOOD_ROW, city: '', phone: '+44 7700 900123' }))
    const text = errors(upload, outcomes(upload, [])) ?? ''
    const again = parseTestManifest(text)
    expect(errors(again, outcomes(again, []))).toBe(text)
  })

  test('of an export is still that export', () => {
    const upload = parseTestManifest(exportFile('shopify-orders'), {
      defaults: new Map([...PARCEL_DEFAULTS, ['weight_grams', '700']]),
    })
    const reason = { code: 'invalid_row', errors: [] }
    const all = upload.rows.map(({ row }) => ({ row, result: 'rejected' as const, reason }))
    const again = parseTestManifest(errors(upload, all) ?? '', { defaults: PARCEL_DEFAULTS })
    expect(again.mapping.preset?.name).toBe('shopify-orders')
    expect(again.rows.map(({ draft }) => draft)).toEqual(upload.rows.map(({ draft }) => draft))
  })
})

test('a missing reference has a reason of its own', () => {
  const upload = parseTestManifest(
    makeCsv({ ...GOOD_ROW, reference: '' }, { ...GOOD_ROW, reference: '', city: '' }),
  )
  expect(outcomes(upload, []).map(({ reason }) => reason?.code)).toEqual(['missing_reference', 'invalid_row'])
})

describe('the files have the delimiter of the manifest, and a byte order mark for the spreadsheet', () => {
  test.each([
    ['plain UTF-8', Buffer.from('a;b\n1;2\n'), { delimiter: ';', bom: true }],
    ['UTF-8 with a mark', Buffer.from('\uFEFFa,b\n1,2\n'), { delimiter: ',', bom: true }],
    ['Windows-1252', Buffer.from('a,b\n1,\xe9\n', 'latin1'), { delimiter: ',', bom: true }],
  ])('%s', async (_, bytes, form) => {
    const decoded = await decode(bytes)
    expect(toResultsFileForm(false, readTable(decoded.text))).toEqual(form)
  })
})

describe('an existing file is overwritten only when it is ours', () => {
  const upload = parseTestManifest(makeCsv({ ...GOOD_ROW, city: '' }))
  const all = outcomes(upload, [])

  test('a results or errors file is', () => {
    expect(detectOwnFileKind(results(upload, all))).toBe('results')
    expect(detectOwnFileKind(`\uFEFF${errors(upload, all)}`)).toBe('errors')
  })

  test.each([
    '',
    'not a table "',
    makeCsv(GOOD_ROW),
    'row,result,tracking_number,price,reason\n1,created,x,1,\n',
  ])('%j is not', (text) => {
    expect(detectOwnFileKind(text)).toBeUndefined()
  })
})
