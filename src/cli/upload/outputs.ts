import { accessSync, constants, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { AppError } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { whoseFile } from '../columns/results.ts'
import { fileReason, readFileUpTo } from './file.ts'

/** Where the results and the errors go: a path, `-` for standard output, undefined for nowhere. */
export type Outputs = { results: string | undefined; errors: string | undefined }

/** `orders.csv` -> `orders.results.csv` and `orders.errors.csv` beside it, or what `--results` says. `unnamed` stands for standard input. */
export function planOutputs(
  file: string,
  flag: string | undefined,
  { unnamed = 'manifest.csv', errors = 'csv' }: { unnamed?: string; errors?: 'csv' | 'json' } = {},
): Outputs {
  if (flag === '')
    throw new AppError('usage', '--results needs the name of a file, - for standard output, or none.')
  if (flag === 'none') return { results: undefined, errors: undefined }
  if (flag === '-') return { results: '-', errors: undefined }
  const named = flag ?? (file === '-' ? unnamed : file)
  const stem = join(dirname(named), basename(named, extname(named)))
  const bare = stem.endsWith('.results') ? stem.slice(0, -'.results'.length) : stem
  return { results: flag ?? `${bare}.results.csv`, errors: `${bare}.errors.${errors}` }
}

/** Before anything is sent: both can be written, and neither is somebody else's file. Throws AppError('file_error'). */
export function checkOutputs({ results, errors }: Outputs): void {
  if (results !== undefined && results !== '-') checkOutput(results, 'results', ELSEWHERE)
  if (errors !== undefined) checkOutput(errors, 'errors', ELSEWHERE)
}

const ELSEWHERE = 'Name another file with --results FILE, or --results none.'

/** `kind` is what goes there, `hint` what to do when it cannot. Throws AppError('file_error'). */
export function checkOutput(path: string, kind: 'results' | 'errors' | 'menu', hint: string): void {
  const refuse = (detail: string, cause?: unknown): AppError =>
    new AppError('file_error', detail, { hint, cause })
  let own = true
  try {
    const there = statSync(path, { throwIfNoEntry: false })
    // a pipe would be waited on, a device never ends
    if (there !== undefined && !there.isFile())
      throw refuse(`${path} is not a file: the ${kind} cannot go there.`)
    own = there === undefined || whoseFile(readStart(path)) !== undefined
    for (const place of there === undefined ? [dirname(path)] : [dirname(path), path])
      accessSync(place, constants.W_OK)
  } catch (error) {
    if (error instanceof AppError) throw error
    const reason =
      (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such folder' : fileReason(error)
    throw refuse(`The ${kind} cannot be written to ${path}: ${reason}.`, error)
  }
  if (!own) throw refuse(`${path} exists and was not written by dray; it is left as it is.`)
}

/** Enough of a file to hold a header. What we write is UTF-8. */
function readStart(path: string): string {
  return new TextDecoder().decode(readFileUpTo(path, 65_536))
}

/** Whole or not at all: a reader never sees half a file, nor do two uploads of the same file mix theirs. */
export function writeOutput(
  path: string,
  text: string,
  pid: number,
  hint = 'What was created stays created: run the same command again to get the file, nothing is created twice.',
): void {
  const draft = `${path}.${pid}.part`
  let begun = false
  try {
    rmSync(draft, { force: true })
    begun = true
    writeFileSync(draft, text, { flag: 'wx' })
    renameSync(draft, path)
  } catch (error) {
    if (begun) rmSync(draft, { force: true })
    throw new AppError('output_failed', `${path} cannot be written: ${fileReason(error)}.`, {
      hint,
      cause: error,
    })
  }
}

/** An errors file of an earlier upload would be taken for one of this. */
function removeOldErrors({ errors }: Outputs): void {
  if (errors !== undefined) rmSync(errors, { force: true })
}

export type Files = { results_file?: string; errors_file?: string }

/** Writes both. That they cannot be written does not take the answers away: it is told after them. */
export async function writeOutputs(
  { io, runtime }: Pick<Cli, 'io' | 'runtime'>,
  outputs: Outputs,
  { results, errors }: { results: string; errors: string | undefined },
): Promise<{ files: Files; unwritten?: AppError }> {
  if (outputs.results === '-') await io.stdout.write(results)
  const files: Files = {}
  try {
    if (outputs.results !== undefined && outputs.results !== '-') {
      writeOutput(outputs.results, results, runtime.pid)
      files.results_file = outputs.results
    }
    if (outputs.errors === undefined || errors === undefined) removeOldErrors(outputs)
    else {
      writeOutput(outputs.errors, errors, runtime.pid)
      files.errors_file = outputs.errors
    }
  } catch (error) {
    if (error instanceof AppError) return { files, unwritten: error }
    throw error
  }
  return { files }
}
