/** Pages of other origins (CORS): which of them read which responses, with and without `--allowed-origin`. */
import { request } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import * as registry from '../../src/generated/registry.ts'
import { readAllowedOrigins } from '../../src/server/cross-origin.ts'
import { makeRoutes } from '../../src/server/routes.ts'
import { linkFor, visit } from '../support/page-links.ts'
import { serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'

const SHOP = 'http://localhost:5173'
const EVIL = 'https://evil.example'

let served: ServedStore
let closed: ServedStore
let token: string

beforeAll(async () => {
  served = await serveStore({ registry, allowedOrigins: readAllowedOrigins([SHOP, 'https://shop.example/']) })
  closed = await serveStore({ registry })
  token = await served.token('everything')
})

type CrossOriginResponse = {
  status: number
  reader: string | null
  vary: string | null
  code?: unknown
  hint?: unknown
}

async function ask(
  path: string,
  origin: string,
  init: RequestInit = {},
  at = served,
): Promise<CrossOriginResponse> {
  const response = await fetch(at.url + path, {
    ...init,
    headers: { origin, ...(init.headers as Record<string, string> | undefined) },
  })
  const text = await response.text()
  const { code, hint } = (text.startsWith('{') ? JSON.parse(text) : {}) as { code?: unknown; hint?: unknown }
  const { headers } = response
  expect(headers.get('access-control-allow-credentials')).toBe(null)
  const reader = headers.get('access-control-allow-origin')
  return { status: response.status, reader, vary: headers.get('vary'), code, hint }
}

const preflight = (method: string, headers: string): RequestInit => ({
  method: 'OPTIONS',
  headers: { 'access-control-request-method': method, 'access-control-request-headers': headers },
})

describe('a page of an allowed origin', () => {
  test('asks first, and learns the methods, the headers and for how long', async () => {
    const response = await fetch(`${served.url}/v1/rides/quote`, {
      ...preflight('POST', 'authorization,content-type,idempotency-key'),
      headers: {
        origin: SHOP,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    })
    const { headers } = response
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect({
      origin: headers.get('access-control-allow-origin'),
      methods: headers.get('access-control-allow-methods'),
      headers: headers.get('access-control-allow-headers'),
      age: headers.get('access-control-max-age'),
      credentials: headers.get('access-control-allow-credentials'),
      vary: headers.get('vary'),
    }).toEqual({
      origin: SHOP,
      methods: expect.stringMatching(/\bPOST\b/) as string,
      headers: 'Authorization, *',
      age: '7200',
      credentials: null,
      vary: 'Origin',
    })
  })

  test('calls the API with its token, and reads each response, an error too', async () => {
    const authorization = { headers: { authorization: `Bearer ${token}` } }
    const own = { reader: SHOP, vary: 'Origin' }
    expect(await ask('/v1/me/membership', SHOP, authorization)).toMatchObject({ status: 200, ...own })
    expect(await ask('/v1/me/membership', 'https://shop.example', authorization)).toMatchObject({
      status: 200,
      reader: 'https://shop.example',
    })
    expect(await ask('/v1/me/membership', SHOP)).toMatchObject({ status: 401, ...own, code: 'missing_token' })
    expect(await ask('/v1/nothing', SHOP, authorization)).toMatchObject({ status: 404, ...own })
    expect(await ask('/v1/rides/quote', SHOP, { ...authorization, method: 'PUT' })).toMatchObject({
      status: 405,
      ...own,
    })
    expect(await ask('/readyz', SHOP)).toMatchObject({ status: 200, ...own })
    expect(await ask('/.well-known/oauth-authorization-server', SHOP)).toMatchObject({ status: 200, ...own })
    const control = { headers: { authorization: `Bearer ${served.controlToken}` } }
    expect(await ask('/sandbox/clock', SHOP, control)).toMatchObject({ status: 200, ...own })
    expect(await ask('/sandbox/clock', SHOP, authorization)).toMatchObject({ status: 401, ...own })
  })

  test('reaches no page that people sign in to, and no route that reads a cookie', async () => {
    const owner = await visit(served, 'owner')
    const { cookie } = owner
    const call = { method: 'POST', headers: { cookie, 'dray-page': 'kitchen' }, body: '{}' }
    const link = new URL(await linkFor(served, 'owner'))
    const refused = { status: 403, reader: null }
    for (const [path, init] of [
      ['/pages/call/list_business_orders', call],
      ['/pages/events', { headers: { cookie, 'dray-page': 'kitchen' } }],
      ['/kitchen', { headers: { cookie } }],
      [link.pathname, {}],
      ['/device', {}],
      ['/metrics', {}],
      ['/docs', {}],
      ['/pages/call/list_business_orders', preflight('POST', 'dray-page')],
      ['/device', preflight('POST', 'content-type')],
    ] as const) {
      expect(await ask(path, SHOP, init), path).toMatchObject(refused)
    }
    expect((await ask('/docs', SHOP)).hint).toMatch('no page that people sign in to')
    // Its cookie is no credential of the API.
    expect(await ask('/v1/business/orders', SHOP, { headers: { cookie } })).toMatchObject({ status: 401 })
  })

  test('has to be the allowed one, letter for letter, and reach the server by its own name', async () => {
    for (const origin of [
      EVIL,
      'http://localhost:5174',
      'https://localhost:5173',
      'http://localhost',
      'null',
    ])
      expect(await ask('/v1/me/membership', origin), origin).toMatchObject({ status: 403, reader: null })
    // A name of an attacker that resolves to this machine.
    const headers = { host: `evil.example:${served.port}`, origin: SHOP }
    const status = await new Promise((resolve, reject) => {
      request(`${served.url}/v1/me/membership`, { headers }, ({ statusCode }) => resolve(statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(403)
  })
})

test('every page may read the descriptions of the API, and nothing else of a server without the flag', async () => {
  for (const path of ['/openapi.json', '/llms.txt']) {
    expect(await ask(path, EVIL, {}, closed), path).toMatchObject({ status: 200, reader: '*' })
    expect(await ask(path, 'null', {}, closed), path).toMatchObject({ status: 200, reader: '*' })
    expect(await ask(path, EVIL, preflight('GET', 'x-mine'), closed)).toMatchObject({
      status: 204,
      reader: '*',
    })
  }
  for (const init of [{}, preflight('GET', 'authorization'), { method: 'HEAD' }])
    expect(await ask('/v1/me/membership', EVIL, init, closed)).toMatchObject({ status: 403, reader: null })
})

test('the error for a rejected page names the flag that lets it in', async () => {
  const { hint } = await ask('/v1/rides/quote', SHOP, preflight('POST', 'authorization'), closed)
  expect(hint).toBe(
    `To let pages of ${SHOP} call the API, start the server with \`dray serve --allowed-origin ${SHOP}\`.`,
  )
  expect((await ask('/v1/me/membership', 'null', {}, closed)).hint).toMatch('--allowed-host NAME')
  expect((await ask('/docs', SHOP, {}, closed)).hint).toMatch('--allowed-host NAME')
})

test('no route that reads a cookie, shows a page or tells of the machine has readers of other origins', async () => {
  const routes = await makeRoutes({
    ...(served.service as unknown as Parameters<typeof makeRoutes>[0]),
    registry,
    devices: undefined,
    control: undefined,
    oauth: {} as never,
  })
  const open = routes.filter(({ crossOrigin }) => crossOrigin !== undefined).map(({ path }) => path)
  expect(open.filter((path) => !/^\/(?:v1|oauth|media|\.well-known)\//.test(path)).toSorted()).toEqual([
    '/healthz',
    '/healthz',
    '/llms.txt',
    '/openapi.json',
    '/readyz',
    '/readyz',
  ])
  expect(
    routes.filter(({ path, crossOrigin }) => path.startsWith('/v1/') && crossOrigin !== 'allowed'),
  ).toEqual([])
})

describe('--allowed-origin', () => {
  test.each([
    ['http://localhost:5173', 'http://localhost:5173'],
    ['HTTPS://Shop.Example/', 'https://shop.example'],
    ['https://shop.example:443', 'https://shop.example'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['http://bücher.example', 'http://xn--bcher-kva.example'],
  ])('takes %s, as browsers send it', (text, origin) => {
    expect(readAllowedOrigins([text])).toEqual([origin])
  })

  test.each([
    '*',
    'null',
    '',
    'localhost:5173',
    'http://*.example.com',
    'http://localhost:5173/app',
    'file:///',
    'http://a@b',
    'http://localhost:99999',
    'http://a b',
    'ws://localhost',
    'http://localhost?x',
  ])('refuses %j, which no browser sends', (text) => {
    expect(() => readAllowedOrigins([text])).toThrow('--allowed-origin must be an origin')
  })
})
