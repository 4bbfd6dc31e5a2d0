// Not `node:fs/promises`: there is nothing to do meanwhile, and its threads and streams take 5 ms.
import { closeSync, openSync, readSync } from 'node:fs'
import { AppError } from '../../errors.ts'
import { MAX_FILE_BYTES } from '../csv/decode.ts'
import type { Io } from '../io.ts'

/** The bytes of a manifest or menu: a file, or standard input for `-`. Never more than the limit is read, whatever the path names. */
export async function readFileBytes(
  path: string,
  kind: string,
  { stdin }: Pick<Io, 'stdin'>,
): Promise<Uint8Array> {
  const bytes = path === '-' ? await stdin.readAll(MAX_FILE_BYTES) : readFileUpTo(path, MAX_FILE_BYTES + 1)
  if (bytes.length > MAX_FILE_BYTES) {
    throw new AppError(
      'file_error',
      `${path} is larger than ${MAX_FILE_BYTES / 1_048_576} MiB; a ${kind} is not. Is it the right file?`,
    )
  }
  return bytes
}

/** The first bytes of a file. Throws AppError('file_error'). */
export function readFileUpTo(path: string, limit: number): Uint8Array {
  try {
    const file = openSync(path, 'r')
    try {
      const chunks: Uint8Array[] = []
      for (let size = 0; size < limit;) {
        const buffer = new Uint8Array(Math.min(limit - size, 262_144))
        const bytesRead = readSync(file, buffer)
        if (bytesRead === 0) break
        chunks.push(buffer.subarray(0, bytesRead))
        size += bytesRead
      }
      return Buffer.concat(chunks)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw new AppError('file_error', `${path} cannot be read: ${fileReason(error)}.`, { cause: error })
  }
}

/** What went wrong with a file, in words that follow a colon. */
export function fileReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const words: Record<string, string> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a folder',
    EACCES: 'permission is denied',
    EROFS: 'the disk is read-only',
    ENOSPC: 'the disk is full',
  }
  return words[code ?? ''] ?? message
}
