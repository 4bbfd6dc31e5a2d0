import { join } from 'node:path'
import type { Target } from '../../client/client.ts'
import type { Service } from '../../client/embedded.ts'
import { randomId } from '../../domain/ids.ts'
import { isMeant } from '../../domain/log-line.ts'
import type { LogFilter } from '../../domain/log-line.ts'
import { isLoopback } from '../../domain/network.ts'
import { AppError } from '../../errors.ts'
import type { Log } from '../../server/log.ts'
import type { RouteParts } from '../../server/routes.ts'
import type { ServerParts } from '../../server/server.ts'
import type { Cli } from '../cli.ts'
import type { Args } from '../command.ts'
import { defineCommand, text } from '../command.ts'
import { aborted, openLogOf, readAddress, readAllowedHosts, sayListening } from '../listening.ts'
import { filterFlags, OTHER_NAMES, readFilter } from '../log-filter.ts'
import { LIMIT_FLAGS, readLimits } from '../rate-limits.ts'
import { readRouteEngine } from '../route-engine.ts'
import { findAccount } from '../sandbox.ts'
import type { SandboxAccount } from '../sandbox.ts'

const DEFAULT_PORT = 8080
const MAX_PROCESSES = 64

/** `dray serve`: the HTTP service over the embedded store, until it is told to stop. */
export const serve = defineCommand({
  words: 'serve',
  summary: 'The HTTP service over the embedded store',
  description:
    'Serves every operation at /v1, logins at /oauth and /device, the sandbox’s control plane at /sandbox, the API reference at /docs, /openapi.json, /media, /healthz and /readyz. ' +
    'Ctrl-C or SIGTERM lets what runs finish and then stops; a second one stops at once. A restart loses no call of a client ' +
    'that repeats with its key, as every command does; with --cluster, SIGUSR2 restarts without a gap.',
  flags: [
    {
      flag: 'host',
      kind: 'text',
      value: 'ADDRESS',
      description: 'address to listen on; 127.0.0.1 without it',
    },
    {
      flag: 'port',
      kind: 'integer',
      value: 'PORT',
      description: `port to listen on; ${DEFAULT_PORT} without it, 0 takes any free one`,
    },
    {
      flag: 'allowed-host',
      kind: 'text',
      value: 'NAME',
      repeat: true,
      description: 'name that a proxy in front passes on as Host',
    },
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
    {
      flag: 'log',
      kind: 'text',
      value: 'FILE',
      description: 'append the log to FILE; stderr without it, nothing with --quiet',
    },
    ...filterFlags('log only'),
  ],
  examples: [
    'dray serve',
    'dray serve --port 0 --json',
    'dray serve --route-engine osrm=http://127.0.0.1:5000',
    'dray serve --cluster 4 --rate-limit default',
    'dray serve --log service.log --status 5xx',
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
    const engine = text(args, 'route-engine') || undefined
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
      return await serveUntil(cli, { args, target, host, port, stopped, worker: true })
    } catch (error) {
      if (await cluster.reportFailure(error)) return 1
      throw error
    }
  },
})

type Serving = {
  args: Args
  target: Omit<Extract<Target, { kind: 'embedded' }>, 'kind'>
  host: string
  port: number
  stopped: AbortSignal
  /** How many others do it; this one itself without them. */
  processes?: number | undefined
  /** One of those others: the first one speaks for it. */
  worker?: true
}

async function serveUntil(cli: Cli, serving: Serving): Promise<number> {
  const { args, target, host, port, stopped, processes, worker = false } = serving
  const { runtime } = cli
  const [{ openService }, log] = await Promise.all([import('../../client/embedded.ts'), openLogOf(cli, args)])
  if (processes === undefined) ignoreRestarts(runtime, log, worker)
  const onBug = (error: unknown, where: string): void => log.note(runtime.now(), where, error)
  const service = await openService(target, {
    ...runtime,
    worker,
    firstRun() {},
    debug: (line) => onBug(line, 'gateway'),
  })
  try {
    const open = isLoopback(host) || args['sandbox-control'] === true
    const announced = await openControl(service, cli, open)
    const { startServer } = await import('../../server/server.ts')
    const server =
      processes === undefined
        ? await startServer({
            ...(await hosted(service, cli)),
            control: announced?.control,
            devices: announced?.devices,
            host,
            port,
            allowedHosts: readAllowedHosts(args),
            log: await filterLog(log, service, cli, args),
            onBug,
          })
        : await startProcesses(cli, log, serving, processes)
    const withdraw = worker ? undefined : announced?.announce(Number(new URL(server.url).port))
    if (!worker) await present(cli, server.url, host, announced !== undefined)
    await aborted(stopped)
    withdraw?.()
    await server.close()
  } finally {
    await service.db.close()
    await log.close()
  }
  return 0
}

/** The signal may reach every process of a group, or the only one there is: it must not end what runs there. */
function ignoreRestarts(runtime: Cli['runtime'], log: Log, worker: boolean): void {
  runtime.onRestart(() => {
    if (!worker)
      log.tell(runtime.now(), 'cluster', 'Only --cluster can restart by a signal; stop and start this one.')
  })
}

/** Writes only the lines that are asked for. Throws `usage`, `account_not_found`. */
async function filterLog(
  { write }: Log,
  { db }: Service,
  { runtime }: Cli,
  args: Args,
): Promise<Log['write']> {
  const name = text(args, 'account') || undefined
  const [{ ROUTES }, { CONTROLS }] = await Promise.all([
    import('../../generated/routes.ts'),
    import('../../control/index.ts'),
  ])
  const controls = Object.keys(CONTROLS).map((control) => `sandbox:${control}`)
  const filter: LogFilter = readFilter(args, [...Object.keys(ROUTES), ...controls, ...OTHER_NAMES])
  if (name !== undefined) {
    const { invokeControl } = await import('../../control/invoke.ts')
    const { data } = (await invokeControl(db, 'list_accounts', {}, runtime)) as { data: SandboxAccount[] }
    filter.accounts = [findAccount(data, name).account_id]
  }
  return (entry) => {
    if (isMeant({ ...entry, account: entry.account_id }, filter)) write(entry)
  }
}

/** Others that serve, over a store that is ready, at an address that is free. */
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
  // From the start: without a listener the signal would end this process.
  runtime.onRestart(() => void group?.restart())
  for (let attempt = 1; ; attempt++) {
    const found = await findPort(host, port)
    try {
      const started = await startGroup({ count, port: found, note, elapsed, sleep })
      group = started
      return { url: `http://${bracketed(host)}:${found}`, close: () => started.close() }
    } catch (error) {
      // Somebody else may have taken the free port that was found.
      if (port !== 0 || attempt === 3 || !(error instanceof AppError && error.code === 'usage')) throw error
    }
  }
}

/** Says where the service is, and what to do next. */
async function present(cli: Cli, url: string, host: string, controlled: boolean): Promise<void> {
  const { io, say } = cli
  await sayListening(cli, url, host)
  if (io.stderr.isTTY) await say(`What it takes and answers, with examples: ${url}/docs`)
  if (io.stderr.isTTY && controlled) {
    await say(
      `Ctrl-C stops it. From another terminal: \`dray login --base-url ${url} --profile local\`, then \`dray food list --profile local\`.`,
    )
  }
}

function readCount(args: Args, store: string): number | undefined {
  const given = text(args, 'cluster') || undefined
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
    ServerParts,
    | 'gateway'
    | 'registry'
    | 'oauth'
    | 'media'
    | 'serviceTime'
    | 'version'
    | 'tick'
    | 'now'
    | 'elapsed'
    | 'noise'
  >
> {
  const [{ openLogins, readOwnMedia, readServiceTime, tickService }, registry] = await Promise.all([
    import('../../client/hosting.ts'),
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
    noise: (count) => runtime.noise(count),
  }
}

/** The control plane with its token, and how to tell clients on this machine; undefined where it is off. */
async function openControl(
  service: Service,
  { runtime }: Cli,
  on: boolean,
): Promise<
  (Required<Pick<RouteParts, 'control' | 'devices'>> & { announce(port: number): () => void }) | undefined
> {
  if (!on) return undefined
  const [
    { announceService, ensureControlToken },
    { openDeviceDesk },
    { invokeControl },
    { listControls },
    { loadSnapshot, saveSnapshot },
  ] = await Promise.all([
    import('../../client/control-token.ts'),
    import('../../client/device-desk.ts'),
    import('../../control/invoke.ts'),
    import('../../control/index.ts'),
    import('../../control/snapshot.ts'),
  ])
  const { now, random, env } = runtime
  const parts = { now, random, env, requests: service.requests }
  const token = ensureControlToken(service.store, runtime.paths.state, runtime)
  return {
    control: {
      token,
      calls: await listControls(),
      invoke: (name, input) => invokeControl(service.db, name, input, parts),
      snapshots: {
        folder: join(runtime.paths.state, 'spool'),
        newName: () => randomId('snap', runtime.now(), runtime.noise(10)),
        save: (keep) => saveSnapshot(service.db, runtime.now(), keep),
        load: (open) => loadSnapshot(service.db, runtime.now(), open),
      },
    },
    devices: openDeviceDesk(service, runtime),
    announce: (port) => announceService(port, token, runtime.paths.state),
  }
}
