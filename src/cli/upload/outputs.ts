import { accessSync, constants, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { AppError } from '../../errors.ts'
import { decode } from '../csv/decode.ts'
import { whoseFile } from '../manifest/results.ts'

/** Where the results and the errors go: a path, `-` for standard output, undefined for nowhere. */
export type Outputs = { results: string | undefined; errors: string | undefined }

/** `orders.csv` -> `orders.results.csv` and `orders.errors.csv` beside it, or what `--results` says. */
export function planOutputs(file: string, flag: string | undefined): Outputs {
  if (flag === 'none') return { results: undefined, errors: undefined }
  if (flag === '-') return { results: '-', errors: undefined }
  const named = flag ?? (file === '-' ? 'manifest.csv' : file)
  const stem = join(dirname(named), basename(named, extname(named)))
  const bare = stem.endsWith('.results') ? stem.slice(0, -'.results'.length) : stem
  return { results: flag ?? `${bare}.results.csv`, errors: `${bare}.errors.csv` }
}

/** Before anything is sent: both can be written, and neither is somebody else's file. Throws AppError('file_error'). */
export function checkOutputs({ results, errors }: Outputs): void {
  if (results !== undefined && results !== '-') checkOutput(results, 'results')
  if (errors !== undefined) checkOutput(errors, 'errors')
}

function checkOutput(path: string, kind: 'results' | 'errors'): void {
  const hint = 'Name another file with --results FILE, or --results none.'
  try {
    const before = readIfThere(path)
    if (before === undefined || whoseFile(decode(before).text) !== undefined) {
      accessSync(before === undefined ? dirname(path) : path, constants.W_OK)
      return
    }
  } catch (error) {
    throw new AppError(
      'file_error',
      `The ${kind} cannot be written to ${path}: ${(error as Error).message}.`,
      { hint, cause: error },
    )
  }
  throw new AppError('file_error', `${path} exists and was not written by dray; it is left as it is.`, {
    hint,
  })
}

function readIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Whole or not at all: a reader never sees half a file. */
export function writeOutput(path: string, text: string): void {
  const draft = `${path}.part`
  try {
    writeFileSync(draft, text)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new AppError('file_error', `${path} cannot be written: ${(error as Error).message}.`, {
      hint: 'The parcels are created: run the same command again to get the file, nothing is created twice.',
      cause: error,
    })
  }
}

/** An errors file of an earlier upload would be taken for one of this. */
export function removeOldErrors({ errors }: Outputs): void {
  if (errors !== undefined) rmSync(errors, { force: true })
}
