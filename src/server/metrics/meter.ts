/** Counts what a service does, and writes it for programs that collect metrics. Only services load this module. */
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { StoreTally } from '../../core/db.ts'
import { within } from './within.ts'

/** The metrics of one process as plain data. */
export type MetricsReport = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Metrics as a response: its Content-Type and its text. */
export type MetricsText = { type: string; text: string }

/** Returns the metrics of the service. `accept` is the header of the request. */
export type ReadMetrics = (accept: string) => Promise<MetricsText>

/** The work of the HTTP server of a process at this moment. */
export type Activity = { running: number; waiting: number; connections: number; listeners: number }

/** The figures that only the store can tell; `lag` is in seconds of the service's clock, `size` in bytes. */
export type StoreGauges = { size: number; lag: number }

export type MeterDeps = {
  version: string
  store: { kind: 'sqlite' | 'postgres'; tally: Readonly<StoreTally> }
  /** Absent in a process that serves no requests. */
  activity?: (() => Activity) | undefined
  /** Asks the store. One process of several does. Rejects when the store does not answer. */
  askStore?: (() => Promise<StoreGauges>) | undefined
}

export type Meter = {
  /** Counts a request, from its line of the log. */
  count(entry: { operation: string | null; status: number; duration_ms: number }): void
  report(): Promise<MetricsReport>
}

/** A store that says nothing for so many milliseconds counts as down: a read of a caller may hold an SQLite store. */
const STORE_MS = 1000
/** In seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Makes the meter of this process. Names of operations and statuses are its only labels: both are few. */
export function makeMeter({ version, store, activity, askStore }: MeterDeps): Meter {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'dray_requests_total',
    help: 'Requests by operation and status; 499 is a client that disconnected before the end of the response.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'dray_request_duration_seconds',
    help: 'Time from the head of a request to the end of its response.',
    labelNames: ['operation'],
    buckets: BUCKETS,
    registers,
  })
  const gauge = (name: string, help: string, aggregator: 'sum' | 'max' = 'sum'): Gauge =>
    new Gauge({ name: `dray_${name}`, help, aggregator, registers })
  gauge('processes', 'Processes that serve requests.').set(activity === undefined ? 0 : 1)
  new Gauge({
    name: 'dray_build_info',
    help: 'Version of dray and engine of the store; the value is 1.',
    labelNames: ['version', 'store'],
    aggregator: 'max',
    registers,
  }).set({ version, store: store.kind }, 1)
  const setActivity = activity && activityGauges(gauge, activity)
  const setFacts = askStore && factGauges(gauge, askStore)
  const setTally = tallyCounters(registers, store.tally)
  return {
    count({ operation, status, duration_ms: took }) {
      const name = operation ?? 'none'
      requests.inc({ operation: name, status })
      durations.observe({ operation: name }, took / 1000)
    },
    async report() {
      setActivity?.()
      setTally()
      await setFacts?.()
      return registry.getMetricsAsJSON()
    },
  }
}

type MakeGauge = (name: string, help: string, aggregator?: 'sum' | 'max') => Gauge

function activityGauges(gauge: MakeGauge, activity: () => Activity): () => void {
  const [running, waiting, connections, listeners] = [
    gauge('requests_running', 'Requests at which the service is at work.'),
    gauge('requests_waiting', 'Requests that wait for their turn.'),
    gauge('connections', 'Open connections of callers.'),
    gauge('event_listeners', 'Pages that listen to events.'),
  ]
  return () => {
    const now = activity()
    running.set(now.running)
    waiting.set(now.waiting)
    connections.set(now.connections)
    listeners.set(now.listeners)
  }
}

function factGauges(gauge: MakeGauge, ask: () => Promise<StoreGauges>): () => Promise<void> {
  const [up, size, lag] = [
    gauge('store_up', '1 if the store responds, otherwise 0.'),
    gauge('store_size_bytes', 'Size of the store on its disk; 0 in memory.'),
    gauge('timeline_lag_seconds', 'Delay of the earliest planned event, by the service’s clock.'),
  ]
  return async () => {
    const facts = await within(STORE_MS, ask()).catch(() => undefined)
    up.set(facts === undefined ? 0 : 1)
    // A value that is not known must not look like a good one.
    size.set(facts?.size ?? Number.NaN)
    lag.set(facts?.lag ?? Number.NaN)
  }
}

/** The store counts by itself; the counters repeat what it says. */
function tallyCounters(registers: Registry[], tally: Readonly<StoreTally>): () => void {
  const counter = (name: string, help: string): Counter =>
    new Counter({ name: `dray_store_${name}_total`, help, registers })
  const counters: [keyof StoreTally, Counter, number][] = [
    ['writes', counter('writes', 'Changes, done or rejected.'), 1],
    ['groups', counter('groups', 'Transactions that the changes shared.'), 1],
    ['busyMs', counter('busy_seconds', 'Time of these transactions.'), 1000],
    ['repeats', counter('repeats', 'Transactions that ran again, because another one was in the way.'), 1],
  ]
  return () => {
    for (const [name, metric, unit] of counters) {
      metric.reset()
      metric.inc(tally[name] / unit)
    }
  }
}

/** Returns the counts of processes that have ended, as one report: a sum that fell would look like a restart. */
export function addCounts(reports: readonly MetricsReport[]): Promise<MetricsReport> {
  const counts = reports.map((report) => report.filter(({ type }) => `${type}` !== 'gauge'))
  return AggregatorRegistry.aggregate(counts).getMetricsAsJSON()
}

/** Writes the reports of all processes as one: OpenMetrics, or the older text form for a program that accepts only this. */
export async function writePage(reports: readonly MetricsReport[], accept: string): Promise<MetricsText> {
  const older = accept.includes('text/plain') && !accept.includes('application/openmetrics-text')
  const written = reports.map((report) => report.map((metric) => toWritten(metric, older)))
  const registry = AggregatorRegistry.aggregate(written)
  const type = older ? Registry.PROMETHEUS_CONTENT_TYPE : Registry.OPENMETRICS_CONTENT_TYPE
  registry.setContentType(type)
  return { type, text: await registry.metrics() }
}

/** The library adds `_total` to counters of OpenMetrics; that form wants bounds of buckets to be decimal numbers. */
function toWritten(metric: MetricsReport[number], older: boolean): MetricsReport[number] {
  return {
    ...metric,
    name: older ? metric.name : metric.name.replace(/_total$/, ''),
    values: metric.values.map((one) =>
      Number.isInteger(one.labels['le'])
        ? { ...one, labels: { ...one.labels, le: `${one.labels['le']}.0` } }
        : one,
    ),
  }
}
