/** Annotations at lines of files, and the summary of a job, as a step of GitHub Actions shows them. */
import { appendFile } from 'node:fs/promises'
import type { CommandContext } from '../cli.ts'

/** A failure at a line of a file. */
export type Annotation = { file: string; line: number; title: string; message: string }

/** Escapes of workflow commands (actions/toolkit, `packages/core/src/command.ts`). */
const ESCAPES: Readonly<Record<string, string>> = {
  '%': '%25',
  '\r': '%0D',
  '\n': '%0A',
  ':': '%3A',
  ',': '%2C',
}

/** Returns whether the command runs in a step of GitHub Actions. */
export function isInGithubActions({ env }: Pick<CommandContext['runtime'], 'env'>): boolean {
  return env['GITHUB_ACTIONS'] === 'true'
}

/** Returns the lines that GitHub Actions shows as errors beside the changed files. */
export function annotationLines(annotations: readonly Annotation[]): string {
  const member = (text: string | number): string =>
    String(text).replaceAll(/[%\r\n:,]/g, (character) => ESCAPES[character] ?? character)
  const data = (text: string): string =>
    text.replaceAll(/[%\r\n]/g, (character) => ESCAPES[character] ?? character)
  return annotations
    .map(
      ({ file, line, title, message }) =>
        `::error file=${member(file)},line=${member(line)},title=${member(title)}::${data(message)}\n`,
    )
    .join('')
}

/** Appends Markdown to the summary of the job. A summary that cannot be written is a warning: the results are elsewhere, too. */
export async function appendSummary({ runtime, say }: CommandContext, markdown: string): Promise<void> {
  const file = runtime.env['GITHUB_STEP_SUMMARY'] || undefined
  if (file === undefined) return
  try {
    await appendFile(file, markdown)
  } catch (error) {
    await say(`warning: GITHUB_STEP_SUMMARY cannot be written: ${(error as Error).message}`)
  }
}

/** Returns a table in Markdown. Cells are plain text. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cellOf).join(' | ')} |\n`
  return line(header) + line(header.map(() => '---')) + rows.map(line).join('')
}

function cellOf(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]<>|#~&]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ')
}
