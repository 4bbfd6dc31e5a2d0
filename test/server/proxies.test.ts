/** Connections and probes of the programs in front of a service: proxies that keep connections, and balancers. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { parseBaseUrl } from '../../src/cli/base-url.ts'
import { readAllowedHosts, urlOf } from '../../src/server/admission.ts'
import { parseTrustedProxies } from '../../src/server/origin.ts'
import { RESOURCE_SAMPLES } from '../support/resource-samples.ts'
import { serveStore, talk } from '../support/served.ts'
import type { ServedStore, ServedOptions } from '../support/served.ts'

const PROXY = '127.0.0.1'
/** Another address of this machine, which is no proxy. */
const DIRECT = '127.0.0.2'

const sockets: Socket[] = []
afterAll(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

function serveBehindProxy(options: Partial<ServedOptions> = {}): Promise<ServedStore> {
  return serveStore({ registry: RESOURCE_SAMPLES, proxies: parseTrustedProxies([PROXY]), ...options })
}

/** Opens a connection. `ask` sends a request on it and resolves to the response; to nothing when it is closed. */
async function openFrom(
  localAddress: string,
  { port }: ServedStore,
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
  const served = await serveStore({ registry: RESOURCE_SAMPLES })
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

describe('a request for a whole URL', () => {
  const ask = async (served: ServedStore, target: string, host: string): Promise<unknown> => {
    const head = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    const [{ status, body } = { status: 0, body: '' }] = await talk(served.port, head)
    return [status, /"code":"(\w+)"/.exec(body)?.[1]]
  }
  const MISSING_TOKEN = [401, 'missing_token']
  const FOREIGN = [403, 'origin_not_allowed']

  test('is answered as one for its path; its authority counts, and the Host header does not', async () => {
    const served = await serveBehindProxy({ allowedHosts: ['api.example.com'] })
    const own = `127.0.0.1:${served.port}`
    expect(await ask(served, `http://${own}/healthz`, own)).toEqual([200, undefined])
    expect(await ask(served, `HTTP://LOCALHOST:${served.port}/v1/things/a?b=c`, own)).toEqual(MISSING_TOKEN)
    expect(await ask(served, 'https://api.example.com/v1/things/a', 'evil.example')).toEqual(MISSING_TOKEN)
    expect(await ask(served, 'http://api.example.com?a=/b', own)).toEqual([308, undefined])
    expect(await ask(served, 'http://evil.example/v1/things/a', own)).toEqual(FOREIGN)
    expect(await ask(served, `http://me@${own}/v1/things/a`, own)).toEqual(FOREIGN)
    expect(await ask(served, 'http:///v1/things/a', own)).toEqual([400, 'invalid_request'])
    expect(await ask(served, `http://${own}/v1/../things`, own)).toEqual([404, 'route_not_found'])
    expect(await ask(served, `ftp://${own}/v1/things/a`, own)).toEqual([404, 'route_not_found'])
  })

  test('needs a Host header all the same, except in HTTP/1.0, and may not have two', async () => {
    const served = await serveBehindProxy()
    const url = `http://127.0.0.1:${served.port}/v1/things/a`
    for (const [head, status] of [
      [`GET ${url} HTTP/1.1\r\nConnection: close\r\n\r\n`, 400],
      [`GET ${url} HTTP/1.0\r\n\r\n`, 401],
      [`GET ${url} HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n`, 400],
    ] as const)
      expect(await talk(served.port, head)).toMatchObject([{ status }])
  })
})

describe('--allowed-host', () => {
  test.each([
    '*.example.com',
    '.example.com',
    'https://api.example.com',
    '*',
    '10.0.0.0/8',
    '',
    ' ',
    '10.0.0.1-10.0.0.9',
    '10.0.0.0-9',
    '8080',
    '127.1',
    '010.0.0.1',
    '256.0.0.1',
    'api.example.com:',
    'api.example.com:0',
    'api.example.com:65536',
    'api.example.com:80-90',
    'api.example.com/v1',
    'me@api.example.com',
    'a.example,b.example',
    'api..example.com',
    'a%70i.example.com',
    '[2001:db8::/32]',
    '2001:db8::/32',
    '[2001:db8::1',
  ])('refuses a value that no Host matches: %j', (text) => {
    expect(() => readAllowedHosts(['api.example.com', text])).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: `--allowed-host must be one name, such as api.example.com or api.example.com:8443, not ${JSON.stringify(text)}.`,
      }),
    )
  })

  test.each([
    ['API.Example.com', 'api.example.com'],
    ['api.example.com', 'API.example.com.:8443'],
    ['api.example.com.', 'api.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'XN--BCHER-kva.example'],
    ['api.example.com:8443', 'api.example.com:8443'],
    ['api.example.com:443', 'api.example.com'],
    ['my_host', 'my_host:80'],
    ['192.0.2.7', '192.0.2.7:8080'],
    ['2001:DB8:0::7', '[2001:db8::7]:8080'],
    ['[2001:db8::7]:8080', '[2001:DB8:0:0::7]:8080'],
  ])('%s lets a Host of %s pass', async (text, host) => {
    const served = await serveBehindProxy({ allowedHosts: readAllowedHosts([text]) })
    const head = `GET /v1/things/a HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    expect(await talk(served.port, head)).toMatchObject([{ status: 401 }])
  })
})

test('on loopback the port of a forwarding passes, and a page of another port does not', async () => {
  const served = await serveBehindProxy()
  const ask = async (host: string, origin: string): Promise<number | undefined> => {
    const head = `GET /v1/things/a HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nConnection: close\r\n\r\n`
    return (await talk(served.port, head))[0]?.status
  }
  expect(await ask('localhost:9000', 'http://localhost:9000')).toBe(401)
  expect(await ask('[::1]', 'http://[::1]')).toBe(401)
  expect(await ask('localhost:9000', 'http://localhost:9001')).toBe(403)
  expect(await ask('evil.example:9000', 'http://evil.example:9000')).toBe(403)
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['::', 'http://[::1]:8080'],
  ['localhost', 'http://localhost:8080'],
])('the address of a service on %s is one that --base-url takes', (host, url) => {
  expect(urlOf(host, 8080)).toBe(url)
  expect(parseBaseUrl(url)).toMatchObject({ url, loopback: true })
})

describe('behind a proxy of the same machine', () => {
  const readClock = async (served: ServedStore, headers: string[], host = `127.0.0.1:${served.port}`) => {
    const head = [
      'GET /sandbox/clock HTTP/1.1',
      `Host: ${host}`,
      `Authorization: Bearer ${served.controlToken}`,
    ]
    const [answer] = await talk(served.port, [...head, ...headers, 'Connection: close', '', ''].join('\r\n'))
    return answer?.status
  }

  test('the control plane answers this machine only, with its token too', async () => {
    const served = await serveBehindProxy({ allowedHosts: ['api.example.com'] })
    expect(await readClock(served, [])).toBe(200)
    expect(await readClock(served, [], 'localhost:9000')).toBe(200)
    for (const header of [
      'X-Forwarded-For: 203.0.113.9',
      'X-Forwarded-For: 127.0.0.1',
      'X-Forwarded-Host: localhost',
      'X-Forwarded-Proto: https',
      'X-Real-IP: 203.0.113.9',
      'Forwarded: for=203.0.113.9',
      'Via: 1.1 proxy',
    ])
      expect([header, await readClock(served, [header])]).toEqual([header, 404])
    expect(await readClock(served, [], 'api.example.com')).toBe(404)
    const untrusting = await serveStore({ registry: RESOURCE_SAMPLES, allowedHosts: ['api.example.com'] })
    expect(await readClock(untrusting, ['X-Forwarded-For: 203.0.113.9'])).toBe(404)
    const open = await serveBehindProxy({ allowedHosts: ['api.example.com'], control: 'to all' })
    expect(await readClock(open, ['X-Forwarded-For: 203.0.113.9'], 'api.example.com')).toBe(200)
  })

  test('a page of the other scheme is of another origin', async () => {
    const served = await serveBehindProxy({ allowedHosts: ['api.example.com'] })
    const ask = async (host: string, origin: string, ...headers: string[]): Promise<number | undefined> => {
      const head = ['GET /v1/things/a HTTP/1.1', `Host: ${host}`, `Origin: ${origin}`, ...headers]
      return (await talk(served.port, [...head, 'Connection: close', '', ''].join('\r\n')))[0]?.status
    }
    const own = `127.0.0.1:${served.port}`
    expect(await ask(own, `http://${own}`)).toBe(401)
    expect(await ask(own, `https://${own}`)).toBe(403)
    expect(await ask('localhost', 'https://localhost', 'X-Forwarded-Proto: https')).toBe(401)
    expect(await ask('localhost', 'http://localhost', 'X-Forwarded-Proto: https')).toBe(403)
    for (const [scheme, other] of [
      ['https', 'http'],
      ['http', 'https'],
    ]) {
      const header = `X-Forwarded-Proto: ${scheme}`
      expect(await ask('api.example.com', `${scheme}://api.example.com`, header)).toBe(401)
      expect(await ask('api.example.com', `${other}://api.example.com`, header)).toBe(403)
    }
    // A proxy that does not state the scheme may have ended TLS.
    expect(await ask('api.example.com', 'https://api.example.com')).toBe(401)
  })
})
