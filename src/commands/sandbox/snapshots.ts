/** Where snapshots lie: a word names one of the data folder, anything else is a file. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { CommandContext } from '../../cli/cli.ts'
import type { OutputFile } from '../../cli/files/write.ts'
import { AppError } from '../../core/errors.ts'
import { fileReason } from '../../core/file-reason.ts'
import { makeFolders } from '../../core/folders.ts'
import type { Column } from '../../core/operation.ts'

export type KeptSnapshot = {
  name: string
  path: string
  /** The sandbox's time when it was saved. */
  service_time: string | null
  seed: string | null
  bytes: number
  saved_at: string
}

/** The column of the sandbox's time when a snapshot was saved. */
export const SERVICE_TIME: Column = { field: 'service_time', label: 'Sandbox time' }

const ENDING = '.snapshot'
const MAX_SNAPSHOT_NAME_LENGTH = 64

/** How a snapshot begins. */
export const SNAPSHOT: OutputFile = {
  name: 'snapshot',
  isOurs: (start) => start.startsWith('{"dray_snapshot":'),
  mode: 0o600,
}

/** Makes the folder of a snapshot, closed to others. Throws AppError('file_error'). */
export function makeSnapshotFolder(path: string): void {
  try {
    makeFolders(dirname(path), 0o700)
  } catch (error) {
    throw new AppError('file_error', `${path} cannot be written: ${fileReason(error)}.`, { cause: error })
  }
}

/** The file of a name or of a path. Throws AppError('usage') for a name that is too long. */
export function snapshotFile({ runtime }: Pick<CommandContext, 'runtime'>, given: string): string {
  if (!/^[\w-]+$/.test(given)) return resolve(runtime.cwd, given)
  if (given.length <= MAX_SNAPSHOT_NAME_LENGTH) return join(folderOf(runtime.paths), given + ENDING)
  throw new AppError(
    'usage',
    `The name of a snapshot has at most ${MAX_SNAPSHOT_NAME_LENGTH} characters; ${given.slice(0, 20)}… has ${given.length}.`,
    { hint: 'Shorten it. A file has a dot or a slash in its name.' },
  )
}

/** Throws AppError('snapshot_not_found' | 'file_error') for a snapshot that is not there, or is no regular file. */
export function assertReadable(path: string, given: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile() === true) return
  const code = found === undefined ? 'snapshot_not_found' : 'file_error'
  throw new AppError(code, `No snapshot ${given.slice(0, 100)} (${path}).`)
}

/** Those that were saved under a name, the last one first. */
export function listSnapshots({ runtime }: Pick<CommandContext, 'runtime'>): KeptSnapshot[] {
  const folder = folderOf(runtime.paths)
  return readNames(folder)
    .filter((name) => name.endsWith(ENDING))
    .flatMap((file) => {
      const path = join(folder, file)
      const found = statSync(path, { throwIfNoEntry: false })
      // A pipe of that name would be waited on.
      if (found?.isFile() !== true) return []
      const { service_time = null, seed = null } = readHead(path)
      const name = file.slice(0, -ENDING.length)
      return [{ name, path, service_time, seed, bytes: found.size, saved_at: found.mtime.toISOString() }]
    })
    .toSorted((one, other) => (one.saved_at < other.saved_at ? 1 : -1))
}

function folderOf({ data }: { data: string }): string {
  return join(data, 'snapshots')
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function readHead(path: string): { service_time?: string; seed?: string } {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(1024)
    const text = bytes.toString('utf8', 0, readSync(file, bytes))
    return JSON.parse(text.slice(0, text.indexOf('\n'))) as { service_time?: string; seed?: string }
  } catch {
    // A file that is not a snapshot is listed, and rejected when it is loaded.
    return {}
  } finally {
    closeSync(file)
  }
}
