/** Handles a request in the server: its turn, its route, its response, its line of the log. */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { AppError } from '../core/errors.ts'
import { codeIn } from '../core/log-line.ts'
import { commonHeaders, toErrorResponse } from '../gateway/gateway.ts'
import { toPublicError } from '../gateway/public-error.ts'
import type { GatewayResponse } from '../gateway/request.ts'
import { admit, isPlainPath, splitTarget } from './admission.ts'
import type { AcceptedHosts } from './admission.ts'
import type { Callers } from './callers.ts'
import type { Connections } from './connections.ts'
import { type CrossOriginReaders, crossOriginHeaders, isPreflight, preflightHeaders } from './cross-origin.ts'
import type { RequestScheduler } from './load.ts'
import { type LogEntry, toEntry } from './log.ts'
import { trustProxy } from './origin.ts'
import type { Pipelines } from './pipelines.ts'
import type { Receive, BodySender } from './receive.ts'
import type { WriteResponse } from './responses.ts'
import type { Route, RouteDeps, RouteLogFields } from './route.ts'
import { allowedMethods, routesAt } from './routes.ts'
import { readTraceparent } from './trace.ts'

/** The parts of an application that each request uses. */
export type RequestDeps = {
  load: RequestScheduler
  pipelines: Pipelines
  callers: Callers
  receive: Receive
  connections: Connections
  write: WriteResponse
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The facts of the request for its line of the log. */
    note: RouteLogFields
  }
}

/** Adds hooks that start each request at its turn, log it, and answer paths without a route. */
export function addHooks(
  app: FastifyInstance,
  deps: AppDeps,
  { routes, addressing }: { routes: readonly Route[]; addressing: AcceptedHosts },
  { load, pipelines, callers, connections, write }: RequestDeps,
): void {
  const refuse = async (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const visible = toPublicError(error, request.id, deps.onBug)
    request.note.code = visible.code
    const page = routes.find((route) => isRouteOf(request, route))?.refusal?.(visible, request.id)
    if (page !== undefined) return write(reply, page)
    // If the store does not respond, asking it again would make the caller wait twice.
    const silent = visible.code === 'service_unavailable'
    const time = silent ? undefined : await deps.serviceTime().catch(() => undefined)
    return write(reply, withMethods(toErrorResponse(visible, request.id, time), methodsOf(request, routes)))
  }

  app.decorateRequest('note')
  app.addHook('onRequest', (request, reply, done) => {
    const note: RouteLogFields = { operation: null }
    request.note = note
    const started = deps.elapsed()
    trustProxy(request.raw, addressing.proxies)
    note.traceparent = readTraceparent(request.raw)
    if (note.traceparent !== undefined) reply.raw.setHeader('traceparent', note.traceparent)
    reply.raw.once('close', () => {
      load.leave(request.raw)
      // 499 is nginx's status for a caller that left before the end of its response.
      const status = reply.raw.writableFinished ? reply.statusCode : 499
      deps.log(toEntry(deps.now(), request, note, { status, duration: deps.elapsed() - started }))
    })
    connections.use(reply.raw)
    const go = (refusal?: AppError): void => {
      try {
        if (refusal !== undefined) throw refusal
        const granted = admit(request.raw, addressing, () => readersOf(request, routes))
        const preflight = granted === undefined ? undefined : grant(granted, request, reply, routes)
        if (preflight !== undefined) return void write(reply, preflight)
        if (request.is404) throw noRoute(request, routes)
        done()
      } catch (error) {
        done(error as Error)
      }
    }
    pipelines.enter(reply.raw, () => load.enter(request.raw, callers.of(request.raw), go))
  })
  app.setErrorHandler(refuse)
  app.setNotFoundHandler((request, reply) => refuse(noRoute(request, routes), request, reply))
}

function isRouteOf({ method, routeOptions }: FastifyRequest, route: Route): boolean {
  return routeOptions.url === urlOf(route) && (method === 'HEAD' ? 'GET' : method) === route.method
}

/** Returns the path of a route in Fastify's syntax. */
function urlOf({ path }: Route): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/**
 * Adds a route. Its handler runs before Fastify reads the body, because the gateway checks the content type after the
 * credential.
 */
export function addRoute(app: FastifyInstance, route: Route, { callers, receive, write }: RequestDeps): void {
  app.route({
    method: route.method as HTTPMethods,
    url: urlOf(route),
    onRequest: async (request, reply) => {
      const { raw, note } = request
      note.operation = route.name
      note.path = route.path
      const senderOf = (): BodySender => ({
        name: note.caller ?? callers.of(raw),
        authenticated: note.caller !== undefined,
      })
      const answer = await route.answer(
        {
          raw,
          params: request.params as Record<string, string>,
          requestId: request.id,
          readBody(limit) {
            expectBody(request, reply)
            return receive.read(raw, senderOf(), limit)
          },
          receive(work) {
            expectBody(request, reply)
            return receive.during(raw, senderOf(), work)
          },
        },
        note,
      )
      if (note.caller !== undefined) callers.learn(raw, note.caller)
      if (answer.status === 401) callers.forget(raw)
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

/** Returns the methods that the path of a request takes; none when there is no such path. */
function methodsOf({ url }: FastifyRequest, routes: readonly Route[]): string[] {
  const [path = ''] = url.split('?', 1)
  return allowedMethods(routes, path)
}

/** Grants the response to a page of another origin. Returns the response to its preflight; undefined for another request. */
function grant(
  granted: string,
  request: FastifyRequest,
  reply: FastifyReply,
  routes: readonly Route[],
): GatewayResponse | undefined {
  for (const [name, value] of Object.entries(crossOriginHeaders(granted))) reply.raw.setHeader(name, value)
  if (!isPreflight(request.raw)) return undefined
  const headers = preflightHeaders(methodsOf(request, routes))
  return { status: 204, headers: { ...commonHeaders(request.id, undefined), ...headers }, body: '' }
}

/**
 * Returns the pages of other origins that may read the path of a request: those that may read all its methods. An allowed origin
 * may also read that there is no such path.
 */
function readersOf(request: FastifyRequest, routes: readonly Route[]): CrossOriginReaders | undefined {
  const [path = ''] = request.url.split('?', 1)
  const found = routesAt(routes, path).map(({ crossOrigin }) => crossOrigin)
  if (found.length === 0) return 'allowed'
  return found.every((readers) => readers === found[0]) ? found[0] : undefined
}

/** Adds to a 405 the methods that the path takes. */
function withMethods(answer: GatewayResponse, methods: readonly string[]): GatewayResponse {
  if (answer.status !== 405) return answer
  return { ...answer, headers: { Allow: methods.join(', '), ...answer.headers } }
}

function noRoute(request: FastifyRequest, routes: readonly Route[]): AppError {
  const methods = methodsOf(request, routes)
  if (methods.length > 0) return new AppError('method_not_allowed', `Allowed methods: ${methods.join(', ')}.`)
  const isDocumented = routes.some(({ path }) => path === '/openapi.json')
  const isForAgents = routes.some(({ path }) => path === '/mcp')
  const known = isDocumented
    ? 'GET /openapi.json lists all paths'
    : isForAgents
      ? 'agents send POST to /mcp'
      : 'metrics are at GET /metrics'
  const meant = meantPath(request, routes)
  const hint = meant === undefined ? {} : { hint: `Did you mean ${meant}?` }
  return new AppError('route_not_found', `Path not found; ${known}.`, hint)
}

/** Returns the path that a request most likely means: without a slash at its end, in small letters, or below /v1. */
function meantPath({ originalUrl }: FastifyRequest, routes: readonly Route[]): string | undefined {
  const [path = ''] = splitTarget(originalUrl).path.split('?', 1)
  // A longer path is none that a person typed.
  if (path.length > 200) return undefined
  const bare = path.replace(/\/+$/, '')
  const small = bare.toLowerCase()
  return [bare, small, `/v1${small}`].find(
    (each) => isPlainPath(each) && allowedMethods(routes, each).length > 0,
  )
}

export type AppDeps = Pick<RouteDeps, 'serviceTime' | 'onBug'> & {
  /** The machine's clock, milliseconds since the epoch. */
  now: () => number
  /** A monotonic clock in milliseconds, for the duration of a request. */
  elapsed: () => number
  /** Random bytes for request ids. */
  weakRandomBytes: (count: number) => Uint8Array
  log: (entry: LogEntry) => void
}

/** The timeouts, in milliseconds. */
export type Timeouts = {
  headers: number
  /** Headers and body together. */
  request: number
  /** The time of a body before its speed is checked. */
  grace: number
  /** An idle connection between two requests. */
  keepAlive: number
  /** The same, of a peer that keeps its connections to reuse them. */
  pooledKeepAlive: number
  /** A connection without any traffic. */
  idle: number
  /** The time for a caller to read a response. */
  read: number
  /** The time for running requests after the server is told to close. */
  close: number
}
