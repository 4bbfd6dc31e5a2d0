import type { CommandContext } from '../../cli/cli.ts'
import { readContent } from '../../cli/upload/content.ts'
import { AppError } from '../../core/errors.ts'
import { unescapeCoercion } from '../../tabular/csv/escape-coercion.ts'
import { fileError } from '../../tabular/csv/file-error.ts'
import { readSheetTable, readTable, type DataTable } from '../../tabular/csv/read.ts'

/**
 * Returns the tracking numbers of a results file, in its order; rows that made no parcel have none. The file may have
 * been saved as a workbook. Throws AppError('file_error'), also when no row made a parcel.
 */
export async function readResults(cli: CommandContext, path: string): Promise<string[]> {
  const content = await readContent(cli, path, 'manifest', {})
  const table =
    'text' in content
      ? readTable(content.text)
      : readSheetTable((await content.sheets[0]?.read())?.rows ?? [])
  const at = columnOf(path, table)
  const numbers = table.rows.flatMap(({ cells }) => unescapeCoercion(cells[at] ?? '').trim() || [])
  if (numbers.length > 0) return numbers
  throw new AppError('file_error', `${path} has no parcels: none of its rows has a tracking number.`)
}

/** The last column of that name: a manifest may have one of its own. */
function columnOf(path: string, { keys }: DataTable): number {
  const at = keys.lastIndexOf('tracking_number')
  if (at !== -1) return at
  throw fileError('missing_column', `${path} has no column tracking_number.`, {
    hint: '--manifest reads a results file written by `dray carrier upload`: <name>.results.csv.',
  })
}
