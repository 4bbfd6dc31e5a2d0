import { access, constants, readFile, rename, rm, writeFile } from 'node:fs/promises'
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
export async function checkOutputs({ results, errors }: Outputs): Promise<void> {
  if (results !== undefined && results !== '-') await checkOutput(results, 'results')
  if (errors !== undefined) await checkOutput(errors, 'errors')
}

async function checkOutput(path: string, kind: 'results' | 'errors'): Promise<void> {
  const hint = 'Name another file with --results FILE, or --results none.'
  const before = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new AppError('file_error', `The ${kind} cannot be written to ${path}: ${error.message}.`, {
      hint,
      cause: error,
    })
  })
  if (before !== undefined && whoseFile(decode(before).text) === undefined) {
    throw new AppError('file_error', `${path} exists and was not written by dray; it is left as it is.`, {
      hint,
    })
  }
  const place = before === undefined ? dirname(path) : path
  await access(place, constants.W_OK).catch((error: unknown) => {
    throw new AppError(
      'file_error',
      `The ${kind} cannot be written to ${path}: ${(error as Error).message}.`,
      { hint, cause: error },
    )
  })
}

/** Whole or not at all: a reader never sees half a file. */
export async function writeOutput(path: string, text: string): Promise<void> {
  const draft = `${path}.part`
  try {
    await writeFile(draft, text)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw new AppError('file_error', `${path} cannot be written: ${(error as Error).message}.`, {
      hint: 'The parcels are created: run the same command again to get the file, nothing is created twice.',
      cause: error,
    })
  }
}

/** An errors file of an earlier upload would be taken for one of this. */
export async function removeOldErrors({ errors }: Outputs): Promise<void> {
  if (errors !== undefined) await rm(errors, { force: true })
}
