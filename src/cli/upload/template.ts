import { basename, dirname, extname, join } from 'node:path'
import { AppError, EXIT } from '../../core/errors.ts'
import type { FileKind } from '../../tabular/columns/columns.ts'
import { writeCsv } from '../../tabular/csv/write.ts'
import type { CommandContext } from '../cli.ts'
import type { Args, FlagValues, Positional } from '../command.ts'
import { assertOutputPath, FORCE_FLAG, isSpecialFilePath, writeOutputFile } from '../files/write.ts'
import { commandLine } from '../output/shell.ts'
import { printResult } from '../print.ts'

export type Template = {
  /** The kind of file, whose name is the field that holds it in a document. */
  kind: TemplateKind
  /** The content of the example: `five parcels`. */
  holds: string
  /** The words that read it. */
  reader: readonly string[]
}

type TemplateKind = Pick<FileKind, 'name' | 'columns' | 'whole' | 'example'>

/** Returns the columns that people fill in; not one that stands for several others. */
function columnsOf({ columns, whole }: TemplateKind): string[] {
  return columns.flatMap(({ name, helps, exported }) =>
    helps !== undefined || exported !== undefined || name === whole?.by ? [] : [name],
  )
}

/** A header line and nothing else. */
export function emptyCsv(kind: TemplateKind): string {
  return writeCsv([columnsOf(kind)])
}

/** The same columns with the rows of the example. */
export function exampleCsv(kind: TemplateKind): string {
  const columns = columnsOf(kind)
  const [header = [], ...rows] = kind.example.map((line) =>
    line.split(/(?<!\\);/).map((cell) => cell.replaceAll('\\', '')),
  )
  const whole = rows.map((cells) => columns.map((name) => cells[header.indexOf(name)] || undefined))
  return writeCsv([columns, ...whole])
}

export function templateFile(name: string) {
  return {
    name: 'file',
    description: `${name} file to write; - for standard output`,
    fileAccess: 'write',
    dash: true,
  } as const satisfies Positional
}

export function templateFlags(name: string) {
  const description = `print the example instead of the empty ${name}`
  return [{ flag: 'example', kind: 'boolean', description }, FORCE_FLAG] as const
}

/** The fields of the answer, with a file and without one. */
export function templateFields(name: FileKind['name']) {
  return ({ file }: Args) => ({
    fields: file === undefined || file === '-' ? [name] : ['file', 'example_file'],
  })
}

type TemplateArgs = FlagValues<ReturnType<typeof templateFlags>> & { file?: string | undefined }

/** With a file name, the empty template there and the example beside it; else one of them on standard output. */
export async function writeTemplate(
  cli: CommandContext,
  { file, example: printsExample, force = false }: TemplateArgs,
  { kind, holds, reader }: Template,
): Promise<number> {
  const people = cli.settings.format === 'table'
  if (file === undefined || file === '-') {
    const content = printsExample === true ? exampleCsv(kind) : emptyCsv(kind)
    if (people) await cli.io.stdout.write(content)
    else await printResult(cli, { [kind.name]: content })
    return EXIT.ok
  }
  if (isSpecialFilePath(file, cli.runtime))
    throw new AppError('usage', `${file} is not a file, so dray cannot write an example next to it.`, {
      hint: 'Give a file name, or leave it out for standard output.',
    })
  const example = join(dirname(file), `${basename(file, extname(file))}.example.csv`)
  const files = [
    { path: file, content: emptyCsv(kind) },
    { path: example, content: exampleCsv(kind) },
  ].map(({ path, content }) => ({
    content,
    // Only the template as it was written: one that was filled in is the user's.
    place: {
      path,
      file: { name: 'template', isOurs: (start: string) => start === content },
      force,
    },
  }))
  for (const { place } of files) assertOutputPath(place)
  for (const { place, content } of files) await writeOutputFile(place, cli.runtime.pid, content)
  if (!people) await printResult(cli, { file, example_file: example })
  await cli.say(
    `Wrote ${file} (empty) and ${example} (${holds}).\nNext: ${commandLine(['dray', ...reader, example, '--dry-run'])}`,
  )
  return EXIT.ok
}
