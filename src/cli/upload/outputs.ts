import { rmSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { AppError } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { whoseFile } from '../columns/results.ts'
import { assertFree, type Place, writeOwn } from '../files/write.ts'

/** Where the results and the errors go: a path, `-` for standard output, undefined for nowhere. */
export type Outputs = { results: string | undefined; errors: string | undefined }

/** One of our own files and its round: `orders.errors.csv` is of the first, `orders.errors-2.csv` of the second. */
const OUTPUT = /^(.+)\.(?:results|errors)(?:-(\d{1,4}))?$/

/**
 * `orders.csv` -> `orders.results.csv` and `orders.errors.csv` beside it, or what `--results` says. One of these files
 * read again makes those of the next round, `orders.results-2.csv` and `orders.errors-2.csv`: it holds corrections and
 * tracking numbers, and is never written over. `unnamed` stands for standard input. Throws AppError('usage').
 */
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
  const name = basename(named, extname(named))
  const [, base = name, round = '1'] = OUTPUT.exec(name) ?? []
  const bare = join(dirname(named), base)
  const taken = new Set([file, ...(flag === undefined ? [] : [flag])].map((path) => resolve(path)))
  if (taken.size === 1 && flag !== undefined)
    throw new AppError('usage', `--results ${flag} is the file that is read; name another one.`)
  const isRead = flag === undefined && name !== base
  for (let next = Number(round) + (isRead ? 1 : 0); ; next++) {
    const suffix = next === 1 ? '' : `-${next}`
    const outputs = {
      results: flag ?? `${bare}.results${suffix}.csv`,
      errors: `${bare}.errors${suffix}.${errors}`,
    }
    if (!taken.has(resolve(outputs.errors))) return outputs
  }
}

/** Before anything is sent: both can be written, and neither is somebody else's file. Throws AppError('file_error'). */
export function checkOutputs(outputs: Outputs, force: boolean): void {
  for (const place of placesOf(outputs, force)) assertFree(place)
}

const UNWRITTEN = {
  code: 'output_failed',
  hint: 'What was created stays created: run the same command again to get the file, nothing is created twice.',
} as const

const isOurs = (start: string): boolean => whoseFile(start) !== undefined

function placeOf(path: string, name: 'results' | 'errors', force: boolean): Place {
  return {
    path,
    file: { name, isOurs },
    force,
    elsewhere: 'Name another file with --results FILE, or --results none',
  }
}

function placesOf({ results, errors }: Outputs, force: boolean): Place[] {
  return [
    ...(results === undefined || results === '-' ? [] : [placeOf(results, 'results', force)]),
    ...(errors === undefined ? [] : [placeOf(errors, 'errors', force)]),
  ]
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
  { results, errors, force }: { results: string; errors: string | undefined; force: boolean },
): Promise<{ files: Files; unwritten?: AppError }> {
  if (outputs.results === '-') await io.stdout.write(results)
  const files: Files = {}
  try {
    if (outputs.results !== undefined && outputs.results !== '-') {
      await writeOwn(placeOf(outputs.results, 'results', force), runtime.pid, results, UNWRITTEN)
      files.results_file = outputs.results
    }
    if (outputs.errors === undefined || errors === undefined) removeOldErrors(outputs)
    else {
      await writeOwn(placeOf(outputs.errors, 'errors', force), runtime.pid, errors, UNWRITTEN)
      files.errors_file = outputs.errors
    }
  } catch (error) {
    if (error instanceof AppError) return { files, unwritten: error }
    throw error
  }
  return { files }
}
