import type { IncomingMessage } from 'node:http'
import { AppError } from '../errors.ts'

/** How much of a refused body is taken off the wire, so that the sender reads the answer instead of a reset. */
const DISCARD_LIMIT = 64 * 1_048_576

/** What the bodies that are arriving may hold together: hundreds of long ones that come slowly would be all of the memory. */
const ARRIVING = { left: 128 * 1_048_576 }

/**
 * The body of a request, counted while it arrives. Throws `payload_too_large` above `limit` bytes,
 * `unsupported_media_type` for a body that is compressed, and `service_unavailable` where too much arrives at once.
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  arriving: { left: number } = ARRIVING,
): Promise<Uint8Array> {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    throw new AppError(
      'unsupported_media_type',
      `Content-Encoding is ${encoding.slice(0, 40)}; send the body uncompressed.`,
    )
  }
  if (Number(request.headers['content-length'] ?? 0) > limit) {
    discard(request)
    throw tooLarge(limit)
  }
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let size = 0
    request.on('data', onData)
    request.once('end', onEnd)
    request.once('close', onClose)

    function onData(chunk: Uint8Array): void {
      chunks.push(chunk)
      size += chunk.length
      arriving.left -= chunk.length
      if (size <= limit && arriving.left >= 0) return
      settle()
      discard(request)
      reject(size > limit ? tooLarge(limit) : tooMany())
    }
    function onEnd(): void {
      settle()
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size))
    }
    function onClose(): void {
      settle()
      reject(new AppError('invalid_request', 'The body ended before its time.'))
    }
    function settle(): void {
      arriving.left += size
      request.off('data', onData).off('end', onEnd).off('close', onClose)
    }
  })
}

function discard(request: IncomingMessage): void {
  let left = DISCARD_LIMIT
  request.on('data', (chunk: Uint8Array) => {
    left -= chunk.length
    if (left < 0) request.destroy()
  })
}

function tooMany(): AppError {
  return new AppError(
    'service_unavailable',
    'The service takes in more than it can hold; try again in a moment.',
  )
}

function tooLarge(limit: number): AppError {
  return new AppError('payload_too_large', `The body is larger than ${limit} bytes.`, { extra: { limit } })
}
