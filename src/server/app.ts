/** A Fastify application that routes, enforces limits and writes responses. It parses and validates nothing. */

import type { Socket } from 'node:net'
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import type { AppError } from '../core/errors.ts'
import { randomId } from '../core/ids.ts'
import { toErrorResponse } from '../gateway/gateway.ts'
import { isPlainPath, splitTarget } from './admission.ts'
import type { AcceptedHosts } from './admission.ts'
import { makeCallers } from './callers.ts'
import type { Capacity } from './capacity.ts'
import { type Connections, ownConnections } from './connections.ts'
import { makeLoad } from './load.ts'
import type { RequestScheduler } from './load.ts'
import { toEntry } from './log.ts'
import type { Activity } from './metrics/meter.ts'
import { methodRefused, refuseSocket, toBytes, toUnparsedError } from './parser-errors.ts'
import { makePipelines } from './pipelines.ts'
import { makeReceive } from './receive.ts'
import { addHooks, addRoute, type AppDeps, type Timeouts } from './requests.ts'
import type { RequestDeps } from './requests.ts'
import { makeWrite } from './responses.ts'
import type { Route } from './route.ts'
import { makeStreams, type Streams } from './streams.ts'

const MAX_REQUESTS_PER_SOCKET = 100_000
/** The longest path that a request line can hold. */
const MAX_PARAM_LENGTH = 16_384

export type AppOptions = {
  addressing: AcceptedHosts
  timeouts: Timeouts
  capacity: Capacity
  /** True once the server closes: responses then say that their connection ends. */
  closing: { now: boolean }
  /** Returns whether the peer at an address keeps its connections to reuse them. */
  isPooled(address: string): boolean
}

/** Makes the application, and the state of its connections and of its work. It does not listen yet. */
export async function makeApp(
  deps: AppDeps,
  routes: readonly Route[],
  options: AppOptions,
): Promise<{ app: FastifyInstance; connections: Connections; activity: () => Activity }> {
  const { timeouts, capacity, closing, isPooled } = options
  const load = makeLoad({
    limit: capacity.busy,
    share: capacity.share,
    elapsed: () => deps.elapsed(),
    afterReading: (next) => void setImmediate(next),
    after(ms, next) {
      const timer = setTimeout(next, ms)
      return () => clearTimeout(timer)
    },
  })
  const refuse = (socket: Socket, refusal: AppError): void => refuseUnparsed(deps, load, socket, refusal)
  const app = openApp(deps, timeouts, refuse)
  const callers = makeCallers()
  const streams = makeStreams(capacity.streams)
  const write = makeWrite({
    closing,
    readTimeout: timeouts.read,
    limit: capacity.unread,
    callerOf: callers.of,
    streams,
    onAnswered: load.leave,
  })
  const pipelines = makePipelines(capacity.pipelined, callers.of)
  const connections = ownConnections(app.server, {
    limit: capacity.connections,
    pooled: { includes: isPooled, keepAlive: timeouts.pooledKeepAlive },
    isWorking: load.isBusy,
    onClose(socket) {
      load.drop(socket)
      pipelines.drop(socket)
    },
    onError: (error) => deps.onBug(error, 'connection'),
  })
  const receive = makeReceive({
    load,
    limits: { authenticated: capacity.bodies, anonymous: capacity.anonymousBodies },
    grace: timeouts.grace,
  })
  const requestDeps: RequestDeps = { load, pipelines, callers, receive, connections, write }
  addHooks(app, deps, { routes, addressing: options.addressing }, requestDeps)
  // A page that listens would keep the service from closing.
  app.addHook('preClose', async () => streams.endAll())
  for (const route of routes) addRoute(app, route, requestDeps)
  // A caller with `Expect: 100-continue` is told to continue when the gateway wants the body, not before.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Without a listener, Node would drop the connection of a CONNECT without a response.
  app.server.on('connect', ({ socket }, stream) => {
    // When a body is still arriving, the stream is a separate object beside the socket.
    stream.on('error', () => {})
    refuse(socket, methodRefused())
  })
  return { app, connections, activity: activityOf(load, connections, streams) }
}

function activityOf(load: RequestScheduler, connections: Connections, streams: Streams): () => Activity {
  return () => ({ ...load.count(), connections: connections.open, listeners: streams.open })
}

/** No route has a schema for Fastify: its own compilers would take a sixth of the start. */
export const WITHOUT_SCHEMAS = {
  schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
}

function refuseSchema(): never {
  throw new Error('the gateway validates, and no route has a schema')
}

function openApp(
  deps: AppDeps,
  timeouts: Timeouts,
  refuse: (socket: Socket, refusal: AppError) => void,
): FastifyInstance {
  return Fastify({
    logger: false,
    ...WITHOUT_SCHEMAS,
    genReqId: () => newRequestId(deps),
    requestIdHeader: false,
    return503OnClosing: false,
    rewriteUrl({ url = '', headers }) {
      const { authority, path } = splitTarget(url)
      // It counts instead of the Host header, which is then ignored.
      if (authority !== undefined) headers.host = authority
      // A path that is not plain gets the same 404 as an unknown one.
      return isPlainPath(path) ? path : '/-/'
    },
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    connectionTimeout: timeouts.idle,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.keepAlive,
    maxRequestsPerSocket: MAX_REQUESTS_PER_SOCKET,
    http: {
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: Math.min(5_000, timeouts.headers),
      // `admit` checks it, and answers with a problem document.
      requireHostHeader: false,
    },
    clientErrorHandler(error, socket) {
      const refusal = toUnparsedError(error)
      if (refusal === undefined) socket.destroy()
      else refuse(socket, refusal)
    },
  })
}

function newRequestId({ now, weakRandomBytes }: Pick<AppDeps, 'now' | 'weakRandomBytes'>): string {
  return randomId('req', now(), weakRandomBytes(10))
}

/** Responds on a socket after a request that could not be parsed, and releases the socket's place. */
function refuseUnparsed(deps: AppDeps, load: RequestScheduler, socket: Socket, refusal: AppError): void {
  const requestId = newRequestId(deps)
  const answer = toErrorResponse(refusal, requestId, undefined)
  refuseSocket(socket, toBytes(answer, new Date(deps.now()).toUTCString()), () => load.drop(socket))
  const note = { operation: null, code: refusal.code }
  deps.log(toEntry(deps.now(), { id: requestId, method: null }, note, { status: answer.status, duration: 0 }))
}
