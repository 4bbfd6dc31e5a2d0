/** The size of the source code, and the imports between its folders. Tests limit most of it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { breaks, functionsOf, readSources, ROOT, type SourceFile } from '../test/support/sources.ts'
import { count, median, type FigureTable } from './figures.ts'

/** The words with which no text of a field begins. */
const QUESTION = /(?:description|meaning): '(?:What|Where|When|How|Who|Whose|Why|Whether|Of) /g
const CODE = /\.tsx?$/

export function measureCodeMetrics(): FigureTable {
  const sources = [...readSources('src', '.ts'), ...readSources('src', '.tsx')]
  const lines = ascending(sources.map(({ text }) => breaks(text)))
  const functions = sources.flatMap(functionsOf)
  const lengths = ascending(functions.map((each) => each.lines))
  const source = sum(lines)
  const test = committed('test', CODE)
  const figures: [what: string, figure: string][] = [
    ['files of src', count(sources.length)],
    ['lines of src', count(source)],
    ['lines of data and styles in src', count(committed('src', /\.(?:json|css)$/))],
    ['lines of test', count(test)],
    ['lines of test to a line of src', (test / source).toFixed(2)],
    ['lines of completions', count(committed('completions', /./))],
    ['median of a file', count(median(lines))],
    ['90th percentile', count(percentile(lines))],
    ['functions', count(functions.length)],
    ['median of a function', count(median(lengths))],
    ['90th percentile of a function', count(percentile(lengths))],
    ['longest function', count(lengths.at(-1) ?? 0)],
    ['functions with five and more parameters', count(functions.filter(({ takes }) => takes > 4).length)],
    ['texts that begin with a question word', count(sum(sources.map(({ text }) => matches(text, QUESTION))))],
    ['imports from folder to folder', count(countFolderImports(sources))],
  ]
  return {
    title: 'The code (src, without what is generated)',
    heads: [''],
    lines: figures.map(([what, figure]) => ({ what, cells: [figure] })),
  }
}

/** Returns the number of lines of committed files of a folder. */
function committed(folder: string, among: RegExp): number {
  const listed = execFileSync('git', ['ls-files', '-z', folder], { cwd: ROOT, encoding: 'utf8' })
  const files = listed.split('\0').filter((file) => file !== '' && among.test(file))
  return sum(files.map((file) => breaks(readFileSync(join(ROOT, file), 'utf8'))))
}

function countFolderImports(sources: readonly SourceFile[]): number {
  const pairs = sources.flatMap(({ file, imports }) =>
    imports
      .filter(
        ({ to }) =>
          to.startsWith('src/') && !to.startsWith('src/generated/') && folderOf(to) !== folderOf(file),
      )
      .map(({ to }) => `${folderOf(file)} → ${folderOf(to)}`),
  )
  return new Set(pairs).size
}

/** Returns the folder of a file: `src/areas/rides/states.ts` is in areas/rides, `src/cli/main.ts` in cli. */
function folderOf(file: string): string {
  const [, folder = '', area = '', rest] = file.split('/')
  return (folder === 'areas' || folder === 'commands') && rest !== undefined ? `${folder}/${area}` : folder
}

const ascending = (figures: readonly number[]): number[] => figures.toSorted((a, b) => a - b)
const percentile = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length * 0.9)] ?? 0
const sum = (figures: readonly number[]): number => figures.reduce((total, each) => total + each, 0)
const matches = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length
