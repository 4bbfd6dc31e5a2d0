/** `dray mcp --http`: serves the tools at /mcp; each caller has its own token. */
import { join } from 'node:path'
import type { CommandContext } from '../../cli/cli.ts'
import { clientWithToken } from '../../client/client.ts'
import type { Client, Identity } from '../../client/client.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { isLoopback } from '../../core/network.ts'
import type { GuardState } from '../../mcp/guard-types.ts'
import { makeGuard } from '../../mcp/guard.ts'
import { makeHttpHandler } from '../../mcp/http.ts'
import type { HttpHandler } from '../../mcp/http.ts'
import { filterToolsByScopes } from '../../mcp/toolsets.ts'
import type { Log } from '../../server/log.ts'
import type { McpCaller, McpRouteDeps } from '../../server/mcp.ts'
import type { TrustedProxies } from '../../server/origin.ts'
import type { Route, RouteDeps } from '../../server/route.ts'
import type { openControlPlane } from '../hosting/control-plane.ts'
import {
  aborted,
  allowedHostsOf,
  allowedOriginsOf,
  interruptionOf,
  type ListenArgs,
  openLogOf,
  readListenAddress,
  readKeepAlive,
  readTrustedProxies,
  printListening,
  warnOfStore,
  watchUncaught,
} from '../hosting/listening.ts'
import { purseOf } from './guard.ts'
import { NOBODY } from './stdio.ts'
import type { McpStartOptions } from './stdio.ts'

const DEFAULT_PORT = 8081

/** Serves until the first signal, finishes running requests, and returns the exit code. */
export async function serveTools(
  cli: CommandContext,
  args: ListenArgs,
  chosen: McpStartOptions,
): Promise<number> {
  const address = readListenAddress(args, DEFAULT_PORT)
  const stopped = interruptionOf(cli, args)
  const log = await openLogOf(cli, args)
  const { signal, deadline } = watchUncaught(cli, log)
  const serving = {
    ...address,
    allowedHosts: await allowedHostsOf(args),
    allowedOrigins: await allowedOriginsOf(args),
    proxies: await readTrustedProxies(args),
    keepAlive: readKeepAlive(args),
    log,
    stopped,
    failed: signal,
  }
  return Promise.race([serveUntil(cli, chosen, serving), deadline])
}

type McpServeOptions = {
  host: string
  port: number
  allowedHosts: readonly string[]
  allowedOrigins: readonly string[]
  proxies: TrustedProxies
  keepAlive: number | undefined
  log: Log
  stopped: AbortSignal
  failed: AbortSignal
}

async function serveUntil(
  cli: CommandContext,
  chosen: McpStartOptions,
  serving: McpServeOptions,
): Promise<number> {
  const { runtime, settings } = cli
  const { host, port, allowedHosts, allowedOrigins, log, stopped, failed, proxies, keepAlive } = serving
  const [{ serveRoutes }, { mcpRoutes }] = await Promise.all([
    import('../../server/server.ts'),
    import('../../server/mcp.ts'),
  ])
  const onBug = (error: unknown, where: string): void => log.note(runtime.now(), where, error)
  const handler = makeHttpHandler((error) => {
    if (settings.debug) onBug(error, 'mcp')
  })
  const open = settings.target.kind === 'embedded' ? embeddedBackend : remoteBackend
  const behind = await open(cli, { chosen, handler, onBug, approval: isLoopback(host) })
  try {
    const server = await serveRoutes(
      {
        host,
        port,
        allowedHosts,
        allowedOrigins,
        proxies,
        keepAlive,
        command: 'dray mcp --http',
        log: log.write,
        onBug,
        now: () => runtime.now(),
        elapsed: () => runtime.elapsed(),
        weakRandomBytes: (count) => runtime.weakRandomBytes(count),
        serviceTime: behind.serviceTime,
        tick: behind.tick,
      },
      [...mcpRoutes({ ...behind, onBug }), ...behind.routes],
    )
    const withdraw = behind.plane?.announce(Number(new URL(server.url).port))
    const link = await behind.plane?.createLink(server.url)
    await printListening(cli, `${server.url}/mcp`, host, { link })
    await cli.say(behind.next)
    await aborted(AbortSignal.any([stopped, failed]))
    withdraw?.()
    await handler.close()
    await server.close()
  } finally {
    await behind.close()
    await log.close()
  }
  return failed.aborted ? EXIT.internal : 0
}

type McpBackendOptions = {
  chosen: McpStartOptions
  handler: HttpHandler
  onBug: (error: unknown, where: string) => void
  /** True if a page lets people approve logins of programs. */
  approval: boolean
}

type Backend = Omit<McpRouteDeps, 'onBug'> & {
  routes: readonly Route[]
  /** The control plane through which people approve logins of programs; undefined where they may not. */
  plane?: Awaited<ReturnType<typeof openControlPlane>> | undefined
  tick: () => Promise<boolean>
  close(): Promise<void>
}

/** Serves the store of this machine: callers use tokens of its accounts. */
async function embeddedBackend(
  cli: CommandContext,
  { chosen, handler, onBug, approval }: McpBackendOptions,
): Promise<Backend> {
  const { runtime, settings } = cli
  if (settings.target.kind !== 'embedded') throw new Error('no store')
  const [
    { createEmbeddedClient, openService },
    hosting,
    { oauthRoutes },
    { devicePageRoutes },
    { controlRoutes },
    { openControlPlane },
  ] = await Promise.all([
    import('../../host/embedded.ts'),
    import('../../host/hosting.ts'),
    import('../../server/oauth.ts'),
    import('../../server/device-page/routes.ts'),
    import('../../server/routes.ts'),
    import('../hosting/control-plane.ts'),
  ])
  const parts = {
    ...runtime,
    firstRun() {},
    sqlite: { patience: hosting.SERVICE_PATIENCE_MS },
    debug: (line: string) => onBug(line, 'gateway'),
    warn: (line: string) => void cli.say(`warning: ${line}`),
  }
  const service = await openService(settings.target, parts)
  await warnOfStore(cli, settings.target.store)
  const client = createEmbeddedClient(service, settings.target.account, parts)
  const serviceTime = (): Promise<string> => hosting.readServiceTime(service, runtime)
  const callers = makeCallers(cli, chosen, handler, onBug)
  const plane = approval ? await openControlPlane(service, runtime) : undefined
  return {
    plane,
    async admit(credential) {
      if (credential === undefined || !('token' in credential)) throw missing('an account of this sandbox')
      const own = clientWithToken(client, credential.token)
      const caller = await own.whoAmI()
      return callers(own, caller, caller.account ?? null)
    },
    discovery: true,
    environment: () => 'sandbox',
    serviceTime,
    ready: () => hosting.assertReady(service, runtime),
    tick: () => hosting.tickService(service, runtime),
    routes: [
      ...oauthRoutes({ logins: hosting.openLogins(service, runtime), approval, serviceTime, onBug }),
      ...(plane === undefined
        ? []
        : [
            ...devicePageRoutes({ devices: plane.devices, serviceTime }),
            ...controlRoutes({ control: approvalsOf(plane.control), serviceTime }),
          ]),
    ],
    close: () => client.close(),
    next: 'Send a bearer token: `dray sandbox account token everything` creates one.',
  }
}

/** Keeps only the control calls that approve logins: the others belong to `dray serve`. */
function approvalsOf({ token, calls, invoke }: NonNullable<RouteDeps['control']>): RouteDeps['control'] {
  const names = ['approve_device', 'create_approval_link']
  return { token, invoke, calls: calls.filter(({ name }) => names.includes(name)) }
}

/** Serves for a remote service: callers use this server's token, and calls use the profile's. */
async function remoteBackend(
  cli: CommandContext,
  { chosen, handler, onBug }: McpBackendOptions,
): Promise<Backend> {
  const {
    runtime,
    settings: { profile, target },
  } = cli
  const [{ ensureToken }, { isSameSecret }] = await Promise.all([
    import('../../client/control-token.ts'),
    import('../../server/bearer.ts'),
  ])
  const file = join(runtime.paths.state, 'mcp', `${profile}.token`)
  const token = ensureToken(file, 'dray_mcp_', runtime)
  const client = await cli.client()
  const callers = makeCallers(cli, chosen, handler, onBug)
  let identity: Promise<Identity> | undefined
  return {
    async admit(credential) {
      if (credential === undefined || !('token' in credential)) throw missing('this server')
      if (!isSameSecret(credential.token, token))
        throw new AppError('invalid_token', 'Invalid token for this server.')
      // A failed lookup is repeated with the next request.
      identity ??= client.whoAmI()
      const caller = await identity.catch(() => {
        identity = undefined
        return undefined
      })
      // All callers are one account there, even when its name cannot be looked up.
      return callers(client, caller, target.account ?? null)
    },
    discovery: false,
    environment: () => client.latestFacts()?.environment,
    ready: () => client.whoAmI(),
    // Not requested for every call: the service's responses contain its time.
    serviceTime: async () => {
      throw new AppError('service_unavailable', 'The clock belongs to a server elsewhere.')
    },
    tick: async () => false,
    routes: [],
    close: async () => {},
    next: tokenHint(file),
  }
}

function tokenHint(file: string): string {
  return `Send the bearer token in ${file}; it works only for this server.`
}

function missing(whose: string): AppError {
  return new AppError('missing_token', `The request has no token of ${whose}.`)
}

/**
 * Returns the tools and the guard of each caller: tools within its scopes, and one guard per account for the life of
 * the server.
 */
function makeCallers(
  { settings, runtime }: CommandContext,
  { guard, tools, ...chosen }: McpStartOptions,
  handler: HttpHandler,
  onBug: McpBackendOptions['onBug'],
): (client: Client, known: Identity | undefined, account: string | null) => McpCaller {
  const guards = new Map<string | null, GuardState>()
  const guardOf = (client: Client, known: Identity | undefined, account: string | null): GuardState => {
    const purse = purseOf(settings.target, client, {
      caller: known,
      named: account,
      state: runtime.paths.state,
    })
    const found = guards.get(account) ?? makeGuard({ ...guard, actor: { ...guard.actor, account } }, purse)
    guards.set(account, found)
    return found
  }
  return (client, known, account) => {
    const caller = known ?? NOBODY
    return {
      accountId: caller.accountId,
      media: (mediaId) => client.media(mediaId),
      answer: (request, body, origin) =>
        handler.answer(request, body, {
          ...chosen,
          client,
          caller,
          guard: guardOf(client, known, account),
          tools: filterToolsByScopes(tools, caller.scopes),
          version: runtime.version,
          pictureAddress: (mediaId) => `${origin}/media/${mediaId}`,
          onError: (error) => onBug(error, 'mcp'),
        }),
    }
  }
}
