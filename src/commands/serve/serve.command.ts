import type { Cli } from '../../cli/cli.ts'
import type { Flag, Given } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { filterFlags, OTHER_NAMES, readFilter } from '../../cli/log-filter.ts'
import { readRouteEngine } from '../../cli/route-engine.ts'
import type { Target } from '../../client/client.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { matchesFilter } from '../../core/log-line.ts'
import type { LogFilter } from '../../core/log-line.ts'
import { isLoopback } from '../../core/network.ts'
import type { Service } from '../../host/embedded.ts'
import type { Log } from '../../server/log.ts'
import type { ServerDeps } from '../../server/server.ts'
import { findAccount } from '../sandbox/accounts.ts'
import { openControlPlane } from './control-plane.ts'
import {
  aborted,
  ALLOWED_HOST_FLAG,
  HOST_FLAG,
  LOG_FLAG,
  openLogOf,
  PORT_FLAG,
  readAddress,
  readAllowedHosts,
  readTrustedProxies,
  sayListening,
  TRUSTED_PROXY_FLAG,
  watchUncaught,
} from './listening.ts'
import { LIMIT_FLAGS, readLimits } from './rate-limits.ts'

const DEFAULT_PORT = 8080
const MAX_PROCESSES = 64

const FLAGS = [
  HOST_FLAG,
  { ...PORT_FLAG, description: `${PORT_FLAG.description}; ${DEFAULT_PORT} without it, 0 takes any free one` },
  ALLOWED_HOST_FLAG,
  TRUSTED_PROXY_FLAG,
  {
    flag: 'sandbox-control',
    kind: 'boolean',
    description: 'serve the control plane to other machines too',
  },
  {
    flag: 'route-engine',
    kind: 'text',
    value: 'osrm=URL',
    description: 'a server that speaks OSRM’s protocol, for distances and times; formula without it',
  },
  ...LIMIT_FLAGS,
  {
    flag: 'cluster',
    kind: 'integer',
    value: 'N',
    description: 'serve with N processes on one store; SIGUSR2 puts new ones in their place, one by one',
  },
  LOG_FLAG,
  ...filterFlags('log only'),
] as const satisfies readonly Flag[]

type Flags = Given<typeof FLAGS>

/** `dray serve`: serves the embedded store over HTTP, until a signal stops it. */
export const serve = defineCommand({
  words: 'serve',
  unshaped: true,
  summary: 'The HTTP service over the embedded store',
  description:
    'Serves every operation at /v1, logins at /oauth and /device, the sandbox’s control plane at /sandbox, the API reference at /docs, /openapi.json, /media, /healthz and /readyz. ' +
    'Ctrl-C or SIGTERM lets what runs finish and then stops; a second one stops at once. A restart loses no call of a client ' +
    'that repeats with its key, as every command does; with --cluster, SIGUSR2 restarts without a gap.',
  flags: FLAGS,
  examples: [
    'dray serve',
    'dray serve --port 0 --json',
    'dray serve --route-engine osrm=http://127.0.0.1:5000',
    'dray serve --cluster 4 --rate-limit default',
    'dray serve --log service.log --status 5xx',
    'dray serve --allowed-host api.example.com --trusted-proxy 127.0.0.1',
    'dray serve --store postgres://dray@db/dray --host 0.0.0.0 --allowed-host api.example.com',
  ],
  async run(cli, args) {
    const { runtime, settings } = cli
    if (settings.target.kind !== 'embedded') {
      throw new AppError(
        'usage',
        'dray serve serves a store of this machine: leave --base-url and remote profiles out.',
      )
    }
    const { host, port } = readAddress(args, DEFAULT_PORT)
    const engine = args['route-engine'] || undefined
    const target = {
      ...settings.target,
      ...(engine !== undefined && { osrm: readRouteEngine(engine, '--route-engine') }),
      limits: readLimits(args),
    }
    const count = readCount(args, target.store)
    const cluster = count === undefined ? undefined : await import('../../server/cluster.ts')
    if (cluster?.isMember() !== true) {
      const stopped = runtime.interruption()
      return serveUntil(cli, { args, target, host, port, stopped, processes: count })
    }
    try {
      const stopped = AbortSignal.any([runtime.interruption(), cluster.drainSignal()])
      const onFailing = (): void => cluster.reportFailing()
      return await serveUntil(cli, { args, target, host, port, stopped, worker: true, onFailing })
    } catch (error) {
      if (await cluster.reportFailure(error)) return 1
      throw error
    }
  },
})

type Serving = {
  args: Flags
  target: Omit<Extract<Target, { kind: 'embedded' }>, 'kind'>
  host: string
  port: number
  stopped: AbortSignal
  /** The number of worker processes; without it this process serves. */
  processes?: number | undefined
  /** This process is one of the workers; the first process reports for them. */
  worker?: true
  /** Called when this process will end by itself. */
  onFailing?: () => void
}

async function serveUntil(cli: Cli, serving: Serving): Promise<number> {
  const log = await openLogOf(cli, serving.args)
  const { signal, deadline } = watchUncaught(cli, log)
  signal.addEventListener('abort', () => serving.onFailing?.(), { once: true })
  return Promise.race([serveStore(cli, serving, log, signal), deadline])
}

async function serveStore(cli: Cli, serving: Serving, log: Log, failed: AbortSignal): Promise<number> {
  const { args, target, host, stopped, processes, worker = false } = serving
  const { runtime } = cli
  // Before the store is opened: a wrong flag must not create a store.
  const proxies = await readTrustedProxies(args)
  const { openService } = await import('../../host/embedded.ts')
  if (processes === undefined) ignoreRestarts(runtime, log, worker)
  const onBug = (error: unknown, where: string): void => log.note(runtime.now(), where, error)
  const service = await openService(target, {
    ...runtime,
    worker,
    firstRun() {},
    debug: (line) => onBug(line, 'gateway'),
    // Reported once for all processes.
    ...(!worker && { warn: (line: string) => void cli.say(`warning: ${line}`) }),
  })
  try {
    const open = isLoopback(host) || args['sandbox-control'] === true
    const plane = open ? await openControlPlane(service, runtime) : undefined
    const server =
      processes === undefined
        ? await startHere(cli, serving, { service, plane, proxies, log, onBug })
        : await startProcesses(cli, log, serving, processes)
    const withdraw = worker ? undefined : plane?.announce(Number(new URL(server.url).port))
    if (!worker) await present(cli, server.url, host, await plane?.createLink(server.url))
    // A failing worker continues until another has replaced it.
    await aborted(worker ? stopped : AbortSignal.any([stopped, failed]))
    withdraw?.()
    await server.close()
  } finally {
    await service.db.close()
    await log.close()
  }
  return failed.aborted ? EXIT.internal : 0
}

type Hosted = {
  service: Service
  plane: Awaited<ReturnType<typeof openControlPlane>> | undefined
  proxies: Awaited<ReturnType<typeof readTrustedProxies>>
  log: Log
  onBug: (error: unknown, where: string) => void
}

/** Serves in this process. */
async function startHere(
  cli: Cli,
  { args, host, port }: Serving,
  { service, plane, proxies, log, onBug }: Hosted,
): Promise<{ url: string; close(): Promise<void> }> {
  const { startServer } = await import('../../server/server.ts')
  return startServer({
    ...(await hosted(service, cli)),
    control: plane?.control,
    devices: plane?.devices,
    host,
    port,
    allowedHosts: readAllowedHosts(args),
    proxies,
    log: await filterLog(log, service, cli, args),
    onBug,
  })
}

/**
 * Ignores the restart signal in a single process or a worker: the signal may reach a whole group and must not end it.
 */
function ignoreRestarts(runtime: Cli['runtime'], log: Log, worker: boolean): void {
  runtime.onRestart(() => {
    if (!worker)
      log.tell(runtime.now(), 'cluster', 'Only --cluster can restart by a signal; stop and start this one.')
  })
}

/** Writes only the matching lines. Throws `usage`, `account_not_found`. */
async function filterLog(
  { write }: Log,
  { db }: Service,
  { runtime }: Cli,
  args: Flags,
): Promise<Log['write']> {
  const name = args.account || undefined
  const [{ ROUTES }, { CONTROL_ROUTES }] = await Promise.all([
    import('../../generated/routes.ts'),
    import('../../generated/control-routes.ts'),
  ])
  const controls = Object.keys(CONTROL_ROUTES).map((control) => `sandbox:${control}`)
  const filter: LogFilter = readFilter(args, [...Object.keys(ROUTES), ...controls, ...OTHER_NAMES])
  if (name !== undefined) {
    const { invokeControl } = await import('../../sandbox/control/invoke.ts')
    const { data } = await invokeControl(db, 'list_accounts', {}, runtime)
    filter.accounts = [findAccount(data, name).account_id]
  }
  return (entry) => {
    if (matchesFilter({ ...entry, account: entry.account_id }, filter)) write(entry)
  }
}

/** Starts worker processes over a prepared store, at a free address. */
async function startProcesses(
  { runtime }: Cli,
  log: Log,
  { target, host, port }: Serving,
  count: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const [{ startGroup }, { findPort }, { bracketed }] = await Promise.all([
    import('../../server/cluster.ts'),
    import('../../server/server.ts'),
    import('../../server/admission.ts'),
  ])
  if (target.limits !== undefined) {
    const { countForWorkers } = await import('../../gateway/rate-limit.ts')
    countForWorkers()
  }
  const { elapsed, sleep } = runtime
  const note = (what: string): void => log.tell(runtime.now(), 'cluster', what)
  let group: Awaited<ReturnType<typeof startGroup>> | undefined
  // Set at once: without a listener the signal would end this process.
  runtime.onRestart(() => void group?.restart())
  for (let attempt = 1; ; attempt++) {
    const found = await findPort(host, port)
    try {
      const started = await startGroup({ count, port: found, note, elapsed, sleep })
      group = started
      return { url: `http://${bracketed(host)}:${found}`, close: () => started.close() }
    } catch (error) {
      // Another process may have taken the free port meanwhile.
      if (port !== 0 || attempt === 3 || !(error instanceof AppError && error.code === 'usage')) throw error
    }
  }
}

/** Reports the address and the next step. `link` lets a browser approve logins. */
async function present(cli: Cli, url: string, host: string, link: string | undefined): Promise<void> {
  const { io, say } = cli
  await sayListening(cli, url, host, link)
  if (!io.stderr.isTTY) return
  await say(`What it takes and answers, with examples: ${url}/docs`)
  if (link === undefined) return
  await say(
    `Ctrl-C stops it. From another terminal: \`dray login --base-url ${url} --profile local\`, then \`dray food list --profile local\`.`,
  )
}

function readCount(args: Flags, store: string): number | undefined {
  const given = args.cluster || undefined
  if (given === undefined) return undefined
  const count = Number(given)
  if (!Number.isInteger(count) || count < 1 || count > MAX_PROCESSES) {
    throw new AppError(
      'usage',
      `--cluster must be a number of processes from 1 to ${MAX_PROCESSES}, not ${given.slice(0, 40)}.`,
    )
  }
  if (store === ':memory:')
    throw new AppError('usage', 'A store in memory is of one process: leave --cluster out, or name a store.')
  return count
}

async function hosted(
  service: Service,
  { runtime }: Cli,
): Promise<
  Pick<
    ServerDeps,
    | 'gateway'
    | 'registry'
    | 'oauth'
    | 'media'
    | 'serviceTime'
    | 'version'
    | 'tick'
    | 'now'
    | 'elapsed'
    | 'weakRandomBytes'
  >
> {
  const [{ openLogins, readOwnMedia, readServiceTime, tickService }, registry] = await Promise.all([
    import('../../host/hosting.ts'),
    import('../../generated/registry.ts'),
  ])
  return {
    gateway: service.gateway,
    registry,
    oauth: { logins: openLogins(service, runtime) },
    media: (credential, mediaId) => readOwnMedia(service, runtime, credential, mediaId),
    serviceTime: () => readServiceTime(service, runtime),
    tick: () => tickService(service, runtime),
    version: runtime.version,
    now: () => runtime.now(),
    elapsed: () => runtime.elapsed(),
    weakRandomBytes: (count) => runtime.weakRandomBytes(count),
  }
}
