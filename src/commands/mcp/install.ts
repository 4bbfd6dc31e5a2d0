/** Edits the configuration of an MCP client: completely or not at all, after copying the old file. */
import fs from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../core/errors.ts'
import { makeFolders, realPath } from '../../core/folders.ts'
import { toTimestamp } from '../../core/time.ts'
import { toWriteError } from '../../core/write-error.ts'

/** The command with which a program starts a server. */
export type ServerEntry = { type?: 'stdio'; command: string; args: string[]; env?: Record<string, string> }

const MEBIBYTE = 1_048_576

/** Reads the file; returns undefined when there is none. Throws AppError('file_error'). */
export function readProgramFile(path: string): string | undefined {
  try {
    const stat = fs.statSync(path)
    if (!stat.isFile()) throw new AppError('file_error', `${path} is not a regular file.`)
    if (stat.size > 64 * MEBIBYTE)
      throw new AppError('file_error', `${path} is too large for a configuration file.`)
    const bytes = fs.readFileSync(path)
    const text = bytes.toString('utf8')
    if (Buffer.from(text).equals(bytes)) return text
    throw new AppError('file_error', `${path} is not UTF-8 and was not changed.`)
  } catch (error) {
    if (error instanceof AppError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new AppError('file_error', `${path} cannot be read (${code}).`, { cause: error })
  }
}

/**
 * Replaces `before` by `text` and returns the name of the copy of `before`. Throws AppError('file_error' |
 * 'storage_full'), also when the program has changed the file in the meantime.
 */
export function replaceFile(
  path: string,
  before: string | undefined,
  text: string,
  now: number,
): string | null {
  const real = realPath(path)
  const next = `${real}.dray-next`
  try {
    makeFolders(dirname(real), 0o700)
    const mode = before === undefined ? 0o600 : fs.statSync(real).mode & 0o777
    const copy = before === undefined ? null : copyToBackup(real, now)
    fs.writeFileSync(next, text, { mode, flush: true })
    if (fs.readFileSync(next, 'utf8') !== text)
      throw Object.assign(new Error('short write'), { code: 'ENOSPC' })
    if (readProgramFile(real) !== before) {
      throw new AppError('file_error', `${path} was changed by another program and was not written.`, {
        hint: 'Run the same command again.',
      })
    }
    fs.renameSync(next, real)
    return copy
  } catch (error) {
    fs.rmSync(next, { force: true })
    if (error instanceof AppError) throw error
    throw toWriteError(error, (why) => `${path} cannot be written (${why}); it was not changed.`)
  }
}

/** Copies the file to a name that no other copy has. */
function copyToBackup(path: string, now: number): string {
  for (let count = 0; ; count += 1) {
    const copy = `${path}.${stampOf(now)}${count === 0 ? '' : `-${count}`}.bak`
    try {
      fs.copyFileSync(path, copy, fs.constants.COPYFILE_EXCL)
      return copy
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** Returns a time for a file name: `20261120T120000`. */
function stampOf(now: number): string {
  return toTimestamp(now).slice(0, 19).replaceAll(/[-:]/g, '')
}
