import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const MEMORY = '/dev/shm'
const ROOM = 4 * 1024 ** 3

export type WorkFolder = { path: string; isInMemory: boolean; remove(): void }

/**
 * Makes the folder for all temporary files of a run, and removes it at the latest when this process ends. It is in
 * memory if there is room, because a PostgreSQL database has 350 files, which a disk creates more slowly than tests
 * run.
 */
export function makeWorkFolder(): WorkFolder {
  const place = suits(MEMORY) ? MEMORY : tmpdir()
  const path = mkdtempSync(join(place, 'dray-tests-'))
  // PostgreSQL may run as another user.
  chmodSync(path, 0o711)
  const remove = () => rmSync(path, { recursive: true, force: true })
  process.once('exit', remove)
  return { path, isInMemory: place === MEMORY, remove }
}

/** Returns whether a folder has room and can run programs. */
function suits(folder: string): boolean {
  let program: string | undefined
  try {
    const { bavail, bsize } = statfsSync(folder)
    if (bavail * bsize < ROOM || process.availableMemory() < 2 * ROOM) return false
    program = join(mkdtempSync(join(folder, 'dray-try-')), 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    if (program !== undefined) rmSync(dirname(program), { recursive: true })
  }
}
