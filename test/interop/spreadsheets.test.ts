/** Files of the built program in LibreOffice of Debian, which opens and saves them as people do. */
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { basename, join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { openWorkbook } from '../../src/tabular/xlsx/workbook.ts'
import { recordTally } from '../support/battery.ts'
import { installProgram } from '../support/debian.ts'
import { builtProgram, startDray, splitCommandLine } from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'
import { makeSheetFromCsv, workbookOf } from '../support/workbooks.ts'

const MAX_SPREADSHEET_TEST_MS = 600_000
const execute = promisify(execFile)

/** Comma, quote, UTF-8, from the first row, dates and the like recognised as Excel does. */
const CSV = '44,34,76,1,,0,false,true,false'

const ORDERS = [
  'reference,recipient_name,address_line1,city,postal_code,phone,weight,dimensions',
  '000123,Fern Holloway,12 Lamb Street,London,E1 6EA,07700 900101,500 g,20x15x5cm',
  '0012E5,Otis Bell,101 Rye Lane,London,SE15,+44 7700 900102,500 g,20x15x5cm',
  '1234567890123456,Otis Bell,1-2 Rye Lane,London,SE15,07700900102,500 g,20x15x5cm',
  '000456,Otis Bell,101 Rye Lane,London,SE15,07700900102,500 g,20x15x5cm',
  '1-2,Otis Bell,1/2,London,SE15,07700900102,500 g,20x15x5cm',
  '2-Jan,May June,12:30,London,SE15,07700900102,0.50 kg,20x15x5cm',
].join('\n')
const REFUSED = ['0012E5', '1234567890123456', '000456', '1-2', '2-Jan']

beforeAll(async () => {
  await Promise.all([builtProgram(), installProgram('soffice', 'libreoffice-calc')])
}, MAX_SPREADSHEET_TEST_MS)

/** A folder with a store of its own, and the program in it. */
async function makeDesk() {
  const home = await makeTempFolder()
  const runPlain = (words: string) =>
    startDray(splitCommandLine(words), { cwd: home, env: { HOME: home, DRAY_HOME: join(home, 'dray') } })
      .ended
  const run = (words: string) => runPlain(`${words} --json`)
  const path = (name: string) => join(home, name)
  /** Opens a file in the spreadsheet and saves it under its name. */
  const resave = async (name: string): Promise<void> => {
    const isCsv = name.endsWith('.csv')
    const form = isCsv
      ? [`--infilter=CSV:${CSV}`, '--convert-to', `csv:Text - txt - csv (StarCalc):${CSV}`]
      : ['--convert-to', 'xlsx']
    const profile = `-env:UserInstallation=file://${path('profile')}`
    const written = fs.readFileSync(path(name))
    await execute('soffice', [profile, '--headless', ...form, '--outdir', path('saved'), path(name)])
    fs.renameSync(join(path('saved'), basename(name)), path(name))
    // The spreadsheet writes in its own way, so it has read the cells.
    expect(fs.readFileSync(path(name)).equals(written)).toBe(false)
  }
  return { run, runPlain, path, resave }
}

type SpreadsheetUpload = { counts: Record<string, number>; data: { reference: string; result: string }[] }

describe('rejected rows, corrected in a spreadsheet', { timeout: MAX_SPREADSHEET_TEST_MS }, () => {
  test('of a CSV file are uploaded again with every other cell as it was', async () => {
    const { run, path, resave } = await makeDesk()
    fs.writeFileSync(path('orders.csv'), ORDERS)
    expect((await run('carrier upload orders.csv --yes')).exitCode).toBe(9)
    await resave('orders.errors.csv')
    const saved = fs.readFileSync(path('orders.errors.csv'), 'utf8')
    fs.writeFileSync(path('orders.errors.csv'), saved.replaceAll(',SE15,', ',SE15 4ST,'))
    const { counts, data } = (await run('carrier upload orders.errors.csv --yes')).json<SpreadsheetUpload>()
    recordTally({ tries: REFUSED.length, lost: REFUSED.length - (counts['created'] ?? 0) })
    expect(counts).toMatchObject({ total: 5, created: 5 })
    expect(data.map(({ reference }) => reference)).toEqual(REFUSED)
    const results = fs.readFileSync(path('orders.results-2.csv'), 'utf8')
    expect(results).toContain("\r\n'1-2,Otis Bell,'1/2,London,SE15 4ST,'07700900102,500 g,20x15x5cm,")
    expect(results).toContain("\r\n'0012E5,Otis Bell,101 Rye Lane,London,SE15 4ST,'+44 7700 900102,")
    expect(results).toContain("\r\n'2-Jan,May June,'12:30,London,SE15 4ST,'07700900102,0.50 kg,")
  })

  test('of a workbook are a workbook, and stay what they are', async () => {
    const { run, path, resave } = await makeDesk()
    fs.writeFileSync(path('orders.xlsx'), workbookOf([makeSheetFromCsv('Orders', ORDERS)]))
    expect((await run('carrier upload orders.xlsx --yes')).exitCode).toBe(9)
    const cells = async () => {
      const [sheet] = (await openWorkbook(fs.readFileSync(path('orders.errors.xlsx')))).sheets
      return (await sheet?.read())?.rows.map((row) => row.cells)
    }
    const written = await cells()
    await resave('orders.errors.xlsx')
    const saved = await cells()
    const changed = written?.filter((row, at) => !isDeepStrictEqual(row, saved?.[at])) ?? []
    recordTally({ tries: REFUSED.length, broken: changed.length })
    expect(saved).toEqual(written)
    const { data } = (await run('carrier upload orders.errors.xlsx --dry-run')).json<SpreadsheetUpload>()
    expect(data.map(({ reference }) => reference)).toEqual(REFUSED)
  })
})

test(
  'results and --csv are opened and saved by a spreadsheet without a change, and read back; --output csv is exact',
  { timeout: MAX_SPREADSHEET_TEST_MS },
  async () => {
    const { run, runPlain, path, resave } = await makeDesk()
    fs.writeFileSync(path('orders.csv'), ORDERS.replaceAll(',SE15,', ',SE15 4ST,'))
    const references = ['000123', ...REFUSED]
    expect((await run('carrier upload orders.csv --yes')).json<SpreadsheetUpload>().counts).toMatchObject({
      created: 6,
    })
    await resave('orders.results.csv')
    const { counts, data } = (await run('carrier upload orders.results.csv --yes')).json<SpreadsheetUpload>()
    recordTally({ tries: references.length, broken: references.length - (counts['duplicate'] ?? 0) })
    expect(counts).toMatchObject({ total: 6, duplicate: 6 })
    expect(data.map(({ reference }) => reference)).toEqual(references)
    // The report for people: the texts come back as they were written, and a list is read from it.
    const print = async (words: string, name: string) => {
      const { stdout } = await runPlain(words)
      fs.writeFileSync(path(name), stdout)
      return stdout
    }
    const sheet = await print('carrier report --parcels --csv', 'report.csv')
    expect(sheet).toMatch(/^\uFEFFtracking_number,reference,/)
    await resave('report.csv')
    const saved = fs.readFileSync(path('report.csv'), 'utf8')
    for (const reference of references)
      expect([reference, saved.includes(`'${reference}`)]).toEqual([reference, true])
    const listed = (await run('carrier list --manifest report.csv')).json<{ data: { reference: string }[] }>()
    expect(listed.data.map(({ reference }) => reference).toSorted()).toEqual(references.toSorted())
    const exact = await print('carrier list --output csv --fields reference', 'exact.csv')
    expect(exact.split('\n').slice(0, -1).toSorted()).toEqual(['reference', ...references].toSorted())
  },
)

test(
  'a menu that is exported, saved by a spreadsheet and updated is the menu that it was',
  { timeout: MAX_SPREADSHEET_TEST_MS },
  async () => {
    const { run, path, resave } = await makeDesk()
    const menu = [
      'category,name,description,price,external_ref,sku,barcode,tax_rate,available,modifier_group,modifier_name,modifier_price',
      'Drinks,1/2 Pint,  two spaces,3.50,000456,1-2,5012345678900,17.5%,yes,,,',
      'Drinks,007,12:30,12.00,2-Jan,1E5,,5%,no,Size,3/4,0.50',
      `Other,'=Sum,"two\nlines, £5",1.10,1234567890123456,T-1,,0%,yes,,,`,
      "'90s,Café,'000123,2.00,+44,-1,,20%,yes,,,",
    ].join('\n')
    fs.writeFileSync(path('mine.csv'), menu)
    expect((await run('business catalog import mine.csv --yes --as owner')).json()).toMatchObject({
      counts: { created: 4 },
    })
    const list = async () =>
      (await run('business catalog list --all --as owner')).json<{ data: unknown[] }>().data
    const before = await list()
    expect((await run('business catalog export menu.csv --as owner')).exitCode).toBe(0)
    await resave('menu.csv')
    const updated = await run('business catalog import menu.csv --update --yes --as owner')
    const after = await list()
    const same = before.filter((item, at) => isDeepStrictEqual(item, after[at]))
    recordTally({ tries: before.length, broken: before.length - same.length })
    expect(updated.json()).toMatchObject({
      counts: { created: 0, updated: 0, rejected: 0, total: before.length },
    })
    expect(after).toEqual(before)
  },
)
