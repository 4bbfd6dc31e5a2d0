/** The metrics of `dray serve`: at /metrics for programs of this machine, or with --metrics at an address of their own. */
import type { CommandContext } from '../../cli/cli.ts'
import type { Flag } from '../../cli/command.ts'
import { AppError } from '../../core/errors.ts'
import type { Service } from '../../host/embedded.ts'
import type { Log, LogEntry } from '../../server/log.ts'
import type { Activity, Meter, ReadMetrics } from '../../server/metrics/meter.ts'
import { readListenAddress } from '../hosting/listening.ts'

export const METRICS_FLAG = {
  flag: 'metrics',
  kind: 'text',
  value: 'HOST:PORT',
  description: 'separate address for /metrics. Default: /metrics on the server, for this machine only',
} as const satisfies Flag

export type MetricsAddress = { host: string; port: number }

/** Returns the address of --metrics; undefined without it. Throws `usage`. */
export function readMetricsAddress(given: string | undefined): MetricsAddress | undefined {
  if (given === undefined) return undefined
  const [, host, port] = /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(given) ?? []
  if (host !== undefined && Number(port) <= 65_535) return readListenAddress({ host, port }, 0)
  throw new AppError(
    'usage',
    `--metrics must be an address and a port, such as 127.0.0.1:9464 or [::1]:9464, not ${JSON.stringify(given.slice(0, 60))}.`,
  )
}

/** The place of a process: it serves alone, or it starts the others, or it is one of them. */
export type ProcessRole = 'alone' | 'first' | 'member'

export type Metrics = {
  /** Counts a request, also one before `begin`. */
  count(entry: LogEntry): void
  /** Returns the metrics once they have begun. */
  read: ReadMetrics
  /** Loads the library and begins to count. Called once the service has said that it listens, which so starts sooner. */
  begin(activity?: () => Activity): Promise<void>
  /** Tells the first process the last counts of this one. */
  end(): Promise<void>
}

/** Makes the metrics of this process. */
export function makeMetrics({ runtime }: CommandContext, service: Service, place: ProcessRole): Metrics {
  let meter: Meter | undefined
  /** The requests before the library is loaded. */
  const early: LogEntry[] = []
  const begun = Promise.withResolvers<ReadMetrics>()
  let end: Metrics['end'] = async () => {}
  return {
    count: (entry) => void (meter === undefined ? early.push(entry) : meter.count(entry)),
    read: async (accept) => (await begun.promise)(accept),
    async begin(activity) {
      const [{ makeMeter, writePage }, { readStoreFacts }] = await Promise.all([
        import('../../server/metrics/meter.ts'),
        import('../../host/hosting.ts'),
      ])
      const own = makeMeter({
        version: runtime.version,
        store: service.db,
        activity,
        askStore: place === 'member' ? undefined : () => readStoreFacts(service, runtime),
      })
      meter = own
      for (const entry of early.splice(0)) own.count(entry)
      if (place === 'alone') {
        begun.resolve(async (accept) => writePage([await own.report()], accept))
        return
      }
      const { collectReports, reportToFirst } = await import('../../server/metrics/group.ts')
      if (place === 'first') {
        begun.resolve(collectReports(own.report))
        return
      }
      const member = reportToFirst(own.report)
      begun.resolve(member.read)
      end = member.leave
    },
    end: () => end(),
  }
}

/** Serves the metrics at an address of their own, if they have one. Returns their URL, and what ends it. Throws `usage` when it cannot listen there. */
export async function serveMetrics(
  { runtime }: CommandContext,
  address: MetricsAddress | undefined,
  { read, log, onBug }: { read: ReadMetrics; log: Log; onBug: (error: unknown, where: string) => void },
): Promise<{ url: string; close: () => Promise<void> } | undefined> {
  if (address === undefined) return undefined
  const [{ serveRoutes }, { metricsRoute }] = await Promise.all([
    import('../../server/server.ts'),
    import('../../server/metrics/route.ts'),
  ])
  const server = await serveRoutes(
    {
      ...address,
      log: log.write,
      onBug,
      now: () => runtime.now(),
      elapsed: () => runtime.elapsed(),
      weakRandomBytes: (count) => runtime.weakRandomBytes(count),
      serviceTime: async () => {
        throw new AppError('service_unavailable', 'Metrics have no time of the service.')
      },
      tick: async () => false,
    },
    [metricsRoute(read)],
  ).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'usage') throw error
    const hint = 'Choose another address with --metrics; port 0 picks a free port.'
    throw new AppError('usage', error.message, { hint, cause: error })
  })
  return { url: `${server.url}/metrics`, close: () => server.close() }
}
