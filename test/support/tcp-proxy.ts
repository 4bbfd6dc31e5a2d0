/** A TCP proxy that simulates a network which drops packets without notice to either side. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'

type Line = { client: Socket; server: Socket; dead: boolean; wasAsked: boolean; seen: number }

/** The first byte of the message by which a client of PostgreSQL ends its connection. */
const GOODBYE = 0x58

export type TcpProxy = {
  /** The address of the target through the proxy. */
  url: string
  /** Stops forwarding on all open connections; new ones work. */
  cutWires(): void
  /** The next connection that sends these texts, one after the other, forwards them and is dead from then on. */
  cutAfter(...texts: string[]): void
  /** Returns the number of dead connections that the client holds. */
  countDead(): number
  /** Returns the number of dead connections on which the client has sent a request. */
  countAsked(): number
}

/** Listens on a free port of this machine until the test has ended. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  const lines: Line[] = []
  let fatal: string[] = []

  const proxy = createServer((client) => {
    const line: Line = {
      client,
      server: connect(Number(port), hostname),
      dead: false,
      wasAsked: false,
      seen: 0,
    }
    lines.push(line)
    const { server } = line
    client.on('data', (bytes) => {
      // A goodbye asks for nothing.
      if (line.dead) line.wasAsked ||= bytes[0] !== GOODBYE
      else server.write(bytes)
      while (line.seen < fatal.length && bytes.includes(fatal[line.seen] ?? '')) line.seen++
      if (fatal.length === 0 || line.seen < fatal.length) return
      fatal = []
      line.dead = true
    })
    server.on('data', (bytes) => {
      if (!line.dead) client.write(bytes)
    })
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      // prettier-ignore
      from.on('error', () => {})
      from.on('close', () => {
        if (!line.dead) to.destroy()
      })
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.close()
    for (const { client, server } of lines) {
      client.destroy()
      server.destroy()
    }
  })

  return {
    url: Object.assign(new URL(target), { port: String((proxy.address() as AddressInfo).port) }).href,
    cutWires() {
      for (const line of lines) line.dead = true
    },
    cutAfter(...texts) {
      fatal = texts
      for (const line of lines) line.seen = 0
    },
    countDead: () => lines.filter(({ dead, client }) => dead && !client.closed).length,
    countAsked: () => lines.filter(({ wasAsked }) => wasAsked).length,
  }
}
