import { expect } from 'vitest'
import type { PrintedFailure, Shipments, CarrierUploadReport } from '../support/answers.ts'
import { MANIFEST_COLUMNS, manifestLine, makeManifestCsv } from '../support/clerk.ts'
import { acceptanceTest } from '../support/story.ts'

const toLines = (text: string): string[] => text.trimEnd().split('\r\n')
const UTF16 = (text: string): Uint8Array => Buffer.from(`\uFEFF${text}`, 'utf16le')

acceptanceTest('a clerk uploads the example manifest and gets tracking numbers', async (told) => {
  told.take('examples/manifest.csv')
  const { stdout, stderr } = await told.dray('carrier upload manifest.csv --yes')
  expect(stdout).toMatch(/^ref|B-2041/)
  expect(stdout.match(/\bZC\d{9}GB\b/g)).toHaveLength(12)
  expect(stderr).toContain('12 rows')

  const results = toLines(told.read('manifest.results.csv'))
  expect(results).toHaveLength(13)
  expect(results[0]).toMatch(/,row,result,tracking_number,price,reason$/)
  expect(results.slice(1).every((line) => /,created,ZC\d{9}GB,\d+(\.\d+)?,$/.test(line))).toBe(true)
  expect(told.exists('manifest.errors.csv')).toBe(false)

  const listed = (await told.dray('carrier list --all --json')).json<Shipments>()
  expect(listed.data.map(({ reference }) => reference)).toEqual(
    Array.from({ length: 12 }, (_, index) => `B-${2052 - index}`),
  )
  for (const { reference, tracking_number } of listed.data) {
    expect(results.find((line) => line.startsWith(`${reference},`))).toContain(tracking_number)
  }
})

acceptanceTest(
  'uploading the same file twice creates nothing twice and names the same numbers and prices',
  async (told) => {
    told.take('examples/manifest.csv')
    const first = (await told.dray('carrier upload manifest.csv --yes --json')).json<CarrierUploadReport>()
    const results = toLines(told.read('manifest.results.csv'))
    const again = (await told.dray('carrier upload manifest.csv --yes --json')).json<CarrierUploadReport>()
    expect(first.counts).toMatchObject({ total: 12, created: 12, duplicate: 0, rejected: 0 })
    expect(again.counts).toMatchObject({ total: 12, created: 0, duplicate: 12, rejected: 0 })
    expect(again.data.map(({ tracking_number }) => tracking_number)).toEqual(
      first.data.map(({ tracking_number }) => tracking_number),
    )
    expect(toLines(told.read('manifest.results.csv'))).toEqual(
      results.map((line) => line.replace(/,created,(.*),$/, ',duplicate,$1,already_exists: Created before.')),
    )
    expect((await told.call('list_shipments', { limit: 100 })).data).toHaveLength(12)
  },
)

acceptanceTest('one bad row does not stop the others, and is ready to be corrected', async (told) => {
  const bad = manifestLine('BAD-1').replace('E1 6EA', 'ZZ99 9ZZ')
  told.write('m.csv', [MANIFEST_COLUMNS, manifestLine('OK-1'), bad, manifestLine('OK-2', 1)].join('\n'))
  const ran = await told.dray('carrier upload m.csv --yes --json', { exit: 9 })
  const report = ran.json<CarrierUploadReport>()
  expect(report.counts).toMatchObject({ total: 3, created: 2, rejected: 1 })
  expect(report.data.map(({ row, result }) => [row, result])).toEqual([
    [2, 'created'],
    [3, 'rejected'],
    [4, 'created'],
  ])
  expect(report.data[1]?.reason?.errors[0]).toMatchObject({ column: 'postal_code' })

  const errors = told.read('m.errors.csv')
  expect(toLines(errors)[0]).toBe(`\uFEFF${MANIFEST_COLUMNS},_row,_column,_code,_message,_suggestion`)
  told.write('m.errors.csv', errors.replace('ZZ99 9ZZ', 'E1 6EA'))
  const corrected = (await told.dray('carrier upload m.errors.csv --yes --json')).json<CarrierUploadReport>()
  expect(corrected.counts).toMatchObject({ total: 1, created: 1, rejected: 0 })
  expect(corrected.data[0]?.reference).toBe('BAD-1')
  // The corrected file and the tracking numbers of the first upload stay where they are.
  expect(corrected.results_file).toBe('m.results-2.csv')
  expect(told.read('m.errors.csv')).toContain('E1 6EA')
  expect(told.read('m.results.csv')).toContain('OK-1')
})

acceptanceTest('rows that cannot be read are told with row, column and what to do', async (told) => {
  const lines = [
    MANIFEST_COLUMNS,
    'A,,14 Lamb Street,London,E1 6EA,500,300,200,100,two_day',
    'B,Bea,14 Lamb Street,London,E1 6EA,heavy,300,200,100,two_day',
    ',Cleo,14 Lamb Street,London,E1 6EA,500,300,200,100,two_day',
    'D,Dan,14 Lamb Street,London,E1 6EA,500,300,200,100,tomorrow',
  ]
  told.write('m.csv', lines.join('\n'))
  const report = (
    await told.dray('carrier upload m.csv --yes --json', { exit: 6 })
  ).json<CarrierUploadReport>()
  expect(report.counts).toMatchObject({ total: 4, created: 0, rejected: 4 })
  expect(report.data.map(({ row, reason }) => [row, reason?.errors[0]?.column])).toEqual([
    [2, 'recipient_name'],
    [3, 'weight_grams'],
    [4, 'reference'],
    [5, 'service_level'],
  ])
  expect((await told.call('list_shipments', {})).data).toEqual([])
})

acceptanceTest('the same parcel twice in a file is one parcel', async (told) => {
  const row = manifestLine('TWICE')
  told.write('m.csv', [MANIFEST_COLUMNS, row, row, row.replace('500,300', '900,300')].join('\n'))
  const report = (
    await told.dray('carrier upload m.csv --yes --json', { exit: 9 })
  ).json<CarrierUploadReport>()
  expect(report.data.map(({ result, reason }) => [result, reason?.code])).toEqual([
    ['created', undefined],
    ['duplicate', 'duplicate_in_manifest'],
    ['rejected', 'reference_conflict'],
  ])
  expect(report.data[1]?.tracking_number).toBe(report.data[0]?.tracking_number)
  expect((await told.call('list_shipments', {})).data).toHaveLength(1)
})

acceptanceTest(
  'a German list from a spreadsheet, with a title and in Windows-1252, arrives whole',
  async (told) => {
    const header =
      'Bestell-Nr.;Vorname;Name;Straße;PLZ;Ort;Land;Gewicht (kg);Länge (cm);Breite (cm);Höhe (cm);Versandart'
    const text = [
      'Versandliste, November;;;;;;;;;;;',
      ';;;;;;;;;;;',
      header,
      'W-1;Zoë;Müller;7 Café Road;E1 6EA;London;Großbritannien;1,25;30;20;10;48h',
      'W-2;Zoë;Müller;"7 Café Road\r\nHof";E1 6EA;London;GB;1,25;30;20;10;48h',
      header,
      'W-3;Zoë;Müller;7 Café Road;E1 6EA;London;GB;schwer;30;20;10;48h',
    ].join('\r\n')
    told.write('m.csv', Buffer.from(text, 'latin1'))
    const ran = await told.dray('carrier upload m.csv --yes --json', { exit: 9 })
    expect(ran.stderr).toMatch(/windows-1252.*semicolon/i)
    expect(ran.stderr).toContain(
      'the header is in row 3; row 1 above it is not read: "Versandliste, November"',
    )
    // A cell with two lines is one row, as in a spreadsheet.
    expect(ran.json<CarrierUploadReport>().data.map(({ row, result }) => [row, result])).toEqual([
      [4, 'created'],
      [5, 'created'],
      [7, 'rejected'],
    ])
    expect(ran.stderr).toContain('row 6 is the header once more; it is not read.')
    expect(told.read('m.errors.csv')).toContain(';7;Gewicht (kg);invalid_format;')
    const { data } = (await told.dray('carrier list --reference W-1 --json')).json<Shipments>()
    expect(data[0]).toMatchObject({
      reference: 'W-1',
      service_level: 'two_day',
      recipient: { contact: { name: 'Zoë Müller' }, address: { line1: '7 Café Road' } },
      parcel: { weight_grams: 1250, length_mm: 300, width_mm: 200, height_mm: 100 },
    })
  },
)

acceptanceTest('a file without a header is refused, and its first parcel not lost', async (told) => {
  told.write('m.csv', [manifestLine('A-1'), manifestLine('A-2')].join('\n'))
  const failure = (await told.dray('carrier upload m.csv --yes --json', { exit: 2 })).json<PrintedFailure>()
  expect(failure.detail).toContain('The file has no header: row 1 looks like a parcel (A-1, ')
  expect(failure.hint).toContain('Insert a row above it that names the columns')
})

acceptanceTest('a UTF-16 file with tabs arrives whole', async (told) => {
  told.write('m.txt', UTF16(makeManifestCsv(2).replaceAll(',', '\t').replace('Recipient 0', 'Renée Łódź')))
  const ran = await told.dray('carrier upload m.txt --yes --json')
  expect(ran.stderr).toMatch(/utf-16.*tab/i)
  const { data } = (await told.dray('carrier list --json')).json<Shipments>()
  expect(data.map(({ recipient }) => recipient.contact.name)).toEqual(['Recipient 1', 'Renée Łódź'])
})

acceptanceTest('a manifest can come through a pipe and its results go out through another', async (told) => {
  told.write('m.csv', makeManifestCsv(3))
  const ran = await told.shell(
    'cat m.csv | dray carrier upload - --yes --results - | tail -n +2 | cut -d, -f1,12',
  )
  expect(ran.stdout).toBe('R-0001,created\nR-0002,created\nR-0003,created\n')
  expect(told.exists('manifest.results.csv')).toBe(false)
})

acceptanceTest('a dry run checks and prices and creates nothing', async (told) => {
  told.write(
    'm.csv',
    [MANIFEST_COLUMNS, manifestLine('D-1'), manifestLine('D-2').replace('E1 6EA', 'QQ1 1AA')].join('\n'),
  )
  const report = (
    await told.dray('carrier upload m.csv --dry-run --json', { exit: 9 })
  ).json<CarrierUploadReport>()
  expect(report.counts).toMatchObject({ total: 2, created: 1, rejected: 1 })
  const said = await told.dray('carrier upload m.csv --dry-run', { exit: 9 })
  expect(said.stderr).toMatch(/two_day\s+1\s+£\d+\.\d\d/)
  expect(said.stderr).toContain('nothing was created')
  expect(told.exists('m.results.csv')).toBe(false)
  expect((await told.call('list_shipments', {})).data).toEqual([])

  const real = (await told.dray('carrier upload m.csv --yes --json', { exit: 9 })).json<CarrierUploadReport>()
  expect(real.data.map(({ result, total }) => [result, total])).toEqual(
    report.data.map(({ result, total }) => [result, total]),
  )
})

acceptanceTest('without --yes a script is not asked and nothing is sent', async (told) => {
  told.write('m.csv', makeManifestCsv(2))
  const ran = await told.dray('carrier upload m.csv --json', { exit: 3 })
  expect(ran.json<PrintedFailure>()).toMatchObject({ code: 'not_confirmed', exit_code: 3 })
  expect(ran.json<PrintedFailure>().hint).toContain('--yes')
  expect((await told.call('list_shipments', {})).data).toEqual([])
})

acceptanceTest('a file that is no manifest is refused before anything is sent', async (told) => {
  told.write('empty.csv', '')
  told.write('headless.csv', 'a,b,c\n1,2,3\n')
  told.write('double.csv', `${MANIFEST_COLUMNS},Postal Code\n${manifestLine('A')},E1 6EA\n`)
  told.write('nul.csv', `${MANIFEST_COLUMNS}\n${manifestLine('A')}\0\n`)
  for (const name of ['empty.csv', 'headless.csv', 'double.csv', 'nul.csv', 'absent.csv', '.']) {
    const ran = await told.dray(`carrier upload ${name} --yes --json`, { exit: 2 })
    expect(ran.json<PrintedFailure>().detail, name).toMatch(/\S/)
  }
  expect((await told.call('list_shipments', {})).data).toEqual([])
})

acceptanceTest("somebody else's file is never overwritten by results", async (told) => {
  told.write('m.csv', makeManifestCsv(1))
  told.write('m.results.csv', 'my,own,notes\n')
  const ran = await told.dray('carrier upload m.csv --yes --json', { exit: 2 })
  expect(ran.json<PrintedFailure>().detail).toContain('m.results.csv')
  expect(told.read('m.results.csv')).toBe('my,own,notes\n')
  expect((await told.call('list_shipments', {})).data).toEqual([])
})

acceptanceTest('the template can be filled in, and its example uploaded as it is', async (told) => {
  await told.dray('carrier template new.csv')
  expect(told.read('new.csv').split('\n')[0]).toContain('reference,recipient_name')
  const report = (await told.dray('carrier upload new.example.csv --yes --json')).json<CarrierUploadReport>()
  expect(report.counts).toMatchObject({ total: 5, created: 5, rejected: 0 })
})
