/** A proxy between a client and a real service. It forwards all requests except those with a fault. */
import { request as send } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { type ReceivedRequest, type Faults, startFaults } from './faults.ts'

/** The response of the service. */
export type ProxiedResponse = { status: number; headers: Record<string, string>; body: Buffer }

/** One request in the proxy. Only these functions reach the service and the client. */
export type ProxiedRequest = {
  asked: ReceivedRequest
  response: ServerResponse
  /** Sends the request to the service, or to another address, and returns the response. */
  forward(url?: string): Promise<ProxiedResponse>
  /** Sends a complete response to the client. */
  pass(answered: ProxiedResponse): void
}

/** A fault that replaces the forwarding of a request. */
export type ProxyFault = (way: ProxiedRequest) => unknown

export type FaultProxy = Faults & {
  /** Chooses the fault of later requests; undefined forwards the request. */
  choose(fault: (asked: ReceivedRequest, nth: number) => ProxyFault | undefined): void
  /** Holds the response to the next request that changes something; resolves once the service has sent it. */
  holdNext(): Promise<{ release(): void }>
}

/** Listens on a free port of this machine until the tests of the file have ended. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let chosen: Parameters<FaultProxy['choose']>[0] = () => undefined
  let waiting: ((held: { release(): void }) => void) | undefined

  const hold: ProxyFault = async ({ forward, pass }) => {
    const resolve = waiting
    waiting = undefined
    const answered = await forward()
    resolve?.({ release: () => pass(answered) })
  }
  const faults = await startFaults((response, nth, asked) => {
    const way: ProxiedRequest = {
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

/** Returns whether the request changes something; a read and a price before a purchase do not. */
function isChange({ method, body }: ReceivedRequest): boolean {
  return method !== 'GET' && !body.toString().includes('"price_only":true')
}

/** The handling of a request without a fault. */
const passOn: ProxyFault = async ({ forward, pass }) => pass(await forward())

function forward({ method, url, headers, body }: ReceivedRequest, target: string): Promise<ProxiedResponse> {
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

function pass({ status, headers, body }: ProxiedResponse, response: ServerResponse): void {
  response.writeHead(status, { ...headers, 'content-length': body.length })
  response.end(body)
}
