/** The flags, messages and signals of every command that listens. */
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { AppError, EXIT } from '../../core/errors.ts'
import { bracketed, isLoopback, isPostgresUrl, unbracketed } from '../../core/network.ts'
import type { Log } from '../../server/log.ts'
import type { TrustedProxies } from '../../server/origin.ts'

export const HOST_FLAG = {
  flag: 'host',
  kind: 'text',
  value: 'ADDRESS',
  description: 'address to listen on. Default: 127.0.0.1',
} as const satisfies Flag

export const PORT_FLAG = {
  flag: 'port',
  kind: 'integer',
  value: 'PORT',
  description: 'port to listen on',
} as const satisfies Flag

export const ALLOWED_HOST_FLAG = {
  flag: 'allowed-host',
  kind: 'text',
  value: 'NAME',
  repeat: true,
  description: 'Host name that a reverse proxy forwards',
} as const satisfies Flag

export const ALLOWED_ORIGIN_FLAG = {
  flag: 'allowed-origin',
  kind: 'text',
  value: 'URL',
  repeat: true,
  description: 'origin whose pages may call the API with a token, such as http://localhost:5173',
} as const satisfies Flag

export const TRUSTED_PROXY_FLAG = {
  flag: 'trusted-proxy',
  kind: 'text',
  value: 'ADDRESS|CIDR',
  repeat: true,
  description: 'reverse proxy whose X-Forwarded-For and X-Forwarded-Proto are trusted',
} as const satisfies Flag

export const KEEP_ALIVE_FLAG = {
  flag: 'keep-alive',
  kind: 'integer',
  value: 'SECONDS',
  description: 'idle timeout of connections in seconds. Default: 75 for a --trusted-proxy, 5 for others',
} as const satisfies Flag

export const LOG_FLAG = {
  flag: 'log',
  kind: 'text',
  value: 'FILE',
  fileAccess: 'write',
  description: 'append the log to FILE; SIGHUP reopens it. Default: stderr, or nothing with --quiet',
} as const satisfies Flag

/** The flags of every command that listens. */
export type ListenArgs = FlagValues<
  readonly [
    typeof HOST_FLAG,
    typeof PORT_FLAG,
    typeof ALLOWED_HOST_FLAG,
    typeof ALLOWED_ORIGIN_FLAG,
    typeof TRUSTED_PROXY_FLAG,
    typeof KEEP_ALIVE_FLAG,
    typeof LOG_FLAG,
  ]
>

/** Returns where to listen, by --host and --port. Throws `usage`. */
export function readListenAddress(
  args: Pick<ListenArgs, 'host' | 'port'>,
  defaultPort: number,
): { host: string; port: number } {
  const port = Number(args.port || defaultPort)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new AppError(
      'usage',
      `--port must be a number from 0 to 65535, not ${String(args.port).slice(0, 40)}.`,
    )
  }
  const given = unbracketed(args.host ?? '') || '127.0.0.1'
  // One spelling for each address: 0 is 0.0.0.0, and 0:0:0:0:0:0:0:1 is ::1.
  const { hostname = given } = URL.parse(`http://${bracketed(given)}`) ?? {}
  return { host: unbracketed(hostname), port }
}

/** Returns the names of --allowed-host, as a Host header has them. Throws `usage`. */
export async function allowedHostsOf(args: ListenArgs): Promise<readonly string[]> {
  const { readAllowedHosts } = await import('../../server/admission.ts')
  return readAllowedHosts(args['allowed-host'] ?? [])
}

/** Returns the origins of --allowed-origin, as browsers send them. Throws `usage`. */
export async function allowedOriginsOf(args: ListenArgs): Promise<readonly string[]> {
  const { readAllowedOrigins } = await import('../../server/cross-origin.ts')
  return readAllowedOrigins(args['allowed-origin'] ?? [])
}

/** Returns the proxies with trusted forwarded headers, by --trusted-proxy. Throws `usage`. */
export async function readTrustedProxies(args: ListenArgs): Promise<TrustedProxies> {
  const { parseTrustedProxies } = await import('../../server/origin.ts')
  return parseTrustedProxies(args['trusted-proxy'] ?? [])
}

/** The longest time of --keep-alive, in seconds. */
const MAX_KEEP_ALIVE_SECONDS = 3600

/** Returns how long connections may be idle, in milliseconds, by --keep-alive; undefined without it. Throws `usage`. */
export function readKeepAlive(args: ListenArgs): number | undefined {
  const given = args['keep-alive']
  if (given === undefined) return undefined
  const seconds = Number(given)
  if (given !== '' && Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_KEEP_ALIVE_SECONDS)
    return seconds * 1000
  throw new AppError(
    'usage',
    `--keep-alive must be a number of seconds from 1 to ${MAX_KEEP_ALIVE_SECONDS}, not ${given.slice(0, 40)}.`,
    { hint: 'Use more than the reverse proxy does: nginx closes idle connections after 60 seconds.' },
  )
}

/** Returns the signal that stops a service. With --log, SIGHUP does not: it opens the file again, for logrotate. */
export function interruptionOf({ runtime }: CommandContext, args: ListenArgs): AbortSignal {
  return runtime.interruption({ hangup: (args.log || undefined) === undefined })
}

/** Opens the log of --log: a file, else stderr, or none with --quiet. At a terminal its lines are for people. */
export async function openLogOf(
  { globals, io, runtime, settings }: CommandContext,
  args: ListenArgs,
): Promise<Log> {
  const { openLog, silentLog } = await import('../../server/log.ts')
  const file = args.log || undefined
  if (globals.quiet && file === undefined) return silentLog
  const sink = (line: string): void => void io.stderr.write(line)
  if (file !== undefined) {
    const log = await openLog(file, sink)
    const onFailure = (error: unknown): void => log.note(runtime.now(), 'log', error)
    runtime.onHangup(() => void log.reopen().catch(onFailure))
    return log
  }
  if (!io.stderr.isTTY) return openLog(file, sink)
  const [{ toLine }, { hasColour, makePaint }] = await Promise.all([
    import('./log-line.ts'),
    import('../../cli/output/colour.ts'),
  ])
  const style = makePaint(hasColour(io.stderr, io.env, settings.color))
  return openLog(undefined, sink, (line) => toLine(line, style))
}

/**
 * Reports the address, the process id and who can reach the service. `link` lets a browser approve logins: programs get
 * it as a field, people as a sentence, a log never.
 */
export async function printListening(
  { io, runtime, settings, say }: CommandContext,
  url: string,
  host: string,
  {
    link,
    metrics,
    tokenFile,
  }: { link: string | undefined; metrics?: string | undefined; tokenFile?: string | undefined },
): Promise<void> {
  const { pid } = runtime
  // --base-url takes no other: tokens go to another machine by TLS only, which ends in a proxy.
  const isUsable = isLoopback(new URL(url).hostname)
  await io.stdout.write(
    settings.format === 'json'
      ? `${JSON.stringify({ url, base_url: isUsable ? url : null, pid, metrics_url: metrics, approval_link: link, control_token_file: tokenFile }, null, 2)}
`
      : `Listening on ${url} (process ${pid})${metrics === undefined ? '' : `, metrics at ${metrics}`}
`,
  )
  if (!isLoopback(host)) {
    await io.stderr.write(
      `warning: ${host} is open to other machines, and tokens are sent unencrypted unless a proxy in front uses TLS.\n`,
    )
  }
  if (!isUsable)
    await say(`\`--base-url\` does not take ${url}: give clients the https URL of the proxy in front of it.`)
  if (link !== undefined && io.stderr.isTTY) {
    await say(`To approve logins in a browser, open this link; it works once, for ten minutes: ${link}`)
    await say('`dray sandbox approve` prints another.')
  }
}

/** Warns of what a PostgreSQL server can lose, by its settings and standbys. */
export async function warnOfStore(cli: CommandContext, store: string): Promise<void> {
  if (!isPostgresUrl(store)) return
  const { readWarnings } = await import('../postgres.ts')
  for (const line of await readWarnings(store)) await cli.say(`warning: ${line}`)
}

/** Resolves when the signal is given. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** The time to finish after an error that no code caught, in milliseconds. */
const LAST_MS = 20_000

export type UncaughtErrorWatch = {
  /** Aborted by the first error that no code caught. */
  signal: AbortSignal
  /** Resolves to the exit code after a delay, whatever still runs. */
  deadline: Promise<number>
}

/**
 * Logs errors that no code caught. After one, the memory of the process may be wrong: it finishes its requests and
 * ends. The store stays correct, since a transaction without a commit leaves nothing.
 */
export function watchUncaught({ runtime }: CommandContext, log: Log): UncaughtErrorWatch {
  const failed = new AbortController()
  runtime.onUncaught((error) => {
    log.note(runtime.now(), 'uncaught', error)
    failed.abort()
  })
  return {
    signal: failed.signal,
    deadline: aborted(failed.signal)
      .then(() => runtime.sleep(LAST_MS))
      .then(() => EXIT.internal),
  }
}
