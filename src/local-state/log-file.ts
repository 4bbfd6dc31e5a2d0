/** A file of JSON lines in the state folder that keeps only the latest ones. Older lines may be lost. */
import { appendFileSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from '../core/folders.ts'

export type LogFile = {
  path: string
  /** The number of entries that remain after the file is cut. */
  kept: number
  /** A larger file is cut to `kept` entries. */
  maxBytes: number
}

/** Appends an entry. Ignores a failure: the command has already done its work. */
export function appendEntry(file: LogFile, entry: unknown): void {
  appendEntries(file, [entry])
}

/** Appends entries in one write. Ignores a failure as well. */
export function appendEntries(file: LogFile, entries: readonly unknown[]): void {
  const write = (): void => appendFileSync(file.path, toLines(entries), { mode: 0o600 })
  try {
    try {
      write()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      makeFolders(dirname(file.path), 0o700)
      write()
    }
    if (statSync(file.path).size > file.maxBytes) rewrite(file, readEntries(file).slice(-file.kept))
  } catch {
    // Ignored, because the command has already done its work.
  }
}

/** Returns the entries, oldest first. */
export function readEntries<T>({ path }: LogFile): T[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap((line): T[] => {
    try {
      return [JSON.parse(line) as T]
    } catch {
      // The empty end of the file, or a line that a full disk cut off.
      return []
    }
  })
}

/** Removes the entries for which `isKept` returns false. */
export function removeEntries<T>(file: LogFile, isKept: (entry: T) => boolean): void {
  const entries = readEntries<T>(file)
  const rest = entries.filter(isKept)
  if (rest.length < entries.length) rewrite(file, rest)
}

function rewrite({ path }: LogFile, entries: readonly unknown[]): void {
  const next = `${path}.next`
  writeFileSync(next, toLines(entries), { mode: 0o600 })
  renameSync(next, path)
}

function toLines(entries: readonly unknown[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}
