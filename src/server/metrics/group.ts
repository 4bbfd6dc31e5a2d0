/**
 * Metrics of a service of several processes. Whoever is asked, the first process collects the reports of all, and keeps
 * the counts of those that have ended.
 */
import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { AppError } from '../../core/errors.ts'
import { addCounts, type MetricsText, type ReadMetrics, type MetricsReport, writePage } from './meter.ts'
import { within } from './within.ts'

/** The first process goes on without a process that says nothing for so many milliseconds: it may be frozen. */
const REPORT_MS = 1000
/** A process that serves waits so long for the first one. */
const PAGE_MS = 3000

/** Messages between the processes. A `report` without a number is the last one of a process that ends. */
type ToFirst = { metrics?: { report: MetricsReport; id?: number } | { page: number; accept: string } }
type ToMember = { metrics?: { ask: number } | { page: number; made: MetricsText | undefined } }

/** In the first process: answers the others, and returns what reads the metrics of all. `own` is its own report. */
export function collectReports(own: () => Promise<MetricsReport>): ReadMetrics {
  const asked = new Map<number, (report: MetricsReport) => void>()
  /** The latest report of each process that runs. */
  const latest = new Map<Worker, MetricsReport>()
  let ended: Promise<MetricsReport> = Promise.resolve([])
  let last = 0

  async function ask(worker: Worker): Promise<void> {
    const id = ++last
    const { promise, resolve } = Promise.withResolvers<MetricsReport>()
    asked.set(id, resolve)
    worker.send({ metrics: { ask: id } } satisfies ToMember, () => {})
    const report = await within(REPORT_MS, promise)
    asked.delete(id)
    if (report !== undefined && worker.isConnected()) latest.set(worker, report)
  }

  const read: ReadMetrics = async (accept) => {
    const workers = Object.values(cluster.workers ?? {})
    await Promise.all(workers.map(async (worker) => worker?.isConnected() && ask(worker)))
    const answered = [...latest.values()]
    return writePage([await own(), await ended, ...answered], accept)
  }

  cluster.on('message', (worker, message: unknown) => {
    const { metrics } = (message ?? {}) as ToFirst
    if (metrics === undefined) return
    if ('report' in metrics) {
      if (metrics.id === undefined) latest.set(worker, metrics.report)
      else asked.get(metrics.id)?.(metrics.report)
      return
    }
    const { page, accept } = metrics
    void read(accept)
      .catch(() => undefined)
      .then((made) => worker.send({ metrics: { page, made } } satisfies ToMember, () => {}))
  })
  // All that it sent has arrived.
  cluster.on('disconnect', (worker) => {
    const report = latest.get(worker)
    latest.delete(worker)
    if (report !== undefined) ended = ended.then((counts) => addCounts([counts, report]))
  })
  return read
}

export type Member = {
  read: ReadMetrics
  /** Sends the last report, before the process ends. */
  leave(): Promise<void>
}

/** In a process that serves: reports to the first one when it asks. */
export function reportToFirst(own: () => Promise<MetricsReport>): Member {
  const waiting = new Map<number, (made: MetricsText | undefined) => void>()
  let last = 0
  const send = (metrics: NonNullable<ToFirst['metrics']>): Promise<void> =>
    new Promise((resolve) => {
      process.send?.({ metrics } satisfies ToFirst, undefined, undefined, () => resolve())
    })
  process.on('message', (message: unknown) => {
    const { metrics } = (message ?? {}) as ToMember
    if (metrics === undefined) return
    if ('page' in metrics) waiting.get(metrics.page)?.(metrics.made)
    else void own().then((report) => send({ report, id: metrics.ask }))
  })
  return {
    async read(accept) {
      const page = ++last
      const { promise, resolve } = Promise.withResolvers<MetricsText | undefined>()
      waiting.set(page, resolve)
      void send({ page, accept })
      const made = await within(PAGE_MS, promise)
      waiting.delete(page)
      if (made !== undefined) return made
      throw new AppError('service_unavailable', 'The first process of the server does not respond.')
    },
    async leave() {
      await send({ report: await own() })
    },
  }
}
