import { accessSync, constants, createReadStream, statSync } from 'node:fs'
import { readTextArgument } from '../../cli/command.ts'
import { confirmName } from '../../cli/confirm.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { shownTarget } from '../../cli/explain.ts'
import { readFileStart } from '../../cli/files/write.ts'
import { printResult } from '../../cli/print.ts'
import { AppError } from '../../core/errors.ts'
import { fileReason } from '../../core/file-reason.ts'
import { BACKUP, FILE, resolveBackupFile, pagesBar, storeFile } from './backup-file.ts'
import { deleteSandboxState } from './forget-world.ts'
import { nameTargets, targetsOf } from './webhook-targets.ts'

export const sandboxRestore = defineCommand({
  words: 'sandbox restore',
  summary: 'Replace everything in the store with a backup',
  description:
    'Verifies the file first: it must be a complete backup, not from a newer dray, with the tables of a store and correct checksums. The store then changes completely or not at all, ' +
    'even while `dray serve` uses it. Type `sandbox` to confirm, or pass --confirm sandbox. A snapshot can be restored to any store, a copy ' +
    'of an SQLite store only to a store file on this machine.',
  positionals: [{ ...FILE, fileAccess: 'read' }],
  examples: [
    'dray sandbox restore ./monday.backup',
    'dray sandbox restore ./monday.backup --confirm sandbox',
  ],
  danger: 'destructive',
  answer: { fields: ['path', 'address', 'kind', 'webhook_targets'] },
  takes: ['dry-run'],
  async run(cli, args) {
    const path = resolveBackupFile(cli, readTextArgument(args, 'file'))
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
      const webhook_targets =
        isStore && store !== undefined ? await restoreStore(path, store, cli.runtime, { dryRun: true }) : []
      const done = 'Dry run: the backup can be restored; nothing was changed.'
      await nameTargets(cli, webhook_targets)
      await printResult(cli, { ...result, webhook_targets }, { columns, done })
      return 0
    }
    const name = cli.settings.protected ? cli.settings.profile : 'sandbox'
    await confirmName(cli, name, `This replaces everything in the sandbox at ${address} with ${path}.`)
    let webhook_targets: readonly string[]
    if (isStore && store !== undefined) {
      const bar = pagesBar(cli, 'Restoring pages')
      webhook_targets = await restoreStore(path, store, cli.runtime, bar).finally(() => bar.stop())
    } else webhook_targets = targetsOf(await (await cli.client()).loadSnapshot(() => createReadStream(path)))
    await deleteSandboxState(cli)
    await nameTargets(cli, webhook_targets)
    await printResult(
      cli,
      { ...result, webhook_targets },
      {
        columns,
        done: 'The sandbox is restored.',
        next: 'dray sandbox status',
      },
    )
    return 0
  },
})

function assertBackup(path: string): void {
  try {
    accessSync(path, constants.R_OK)
    if (statSync(path).isFile()) {
      if (BACKUP.isOurs(readFileStart(path))) return
      throw new AppError('file_error', `${path} is not a sandbox backup.`, {
        hint: '`dray sandbox backup world.backup` writes one.',
      })
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('file_error', `The backup ${path} cannot be read: ${fileReason(error)}.`, {
      cause: error,
    })
  }
  throw new AppError('file_error', `The backup ${path} is not a regular file.`)
}

function needsFile(path: string): AppError {
  return new AppError('usage', `${path} is a copy of an SQLite store, and this is another kind of store.`, {
    hint: 'Restore it with --store FILE, or use `dray sandbox snapshot` instead.',
  })
}
