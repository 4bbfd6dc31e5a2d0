/**
 * Callers in their own process, so that they do not slow the measurement: `node bench/load-worker.ts <plan.json>`.
 * Reports when it is running, and at SIGTERM the responses that it got.
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { type BenchCall, type ServiceAddress, requests } from './calls.ts'

export type LoadPlan = {
  place: ServiceAddress
  /** The calls in turn; a repeated entry is called more often. */
  calls: BenchCall[]
  /** The number of connections. Each sends its next request after the response. */
  connections: number
  /** Additional connections that send their request at one byte a second. */
  slow: number
  /** The pause of each connection before its next request, in milliseconds. */
  pause?: number
}

export type LoadReport = {
  seconds: number
  /** The number of responses by status; `0` for a connection that ended without one. */
  statuses: Record<string, number>
}

const AGAIN_MS = 20
const HEAD_END = '\r\n\r\n'

const [, , file = ''] = process.argv
const { place, calls, connections, slow, pause = 0 } = JSON.parse(readFileSync(file, 'utf8')) as LoadPlan
const makers = calls.map((call) => requests(place, call))
const { hostname, port } = new URL(place.url)
const statuses: Record<string, number> = {}
const started = performance.now()
let turn = 0

for (let one = 0; one < connections; one++) hammer()
for (let one = 0; one < slow; one++) crawl()
console.log(JSON.stringify({ url: place.url }))

process.once('SIGTERM', () => {
  const report: LoadReport = { seconds: (performance.now() - started) / 1000, statuses }
  process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0))
})

function countStatus(status: string): void {
  statuses[status] = (statuses[status] ?? 0) + 1
}

function nextRequest(): Buffer {
  turn += 1
  return makers[turn % makers.length]?.() ?? Buffer.alloc(0)
}

/** Sends requests forever, and reconnects when the connection ends. */
function hammer(): void {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let pending = ''
  let waits = false
  const send = (): void => {
    waits = true
    socket.write(nextRequest())
  }
  socket.on('connect', send)
  socket.on('data', (chunk: Buffer) => {
    pending += chunk.toString('latin1')
    const headEnd = pending.indexOf(HEAD_END)
    if (headEnd === -1) return
    const head = pending.slice(0, headEnd)
    const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    if (pending.length < headEnd + HEAD_END.length + length) return
    pending = ''
    waits = false
    countStatus(head.slice(9, 12))
    if (/\r\nconnection: *close/i.test(head)) return
    if (pause === 0) send()
    else setTimeout(send, pause)
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    if (waits) countStatus('0')
    setTimeout(hammer, AGAIN_MS)
  })
}

/** Sends a request very slowly and never finishes it. */
function crawl(): void {
  const socket = connect({ host: hostname, port: Number(port) })
  const bytes = nextRequest()
  let at = 0
  const timer = setInterval(() => socket.write(bytes.subarray(at, ++at)), 1000)
  socket.on('error', () => {})
  socket.on('close', () => {
    clearInterval(timer)
    setTimeout(crawl, AGAIN_MS)
  })
}
