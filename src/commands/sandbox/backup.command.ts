import { existsSync, statSync } from 'node:fs'
import type { CommandContext } from '../../cli/cli.ts'
import { readTextArgument } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { assertOutputPath, FORCE_FLAG, isSpecialFilePath, writeOutputFile } from '../../cli/files/write.ts'
import { printResult } from '../../cli/print.ts'
import { AppError } from '../../core/errors.ts'
import { BACKUP, FILE, resolveBackupFile, pagesBar, storeFile } from './backup-file.ts'

export const sandboxBackup = defineCommand({
  words: 'sandbox backup',
  summary: 'Back up the whole store to a file while it is in use',
  description:
    'An SQLite store is copied at one moment, including tokens and logins: keep the file secret; only you can read it. ' +
    'A PostgreSQL store or a server elsewhere is saved as a snapshot, without tokens; pg_dump includes the tokens of PostgreSQL. ' +
    'The file is verified before it gets its final name.',
  positionals: [FILE],
  flags: [FORCE_FLAG],
  danger: 'write',
  answer: { fields: ['path', 'bytes', 'kind'] },
  examples: ['dray sandbox backup ./monday.backup', 'dray sandbox backup ./monday.backup --json'],
  async run(cli, args) {
    const given = readTextArgument(args, 'file')
    const path = resolveBackupFile(cli, given)
    if (isSpecialFilePath(path, cli.runtime))
      throw new AppError(
        'usage',
        `${path} is not a file: a backup gets its final name once it is complete.`,
        {
          hint: 'Give a file name, then read that file.',
        },
      )
    const place = { path, file: BACKUP, force: args['force'] === true }
    assertOutputPath(place)
    const store = storeFile(cli)
    if (store === undefined) {
      const client = await cli.client()
      await writeOutputFile(place, cli.runtime.pid, (keep) => client.saveSnapshot(keep))
    } else await copy(cli, store, path)
    await printResult(
      cli,
      { path, bytes: statSync(path).size, kind: store === undefined ? 'snapshot' : 'store' },
      {
        columns: [{ field: 'path', label: 'File' }, { field: 'bytes' }, { field: 'kind' }],
        done:
          store === undefined
            ? 'The sandbox is saved, without its tokens.'
            : 'The store is saved, including its tokens: keep the file secret.',
        next: `dray sandbox restore {path}`,
      },
    )
    return 0
  },
})

async function copy(cli: CommandContext, store: string, path: string): Promise<void> {
  if (!existsSync(store)) throw new AppError('store_error', `No store ${store} yet: nothing to back up.`)
  const { backUpStore } = await import('../../host/backup.ts')
  const bar = pagesBar(cli, 'Copying pages')
  try {
    await backUpStore(store, path, cli.runtime, bar)
  } finally {
    bar.stop()
  }
}
