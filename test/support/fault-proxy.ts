/** Between a client and a real service: passes everything on, but for the requests that something is to happen to. */
import { request as send } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { type Asked, type Faults, startFaults } from './faults.ts'

/** What the service answered. */
export type Answered = { status: number; headers: Record<string, string>; body: Buffer }

/** One request on its way: nothing reaches the service, nor the client, but by these. */
export type Way = {
  asked: Asked
  response: ServerResponse
  /** Asks the service, which then has done what it was asked to; at another address where one is given. */
  forward(url?: string): Promise<Answered>
  /** Gives the client an answer, whole. */
  pass(answered: Answered): void
}

/** What happens to a request instead of being passed on. */
export type Fault = (way: Way) => unknown

export type FaultProxy = Faults & {
  /** What happens to requests from now on; undefined passes one on. */
  choose(fault: (asked: Asked, nth: number) => Fault | undefined): void
  /** Keeps the answer to the next request that changes something; resolves once the service has given it. */
  holdNext(): Promise<{ release(): void }>
}

/** Listens on a free port of this machine until the tests of the file are over. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let chosen: Parameters<FaultProxy['choose']>[0] = () => undefined
  let waiting: ((held: { release(): void }) => void) | undefined

  const hold: Fault = async ({ forward, pass }) => {
    const resolve = waiting
    waiting = undefined
    const answered = await forward()
    resolve?.({ release: () => pass(answered) })
  }
  const faults = await startFaults((response, nth, asked) => {
    const way: Way = {
      asked,
      response,
      forward: (url = asked.url) => forward({ ...asked, url }, target),
      pass: (answered) => pass(answered, response),
    }
    const held = waiting !== undefined && isChange(asked) ? hold : undefined
    const fault = held ?? chosen(asked, nth) ?? passOn
    void (async () => fault(way))().catch(() => response.destroy())
  })
  return {
    ...faults,
    choose: (fault) => (chosen = fault),
    holdNext: () => new Promise((resolve) => (waiting = resolve)),
  }
}

/** A read changes nothing, and neither does the price before a purchase. */
function isChange({ method, body }: Asked): boolean {
  return method !== 'GET' && !body.toString().includes('"price_only":true')
}

/** What a request gets that nothing happens to. */
const passOn: Fault = async ({ forward, pass }) => pass(await forward())

function forward({ method, url, headers, body }: Asked, target: string): Promise<Answered> {
  const { host: _, connection: __, ...rest } = headers
  return new Promise((resolve, reject) => {
    const onward = send(new URL(url, target), { method, headers: rest }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 502,
          headers: flatten(answer.headers),
          body: Buffer.concat(chunks),
        }),
      )
      answer.on('error', reject)
    })
    onward.on('error', reject)
    onward.end(body)
  })
}

function flatten(headers: IncomingHttpHeaders): Record<string, string> {
  const {
    'transfer-encoding': _,
    connection: __,
    'keep-alive': ___,
    'content-length': ____,
    ...rest
  } = headers
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, [value].flat().join(', ')]))
}

function pass({ status, headers, body }: Answered, response: ServerResponse): void {
  response.writeHead(status, { ...headers, 'content-length': body.length })
  response.end(body)
}
