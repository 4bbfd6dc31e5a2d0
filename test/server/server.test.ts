import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeGate, makeGatedRegistry } from '../support/gate.ts'
import { RESOURCE_SAMPLES } from '../support/resource-samples.ts'
import { serveStore, talk } from '../support/served.ts'
import type { RawAnswer, ServedStore } from '../support/served.ts'

let served: ServedStore
let token: string

beforeAll(async () => {
  served = await serveStore({ registry: RESOURCE_SAMPLES })
  token = await served.token('everything')
})

/** Returns the bytes of a request; the connection is closed after its response. */
function request(line: string, headers: readonly string[] = [], body = ''): string {
  const all = [
    `Host: 127.0.0.1:${served.port}`,
    `Authorization: Bearer ${token}`,
    'Connection: close',
    ...headers,
  ]
  return `${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`
}

function post(body: string, headers: readonly string[] = ['Content-Type: application/json']): string {
  return request('POST /v1/things', [...headers, `Content-Length: ${Buffer.byteLength(body)}`], body)
}

async function send(bytes: string): Promise<RawAnswer> {
  const answers = await talk(served.port, bytes)
  expect(answers).toHaveLength(1)
  return answers[0] as RawAnswer
}

function codeOf(answer: RawAnswer): string {
  const problem = JSON.parse(answer.body) as Record<string, unknown>
  expect(answer.headers['content-type']).toBe('application/problem+json')
  expect(problem).toMatchObject({
    type: `urn:dray:problem:${String(problem['code'])}`,
    status: answer.status,
    request_id: answer.headers['request-id'],
    retryable: expect.any(Boolean),
    errors: expect.any(Array),
  })
  return String(problem['code'])
}

describe('answers', () => {
  test('a read with the headers that every answer has', async () => {
    const answer = await send(request('GET /v1/things/lamp'))
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body)).toEqual({ thing_id: 'lamp', owner: 'everything' })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      environment: 'sandbox',
      'service-time': '2026-11-20T12:00:00.000Z;mode=frozen',
      'request-id': expect.stringMatching(/^req_[0-9a-z]{26}$/),
      date: expect.any(String),
      'x-content-type-options': 'nosniff',
    })
  })

  test('HEAD as GET, without the body', async () => {
    const [answer] = await talk(served.port, request('HEAD /v1/things/lamp'), { bodiless: true })
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-length': '40', 'content-type': 'application/json' },
    })
  })

  test('a creation with its address, and again the same bytes for the same key', async () => {
    const keyed = ['Content-Type: application/json; charset=utf-8', 'Idempotency-Key: "k-1"']
    const first = await send(post('{"name":"lamp"}', keyed))
    const second = await send(post('{ "name" : "lamp" }', keyed))
    expect(first).toMatchObject({
      status: 201,
      headers: { location: expect.stringMatching(/^\/v1\/things\/thg_/) },
    })
    expect(second.body).toBe(first.body)
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.headers['request-id']).not.toBe(first.headers['request-id'])
  })

  test('a credential with another spelling of its scheme', async () => {
    const bytes = request('GET /v1/things/lamp').replace('Bearer', 'bEARER ')
    expect((await send(bytes)).status).toBe(200)
  })

  test('an id with characters of any script', async () => {
    const answer = await send(request(`GET /v1/things/${encodeURIComponent('ключ 🔑')}`))
    expect(JSON.parse(Buffer.from(answer.body, 'latin1').toString())).toMatchObject({ thing_id: 'ключ 🔑' })
  })

  test('an id of 10 KB', async () => {
    expect((await send(request(`GET /v1/things/${'a'.repeat(10_000)}`))).status).toBe(200)
  })

  test('ten thousand requests sent at once on one connection, in their order', async () => {
    const one = (index: number): string =>
      request(`GET /v1/things/t${index}`).replace('Connection: close', 'Connection: keep-alive')
    const bytes = Array.from({ length: 10_000 }, (_, index) => one(index)).join('')
    const answers = await talk(served.port, bytes, { count: 10_000 })
    const ids = answers.map(({ body }) => (JSON.parse(body) as { thing_id?: string }).thing_id)
    expect(ids).toEqual(ids.map((_, index) => `t${index}`))
    expect(ids).toHaveLength(10_000)
  })
})

describe('refuses', () => {
  const json = ['Content-Type: application/json']
  const cases: Record<string, [bytes: () => string, status: number, code: string]> = {
    'no credential': [
      () => request('GET /v1/things/a').replace(/Authorization.*\r\n/, ''),
      401,
      'missing_token',
    ],
    'an unknown token': [
      () => request('GET /v1/things/a').replace(token, `${token.slice(0, -1)}_`),
      401,
      'invalid_token',
    ],
    'an empty token': [() => request('GET /v1/things/a').replace(token, ''), 401, 'invalid_token'],
    'two tokens in one header': [
      () => request('GET /v1/things/a').replace(token, `${token} ${token}`),
      401,
      'invalid_token',
    ],
    'a list of tokens': [
      () => request('GET /v1/things/a').replace(token, `${token},${token}`),
      401,
      'invalid_token',
    ],
    'two Authorization headers': [
      () => request('GET /v1/things/a', [`Authorization: Bearer ${token}`]),
      401,
      'invalid_token',
    ],
    'another scheme': [() => request('GET /v1/things/a').replace('Bearer', 'Basic'), 401, 'invalid_token'],
    'a token in the query': [() => request(`GET /v1/things/a?access_token=${token}`), 400, 'invalid_request'],
    'a token in the query alone': [
      () => request(`GET /v1/things/a?access_token=${token}`).replace(/Authorization.*\r\n/, ''),
      401,
      'missing_token',
    ],
    'an unknown parameter': [() => request('GET /v1/things/a?colour=red&size=1'), 400, 'invalid_request'],
    'an unknown path': [() => request('GET /v1/unknown'), 404, 'route_not_found'],
    'another version': [() => request('GET /v2/things/a'), 404, 'route_not_found'],
    'doubled slashes': [() => request('GET //v1//things/a'), 404, 'route_not_found'],
    'a slash at the end': [() => request('GET /v1/things/'), 404, 'route_not_found'],
    'dot segments': [() => request('GET /v1/../v1/things/a'), 404, 'route_not_found'],
    'an id of two dots': [() => request('GET /v1/things/..'), 404, 'route_not_found'],
    'encoded dot segments': [() => request('GET /v1/things/%2e%2e'), 404, 'route_not_found'],
    'an encoded slash': [() => request('GET /v1/things/a%2Fb'), 404, 'route_not_found'],
    'an encoded backslash': [() => request('GET /v1/things/a%5Cb'), 404, 'route_not_found'],
    'an encoded NUL': [() => request('GET /v1/things/a%00'), 404, 'route_not_found'],
    'an encoded line break': [() => request('GET /v1/things/a%0a'), 404, 'route_not_found'],
    'overlong UTF-8': [() => request('GET /v1/things/%c0%ae'), 404, 'route_not_found'],
    'half an escape': [() => request('GET /v1/things/%2'), 404, 'route_not_found'],
    'a whole URL of somebody else': [
      () => request('GET http://evil.example/v1/things/a'),
      403,
      'origin_not_allowed',
    ],
    'an asterisk': [() => request('OPTIONS *'), 404, 'route_not_found'],
    'another method': [() => request('DELETE /v1/things/a'), 405, 'method_not_allowed'],
    OPTIONS: [
      () => request('OPTIONS /v1/things', ['Access-Control-Request-Method: POST']),
      405,
      'method_not_allowed',
    ],
    TRACE: [() => request('TRACE /v1/things'), 405, 'method_not_allowed'],
    CONNECT: [() => request('CONNECT evil.example:443'), 405, 'method_not_allowed'],
    'a method that is none': [() => request('FETCH /v1/things'), 405, 'method_not_allowed'],
    'a caller that takes no JSON': [
      () => request('GET /v1/things/a', ['Accept: text/html']),
      406,
      'not_acceptable',
    ],
    'text instead of JSON': [
      () => post('{"name":"a"}', ['Content-Type: text/plain']),
      415,
      'unsupported_media_type',
    ],
    XML: [() => post('<a/>', ['Content-Type: application/xml']), 415, 'unsupported_media_type'],
    'a missing Content-Type': [() => post('{"name":"a"}', []), 415, 'unsupported_media_type'],
    'a Content-Type that is none': [
      () => post('{"name":"a"}', ['Content-Type: json']),
      415,
      'unsupported_media_type',
    ],
    'two Content-Types': [() => post('{"name":"a"}', [...json, ...json]), 415, 'unsupported_media_type'],
    'JSON in UTF-16': [
      () => post('{"name":"a"}', ['Content-Type: application/json; charset=utf-16']),
      415,
      'unsupported_media_type',
    ],
    'a compressed body': [
      () => post('{"name":"a"}', [...json, 'Content-Encoding: gzip']),
      415,
      'unsupported_media_type',
    ],
    'a body one byte over the limit': [
      () => post(`{"name":"${'a'.repeat(99_990)}"}`),
      413,
      'payload_too_large',
    ],
    'a body far over the limit': [() => post('a'.repeat(5_000_000)), 413, 'payload_too_large'],
    'an empty body': [() => post(''), 400, 'malformed_json'],
    'broken JSON': [() => post('{"name":'), 400, 'malformed_json'],
    'a key with a space': [
      () => post('{"name":"a"}', [...json, 'Idempotency-Key: a b']),
      400,
      'idempotency_key_invalid',
    ],
    'two keys': [
      () => post('{"name":"a"}', [...json, 'Idempotency-Key: a', 'Idempotency-Key: b']),
      400,
      'idempotency_key_invalid',
    ],
    'an unknown scenario': [
      () => post('{"name":"a"}', [...json, 'Sandbox-Scenario: sunshine']),
      400,
      'scenario_not_allowed',
    ],
    'a Host of somebody else': [
      () => request('GET /v1/things/a').replace(/Host: .*\r\n/, 'Host: evil.example\r\n'),
      403,
      'origin_not_allowed',
    ],
    'no Host': [() => request('GET /v1/things/a').replace(/Host: .*\r\n/, ''), 400, 'invalid_request'],
    'two Hosts': [
      () => request('GET /v1/things/a', [`Host: 127.0.0.1:${served.port}`]),
      400,
      'invalid_request',
    ],
    'a page of another origin': [
      () => request('GET /v1/things/a', ['Origin: https://evil.example']),
      403,
      'origin_not_allowed',
    ],
    'a page of another local port': [
      () => request('GET /v1/things/a', ['Origin: http://127.0.0.1:1']),
      403,
      'origin_not_allowed',
    ],
    'a page without origin': [() => request('GET /v1/things/a', ['Origin: null']), 403, 'origin_not_allowed'],
    'another origin on a path that is not there': [
      () => request('GET /nothing', ['Origin: https://evil.example']),
      403,
      'origin_not_allowed',
    ],
    '2,001 headers': [
      () =>
        request(
          'GET /v1/things/a',
          Array.from({ length: 2001 }, () => 'a:b'),
        ),
      431,
      'headers_too_large',
    ],
    'a header block over 16 KiB': [
      () => request('GET /v1/things/a', [`X: ${'a'.repeat(17_000)}`]),
      431,
      'headers_too_large',
    ],
    'what is not HTTP': [() => 'hello there\r\n\r\n', 400, 'invalid_request'],
    'a TLS greeting': [
      () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc',
      400,
      'invalid_request',
    ],
    'a length and chunks at once': [
      () =>
        request('POST /v1/things', [...json, 'Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
      400,
      'invalid_request',
    ],
    'two lengths': [
      () => request('POST /v1/things', [...json, 'Content-Length: 4', 'Content-Length: 5'], '{}{}'),
      400,
      'invalid_request',
    ],
    'a negative length': [
      () => request('POST /v1/things', [...json, 'Content-Length: -1']),
      400,
      'invalid_request',
    ],
    'a chunk without a size': [
      () => request('POST /v1/things', [...json, 'Transfer-Encoding: chunked'], 'zz\r\n\r\n'),
      400,
      'invalid_request',
    ],
    'a header with a line break in its name': [
      () => request('GET /v1/things/a', ['X\nY: 1']),
      400,
      'invalid_request',
    ],
  }

  test.each(Object.entries(cases))('%s', async (_name, [bytes, status, code]) => {
    const answer = await send(bytes())
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
  })

  test('a method, and says which ones there are', async () => {
    expect((await send(request('PUT /v1/things/a'))).headers['allow']).toBe('GET, HEAD')
    expect((await send(request('GET /v1/things'))).headers['allow']).toBe('POST')
    expect((await send(request('BREW /v1/things'))).headers['allow']).toBe('GET, HEAD, POST, PUT, DELETE')
  })

  test('to read X-HTTP-Method-Override', async () => {
    expect((await send(request('GET /v1/things/a', ['X-HTTP-Method-Override: DELETE']))).status).toBe(200)
  })

  test('a caller that asks before sending its body, when its credential is bad', async () => {
    const head = ['Content-Type: application/json', 'Expect: 100-continue', 'Content-Length: 12']
    const bad = request('POST /v1/things', head).replace(token, 'x')
    const [refusal] = await talk(served.port, bad, { count: 1 })
    const [goOn] = await talk(served.port, request('POST /v1/things', head), { count: 1 })
    expect([refusal?.status, goOn?.status]).toEqual([401, 100])
  })

  test('a body that never ends, once it is over the limit', async () => {
    const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`
    const bytes = request(
      'POST /v1/things',
      ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
      chunk.repeat(8),
    )
    const [answer] = await talk(served.port, bytes, { count: 1 })
    expect(answer?.status).toBe(413)
  })

  test('a body that ends before its time', async () => {
    const bytes = request(
      'POST /v1/things',
      ['Content-Type: application/json', 'Content-Length: 100'],
      '{"name"',
    )
    const answers = await talk(served.port, bytes, { end: true })
    expect(answers.map(({ status }) => status)).toEqual([400])
  })

  test('the bytes after a body that exceeds its declared length, after earlier requests are answered', async () => {
    const kept = [post('{"name":"lamp"}'), request('GET /v1/things/a'), request('GET /v1/things/b')]
    const bytes = kept.join('').replaceAll('Connection: close\r\n', '')
    const answers = await talk(served.port, `${bytes}GARBAGE\r\n\r\n`)
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 405])
  })

  test('to speak another protocol on the same connection', async () => {
    const upgrade = ['Upgrade: websocket, h2c', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
    const bytes = request('GET /v1/things/lamp', upgrade).replace('Connection: close', 'Connection: Upgrade')
    const [answer] = await talk(served.port, bytes, { count: 1 })
    expect(answer).toMatchObject({ status: 200, body: '{"thing_id":"lamp","owner":"everything"}' })
    expect(await talk(served.port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).toMatchObject([{ status: 400 }])
  })

  test('only for a listed reason', () => {
    expect(served.bugs).toEqual([])
  })
})

describe.concurrent('waits only so long', () => {
  const timeouts = { headers: 100, request: 200 }
  /** Something else is answered within the time, also on a busy machine. */
  const patient = { headers: 1500, request: 2000 }

  test('for headers that trickle', async () => {
    const slow = await serveStore({ registry: RESOURCE_SAMPLES, timeouts })
    const answers = await talk(slow.port, 'GET /v1/things/a HTTP/1.1\r\nHost: ')
    expect(answers.map(({ status }) => status)).toEqual([408])
    expect(codeOf(answers[0] as RawAnswer)).toBe('request_timeout')
  })

  test('for a body that trickles', async () => {
    const slow = await serveStore({ registry: RESOURCE_SAMPLES, timeouts })
    const head = `POST /v1/things HTTP/1.1\r\nHost: 127.0.0.1:${slow.port}\r\nAuthorization: Bearer ${await slow.token('everything')}\r\n`
    const answers = await talk(
      slow.port,
      `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    )
    expect(answers.map(({ status }) => status)).toEqual([408])
  })

  test('for headers that arrive letter by letter', async () => {
    const slow = await serveStore({ registry: RESOURCE_SAMPLES, timeouts })
    const socket = connect(slow.port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write('GET /v1/things/a HTTP/1.1\r\nHost: ')
    const drip = setInterval(() => socket.write('a'), 20)
    const heard = await new Promise<string>((resolve) => {
      socket.once('data', (chunk: Buffer) => resolve(chunk.toString()))
      socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code))
    })
    clearInterval(drip)
    socket.destroy()
    // When the upload is cut off, the caller may get a reset before the response.
    expect(heard).toMatch(/^HTTP\/1\.1 408 |^ECONNRESET$|^EPIPE$/)
  })

  test('for the body of a caller that asked whether to send it', async () => {
    const slow = await serveStore({ registry: RESOURCE_SAMPLES, timeouts: patient })
    const head = `Host: 127.0.0.1:${slow.port}\r\nAuthorization: Bearer ${await slow.token('everything')}\r\n`
    const about = 'Content-Type: application/json\r\nContent-Length: 100\r\nExpect: 100-continue\r\n'
    const answers = await talk(slow.port, `POST /v1/things HTTP/1.1\r\n${head}${about}\r\n`)
    expect(answers.map(({ status }) => status)).toEqual([100, 408])
  })

  test('so long that hundreds of silent connections cannot block others', async () => {
    const crowded = await serveStore({ registry: RESOURCE_SAMPLES, timeouts: patient })
    const silent = Array.from({ length: 300 }, () => talk(crowded.port, 'GET /v1/things/a HTTP/1.1\r\nX: '))
    const head = `Host: 127.0.0.1:${crowded.port}\r\nAuthorization: Bearer ${await crowded.token('everything')}\r\n`
    const [answer] = await talk(crowded.port, `GET /v1/things/a HTTP/1.1\r\n${head}\r\n`, { count: 1 })
    expect(answer?.status).toBe(200)
    expect(new Set((await Promise.all(silent)).flat().map(({ status }) => status))).toEqual(new Set([408]))
  })
  test('for a caller to read its answer', async ({ expect }) => {
    const long = {
      ...RESOURCE_SAMPLES,
      async load(name: string) {
        const loaded = await RESOURCE_SAMPLES.load(name)
        // More than the buffers of both sides hold.
        const run = async () => ({ thing_id: 'long', owner: 'x'.repeat(30_000_000) })
        return loaded === undefined ? undefined : { ...loaded, operation: { ...loaded.operation, run } }
      },
    }
    const crowded = await serveStore({ registry: long, timeouts: { read: 100 } })
    const head = `Host: 127.0.0.1:${crowded.port}\r\nAuthorization: Bearer ${await crowded.token('everything')}\r\n`
    const bytes = `GET /v1/things/long HTTP/1.1\r\n${head}\r\n`
    const socket = connect(crowded.port, '127.0.0.1', () => socket.write(bytes)).pause()
    socket.on('error', () => {})
    await expect.poll(() => crowded.log.map(({ status }) => status)).toEqual([499])
    socket.destroy()
    expect(crowded.bugs).toEqual([])
  })
})

describe('closing', () => {
  test('lets a running request finish, and accepts no more', async () => {
    const gate = makeGate()
    const closing = await serveStore({ registry: makeGatedRegistry(gate) })
    const bytes = `GET /v1/waits HTTP/1.1\r\nHost: 127.0.0.1:${closing.port}\r\nAuthorization: Bearer ${await closing.token('everything')}\r\n\r\n`
    const running = talk(closing.port, bytes)
    await gate.reached
    const closed = closing.close()
    gate.open()
    const answers = await running
    await closed
    expect(answers.map(({ status, headers }) => [status, headers['connection']])).toEqual([[200, 'close']])
    await expect(talk(closing.port, bytes)).rejects.toThrow('ECONNREFUSED')
  })

  test('answers a request after its headers began to arrive', async () => {
    const closing = await serveStore({ registry: RESOURCE_SAMPLES })
    const head = `Host: 127.0.0.1:${closing.port}\r\nAuthorization: Bearer ${await closing.token('everything')}\r\n`
    const bytes = `GET /v1/things/lamp HTTP/1.1\r\n${head}`
    const early = connect(closing.port, '127.0.0.1').setEncoding('utf8')
    early.write(bytes)
    // Connections are read in turn: after the response to the later one, the early one has been read.
    expect(await talk(closing.port, `${bytes}\r\n`, { count: 1 })).toMatchObject([{ status: 200 }])
    const closed = closing.close()
    await expect.poll(() => talk(closing.port, bytes).catch(String)).toMatch('ECONNREFUSED')
    early.write('\r\n')
    const [answer] = await once(early, 'data')
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*Connection: close\r\n/i)
    await closed
  })

  test('answers one more request on a connection that is kept, and says that it was the last', async () => {
    const closing = await serveStore({ registry: RESOURCE_SAMPLES })
    const head = `Host: 127.0.0.1:${closing.port}\r\nAuthorization: Bearer ${await closing.token('everything')}\r\n`
    const kept = connect(closing.port, '127.0.0.1').setEncoding('utf8')
    const ask = async (): Promise<string> => {
      kept.write(`GET /v1/things/lamp HTTP/1.1\r\n${head}\r\n`)
      return String(await once(kept, 'data'))
    }
    expect(await ask()).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*Connection: keep-alive\r\n/i)
    const closed = closing.close()
    expect(await ask()).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*Connection: close\r\n/i)
    await closed
  })

  test('gives up on a request that does not finish', async () => {
    const gate = makeGate()
    const closing = await serveStore({ registry: makeGatedRegistry(gate), timeouts: { close: 50 } })
    const bytes = `GET /v1/waits HTTP/1.1\r\nHost: 127.0.0.1:${closing.port}\r\nAuthorization: Bearer ${await closing.token('everything')}\r\n\r\n`
    const running = talk(closing.port, bytes)
    await gate.reached
    const closed = closing.close()
    expect(await running).toEqual([])
    gate.open()
    await closed
  })
})
