/** A Fastify application that routes, keeps limits and writes answers; it parses and validates nothing. */

import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import helmet from '@fastify/helmet'
import Fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { randomId } from '../domain/ids.ts'
import { codeIn } from '../domain/log-line.ts'
import { toTimestamp } from '../domain/time.ts'
import { AppError } from '../errors.ts'
import { failure } from '../gateway/gateway.ts'
import type { Answer } from '../gateway/request.ts'
import { toVisible } from '../gateway/visible.ts'
import { admit, isPlainPath } from './admission.ts'
import type { Addressing } from './admission.ts'
import { makeLoad } from './load.ts'
import type { LogEntry } from './log.ts'
import { allowedMethods } from './routes.ts'
import type { Route, RouteParts, Served } from './routes.ts'
import { answerSocket, methodRefused, toUnparsedError } from './unparsed.ts'

export type AppParts = Pick<RouteParts, 'serviceTime' | 'onBug'> & {
  /** The machine's clock, milliseconds since the epoch. */
  now: () => number
  /** Milliseconds since some moment: for how long a request took. */
  elapsed: () => number
  /** Random bytes for the names of requests. */
  noise: (count: number) => Uint8Array
  log: (entry: LogEntry) => void
}

/** All in milliseconds. */
export type Timeouts = {
  headers: number
  /** Head and body together. */
  request: number
  keepAlive: number
  /** A connection on which nothing moves. */
  idle: number
  /** How long a caller may take to read an answer. */
  read: number
  /** How long requests under way may take once the server is told to close. */
  close: number
}

const MAX_CONNECTIONS = 4096
const MAX_REQUESTS_PER_SOCKET = 100_000
/** Connections with a request under way; beyond that callers are asked to come back, so that those inside stay fast. */
const MAX_BUSY_CONNECTIONS = 512
/** Longest path that the request line can hold. */
const MAX_PARAM_LENGTH = 16_384

/** Everything but listening. `closing.now` is true once the server closes: answers then say that their connection ends. */
export async function makeApp(
  parts: AppParts,
  routes: readonly Route[],
  addressing: Addressing,
  timeouts: Timeouts,
  closing: { now: boolean },
): Promise<FastifyInstance> {
  const app = openApp(parts, timeouts)
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    // Of no use to what no browser shows, and TLS ends elsewhere.
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xFrameOptions: { action: 'deny' },
  })
  const write = makeWrite(closing, timeouts.read)
  addHooks(app, parts, routes, addressing, write)
  for (const route of routes) addRoute(app, route, write)
  // A caller that asks first is told to go on when the gateway wants the body, not before.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Without a listener the connection of a CONNECT would just be dropped.
  app.server.on('connect', (_request, socket) => refuseUnparsed(parts, socket as Socket, methodRefused()))
  app.server.maxConnections = MAX_CONNECTIONS
  return app
}

function openApp(parts: AppParts, timeouts: Timeouts): FastifyInstance {
  return Fastify({
    logger: false,
    genReqId: () => newRequestId(parts),
    requestIdHeader: false,
    return503OnClosing: false,
    // What is not a plain path is led to where nothing is.
    rewriteUrl: ({ url = '' }) => (isPlainPath(url) ? url : '/-/'),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    connectionTimeout: timeouts.idle,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    maxRequestsPerSocket: MAX_REQUESTS_PER_SOCKET,
    http: {
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: Math.min(5_000, timeouts.headers),
      // Asked for by `admit`, which answers with a problem document.
      requireHostHeader: false,
    },
    clientErrorHandler(error, socket) {
      const refusal = toUnparsedError(error)
      if (refusal === undefined) socket.destroy()
      else refuseUnparsed(parts, socket, refusal)
    },
  })
}

function newRequestId({ now, noise }: Pick<AppParts, 'now' | 'noise'>): string {
  return randomId('req', now(), noise(10))
}

/** Answers on a socket whose request never became one. */
function refuseUnparsed(parts: AppParts, socket: Socket, refusal: AppError): void {
  const requestId = newRequestId(parts)
  const answer = failure(refusal, requestId, undefined)
  answerSocket(socket, answer, new Date(parts.now()).toUTCString())
  const note = { operation: null, code: refusal.code }
  parts.log(toEntry(parts.now(), { id: requestId, method: null }, note, answer.status, 0))
}

/** What is known of a request when its line of the log is written. */
const served = new WeakMap<FastifyRequest, Served>()

function noteOf(request: FastifyRequest): Served {
  const known = served.get(request)
  if (known !== undefined) return known
  const note: Served = { operation: null }
  served.set(request, note)
  return note
}

function addHooks(
  app: FastifyInstance,
  parts: AppParts,
  routes: readonly Route[],
  addressing: Addressing,
  write: Write,
): void {
  const load = makeLoad({
    limit: MAX_BUSY_CONNECTIONS,
    elapsed: () => parts.elapsed(),
    afterReading: (next) => void setImmediate(next),
    after(ms, next) {
      const timer = setTimeout(next, ms)
      return () => clearTimeout(timer)
    },
  })

  const refuse = async (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const visible = toVisible(error, request.id, parts.onBug)
    noteOf(request).code = visible.code
    const page = routes.find((route) => isRouteOf(request, route))?.refusal?.(visible, request.id)
    if (page !== undefined) return write(reply, page)
    const time = await parts.serviceTime().catch(() => undefined)
    return write(reply, failure(visible, request.id, time))
  }

  app.addHook('onRequest', (request, reply, done) => {
    const started = parts.elapsed()
    reply.raw.once('close', () => {
      load.leave(request.raw)
      // As nginx does for a caller that left before its answer was whole.
      const status = reply.raw.writableFinished ? reply.statusCode : 499
      parts.log(toEntry(parts.now(), request, noteOf(request), status, parts.elapsed() - started))
    })
    load.enter(request.raw, (refusal) => {
      try {
        if (refusal !== undefined) throw refusal
        admit(request.raw, addressing)
        if (request.is404) throw noRoute(request, reply, routes)
        done()
      } catch (error) {
        done(error as Error)
      }
    })
  })
  app.setErrorHandler(refuse)
  app.setNotFoundHandler((request, reply) => refuse(noRoute(request, reply, routes), request, reply))
}

function isRouteOf({ method, routeOptions }: FastifyRequest, route: Route): boolean {
  return routeOptions.url === urlOf(route) && (method === 'HEAD' ? 'GET' : method) === route.method
}

/** The path of a route in Fastify's words. */
function urlOf({ path }: Route): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Answered before Fastify looks at the body: whether its type will do is for the gateway to say, after the credential. */
function addRoute(app: FastifyInstance, route: Route, write: Write): void {
  app.route({
    method: route.method as HTTPMethods,
    url: urlOf(route),
    onRequest: async (request, reply) => {
      const note: Served = { operation: route.name, path: route.path }
      served.set(request, note)
      const answer = await route.answer(
        {
          raw: request.raw,
          params: request.params as Record<string, string>,
          requestId: request.id,
          continueBody: () => expectBody(request, reply),
        },
        note,
      )
      if (answer.status >= 400 && typeof answer.body === 'string') note.code = codeIn(answer.body)
      return write(reply, answer)
    },
    handler: () => {
      throw new Error('answered before')
    },
  })
}

function expectBody(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue()
}

type Write = (reply: FastifyReply, answer: Written) => FastifyReply
type Written = Omit<Answer, 'body'> & { body: string | Uint8Array | Readable }

/** Writes answers; once the server closes they say that their connection ends. */
function makeWrite(closing: { now: boolean }, patience: number): Write {
  return (reply, { status, headers, body }) => {
    if (closing.now) void reply.header('Connection', 'close')
    const { raw } = reply.code(status).headers(headers)
    if (!(body instanceof Uint8Array) && typeof body !== 'string') return reply.send(body)
    // As bytes: Fastify would add a charset to the type of a text.
    void reply.send(typeof body === 'string' ? Buffer.from(body) : body)
    if (!raw.writableFinished) endUnread(raw, patience)
    return reply
  }
}

/** A caller that takes no answer would hold its place among those who are answered. */
function endUnread(response: ServerResponse, patience: number): void {
  const { socket } = response
  const late = setTimeout(() => socket?.destroy(), patience)
  response.once('close', () => clearTimeout(late))
}

function noRoute(request: FastifyRequest, reply: FastifyReply, routes: readonly Route[]): AppError {
  const [path = ''] = request.url.split('?', 1)
  const methods = allowedMethods(routes, path)
  if (methods.length === 0)
    return new AppError('route_not_found', 'There is no such path; GET /openapi.json lists what there is.')
  void reply.header('Allow', methods.join(', '))
  return new AppError('method_not_allowed', `This path takes ${methods.join(', ')}.`)
}

function toEntry(
  now: number,
  { id, method }: { id: string; method: string | null },
  { operation, path, account, code }: Served,
  status: number,
  duration: number,
): LogEntry {
  return {
    time: toTimestamp(now),
    request_id: id,
    method,
    path: path ?? null,
    operation,
    account_id: account ?? null,
    status,
    code: code ?? null,
    duration_ms: Math.round(duration * 1000) / 1000,
  }
}
