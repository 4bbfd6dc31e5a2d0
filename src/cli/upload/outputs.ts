import { rmSync } from 'node:fs'
import { AppError } from '../../core/errors.ts'
import { detectOwnFileKind } from '../../tabular/columns/results.ts'
import type { Outputs } from '../../tabular/import/outputs.ts'
import type { CommandContext } from '../cli.ts'
import { assertOutputPath, type WriteTarget, writeOutputFile } from '../files/write.ts'

/** Before anything is sent: both can be written, and neither is a file of another program. Throws AppError('file_error'). */
export function checkOutputs(outputs: Outputs, force: boolean): void {
  for (const place of placesOf(outputs, force)) assertOutputPath(place)
}

const UNWRITTEN =
  'The created parcels or items exist: run the same command again to get the file; nothing is created twice.'

const isOurs = (start: string): boolean => detectOwnFileKind(start) !== undefined

function placeOf(path: string, name: 'results' | 'errors', force: boolean): WriteTarget {
  return {
    path,
    file: { name, isOurs },
    force,
    elsewhere: 'Choose another file with --results FILE, or --results none',
  }
}

function placesOf({ results, errors }: Outputs, force: boolean): WriteTarget[] {
  return [
    ...(results === undefined || results === '-' ? [] : [placeOf(results, 'results', force)]),
    ...(errors === undefined ? [] : [placeOf(errors, 'errors', force)]),
  ]
}

/** An errors file of an earlier upload would be taken for one of this. */
function removeOldErrors({ errors }: Outputs): void {
  if (errors !== undefined) rmSync(errors, { force: true })
}

export type ReportFiles = { results_file?: string; errors_file?: string }

/** Writes both. That they cannot be written does not take the answers away: it is told after them. */
export async function writeOutputs(
  { io, runtime }: Pick<CommandContext, 'io' | 'runtime'>,
  outputs: Outputs,
  { results, errors, force }: { results: string; errors: string | Uint8Array | undefined; force: boolean },
): Promise<{ files: ReportFiles; unwritten?: AppError }> {
  if (outputs.results === '-') await io.stdout.write(results)
  const files: ReportFiles = {}
  try {
    if (outputs.results !== undefined && outputs.results !== '-') {
      await writeOutputFile(placeOf(outputs.results, 'results', force), runtime.pid, results, UNWRITTEN)
      files.results_file = outputs.results
    }
    if (outputs.errors === undefined || errors === undefined) removeOldErrors(outputs)
    else {
      const bytes = Buffer.from(errors)
      const place = placeOf(outputs.errors, 'errors', force)
      await writeOutputFile(place, runtime.pid, async (put) => put(bytes), UNWRITTEN)
      files.errors_file = outputs.errors
    }
  } catch (error) {
    if (error instanceof AppError)
      return {
        files,
        unwritten: new AppError('output_failed', error.message, { hint: UNWRITTEN, cause: error }),
      }
    throw error
  }
  return { files }
}
