/** An upload whose labels are written at once. */
import { hasLabel } from '../../../areas/carrier/label/label.ts'
import { usualDpi } from '../../../areas/carrier/label/parameters.ts'
import type { Cli } from '../../../cli/cli.ts'
import type { FileFlags } from '../../../cli/upload/flags.ts'
import { runUpload } from '../../../cli/upload/run.ts'
import { AppError } from '../../../core/errors.ts'
import type { manifestUpload } from '../manifest/upload.ts'
import { findParcels } from '../set/parcels.ts'
import { drawLabels, warnOfMissing } from './draw.ts'
import { assertOut, formatOf, writeDocument } from './files.ts'

type Upload = ReturnType<typeof manifestUpload>

/** Runs the upload, then writes the labels of what it created and of what was there before. Returns its exit code. */
export async function uploadWithLabels(
  cli: Cli,
  { labels: path, ...flags }: FileFlags & { labels: string },
  upload: Upload,
): Promise<number> {
  const out = { path, force: flags.force === true, flag: '--labels' }
  const format = formatOf(path, ['pdf', 'zpl'])
  if (format === undefined)
    throw new AppError('usage', `--labels ${path}: the name must end with .pdf or .zpl.`, {
      hint: '`dray carrier label --manifest RESULTS.csv` writes other formats.',
    })
  assertOut(cli, out, format, 'labels')
  const numbers: string[] = []
  const code = await runUpload(cli, flags, {
    ...upload,
    complete(outcomes) {
      numbers.push(...outcomes.flatMap((outcome) => upload.report.idOf(outcome) ?? []))
      return [...outcomes]
    },
  })
  if (numbers.length === 0) return code
  const parcels = (await findParcels(await cli.client(), numbers)).filter(hasLabel)
  const style = { format, size: '4x6', dpi: Number(usualDpi(format)), start: 1 } as const
  const { bytes, missing, title } = await drawLabels(cli, parcels, style)
  await writeDocument(cli, out, { bytes, format, title }).catch((error: unknown) => {
    throw error instanceof AppError ? unwritten(error) : error
  })
  await warnOfMissing(cli, parcels, missing)
  await cli.say(`${parcels.length === 1 ? '1 label' : `${parcels.length} labels`} in ${path}.`)
  return code
}

/** The parcels are created by now, so the error must not look like one that was found before. */
function unwritten(error: AppError): AppError {
  return new AppError('output_failed', error.message, {
    hint: 'The parcels exist: run the same command again to get their labels; nothing is created twice.',
    cause: error,
  })
}
