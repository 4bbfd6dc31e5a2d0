/** Requests that Node's parser gave up on: there is a socket and no request. They too get a problem document. */

import { STATUS_CODES } from 'node:http'
import type { ServerResponse } from 'node:http'
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

/** Sockets on which nothing more is read. */
const refused = new WeakSet<Socket>()

/** Writes an answer by hand and closes, after what was asked before has been answered. */
export function answerSocket(socket: Socket, answer: Answer, date: string): void {
  if (refused.has(socket)) return
  refused.add(socket)
  socket.pause()
  answerLast(socket, answer, date)
}

function answerLast(socket: Socket, answer: Answer, date: string): void {
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: ServerResponse | null }
  // It came whole: what cannot be read is not part of it.
  if (current?.req.complete === true) current.once('close', () => answerLast(socket, answer, date))
  else if (!socket.writable || current?.headersSent === true) socket.destroy()
  else write(socket, answer, date)
}

function write(socket: Socket, { status, headers, body }: Answer, date: string): void {
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
