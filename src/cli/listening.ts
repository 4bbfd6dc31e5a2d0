/** What every command that listens reads, says and waits for. */
import { isLoopback } from '../domain/network.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../server/log.ts'
import type { Cli } from './cli.ts'
import type { Args } from './command.ts'
import { text } from './command.ts'

/** Where to listen, by --host and --port. Throws `usage`. */
export function readAddress(args: Args, defaultPort: number): { host: string; port: number } {
  const port = Number(text(args, 'port') || defaultPort)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new AppError(
      'usage',
      `--port must be a number from 0 to 65535, not ${String(args['port']).slice(0, 40)}.`,
    )
  }
  return { host: text(args, 'host')?.replace(/^\[(.*)\]$/, '$1') || '127.0.0.1', port }
}

/** The names by which --allowed-host lets the service be called. */
export function readAllowedHosts(args: Args): string[] {
  return [args['allowed-host'] ?? []].flat().map(String)
}

/** By --log: a file, else stderr, or nothing with --quiet. */
export async function openLogOf({ globals, io }: Cli, args: Args): Promise<Log> {
  const { openLog, silentLog } = await import('../server/log.ts')
  const file = text(args, 'log') || undefined
  if (globals.quiet && file === undefined) return silentLog
  return openLog(file, (line) => void io.stderr.write(line))
}

/** Says where the service is, which process it is, and to whom it is open. */
export async function sayListening({ io, runtime, settings }: Cli, url: string, host: string): Promise<void> {
  const { pid } = runtime
  await io.stdout.write(
    settings.format === 'json'
      ? `${JSON.stringify({ url, pid }, null, 2)}\n`
      : `Listening on ${url} (process ${pid})\n`,
  )
  if (isLoopback(host)) return
  await io.stderr.write(
    `warning: ${host} is open to other machines, and tokens travel in clear unless TLS ends in front of it.\n`,
  )
}

/** Resolves when the signal is given. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
