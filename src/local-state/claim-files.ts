/**
 * Records of work in progress: one small synced file each, removed when the work is done. The file's name holds the
 * pid of its process. So one rename takes over the file of a dead process, and only one process succeeds.
 */
import { readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolders } from '../core/folders.ts'
import type { Machine } from '../core/machine.ts'

export type ClaimOwner = Pick<Machine, 'pid' | 'isAlive' | 'startOf'>

export type ClaimFile<T> = {
  value: T
  path: string
  /** The first part of the file's name. Every process that does the same work computes the same one. */
  place: string
  /** The pid of the process that owns the file; undefined when that process is dead. */
  running: number | undefined
}

/**
 * Writes a value to a file that this process owns. Returns a function that removes the file. Throws the error of the
 * file system.
 */
export function createClaimFile(owner: ClaimOwner, folder: string, place: string, value: object): () => void {
  const path = ownPath(owner, folder, place)
  const write = (): void => {
    try {
      writeFileSync(path, JSON.stringify(value), { mode: 0o600, flush: true })
    } catch (error) {
      // On a full disk the file is created, but stays empty.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') tryRemove(path)
      throw error
    }
  }
  try {
    write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    makeFolders(folder, 0o700)
    write()
  }
  return () => removeIfThere(path)
}

/**
 * Returns the files with a name that begins with `place`; all of them without it. Removes an incomplete file of a dead
 * process: its work never started.
 */
export function listClaimFiles<T>(owner: ClaimOwner, folder: string, place = ''): ClaimFile<T>[] {
  const found: ClaimFile<T>[] = []
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

/**
 * Takes over the file of a dead process. Returns a function that removes the file; undefined when another process was
 * faster.
 */
export function claimFile(
  owner: ClaimOwner,
  folder: string,
  { path, place }: Pick<ClaimFile<unknown>, 'path' | 'place'>,
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

/** Removes a file if it exists. Does not load the modules that `rmSync` needs. */
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
    // The caller reports the write error, which matters more.
  }
}

function ownPath({ pid, startOf }: ClaimOwner, folder: string, place: string): string {
  return join(folder, `${place}.${pid}.${startOf(pid)}.json`)
}

function isRunning(owner: ClaimOwner, pid: number, start: string): boolean {
  return pid !== owner.pid && isSameProcess(owner, pid, start)
}

/** Returns whether a process runs that started at this time: one with the same pid and another start is a different process. */
export function isSameProcess(
  { isAlive, startOf }: Pick<ClaimOwner, 'isAlive' | 'startOf'>,
  pid: number,
  start: string,
): boolean {
  if (!isAlive(pid)) return false
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
