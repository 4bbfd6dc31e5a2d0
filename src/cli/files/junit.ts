/** The JUnit XML that a `--junit` flag writes, which every CI reads. */
import { resolve } from 'node:path'
import type { Cli } from '../cli.ts'
import type { WriteTarget } from './write.ts'

/** The file, and how to recognize an earlier one, which may be replaced. */
const JUNIT = {
  name: 'results',
  isOurs: (start: string) => /^<\?xml [^>]*\?>\n<testsuites name="dray"/.test(start),
}

/** Returns the target of the flag; undefined without one. */
export function junitPlace(
  { runtime }: Cli,
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

/** Escapes a text: XML 1.0 allows no control characters except tab and line breaks, and no lone surrogates. */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- they are what is replaced
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
      .replaceAll('\n', '&#10;')
  )
}
