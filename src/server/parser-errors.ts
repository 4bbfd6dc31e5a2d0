/** Requests that Node could not parse: they have a socket but no request object. They also get a problem document. */

import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../core/errors.ts'
import type { GatewayResponse } from '../gateway/request.ts'

/** Fastify's type for the packet is wrong: Node passes a Buffer. */
type ParserError = { code?: string; rawPacket?: unknown }

/** The time for a peer to read an error response and to close its side. */
const LINGER_MS = 1000

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

/** Returns the error for the sender; undefined when the connection is gone. */
export function toUnparsedError(error: ParserError): AppError | undefined {
  switch (error.code ?? '') {
    case 'ECONNRESET':
    case 'EPIPE':
      return undefined
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('headers_too_large', 'The header block is larger than 16 KiB.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request_timeout', 'The request did not arrive in time.')
    case 'HPE_INVALID_METHOD':
      if (/^[A-Z-]+ \/\S* HTTP\/1\.[01]\r\n/.test(startOf(error.rawPacket))) {
        return methodRefused()
      }
      return notHttp()
    default:
      return notHttp()
  }
}

/** Returns the error for methods that no path supports. */
export function methodRefused(): AppError {
  return new AppError('method_not_allowed', `The method is none of ${METHODS.join(', ')}.`)
}

function startOf(packet: unknown): string {
  return packet instanceof Uint8Array ? Buffer.from(packet.subarray(0, 2048)).toString('latin1') : ''
}

function notHttp(): AppError {
  return new AppError('invalid_request', 'The request is not well-formed HTTP/1.1.')
}

/** Rejected sockets. Nothing that still arrives on them is answered. */
const refused = new WeakSet<Socket>()

/** Node's state of a socket: the response that is being written, and the request that is being read. */
type HttpSocket = Socket & {
  _httpMessage?: ServerResponse | null
  parser?: { incoming?: IncomingMessage | null } | null
}

/**
 * Writes a response directly after all earlier requests of the socket are answered, calls `onWritten`, and soon ends
 * the socket. Ends it at once if a response is no longer possible.
 */
export function refuseSocket(socket: Socket, answer: string, onWritten: () => void): void {
  if (refused.has(socket)) return
  refused.add(socket)
  // Further data is read and dropped: unread bytes would make the peer get a reset instead of the response.
  socket
    .removeAllListeners('data')
    .on('data', () => {})
    .resume()
  refuseLast(socket, answer, onWritten)
}

function refuseLast(socket: HttpSocket, answer: string, onWritten: () => void): void {
  const { _httpMessage: current, parser } = socket
  // The current request is complete, so the invalid data is not part of it.
  if (current?.req.complete === true && !socket.destroyed) {
    current.once('close', () => refuseLast(socket, answer, onWritten))
    return
  }
  const isAnswered = current?.headersSent ?? parser?.incoming?.complete === false
  if (isAnswered || !socket.writable) {
    socket.destroy()
    return
  }
  socket.end(answer)
  const late = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(late))
  onWritten()
}

/** Returns the bytes of a response that closes its connection. */
export function toBytes({ status, headers, body }: GatewayResponse, date: string): string {
  const allow = status === 405 ? { Allow: METHODS.join(', ') } : {}
  const all = {
    ...headers,
    ...allow,
    Date: date,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`
}
