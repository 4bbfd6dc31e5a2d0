import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Client, Target } from '../../../src/client/client.ts'
import { carrierUpload } from '../../../src/commands/carrier/upload.command.ts'
import { AppError } from '../../../src/core/errors.ts'
import { readTable } from '../../../src/tabular/csv/read.ts'
import { openWorkbook } from '../../../src/tabular/xlsx/workbook.ts'
import { toStorePath } from '../../support/agent.ts'
import { MANIFEST_COLUMNS, manifestLine, makeManifestCsv } from '../../support/clerk.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { GOOD_ROW, makeCsv } from '../../support/manifests.ts'
import { memoryIo, type MemoryIo } from '../../support/memory-io.ts'
import { runCommand } from '../../support/run-command.ts'
import { typeAnswer } from '../../support/typing.ts'
import { type MadeSheet, makeSheetFromCsv, workbookOf } from '../../support/workbooks.ts'

const EXPORTS = join(import.meta.dirname, '../../support/exports')

type Document = {
  counts: Record<string, number>
  data: { result: string; reason: { code: string; errors: { column: string }[] } | null }[]
  error?: { code: string; exit_code: number }
}

function write(home: Home, text: string, name = 'm.csv'): string {
  const path = join(home.cwd, name)
  writeFileSync(path, text)
  return path
}

function upload(home: Home, path: string, words: readonly string[], io?: MemoryIo) {
  return runCommand(home, carrierUpload, [path, ...words], {
    openClient: embeddedIn(home),
    ...(io !== undefined && { io }),
  })
}

async function cellsOf(path: string): Promise<string[][]> {
  const [sheet] = (await openWorkbook(readFileSync(path))).sheets
  return (await sheet?.read())?.rows.map(({ cells }) => cells) ?? []
}

const rows = (...lines: string[]): string => [MANIFEST_COLUMNS, ...lines].join('\n')

describe('before the question', () => {
  test('the reference of another parcel is shown as what it will be: rejected', async () => {
    using home = makeHome()
    await upload(home, write(home, rows(manifestLine('A-1'), manifestLine('A-2'))), ['--yes'])
    const changed = manifestLine('A-1').replace(',500,', ',900,')
    const path = write(home, rows(changed, manifestLine('A-2'), manifestLine('A-3'), manifestLine('A-3', 1)))
    const planned = await upload(home, path, ['--dry-run', '--json'])
    const done = await upload(home, path, ['--yes', '--json', '--idempotency-key', 'second'])
    const results = (document: unknown) => (document as Document).data.map(({ result }) => result)
    expect(results(planned.json())).toEqual(['rejected', 'duplicate', 'created', 'rejected'])
    expect(results(done.json())).toEqual(results(planned.json()))
    expect(planned.code).toBe(9)
    expect(planned.out).toContain('with different content. Each parcel needs its own reference.')
    expect(planned.out).toContain('Row 4 has the same reference and different content. Each parcel needs')
  })

  test('two rows of one reference that differ anywhere are a conflict, planned and sent, and the same weight in other units is none', async () => {
    const columns = MANIFEST_COLUMNS.replace('weight_grams', 'weight').split(',')
    const line = manifestLine('A-1').replace(',500,', ',1.2kg,').split(',')
    const others: Readonly<Record<string, string>> = {
      recipient_name: 'Somebody',
      address_line1: '15 Lamb Street',
      city: 'Greater London',
      postal_code: 'E1 6EB',
      weight: '1.3kg',
      length_mm: '301',
      width_mm: '201',
      height_mm: '101',
      service_level: 'economy',
    }
    expect(Object.keys(others)).toEqual(columns.slice(1))
    for (const [column, value] of [...Object.entries(others), ['weight', '1200 g']]) {
      using home = makeHome()
      const second = line.map((cell, at) => (columns[at] === column ? value : cell))
      const path = write(home, [columns, line, second].map((cells) => cells?.join(',')).join('\n'))
      const planned = await upload(home, path, ['--dry-run', '--json'])
      const sent = await upload(home, path, ['--yes', '--json'])
      const results = (document: unknown) => (document as Document).data.map(({ result }) => result)
      const expected = value === '1200 g' ? 'duplicate' : 'rejected'
      expect([column, results(planned.json())]).toEqual([column, ['created', expected]])
      expect([column, results(sent.json())]).toEqual([column, ['created', expected]])
    }
  })

  test('a row that repeats another is named, for it may be a second parcel, with a question and without', async () => {
    using home = makeHome()
    const twice = write(home, rows(manifestLine('A-1'), manifestLine('A-2'), manifestLine('A-1')))
    const said =
      'Row 4 is a duplicate of an earlier row and is skipped. If it is a different parcel, give it its own reference.'
    expect((await upload(home, twice, ['--dry-run'])).err).toContain(said)
    expect((await upload(home, twice, ['--yes'])).err).toContain(said)
    const often = write(home, rows(...Array.from({ length: 8 }, () => manifestLine('A-9'))))
    expect((await upload(home, often, ['--dry-run'])).err).toContain(
      '7 rows (3, 4, 5, 6, 7, …) are duplicates of earlier rows and are skipped. Give different parcels',
    )
  })

  test('the error names the column that the service will name, and the place', async () => {
    using home = makeHome()
    const path = write(home, rows(manifestLine('A-1').replace('E1 6EA', 'ZZ1 1ZZ'), manifestLine('A-2')))
    const errors = (document: unknown) =>
      (document as Document).data.flatMap(({ reason }) => reason?.errors.map(({ column }) => column) ?? [])
    const planned = await upload(home, path, ['--dry-run', '--json'])
    expect(errors(planned.json())).toEqual(['postal_code'])
    expect(errors((await upload(home, path, ['--yes', '--json'])).json())).toEqual(['postal_code'])
    expect(planned.out).toContain('ZZ1 1ZZ is not a complete, existing postcode.')
  })

  test('without a prompt, the error has the number and the price of the question', async () => {
    using home = makeHome()
    const far = manifestLine('A-1').replace('E1 6EA', 'KW15 1AA').replace('two_day', 'same_day')
    const path = write(home, rows(far, manifestLine('A-2')))
    const ran = await upload(home, path, [])
    expect(ran.error).toMatchObject({ code: 'not_confirmed', exitCode: 3 })
    expect(ran.error?.message).toMatch(
      /^Create 1 parcel for £\d+\.\d\d\? Confirmation required, but this is not a terminal/,
    )
    expect(ran.err).toContain('1 row will not be sent:\n  service_level: Same day does not go to')
    expect(ran.err).toContain('(row 2)')
  })
})

test('a file of several customers names each, and --customer stands for those that it does not name', async () => {
  using home = makeHome()
  const path = write(
    home,
    [
      `${MANIFEST_COLUMNS},for_customer`,
      `${manifestLine('A-1')},Blue Door`,
      `${manifestLine('A-2')},`,
      '',
    ].join('\n'),
  )
  const sent = await upload(home, path, ['--customer', 'Green Cup', '--yes', '--json'])
  expect(sent.code).toBe(0)
  const customersOf = async (...words: string[]) => {
    const client = await embeddedIn(home)({
      kind: 'embedded',
      store: toStorePath(home),
      account: 'everything',
    })
    const { value } = await client.call(
      'list_shipments',
      words.length === 0 ? {} : { customer: words.join(' ') },
    )
    await client.close()
    return value.data.map(({ reference, customer }) => [reference, customer])
  }
  expect(await customersOf('Green', 'Cup')).toEqual([['A-2', 'Green Cup']])
  expect(await customersOf()).toEqual([
    ['A-2', 'Green Cup'],
    ['A-1', 'Blue Door'],
  ])
  // The same parcel for another customer is other content, and rejected.
  const again = await upload(home, path, [
    '--customer',
    'Red Hen',
    '--yes',
    '--json',
    '--idempotency-key',
    'second',
  ])
  expect((again.json() as Document).data.map(({ result, reason }) => [result, reason?.code])).toEqual([
    ['duplicate', 'already_exists'],
    ['rejected', 'reference_conflict'],
  ])
})

test('an unknown hub is reported once, before any row is rejected for it', async () => {
  using home = makeHome()
  const ran = await upload(home, write(home, makeManifestCsv(2)), ['--yes', '--hub', 'LON99'])
  expect(ran.error).toMatchObject({ code: 'hub_not_found', message: 'No hub LON99.' })
  expect(ran.error?.hint).toContain('Yours are LON1, LON2')
  expect(existsSync(join(home.cwd, 'm.results.csv'))).toBe(false)
})

test('a protected profile is confirmed before parcels are priced', async () => {
  using home = makeHome()
  home.writeConfig({ profiles: { default: { protected: true } } })
  const io = memoryIo({ tty: true, columns: 80 })
  const ran = await upload(home, write(home, makeManifestCsv(1)), ['--results', 'none'], io)
  expect(ran.error?.message).toContain('is protected')
  expect(io.err()).not.toContain('two_day')
})

test('more than 500 rows are rejected before any check and any call of the service', async () => {
  using home = makeHome()
  const bad = manifestLine('A-1').replace('E1 6EA', 'nowhere')
  const path = write(home, rows(...Array.from({ length: 501 }, () => bad)))
  for (const words of [['--yes'], ['--dry-run']]) {
    const ran = await runCommand(home, carrierUpload, [path, ...words])
    expect(ran.error?.message).toBe('The file has 501 parcels; a batch has at most 500. Nothing was sent.')
    expect(ran.error).toMatchObject({ code: 'usage', extra: { limit: 500 } })
    expect(ran.error?.hint).toContain('--split')
  }
})

describe('the gaps of a file', () => {
  test('an export is asked only for what its tool does not know, and wrong answers again', async () => {
    using home = makeHome()
    const io = memoryIo({ tty: { stdin: true, stderr: true }, columns: 100 })
    const path = write(home, readFileSync(join(EXPORTS, 'shopify-orders.csv'), 'utf8'))
    const running = upload(home, path, ['--accessible', '--map-only'], io)
    await typeAnswer(io, 'This export has no weight: weight of every parcel, such as 1.2kg', 'heavy')
    await typeAnswer(io, 'is not a number', '500g')
    await typeAnswer(io, 'size of every parcel', '20x15x5cm')
    const { code, out } = await running
    expect(code).toBe(0)
    expect(out).toContain('weight_grams\t\tdefault\t500g')
    expect(out).toContain('dimensions\t\tdefault\t20x15x5cm')
    expect(io.err()).toMatch(/^Read .*, a Shopify orders export, 7 rows\./)
  })

  test('a header can be chosen by what stands below it, or a value be given for all', async () => {
    using home = makeHome()
    const path = write(home, makeManifestCsv(1).replace('postal_code', 'Zustellgebiet').replace('city', 'Wo'))
    const io = memoryIo({ tty: { stdin: true, stderr: true }, columns: 100 })
    const running = upload(home, path, ['--accessible', '--map-only'], io)
    await typeAnswer(io, 'No column is city. Take it from', '1')
    await typeAnswer(io, 'city of every parcel', 'London')
    await typeAnswer(io, 'No column is postal_code. Take it from', '1')
    const { out } = await running
    expect(io.asked()).toContain('1. none of them: it is the same for every parcel')
    expect(io.asked()).toContain('Zustellgebiet (E1 6EA)')
    expect(out).toContain('city\t\tdefault\tLondon')
    expect(out).toContain('postal_code\tZustellgebiet\tflag\tE1 6EA')
  })

  test('a map is saved under a name that can be typed, and said when it is used', async () => {
    using home = makeHome()
    const path = write(home, makeManifestCsv(1))
    expect((await upload(home, path, ['--map-only', '--save-map', ''])).error?.code).toBe('usage')
    await upload(home, path, ['--map-only', '--save-map', 'mine'])
    expect((await upload(home, path, ['--map-only'])).err).toContain('with the saved map mine, 1 row.')
  })

  test('a map keeps which number of a date is the day', async () => {
    using home = makeHome()
    const path = write(home, makeCsv({ ...GOOD_ROW, not_before: '01/12/2026' }))
    const results = async (...flags: string[]) => {
      const { data } = (await upload(home, path, ['--dry-run', '--json', ...flags])).json() as {
        data: { result: string; reason: { errors: { code: string }[] } | null }[]
      }
      return data.map(({ result, reason }) => reason?.errors[0]?.code ?? result)
    }
    expect(await results()).toEqual(['ambiguous_date'])
    expect(await results('--date-order', 'day', '--save-map', 'mine')).toEqual(['created'])
    expect(await results()).toEqual(['created'])
  })

  test('which number of a date is the day is asked at a terminal', async () => {
    using home = makeHome()
    const path = write(home, makeCsv({ ...GOOD_ROW, not_before: '01/12/2026' }))
    const io = memoryIo({ tty: { stdin: true, stderr: true }, columns: 100 })
    const running = upload(home, path, ['--accessible'], io)
    await typeAnswer(io, 'not_before: 01/12/2026 can be two days. Which number is the day?', '1')
    await typeAnswer(io, 'Create 1 parcel', 'n')
    await running
    expect(io.err()).toContain('Amelia Hart')
  })
})

test('a number without a clear unit is reported with its row, its column and what to type', async () => {
  using home = makeHome()
  const csv =
    'Ref,Name,Address,Town,Postcode,Weight,Dimensions\nA1,Ann,1 Lamb Street,London,E1 6EA,850,30x20x10cm\n'
  const path = write(home, `${csv}\nA2,Ben,2 Lamb Street,London,E1 6EA,"1,2",30x20x10cm`)
  const ran = await upload(home, path, ['--yes', '--json'])
  expect(ran.error).toMatchObject({ code: 'usage', exitCode: 2 })
  expect(ran.error?.message).toBe(
    'The unit of some numbers is unclear: Weight has "1,2" in row 4 (give --weight-unit).',
  )
  expect(ran.error?.hint).toBe(
    'For example --weight-unit kg, or write the unit into the header or the cell, as in "Weight (kg)".',
  )
  expect(ran.error?.extra).toEqual({
    reason: { code: 'unit_unclear', cells: [{ column: 'Weight', row: 4, value: '1,2' }] },
  })
})

describe('a workbook', () => {
  const parcels = (name: string, ...references: string[]): MadeSheet =>
    makeSheetFromCsv(name, rows(...references.map((reference) => manifestLine(reference))), 3)
  const save = (home: Home, sheets: readonly MadeSheet[], name = 'm.xlsx'): string => {
    const path = join(home.cwd, name)
    writeFileSync(path, workbookOf(sheets))
    return path
  }

  test('is read by its bytes, from below its titles, and its rejected rows are a workbook, too', async () => {
    using home = makeHome()
    const made = parcels('Orders', '0012345', 'A-2', 'A-3')
    const cells = [...(made.rows[5] ?? [])].with(5, { t: 'e', v: '#N/A' })
    const sheet = { ...made, rows: { ...made.rows, 1: ['Orders of Friday'], 5: cells }, hidden: [6] }
    const path = save(home, [sheet], 'orders.csv')
    const ran = await upload(home, path, ['--yes'])
    expect(ran.code).toBe(9)
    expect(ran.err).toContain(
      `Read ${path}: a workbook, sheet Orders, 2 rows.\nwarning: row 6 is hidden in the workbook and not read. Show it there to send it.\nwarning: the header is in row 3; row 1 above it is not read: "Orders of Friday".`,
    )
    const results = readFileSync(path.replace('.csv', '.results.csv'), 'utf8')
    expect(results).toMatch(/^\uFEFFreference,/)
    expect(results).toMatch(/\r\n'0012345,.*,4,created,ZC/)
    const errors = path.replace('.csv', '.errors.xlsx')
    const [header = [], row = []] = await cellsOf(errors)
    expect(row.slice(header.indexOf('weight_grams'))).toEqual([
      '#N/A',
      '300',
      '200',
      '100',
      'two_day',
      '5',
      'weight_grams',
      'invalid_format',
      'Cell F5 has the error #N/A instead of a value.',
    ])
    // The error stays one until somebody corrects it.
    expect((await upload(home, errors, ['--dry-run'])).out).toContain('#N/A is an error of the spreadsheet')
    const corrected = { name: 'm', rows: { 1: header, 2: row.with(header.indexOf('weight_grams'), '750') } }
    const again = await upload(home, save(home, [corrected], 'orders.errors.xlsx'), [
      '--yes',
      '--json',
      '--idempotency-key',
      'second',
    ])
    expect(again.json()).toMatchObject({ counts: { total: 1, created: 1 } })
    expect(existsSync(path.replace('.csv', '.results-2.csv'))).toBe(true)
  })

  test('its errors are written anew, unless a spreadsheet has saved them: they then hold corrections', async () => {
    using home = makeHome()
    const made = parcels('Orders', 'A-1')
    const wrong = {
      ...made,
      rows: { ...made.rows, 4: (made.rows[4] ?? []).map((cell) => (cell === '500' ? 'x' : cell)) },
    }
    const path = save(home, [wrong])
    const errors = path.replace('.xlsx', '.errors.xlsx')
    for (const key of ['first', 'second'])
      expect((await upload(home, path, ['--yes', '--idempotency-key', key])).code).toBe(6)
    const [header = [], row = []] = await cellsOf(errors)
    const saved = workbookOf([{ name: 'm', rows: { 1: header, 2: row } }])
    writeFileSync(errors, saved)
    const refused = await upload(home, path, ['--yes'])
    expect(refused.error?.message).toBe(`${errors} exists and was not written by dray; it was not changed.`)
    expect(refused.code).not.toBe(0)
    expect(new Uint8Array(readFileSync(errors))).toEqual(saved)
    expect((await upload(home, path, ['--yes', '--force'])).code).toBe(6)
  })

  test('gives the value of merged cells to every row beside which it is seen, and says which', async () => {
    using home = makeHome()
    const made = parcels('Orders', 'A-1', 'A-2', 'A-3', 'A-4')
    // A spreadsheet keeps the value of merged cells in the first of them alone.
    const own = (row: number, at: number) => [...(made.rows[row] ?? [])].with(at, undefined)
    const city = (made.rows[3] ?? []).indexOf('city')
    const service = (made.rows[3] ?? []).indexOf('service_level')
    const first = [...(made.rows[4] ?? [])].with(service, 'same_day')
    const sheet = {
      ...made,
      rows: {
        ...made.rows,
        1: ['Friday'],
        4: first,
        5: own(5, service),
        6: own(6, service),
        7: own(7, city),
      },
      // The title, a service for three parcels and the empty rows below, and a city whose first row is hidden.
      merged: ['A1:J1', 'J4:J6', 'D6:D7'],
      hidden: [6],
    }
    const ran = await upload(home, save(home, [sheet]), ['--dry-run'])
    expect(ran.code).toBe(0)
    expect(ran.err).toContain(
      'warning: the value of merged cells counts for each of their rows (J4:J6, D6:D7). Split them there where rows differ.',
    )
    expect(ran.err).toMatch(/\nsame_day +2 /)
  })

  test('of several sheets is read in the only one with parcels, the named one, or the one that is chosen', async () => {
    using home = makeHome()
    const list = { name: 'Totals', rows: { 1: ['City', 'Weight'], 2: ['London', '12'] } }
    const old = { ...parcels('Old', 'O-1'), state: 'hidden' } as const
    const one = save(home, [list, old, parcels('Friday', 'F-1')], 'one.xlsx')
    const only = await upload(home, one, ['--map-only'])
    expect(only.err).toContain('a workbook, sheet Friday of 3, 1 row.')
    expect((await upload(home, one, ['--map-only', '--sheet', 'old'])).out).toContain('O-1')
    const strange = await upload(home, one, ['--sheet', 'Monday'])
    expect(strange.error?.message).toBe('--sheet: the workbook has no sheet "Monday".')
    expect(strange.error?.hint).toBe('It has: Totals, Old (hidden), Friday.')

    const two = save(home, [list, parcels('Friday', 'F-1'), parcels('Late Friday', 'L-1', 'L-2')], 'two.xlsx')
    const unclear = await upload(home, two, ['--yes'])
    expect(unclear.error).toMatchObject({ code: 'usage', exitCode: 2 })
    expect(unclear.error?.message).toBe('Several sheets may have the parcels: Friday, Late Friday.')
    expect(unclear.error?.hint).toBe('Say which with --sheet "Friday".')
    const io = memoryIo({ tty: { stdin: true, stderr: true }, columns: 100 })
    const running = upload(home, two, ['--accessible', '--map-only'], io)
    await typeAnswer(io, 'Late Friday (2 rows)', '2')
    expect((await running).out).toContain('L-1')

    for (const sheet of ['Friday', 'Late Friday']) {
      const words = ['--yes', '--hub', 'LON1', '--sheet', sheet, '--idempotency-key', `sheet-${sheet.length}`]
      expect((await upload(home, two, words)).code).toBe(0)
    }
    const results = (sheet: string) => readFileSync(join(home.cwd, `two.${sheet}.results.csv`), 'utf8')
    expect([results('Friday'), results('Late Friday')]).toEqual([
      expect.stringContaining('F-1'),
      expect.stringContaining('L-2'),
    ])
  })

  test('is not what a text with --sheet is', async () => {
    using home = makeHome()
    const ran = await upload(home, write(home, makeManifestCsv(1)), ['--sheet', 'A'])
    expect(ran.error?.message).toContain('the file is text')
  })
})

describe('a cell without a value', () => {
  const FORMS = {
    'm.csv': (text: string) => text,
    'm.tsv': (text: string) => {
      const { header, rows: lines } = readTable(text)
      const all = [header, ...lines.map(({ cells }) => cells)]
      return all.map((cells) => cells.join('\t').replaceAll('"', '')).join('\n')
    },
    'm.xlsx': (text: string) => workbookOf([makeSheetFromCsv('Parcels', text)]),
  }

  test.each(Object.entries(FORMS))('rejects its row, by column, in %s', async (name, toForm) => {
    using home = makeHome()
    const path = join(home.cwd, name)
    writeFileSync(path, toForm(readFileSync(join(EXPORTS, 'errors-and-guards.csv'), 'utf8')))
    const { data } = (await upload(home, path, ['--yes', '--json'])).json() as Document
    const blamed = data
      .slice(4)
      .map(({ result, reason }) => [result, reason?.errors.map(({ column }) => column)])
    expect(blamed).toEqual([
      ['rejected', ['reference']],
      ['rejected', ['reference']],
      ['rejected', ['recipient_name', 'address_line1']],
      ['rejected', ['address_line1']],
      ['rejected', ['address_line1']],
      ['rejected', ['recipient_name', 'address_line1', 'city']],
      ['rejected', ['recipient_name', 'address_line1', 'city']],
    ])
    const errors = join(home.cwd, name === 'm.xlsx' ? 'm.errors.xlsx' : 'm.errors.csv')
    const told = name === 'm.xlsx' ? JSON.stringify(await cellsOf(errors)) : readFileSync(errors, 'utf8')
    expect(told).toContain('#REF! is an error of the spreadsheet; correct it there and save the file again.')
  })

  test('is read as empty where a text may be left out, and said', async () => {
    using home = makeHome()
    const line = (reference: string, ...more: string[]) =>
      [reference, 'Fern Null', '12 Lamb Street', 'London', 'E1 6EA', '500 g', '20x15x5cm', ...more].join(',')
    const header = 'reference,recipient_name,address_line1,city,postal_code,weight,dimensions'
    const lines = [
      `${header},address_line2,phone`,
      line('A-1', 'NULL', '#N/A'),
      line('A-2', 'Flat 3', 'null'),
    ]
    const ran = await upload(home, write(home, lines.join('\n')), ['--yes', '--json'])
    expect(ran.json()).toMatchObject({
      counts: { created: 2 },
      warnings: [
        'address_line2 holds "NULL" in row 2; it is read as empty.',
        'phone holds "#N/A" in rows 2, 3; it is read as empty.',
      ],
    })
    const store = `${home.paths.data}/default/dray.db`
    const client = await embeddedIn(home)({ kind: 'embedded', store, account: 'everything' })
    const { data } = (await client.call('list_shipments', { reference: 'A-1' })).value
    await client.close()
    expect(data[0]?.recipient.contact).toEqual({ name: 'Fern Null' })
    expect(data[0]?.recipient.address).not.toHaveProperty('line2')
  })
})

describe('afterwards', () => {
  test('a clerk without a prompt sees every rejection in full, however narrow the terminal', async () => {
    using home = makeHome()
    const path = write(home, rows(manifestLine('A-1'), manifestLine('A-2').replace(',500,', ',45000,')))
    const io = memoryIo({ tty: true, columns: 80 })
    await upload(home, path, ['--yes'], io)
    expect(io.err()).toContain(
      '1 row was rejected:\n  weight_grams: 45000 g is over the limit of 30000 g. (row 3)',
    )
  })

  test("a file's name cannot draw on the terminal, nor stand for a figure", async () => {
    using home = makeHome()
    const path = write(home, makeManifestCsv(1), 'a\x1b[2J{counts.total}.csv')
    const io = memoryIo({ tty: true, columns: 500 })
    await upload(home, path, ['--yes'], io)
    expect(io.err()).toContain('a{counts.total}.results.csv')
    expect(io.err().split('\n')[1]).not.toContain('\x1b[2J')
  })

  test('results on standard output leave the sentence to stderr, and no room for JSON', async () => {
    using home = makeHome()
    const path = write(home, makeManifestCsv(2))
    const ran = await upload(home, path, ['--yes', '--results', '-'])
    expect(ran.out.split('\r\n')).toHaveLength(4)
    expect(ran.err).toContain('2 created for')
    expect((await upload(home, path, ['--yes', '--results', '-', '--json'])).error?.code).toBe('usage')
  })
})

describe('an upload that does not end', () => {
  /** A service that fails from the second batch on. */
  const failing = (home: Home) => async (): Promise<Client> => {
    const client = await embeddedIn(home)({
      kind: 'embedded',
      store: `${home.paths.data}/default/dray.db`,
      account: 'everything',
    })
    let batches = 0
    return {
      ...client,
      call: (operation, input, options) => {
        if (operation === 'create_shipments_batch' && ++batches > 1)
          throw new AppError('network_error', 'Cannot reach the server.', {
            hint: 'with --idempotency-key k-2 the same call is never done twice',
            extra: { idempotency_key: 'k-2' },
          })
        return client.call(operation, input, options)
      },
    }
  }

  test('with --json is one document that says why', async () => {
    using home = makeHome()
    const ran = await runCommand(
      home,
      carrierUpload,
      [write(home, makeManifestCsv(501)), '--split', '--yes', '--json'],
      {
        openClient: failing(home),
      },
    )
    const { counts, error } = ran.json() as Document
    expect(counts).toMatchObject({ total: 501, created: 500, not_sent: 1 })
    expect(error).toMatchObject({ code: 'network_error', exit_code: 11 })
    // The key of one batch is not a key for the whole upload.
    expect(JSON.stringify(error)).not.toMatch(/idempotency.key/)
    expect(ran.code).toBe(11)
  })

  test('names the command that goes on', async () => {
    using home = makeHome()
    const path = write(home, makeManifestCsv(501))
    const ran = await runCommand(home, carrierUpload, [path, '--split', '--yes'], {
      openClient: failing(home),
    })
    expect(ran.error?.code).toBe('network_error')
    expect(ran.err).toContain(
      `1 parcel was not sent. Running the same command again continues and creates nothing twice: \`dray carrier upload ${path} --split --yes\``,
    )
  })
})

test('the tracking numbers are printed even when the results cannot be written', async () => {
  using home = makeHome()
  const path = write(home, makeManifestCsv(1))
  const results = path.replace('.csv', '.results.csv')
  const open = embeddedIn(home)
  const openClient = async (target: Target): Promise<Client> => {
    const client = await open(target)
    const call: Client['call'] = async (operation, input, options) => {
      const answer = await client.call(operation, input, options)
      // Somebody makes a folder of that name while the parcels are created.
      const { price_only } = input as { price_only?: boolean }
      if (operation === 'create_shipments_batch' && price_only !== true)
        mkdirSync(results, { recursive: true })
      return answer
    }
    return { ...client, call }
  }
  const ran = await runCommand(home, carrierUpload, [path, '--yes'], { openClient })
  expect(ran.error?.code).toBe('output_failed')
  expect(ran.out).toMatch(/ZC\d{9}GB/)
})

describe('references with an invisible difference', () => {
  test('are one parcel, in a file and between two', async () => {
    using home = makeHome()
    const unseen = ['A-1\u200b', 'A\u20111', '\ufeffA-1', 'A\u00ad-1\u00a0', '\u202aA-1\u202c']
    const sheet = rows(manifestLine('A-1'), ...unseen.map((reference) => manifestLine(reference)))
    const done = await upload(home, write(home, sheet), ['--yes', '--json'])
    expect(done.error).toBeUndefined()
    expect((done.json() as Document).counts).toMatchObject({ total: 6, created: 1, duplicate: 5 })
    const next = write(home, rows(manifestLine('A-\u20601')), 'next.csv')
    const again = await upload(home, next, ['--yes', '--json', '--idempotency-key', 'second'])
    expect((again.json() as Document).data).toMatchObject([
      { reference: 'A-1', result: 'duplicate', reason: { code: 'already_exists' } },
    ])
  })

  test('are rejected where their rows are other parcels, on either side of a batch', async () => {
    using home = makeHome()
    const other = manifestLine('A-0001\u200b').replace('14 Lamb Street', '5 Mill Lane')
    const many = makeManifestCsv(500, 'A-').trimEnd()
    const ran = await upload(home, write(home, `${many}\n${other}\n`), ['--yes', '--json', '--split'])
    const { counts, data } = ran.json() as Document
    expect(counts).toMatchObject({ created: 500, rejected: 1 })
    expect(data.at(-1)?.reason).toMatchObject({ code: 'reference_conflict', duplicate_of_row: 2 })
    expect(ran.code).toBe(9)
  })
})

test('a row is rejected if an earlier row has its reference, also where that one is rejected, too', async () => {
  using home = makeHome()
  const nowhere = manifestLine('A-1').replace('E1 6EA', 'ZZ1 1ZZ')
  const path = write(home, rows(nowhere, manifestLine('A-1'), manifestLine('A-2')))
  const results = (document: unknown) => (document as Document).data.map(({ result }) => result)
  const planned = results((await upload(home, path, ['--dry-run', '--json'])).json())
  expect(planned).toEqual(['rejected', 'rejected', 'created'])
  expect(results((await upload(home, path, ['--yes', '--json'])).json())).toEqual(planned)
})

describe('the same sheet again after parcels of it were cancelled', () => {
  const SHEET = rows(manifestLine('A-1'), manifestLine('A-2', 1), manifestLine('A-3', 2))

  /** Uploads the sheet and cancels parcels of it. Returns their numbers. */
  async function uploadAndCancel(home: Home, ...references: string[]): Promise<string[]> {
    const done = await upload(home, write(home, SHEET), ['--yes', '--json'])
    const { data } = done.json() as { data: { reference: string; tracking_number: string }[] }
    const numbers = data.flatMap(({ reference, tracking_number }) =>
      references.includes(reference) ? [tracking_number] : [],
    )
    const target = {
      kind: 'embedded',
      store: join(home.paths.data, 'default/dray.db'),
      account: 'everything',
    }
    const client = await embeddedIn(home)(target as Target)
    for (const tracking_number of numbers) await client.call('cancel_shipment', { tracking_number })
    await client.close()
    return numbers
  }

  test('leaves them out, says so, and names the command that makes them again', async () => {
    using home = makeHome()
    const [second, third] = await uploadAndCancel(home, 'A-2', 'A-3')
    const path = write(home, SHEET)
    const again = `dray carrier upload ${path} --yes --idempotency-key second --recreate-cancelled`
    const planned = await upload(home, path, ['--dry-run', '--json'])
    const done = await upload(home, path, ['--yes', '--idempotency-key', 'second'])
    expect(done.code).toBe(0)
    expect(done.err).toContain(`2 rows skipped (cancelled before). To create them again: \`${again}\``)
    expect(done.err).toContain('0 created, 1 already there, 2 skipped (cancelled before).')
    expect(readFileSync(join(home.cwd, 'm.results.csv'), 'utf8')).toMatch(
      /,3,duplicate,,,cancelled_before: Created before and cancelled\.\r?\n/,
    )
    expect(existsSync(join(home.cwd, 'm.errors.csv'))).toBe(false)
    const json = await upload(home, path, ['--yes', '--json', '--idempotency-key', 'third'])
    for (const ran of [planned, json]) {
      expect(ran.json()).toMatchObject({
        counts: { total: 3, created: 0, duplicate: 3, rejected: 0 },
        data: [
          { result: 'duplicate', reason: { code: 'already_exists' } },
          {
            result: 'duplicate',
            tracking_number: null,
            cancelled_tracking_number: second,
            reason: { code: 'cancelled_before' },
          },
          { cancelled_tracking_number: third, reason: { code: 'cancelled_before' } },
        ],
      })
    }

    // On purpose, they are made again; then they are there.
    const made = await upload(home, path, ['--yes', '--recreate-cancelled', '--idempotency-key', 'fourth'])
    expect(made.err).toMatch(/2 created for £\d+\.\d\d, 1 already there\./)
    const last = await upload(home, path, ['--yes', '--idempotency-key', 'fifth'])
    expect(last.err).toContain('0 created, 3 already there.')
  })

  test('creates a row that was mended, and says so before the question and without one', async () => {
    using home = makeHome()
    const [second] = await uploadAndCancel(home, 'A-2', 'A-3')
    const path = write(home, SHEET.replace('5 Market Place', '7 Market Place'))
    const said =
      '1 parcel of the same reference as a cancelled one, but other content (row 3): it is created.'
    const planned = await upload(home, path, ['--dry-run'])
    expect(planned.err).toContain(said)
    expect(planned.err).toContain('1 row skipped (cancelled before). To create them again: `')
    const done = await upload(home, path, ['--yes', '--json', '--idempotency-key', 'second'])
    expect(done.err).toContain(said)
    expect((done.json() as Document).data[1]).toMatchObject({
      result: 'created',
      cancelled_tracking_number: second,
      reason: null,
    })
  })
})

describe('rejected rows that a spreadsheet opened and saved', () => {
  const HEADER = 'reference,recipient_name,address_line1,city,postal_code,phone,weight,dimensions'
  const CASE = [
    '000123,Fern Holloway,12 Lamb Street,London,E1 6EA,07700 900101,500 g,20x15x5cm',
    '0012E5,Otis Bell,101 Rye Lane,London,SE15 4ST,07700900102,500 g,20x15x5cm',
    '1234567890123456,Otis Bell,1-2 Rye Lane,London,SE15,07700900102,500 g,20x15x5cm',
    '000456,Otis Bell,101 Rye Lane,London,SE15,07700900102,500 g,20x15x5cm',
    '1-2,Otis Bell,1/2,London,SE15,07700900102,500 g,20x15x5cm',
    '00777,Otis Bell,101 Rye Lane,London,SE15 4ST,07700900102,500 g,20x15x5cm',
  ]
  const JSON_YES = ['--yes', '--json', '--idempotency-key', 'second']
  const references = ['1234567890123456', '000456', '1-2']

  test('come back as they were, for nothing in the file looks like a number or a date', async () => {
    using home = makeHome()
    const path = write(home, [HEADER, ...CASE].join('\n'), 'leading-zeros.csv')
    expect((await upload(home, path, ['--yes'])).code).toBe(9)
    const errors = path.replace('.csv', '.errors.csv')
    const text = readFileSync(errors, 'utf8')
    expect(text).toContain("\r\n'000456,Otis Bell,101 Rye Lane,London,SE15,'07700900102,500 g,20x15x5cm,5,")
    expect(text).toContain("\r\n'1-2,Otis Bell,'1/2,")
    writeFileSync(errors, text.replaceAll(',SE15,', ',SE15 4ST,').replace("'1/2", "'1/2 Rye Lane"))
    const again = (await upload(home, errors, JSON_YES)).json() as Document
    expect(again.counts).toMatchObject({ total: 3, created: 3 })
    expect(again.data).toMatchObject(references.map((reference) => ({ reference, result: 'created' })))
    const results = readFileSync(path.replace('.csv', '.results-2.csv'), 'utf8')
    expect(results).toContain("\r\n'1-2,Otis Bell,1/2 Rye Lane,London,SE15 4ST,'07700900102,")
  })

  test('are results that a spreadsheet opens as they are, and that the upload reads back', async () => {
    using home = makeHome()
    const mine = ['0012E5', '000456', '1-2', '\u00a0=1+1', '" =2+2"']
    const rows = mine.map(
      (reference) => `${reference},Otis Bell,101 Rye Lane,London,SE15 4ST,07700900102,500 g,20x15x5cm`,
    )
    const path = write(home, [HEADER, ...rows].join('\n'), 'orders.csv')
    // Formulas are rejected; their rows are in the results, too.
    expect((await upload(home, path, ['--yes'])).code).toBe(9)
    const results = path.replace('.csv', '.results.csv')
    const [header, ...lines] = readFileSync(results, 'utf8').trimEnd().split('\r\n')
    expect(header).toMatch(/^\uFEFFreference,/)
    expect(lines.map((line) => line.split(',')[0])).toEqual([
      "'0012E5",
      "'000456",
      "'1-2",
      "'\u00a0=1+1",
      "' =2+2",
    ])
    const again = (await upload(home, results, JSON_YES)).json() as Document
    expect(again.counts).toMatchObject({ total: 5, duplicate: 3 })
    expect(again.data).toMatchObject([
      { reference: '0012E5', result: 'duplicate' },
      { reference: '000456', result: 'duplicate' },
      { reference: '1-2', result: 'duplicate' },
      {},
      {},
    ])
  })

  test('of a workbook are a workbook of texts', async () => {
    using home = makeHome()
    const path = join(home.cwd, 'leading-zeros.xlsx')
    writeFileSync(path, workbookOf([makeSheetFromCsv('Orders', [HEADER, ...CASE].join('\n'))]))
    expect((await upload(home, path, ['--yes'])).err).toContain('leading-zeros.errors.xlsx')
    const cells = await cellsOf(path.replace('.xlsx', '.errors.xlsx'))
    expect(cells.map(([first]) => first)).toEqual(['reference', ...references])
    const again = (await upload(home, path.replace('.xlsx', '.errors.xlsx'), ['--dry-run', '--json'])).json()
    expect((again as Document).data).toMatchObject(references.map((reference) => ({ reference })))
  })

  test('of a workbook hold the number of a cell, not the rounded one that it shows', async () => {
    using home = makeHome()
    const path = join(home.cwd, 'm.xlsx')
    const made = makeSheetFromCsv(
      'Orders',
      [HEADER.replace('weight', 'weight (kg)'), CASE[3]?.replace('500 g', 'W')].join('\n'),
    )
    const row = (made.rows[2] ?? []).map((cell) => (cell === 'W' ? { s: 1, v: '1.234' } : cell))
    writeFileSync(path, workbookOf([{ ...made, rows: { ...made.rows, 2: row } }], { formats: ['0'] }))
    expect((await upload(home, path, ['--yes'])).code).toBe(6)
    expect((await cellsOf(path.replace('.xlsx', '.errors.xlsx')))[1]?.[6]).toBe('1.234')
  })
})
