/**
 * Memories of work under way: one small file each, synced, removed when the work is done. The process that is at it stands
 * in the name of the file, so taking over what a process that is gone left behind is one step, which only one can take.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from '../core/machine.ts'

export type Owner = Pick<Machine, 'pid' | 'isAlive' | 'startOf'>

export type FoundFile<T> = {
  value: T
  path: string
  /** What the name of the file begins with: whoever does the same work looks there. */
  place: string
  /** The process that is at it; undefined when that is gone. */
  running: number | undefined
}

/** Writes a value as this process's own. Gives what removes it. */
export function holdFile(owner: Owner, folder: string, place: string, value: object): () => void {
  const path = ownPath(owner, folder, place)
  const write = (): void => {
    try {
      writeFileSync(path, JSON.stringify(value), { mode: 0o600, flush: true })
    } catch (error) {
      // A full disk takes the name of a file and not its content.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') tryRemove(path)
      throw error
    }
  }
  try {
    write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    write()
  }
  return () => removeIfThere(path)
}

/** All of a place, or of every place. Half a file of a process that is gone was never acted on: it is removed. */
export function listHeldFiles<T>(owner: Owner, folder: string, place = ''): FoundFile<T>[] {
  const found: FoundFile<T>[] = []
  for (const name of readNames(folder)) {
    if (!name.startsWith(place)) continue
    const [at = '', pid = '', start = ''] = name.split('.')
    const path = join(folder, name)
    const running = isRunning(owner, Number(pid), start) ? Number(pid) : undefined
    const value = readValue<T>(path)
    if (value !== undefined) found.push({ value, path, place: at, running })
    else if (running === undefined) removeIfThere(path)
  }
  return found
}

/** Makes the file of a process that is gone this one's. Gives what removes it; undefined when somebody else was faster. */
export function takeFile(
  owner: Owner,
  folder: string,
  { path, place }: Pick<FoundFile<unknown>, 'path' | 'place'>,
): (() => void) | undefined {
  const own = ownPath(owner, folder, place)
  try {
    renameSync(path, own)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return () => removeIfThere(own)
}

/** As `rmSync` with force, without the modules that it loads. */
export function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function tryRemove(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // The reason why it could not be written is the one to tell.
  }
}

function ownPath({ pid, startOf }: Owner, folder: string, place: string): string {
  return join(folder, `${place}.${pid}.${startOf(pid)}.json`)
}

/** A process of that number that began at another moment is another one. */
function isRunning({ pid: own, isAlive, startOf }: Owner, pid: number, start: string): boolean {
  if (pid === own || !isAlive(pid)) return false
  const began = startOf(pid)
  return start === '' || began === '' || began === start
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

function readValue<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch {
    return undefined
  }
}
