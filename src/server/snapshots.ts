/**
 * Snapshots over HTTP, through a temporary file. A slow connection then keeps no transaction open, and an incomplete
 * upload is never loaded.
 */
import { closeSync, createReadStream, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../core/errors.ts'

export type Snapshots = {
  /** The folder for temporary files. */
  folder: string
  newName(): string
  save(keep: (chunk: Uint8Array) => void): Promise<unknown>
  /** Loads the snapshot that a file holds. */
  load(file: string): Promise<unknown>
}

const LARGEST = 4 * 2 ** 30

/** Returns the store's current content. The file is deleted when it was read, or when its reader is gone. */
export async function sendSnapshot(snapshots: Snapshots): Promise<Readable> {
  const path = newFile(snapshots)
  try {
    const file = openSync(path, 'wx', 0o600)
    try {
      await snapshots.save((chunk) => void writeSync(file, chunk))
    } finally {
      closeSync(file)
    }
    return createReadStream(path).once('close', () => rmSync(path, { force: true }))
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

/** Loads the body of a request once it is complete. Throws `invalid_request`, `payload_too_large`. */
export async function receiveSnapshot(snapshots: Snapshots, request: IncomingMessage): Promise<unknown> {
  const path = newFile(snapshots)
  try {
    await keep(request, path)
    return await snapshots.load(path)
  } finally {
    rmSync(path, { force: true })
  }
}

function newFile({ folder, newName }: Snapshots): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return join(folder, newName())
}

async function keep(request: IncomingMessage, path: string): Promise<void> {
  const file = openSync(path, 'wx', 0o600)
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > LARGEST) {
        throw new AppError('payload_too_large', `A snapshot has at most ${LARGEST} bytes.`, {
          extra: { limit: LARGEST },
        })
      }
      writeSync(file, chunk)
    }
  } finally {
    closeSync(file)
  }
}
