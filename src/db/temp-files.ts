/**
 * Files that are complete only at their end, such as copies of a store. Each has a random name, and a lock file beside it
 * that its process holds. The system frees the lock when that process dies. So all that see the folder, also from
 * another container, can tell a copy in progress from one that was left. A process id could not: containers share them.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { tryFileLock } from './file-lock.ts'

export type TempFile = {
  path: string
  /** Removes the file, if it is still there under this name, and frees its lock. */
  [Symbol.dispose](): void
}

/** The number of removed files, and their bytes. */
export type RemovedFiles = { files: number; bytes: number }

const NAME = /^(\.dray-[0-9a-f]{24})\.(?:lock(?:-journal)?|part(?:-wal|-shm|-journal)?)$/
/** The names that earlier versions gave, which say nothing about other containers. */
const UNLOCKED = /^\.dray-backup-\d+\.part(?:-wal|-shm|-journal)?$/
/** A file without a lock is left over after this time without a write: each wait of its process is far shorter. */
const LEFT_MS = 3_600_000

/** The locks of this process: one without a reference would be freed with its memory. */
const held = new Set<{ close(): void }>()

/** Reserves a name in a folder. The file does not exist yet. Throws as `withFileLock` does. */
export function reserveTempFile(folder: string, random: (count: number) => Uint8Array): TempFile {
  for (;;) {
    const stem = join(folder, `.dray-${random(12).toHex()}`)
    const lock = tryFileLock(lockOf(stem))
    // Between its creation and its lock, a sweep may have taken the file for one that was left.
    if (lock === undefined || !existsSync(lockOf(stem))) {
      lock?.close()
      continue
    }
    held.add(lock)
    return {
      path: `${stem}.part`,
      [Symbol.dispose]() {
        remove(stem)
        held.delete(lock)
        lock.close()
      },
    }
  }
}

/** Removes the drafts of ended processes from a folder. `now` is the machine's clock. */
export function removeStaleTempFiles(folder: string, now: number): RemovedFiles {
  const seen = new Set<string>()
  const swept: RemovedFiles[] = []
  for (const name of readNames(folder)) {
    const stem = NAME.exec(name)?.[1]
    if (stem !== undefined && !seen.has(stem)) {
      seen.add(stem)
      swept.push(sweepLocked(join(folder, stem)))
    } else if (UNLOCKED.test(name)) swept.push(removeOld(join(folder, name), now))
  }
  return sumSwept(swept)
}

/** Removes what killed processes left of a store before the file had its name, with its journals. */
export function removeUnnamedStoreFiles(store: string, now: number): RemovedFiles {
  const folder = dirname(store)
  // The folder may hold a user's files: only names that begin with that of the store are ours.
  const ours = readNames(folder).filter(
    (name) => name.startsWith(`${basename(store)}.`) && /\.\d+-\d+\.new(?:-journal)?$/.test(name),
  )
  return sumSwept(ours.map((name) => removeOld(join(folder, name), now)))
}

/** Returns the sums of what was removed. */
export function sumSwept(swept: readonly RemovedFiles[]): RemovedFiles {
  const sum = (member: keyof RemovedFiles): number => swept.reduce((all, each) => all + each[member], 0)
  return { files: sum('files'), bytes: sum('bytes') }
}

/** Removes a draft unless its process holds the lock. Without a lock file there is no such process. */
function sweepLocked(stem: string): RemovedFiles {
  if (!existsSync(lockOf(stem))) return remove(stem)
  let lock
  try {
    lock = tryFileLock(lockOf(stem))
  } catch {
    // It belongs to another user.
    return { files: 0, bytes: 0 }
  }
  if (lock === undefined) return { files: 0, bytes: 0 }
  try {
    return remove(stem)
  } finally {
    lock.close()
  }
}

/** Removes a file that was not written to for an hour. */
function removeOld(path: string, now: number): RemovedFiles {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && now - found.mtimeMs > LEFT_MS ? removeFiles([path]) : { files: 0, bytes: 0 }
}

/** The lock goes last: a draft without one counts as left. */
function remove(stem: string): RemovedFiles {
  const swept = removeFiles(['', '-wal', '-shm', '-journal'].map((ending) => `${stem}.part${ending}`))
  removeFiles([`${lockOf(stem)}-journal`, lockOf(stem)])
  return swept
}

function removeFiles(paths: readonly string[]): RemovedFiles {
  const swept: RemovedFiles = { files: 0, bytes: 0 }
  for (const path of paths) {
    const size = statSync(path, { throwIfNoEntry: false })?.size
    if (size === undefined) continue
    try {
      rmSync(path, { force: true })
      swept.files += 1
      swept.bytes += size
    } catch {
      // It belongs to another user, or another sweep was faster.
    }
  }
  return swept
}

function lockOf(stem: string): string {
  return `${stem}.lock`
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
