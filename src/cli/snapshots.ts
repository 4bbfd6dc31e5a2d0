/** Where snapshots lie: a word names one of the data folder, anything else is a file. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { AppError } from '../errors.ts'
import type { Cli } from './cli.ts'

export type KeptSnapshot = {
  name: string
  path: string
  /** Of the sandbox when it was saved. */
  service_time: string | null
  seed: string | null
  bytes: number
  saved_at: string
}

const ENDING = '.snapshot'

/** The file of a name or of a path. */
export function snapshotFile({ runtime }: Pick<Cli, 'runtime'>, given: string): string {
  if (/^[\w-]{1,64}$/.test(given)) return join(folderOf(runtime.paths), given + ENDING)
  return resolve(runtime.cwd, given)
}

/** Those that were saved under a name, the last one first. */
export function listSnapshots({ runtime }: Pick<Cli, 'runtime'>): KeptSnapshot[] {
  const folder = folderOf(runtime.paths)
  return readNames(folder)
    .filter((name) => name.endsWith(ENDING))
    .map((file) => {
      const path = join(folder, file)
      const { size, mtime } = statSync(path)
      const { service_time = null, seed = null } = readHead(path)
      return {
        name: file.slice(0, -ENDING.length),
        path,
        service_time,
        seed,
        bytes: size,
        saved_at: mtime.toISOString(),
      }
    })
    .toSorted((one, other) => (one.saved_at < other.saved_at ? 1 : -1))
}

/** Writes a file that is whole or not there; one of that name is replaced at the end. Throws AppError('file_error'). */
export async function writeWhole(
  path: string,
  draft: string,
  work: (keep: (chunk: Uint8Array) => void) => Promise<void>,
): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const file = openSync(draft, 'wx', 0o600)
    try {
      await work((chunk) => {
        for (let done = 0; done < chunk.length;) done += writeSync(file, chunk, done)
      })
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    if (error instanceof AppError || !(error instanceof Error && 'syscall' in error)) throw error
    throw new AppError('file_error', `${path} cannot be written: ${error.message}.`, { cause: error })
  }
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
    // Whatever lies there is listed, and refused when it is loaded.
    return {}
  } finally {
    closeSync(file)
  }
}
