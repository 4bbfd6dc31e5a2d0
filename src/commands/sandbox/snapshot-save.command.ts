import { statSync } from 'node:fs'
import { readTextArgument } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { assertOutputPath, FORCE_FLAG, writeOutputFile } from '../../cli/files/write.ts'
import { printResult } from '../../cli/print.ts'
import { missingInputError } from '../../cli/prompts.ts'
import { makeSnapshotFolder, SNAPSHOT, snapshotFile } from './snapshots.ts'

export const sandboxSnapshotSave = defineCommand({
  words: 'sandbox snapshot save',
  summary: 'Save the whole sandbox as a snapshot: parcels, orders, clock, photos',
  description:
    'A word is a name, saved with dray’s other data; anything with a dot or a slash is a file. The file works with ' +
    'SQLite and PostgreSQL. It has no tokens, which are secrets.',
  positionals: [{ name: 'name', description: 'name, or file', fileAccess: 'write' }],
  flags: [FORCE_FLAG],
  danger: 'write',
  answer: { fields: ['name', 'path', 'bytes'] },
  examples: ['dray sandbox snapshot save before-lunch', 'dray sandbox snapshot save ./bug-1234.snapshot'],
  async run(cli, args) {
    const name = readTextArgument(args, 'name')
    if (name === undefined)
      throw missingInputError(cli.argv, [{ flag: 'NAME', value: 'before', description: 'a name, or a file' }])
    const path = snapshotFile(cli, name)
    const place = { path, file: SNAPSHOT, force: args['force'] === true }
    makeSnapshotFolder(path)
    assertOutputPath(place)
    const client = await cli.client()
    await writeOutputFile(place, cli.runtime.pid, (keep) => client.saveSnapshot(keep))
    await printResult(
      cli,
      { name, path, bytes: statSync(path).size },
      {
        columns: [{ field: 'path', label: 'File' }, { field: 'bytes' }],
        done: 'The sandbox is saved.',
        next: 'dray sandbox snapshot load {name}',
      },
    )
    return 0
  },
})
