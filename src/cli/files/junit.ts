/** The JUnit XML that a `--junit` flag writes, which every CI reads. */
import { resolve } from 'node:path'
import type { CommandContext } from '../cli.ts'
import type { WriteTarget } from './write.ts'

/** The file, and how to recognize an earlier one, which may be replaced. */
const JUNIT = {
  name: 'results',
  isOurs: (start: string) => /^<\?xml [^>]*\?>\n<testsuites name="dray"/.test(start),
}

/** Returns the target of the flag; undefined without one. */
export function junitPlace(
  { runtime }: CommandContext,
  given: string | undefined,
  force = false,
): WriteTarget | undefined {
  if (given === undefined) return undefined
  return { path: resolve(runtime.cwd, given), file: JUNIT, force }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** A case of a suite. `message` and `text` belong to a result other than `passed`. */
export type JunitCase = {
  classname: string
  name: string
  file?: string
  line?: number
  duration_ms?: number
  result: 'passed' | 'failed' | 'broken' | 'skipped'
  message?: string
  /** The class of a failure or an error. */
  type?: string
  text?: string
}

export type JunitSuite = { name: string; file?: string; cases: readonly JunitCase[] }

const ELEMENTS = { failed: 'failure', broken: 'error', skipped: 'skipped' } as const

/** Returns the document of the suites. */
export function toJunit(suites: readonly JunitSuite[]): string {
  const texts = suites.map(
    ({ name, file, cases }) =>
      `  <testsuite${attributes({ name, file, ...countsOf(cases) })}>\n${cases.map(toCase).join('')}  </testsuite>\n`,
  )
  const all = { name: 'dray', ...countsOf(suites.flatMap(({ cases }) => cases)) }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes(all)}>\n${texts.join('')}</testsuites>\n`
}

function countsOf(cases: readonly JunitCase[]) {
  const count = (wanted: JunitCase['result']): number =>
    cases.filter(({ result }) => result === wanted).length
  const times = cases.flatMap(({ duration_ms }) => duration_ms ?? [])
  const time = times.length === 0 ? undefined : toSeconds(times.reduce((sum, ms) => sum + ms, 0))
  return {
    tests: cases.length,
    failures: count('failed'),
    errors: count('broken'),
    skipped: count('skipped'),
    time,
  }
}

function toCase({ result, message = '', type, text, duration_ms, ...place }: JunitCase): string {
  const time = duration_ms === undefined ? undefined : toSeconds(duration_ms)
  const open = `    <testcase${attributes({ ...place, time })}`
  if (result === 'passed') return `${open}/>\n`
  const element = ELEMENTS[result]
  const begin = `<${element}${attributes({ message, type })}`
  const inner = text === undefined ? `${begin}/>` : `${begin}>${escapeXml(text)}</${element}>`
  return `${open}>${inner}</testcase>\n`
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeXml(String(value))}"`))
    .join('')
}

function toSeconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

/** Escapes a text: XML 1.0 allows no control characters except tab and line breaks, and no lone surrogates. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- they are what is replaced
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
      .replaceAll('\n', '&#10;')
  )
}
