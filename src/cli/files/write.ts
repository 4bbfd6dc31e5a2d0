/** Writes files where the user says. An existing file is replaced only if this program wrote it, or with --force. */
import fs from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { AppError } from '../../core/errors.ts'
import { fileReason } from '../../core/file-reason.ts'
import { realPath } from '../../core/folders.ts'
import { FREE_SPACE } from '../../core/write-error.ts'
import type { Flag } from '../command.ts'
import { readFileUpTo } from './read.ts'

export const FORCE_FLAG = {
  flag: 'force',
  kind: 'boolean',
  description: 'overwrite a file that dray did not write',
} as const satisfies Flag

/** A kind of file, and a test for files that this program wrote. */
export type OutputFile = {
  name: string
  isOurs: (start: string) => boolean
  /** The mode of a new file; the system's default if absent. */
  mode?: number
}

export type WriteTarget = {
  path: string
  file: OutputFile
  force: boolean
  /** Another solution than --force, as a sentence without its period. */
  elsewhere?: string
  /** Rejects a symbolic link, because a name from another machine must not lead out of its folder. */
  noLinks?: boolean
}

/** The number of bytes that are read to find a header. */
const HEADER_BYTES = 65_536

/** Throws AppError('file_error') for a path that cannot be written, or that has another program's file. */
export function assertOutputPath({
  path,
  file,
  force,
  elsewhere = 'Choose another file',
  noLinks,
}: WriteTarget): void {
  if (isStream(path)) return
  let isOurs = true
  try {
    const statOf = noLinks === true ? fs.lstatSync : fs.statSync
    const there = statOf(path, { throwIfNoEntry: false })
    // A pipe would block, and a device never ends.
    if (there !== undefined && !there.isFile())
      throw refusal(`${path} is not a file: the ${file.name} cannot go there.`, `${elsewhere}.`)
    isOurs = force || there === undefined || there.size === 0 || file.isOurs(readFileStart(path))
    for (const each of there === undefined ? [dirname(path)] : [dirname(path), path])
      fs.accessSync(each, fs.constants.W_OK)
    if (isOurs) openDraft(path)
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
      `${path} exists and was not written by dray; it was not changed.`,
      `${elsewhere}, or overwrite it with --force.`,
    )
}

/**
 * Writes a file atomically: to a temporary file, synced, then renamed. Throws AppError: `output_failed` when the disk
 * fails, with a hint of the caller's if there is one.
 */
export async function writeOutputFile(
  place: WriteTarget,
  pid: number,
  fill: string | ((keep: (chunk: Uint8Array) => void) => Promise<void>),
  hint = FREE_SPACE,
): Promise<void> {
  assertOutputPath(place)
  const { path, file } = place
  try {
    if (isStream(path)) await fillFile(fs.openSync(path, 'a'), fill)
    else await replace(path, file, pid, fill)
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error && 'syscall' in error)) throw error
    throw new AppError('output_failed', `${path} cannot be written: ${writeReason(error)}.`, {
      hint,
      cause: error,
    })
  }
}

/**
 * Makes the draft of a file, and takes it away again: rights are not all that decides. The administrator passes every
 * check of `/proc/self/fd`, where no file can be made. Throws the system's error.
 */
function openDraft(path: string): void {
  const draft = draftOf(realPath(path), 0)
  fs.closeSync(fs.openSync(draft, 'wx', 0o600))
  fs.rmSync(draft, { force: true })
}

/**
 * Makes an empty file under the first free name, `menu.csv`, `menu-2.csv`, and so on, and returns its path: two programs at
 * once get two. Throws AppError('file_error').
 */
export function makeFree(stem: string, ending: string): string {
  for (let number = 1; ; number++) {
    const path = `${stem}${number === 1 ? '' : `-${number}`}${ending}`
    try {
      fs.closeSync(fs.openSync(path, 'wx'))
      return path
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw refusal(
        `${path} cannot be written: ${writeReason(error)}.`,
        'Make room, or a folder where dray may write.',
        error,
      )
    }
  }
}

/** Returns the start of the names of the drafts. It is cut, because a longer one could exceed the system's limit. */
function draftStem(real: string): string {
  return `.${basename(real).slice(0, 40)}.`
}

/** Returns the path of a new draft. Containers share process ids, and never both a process id and a nanosecond. */
function draftOf(real: string, pid: number): string {
  return join(dirname(real), `${draftStem(real)}${pid}-${process.hrtime.bigint()}.part`)
}

type Fill = Parameters<typeof writeOutputFile>[2]

async function replace(path: string, { mode = 0o666 }: OutputFile, pid: number, fill: Fill): Promise<void> {
  const real = realPath(path)
  const draft = draftOf(real, pid)
  const before = fs.statSync(real, { throwIfNoEntry: false })?.mode
  try {
    const file = fs.openSync(draft, 'wx', before === undefined ? mode : before & 0o777)
    removeLeft(dirname(real), draftStem(real), fs.fstatSync(file).mtimeMs)
    await fillFile(file, fill)
    fs.renameSync(draft, real)
  } catch (error) {
    fs.rmSync(draft, { force: true })
    throw error
  }
}

/** A draft is left over after this time without a write. */
const STALE_DRAFT_MS = 3_600_000

/** Removes the drafts of the same file that killed processes left. `now` is by the clock of the file system. */
function removeLeft(folder: string, stem: string, now: number): void {
  for (const name of fs.readdirSync(folder)) {
    if (!name.startsWith(stem) || !/^[\d-]+\.part$/.test(name.slice(stem.length))) continue
    const path = join(folder, name)
    const written = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now
    if (now - written > STALE_DRAFT_MS) fs.rmSync(path, { force: true })
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

/**
 * Returns true for `/dev/stdout` and for pipes of `>(…)`, which are written directly, because they cannot be
 * replaced.
 */
export function isStream(path: string): boolean {
  return /^\/dev\/(?:stdout|stderr|null|full|tty|fd\/\d+)$/.test(path)
}

/**
 * Returns whether a path names something else than a file: a pipe, a device, or a stream such as `/dev/stdin`. The current
 * folder, which may be gone, is asked for only where the path begins there.
 */
export function isSpecialFilePath(typed: string, runtime: { readonly cwd: string }): boolean {
  const path = isAbsolute(typed) ? typed : resolve(runtime.cwd, typed)
  // The system calls standard input from a file a file, but nothing can be written beside its name.
  if (/^\/(?:dev\/(?:std(?:in|out|err)$|fd\/)|proc\/)/.test(path)) return true
  const there = fs.statSync(path, { throwIfNoEntry: false })
  return there !== undefined && !there.isFile() && !there.isDirectory()
}

export function readFileStart(path: string): string {
  return new TextDecoder().decode(readFileUpTo(path, HEADER_BYTES))
}

function writeReason(error: unknown): string {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such folder' : fileReason(error)
}

function refusal(detail: string, hint: string, cause?: unknown): AppError {
  return new AppError('file_error', detail, { hint, cause })
}
