/** The rejected rows of a file, corrected and uploaded without the rows that told how its numbers are written. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { carrierUpload } from '../../../src/commands/carrier/upload.command.ts'
import { openWorkbook } from '../../../src/tabular/xlsx/workbook.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'
import { workbookOf } from '../../support/workbooks.ts'

const HEADER = 'Referenz;Empfänger;Straße;PLZ;Ort;Gewicht;Länge;Breite;Höhe;Wert'
const ROWS = [
  'G-1;Anna Beck;14 Lamb Street;E1 6EA;London;12,5 kg;20,5;20;20;1.234,50',
  'G-2;Tom Cole;101 Rye Lane;SE15;London;1.250 g;60;55;50;1.234',
  'G-3;Ute Lang;101 Rye Lane;SE15;London;1,255 kg;60;20;15,5;12,00',
]

const asCsv = (lines: readonly string[]): string => [HEADER, ...lines, ''].join('\n')

const asWorkbook = (lines: readonly string[]): Uint8Array => {
  const rows = Object.fromEntries([HEADER, ...lines].map((line, at) => [at + 1, line.split(';')]))
  return workbookOf([{ name: 'Pakete', rows }])
}

/** Returns the rows that were rejected, with a whole postcode. */
async function corrected(path: string): Promise<string | Uint8Array> {
  if (path.endsWith('.csv')) return readFileSync(path, 'utf8').replaceAll('SE15;', 'SE15 4ST;')
  const [sheet] = (await openWorkbook(readFileSync(path))).sheets
  const { rows = [] } = (await sheet?.read()) ?? {}
  const all = rows.map(({ cells }) => cells.map((cell) => (cell === 'SE15' ? 'SE15 4ST' : cell)))
  return workbookOf([{ name: 'Errors', rows: Object.fromEntries(all.map((cells, at) => [at + 1, cells])) }])
}

test.each([
  ['csv', asCsv],
  ['xlsx', asWorkbook],
])('numbers of an errors file in %s are those of the whole file', async (ending, make) => {
  using home = makeHome()
  const openClient = embeddedIn(home)
  const upload = (name: string, ...flags: string[]) =>
    runCommand(
      home,
      carrierUpload,
      [join(home.cwd, name), '--yes', '--json', '--idempotency-key', name, ...flags],
      { openClient },
    )
  writeFileSync(join(home.cwd, `m.${ending}`), make(ROWS))
  expect((await upload(`m.${ending}`, '--length-unit', 'cm')).json()).toMatchObject({
    counts: { created: 1, rejected: 2 },
  })
  const errors = join(home.cwd, `m.errors.${ending}`)
  expect(existsSync(errors)).toBe(true)
  writeFileSync(join(home.cwd, `again.${ending}`), await corrected(errors))
  const again = await upload(`again.${ending}`)
  expect(again.error).toBeUndefined()
  const store = `${home.paths.data}/default/dray.db`
  const client = await openClient({ kind: 'embedded', store, account: 'everything' })
  const { data } = (await client.call('list_shipments', { limit: 10 })).value
  await client.close()
  const parcels = Object.fromEntries(data.map(({ reference, parcel }) => [reference, parcel]))
  expect(parcels).toMatchObject({
    'G-2': {
      weight_grams: 1250,
      length_mm: 600,
      width_mm: 550,
      height_mm: 500,
      declared_value: { amount: 123_400, currency: 'GBP' },
    },
    'G-3': { weight_grams: 1255, length_mm: 600, width_mm: 200, height_mm: 155 },
  })
})

test('a number keeps its form where it is read the same alone', async () => {
  using home = makeHome()
  const path = join(home.cwd, 'm.csv')
  const cells = 'A-1,Fern,12 Lamb Street,London,E1,500,300,200,100'
  writeFileSync(path, `ref,name,address,town,postcode,weight,length,width,height\n${cells}\n`)
  await runCommand(home, carrierUpload, [path, '--yes'], { openClient: embeddedIn(home) })
  expect(readFileSync(join(home.cwd, 'm.errors.csv'), 'utf8')).toContain(`\n${cells},2,`)
})
