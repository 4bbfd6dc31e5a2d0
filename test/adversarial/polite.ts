/** The process of a polite caller: it repeats a call, each time on a new connection, whatever the last result was. */
import { request } from 'node:http'

export type PoliteOrder = {
  port: number
  /** The address that it calls from. */
  from: string
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** The results of some calls. */
export type PoliteCallResults = {
  answered: number
  /** The other results, by status or error code. */
  unanswered: Record<string, number>
  /** The duration of each call with a response, in milliseconds. */
  ms: number[]
}

const PERIOD_MS = 25
const MAX_CALL_MS = 30_000

const order = JSON.parse(process.argv[2] ?? '') as PoliteOrder

/** The listeners that count calls now. */
const listeners = new Set<(outcome: Outcome) => void>()
type Outcome = { begun: number; what: string; ms: number }

function call(): Promise<string> {
  return new Promise((resolve) => {
    const { port, from, method, path, headers, body } = order
    const options = { port, host: '127.0.0.1', localAddress: from, method, path, headers, agent: false }
    const asked = request(options, (response) => {
      response.resume()
      response.once('close', () => resolve(response.complete ? String(response.statusCode) : 'cut off'))
    })
    asked.setTimeout(MAX_CALL_MS, () => asked.destroy(Object.assign(new Error('late'), { code: 'late' })))
    asked.once('error', ({ code = 'failed' }: NodeJS.ErrnoException) => resolve(code))
    asked.end(body)
  })
}

setInterval(() => {
  const begun = performance.now()
  void call().then((what) => {
    for (const listen of listeners) listen({ begun, what, ms: performance.now() - begun })
  })
}, PERIOD_MS)

process.on('message', (calls: number) => {
  const since = performance.now()
  const heard: PoliteCallResults = { answered: 0, unanswered: {}, ms: [] }
  let left = calls
  const listen = ({ begun, what, ms }: Outcome): void => {
    if (begun < since) return
    if (what === '200') {
      heard.answered++
      heard.ms.push(ms)
    } else heard.unanswered[what] = (heard.unanswered[what] ?? 0) + 1
    if (--left > 0) return
    listeners.delete(listen)
    process.send?.(heard)
  }
  listeners.add(listen)
})
process.once('disconnect', () => process.exit())
