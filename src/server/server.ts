/**
 * HTTP over the gateway. The server only translates: it admits a request, hands the gateway its text and the way to its
 * bytes, and writes the answer.
 */
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../core/errors.ts'
import { bracketed } from './admission.ts'
import { makeApp } from './app.ts'
import { CAPACITY } from './capacity.ts'
import type { Capacity } from './capacity.ts'
import type { Proxies } from './origin.ts'
import type { AppDeps, Timeouts } from './requests.ts'
import type { Route, RouteDeps } from './route.ts'
import { makeRoutes } from './routes.ts'
import { startTicks } from './ticks.ts'

export type ListenParts = AppDeps & {
  host: string
  /** 0 takes any free port. */
  port: number
  /** Names that a proxy in front passes on as Host. */
  allowedHosts?: readonly string[]
  /** The proxies in front whose forwarded headers are believed; none without it. */
  proxies?: Proxies
  /** What starts it, in hints. */
  command?: string
  /** Applies some of what is due in the whole store; tells whether more is. */
  tick: () => Promise<boolean>
  timeouts?: Partial<Timeouts>
  capacity?: Partial<Capacity>
}

export type ServerParts = RouteDeps & ListenParts

const TIMEOUTS: Timeouts = {
  headers: 15_000,
  request: 60_000,
  grace: 10_000,
  keepAlive: 5_000,
  idle: 120_000,
  read: 30_000,
  close: 10_000,
}

/** How long a connection may still bring a request once the server closes; the answer says that it was the last. */
const LINGER_MS = 250

export type Server = {
  /** Where it listens, as `http://127.0.0.1:8080`. */
  url: string
  /** Takes no more connections, lets requests under way finish, and stops the ticks. The store stays open. */
  close(): Promise<void>
}

/** Listens, and answers until it is closed. Throws `usage` when the address cannot be had. */
export async function startServer(parts: ServerParts): Promise<Server> {
  return serveRoutes(parts, await makeRoutes(parts))
}

/** The same with routes of the caller's. */
export async function serveRoutes(parts: ListenParts, routes: readonly Route[]): Promise<Server> {
  const { host, port, allowedHosts = [], proxies, command } = parts
  const timeouts = { ...TIMEOUTS, ...parts.timeouts }
  const closing = { now: false }
  // Kept: a server that closes has no address any more, and still answers on the connections that it took.
  let bound = port
  const app = await makeApp(parts, routes, {
    addressing: { host, port: () => bound, allowedHosts, proxies, command },
    timeouts,
    capacity: { ...CAPACITY, ...parts.capacity },
    closing,
  })
  app.server.once('listening', () => (bound = portOf(app)))
  await listen(app, host, port)
  const ticks = startTicks(parts.tick, (error) => parts.onBug(error, 'tick'))
  return {
    url: `http://${bracketed(host)}:${bound}`,
    async close() {
      closing.now = true
      await Promise.all([ticks.stop(), closeGently(app, timeouts.close)])
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

/** A port on which somebody could listen now: this one, or any free one for 0. Throws `usage`. */
export async function findPort(host: string, port: number): Promise<number> {
  const app = Fastify()
  await listen(app, host, port)
  const found = portOf(app)
  await app.close()
  return found
}

async function closeGently(app: FastifyInstance, deadline: number): Promise<void> {
  const { server } = app
  const closeIdle = server.closeIdleConnections.bind(server)
  // Node would do it at once, also to those whose next request is on its way: it would be lost.
  server.closeIdleConnections = () => {}
  let idle: NodeJS.Timeout | undefined
  const lingered = setTimeout(() => (idle = setInterval(closeIdle, 50)), LINGER_MS)
  const late = setTimeout(() => server.closeAllConnections(), deadline)
  try {
    await app.close()
  } finally {
    clearTimeout(lingered)
    clearInterval(idle)
    clearTimeout(late)
  }
}
