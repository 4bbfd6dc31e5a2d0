import {
  countServices,
  type Handover,
  type HandoverParcel,
  layOutHandover,
  weightOf,
} from '../../areas/carrier/label/handover.ts'
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { assertProfileConfirmed } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { cellText } from '../../cli/output/cell.ts'
import { isInteractiveTable } from '../../cli/output/render-options-of.ts'
import { printResult } from '../../cli/print.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { escapeInSheet } from '../../tabular/csv/escape-coercion.ts'
import { SHEET_FORM, writeCsv } from '../../tabular/csv/write.ts'
import { PARCELS_ARGUMENT } from './bulk/flags.ts'
import { formatParcelCount } from './bulk/question.ts'
import { assertFlagsBeside } from './flags-beside.ts'
import { chooseHub, type Collection, findCollection, listDay, makeManifest } from './handover/collect.ts'
import { warnOfMissingGlyphs } from './label/draw.ts'
import {
  assertDocumentOutput,
  type Document,
  type DocumentOutput,
  OUT_FLAGS,
  type OutFlags,
  printDocument,
  requireFormat,
  requirePrinter,
  writeDocument,
} from './label/files.ts'

const FORMATS = ['pdf', 'csv'] as const

const FLAGS = [
  { flag: 'hub', kind: 'text', value: 'HUB', description: 'hub code or ID' },
  { flag: 'date', kind: 'text', value: 'DATE', description: 'list a day at the hub, and record nothing' },
  {
    flag: 'without',
    kind: 'text',
    value: 'PARCEL',
    repeat: true,
    description: 'all parcels but this one, which waits for the next collection; repeat for several',
  },
  { flag: 'preview', kind: 'boolean', description: 'show or print the next manifest, and record nothing' },
  {
    flag: 'manifest',
    kind: 'text',
    value: 'ID',
    fieldPath: 'manifest_id',
    description: 'show or print this manifest with its parcels as they are now, and record nothing',
  },
  {
    flag: 'format',
    kind: 'enum',
    choices: FORMATS,
    description: 'file format. Default: by the ending of --out, otherwise pdf',
  },
] as const satisfies readonly Flag[]

type Flags = FlagValues<typeof FLAGS, [typeof PARCELS_ARGUMENT]> & OutFlags

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
  summary: 'Make the collection manifest of a hub and write the paper to sign',
  description:
    'Takes all parcels that await collection at a hub and are on no manifest yet, or only those that are named, and records manifested on each. --without keeps a parcel back: it waits for the next collection, and its delivery date follows. Without new parcels it shows the last manifest. A driver who scans its code collects all of them. --out writes it: a PDF with barcodes, counts by service level, the list, the total weight and a signature box, or CSV. Without parcels no file is written. --date lists the parcels of a day instead, and --manifest those of an earlier manifest. Without --hub it is the only hub at which parcels wait.',
  danger: 'write',
  positionals: [PARCELS_ARGUMENT],
  flags: [...FLAGS, ...OUT_FLAGS],
  // A parcel of a manifest has these, too; one of a day, which --date lists, has not.
  answer: { fields: [...COLUMNS, 'status', 'collected_at'] },
  examples: [
    'dray carrier handover --hub LON1',
    'dray carrier handover --hub LON1 --out handover.pdf',
    'dray carrier handover A-1001 A-1002 --hub LON1',
    'dray carrier handover --hub LON1 --without A-1003',
    'dray carrier handover --hub LON1 --preview',
    'dray carrier handover --hub LON1 --date yesterday --out handover.csv',
    'dray carrier handover --hub LON1 --print',
    'dray carrier handover --manifest mnf_01m7vkystgf7vtyybg4s0p9p1s',
  ],
  run: (cli, flags) => handOver(cli, flags),
})

type FileFormat = (typeof FORMATS)[number]

async function handOver(cli: CommandContext, flags: Flags): Promise<number> {
  const { print: prints = false, printer, out, force = false } = flags
  const format = readFormat(flags)
  const lp = prints ? requirePrinter(cli) : undefined
  if (out !== undefined) assertDocumentOutput(cli, { path: out, force }, format, 'handover')
  const collection = await collect(cli, flags)
  if (collection.parcels.length === 0) {
    await report(cli, collection, undefined)
    return EXIT.ok
  }
  // A format that is asked for without a file's name wants a file.
  const isNamed = flags.format !== undefined && !prints
  const path = out ?? (isNamed ? `handover-${collection.hub.code}-${collection.date}.${format}` : undefined)
  if (path !== undefined || lp !== undefined) {
    const target: DocumentOutput = { path, force }
    assertDocumentOutput(cli, target, format, 'handover')
    const { missing, ...document } = await toDocument(collection, format, path === '-')
    await writeDocument(cli, target, document)
    await warnOfMissingGlyphs(cli, collection.parcels, missing)
    if (lp !== undefined) await cli.say(await printDocument(cli, lp, document, printer))
  }
  await report(cli, collection, path)
  return EXIT.ok
}

/** The flags that go with `--manifest`: those of the paper. */
const OF_MANIFEST = ['manifest', 'format', ...OUT_FLAGS.map(({ flag }) => flag)]

/** Makes, previews or finds the manifest, or lists a day. Throws AppError. */
async function collect(cli: CommandContext, flags: Flags): Promise<Collection> {
  const { manifest } = flags
  if (manifest === undefined) return collectAtHub(cli, flags)
  assertFlagsBeside(flags, OF_MANIFEST, '--manifest shows a manifest as it is')
  return findCollection(cli, manifest)
}

async function collectAtHub(
  cli: CommandContext,
  { hub: named, date, preview = false, parcel: shipments = [], without = [] }: Flags,
): Promise<Collection> {
  if (shipments.length > 0 && without.length > 0)
    throw new AppError(
      'usage',
      'Name the parcels of the manifest, or those that stay with --without, not both.',
    )
  if (date !== undefined && shipments.length + without.length > 0)
    throw new AppError('usage', '--date lists a day: name no parcels with it.')

  if (date !== undefined && preview)
    throw new AppError('usage', '--date lists a day, and --preview the next manifest: choose one.')
  const hub = await chooseHub(cli, named)
  if (date !== undefined) return listDay(cli, hub, date)
  if (!preview) await assertProfileConfirmed(cli)
  return makeManifest(cli, hub, {
    ...(preview && { preview }),
    ...(shipments.length > 0 && { shipments }),
    ...(without.length > 0 && { without }),
  })
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
    return { bytes: Buffer.from(toCsv(handover.parcels, isPiped)), format, title, missing: [] }
  }
  const { renderDocument } = await import('../../rendering/render.ts')
  const paper = await renderDocument({ title, sheets: layOutHandover(handover) }, { format, dpi: 300 })
  return { ...paper, format, title }
}

/** A file is for people, who open it in a spreadsheet; programs get LF and every text as it is. */
function toCsv(parcels: readonly HandoverParcel[], isPiped: boolean): string {
  const rows = [
    [...COLUMNS],
    ...parcels.map((parcel) => COLUMNS.map((column) => parcel[column] ?? undefined)),
  ]
  return isPiped
    ? writeCsv(rows, undefined, undefined, (text) => text).replaceAll('\r\n', '\n')
    : writeCsv(rows, SHEET_FORM, undefined, escapeInSheet)
}

/** Rows shown to people; the file has them all. */
const SHOWN = 25

async function report(cli: CommandContext, handover: Collection, path: string | undefined): Promise<void> {
  const { hub, date, parcels, manifest_id = null, result, left_behind, kept_back, cancelled } = handover
  const waiting = parcels.filter(({ handed_over }) => handed_over === null).length
  const which = manifest_id === null || result !== undefined ? '--hub {hub}' : '--manifest {manifest_id}'
  const people = isInteractiveTable(cli)
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
      manifest_id,
      ...(result !== undefined && { result, left_behind, kept_back }),
      ...(cancelled && {
        cancelled: cancelled.map(({ tracking_number, reference }) => ({ tracking_number, reference })),
      }),
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
        parcels.length > 0 && { next: `dray carrier handover ${which} --out handover.pdf` }),
    },
  )
}

function sentenceOf(collection: Collection, waiting: number, path: string | undefined): string {
  const { hub, date, parcels, result, left_behind = [], kept_back = [], cancelled = [] } = collection
  const plain = { tty: true, width: 80, colour: false }
  const services = countServices(parcels).map((each) => `${each.parcels} ${each.service_level}`)
  const count = formatParcelCount(parcels.length)
  const weight = cellText(weightOf(parcels), 'weight_grams', plain)
  const elsewhere = left_behind.map((each) => `${formatParcelCount(each.parcels)} at ${each.hub_code}`)
  return [
    `${hub.code} ${hub.name}, ${date}: ${parcels.length === 0 ? count : `${count} (${services.join(', ')}), ${weight}`}.`,
    ...nameManifest(collection),
    ...(result === 'preview' ? ['Preview: nothing was recorded.'] : []),
    ...(waiting > 0 ? [`Awaiting collection: ${waiting}.`] : []),
    ...(waiting === 0 && parcels.length > 0 ? ['All parcels are collected.'] : []),
    ...(cancelled.length > 0 ? [`Cancelled: ${cancelled.length}.`] : []),
    ...(path === undefined || path === '-' ? [] : ['File: {file}.']),
    ...kept_back.map(
      ({ reference, tracking_number, estimated_delivery_date }) =>
        `Kept back: ${reference ?? tracking_number}, delivery date ${estimated_delivery_date}.`,
    ),
    ...(elsewhere.length === 0 ? [] : [`Left behind: ${elsewhere.join(', ')}.`]),
  ].join(' ')
}

/** Returns a sentence that says which manifest it is; none for a preview or a day. */
function nameManifest({ manifest_id, result }: Collection): string[] {
  if (manifest_id === undefined) return []
  const which = result === undefined ? 'Manifest' : result === 'created' ? 'New manifest' : 'Last manifest'
  return [`${which}: ${manifest_id}.`]
}
