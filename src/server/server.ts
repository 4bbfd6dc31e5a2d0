/**
 * The HTTP server over the gateway. It only translates: it admits a request, passes its text and a reader of its body
 * to the gateway, and writes the response.
 */
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../core/errors.ts'
import { splitHost, urlOf } from './admission.ts'
import { makeApp, WITHOUT_SCHEMAS } from './app.ts'
import { CAPACITY, POOLED_KEEP_ALIVE_MS } from './capacity.ts'
import type { Capacity } from './capacity.ts'
import type { Connections } from './connections.ts'
import { startEventRunner } from './event-runner.ts'
import type { Activity } from './metrics/meter.ts'
import type { TrustedProxies } from './origin.ts'
import type { AppDeps, Timeouts } from './requests.ts'
import type { Route, RouteDeps } from './route.ts'
import { makeRoutes } from './routes.ts'

export type ListenDeps = AppDeps & {
  host: string
  /** The port; 0 means any free one. */
  port: number
  /** Names that a proxy in front passes on as Host, as `readAllowedHosts` returns them. */
  allowedHosts?: readonly string[]
  /** The other origins that may call the API, as `readAllowedOrigins` returns them. */
  allowedOrigins?: readonly string[]
  /** The proxies with trusted forwarded headers; none by default. */
  proxies?: TrustedProxies
  /** Milliseconds that every connection may be idle; by default 5 s, and 75 s of the proxies. */
  keepAlive?: number | undefined
  /** The command that starts the server, for hints. */
  command?: string
  /** Applies some due events of the whole store. Returns whether more are due. */
  tick: () => Promise<boolean>
  /** Delivers events; absent where nothing is delivered. */
  sender?: { turn(): Promise<boolean>; end(): Promise<void> }
  timeouts?: Partial<Timeouts>
  capacity?: Partial<Capacity>
}

export type ServerDeps = RouteDeps & ListenDeps

const TIMEOUTS: Timeouts = {
  headers: 15_000,
  request: 60_000,
  grace: 10_000,
  keepAlive: 5_000,
  pooledKeepAlive: POOLED_KEEP_ALIVE_MS,
  idle: 120_000,
  read: 30_000,
  close: 10_000,
}

/**
 * The time in which an idle connection may still send a request after the server begins to close. Its response says
 * that it is the last.
 */
const LINGER_MS = 250
/** The same, of connections that their peers keep to reuse them: those have requests of many callers. */
const POOLED_LINGER_MS = 1000

export type Server = {
  /** The address for clients of this machine, such as `http://127.0.0.1:8080`. */
  url: string
  /** Returns the work of this moment. */
  activity(): Activity
  /**
   * Stops accepting connections, lets running requests finish, and stops the ticks. The store stays open. With `stop`,
   * another process has taken over: connections of proxies then stay until their next response, or until `stop` aborts.
   */
  close(stop?: AbortSignal): Promise<void>
}

/** Starts the server. Throws `usage` when it cannot listen on the address. */
export async function startServer(deps: ServerDeps): Promise<Server> {
  return serveRoutes(deps, await makeRoutes(deps))
}

/** Starts a server with other routes. Throws `usage` when it cannot listen on the address. */
export async function serveRoutes(deps: ListenDeps, routes: readonly Route[]): Promise<Server> {
  const { host, port, allowedHosts = [], allowedOrigins, proxies, keepAlive, command } = deps
  const given = keepAlive === undefined ? {} : { keepAlive, pooledKeepAlive: keepAlive }
  const timeouts = { ...TIMEOUTS, ...given, ...deps.timeouts }
  const closing = { now: false }
  // The port is stored, because a closing server has no address any more but still answers on open connections.
  let bound = port
  const { app, connections, activity } = await makeApp(deps, routes, {
    addressing: { host, allowedHosts: allowedHosts.map(splitHost), allowedOrigins, proxies, command },
    timeouts,
    capacity: { ...CAPACITY, ...deps.capacity },
    closing,
    isPooled: (address) => keepAlive !== undefined || proxies?.has(address) === true,
  })
  app.server.once('listening', () => (bound = portOf(app)))
  await listen(app, host, port)
  const ticks = startEventRunner(deps.tick, (error) => deps.onBug(error, 'tick'))
  const { sender } = deps
  const sending =
    sender &&
    startEventRunner(
      () => sender.turn(),
      (error) => deps.onBug(error, 'webhooks'),
    )
  return {
    url: urlOf(host, bound),
    activity,
    async close(stop) {
      closing.now = true
      const sent = sending?.stop().then(() => sender?.end())
      await Promise.all([ticks.stop(), sent, closeGently(app, connections, timeouts.close, stop)])
    },
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

/** Returns a port that is free now: the given one, or any for 0. Throws `usage`. */
export async function findPort(host: string, port: number): Promise<number> {
  const app = Fastify(WITHOUT_SCHEMAS)
  await listen(app, host, port)
  const found = portOf(app)
  await app.close()
  return found
}

async function closeGently(
  app: FastifyInstance,
  connections: Connections,
  deadline: number,
  stop = AbortSignal.abort(),
): Promise<void> {
  const { server } = app
  const closeIdle = server.closeIdleConnections.bind(server)
  // Node would close idle connections at once, and a request that is on its way would be lost.
  server.closeIdleConnections = () => {}
  const timers: NodeJS.Timeout[] = []
  let pooledStay = true
  const hurry = (): void => {
    timers.push(
      setTimeout(() => (pooledStay = false), POOLED_LINGER_MS),
      setTimeout(() => server.closeAllConnections(), deadline),
    )
  }
  const closeSome = (): void => {
    if (!pooledStay || connections.pooled === 0) closeIdle()
  }
  timers.push(setTimeout(() => timers.push(setInterval(closeSome, 50)), LINGER_MS))
  if (stop.aborted) hurry()
  else stop.addEventListener('abort', hurry)
  try {
    await app.close()
  } finally {
    stop.removeEventListener('abort', hurry)
    // Clears intervals too.
    for (const timer of timers) clearTimeout(timer)
  }
}
