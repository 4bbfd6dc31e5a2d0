import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Client, Target } from '../../../src/client/client.ts'
import { carrierUpload } from '../../../src/commands/carrier/upload.command.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'
import { type MadeCell, workbookOf } from '../../support/workbooks.ts'

type Parcel = {
  reference: string
  recipient: {
    contact: { name: string; phone?: string }
    address: { line1: string; line2?: string; postal_code: string }
  }
}

const HEADER = 'reference,recipient_name,address_line1,city,postal_code,weight,dimensions'

/** Uploads a file, and reads the parcels back from the service. */
async function upload(home: Home, content: string | Uint8Array, name = 'm.csv', ...words: string[]) {
  const path = join(home.cwd, name)
  writeFileSync(path, content)
  const open = embeddedIn(home)
  let target: Target | undefined
  const openClient = (asked: Target): Promise<Client> => open((target = asked))
  const ran = await runCommand(home, carrierUpload, [path, '--yes', '--json', ...words], { openClient })
  if (target === undefined) throw new Error(ran.err)
  const client = await open(target)
  const { value } = await client.call('list_shipments', {})
  await client.close()
  const parcels = (value as unknown as { data: Parcel[] }).data.toReversed()
  return { ...ran, parcels }
}

describe('a cell that keeps a value as text', () => {
  test('is a formula of that text, in quotes or without', async () => {
    using home = makeHome()
    const { parcels } = await upload(
      home,
      `${HEADER},phone
="000123","Fern Holloway","12 Lamb Street",London,"E1 6EA",500 g,20x15x5cm,"=""07700900123"""
"=""000124""",Otis Bell,101 Rye Lane,London,"=""SE15 4ST""",500 g,20x15x5cm,
`,
    )
    expect(parcels.map(({ reference }) => reference)).toEqual(['000123', '000124'])
    expect(parcels[0]?.recipient.contact.phone).toBe('+447700900123')
    expect(parcels[1]?.recipient.address.postal_code).toBe('SE15 4ST')
  })

  test('begins with an apostrophe before digits; a word keeps its own', async () => {
    using home = makeHome()
    const { parcels } = await upload(
      home,
      `${HEADER}
'000123,Fern Holloway,'1/2,London,'E1 6EA,500 g,20x15x5cm
'tis,'90s Café,'Allo House,London,E1 6EA,500 g,20x15x5cm
`,
    )
    const told = parcels.map(({ reference, recipient: { contact, address } }) => [
      reference,
      contact.name,
      address.line1,
    ])
    expect(told).toEqual([
      ['000123', 'Fern Holloway', '1/2'],
      ["'tis", "'90s Café", "'Allo House"],
    ])
  })
})

test('lines of an address in one cell are joined with commas', async () => {
  using home = makeHome()
  const { parcels } = await upload(
    home,
    `${HEADER}\nB-1,Nell Marsh,"Flat 3\r\n12 Lamb Street",London,E1 6EA,500 g,20x15x5cm\n`,
  )
  expect(parcels[0]?.recipient.address.line1).toBe('Flat 3, 12 Lamb Street')
})

test('a quote in a tab-separated file is a character like any other', async () => {
  using home = makeHome()
  const row = 'T-1\tFern Holloway\t12 Lamb Street\tLondon\tE1 6EA\t500 g\t20x15x5cm\tClay mug 12" tall'
  const { parcels, code } = await upload(
    home,
    `${HEADER.replaceAll(',', '\t')}\tdescription\n${row}\n`,
    'm.txt',
  )
  expect(code).toBe(0)
  expect(parcels).toMatchObject([{ parcel: { description: 'Clay mug 12" tall' } }])
})

test('entities are decoded and said, and broken letters are warned of', async () => {
  using home = makeHome()
  const { parcels, err } = await upload(
    home,
    `${HEADER}
M-1,Nell O&#39;Dowd,1 St. John&#039;s Road,London,E1 6EA,500 g,20x15x5cm
M-2,Marsh &amp; Daughters,5 Mill Lane,London,E1 6EA,500 g,20x15x5cm
M-3,ZoÃ« MÃ¼ller,12 CafÃ© Yard,London,E1 6EA,500 g,20x15x5cm
M-4,Zo\ufffd M\ufffdller,12 Mill Lane,London,E1 6EA,500 g,20x15x5cm
M-5,???? ??????,5 Mill Lane,London,E1 6EA,500 g,20x15x5cm
M-6,What Next? Ltd,5 Mill Lane,London,E1 6EA,500 g,20x15x5cm
`,
  )
  expect(parcels.slice(0, 2).map(({ recipient }) => recipient.contact.name)).toEqual([
    "Nell O'Dowd",
    'Marsh & Daughters',
  ])
  expect(err).toContain("row 2 “Nell O&#39;Dowd” is “Nell O'Dowd”")
  expect(err).toContain(
    'another program has broken some letters: row 4 “ZoÃ« MÃ¼ller”, row 4 “12 CafÃ© Yard”, row 5 “Zo\ufffd M\ufffdller” and 1 more cells',
  )
})

test('totals and closing lines are skipped and reported', async () => {
  using home = makeHome()
  const { parcels, code, err } = await upload(
    home,
    `${HEADER}
V-1,Fern Holloway,12 Lamb Street,London,E1 6EA,0.5 kg,20x15x5cm
Total,,,,,0.5 kg,
1,record(s) downloaded,,,,,
2 parcels,,,,,,
`,
  )
  expect([parcels.length, code]).toEqual([1, 0])
  expect(err).toContain(
    'rows 3, 4, 5 are totals or closing lines and not read: "Total 0.5 kg 1 record(s) downloaded 2 parcels".',
  )
})

test('a person called Total is no total', async () => {
  using home = makeHome()
  const { parcels } = await upload(
    home,
    `${HEADER}\nTotal,Total Ltd,12 Lamb Street,London,E1 6EA,500 g,20x15x5cm\n`,
  )
  expect(parcels.length).toBe(1)
})

describe('a workbook', () => {
  const NAMES = HEADER.split(',')
  const rowOf = (reference: MadeCell, street: MadeCell): MadeCell[] => [
    reference,
    'Fern Holloway',
    street,
    'London',
    'E1 6EA',
    '500 g',
    '20x15x5cm',
  ]

  test('with a date in place of a text is doubted', async () => {
    using home = makeHome()
    const sheet = {
      name: 'Parcels',
      rows: {
        1: NAMES,
        2: rowOf('A-1', { s: 1, v: '46307' }),
        3: rowOf({ s: 2, v: '46024' }, '12 Lamb Street'),
      },
    }
    const { err, code } = await upload(home, workbookOf([sheet], { formats: ['d/m', 16] }), 'm.xlsx')
    expect(code).toBe(0)
    expect(err).toContain('a spreadsheet may have turned texts into dates: row 2 “12/10”, row 3 “2-Jan”.')
  })

  test('with rows that are struck out names them', async () => {
    using home = makeHome()
    const struck: MadeCell[] = NAMES.map(() => ({ s: 1, t: 'str', v: 'x' }))
    const styles = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts><font/><font><strike/></font></fonts><cellXfs><xf numFmtId="0" fontId="0"/><xf numFmtId="0" fontId="1"/></cellXfs></styleSheet>`
    const sheet = { name: 'Parcels', rows: { 1: NAMES, 2: rowOf('A-1', '12 Lamb Street'), 3: struck } }
    const { err } = await upload(home, workbookOf([sheet], { parts: { 'xl/styles.xml': styles } }), 'm.xlsx')
    expect(err).toContain('row 3 is struck out in the workbook but still read.')
  })
})

describe('a cell without a value of its own', () => {
  test('is rejected with its row and column; those beside it are sent', async () => {
    using home = makeHome()
    const { parcels, out } = await upload(
      home,
      `${HEADER},instructions
=A1+1,Fern Holloway,12 Lamb Street,London,E1 6EA,500 g,20x15x5cm,
X-3,=B2,12 Lamb Street,London,E1 6EA,500 g,20x15x5cm,
X-4,n/a,12 Lamb Street,London,E1 6EA,500 g,20x15x5cm,
X-5,Fern Holloway,TRUE,London,E1 6EA,500 g,20x15x5cm,
X-6,Fern Holloway,12 Lamb Street,London,E1 6EA,500 g,20x15x5cm,@SUM(A1:A3)
'=cmd,+Plus Ltd,- 12 Lamb Street,London,E1 6EA,500 g,20x15x5cm,n/a
`,
    )
    expect(
      parcels.map(({ reference, recipient: { contact, address } }) => [reference, contact.name, address]),
    ).toEqual([
      ['=cmd', '+Plus Ltd', expect.not.objectContaining({ access_notes: expect.anything() as unknown })],
    ])
    const { data } = JSON.parse(out) as {
      data: { row: number; reason: { errors: { column: string }[] } | null }[]
    }
    expect(
      data.flatMap(({ row, reason }) => (reason?.errors ?? []).map(({ column }) => [row, column])),
    ).toEqual([
      [2, 'reference'],
      [3, 'recipient_name'],
      [4, 'recipient_name'],
      [5, 'address_line1'],
      [6, 'instructions'],
    ])
  })

  test('of a workbook is a formula that was kept as text, unless it was typed behind an apostrophe', async () => {
    using home = makeHome()
    const row = (reference: MadeCell, name: MadeCell): MadeCell[] => [
      reference,
      name,
      '12 Lamb Street',
      'London',
      'E1 6EA',
      '500 g',
      '20x15x5cm',
    ]
    const quoted = {
      'xl/styles.xml': '<styleSheet><cellXfs><xf/><xf quotePrefix="1"/></cellXfs></styleSheet>',
    }
    const { parcels, out } = await upload(
      home,
      workbookOf(
        [
          {
            name: 'Orders',
            rows: {
              1: HEADER.split(','),
              2: row('=CONCATENATE("GC-",A2)', 'Fern Holloway'),
              3: row({ t: 'str', s: 1, v: '=cmd' }, 'Fern Holloway'),
              4: row('W-4', { t: 'b', v: '1' }),
              5: row('W-5', 'N/A'),
            },
          },
        ],
        { parts: quoted },
      ),
      'm.xlsx',
    )
    expect(parcels.map(({ reference }) => reference)).toEqual(['=cmd'])
    expect(out).toContain('It is a formula, not a value')
    expect(out).toContain('TRUE is a truth value and no text')
  })
})
