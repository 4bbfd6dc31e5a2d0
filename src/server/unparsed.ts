/** Requests that Node's parser gave up on: there is a socket and no request. They too get a problem document. */

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../errors.ts'
import type { Answer } from '../gateway/request.ts'

/** Fastify's type of the packet is not what Node hands over: a Buffer. */
type ParserError = { code?: string; rawPacket?: unknown }

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']

/** What to tell the sender; undefined when the connection is simply gone. */
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

/** For methods that no path takes. */
export function methodRefused(): AppError {
  return new AppError('method_not_allowed', `The method is none of ${METHODS.join(', ')}.`)
}

function startOf(packet: unknown): string {
  return packet instanceof Uint8Array ? Buffer.from(packet.subarray(0, 2048)).toString('latin1') : ''
}

function notHttp(): AppError {
  return new AppError('invalid_request', 'What arrived is not a well-formed HTTP/1.1 request.')
}

/** Writes an answer by hand and closes; only onto a socket on which no answer is under way. */
export function answerSocket(socket: Socket, { status, headers, body }: Answer, date: string): void {
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: { headersSent?: boolean } | null }
  if (!socket.writable || current?.headersSent === true) {
    socket.destroy()
    return
  }
  const allow = status === 405 ? { Allow: METHODS.join(', ') } : {}
  const all = {
    ...headers,
    ...allow,
    Date: date,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
}
