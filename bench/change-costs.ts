/** The cost of one more operation, field or resource, counted on the present ones, in files that people write. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { breaks, ROOT } from '../test/support/sources.ts'
import { count, median, type FigureTable } from './figures.ts'

type TextFile = { path: string; text: string; words: ReadonlySet<string> }

const SHAPES = 'test/snapshots/interface.txt'

/** A line of the reviewed interface: `get_ride 200 driver.name string`, `request_ride body quote_id string`. */
const MEMBER = /^([a-z]+(?:_[a-z]+)+) (?:query|path|body|\d{3}) (\S+)/

/** Returns the table. A file counts where the whole name stands in it, in code, text or a string. */
export function measureChangeCosts(): FigureTable {
  const files = readCommittedFiles()
  const sources = files.filter(({ path }) => path.startsWith('src/'))
  const tests = files.filter(({ path }) => /^(?:test|bench)\//.test(path))
  const members = readMembers()
  const operations = [...new Set(members.map(({ operation }) => operation))]
  // A name of one word, as `total`, stands for many other things, too.
  const fields = [...new Set(members.map(({ field }) => field))].filter((field) => field.includes('_'))
  const holding = (name: string, among: readonly TextFile[]): number =>
    among.filter(({ words }) => words.has(name)).length
  const medianOf = (names: readonly string[], among: readonly TextFile[]): string =>
    median(names.map((name) => holding(name, among))).toFixed(1)
  const delivery = files.filter(({ path }) => /^src\/(?:areas|commands)\/delivery\//.test(path))
  const shapes = files.filter(({ path }) => /^test\/snapshots\/\w+\.txt$/.test(path))
  const longest = files
    .filter(({ path }) => path.startsWith('test/snapshots/'))
    .toSorted((a, b) => breaks(b.text) - breaks(a.text))[0]
  return {
    title: 'What one more thing costs (files that people write)',
    heads: [''],
    lines: [
      { what: 'files of src with the name of an operation, median', cells: [medianOf(operations, sources)] },
      { what: 'files of test with the name of an operation, median', cells: [medianOf(operations, tests)] },
      {
        what: 'files of src with the name of a field of several words, median',
        cells: [medianOf(fields, sources)],
      },
      { what: 'files of a resource with a lifecycle (deliveries)', cells: [count(delivery.length)] },
      { what: 'its lines', cells: [count(sumLines(delivery))] },
      { what: 'lines of the reviewed public shapes', cells: [count(sumLines(shapes))] },
      {
        what: `longest snapshot (${longest?.path ?? 'none'})`,
        cells: [count(sumLines(longest ? [longest] : []))],
      },
    ],
  }
}

function readCommittedFiles(): TextFile[] {
  const listed = execFileSync('git', ['ls-files', '-z', 'src', 'test', 'bench'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return listed
    .split('\0')
    .filter((path) => /\.(?:tsx?|txt|json)$/.test(path))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8')
      const isReviewed = path.startsWith('test/snapshots/')
      return { path, text, words: new Set(isReviewed ? [] : text.match(/\w+/g)) }
    })
}

/** Returns each member of each call's input and answers, by the last part of its path. */
function readMembers(): { operation: string; field: string }[] {
  return readFileSync(join(ROOT, SHAPES), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, operation, path] = MEMBER.exec(line) ?? []
      const field = /(\w+)\W*$/.exec(path ?? '')?.[1]
      return operation === undefined || field === undefined ? [] : [{ operation, field }]
    })
}

const sumLines = (files: readonly TextFile[]): number =>
  files.reduce((sum, { text }) => sum + breaks(text), 0)
