import type { IncomingMessage } from 'node:http'
import { AppError } from '../core/errors.ts'
import type { FairQuota } from './fair-quota.ts'

/** The bytes of a rejected body that are read and dropped, so that the sender gets the response and not a reset. */
const DISCARD_LIMIT = 64 * 1_048_576
/** The connection of a rejected body ends when no byte arrives for this time. */
const DISCARD_IDLE_MS = 2_000
/** The lowest average speed of a body in bytes per second. The slowest mobile networks are faster. */
const MIN_SPEED = 1024

/** The limits that callers share while their bodies arrive. */
export type BodyRoom = {
  /** The caller who sends the body. */
  caller: string
  /** Bytes of incomplete bodies. */
  bytes: FairQuota
  /** The number of incomplete bodies. */
  bodies: FairQuota
  /** Milliseconds before the speed of a body is checked. */
  grace: number
}

/**
 * Returns the body of a request, counted while it arrives. Throws `payload_too_large` above `limit` bytes,
 * `unsupported_media_type` for a compressed body, `request_timeout` for one that arrives too slowly, and
 * `service_unavailable` when the caller's body must make room for another's.
 */
export async function readBody(request: IncomingMessage, limit: number, room: BodyRoom): Promise<Uint8Array> {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    throw new AppError(
      'unsupported_media_type',
      `Content-Encoding is ${encoding.slice(0, 40)}; send the body uncompressed.`,
    )
  }
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    const bytes = room.bytes.take(room.caller, () => fail(tooMany()))
    const unfinished = room.bodies.take(room.caller, () => fail(tooMany()))
    let seconds = room.grace / 1000
    let slow: NodeJS.Timeout | undefined
    request.on('data', onData)
    request.once('end', onEnd)
    request.once('close', onClose)
    // Most bodies arrive together with the headers.
    if (!request.complete) {
      slow = setTimeout(checkSpeed, room.grace)
      unfinished.grow(1)
    }

    function onData(chunk: Uint8Array): void {
      chunks.push(chunk)
      size += chunk.length
      if (size > limit) fail(tooLarge(limit))
      else bytes.grow(chunk.length)
    }
    function onEnd(): void {
      settle()
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size))
    }
    function onClose(): void {
      fail(new AppError('invalid_request', 'The body is incomplete.'))
    }
    function checkSpeed(): void {
      if (size < seconds * MIN_SPEED) return void fail(tooSlow())
      seconds += 1
      slow = setTimeout(checkSpeed, 1000)
    }
    function fail(error: AppError): true {
      settle()
      reject(error)
      return true
    }
    function settle(): void {
      clearTimeout(slow)
      bytes.end()
      unfinished.end()
      request.off('data', onData).off('end', onEnd).off('close', onClose)
    }
  })
}

/** Reads and drops the rest of a body for a limited time, after an early response. */
export function discardBody(request: IncomingMessage): void {
  let left = DISCARD_LIMIT
  const idle = setTimeout(() => request.socket.destroy(), DISCARD_IDLE_MS)
  request.on('data', (chunk: Uint8Array) => {
    left -= chunk.length
    if (left < 0) request.socket.destroy()
    else idle.refresh()
  })
  request.once('close', () => clearTimeout(idle))
}

function tooMany(): AppError {
  return new AppError(
    'service_unavailable',
    'Too many bodies arrive at once, and this caller sends most of them; try again in a moment.',
  )
}

function tooSlow(): AppError {
  return new AppError('request_timeout', `The body came slower than ${MIN_SPEED} bytes a second.`)
}

function tooLarge(limit: number): AppError {
  return new AppError('payload_too_large', `The body is larger than ${limit} bytes.`, { extra: { limit } })
}
