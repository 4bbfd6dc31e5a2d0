import { LABEL_PARAMETERS, usualDpi } from '../../areas/carrier/label/parameters.ts'
import { LABEL_SIZES, LABEL_SHEET_PLACES } from '../../areas/carrier/label/sheets.ts'
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { printResult } from '../../cli/print.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import type { DocumentFormat } from '../../rendering/render.ts'
import { type ParcelSetArgs, PARCEL_SET_FLAGS } from './bulk/choose.ts'
import { PARCELS_ARGUMENT } from './bulk/flags.ts'
import { type NamedParcel, type Parcel, problemsOf } from './bulk/parcels.ts'
import {
  assertLabelFonts,
  renderParcelLabels,
  type LabelStyle,
  warnOfMissingGlyphs,
  withProgress,
} from './label/draw.ts'
import {
  assertDocumentOutput,
  inFolder,
  type DocumentOutput,
  OUT_FLAGS,
  type OutFlags,
  printDocument,
  requireFormat,
  requirePrinter,
  writeDocument,
} from './label/files.ts'
import { chooseParcels } from './label/labelled.ts'

const FORMATS = ['pdf', 'zpl', 'png'] as const

const STYLE_FLAGS = [
  {
    flag: 'format',
    kind: 'enum',
    choices: FORMATS,
    description: 'label format. Default: by the ending of --out, otherwise pdf',
  },
  {
    flag: 'size',
    kind: 'enum',
    choices: LABEL_SIZES,
    description: 'paper size: 4 × 6 inches, A6, or A4 with four labels. Default: 4x6',
  },
  {
    flag: 'start',
    kind: 'enum',
    choices: LABEL_SHEET_PLACES,
    description: 'position of the first label on an A4 sheet, from the top left',
  },
  {
    flag: 'dpi',
    kind: 'enum',
    choices: LABEL_PARAMETERS.dpi.values,
    description: 'dots per inch. Default: 203 for zpl, 300 for png',
  },
] as const satisfies readonly Flag[]

type Flags = ParcelSetArgs & OutFlags & FlagValues<typeof STYLE_FLAGS>

/** `dray carrier label NUMBER…`. */
export const carrierLabel = defineCommand({
  words: 'carrier label',
  summary: 'Print the labels of parcels: PDF, ZPL for label printers, or PNG',
  description:
    'Without --out the file is named after the parcel, or labels.pdf. Several PNG labels are written to a folder, one file each. Names in any script can be printed; long text becomes smaller. A cancelled parcel has no label.',
  positionals: [PARCELS_ARGUMENT],
  flags: [...STYLE_FLAGS, ...PARCEL_SET_FLAGS, ...OUT_FLAGS],
  answer: { fields: ['format', 'labels', 'file', 'files', 'tracking_numbers', 'cancelled', 'problems.*'] },
  examples: [
    'dray carrier label ZC968043370GB',
    'dray carrier label A-1001 A-1002 --size a4 --start 3 --out labels.pdf',
    'dray carrier label --manifest manifest.results.csv --format zpl --dpi 300 --out labels.zpl',
    'dray carrier label --status pre_transit --created-today --print --printer Zebra --format zpl',
  ],
  run: (cli, flags) => printLabels(cli, flags),
})

async function printLabels(cli: CommandContext, flags: Flags): Promise<number> {
  const { print: prints = false, printer, out, force = false } = flags
  const style = readStyle(flags)
  if (printer !== undefined && !prints) throw new AppError('usage', '--printer requires --print.')
  const lp = prints ? requirePrinter(cli) : undefined
  if (out !== undefined) assertDocumentOutput(cli, { path: out, force }, style.format, 'labels')
  const { parcels, cancelled, missing } = await chooseParcels(cli, flags)
  const target: DocumentOutput = {
    path: out ?? (prints ? undefined : defaultName(parcels, style.format)),
    force,
  }
  const files =
    style.format === 'png' && parcels.length > 1
      ? await writePictures(
          cli,
          parcels,
          { style, printer: lp === undefined ? undefined : { lp, printer } },
          target,
        )
      : await writeAll(
          cli,
          parcels,
          { style, printer: lp === undefined ? undefined : { lp, printer } },
          target,
        )
  await report(cli, { parcels, cancelled, missing, style, files, isPrinted: prints, path: target.path })
  return missing.length === 0 ? EXIT.ok : EXIT.partial
}

/** Throws AppError('usage') for flags that do not go together. */
function readStyle({ format: asked, size = '4x6', start, dpi, out }: Flags): LabelStyle {
  const format = requireFormat(asked, out, FORMATS)
  if (dpi !== undefined && format === 'pdf')
    throw new AppError('usage', '--dpi requires --format zpl or png: a PDF has no resolution.')
  if (size === 'a4' && format !== 'pdf')
    throw new AppError('usage', `--size a4 requires --format pdf; ${format} has one label on each sheet.`)
  if (start !== undefined && size !== 'a4') throw new AppError('usage', '--start requires --size a4.')
  return { format, size, start: Number(start ?? 1), dpi: Number(dpi ?? usualDpi(format)) }
}

function defaultName(parcels: readonly Parcel[], format: DocumentFormat): string {
  const [first] = parcels
  if (parcels.length === 1 && first !== undefined) return `${first.tracking_number}.${format}`
  return format === 'png' ? 'labels' : `labels.${format}`
}

type Printer = { lp: string; printer: string | undefined } | undefined

async function writeAll(
  cli: CommandContext,
  parcels: readonly Parcel[],
  { style, printer }: { style: LabelStyle; printer: Printer },
  target: DocumentOutput,
): Promise<string[]> {
  const { path } = target
  assertDocumentOutput(cli, target, style.format, 'labels')
  const { bytes, missing, title } = await renderParcelLabels(cli, parcels, style)
  const document = { bytes, format: style.format, title }
  await writeDocument(cli, target, document)
  await warnOfMissingGlyphs(cli, parcels, missing)
  if (printer !== undefined) await cli.say(await printDocument(cli, printer.lp, document, printer.printer))
  return path === undefined || path === '-' ? [] : [path]
}

/** A PNG holds one label: several go into a folder. */
async function writePictures(
  cli: CommandContext,
  parcels: readonly Parcel[],
  { style, printer }: { style: LabelStyle; printer: Printer },
  { path: folder, force }: DocumentOutput,
): Promise<string[]> {
  if (folder === '-')
    throw new AppError('usage', 'A PNG holds one label: several cannot go to standard output.', {
      hint: 'Give a folder with --out labels, or use --format pdf.',
    })
  // Nothing is half done: the last picture may be the one without a font.
  await assertLabelFonts(parcels, style)
  return withProgress(cli, parcels.length, async (onSheet) => {
    const files: string[] = []
    for (const [at, parcel] of parcels.entries()) {
      const path = folder === undefined ? undefined : inFolder(folder, `${parcel.tracking_number}.png`)
      files.push(...(await writeAll(cli, [parcel], { style, printer }, { path, force })))
      // A picture takes long, so a signal gets its turn after each.
      await cli.runtime.sleep(0)
      await onSheet(at + 1)
    }
    return files
  })
}

type LabelPrintResult = {
  parcels: readonly Parcel[]
  cancelled: readonly Parcel[]
  missing: readonly NamedParcel[]
  style: LabelStyle
  files: readonly string[]
  isPrinted: boolean
  path: string | undefined
}

async function report(
  cli: CommandContext,
  { parcels, cancelled, missing, style: { format }, files, isPrinted, path }: LabelPrintResult,
): Promise<void> {
  const count = parcels.length === 1 ? '1 label' : `${parcels.length} labels`
  const place = path === undefined || path === '-' ? undefined : path
  const without =
    cancelled.length === 1
      ? '1 parcel is cancelled and has no label.'
      : `${cancelled.length} parcels are cancelled and have no label.`
  const done = [
    place === undefined
      ? `${count}${isPrinted ? ' printed' : ''}.`
      : `${count} in ${format === 'png' && parcels.length > 1 ? 'the folder ' : ''}{file}.`,
    ...(cancelled.length === 0 ? [] : [without]),
    ...missing.map(({ problem }) => problem?.message ?? ''),
  ].join(' ')
  if (path === '-') {
    await cli.say(done)
    return
  }
  await printResult(
    cli,
    {
      format,
      labels: parcels.length,
      file: place ?? null,
      files,
      tracking_numbers: parcels.map(({ tracking_number }) => tracking_number),
      cancelled: cancelled.map(({ tracking_number }) => tracking_number),
      problems: problemsOf(missing),
    },
    { columns: [{ field: 'format' }, { field: 'labels' }, { field: 'file' }], done },
  )
}
