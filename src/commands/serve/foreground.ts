/** A service over a store in this process, or in processes that it starts, until a signal stops it. */
import type { CommandContext } from '../../cli/cli.ts'
import type { FlagValues } from '../../cli/command.ts'
import { type makeLogFilterFlags, OTHER_NAMES, readFilter } from '../../cli/log-filter.ts'
import type { Target } from '../../client/client.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { matchesFilter } from '../../core/log-line.ts'
import type { LogFilter } from '../../core/log-line.ts'
import { isLoopback } from '../../core/network.ts'
import type { Service, ServiceDeps } from '../../host/embedded.ts'
import type { ClusterPrimary } from '../../server/cluster-primary.ts'
import type { Heartbeat } from '../../server/heartbeat.ts'
import type { Log } from '../../server/log.ts'
import type { Server } from '../../server/server.ts'
import { resolveAccount } from '../accounts.ts'
import { openControlPlane } from '../hosting/control-plane.ts'
import {
  aborted,
  allowedHostsOf,
  allowedOriginsOf,
  type ListenArgs,
  openLogOf,
  readKeepAlive,
  readTrustedProxies,
  warnOfStore,
  watchUncaught,
} from '../hosting/listening.ts'
import { makeMetrics, type Metrics, type ProcessRole, readMetricsAddress, serveMetrics } from './metrics.ts'

/** The flags that every service in the foreground knows. */
type Flags = ListenArgs &
  FlagValues<ReturnType<typeof makeLogFilterFlags>> & {
    'sandbox-control'?: boolean | undefined
    'private-webhooks'?: boolean | undefined
    metrics?: string | undefined
  }

/** A service that listens: its address, and its control plane where it has one. */
export type ListeningService = {
  url: string
  host: string
  plane: Awaited<ReturnType<typeof openControlPlane>> | undefined
  /** The URL of the metrics, when they have an address of their own. */
  metrics: string | undefined
}

/** A service of several processes: its first process serves no requests. */
type Group = Omit<Server, 'activity'> & { activity?: undefined }

type ServeOptions = {
  args: Flags
  target: Omit<Extract<Target, { kind: 'embedded' }>, 'kind'>
  host: string
  port: number
  stopped: AbortSignal
  /** The number of worker processes; without it this process serves. */
  processes?: number | undefined
  /** This process is one of the workers; the first process reports for them. */
  worker?: true
  /** Aborts when another process has taken the place of this worker. */
  retired?: AbortSignal
  /** Called when this process will end by itself. */
  onFailing?: () => void
  /** Requests are not logged; what goes wrong is. */
  quiet?: true
  /** Reports the address and the next step, once for all processes. */
  present(cli: CommandContext, presented: ListeningService): Promise<void>
}

/** Milliseconds that a process may take to end once no connection of a proxy needs it any more. */
const RETIRE_MS = 30_000

/** Serves until `stopped`. Returns the exit code. */
export async function serveUntil(cli: CommandContext, serving: ServeOptions): Promise<number> {
  const opened = await openLogOf(cli, serving.args)
  const log = serving.quiet === true ? { ...opened, write: () => {} } : opened
  const { signal, deadline } = watchUncaught(cli, log)
  signal.addEventListener('abort', () => serving.onFailing?.(), { once: true })
  return Promise.race([serveStore(cli, serving, log, signal), deadline])
}

async function serveStore(
  cli: CommandContext,
  serving: ServeOptions,
  log: Log,
  failed: AbortSignal,
): Promise<number> {
  const { args, target, host, stopped, retired, processes, worker = false } = serving
  const { runtime } = cli
  // Before the store is opened: a wrong flag must not create a store.
  const [allowedHosts, proxies] = [await allowedHostsOf(args), await readTrustedProxies(args)]
  const allowedOrigins = await allowedOriginsOf(args)
  const keepAlive = readKeepAlive(args)
  const apart = readMetricsAddress(args.metrics)
  const { writing, first, group } = await joinCluster(serving, runtime)
  if (processes === undefined) ignoreRestarts(runtime, log, worker)
  const onBug = (error: unknown, where: string): void => log.note(runtime.now(), where, error)
  const service = await openServiceOf(cli, serving, writing, onBug)
  try {
    const open = isLoopback(host) || args['sandbox-control'] === true
    const plane = open ? await openControlPlane(service, runtime) : undefined
    const metrics = makeMetrics(cli, service, findProcessRole(serving))
    const hosted = {
      service,
      first,
      plane,
      allowedHosts,
      allowedOrigins,
      proxies,
      keepAlive,
      metrics,
      log,
      onBug,
    }
    const own = await serveMetrics(cli, worker ? undefined : apart, { read: metrics.read, log, onBug })
    const server =
      group === undefined
        ? await startHere(cli, serving, hosted)
        : await startProcesses(cli, log, serving, { ...hosted, ...group })
    let withdraw: (() => void) | undefined
    if (!worker) {
      withdraw = plane?.announce(Number(new URL(server.url).port))
      await warnOfStore(cli, target.store)
      await serving.present(cli, { url: server.url, host, plane, metrics: own?.url })
    }
    await metrics.begin(server.activity)
    await aborted(endOf(serving, failed))
    withdraw?.()
    await server.close(retired?.aborted === true ? stopped : undefined)
    await own?.close()
    await metrics.end()
  } finally {
    await service.db.close()
    await log.close()
  }
  return failed.aborted ? EXIT.internal : 0
}

async function openServiceOf(
  cli: CommandContext,
  { target, worker }: ServeOptions,
  writing: Pick<ServiceDeps, 'hand' | 'sqlite'>,
  onBug: HostedService['onBug'],
): Promise<Service> {
  const { openService } = await import('../../host/embedded.ts')
  return openService(target, {
    ...cli.runtime,
    worker: worker === true,
    ...writing,
    firstRun() {},
    debug: (line) => onBug(line, 'gateway'),
    // Reported once for all processes.
    ...(worker !== true && { warn: (line: string) => void cli.say(`warning: ${line}`) }),
  })
}

function findProcessRole({ worker, processes }: ServeOptions): ProcessRole {
  if (worker === true) return 'member'
  return processes === undefined ? 'alone' : 'first'
}

/** Returns how this process writes, and its place in a cluster: that of a member, or of the first process. */
async function joinCluster(
  { worker, processes }: ServeOptions,
  { elapsed }: CommandContext['runtime'],
): Promise<{
  writing: Pick<ServiceDeps, 'hand' | 'sqlite'>
  first?: ClusterPrimary
  group?: { count: number; pulse: Heartbeat }
}> {
  const { SERVICE_PATIENCE_MS: patience } = await import('../../host/hosting.ts')
  if (worker) {
    const first = (await import('../../server/cluster-primary.ts')).openOwnFirst(elapsed)
    return { writing: { hand: first.hand, sqlite: { patience } }, first }
  }
  if (processes === undefined) return { writing: { sqlite: { patience } } }
  const pulse = (await import('../../server/heartbeat.ts')).makeHeartbeat(elapsed)
  return { writing: { sqlite: { patience, watch: pulse.watch } }, group: { count: processes, pulse } }
}

/** Returns the signal for the end of the service. A failing worker goes on until another one has replaced it. */
function endOf({ stopped, retired = stopped, worker }: ServeOptions, failed: AbortSignal): AbortSignal {
  return AbortSignal.any([stopped, worker === true ? retired : failed])
}

type HostedService = {
  service: Service
  first: ClusterPrimary | undefined
  plane: Awaited<ReturnType<typeof openControlPlane>> | undefined
  allowedHosts: readonly string[]
  allowedOrigins: readonly string[]
  proxies: Awaited<ReturnType<typeof readTrustedProxies>>
  keepAlive: number | undefined
  metrics: Metrics
  log: Log
  onBug: (error: unknown, where: string) => void
}

/** Serves in this process. */
async function startHere(
  cli: CommandContext,
  { args, host, port }: ServeOptions,
  {
    service,
    first,
    plane,
    allowedHosts,
    allowedOrigins,
    proxies,
    keepAlive,
    metrics,
    log,
    onBug,
  }: HostedService,
): Promise<Server> {
  const [{ hostedOver }, { startServer }] = await Promise.all([
    import('../../host/hosting.ts'),
    import('../../server/server.ts'),
  ])
  const write = await filterLog(log, service, cli, args)
  const hosted = await hostedOver(service, cli.runtime, first?.canWrite)
  return startServer({
    ...hosted,
    sender: hosted.senderOf({
      // A proxy in front may be for other machines.
      allowPrivate:
        args['private-webhooks'] === true ||
        (isLoopback(host) && allowedHosts.length === 0 && (args['trusted-proxy'] ?? []).length === 0),
      note: (what) => log.tell(cli.runtime.now(), 'webhooks', what),
      onError: (error) => onBug(error, 'webhooks'),
    }),
    control: plane && { ...plane.control, toAll: args['sandbox-control'] === true },
    devices: plane?.devices,
    host,
    port,
    allowedHosts,
    allowedOrigins,
    proxies,
    keepAlive,
    metrics: args.metrics === undefined ? metrics.read : undefined,
    log(entry) {
      metrics.count(entry)
      write(entry)
    },
    onBug,
  })
}

/**
 * Ignores the restart signal in a single process or a worker: the signal may reach a whole group and must not end it.
 */
function ignoreRestarts(runtime: CommandContext['runtime'], log: Log, worker: boolean): void {
  runtime.onRestart(() => {
    if (!worker)
      log.tell(
        runtime.now(),
        'cluster',
        'Only a --cluster server can restart by a signal; stop and start this one.',
      )
  })
}

/** Writes only the matching lines. Throws `usage`, `account_not_found`. */
async function filterLog(
  { write }: Log,
  { db }: Service,
  { runtime }: CommandContext,
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
    filter.accounts = [resolveAccount(data, name).account_id]
  }
  return (entry) => {
    if (matchesFilter({ ...entry, account: entry.account_id }, filter)) write(entry)
  }
}

/** Starts worker processes over a prepared store, at a free address. */
async function startProcesses(
  { runtime }: CommandContext,
  log: Log,
  { args, host, port }: ServeOptions,
  {
    count,
    keepAlive,
    service,
    pulse,
  }: Pick<HostedService, 'keepAlive' | 'service'> & { count: number; pulse: Heartbeat },
): Promise<Group> {
  const [{ startGroup }, { findPort }, { urlOf }, { POOLED_KEEP_ALIVE_MS }, { takesChanges }] =
    await Promise.all([
      import('../../server/cluster.ts'),
      import('../../server/server.ts'),
      import('../../server/admission.ts'),
      import('../../server/capacity.ts'),
      import('../../host/hosting.ts'),
    ])
  const retireMs = (keepAlive ?? POOLED_KEEP_ALIVE_MS) + RETIRE_MS
  const { countForWorkers } = await import('../../gateway/rate-limit.ts')
  countForWorkers()
  const { elapsed, sleep } = runtime
  const note = (what: string): void => log.tell(runtime.now(), 'cluster', what)
  let group: Awaited<ReturnType<typeof startGroup>> | undefined
  // Set at once: without a listener the signal would end this process.
  runtime.onRestart(() => void group?.restart())
  if (args.log) runtime.onHangup(() => group?.reopenLogs())
  for (let attempt = 1; ; attempt++) {
    const found = await findPort(host, port)
    try {
      const started = await startGroup({
        count,
        port: found,
        retireMs,
        note,
        elapsed,
        sleep,
        carry: service.gateway.carry,
        pulse,
        canWrite: () => takesChanges(service),
      })
      group = started
      return { url: urlOf(host, found), close: () => started.close() }
    } catch (error) {
      // Another process may have taken the free port in the meantime.
      if (port !== 0 || attempt === 3 || !(error instanceof AppError && error.code === 'usage')) throw error
    }
  }
}
