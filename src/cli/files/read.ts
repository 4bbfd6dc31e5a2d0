/** Reads files and streams that the user names, up to a limit, whatever they are. */
// Synchronous, because there is nothing to do in the meantime, and `node:fs/promises` takes 5 ms to load.
import fs from 'node:fs'
import { AppError } from '../../core/errors.ts'
import { fileReason } from '../../core/file-reason.ts'
import type { Io } from '../io.ts'

const KIBIBYTE = 1024

/** The largest size in bytes of each kind of file. Real files are far smaller. */
const LIMITS = {
  manifest: 20 * KIBIBYTE ** 2,
  menu: 20 * KIBIBYTE ** 2,
  'results file': 20 * KIBIBYTE ** 2,
  'JSON input': 16 * KIBIBYTE ** 2,
  scenario: KIBIBYTE ** 2,
  'list of checksums': KIBIBYTE ** 2,
  'project file': 64 * KIBIBYTE,
  token: 64 * KIBIBYTE,
  secret: 64 * KIBIBYTE,
} as const

export type InputKind = keyof typeof LIMITS

/** Returns the bytes of a file, or of standard input for `-`. Throws AppError('file_error'). */
export async function readFileOrStdin(
  path: string,
  kind: InputKind,
  { stdin }: Pick<Io, 'stdin'>,
): Promise<Uint8Array> {
  if (path !== '-') return readFile(path, kind)
  return withinLimit(await stdin.readUpTo(LIMITS[kind] + 1), 'Standard input', kind)
}

/** Returns the bytes of a file. Throws AppError('file_error') with the system's error as its cause. */
export function readFile(path: string, kind: InputKind): Uint8Array {
  return withinLimit(readFileUpTo(path, LIMITS[kind] + 1), path, kind)
}

/** Returns the first bytes of a file. Throws AppError('file_error') with the system's error as its cause. */
export function readFileUpTo(path: string, limit: number): Uint8Array {
  try {
    const file = fs.openSync(path, 'r')
    try {
      const chunks: Uint8Array[] = []
      for (let size = 0; size < limit;) {
        const buffer = new Uint8Array(Math.min(limit - size, 262_144))
        const bytesRead = fs.readSync(file, buffer)
        if (bytesRead === 0) break
        chunks.push(buffer.subarray(0, bytesRead))
        size += bytesRead
      }
      return Buffer.concat(chunks)
    } finally {
      fs.closeSync(file)
    }
  } catch (error) {
    throw new AppError('file_error', `${path} cannot be read: ${fileReason(error)}.`, { cause: error })
  }
}

/** Returns whether the error means that the file does not exist. */
export function isFileNotFoundError(error: unknown): boolean {
  return error instanceof AppError && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
}

function withinLimit(bytes: Uint8Array, name: string, kind: InputKind): Uint8Array {
  const limit = LIMITS[kind]
  if (bytes.length <= limit) return bytes
  const size = limit < KIBIBYTE ** 2 ? `${limit / KIBIBYTE} KiB` : `${limit / KIBIBYTE ** 2} MiB`
  throw new AppError(
    'file_error',
    `${name} is larger than ${size}, the limit for a ${kind}. Is it the right file?`,
    { extra: { reason: { code: 'file_too_large', limit_bytes: limit } } },
  )
}
