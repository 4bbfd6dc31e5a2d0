import {
  countServices,
  type Handover,
  type HandoverParcel,
  layOutHandover,
  weightOf,
} from '../../areas/carrier/label/handover.ts'
import type { Cli } from '../../cli/cli.ts'
import type { Flag, Given } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { cellText } from '../../cli/output/cell.ts'
import { isForPeople } from '../../cli/output/render-options-of.ts'
import { printResult } from '../../cli/print.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { writeCsv } from '../../rows/csv/write.ts'
import { chooseHub, collectHandover } from './handover/collect.ts'
import { warnOfMissing } from './label/draw.ts'
import {
  assertOut,
  type Document,
  type Out,
  OUT_FLAGS,
  type OutFlags,
  print,
  requireFormat,
  requirePrinter,
  writeDocument,
} from './label/files.ts'

const FORMATS = ['pdf', 'csv'] as const

const FLAGS = [
  { flag: 'hub', kind: 'text', value: 'HUB', description: 'hub code or ID' },
  { flag: 'date', kind: 'text', value: 'DATE', description: 'date at the hub. Default: today' },
  {
    flag: 'format',
    kind: 'enum',
    choices: FORMATS,
    description: 'file format. Default: by the ending of --out, otherwise pdf',
  },
] as const satisfies readonly Flag[]

type Flags = Given<typeof FLAGS> & OutFlags

/** The columns of the CSV, by which the program knows its files. */
const COLUMNS = [
  'tracking_number',
  'reference',
  'service_level',
  'route_code',
  'recipient_name',
  'postal_code',
  'country_code',
  'weight_grams',
  'handed_over',
] as const satisfies readonly (keyof HandoverParcel)[]

/** `dray carrier handover --hub CODE`. */
export const carrierHandover = defineCommand({
  words: 'carrier handover',
  summary: 'List today’s collection and write the manifest to sign',
  description:
    'Lists the parcels awaiting collection at a hub, then those collected that day. --out writes the collection manifest: a PDF with counts by service level, the list, the total weight and a signature box, or CSV.',
  flags: [...FLAGS, ...OUT_FLAGS],
  answer: { fields: COLUMNS },
  examples: [
    'dray carrier handover --hub LON1',
    'dray carrier handover --hub LON1 --out handover.pdf',
    'dray carrier handover --hub LON1 --date yesterday --out handover.csv',
    'dray carrier handover --hub LON1 --print',
  ],
  run: (cli, flags) => handOver(cli, flags),
})

type FileFormat = (typeof FORMATS)[number]

async function handOver(cli: Cli, flags: Flags): Promise<number> {
  const { print: prints = false, printer, out, force = false } = flags
  const format = readFormat(flags)
  const lp = prints ? requirePrinter(cli) : undefined
  if (out !== undefined) assertOut(cli, { path: out, force }, format, 'handover')
  const hub = await chooseHub(cli, flags.hub)
  const handover = await collectHandover(cli, hub, flags.date)
  // A format that is asked for without a file's name wants a file.
  const isNamed = flags.format !== undefined && !prints
  const path = out ?? (isNamed ? `handover-${hub.code}-${handover.date}.${format}` : undefined)
  if (path !== undefined || lp !== undefined) {
    const target: Out = { path, force }
    assertOut(cli, target, format, 'handover')
    const { missing, ...document } = await toDocument(handover, format, path === '-')
    await writeDocument(cli, target, document)
    await warnOfMissing(cli, handover.parcels, missing)
    if (lp !== undefined) await cli.say(await print(cli, lp, document, printer))
  }
  await report(cli, handover, path)
  return EXIT.ok
}

/** Throws AppError('usage') for flags that do not go together. */
function readFormat({ format: asked, out, print: prints = false, printer }: Flags): FileFormat {
  if (printer !== undefined && !prints) throw new AppError('usage', '--printer requires --print.')
  const format = requireFormat(asked, out, FORMATS)
  if (prints && format === 'csv') throw new AppError('usage', '--print prints the PDF, not the CSV.')
  return format
}

/** The file, with the characters that no font has. */
async function toDocument(
  handover: Handover,
  format: FileFormat,
  isPiped: boolean,
): Promise<Document & { missing: readonly string[] }> {
  const title = `Handover ${handover.hub.code} ${handover.date}`
  if (format === 'csv') {
    const csv = toCsv(handover.parcels)
    // Spreadsheets take CRLF, other programs LF.
    return { bytes: Buffer.from(isPiped ? csv.replaceAll('\r\n', '\n') : csv), format, title, missing: [] }
  }
  const { renderPaper } = await import('../../paper/render.ts')
  const paper = await renderPaper({ title, sheets: layOutHandover(handover) }, { format, dpi: 300 })
  return { ...paper, format, title }
}

function toCsv(parcels: readonly HandoverParcel[]): string {
  return writeCsv([
    [...COLUMNS],
    ...parcels.map((parcel) => COLUMNS.map((column) => parcel[column] ?? undefined)),
  ])
}

/** Rows shown to people; the file has them all. */
const SHOWN = 25

async function report(cli: Cli, handover: Handover, path: string | undefined): Promise<void> {
  const { hub, date, parcels } = handover
  const waiting = parcels.filter(({ handed_over }) => handed_over === null).length
  const people = isForPeople(cli)
  const shown = people ? parcels.slice(0, SHOWN) : parcels
  const done = [
    ...(shown.length < parcels.length ? [`… and ${parcels.length - shown.length} more`] : []),
    sentenceOf(handover, waiting, path),
  ].join('\n')
  if (path === '-') return cli.say(done)
  await printResult(
    cli,
    {
      hub: hub.code,
      date,
      parcels: parcels.length,
      weight_grams: weightOf(parcels),
      waiting,
      services: countServices(parcels),
      file: path ?? null,
      data: shown,
      has_more: false,
      next_cursor: null,
    },
    {
      columns: [
        { field: 'tracking_number' },
        { field: 'reference' },
        { field: 'recipient_name', label: 'Recipient' },
        { field: 'postal_code', label: 'Postcode', dropOrder: 1 },
        { field: 'service_level', label: 'Service', dropOrder: 2 },
        { field: 'weight_grams' },
        { field: 'handed_over', label: 'Collected' },
      ],
      list: true,
      empty: `No parcels to collect at ${hub.code}.`,
      done,
      ...(path === undefined &&
        parcels.length > 0 && { next: 'dray carrier handover --hub {hub} --out handover.pdf' }),
    },
  )
}

function sentenceOf({ hub, date, parcels }: Handover, waiting: number, path: string | undefined): string {
  const plain = { tty: true, width: 80, colour: false }
  const services = countServices(parcels).map((each) => `${each.parcels} ${each.service_level}`)
  const count = parcels.length === 1 ? '1 parcel' : `${parcels.length} parcels`
  const weight = cellText(weightOf(parcels), 'weight_grams', plain)
  const what = parcels.length === 0 ? count : `${count} (${services.join(', ')}), ${weight}`
  const state =
    parcels.length === 0
      ? ''
      : waiting === 0
        ? ' All parcels are collected.'
        : ` Awaiting collection: ${waiting}.`
  const where = path === undefined || path === '-' ? '' : ' Manifest: {file}.'
  return `${hub.code} ${hub.name}, ${date}: ${what}.${state}${where}`
}
