import type { Socket } from 'node:net'
/**
 * HTTP over the gateway. The server only translates: it admits a request, hands the gateway its text and the way to its
 * bytes, and writes the answer. Fastify routes, closes gracefully and keeps limits; it parses and validates nothing.
 */
import helmet from '@fastify/helmet'
import Fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { randomId } from '../domain/ids.ts'
import { toTimestamp } from '../domain/time.ts'
import { AppError } from '../errors.ts'
import { failure } from '../gateway/gateway.ts'
import type { Answer } from '../gateway/request.ts'
import { admit, bracketed, isPlainPath } from './admission.ts'
import type { Addressing } from './admission.ts'
import { makeLoad } from './load.ts'
import type { LogEntry } from './log.ts'
import { allowedMethods, makeRoutes } from './routes.ts'
import type { Route, RouteParts, Served } from './routes.ts'
import { startTicks } from './ticks.ts'
import { answerSocket, methodRefused, toUnparsedError } from './unparsed.ts'

export type ServerParts = RouteParts & {
  host: string
  /** 0 takes any free port. */
  port: number
  /** Names that a proxy in front passes on as Host. */
  allowedHosts?: readonly string[]
  /** Applies some of what is due in the whole store; tells whether more is. */
  tick: () => Promise<boolean>
  /** The machine's clock, milliseconds since the epoch. */
  now: () => number
  /** Random bytes for the names of requests. */
  noise: (count: number) => Uint8Array
  log: (entry: LogEntry) => void
  timeouts?: Partial<Timeouts>
}

/** All in milliseconds. */
export type Timeouts = {
  headers: number
  /** Head and body together. */
  request: number
  keepAlive: number
  /** A connection on which nothing moves. */
  idle: number
  /** How long requests under way may take once the server is told to close. */
  close: number
}

const TIMEOUTS: Timeouts = {
  headers: 15_000,
  request: 60_000,
  keepAlive: 5_000,
  idle: 120_000,
  close: 10_000,
}

const MAX_CONNECTIONS = 4096
const MAX_REQUESTS_PER_SOCKET = 100_000
/** Connections with a request under way; beyond that callers are asked to come back, so that those inside stay fast. */
const MAX_BUSY_CONNECTIONS = 512
/** Longest path that the request line can hold. */
const MAX_PARAM_LENGTH = 16_384

export type Server = {
  /** Where it listens, as `http://127.0.0.1:8080`. */
  url: string
  /** Takes no more connections, lets requests under way finish, and stops the ticks. The store stays open. */
  close(): Promise<void>
}

/** Listens, and answers until it is closed. Throws `usage` when the address cannot be had. */
export async function startServer(parts: ServerParts): Promise<Server> {
  const timeouts = { ...TIMEOUTS, ...parts.timeouts }
  const routes = await makeRoutes(parts)
  const app = makeApp(parts, timeouts)
  const addressing: Addressing = {
    host: parts.host,
    port: () => portOf(app),
    allowedHosts: parts.allowedHosts ?? [],
  }
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
  const closing = { now: false }
  addHooks(app, parts, routes, addressing, closing)
  for (const route of routes) addRoute(app, route)
  // A caller that asks first is told to go on when the gateway wants the body, not before.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Without a listener the connection of a CONNECT would just be dropped.
  app.server.on('connect', (_request, socket) => refuseUnparsed(parts, socket as Socket, methodRefused()))
  app.server.maxConnections = MAX_CONNECTIONS

  await listen(app, parts.host, parts.port)
  const ticks = startTicks(parts.tick, (error) => parts.onBug(error, 'tick'))
  return {
    url: `http://${bracketed(parts.host)}:${portOf(app)}`,
    async close() {
      closing.now = true
      await Promise.all([ticks.stop(), closeGently(app, timeouts.close)])
    },
  }
}

function makeApp(parts: ServerParts, timeouts: Timeouts): FastifyInstance {
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

function newRequestId({ now, noise }: Pick<ServerParts, 'now' | 'noise'>): string {
  return randomId('req', now(), noise(10))
}

/** Answers on a socket whose request never became one. */
function refuseUnparsed(parts: ServerParts, socket: Socket, refusal: AppError): void {
  const requestId = newRequestId(parts)
  const answer = failure(refusal, requestId, undefined)
  answerSocket(socket, answer, new Date(parts.now()).toUTCString())
  parts.log(toEntry(parts.now(), requestId, { operation: null }, answer.status, 0))
}

/** What is known of a request when its line of the log is written. */
const served = new WeakMap<FastifyRequest, Served>()

function addHooks(
  app: FastifyInstance,
  parts: ServerParts,
  routes: readonly Route[],
  addressing: Addressing,
  closing: { now: boolean },
): void {
  const load = makeLoad(MAX_BUSY_CONNECTIONS)

  const refuse = async (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const known = error instanceof AppError ? error : unforeseen(error, request.id, parts)
    const time = await parts.serviceTime().catch(() => undefined)
    return write(reply, failure(known, request.id, time))
  }

  app.addHook('onRequest', async (request, reply) => {
    load.enter(request.raw)
    admit(request.raw, addressing)
    if (request.is404) throw noRoute(request, reply, routes)
  })
  app.addHook('onSend', async (_request, reply, payload) => {
    if (closing.now) void reply.header('Connection', 'close')
    return payload
  })
  app.addHook('onResponse', async (request, reply) => {
    load.leave(request.raw)
    parts.log(
      toEntry(
        parts.now(),
        request.id,
        served.get(request) ?? { operation: null },
        reply.statusCode,
        reply.elapsedTime,
      ),
    )
  })
  app.setErrorHandler(refuse)
  app.setNotFoundHandler((request, reply) => refuse(noRoute(request, reply, routes), request, reply))
}

/** Answered before Fastify looks at the body: whether its type will do is for the gateway to say, after the credential. */
function addRoute(app: FastifyInstance, route: Route): void {
  app.route({
    method: route.method as HTTPMethods,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest: async (request, reply) => {
      const note: Served = { operation: route.name }
      served.set(request, note)
      return write(
        reply,
        await route.answer(
          {
            raw: request.raw,
            params: request.params as Record<string, string>,
            requestId: request.id,
            continueBody: () => expectBody(request, reply),
          },
          note,
        ),
      )
    },
    handler: () => {
      throw new Error('answered before')
    },
  })
}

function expectBody(request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue()
}

function write(
  reply: FastifyReply,
  { status, headers, body }: Omit<Answer, 'body'> & { body: string | Uint8Array },
): FastifyReply {
  // As bytes: Fastify would add a charset to the type of a text.
  return reply
    .code(status)
    .headers(headers)
    .send(typeof body === 'string' ? Buffer.from(body) : body)
}

function noRoute(request: FastifyRequest, reply: FastifyReply, routes: readonly Route[]): AppError {
  const [path = ''] = request.url.split('?', 1)
  const methods = allowedMethods(routes, path)
  if (methods.length === 0)
    return new AppError('route_not_found', 'There is no such path; GET /openapi.json lists what there is.')
  void reply.header('Allow', methods.join(', '))
  return new AppError('method_not_allowed', `This path takes ${methods.join(', ')}.`)
}

function unforeseen(error: unknown, requestId: string, parts: ServerParts): AppError {
  parts.onBug(error, requestId)
  return new AppError('internal_error', `Something unforeseen happened. Its id is ${requestId}.`, {
    cause: error,
  })
}

function toEntry(
  now: number,
  requestId: string,
  { operation, account }: Served,
  status: number,
  duration: number,
): LogEntry {
  return {
    time: toTimestamp(now),
    request_id: requestId,
    operation,
    account_id: account ?? null,
    status,
    duration_ms: Math.round(duration * 1000) / 1000,
  }
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<void> {
  try {
    // `localhost` would open a second listener for IPv6, without the limits of the first.
    await app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
  } catch (error) {
    await app.close()
    const { code = '', message } = error as NodeJS.ErrnoException
    const why: Record<string, string> = {
      EADDRINUSE: `Port ${port} on ${host} is already in use.`,
      EACCES: `Port ${port} on ${host} needs more rights than this process has.`,
      EADDRNOTAVAIL: `${host} is not an address of this machine.`,
      ENOTFOUND: `${host} is not an address of this machine.`,
    }
    throw new AppError('usage', why[code] ?? `The service cannot listen on ${host}:${port}: ${message}.`, {
      hint: 'Choose another with --host and --port; --port 0 takes any free port.',
      cause: error,
    })
  }
}

async function closeGently(app: FastifyInstance, deadline: number): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), 50)
  const late = setTimeout(() => app.server.closeAllConnections(), deadline)
  try {
    await app.close()
  } finally {
    clearInterval(idle)
    clearTimeout(late)
  }
}
