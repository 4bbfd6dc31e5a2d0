/** Writes what was rendered: to a file, to standard output, or to the system's printer. */
import { basename, extname, join } from 'node:path'
import type { CommandContext } from '../../../cli/cli.ts'
import type { Flag, FlagValues } from '../../../cli/command.ts'
import {
  assertOutputPath,
  FORCE_FLAG,
  type OutputFile,
  type WriteTarget,
  writeOutputFile,
} from '../../../cli/files/write.ts'
import { AppError } from '../../../core/errors.ts'
import { makeFolders } from '../../../core/folders.ts'
import { FILE_SIGNATURES } from '../../../rendering/marks.ts'
import type { DocumentFormat } from '../../../rendering/render.ts'
import { findProgram } from '../../find-program.ts'

export const OUT_FLAGS = [
  {
    flag: 'out',
    kind: 'text',
    value: 'FILE|-',
    fileAccess: 'write',
    description: 'output file; - for standard output',
  },
  FORCE_FLAG,
  { flag: 'print', kind: 'boolean', description: 'send it to the system printer with lp' },
  {
    flag: 'printer',
    kind: 'text',
    value: 'NAME',
    description: 'printer name. Default: the default printer',
  },
] as const satisfies readonly Flag[]

export type OutFlags = FlagValues<typeof OUT_FLAGS>

/** The start of a file that this program wrote, by its format. */
const OURS: Readonly<Record<string, string>> = {
  ...FILE_SIGNATURES,
  csv: 'tracking_number,reference,service_level',
}

export type Document = { bytes: Uint8Array; format: DocumentFormat | 'csv'; title: string }

/** The place where documents go; `-` is standard output, undefined is the printer alone. `flag` names it, `--out` if absent. */
export type DocumentOutput = { path: string | undefined; force: boolean; flag?: string }

/** Returns the format that the name of a file ends with. */
export function formatOf<F extends string>(path: string | undefined, formats: readonly F[]): F | undefined {
  const ending = extname(path ?? '')
    .slice(1)
    .toLowerCase()
  return formats.find((format) => format === ending)
}

/**
 * Returns the format that was requested, else that of the file's ending; the first one for a name without an ending.
 * Throws AppError('usage') for another ending: a file that is named .docx must not hold a PDF.
 */
export function requireFormat<F extends string>(
  asked: F | undefined,
  out: string | undefined,
  formats: readonly [F, ...F[]],
): F {
  const known = asked ?? formatOf(out, formats)
  if (known !== undefined) return known
  const ending = extname(out ?? '')
  if (ending === '') return formats[0]
  throw new AppError('usage', `--out ${out} ends with ${ending}, which is not a format of this file.`, {
    hint: `The name ends with ${formats.map((format) => `.${format}`).join(', ')}, or use --format.`,
  })
}

/** Before anything is rendered: it can go there. Throws AppError('usage' | 'file_error'). */
export function assertDocumentOutput(
  cli: CommandContext,
  out: DocumentOutput,
  format: Document['format'],
  name: string,
): void {
  const { path } = out
  if (path === '') throw new AppError('usage', '--out must be a file name or - for standard output.')
  if (path === undefined) return
  if (path !== '-') return assertOutputPath(targetOf(path, format, out))
  if (cli.settings.format !== 'table')
    throw new AppError(
      'usage',
      `--out - and --output ${cli.settings.format} cannot both use standard output.`,
    )
  if (cli.io.stdout.isTTY && (format === 'pdf' || format === 'png'))
    throw new AppError('usage', `A ${format.toUpperCase()} is binary and cannot be shown in a terminal.`, {
      hint: `Write it with --out ${name}.${format}, print it with --print, or pipe it: … --out - | lp`,
    })
}

/** Writes a document. Throws AppError. */
export async function writeDocument(
  cli: CommandContext,
  out: DocumentOutput,
  document: Document,
): Promise<void> {
  const { path } = out
  const { bytes, format } = document
  if (path === '-') await cli.io.stdout.write(bytes)
  else if (path !== undefined)
    await writeOutputFile(targetOf(path, format, out), cli.runtime.pid, async (keep) => keep(bytes))
}

function targetOf(
  path: string,
  format: Document['format'],
  { force, flag = '--out' }: DocumentOutput,
): WriteTarget {
  const file: OutputFile = {
    name: format.toUpperCase(),
    isOurs: (start) => start.includes(OURS[format] ?? format),
  }
  return { path, file, force, elsewhere: `Choose another file with ${flag}` }
}

/** Returns the path of a file in a folder that is there or is made. Throws AppError('file_error'). */
export function inFolder(folder: string, name: string): string {
  try {
    makeFolders(folder)
  } catch (error) {
    throw new AppError('file_error', `${folder} is not a folder: several images need one.`, {
      cause: error,
    })
  }
  return join(folder, basename(name))
}

/** Returns the program that prints. Throws AppError('usage') where there is none. */
export function requirePrinter({ runtime }: CommandContext): string {
  const lp = findProgram('lp', runtime.env)
  if (lp !== undefined) return lp
  throw new AppError('usage', '--print needs the program `lp`, which is not installed.', {
    hint: 'Install CUPS (cups-client), or write a file with --out and print that.',
  })
}

/** The longest time in which `lp` must take a document; it waits for a print server that does not answer. */
const PRINT_MS = 60_000

/** Hands a document to the system's printer; returns what that said. Throws AppError('output_failed'). */
export async function printDocument(
  cli: CommandContext,
  program: string,
  { bytes, format, title }: Document,
  printer: string | undefined,
): Promise<string> {
  const { spawn } = await import('node:child_process')
  const words = [
    ...(printer === undefined ? [] : ['-d', printer]),
    // A label printer takes the commands as they are.
    ...(format === 'zpl' ? ['-o', 'raw'] : []),
    '-t',
    title,
  ]
  // The printer must not get the token in DRAY_TOKEN.
  const env = Object.fromEntries(
    Object.entries(cli.runtime.env).filter(([name]) => !name.startsWith('DRAY_')),
  )
  const child = spawn(program, words, { env, stdio: ['pipe', 'pipe', 'pipe'], timeout: PRINT_MS })
  const said: string[] = []
  child.stdout.on('data', (chunk: Buffer) => said.push(String(chunk)))
  child.stderr.on('data', (chunk: Buffer) => said.push(String(chunk)))
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null)).once('close', resolve)
    // A printer that ends early says why itself.
    child.stdin.on('error', () => undefined).end(bytes)
  })
  const text = said.join('').trim()
  if (code === 0) return text
  const late = `it did not respond within ${PRINT_MS / 1000} s`
  const ended = child.killed ? late : 'it could not be started'
  const silent = code === null ? ended : `it failed with exit code ${code} and no message`
  throw new AppError('output_failed', `lp failed: ${text === '' ? silent : text.replace(/\.$/, '')}.`, {
    hint: '`lpstat -p` lists the printers; --printer NAME chooses one.',
  })
}
