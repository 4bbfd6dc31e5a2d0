/** The tools over HTTP with careless or hostile callers: the built program on a free port. */
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOOLS } from '../../src/generated/tools.ts'
import { openHttp, serveMcp } from '../support/mcp-program.ts'
import { builtProgram, startDray } from '../support/program.ts'
import type { RunningProcess } from '../support/program.ts'

const home = mkdtempSync(join(tmpdir(), 'dray-mcp-http-'))
const env = { HOME: home, DRAY_HOME: home, DRAY_NOW: '2026-11-20T12:00:00.000Z', DRAY_SEED: '20261120' }
let url: string
let server: RunningProcess
let everything: string

async function mint(...words: string[]): Promise<string> {
  const ran = await startDray(['sandbox', 'account', 'token', ...words, '--json'], { env }).ended
  return ran.json<{ token: string }>().token
}

beforeAll(async () => {
  await builtProgram()
  everything = await mint('everything')
  ;({ url, server } = await serveMcp(['--log', join(home, 'mcp.log')], env))
})

afterAll(async () => {
  server.kill('SIGTERM')
  expect((await server.ended).exitCode).toBe(0)
  rmSync(home, { recursive: true, force: true })
})

test('a switch is thrown as often as it is called, and leaves the store as it was called last', async () => {
  const own = await serveMcp(['--tools', 'pause_store,resume_store,get_store_hours'], env)
  const agent = await openHttp(own.url, everything)
  try {
    for (const minutes of [30, 45]) {
      expect((await agent.call('pause_store', { minutes })).value['is_open']).toBe(false)
      expect((await agent.call('resume_store')).value['is_open']).toBe(true)
    }
    expect((await agent.call('pause_store', { minutes: 30 })).replayed).toBe(false)
    expect((await agent.call('get_store_hours')).value['is_open']).toBe(false)
    await agent.call('resume_store')
    expect((await agent.call('get_store_hours')).value['is_open']).toBe(true)
  } finally {
    await agent.close()
    own.server.kill('SIGTERM')
    await own.server.ended
  }
})

type McpHttpResponse = { status: number; headers: http.IncomingHttpHeaders; body: string }

/** Sends exactly these headers; `fetch` would add or reject some. */
function send(
  headers: Record<string, string>,
  body: string | Uint8Array = JSON.stringify(LIST),
  { method = 'POST', path = '/mcp' } = {},
): Promise<McpHttpResponse> {
  return new Promise((resolve, reject) => {
    const { port, host } = new URL(url)
    const request = http.request({ port, method, path, headers: { Host: host, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
const proper = (token = everything): Record<string, string> => ({
  ...bearer(token),
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
})

describe('a caller without a valid token', () => {
  test.each([
    [
      'nothing',
      {},
      'missing_token',
      /^Bearer realm="dray", resource_metadata="http:\/\/127\.0\.0\.1:\d+\/\.well-known\/oauth-protected-resource"$/,
    ],
    ['a guess', bearer('dray_sbx_guess'), 'invalid_token', /error="invalid_token", resource_metadata=/],
    ['another scheme', { Authorization: 'Basic ZGVtbzpkZW1v' }, 'invalid_token', /resource_metadata=/],
  ])('with %s is told where to get one', async (_what, headers, code, challenge) => {
    const heard = await send({ ...headers, 'Content-Type': 'application/json' })
    expect(heard.status).toBe(401)
    expect(JSON.parse(heard.body)).toMatchObject({
      code,
      hint: expect.stringContaining('`dray sandbox account token everything`') as string,
    })
    expect(heard.headers['www-authenticate']).toMatch(challenge)
  })

  test('finds the metadata at the address in the error', async () => {
    const { headers } = await send({ 'Content-Type': 'application/json' })
    const address = /resource_metadata="([^"]+)"/.exec(headers['www-authenticate'] ?? '')?.[1] ?? ''
    const { origin } = new URL(url)
    expect(await (await fetch(address)).json()).toMatchObject({
      resource: origin,
      authorization_servers: [origin],
    })
    const metadata = await fetch(`${origin}/.well-known/oauth-authorization-server`)
    expect(await metadata.json()).toMatchObject({ token_endpoint: `${origin}/oauth/token` })
  })
})

describe('a page in a browser, or a foreign host name', () => {
  test.each([
    ['an evil Host', { Host: 'evil.example' }],
    ['an evil Host with our port', { Host: 'evil.example:$PORT' }],
    ['an evil Origin', { Origin: 'https://evil.example' }],
    ['the Origin of a file', { Origin: 'null' }],
    ['another local port as Origin', { Origin: 'http://localhost:1' }],
  ])('is refused for %s, with a token too', async (_what, headers: Record<string, string>) => {
    const { port } = new URL(url)
    const named = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('$PORT', port)]),
    )
    const heard = await send({ ...proper(), ...named })
    expect(heard.status).toBe(403)
    expect(JSON.parse(heard.body)).toMatchObject({
      code: 'origin_not_allowed',
      hint: expect.stringMatching(/`dray mcp --http --allowed-(?:host NAME|origin https?:.*)`/) as string,
    })
    expect(heard.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('a body', () => {
  test.each([
    ['half an object', '{"jsonrpc":"2.0","id":1,', 400],
    ['a member twice', '{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"ping"}', 400],
    ['nothing', '', 400],
    ['null', 'null', 400],
    ['a text', '"tools/list"', 400],
    ['a thousand levels', `${'['.repeat(1000)}${']'.repeat(1000)}`, 400],
    ['more than eight megabytes', `"${'x'.repeat(9 * 1_048_576)}"`, 413],
  ])('of %s is refused', async (_what, body, status) => {
    const heard = await send(proper(), body)
    expect(heard.status).toBe(status)
    expect(heard.body.length).toBeLessThan(1000)
  })

  test('of another type is rejected', async () => {
    expect((await send({ ...proper(), 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await send({ ...proper(), 'Content-Encoding': 'gzip' }, Buffer.from('x'))).status).toBe(415)
  })
})

describe('a caller that reads no streams', () => {
  const METHODS = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    },
    'tools/list': {},
    'tools/call': { name: 'list_rides', arguments: {}, _meta: { progressToken: 1 } },
  }

  test.each([
    ['*/*', undefined],
    ['application/json', undefined],
    ['application/json; charset=utf-8', '/mcp/'],
    ['application/*;q=0.8, text/event-stream;q=0', undefined],
    ['', undefined],
  ])('is answered with JSON: Accept %j', async (accept, path = '/mcp') => {
    for (const [method, params] of Object.entries(METHODS)) {
      const message = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
      const { status, headers, body } = await send({ ...proper(), Accept: accept }, message, { path })
      expect({ method, status, type: headers['content-type'] }).toEqual({
        method,
        status: 200,
        type: 'application/json',
      })
      expect(JSON.parse(body)).toMatchObject({ jsonrpc: '2.0', id: 7, result: expect.any(Object) as object })
    }
  })

  test('is answered with JSON by the newest revision, and by a batch with a list', async () => {
    const modern = JSON.stringify({ ...LIST, params: { _meta: ENVELOPE } })
    const headers = { ...proper(), 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' }
    expect(JSON.parse((await send({ ...headers, Accept: '*/*' }, modern)).body)).toHaveProperty(
      'result.tools',
    )
    const batch = JSON.stringify([LIST, { ...LIST, id: 2 }])
    const { body } = await send({ ...proper(), Accept: 'application/json' }, batch)
    expect((JSON.parse(body) as { id: number }[]).map(({ id }) => id)).toEqual([1, 2])
  })

  test('gets the error of an unknown tool, and 202 for a notification', async () => {
    const call = JSON.stringify({ ...LIST, method: 'tools/call', params: { name: 'no_such_tool' } })
    const { status, body } = await send({ ...proper(), Accept: '*/*' }, call)
    expect({ status, code: (JSON.parse(body) as { error: { code: number } }).error.code }).toEqual({
      status: 200,
      code: -32_602,
    })
    const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect((await send({ ...proper(), Accept: '*/*' }, note)).status).toBe(202)
  })

  test('gets the answer of an import alone, and one that reads streams gets its progress before', async () => {
    const items = ['Alpha', 'Beta'].map((name) => ({
      name,
      category: 'New',
      price: { amount: 500, currency: 'GBP' },
    }))
    const params = { name: 'import_catalog_items', arguments: { items }, _meta: { progressToken: 'mine' } }
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const alone = await send({ ...proper(), Accept: 'application/json' }, call)
    expect(JSON.parse(alone.body)).toHaveProperty('result.structuredContent.counts.created', 2)
    const { body } = await send(proper(), call)
    const told = body.split('\n').flatMap((line) => {
      const [, data] = /^data: (.+)$/.exec(line) ?? []
      return data === undefined ? [] : [JSON.parse(data) as { method?: string; params?: unknown }]
    })
    const progress = { method: 'notifications/progress', params: { progressToken: 'mine', total: 2 } }
    expect(told).toMatchObject([
      ...[0, 1, 2].map((done) => ({ ...progress, params: { ...progress.params, progress: done } })),
      { id: 1, result: { structuredContent: { counts: { created: 2 } } } },
    ])
  })

  test('is rejected when it accepts no JSON', async () => {
    const { status, body } = await send({ ...proper(), Accept: 'text/html' })
    expect({ status, code: (JSON.parse(body) as { code: string }).code }).toEqual({
      status: 406,
      code: 'not_acceptable',
    })
  })

  test('who reads streams gets one, at the address with a slash, too', async () => {
    const { status, headers } = await send(proper(), undefined, { path: '/mcp/' })
    expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'text/event-stream' })
  })
})

test('a cursor that no list gave is an error', async () => {
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
    for (const cursor of ['MTA=', '']) {
      const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { cursor } })
      const { body } = await send({ ...proper(), Accept: '*/*' }, message)
      expect({ method, cursor, ...JSON.parse(body) }).toMatchObject({
        method,
        cursor,
        error: { code: -32_602, message: 'Invalid cursor: the list has one page. Leave the cursor out.' },
      })
    }
  }
})

test('there are no sessions: an invented one changes nothing, and no stream can be opened or ended', async () => {
  const heard = await send({ ...proper(), 'Mcp-Session-Id': 'guessed' })
  expect(heard.status).toBe(200)
  expect(heard.headers['mcp-session-id']).toBeUndefined()
  for (const method of ['GET', 'DELETE']) {
    const { status, headers } = await send(proper(), '', { method })
    expect({ method, status, allow: headers['allow'] }).toEqual({ method, status: 405, allow: 'POST' })
  }
})

test('a revision that is unknown or contradicts the request is rejected, and the newest says how long a list is valid', async () => {
  expect((await send({ ...proper(), 'MCP-Protocol-Version': '1999-01-01' })).status).toBe(400)
  expect((await send({ ...proper(), 'MCP-Protocol-Version': '2026-07-28' })).status).toBe(400)
  const modern = { ...LIST, params: { _meta: ENVELOPE } }
  const headers = { ...proper(), 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' }
  const listed = await send(headers, JSON.stringify(modern))
  expect(listed.status).toBe(200)
  // The next list is the same, so that a program may keep this one, for its caller alone.
  const { result } = JSON.parse(listed.body.replace(/^[^]*data: /, ''))
  expect(result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' })
  expect((await send(headers, JSON.stringify(modern))).body).toBe(listed.body)
  expect((await send({ ...headers, 'Mcp-Method': 'tools/call' }, JSON.stringify(modern))).status).toBe(400)
})

test('a path that is not there names the one for agents', async () => {
  for (const path of ['/', '/openapi.json', '/v1/rides']) {
    const { status, body } = await send({}, '', { method: 'GET', path })
    expect(status).toBe(404)
    expect(JSON.parse(body)).toMatchObject({ detail: 'Path not found; agents send POST to /mcp.' })
  }
})

test('each caller sees the tools of its scopes, and can call no others', async () => {
  const narrow = await mint('everything', '--scope', 'rides.read')
  const agent = await openHttp(url, narrow)
  const { tools } = await agent.client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'search_ride_options',
    'quote_ride',
    'get_ride',
    'list_rides',
    'cancel_ride',
  ])
  await expect(agent.call('request_ride')).rejects.toThrow(
    'Unknown tool: request_ride. tools/list lists the available tools; others need a login with more scopes, or a server with more toolsets.',
  )
  await agent.close()
  const whole = await openHttp(url, everything)
  const usual = TOOLS.filter(({ toolset }) => toolset === undefined)
  expect((await whole.client.listTools()).tools).toHaveLength(usual.length)
  await whole.close()
})

test('two simultaneous callers see only their own resources', async () => {
  const [one, other] = await Promise.all([
    openHttp(url, everything, '2026-07-28'),
    mint('shipper').then((token) => openHttp(url, token, '2025-11-25')),
  ])
  const PARCEL = {
    recipient: {
      contact: { name: 'Grace Okoro' },
      address: { line1: '2 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' },
    },
    parcel: { weight_grams: 500, length_mm: 300, width_mm: 200, height_mm: 100 },
    service_level: 'next_day',
  }
  const [mine, theirs] = await Promise.all([
    one.call<{ tracking_number: string }>('create_shipment', { reference: 'MINE', ...PARCEL }),
    other.call<{ tracking_number: string }>('create_shipment', { reference: 'THEIRS', ...PARCEL }),
  ])
  const { tracking_number } = mine.value
  expect(theirs.value.tracking_number).not.toBe(tracking_number)
  expect((await other.call('get_shipment', { tracking_number })).problem).toMatchObject({
    code: 'shipment_not_found',
  })
  await Promise.all([one.close(), other.close()])
})
