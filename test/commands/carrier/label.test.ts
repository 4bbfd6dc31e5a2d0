import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Command } from '../../../src/cli/define-command.ts'
import { InterruptedError } from '../../../src/cli/io.ts'
import { carrierHandover } from '../../../src/commands/carrier/handover.command.ts'
import { carrierLabel } from '../../../src/commands/carrier/label.command.ts'
import { carrierUpload } from '../../../src/commands/carrier/upload.command.ts'
import { sandboxScan } from '../../../src/commands/sandbox/scan.command.ts'
import { COMMANDS, loadOperation } from '../../../src/generated/commands.ts'
import { makeManifestCsv } from '../../support/clerk.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { memoryIo, type MemoryIo } from '../../support/memory-io.ts'
import { readCodes, readPdf } from '../../support/paper.ts'
import { runCommand } from '../../support/run-command.ts'
import { workbookOf } from '../../support/workbooks.ts'

function dray(home: Home, command: Command, words: readonly string[], io?: MemoryIo) {
  return runCommand(home, command, words, { openClient: embeddedIn(home), ...(io !== undefined && { io }) })
}

type UploadedParcels = { batch_ids: string[]; data: { tracking_number: string }[] }

/** Uploads six parcels and their labels; gives the files, the batch and the numbers. */
async function upload(home: Home) {
  const file = (name: string): string => join(home.cwd, name)
  writeFileSync(file('m.csv'), makeManifestCsv(6))
  const words = [file('m.csv'), '--yes', '--hub', 'LON1', '--labels', file('all.pdf'), '--json']
  const ran = await dray(home, carrierUpload, words)
  const { batch_ids, data } = ran.json() as UploadedParcels
  return {
    file,
    said: ran.err,
    batch: batch_ids[0] ?? '',
    numbers: data.map(({ tracking_number }) => tracking_number),
  }
}

test('labels come by number, reference, batch, results file and state, and never replace another file', async () => {
  using home = makeHome()
  const { file, batch, numbers, said } = await upload(home)
  const label = (...words: string[]) => dray(home, carrierLabel, words)
  const [first = '', second = ''] = numbers
  expect(said).toContain(`6 labels in ${file('all.pdf')}.`)
  const pages = await readPdf(readFileSync(file('all.pdf')))
  expect(pages.map((page) => /R-\d+/.exec(page)?.[0])).toEqual(
    Array.from({ length: 6 }, (_, at) => `R-000${at + 1}`),
  )

  const rows = Object.fromEntries(['tracking_number', ...numbers].map((text, at) => [at + 1, [text]]))
  writeFileSync(file('m.results.xlsx'), workbookOf([{ name: 'Results', rows }]))
  const ways = [
    [`${first.slice(0, 2)} ${first.slice(2)}`.toLowerCase(), 'R-0002', second],
    ['--batch', batch],
    ['--manifest', file('m.results.csv')],
    ['--manifest', file('m.results.xlsx')],
    ['--status', 'pre_transit', '--created-today'],
  ]
  for (const [at, way] of ways.entries()) {
    const ran = await label(...way, '--out', file('labels.zpl'), '--json')
    expect(ran.json()).toMatchObject({
      format: 'zpl',
      file: file('labels.zpl'),
      tracking_numbers: at === 0 ? [first, second] : numbers,
    })
  }
  expect(readFileSync(file('labels.zpl'), 'utf8').match(/\^XA/g)).toHaveLength(6)

  expect((await label('R-0001', 'R-0002', '--out', file('pictures'), '--format', 'png')).err).toContain(
    `2 labels in the folder ${file('pictures')}.`,
  )
  expect(readdirSync(file('pictures'))).toEqual([`${first}.png`, `${second}.png`].toSorted())
  const codes = await readCodes(readFileSync(join(file('pictures'), `${second}.png`)))
  expect(codes['Code128']).toBe(second)

  const stop = new AbortController()
  const stopped = runCommand(
    home,
    carrierLabel,
    ['--batch', batch, '--out', file('six'), '--format', 'png'],
    {
      openClient: embeddedIn(home),
      interruption: stop.signal,
      meanwhile: async () => stop.abort(new InterruptedError()),
    },
  )
  await expect(stopped).rejects.toThrow(InterruptedError)
  expect(readdirSync(file('six'))).toEqual([`${first}.png`])

  writeFileSync(file('mine.pdf'), 'my own')
  expect((await label('R-0001', '--out', file('mine.pdf'))).error?.hint).toContain('--force')
  expect(readFileSync(file('mine.pdf'), 'utf8')).toBe('my own')
  const labels = await dray(home, carrierUpload, [file('m.csv'), '--yes', '--labels', file('mine.pdf')])
  expect(labels.error?.hint).toBe('Choose another file with --labels, or overwrite it with --force.')
  expect((await label('R-0001', '--out', file('mine.pdf'), '--force')).code).toBe(0)
  const lost = await runCommand(
    home,
    carrierUpload,
    [file('m.csv'), '--yes', '--hub', 'LON1', '--labels', join(file('six'), 'all.pdf')],
    {
      openClient(target) {
        rmSync(file('six'), { recursive: true })
        return embeddedIn(home)(target)
      },
    },
  )
  expect([lost.code, lost.error?.hint]).toEqual([1, expect.stringContaining('The parcels exist: run')])
})

test('a cancelled parcel has no label, and others of its batch have one', async () => {
  using home = makeHome()
  const { file, batch, numbers } = await upload(home)
  const [first = ''] = numbers
  const cancel = await COMMANDS['carrier cancel']?.load()
  if (cancel === undefined) throw new Error('there is no command that cancels')
  const other = await dray(home, cancel, ['R-0001', '--confirm', 'R-0002'])
  expect([other.code, other.error?.hint]).toEqual([3, 'Add --confirm R-0001.'])
  // named by its reference, it is agreed to by its number as well
  expect((await dray(home, cancel, ['R-0001', '--confirm', first])).code).toBe(0)
  const one = await dray(home, carrierLabel, ['R-0001'])
  expect([one.code, one.error?.message]).toEqual([
    7,
    `${first} was cancelled on 2026-11-20; a cancelled parcel has no label.`,
  ])
  const all = await dray(home, carrierLabel, ['--batch', batch, '--out', file('rest.pdf'), '--json'])
  expect(all.json()).toMatchObject({ labels: 5, cancelled: [first] })
  const shown = await dray(home, carrierLabel, ['--batch', batch, '--out', file('rest.zpl')])
  expect(shown.err).toContain('1 parcel is cancelled and has no label.')
})

test('a PDF goes to a pipe as it is, to lp, and never to the screen', async () => {
  using home = makeHome()
  await upload(home)
  const piped = await dray(home, carrierLabel, ['R-0001', '--out', '-'])
  expect(piped.out).toMatch(/^%PDF-[^]*%%EOF\s*$/)
  const io = memoryIo({ tty: true, columns: 80 })
  const shown = await dray(home, carrierLabel, ['R-0001', '--out', '-'], io)
  expect(shown.error?.hint).toContain('--out labels.pdf')
  expect(io.out()).toBe('')

  const folder = join(home.cwd, 'bin')
  mkdirSync(folder)
  writeFileSync(
    join(folder, 'lp'),
    `#!/bin/sh\necho "$*" > ${folder}/words; cat > ${folder}/paper; echo taken\n`,
  )
  chmodSync(join(folder, 'lp'), 0o755)
  home.env['PATH'] = `${folder}:/usr/bin:/bin`
  const words = ['R-0001', '--print', '--printer', 'Zebra', '--format', 'zpl']
  const printed = await dray(home, carrierLabel, words)
  expect(printed.err).toContain('taken')
  expect(readFileSync(join(folder, 'words'), 'utf8')).toMatch(/^-d Zebra -o raw -t Label ZC\d{9}GB\n$/)
  expect(readFileSync(join(folder, 'paper'), 'utf8')).toMatch(/^\^XA/)
  for (const [script, said] of [
    ['echo "The printer is not there." >&2; exit 1', 'lp failed: The printer is not there.'],
    ['exit 3', 'lp failed: it failed with exit code 3 and no message.'],
  ] as const) {
    writeFileSync(join(folder, 'lp'), `#!/bin/sh\n${script}\n`)
    expect((await dray(home, carrierLabel, words)).error?.message).toBe(said)
  }
  home.env['PATH'] = '/nowhere'
  expect((await dray(home, carrierLabel, ['R-0001', '--print'])).error?.message).toContain('`lp`')
})

test('flags that contradict each other are rejected before anything is drawn', async () => {
  using home = makeHome()
  for (const words of [
    [],
    ['R-1', '--batch', 'bat_1'],
    ['R-1', '--format', 'png', '--size', 'a4'],
    ['R-1', '--start', '2'],
    ['R-1', '--dpi', '203'],
    ['R-1', '--printer', 'Zebra'],
    ['R-1', '--out', '-', '--json'],
  ])
    expect([words, (await runCommand(home, carrierLabel, words)).error?.code]).toEqual([words, 'usage'])
  for (const [command, endings] of [
    [carrierLabel, '.pdf, .zpl, .png'],
    [carrierHandover, '.pdf, .csv'],
  ] as const) {
    const { error } = await runCommand(home, command, ['--out', 'labels.docx'])
    expect([error?.code, error?.message, error?.hint]).toEqual([
      'usage',
      '--out labels.docx ends with .docx, which is not a format of this file.',
      `The name ends with ${endings}, or use --format.`,
    ])
  }
})

test('the driver’s manifest counts what waits at the hub, on paper, as CSV and on the screen', async () => {
  using home = makeHome()
  const { file, numbers } = await upload(home)
  const handover = (...words: string[]) => dray(home, carrierHandover, ['--hub', 'lon1', ...words])
  const shown = await handover('--out', file('handover.pdf'), '--json')
  expect(shown.json()).toMatchObject({
    hub: 'LON1',
    date: '2026-11-20',
    parcels: 6,
    waiting: 6,
    weight_grams: 3015,
    services: [{ service_level: 'two_day', parcels: 6, weight_grams: 3015 }],
  })
  const [page = ''] = await readPdf(readFileSync(file('handover.pdf')))
  for (const text of [
    'Collection manifest',
    '20 Nov 2026',
    'No parcels are collected yet.',
    'Page 1 of 1',
    ...numbers,
  ])
    expect(page).toContain(text)
  const csv = await handover('--out', '-', '--format', 'csv')
  expect(csv.out.trim().split('\n')).toHaveLength(7)
  expect((await handover('--hub', 'LON2', '--json')).json()).toMatchObject({ parcels: 0 })
  const unknown = await dray(home, carrierHandover, ['--hub', 'LON9'])
  expect([unknown.error?.code, unknown.error?.hint]).toEqual([
    'hub_not_found',
    expect.stringContaining('LON1'),
  ])
  // Only at one hub does anything wait.
  expect((await dray(home, carrierHandover, ['--json'])).json()).toMatchObject({ hub: 'LON1', parcels: 6 })
})

test('a handover records once, says what it leaves behind, and writes no paper for nothing', async () => {
  using home = makeHome()
  const { file, numbers } = await upload(home)
  const handover = (...words: string[]) => dray(home, carrierHandover, words)
  const empty = await handover('--hub', 'LON2', '--out', file('none.pdf'))
  expect([empty.code, existsSync(file('none.pdf'))]).toEqual([0, false])
  expect(empty.err).toContain('Left behind: 6 parcels at LON1.')
  const day = await handover('--hub', 'LON1', '--date', 'today', '--json')
  expect(day.json()).toMatchObject({ manifest_id: null, parcels: 6 })
  const preview = await handover('--preview', '--out', file('preview.pdf'), '--json')
  expect(preview.json()).toMatchObject({ result: 'preview', manifest_id: null, parcels: 6 })
  expect((await readPdf(readFileSync(file('preview.pdf'))))[0]).toContain('Collection list')
  const made = (await handover('--json')).json() as { manifest_id: string }
  expect(made).toMatchObject({ result: 'created', parcels: 6 })
  const again = await handover('--out', file('again.pdf'), '--json')
  expect(again.json()).toMatchObject({ result: 'existing', manifest_id: made.manifest_id })
  expect((await readPdf(readFileSync(file('again.pdf'))))[0]).toContain(made.manifest_id)

  const [number = ''] = numbers
  await dray(home, await loadOperation('cancel_shipment'), [number, '--confirm', number])
  expect((await handover()).err).toContain(
    `Last manifest: ${made.manifest_id}. Awaiting collection: 5. Cancelled: 1.`,
  )
  const scan = (...words: string[]) => dray(home, sandboxScan, [made.manifest_id, ...words, '--json'])
  expect((await scan('collected')).error?.code).toBe('usage')
  expect((await scan()).json()).toMatchObject({ collected: 5, left: 1 })
  expect((await scan()).error).toMatchObject({ code: 'invalid_state', exitCode: 7 })
  expect((await dray(home, sandboxScan, [number])).error?.code).toBe('usage')
  expect((await handover('--hub', 'LON1')).err).toContain('All parcels are collected.')
})

test('letters that no font has are counted, with the parcel, on labels and on the driver’s manifest', async () => {
  using home = makeHome()
  const path = join(home.cwd, 'm.csv')
  writeFileSync(path, makeManifestCsv(2).replace('Recipient 1', 'ᎠᏔᎧᏁᏍᏗᎦᏙᎯ ᏣᎳᎩᏱ'))
  const ran = await dray(home, carrierUpload, [path, '--yes', '--hub', 'LON1', '--json'])
  const number = (ran.json() as UploadedParcels).data[1]?.tracking_number
  const warning = `warning: No installed font has Ꭰ Ꮤ Ꭷ Ꮑ Ꮝ Ꮧ Ꭶ Ꮩ Ꭿ Ꮳ and 3 more (${number}).`
  const file = (name: string): string[] => ['--out', join(home.cwd, name)]
  expect((await dray(home, carrierLabel, ['R-0001', 'R-0002', ...file('l.pdf')])).err).toContain(warning)
  expect((await dray(home, carrierHandover, ['--hub', 'LON1', ...file('h.pdf')])).err).toContain(warning)
})
