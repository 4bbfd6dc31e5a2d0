import type { CommandContext } from '../../cli/cli.ts'
import type { Flag, FlagValues } from '../../cli/command.ts'
import { defineCommand } from '../../cli/define-command.ts'
import { makeLogFilterFlags } from '../../cli/log-filter.ts'
import { AppError } from '../../core/errors.ts'
import { DEFAULT_PORT } from '../hosting/default-port.ts'
import {
  ALLOWED_HOST_FLAG,
  ALLOWED_ORIGIN_FLAG,
  HOST_FLAG,
  interruptionOf,
  KEEP_ALIVE_FLAG,
  LOG_FLAG,
  PORT_FLAG,
  readListenAddress,
  printListening,
  TRUSTED_PROXY_FLAG,
} from '../hosting/listening.ts'
import { LIMIT_FLAGS, readLimits } from '../hosting/rate-limits.ts'
import { type ListeningService, serveUntil } from './foreground.ts'
import { METRICS_FLAG } from './metrics.ts'

const MAX_PROCESSES = 64

const FLAGS = [
  HOST_FLAG,
  { ...PORT_FLAG, description: `${PORT_FLAG.description}. Default: ${DEFAULT_PORT}; 0 picks a free port` },
  ALLOWED_HOST_FLAG,
  ALLOWED_ORIGIN_FLAG,
  TRUSTED_PROXY_FLAG,
  KEEP_ALIVE_FLAG,
  {
    flag: 'sandbox-control',
    kind: 'boolean',
    description: 'serve the control plane to other machines too',
  },
  {
    flag: 'private-webhooks',
    kind: 'boolean',
    description:
      'deliver webhooks to private addresses. Default: only if no other machine reaches the server',
  },
  ...LIMIT_FLAGS,
  {
    flag: 'cluster',
    kind: 'integer',
    value: 'N',
    description: 'run N processes on one store; SIGUSR2 restarts them one by one',
  },
  METRICS_FLAG,
  LOG_FLAG,
  ...makeLogFilterFlags('log only'),
] as const satisfies readonly Flag[]

/** `dray serve`: serves the embedded store over HTTP, until a signal stops it. */
export const serve = defineCommand({
  words: 'serve',
  unshaped: true,
  summary: 'Run the HTTP server on the embedded store',
  description:
    'Serves every operation at /v1, logins at /oauth and /device, the sandbox’s control plane at /sandbox, the API reference at /docs, /openapi.json, /media, /healthz, /readyz and /metrics. ' +
    'Ctrl-C or SIGTERM stops it after the current requests; a second one stops at once. A restart loses no call of a client ' +
    'that retries with its key, as every command does; with --cluster, SIGUSR2 restarts without downtime.',
  flags: FLAGS,
  examples: [
    'dray serve',
    'dray serve --port 0 --json',
    'dray serve --cluster 4 --rate-limit default',
    'dray serve --log service.log --status 5xx',
    'dray serve --allowed-host api.example.com --trusted-proxy 127.0.0.1',
    'dray serve --allowed-origin http://localhost:5173',
    'dray serve --metrics 127.0.0.1:9464',
    'dray serve --store postgres://dray@db/dray --host 0.0.0.0 --allowed-host api.example.com',
  ],
  async run(cli, args) {
    const { settings } = cli
    if (settings.target.kind !== 'embedded') {
      throw new AppError(
        'usage',
        'dray serve serves a store of this machine: leave --base-url and remote profiles out.',
      )
    }
    const { host, port } = readListenAddress(args, DEFAULT_PORT)
    const target = { ...settings.target, limits: readLimits(args) }
    const count = readCount(args, target.store)
    const cluster = count === undefined ? undefined : await import('../../server/cluster.ts')
    if (cluster?.isMember() !== true) {
      const stopped = interruptionOf(cli, args)
      return serveUntil(cli, { args, target, host, port, stopped, processes: count, present })
    }
    try {
      const { drained, retired } = cluster.leaveSignals()
      const stopped = AbortSignal.any([interruptionOf(cli, args), drained])
      const onFailing = (): void => cluster.reportFailing()
      const member = { worker: true, retired, onFailing } as const
      return await serveUntil(cli, { args, target, host, port, stopped, present, ...member })
    } catch (error) {
      if (await cluster.reportFailure(error)) return 1
      throw error
    }
  },
})

/** Reports the address and the next step. A link lets a browser approve logins. */
async function present(cli: CommandContext, { url, host, plane, metrics }: ListeningService): Promise<void> {
  const { io, say } = cli
  const link = await plane?.createLink(url)
  await printListening(cli, url, host, { link, metrics, tokenFile: plane?.tokenFile })
  if (!io.stderr.isTTY) return
  await say(`API reference with examples: ${url}/docs`)
  if (link === undefined) return
  await say(
    `Ctrl-C stops it. From another terminal: \`dray login --base-url ${url} --profile local\`, then \`dray food list --profile local\`.`,
  )
}

function readCount(args: Pick<FlagValues<typeof FLAGS>, 'cluster'>, store: string): number | undefined {
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
    throw new AppError(
      'usage',
      'A store in memory works with one process only: leave out --cluster, or set a store.',
    )
  return count
}
