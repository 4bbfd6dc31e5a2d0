/** Connections and probes of the programs in front of a service: proxies that keep connections, and balancers. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { readProxies } from '../../src/server/origin.ts'
import { serveStore, talk } from '../support/served.ts'
import type { Served, ServedOptions } from '../support/served.ts'
import { THINGS } from '../support/things.ts'

const PROXY = '127.0.0.1'
/** Another address of this machine, which is no proxy. */
const DIRECT = '127.0.0.2'

const sockets: Socket[] = []
afterAll(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

function serveBehindProxy(options: Partial<ServedOptions> = {}): Promise<Served> {
  return serveStore({ registry: THINGS, proxies: readProxies([PROXY]), ...options })
}

/** Opens a connection. `ask` sends a request on it and resolves to the response; to nothing when it is closed. */
async function openFrom(
  localAddress: string,
  { port }: Served,
): Promise<{ ask: () => Promise<string>; closed: Promise<unknown> }> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).setEncoding('utf8')
  sockets.push(socket)
  await once(socket, 'connect')
  const closed = once(socket, 'close')
  return {
    closed,
    async ask() {
      const answered = Promise.race([once(socket, 'data'), closed.then(() => [''])])
      socket.write(`GET /v1/things/lamp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
      return String((await answered)[0])
    },
  }
}

test('an idle connection of a trusted proxy outlives those of direct callers', async () => {
  const served = await serveBehindProxy({ timeouts: { keepAlive: 1000 } })
  const [proxy, direct] = [await openFrom(PROXY, served), await openFrom(DIRECT, served)]
  expect(await proxy.ask()).toContain('\r\nKeep-Alive: timeout=75,')
  expect(await direct.ask()).toContain('\r\nKeep-Alive: timeout=1,')
  await direct.closed
  expect(await proxy.ask()).toMatch(/^HTTP\/1.1 401 [^]*\r\nConnection: keep-alive\r\n/)
})

test('pipelined requests of a proxy do not end its connection early', async () => {
  const served = await serveBehindProxy({ timeouts: { keepAlive: 1000 } })
  const head = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n\r\n`
  const answers = await talk(served.port, head + head, { count: 2 })
  expect(answers.map(({ headers }) => headers['keep-alive'])).toEqual(
    Array(2).fill(expect.stringMatching(/^timeout=75,/)),
  )
})

test('--keep-alive holds for every caller', async () => {
  const served = await serveBehindProxy({ keepAlive: 90_000 })
  for (const address of [PROXY, DIRECT])
    expect(await (await openFrom(address, served)).ask()).toContain('\r\nKeep-Alive: timeout=90,')
})

test('a service without a trusted proxy ends idle connections of every caller early', async () => {
  const served = await serveStore({ registry: THINGS })
  expect(await (await openFrom(PROXY, served)).ask()).toContain('\r\nKeep-Alive: timeout=5,')
})

test('when another process has taken over, a connection of a proxy stays until its last response says so', async () => {
  const served = await serveBehindProxy({ timeouts: { keepAlive: 1 } })
  const [proxy, direct] = [await openFrom(PROXY, served), await openFrom(DIRECT, served)]
  await Promise.all([proxy.ask(), direct.ask()])
  const ended = served.close(new AbortController().signal)
  await direct.closed
  expect(await proxy.ask()).toMatch(/^HTTP\/1.1 401 [^]*\r\nconnection: close\r\n/)
  await Promise.all([ended, proxy.closed])
})

test('a stop ends a connection of a proxy that brings no request any more', async () => {
  const served = await serveBehindProxy()
  const proxy = await openFrom(PROXY, served)
  await proxy.ask()
  const stop = new AbortController()
  const ended = served.close(stop.signal)
  stop.abort()
  await Promise.all([ended, proxy.closed])
  expect(await proxy.ask()).toBe('')
})

test.each(['/healthz', '/readyz', '/readyz?from=balancer'])(
  'a probe of %s by HTTP/1.0 without Host, or to any Host, is answered',
  async (path) => {
    const served = await serveBehindProxy({ allowedHosts: ['api.example.com'] })
    for (const head of [
      `GET ${path} HTTP/1.0\r\n\r\n`,
      `HEAD ${path} HTTP/1.0\r\n\r\n`,
      `OPTIONS ${path} HTTP/1.0\r\n\r\n`,
      `GET ${path} HTTP/1.1\r\nHost: 10.0.0.7:8080\r\nConnection: close\r\n\r\n`,
      `GET ${path} HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n`,
      `GET ${path} HTTP/1.0\r\nHost:\r\n\r\n`,
    ])
      expect(await talk(served.port, head, { bodiless: head.startsWith('HEAD') })).toMatchObject([
        { status: 200 },
      ])
  },
)

test.each([
  ['HTTP/1.1 needs a Host', 'GET /readyz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['two Hosts are none', 'GET /readyz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 400],
  [
    'a page of another origin may not ask',
    'GET /readyz HTTP/1.0\r\nHost: a.example\r\nOrigin: https://b.example\r\n\r\n',
    403,
  ],
  ['other paths need a Host', 'GET /v1/things/lamp HTTP/1.0\r\n\r\n', 400],
  ['other paths need a known Host', 'GET /openapi.json HTTP/1.0\r\nHost: a.example\r\n\r\n', 403],
])('a probe changes nothing else: %s', async (_rule, head, status) => {
  const served = await serveBehindProxy({ allowedHosts: ['api.example.com'] })
  expect(await talk(served.port, head)).toMatchObject([{ status }])
})
