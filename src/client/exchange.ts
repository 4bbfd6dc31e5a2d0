/** One HTTP exchange: sends a request and collects the response, with a timeout and a size limit. */

import type { Readable } from 'node:stream'
import type { BrotliDecompress, Gunzip, Inflate } from 'node:zlib'
import type { Dispatcher } from 'undici'

/** The largest response, before and after decompression: many times the size of the longest page or batch. */
export const MAX_ANSWER_BYTES = 16 * 1_048_576

export type ExchangeRequest = {
  origin: string
  /** The path with its query. */
  path: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers: Record<string, string>
  body?: string | Readable
  /** Receives the body of a 200 in chunks; the reply's own body is then empty. */
  keep?: (chunk: Uint8Array) => void
  /** The largest response, where it is not JSON. */
  maxBytes?: number
}

export type ExchangeResponse = {
  status: number
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  /** True if an earlier attempt of the same call was lost. It may have succeeded, whatever this response says. */
  afterLoss?: boolean
}

/** The reason why an exchange has no response. `lost` means that it may have been carried out. */
export class ExchangeError extends Error {
  override name = 'ExchangeError'
  readonly kind: 'lost' | 'timeout' | 'interrupted' | 'too large' | 'unreadable' | 'certificate'

  constructor(kind: ExchangeError['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
  }
}

/** The limits of an exchange, in milliseconds. */
export type ExchangeLimits = {
  /** The longest time of the whole exchange. */
  timeoutMs: number
  /**
   * The longest time without any part of the response; that of the whole exchange without one. A response that arrives is
   * judged by its size and its shape, however slow the machine is: asking again would only bring it once more.
   */
  silenceMs?: number | undefined
  signal?: AbortSignal | undefined
}

/** Sends a request and returns the response. Never follows a redirect. Throws ExchangeError. */
export function exchange(
  dispatcher: Dispatcher,
  { keep, maxBytes = MAX_ANSWER_BYTES, ...outgoing }: ExchangeRequest,
  { timeoutMs, silenceMs = timeoutMs, signal }: ExchangeLimits,
): Promise<ExchangeResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined
    let over = false

    const failLate = (): void => fail(new ExchangeError('timeout', 'no answer in time'))
    const timer = setTimeout(failLate, timeoutMs)
    const silence = setTimeout(failLate, silenceMs)
    const onAbort = (): void => fail(new ExchangeError('interrupted', 'interrupted'))
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted === true) return fail(new ExchangeError('interrupted', 'interrupted'))

    function end(): boolean {
      if (over) return false
      over = true
      clearTimeout(timer)
      clearTimeout(silence)
      signal?.removeEventListener('abort', onAbort)
      return true
    }
    function fail(error: Error): void {
      if (!end()) return
      controller?.abort(error)
      reject(error)
    }
    function done(reply: ExchangeResponse): void {
      if (end()) resolve(reply)
    }

    dispatcher.dispatch(
      { ...outgoing, body: outgoing.body ?? null, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(given) {
          controller = given
          if (over) given.abort(new Error('given up'))
        },
        ...collectReply({ keep, maxBytes, onPart: () => void silence.refresh() }, done, fail),
      },
    )
  })
}

/** Collects the response to one request, until it calls `done` with the reply or `fail` with an error. */
function collectReply(
  { keep, maxBytes, onPart }: { keep: ExchangeRequest['keep']; maxBytes: number; onPart: () => void },
  done: (reply: ExchangeResponse) => void,
  fail: (error: Error) => void,
): Omit<Dispatcher.DispatchHandler, 'onRequestStart'> {
  let head: Omit<ExchangeResponse, 'body'> = { status: 0, headers: {} }
  let sink: Sink | undefined
  return {
    onResponseStart(_controller, status, headers) {
      if (status < 200) return
      onPart()
      head = { status, headers: flatten(headers) }
      const whole = keep !== undefined && status === 200
      sink = whole
        ? { write: keep, end: (take) => take(new Uint8Array()) }
        : openSink(head.headers['content-encoding'], maxBytes, fail)
      if (!whole && Number(head.headers['content-length']) > maxBytes) fail(responseTooLarge(maxBytes))
    },
    onResponseData(_controller, chunk) {
      onPart()
      try {
        sink?.write(chunk)
      } catch (error) {
        // `keep` could not write the chunk, for example to a full disk.
        fail(error as Error)
      }
    },
    onResponseEnd() {
      sink?.end((body) => done({ ...head, body }))
    },
    onResponseError: (_controller, error) => fail(classify(error)),
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const single = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    Array.isArray(value) ? (value[0] ?? '') : (value ?? ''),
  ])
  return Object.fromEntries(single) as Record<string, string>
}

type Sink = { write(chunk: Uint8Array): void; end(done: (body: Uint8Array) => void): void }

/**
 * Collects a body and decompresses it. The limit applies to the decompressed size, because a decompression bomb is
 * small before.
 */
function openSink(encoding = 'identity', limit: number, fail: (error: ExchangeError) => void): Sink {
  const chunks: Uint8Array[] = []
  let size = 0
  const keep = (chunk: Uint8Array): void => {
    size += chunk.length
    if (size > limit) return fail(responseTooLarge(limit))
    chunks.push(chunk)
  }
  if (encoding === 'identity') return { write: keep, end: (done) => done(Buffer.concat(chunks, size)) }

  const inflater = openInflater(encoding)
  if (inflater === undefined) {
    fail(new ExchangeError('unreadable', `the response is encoded as ${encoding.slice(0, 40)}`))
    return { write() {}, end() {} }
  }
  inflater.on('data', (chunk: Uint8Array) => {
    keep(chunk)
    if (size > limit) inflater.destroy()
  })
  inflater.on('error', (error) =>
    fail(new ExchangeError('unreadable', `the response cannot be decompressed: ${error.message}`, error)),
  )
  let arrived = 0
  return {
    write(chunk) {
      // Compressed data that waits counts as well.
      arrived += chunk.length
      if (arrived > limit) fail(responseTooLarge(limit))
      else inflater.write(chunk)
    },
    end: (done) => inflater.once('end', () => done(Buffer.concat(chunks, size))).end(),
  }
}

/** Returns the reason of a response that is longer than it may be. */
export function responseTooLarge(limit: number): ExchangeError {
  return new ExchangeError('too large', `the response is larger than ${limit} bytes`)
}

function openInflater(encoding: string): Gunzip | Inflate | BrotliDecompress | undefined {
  const zlib = process.getBuiltinModule('node:zlib')
  switch (encoding.toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip()
    case 'deflate':
      return zlib.createInflate()
    case 'br':
      return zlib.createBrotliDecompress()
    default:
      return undefined
  }
}

const CERTIFICATE = /CERT|SIGNATURE|SELF_SIGNED|ERR_TLS/

/** Returns the reason why no response came, by the error of the connection. */
export function classify(error: Error & { code?: string }): ExchangeError {
  if (error instanceof ExchangeError) return error
  const { code = '', message } = error
  if (CERTIFICATE.test(code)) return new ExchangeError('certificate', message, error)
  if (error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW')
    return new ExchangeError('unreadable', 'the response is not HTTP', error)
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return new ExchangeError('unreadable', 'it does not use TLS', error)
  const refused = /^Proxy response \((\d+)\)/.exec(message)?.[1]
  if (refused !== undefined) return new ExchangeError('lost', refusalOf(refused), error)
  return new ExchangeError('lost', REASONS[code] ?? (message === '' ? code : message), error)
}

/** Returns the reason of a proxy that opened no tunnel. */
function refusalOf(status: string): string {
  return status === '407'
    ? 'the proxy asks for a user name and a password (407)'
    : `the proxy responded with ${status} to CONNECT`
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'no way to that host',
  ENETUNREACH: 'no way to that network',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name cannot be looked up now',
  ETIMEDOUT: 'connecting took too long',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  UND_ERR_SOCKET: 'the connection was closed too early',
}
