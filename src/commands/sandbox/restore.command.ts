import { accessSync, constants, createReadStream, statSync } from 'node:fs'
import { text } from '../../cli/command.ts'
import { confirmName } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { shownTarget } from '../../cli/explain.ts'
import { startOf } from '../../cli/files/write.ts'
import { printResult } from '../../cli/print.ts'
import { AppError } from '../../core/errors.ts'
import { fileReason } from '../../core/file-reason.ts'
import { BACKUP, FILE, fileOf, pagesBar, storeFile } from './backup-file.ts'
import { forgetWorld } from './forget-world.ts'

export const sandboxRestore = defineCommand({
  words: 'sandbox restore',
  summary: 'Put a backup in the place of everything in the store',
  description:
    'The file is checked first: that it is a backup, whole, not of a newer dray, with the tables of a store, and that its sums add up. The store then changes at once or not at all, ' +
    'also while `dray serve` runs over it. Asks for its name, or takes --confirm sandbox. A snapshot can be restored anywhere, a copy ' +
    'of an SQLite store only to a store file of this machine.',
  positionals: [{ ...FILE, opens: 'read' }],
  examples: [
    'dray sandbox restore ./monday.backup',
    'dray sandbox restore ./monday.backup --confirm sandbox',
  ],
  danger: 'destructive',
  answer: { fields: ['path', 'address', 'kind'] },
  takes: ['dry-run'],
  async run(cli, args) {
    const path = fileOf(cli, text(args, 'file'))
    const { isBackup, restoreStore } = await import('../../host/backup.ts')
    assertBackup(path)
    const isStore = isBackup(path)
    const store = storeFile(cli)
    if (isStore && store === undefined) throw needsFile(path)
    const { address } = shownTarget(cli.settings.target)
    const result = { path, address, kind: isStore ? 'store' : 'snapshot' }
    const columns = [
      { field: 'path', label: 'File' },
      { field: 'address', label: 'Store' },
      { field: 'kind' },
    ]
    if (cli.globals.dryRun) {
      if (isStore && store !== undefined) await restoreStore(path, store, cli.runtime, { dryRun: true })
      const done = 'Dry run: it can be restored; nothing was changed.'
      await printResult(cli, result, { columns, done })
      return 0
    }
    const name = cli.settings.protected ? cli.settings.profile : 'sandbox'
    await confirmName(cli, name, `This puts ${path} in the place of everything in the sandbox at ${address}.`)
    if (isStore && store !== undefined) {
      const bar = pagesBar(cli, 'Restoring pages')
      await restoreStore(path, store, cli.runtime, bar).finally(() => bar.stop())
    } else await (await cli.client()).loadSnapshot(() => createReadStream(path))
    await forgetWorld(cli)
    await printResult(cli, result, {
      columns,
      done: 'The sandbox is as it was.',
      next: 'dray sandbox status',
    })
    return 0
  },
})

function assertBackup(path: string): void {
  try {
    accessSync(path, constants.R_OK)
    if (statSync(path).isFile()) {
      if (BACKUP.isOurs(startOf(path))) return
      throw new AppError('file_error', `${path} is no backup of a sandbox.`, {
        hint: '`dray sandbox backup world.backup` writes one.',
      })
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('file_error', `The backup ${path} cannot be read: ${fileReason(error)}.`, {
      cause: error,
    })
  }
  throw new AppError('file_error', `The backup ${path} is no plain file.`)
}

function needsFile(path: string): AppError {
  return new AppError('usage', `${path} is a copy of an SQLite store, and this is another kind of store.`, {
    hint: 'Restore it with --store FILE, or move the world by `dray sandbox snapshot`.',
  })
}
