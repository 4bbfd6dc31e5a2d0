/** `GET /metrics`: what the service does, for programs that collect metrics. */
import type { Route } from '../route.ts'
import type { ReadMetrics } from './meter.ts'

export function metricsRoute(read: ReadMetrics): Route {
  return {
    name: 'metrics',
    method: 'GET',
    path: '/metrics',
    async answer({ raw }) {
      const { type, text } = await read(raw.headers.accept ?? '')
      return { status: 200, headers: { 'Content-Type': type, 'Cache-Control': 'no-store' }, body: text }
    },
  }
}
