/** The names of the files that answer an upload. */
import { basename, dirname, extname, join, resolve } from 'node:path'
import { AppError } from '../../core/errors.ts'

/** The place where the results and the errors go: a path, `-` for standard output, undefined for nowhere. */
export type Outputs = { results: string | undefined; errors: string | undefined }

/** The ending of a file of errors. */
export type ErrorsForm = 'csv' | 'json' | 'xlsx'

/** One of our own files and its round: `orders.errors.csv` is of the first, `orders.errors-2.csv` of the second. */
const OUTPUT = /^(.+)\.(?:results|errors)(?:-(\d{1,4}))?$/

/**
 * `orders.csv` -> `orders.results.csv` and `orders.errors.csv` beside it, or what `--results` says. One of these files
 * read again makes those of the next round, `orders.results-2.csv` and `orders.errors-2.csv`: it holds corrections and
 * tracking numbers, and is never written over. The errors of a workbook are one: `orders.errors.xlsx`. `unnamed` stands for standard input. Each `sheet` of
 * a workbook has files of its own. Throws AppError('usage').
 */
export function planOutputs(
  file: string,
  flag: string | undefined,
  {
    unnamed = 'manifest.csv',
    errors = 'csv',
    sheet,
  }: { unnamed?: string; errors?: ErrorsForm; sheet?: string | undefined } = {},
): Outputs {
  if (flag === '')
    throw new AppError('usage', '--results must be a file name, `-` (standard output) or `none`.')
  if (flag === 'none') return { results: undefined, errors: undefined }
  if (flag === '-') return { results: '-', errors: undefined }
  if (flag !== undefined) return { results: flag, errors: errorsBeside(flag, file, errors) }
  const { base: whole, round } = roundOf(file === '-' ? unnamed : file)
  const base = sheet === undefined ? whole : `${whole}.${fileWord(sheet)}`
  return {
    results: pathOf(base, 'results', round + 1, 'csv'),
    errors: pathOf(base, 'errors', round + 1, errors),
  }
}

/** Letters of a sheet's name that a file's name does not take are written as in addresses, so that no two names are one. */
function fileWord(sheet: string): string {
  return sheet.toWellFormed().replaceAll(/[^\p{L}\p{M}\p{N} .,_+&()'-]/gu, encodeURIComponent)
}

/** The errors go beside the results that were named, under a name that is neither theirs nor that of the file. */
function errorsBeside(results: string, file: string, extension: string): string {
  const taken = new Set([resolve(file), resolve(results)])
  if (taken.size === 1)
    throw new AppError('usage', `--results ${results} is the file that is read; name another one.`)
  const { base, round } = roundOf(results)
  let next = Math.max(round, 1)
  while (taken.has(resolve(pathOf(base, 'errors', next, extension)))) next++
  return pathOf(base, 'errors', next, extension)
}

function pathOf(base: string, what: 'results' | 'errors', round: number, extension: string): string {
  return `${base}.${what}${round === 1 ? '' : `-${round}`}.${extension}`
}

/** The path of the file that one of ours came from, and its round; 0 for any other file. */
function roundOf(path: string): { base: string; round: number } {
  const name = basename(path, extname(path))
  const [, base = name, round = '1'] = OUTPUT.exec(name) ?? []
  return { base: join(dirname(path), base), round: base === name ? 0 : Number(round) }
}
