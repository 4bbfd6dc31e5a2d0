import { writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { AppError, EXIT } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { text } from '../command.ts'
import type { Args, Flag } from '../command.ts'
import { commandLine } from '../output/shell.ts'
import { printResult } from '../print.ts'
import { assertNoDryRun } from '../profiles.ts'
import { fileReason } from './file.ts'

export type Template = {
  /** What it is: the member that holds it in a document. */
  name: 'manifest' | 'menu'
  empty(): string
  example(): string
  /** What the example holds: `five parcels`. */
  holds: string
  /** The words that read it. */
  reader: readonly string[]
}

export function exampleFlag(name: string): Flag {
  return {
    flag: 'example',
    kind: 'boolean',
    description: `print the example instead of the empty ${name}`,
  }
}

/** With a file name, the empty template there and the example beside it; else one of them on standard output. */
export async function writeTemplate(cli: Cli, args: Args, template: Template): Promise<number> {
  assertNoDryRun(cli)
  const people = cli.settings.format === 'table'
  const file = text(args, 'file')
  if (file === undefined) {
    const content = args['example'] === true ? template.example() : template.empty()
    if (people) await cli.io.stdout.write(content)
    else await printResult(cli, { [template.name]: content })
    return EXIT.ok
  }
  const example = join(dirname(file), `${basename(file, extname(file))}.example.csv`)
  await writeNew(file, template.empty())
  await writeNew(example, template.example())
  if (!people) await printResult(cli, { file, example_file: example })
  await cli.say(
    `Wrote ${file} (empty) and ${example} (${template.holds}).\nNext: ${commandLine(['dray', ...template.reader, example, '--dry-run'])}`,
  )
  return EXIT.ok
}

async function writeNew(path: string, content: string): Promise<void> {
  await writeFile(path, content, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'it exists already and is left as it is' : fileReason(error)
    throw new AppError('file_error', `${path} cannot be written: ${why}.`, {
      hint: 'Name another file.',
      cause: error,
    })
  })
}
