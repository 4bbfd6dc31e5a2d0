import { writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { AppError, EXIT } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import type { Args } from '../command.ts'
import { defineCommand, text } from '../command.ts'
import { emptyManifest, exampleManifest } from '../manifest/template.ts'
import { commandLine } from '../output/shell.ts'
import { printResult } from '../print.ts'
import { assertNoDryRun } from '../profiles.ts'
import { fileReason } from '../upload/file.ts'

/** `dray carrier template [FILE]`: the manifest to start from. */
export const carrierTemplate = defineCommand({
  words: 'carrier template',
  summary: 'Write an empty manifest, and an example beside it',
  description:
    'With a file name, writes the header line there and five example parcels to <name>.example.csv. Without one, prints the header line, or with --example the example, to standard output.',
  danger: 'write',
  positionals: [{ name: 'file', description: 'the manifest to write' }],
  flags: [
    { flag: 'example', kind: 'boolean', description: 'print the example instead of the empty manifest' },
  ],
  examples: [
    'dray carrier template manifest.csv',
    'dray carrier template --example | dray carrier upload - --dry-run',
  ],
  run: template,
})

async function template(cli: Cli, args: Args): Promise<number> {
  assertNoDryRun(cli)
  const people = cli.settings.format === 'table'
  const file = text(args, 'file')
  if (file === undefined) {
    const manifest = args['example'] === true ? exampleManifest() : emptyManifest()
    if (people) await cli.io.stdout.write(manifest)
    else await printResult(cli, { manifest })
    return EXIT.ok
  }
  const example = join(dirname(file), `${basename(file, extname(file))}.example.csv`)
  await writeNew(file, emptyManifest())
  await writeNew(example, exampleManifest())
  if (!people) await printResult(cli, { file, example_file: example })
  await cli.say(
    `Wrote ${file} (empty) and ${example} (five parcels).\nNext: ${commandLine(['dray', 'carrier', 'upload', example, '--dry-run'])}`,
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
