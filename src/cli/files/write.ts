/** Files that commands write where the user says: an existing one is replaced only when dray wrote it, or with --force. */
import fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { AppError, type ErrorCode } from '../../core/errors.ts'
import type { Flag } from '../command.ts'
import { readFileUpTo } from './read.ts'
import { fileReason } from './reason.ts'

export const FORCE_FLAG: Flag = {
  flag: 'force',
  kind: 'boolean',
  description: 'overwrite a file that dray did not write',
}

/** A kind of file, and how one that dray wrote begins. */
export type OwnFile = {
  name: string
  isOurs: (start: string) => boolean
  /** Of a new file; what the system makes it when left out. */
  mode?: number
}

export type Place = {
  path: string
  file: OwnFile
  force: boolean
  /** Another way out than --force, a sentence without its period. */
  elsewhere?: string
  /** Refuses a link: a name from elsewhere must not lead out of its folder. */
  noLinks?: boolean
}

/** Enough of a file to hold a header. */
const START = 65_536

/** Refuses a place that cannot be written, or holds a file of somebody else. Throws AppError('file_error'). */
export function assertFree({ path, file, force, elsewhere = 'Name another file', noLinks }: Place): void {
  if (isStream(path)) return
  let isOurs = true
  try {
    const statOf = noLinks === true ? fs.lstatSync : fs.statSync
    const there = statOf(path, { throwIfNoEntry: false })
    // A pipe would be waited on, and a device never ends.
    if (there !== undefined && !there.isFile())
      throw refusal(`${path} is not a file: the ${file.name} cannot go there.`, `${elsewhere}.`)
    isOurs = force || there === undefined || there.size === 0 || file.isOurs(startOf(path))
    for (const each of there === undefined ? [dirname(path)] : [dirname(path), path])
      fs.accessSync(each, fs.constants.W_OK)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw refusal(
      `The ${file.name} cannot be written to ${path}: ${writeReason(error)}.`,
      `${elsewhere}.`,
      error,
    )
  }
  if (!isOurs)
    throw refusal(
      `${path} exists and was not written by dray; it is left as it is.`,
      `${elsewhere}, or overwrite it with --force.`,
    )
}

/**
 * Writes a file whole or not at all: beside it first, synced, then in its place. Throws AppError, of the code that is
 * given when the disk is what failed.
 */
export async function writeOwn(
  place: Place,
  pid: number,
  fill: string | ((keep: (chunk: Uint8Array) => void) => Promise<void>),
  failure: { code: ErrorCode; hint?: string } = { code: 'file_error' },
): Promise<void> {
  assertFree(place)
  const { path, file } = place
  try {
    if (isStream(path)) await fillFile(fs.openSync(path, 'a'), fill)
    else await replace(path, file, pid, fill)
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error && 'syscall' in error)) throw error
    throw new AppError(failure.code, `${path} cannot be written: ${writeReason(error)}.`, {
      ...(failure.hint !== undefined && { hint: failure.hint }),
      cause: error,
    })
  }
}

type Fill = Parameters<typeof writeOwn>[2]

async function replace(path: string, { mode = 0o666 }: OwnFile, pid: number, fill: Fill): Promise<void> {
  // A link stays a link: the file that it leads to is replaced.
  const real = fs.existsSync(path) ? fs.realpathSync(path) : path
  // Not the whole name: with more behind it, it could be too long.
  const draft = join(dirname(real), `.${basename(real).slice(0, 40)}.${pid}.part`)
  const before = fs.statSync(real, { throwIfNoEntry: false })?.mode
  fs.rmSync(draft, { force: true })
  try {
    const file = fs.openSync(draft, 'wx', before === undefined ? mode : before & 0o777)
    await fillFile(file, fill)
    fs.renameSync(draft, real)
  } catch (error) {
    fs.rmSync(draft, { force: true })
    throw error
  }
}

async function fillFile(file: number, fill: Fill): Promise<void> {
  const keep = (chunk: Uint8Array): void => {
    for (let done = 0; done < chunk.length;) done += fs.writeSync(file, chunk, done)
  }
  try {
    if (typeof fill === 'string') keep(Buffer.from(fill))
    else await fill(keep)
    if (fs.fstatSync(file).isFile()) fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}

/** `/dev/stdout`, or a pipe that the shell made for `>(…)`: written as it comes. Nothing there can be replaced. */
function isStream(path: string): boolean {
  return /^\/dev\/(?:stdout|stderr|null|full|tty|fd\/\d+)$/.test(path)
}

function startOf(path: string): string {
  return new TextDecoder().decode(readFileUpTo(path, START))
}

function writeReason(error: unknown): string {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such folder' : fileReason(error)
}

function refusal(detail: string, hint: string, cause?: unknown): AppError {
  return new AppError('file_error', detail, { hint, cause })
}
