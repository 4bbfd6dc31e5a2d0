/**
 * Snapshots over HTTP, through a temporary file. A slow connection then keeps no transaction open, and an incomplete
 * upload is never loaded.
 */
import { closeSync, createReadStream, openSync, writeSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { AppError } from '../core/errors.ts'

export type Snapshots = {
  /** Reserves a temporary file, and removes those that processes left. */
  newFile(): TemporaryFile
  save(keep: (chunk: Uint8Array) => void): Promise<unknown>
  /** Loads the snapshot that a file holds. */
  load(file: string): Promise<unknown>
}

/** A file that is removed at the end. */
type TemporaryFile = { path: string; [Symbol.dispose](): void }

const MAX_SNAPSHOT_BYTES = 4 * 2 ** 30

/** Returns the store's current content. The file is deleted when it was read, or when its reader is gone. */
export async function sendSnapshot(snapshots: Snapshots): Promise<Readable> {
  const draft = snapshots.newFile()
  try {
    const file = openSync(draft.path, 'wx', 0o600)
    try {
      await snapshots.save((chunk) => void writeSync(file, chunk))
    } finally {
      closeSync(file)
    }
    return createReadStream(draft.path).once('close', () => draft[Symbol.dispose]())
  } catch (error) {
    draft[Symbol.dispose]()
    throw error
  }
}

/** Loads the body of a request once it is complete. Throws `invalid_request`, `payload_too_large`. */
export async function receiveSnapshot(snapshots: Snapshots, request: IncomingMessage): Promise<unknown> {
  using draft = snapshots.newFile()
  await saveRequestBody(request, draft.path)
  return await snapshots.load(draft.path)
}

async function saveRequestBody(request: IncomingMessage, path: string): Promise<void> {
  const file = openSync(path, 'wx', 0o600)
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > MAX_SNAPSHOT_BYTES) {
        throw new AppError('payload_too_large', `A snapshot has at most ${MAX_SNAPSHOT_BYTES} bytes.`, {
          extra: { limit: MAX_SNAPSHOT_BYTES },
        })
      }
      writeSync(file, chunk)
    }
  } finally {
    closeSync(file)
  }
}
