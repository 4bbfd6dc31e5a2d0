import { existsSync, statSync } from 'node:fs'
import type { Cli } from '../../cli/cli.ts'
import { text } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { assertFree, FORCE_FLAG, isNoFile, writeOwn } from '../../cli/files/write.ts'
import { printResult } from '../../cli/print.ts'
import { AppError } from '../../core/errors.ts'
import { BACKUP, FILE, fileOf, pagesBar, storeFile } from './backup-file.ts'

export const sandboxBackup = defineCommand({
  words: 'sandbox backup',
  summary: 'Copy the whole store to a file, while others go on writing',
  description:
    'An SQLite store is copied as it is at one instant, with its tokens and logins: the file is a secret, and only you may read it. ' +
    'A PostgreSQL store and a service elsewhere are written as a snapshot, without tokens; pg_dump keeps those of PostgreSQL. ' +
    'The file is checked before it gets its name.',
  positionals: [FILE],
  flags: [FORCE_FLAG],
  danger: 'write',
  answer: { fields: ['path', 'bytes', 'kind'] },
  examples: ['dray sandbox backup ./monday.backup', 'dray sandbox backup ./monday.backup --json'],
  async run(cli, args) {
    const given = text(args, 'file')
    const path = fileOf(cli, given)
    if (isNoFile(path, cli.runtime))
      throw new AppError('usage', `${path} is no file: a backup gets its name once it is whole.`, {
        hint: 'Name a file, then read that.',
      })
    const place = { path, file: BACKUP, force: args['force'] === true }
    assertFree(place)
    const store = storeFile(cli)
    if (store === undefined) {
      const client = await cli.client()
      await writeOwn(place, cli.runtime.pid, (keep) => client.saveSnapshot(keep))
    } else await copy(cli, store, path)
    await printResult(
      cli,
      { path, bytes: statSync(path).size, kind: store === undefined ? 'snapshot' : 'store' },
      {
        columns: [{ field: 'path', label: 'File' }, { field: 'bytes' }, { field: 'kind' }],
        done:
          store === undefined
            ? 'The sandbox is saved, without its tokens.'
            : 'The store is saved, with its tokens: keep the file to yourself.',
        next: `dray sandbox restore {path}`,
      },
    )
    return 0
  },
})

async function copy(cli: Cli, store: string, path: string): Promise<void> {
  if (!existsSync(store))
    throw new AppError('store_error', `There is no store ${store} yet; there is nothing to copy.`)
  const { backUpStore } = await import('../../host/backup.ts')
  const bar = pagesBar(cli, 'Copying pages')
  try {
    await backUpStore(store, path, cli.runtime, bar)
  } finally {
    bar.stop()
  }
}
