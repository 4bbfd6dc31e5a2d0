import { basename, dirname, extname, join } from 'node:path'
import { EXIT } from '../../core/errors.ts'
import type { Cli } from '../cli.ts'
import type { Args, Given } from '../command.ts'
import { assertFree, FORCE_FLAG, writeOwn } from '../files/write.ts'
import { commandLine } from '../output/shell.ts'
import { printResult } from '../print.ts'

export type Template = {
  /** The kind of file, and the member that holds it in a document. */
  name: 'manifest' | 'menu'
  empty(): string
  example(): string
  /** The content of the example: `five parcels`. */
  holds: string
  /** The words that read it. */
  reader: readonly string[]
}

export function templateFlags(name: string) {
  const description = `print the example instead of the empty ${name}`
  return [{ flag: 'example', kind: 'boolean', description }, FORCE_FLAG] as const
}

/** The fields of the answer, with a file and without one. */
export function templateFields(name: Template['name']) {
  return ({ file }: Args) => ({ fields: file === undefined ? [name] : ['file', 'example_file'] })
}

type TemplateArgs = Given<ReturnType<typeof templateFlags>> & { file?: string | undefined }

/** With a file name, the empty template there and the example beside it; else one of them on standard output. */
export async function writeTemplate(
  cli: Cli,
  { file, example: printsExample, force = false }: TemplateArgs,
  template: Template,
): Promise<number> {
  const people = cli.settings.format === 'table'
  if (file === undefined) {
    const content = printsExample === true ? template.example() : template.empty()
    if (people) await cli.io.stdout.write(content)
    else await printResult(cli, { [template.name]: content })
    return EXIT.ok
  }
  const example = join(dirname(file), `${basename(file, extname(file))}.example.csv`)
  const files = [
    { path: file, content: template.empty() },
    { path: example, content: template.example() },
  ].map(({ path, content }) => ({
    content,
    // Only the template as it was written: one that was filled in is the user's.
    place: {
      path,
      file: { name: 'template', isOurs: (start: string) => start === content },
      force,
    },
  }))
  for (const { place } of files) assertFree(place)
  for (const { place, content } of files) await writeOwn(place, cli.runtime.pid, content)
  if (!people) await printResult(cli, { file, example_file: example })
  await cli.say(
    `Wrote ${file} (empty) and ${example} (${template.holds}).\nNext: ${commandLine(['dray', ...template.reader, example, '--dry-run'])}`,
  )
  return EXIT.ok
}
