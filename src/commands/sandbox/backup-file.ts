/** The parts that `dray sandbox backup` and `restore` share. */
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CommandContext } from '../../cli/cli.ts'
import type { OutputFile } from '../../cli/files/write.ts'
import { type ProgressBar, startProgressBar } from '../../cli/output/progress.ts'
import { missingInputError } from '../../cli/prompts.ts'
import { AppError } from '../../core/errors.ts'
import { isPostgresUrl } from '../../core/network.ts'
import { SNAPSHOT } from './snapshots.ts'

export const FILE = { name: 'file', description: 'the backup', required: true, fileAccess: 'write' } as const

/** A file that `backup` wrote: a store, or a snapshot. A store has its mark among its first hundred bytes. */
export const BACKUP: OutputFile = {
  name: 'backup',
  isOurs: (start) =>
    SNAPSHOT.isOurs(start) ||
    (start.startsWith('SQLite format 3\0') && start.slice(40, 100).includes('dray')),
  mode: 0o600,
}

/** Returns the file of a command line. Throws AppError('usage') for none, and for the store itself. */
export function resolveBackupFile(cli: CommandContext, given: string | undefined): string {
  if (given === undefined)
    throw missingInputError(cli.argv, [{ flag: 'FILE', value: 'sandbox.backup', description: 'the backup' }])
  const path = resolve(cli.runtime.cwd, given)
  const store = storeFile(cli)
  if (store === undefined || !isSame(path, store)) return path
  throw new AppError('usage', `${given.slice(0, 100)} is the store itself. Name another file.`)
}

/** Returns the path of an embedded SQLite store; undefined for another store, which is copied as a snapshot. */
export function storeFile({ settings: { target } }: Pick<CommandContext, 'settings'>): string | undefined {
  if (target.kind === 'remote' || isPostgresUrl(target.store) || target.store === ':memory:') return undefined
  return target.store
}

function isSame(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other)
  } catch {
    return one === other
  }
}

/** Shows the pages that are copied, after the first second. */
export function pagesBar(
  { io, runtime, globals, settings }: CommandContext,
  label: string,
): { onProgress(done: number, total: number): void; stop(): void } {
  let bar: ProgressBar | undefined
  return {
    onProgress(done, total) {
      const { quiet } = globals
      const { accessible } = settings
      bar ??= startProgressBar({ io, label, total, now: () => runtime.elapsed(), quiet, accessible })
      bar.update(done)
    },
    stop: () => bar?.stop(),
  }
}
