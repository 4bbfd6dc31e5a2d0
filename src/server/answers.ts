/**
 * Writes responses. A response that is not read, and a rejected body, use little memory and only for a limited time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Answer } from '../gateway/request.ts'
import { discardBody } from './body.ts'
import { makeShares } from './shares.ts'

export type Written = Omit<Answer, 'body'> & { body: string | Uint8Array | Readable }

export type Write = (reply: FastifyReply, answer: Written) => FastifyReply

export type WriteDeps = {
  /** True once the server closes: responses then say that their connection ends. */
  closing: { now: boolean }
  /** Milliseconds that a caller may take to read a response. */
  readTimeout: number
  /** Bytes of responses that are not yet read. */
  limit: number
  callerOf(request: IncomingMessage): string
  /** Called when the service has done its part of a request. */
  onAnswered(request: IncomingMessage): void
}

/** Makes the function that writes responses and limits unread ones. */
export function makeWrite({ closing, readTimeout, limit, callerOf, onAnswered }: WriteDeps): Write {
  const unread = makeShares(limit)

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

  return (reply, { status, headers, body }) => {
    if (closing.now) void reply.header('Connection', 'close')
    const { raw } = reply.code(status).headers(headers)
    if (!(body instanceof Uint8Array) && typeof body !== 'string') return reply.send(body)
    // Sent as bytes, because Fastify would add a charset to the type of a text.
    void reply.send(typeof body === 'string' ? Buffer.from(body) : body)
    onAnswered(raw.req)
    // Most responses fit into the kernel's buffer at once.
    if (raw.writableLength > 0) holdUnread(raw)
    if (!raw.req.complete) discardBody(raw.req)
    return reply
  }
}
