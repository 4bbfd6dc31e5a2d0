/**
 * Writes responses. A response that is not read, and a rejected body, use little memory and only for a limited time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { GatewayResponse } from '../gateway/request.ts'
import { discardBody } from './body.ts'
import { makeFairQuota } from './fair-quota.ts'
import type { EventStream, Streams } from './streams.ts'

export type WritableResponse = Omit<GatewayResponse, 'body'> & {
  body: string | Uint8Array | Readable | EventStream
}

export type WriteResponse = (reply: FastifyReply, answer: WritableResponse) => FastifyReply

export type WriteDeps = {
  /** True once the server closes: responses then say that their connection ends. */
  closing: { now: boolean }
  /** Milliseconds that a caller may take to read a response. */
  readTimeout: number
  /** Bytes of responses that are not yet read. */
  limit: number
  callerOf(request: IncomingMessage): string
  streams: Streams
  /** Called when the service has done its part of a request. */
  onAnswered(request: IncomingMessage): void
}

/**
 * Headers for pages in a browser: no page may frame them, and they run no scripts. Strict-Transport-Security is left to
 * the proxy, where TLS ends.
 */
const PAGE_HEADERS = [
  ['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
] as const
const PAGE_LIST = PAGE_HEADERS.flat()
const PAGE_PLACES = new Map<string, number>(
  PAGE_HEADERS.map(([name], index) => [name.toLowerCase(), 2 * index]),
)

/** Returns names and values in turns, as Node writes them fastest. A given header takes the place of a common one. */
function listHeaders(headers: GatewayResponse['headers'], length: number | undefined): string[] {
  const list: string[] = [...PAGE_LIST]
  let typed = false
  for (const given in headers) {
    const name = given.toLowerCase()
    typed ||= name === 'content-type'
    const at = PAGE_PLACES.get(name) ?? list.length
    list[at] = name
    list[at + 1] = headers[given] ?? ''
  }
  if (!typed) list.push('content-type', 'application/octet-stream')
  if (length !== undefined) list.push('content-length', String(length))
  return list
}

/** Loses a response by a fault of the sandbox: a proxy's page comes instead, or the connection ends within it. */
function lose(reply: FastifyReply, { status, headers, lost }: WritableResponse, body: string): FastifyReply {
  const { raw } = reply
  const { socket } = raw.req
  if (lost === 'page') {
    const page = Buffer.from(`<html><head><title>${status}</title></head><body>${status}</body></html>\n`)
    raw.writeHead(status, ['content-type', 'text/html', 'content-length', String(page.length)]).end(page)
    return reply
  }
  if (lost === 'headers') socket.write(`HTTP/1.1 ${status} `)
  if (lost === 'body') {
    const bytes = Buffer.from(body)
    raw.writeHead(status, listHeaders(headers, bytes.length)).write(bytes.subarray(0, bytes.length / 2))
  }
  // The socket sends first the bytes that were written.
  socket.destroySoon()
  return reply
}

function writeStream(
  reply: FastifyReply,
  { status, headers }: WritableResponse,
  body: Readable,
): FastifyReply {
  for (const [name, value] of PAGE_HEADERS) reply.raw.setHeader(name, value)
  return reply.code(status).headers(headers).send(body)
}

/** Makes the function that writes responses and limits unread ones. */
export function makeWrite({
  closing,
  readTimeout,
  limit,
  callerOf,
  streams,
  onAnswered,
}: WriteDeps): WriteResponse {
  const unread = makeFairQuota(limit)

  /** Counts a response for its caller until it is read, and ends its connection when that takes too long. */
  function holdUnread(response: ServerResponse): void {
    const { req: request, writableLength } = response
    const endSocket = (): boolean => request.socket.destroy().destroyed
    const share = unread.take(callerOf(request), endSocket)
    const late = setTimeout(endSocket, readTimeout)
    response.once('close', () => {
      clearTimeout(late)
      share.end()
    })
    share.grow(writableLength)
  }

  function writeEvents(
    reply: FastifyReply,
    { status, headers }: WritableResponse,
    body: EventStream,
  ): FastifyReply {
    const { raw } = reply
    reply.hijack()
    raw.writeHead(status, listHeaders(headers, undefined))
    // It would keep its place among the running requests for as long as the page is open.
    onAnswered(raw.req)
    if (raw.req.method === 'HEAD') raw.end()
    else streams.begin(raw, body)
    return reply
  }

  return (reply, answer) => {
    const { status, headers, body } = answer
    const { raw } = reply
    if (closing.now) raw.setHeader('connection', 'close')
    if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
      return 'open' in body ? writeEvents(reply, answer, body) : writeStream(reply, answer, body)
    }
    // Fastify's own way of sending costs more than all else that it does.
    reply.hijack()
    if (answer.lost !== undefined) return lose(reply, answer, String(body))
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
    raw.writeHead(status, listHeaders(headers, length)).end(body)
    onAnswered(raw.req)
    // Most responses fit into the kernel's buffer at once.
    if (raw.writableLength > 0) holdUnread(raw)
    if (!raw.req.complete) discardBody(raw.req)
    return reply
  }
}
