/** The places of a call's input, and the order in which faults are reported. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { AppError, Problem } from '../../src/core/errors.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { type HttpInput, readIdempotencyKey, readRequestInput } from '../../src/gateway/request.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { makeParcel } from '../support/parcel.ts'
import { serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'
import { ENGINES } from '../support/stores.ts'
import { openTestSandbox } from '../support/world.ts'

let served: ServedStore

beforeAll(async () => {
  served = await serveStore({ registry: { NAMES, load } })
})

type ParcelPost = { as?: string; path?: string; body?: unknown; headers?: Record<string, string> }

/** Posts a parcel, by default a valid one of `everything`. */
async function post({ as = 'everything', path = '/v1/shipments', body = makeParcel(), headers }: ParcelPost) {
  const answer = await fetch(served.url + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await served.token(as)}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: answer.status, headers: answer.headers, problem: (await answer.json()) as Problem }
}

describe('with several faults the caller gets', () => {
  test('the missing credential before a body that a GET does not take', async () => {
    const read = async (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const { request } = process.getBuiltinModule('node:http')
        const sent = request(`${served.url}/v1/hubs`, { headers: { ...headers, 'Content-Length': '2' } })
        sent.on('response', (answer) => (answer.resume(), resolve(answer.statusCode))).on('error', reject)
        sent.end('{}')
      })
    expect(await read({})).toBe(401)
    expect(await read({ Authorization: `Bearer ${await served.token('guest')}` })).toBe(403)
    expect(await read({ Authorization: `Bearer ${await served.token('everything')}` })).toBe(400)
  })

  test('the wrong type before the size', async () => {
    const headers = { 'Content-Type': 'text/plain' }
    expect((await post({ body: ' '.repeat(2_000_000), headers })).problem.code).toBe('unsupported_media_type')
  })

  test('the missing agreement before a parameter that is not known', async () => {
    const sent = { path: '/v1/shipments?colour=red' }
    await served.db.write((tx) =>
      tx.run(`update accounts set carrier_agreement_status = 'ended' where handle = 'shipper2'`),
    )
    expect((await post({ ...sent, as: 'shipper2' })).problem.code).toBe('agreement_required')
    expect((await post(sent)).problem).toMatchObject({
      code: 'invalid_request',
      errors: [{ parameter: 'colour', code: 'unknown_member' }],
    })
  })

  test('everything that is wrong with the request at once, each with its place', async () => {
    const { tracking_number } = (await post({})).problem
    const path = `/v1/shipments/${String(tracking_number)}/cancel?why=late`
    const { problem } = await post({ path, body: { tracking_number, note: 1 } })
    expect(problem.errors.map(({ parameter, pointer, code }) => [parameter ?? pointer, code])).toEqual([
      ['why', 'unknown_member'],
      ['/tracking_number', 'unknown_member'],
      ['/note', 'wrong_type'],
    ])
  })
})

test('a parameter with two values is refused by its name, beside everything else', async () => {
  const ask = async (query: string) => {
    const headers = { Authorization: `Bearer ${await served.token('everything')}` }
    const answer = await fetch(`${served.url}/v1/shipments?${query}`, { headers })
    return { status: answer.status, body: (await answer.json()) as Problem }
  }
  const { status, body } = await ask('limit=1&limit=2&limit=3&colour=red&colour=blue')
  expect(status).toBe(400)
  expect(body.errors).toEqual([
    { parameter: 'limit', code: 'wrong_type', detail: 'limit is given more than once' },
    { parameter: 'colour', code: 'unknown_member', detail: 'colour is unknown' },
  ])
  expect((await ask('status=lost&status=delivered&limit=1')).status).toBe(200)
})

test('a quoted key equals the bare one, with escapes', async () => {
  const body = makeParcel({ reference: 'QUOTED' })
  const first = await post({ body, headers: { 'Idempotency-Key': 'a"b\\c' } })
  expect(first.status).toBe(201)
  const again = await post({ body, headers: { 'Idempotency-Key': '"a\\"b\\\\c"' } })
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
})

describe.each(ENGINES)('in process, on $name', (engine) => {
  test.each([
    ['half a character', 'A\ud800'],
    ['a NUL', 'A\0'],
  ])('refuses a text with %s, which no body could carry', async (_, reference) => {
    const world = await openTestSandbox({ engine })
    for (const parcel of [
      makeParcel({ reference }),
      makeParcel({ recipient: { contact: { name: reference } } }),
    ]) {
      expect((await world.refused('create_shipments_batch', { shipments: [parcel] })).code).toBe(
        'malformed_json',
      )
    }
    const spelled = makeParcel({ reference: String.raw`A\ud800 \u0000` })
    expect((await world.call('create_shipment', spelled)).status).toBe(201)
  })
})

test('an instant with an offset is read with its + sent as %2B, or bare', async () => {
  const ask = async (query: string): Promise<number> => {
    const headers = { Authorization: `Bearer ${await served.token('everything')}` }
    return (await fetch(`${served.url}/v1/shipments?${query}`, { headers })).status
  }
  expect(await ask('created_from=2026-11-20T00:00:00%2B01:00')).toBe(200)
  expect(await ask('created_from=2026-11-20T00:00:00+01:00')).toBe(200)
  expect(await ask('created_from=2026-11-20+00:00')).toBe(400)
})

describe('a number in the query', () => {
  const ask = async (query: string): Promise<number> => {
    const headers = { Authorization: `Bearer ${await served.token('everything')}` }
    return (await fetch(`${served.url}/v1/food/merchants?${query}`, { headers })).status
  }

  test.each([0.1 + 0.2, 1e-7, -1.5e-10, 0.0000010000000000000002, 51.501476, -0])(
    'is read as JavaScript writes %s',
    async (number) => {
      expect(await ask(`latitude=51.5&longitude=${String(number)}`)).toBe(200)
    },
  )

  test.each([
    '1e9',
    '1e999',
    '.5',
    '5.',
    '+5',
    '0x5',
    '1_0',
    '',
    ' 5',
    'NaN',
    'Infinity',
    '05',
    '1e',
    '1e1.5',
  ])('is not read from %j', async (text) => {
    expect(await ask(`latitude=51.5&longitude=${encodeURIComponent(text)}`)).toBe(400)
  })

  test.each(['1e1', '5.0', '2.5'])('is not whole as %s', async (text) => {
    expect(await ask(`latitude=51.5&longitude=0&limit=${text}`)).toBe(400)
  })
})

const PLACE = {
  properties: {
    limit: { type: 'integer' },
    near: { type: 'number' },
    open: { type: 'boolean' },
    q: { type: 'string' },
    status: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'integer' } },
  },
}

/** An operation on a place with an id, whose body may be of 100 bytes. */
const operation = (method: string): Parameters<typeof readRequestInput>[0] =>
  ({ method, pathParameters: ['id'], input: PLACE, bodyLimit: 100 }) as unknown as AnyOperation

/** Reads a request to the place `7`, with the limits that were asked of its body. */
async function readHttp(method: string, { body = '', ...http }: Partial<HttpInput> & { body?: string } = {}) {
  const limits: number[] = []
  const readBody = async (limit: number): Promise<Uint8Array> => {
    limits.push(limit)
    return new TextEncoder().encode(body)
  }
  const sent = {
    params: { id: '7', other: 'x' },
    query: '',
    contentType: 'application/json',
    hasBody: false,
    readBody,
  }
  const read = await readRequestInput(operation(method), { http: { ...sent, ...http } }).catch(
    ({ code, message, errors }: AppError) => ({ refused: code, message, errors }),
  )
  return { ...read, limits }
}

const queried = async (query: string) =>
  (await readHttp('GET', { query })) as Awaited<ReturnType<typeof readRequestInput>>

describe('a body', () => {
  test.each([
    'application/json',
    'Application/JSON; Charset=UTF-8',
    'application/json;charset="utf-8"',
    ' application/json ; ',
  ])('of the type %j is read, up to its limit', async (contentType) => {
    expect(await readHttp('POST', { contentType, body: '{"q":"a","id2":null}' })).toEqual({
      input: { q: 'a', id2: null, id: '7' },
      misplaced: [],
      limits: [100],
    })
  })

  test.each([
    [undefined, 'missing'],
    ['', ''],
    ['text/plain', 'text/plain'],
    ['application/jsonp', 'application/jsonp'],
    ['application/json; charset=latin1', 'application/json; charset=latin1'],
    ['application/json; charset=utf-8; charset=latin1', 'application/json; charset=utf-8; charset=latin1'],
    ['application/json; xcharset=utf-8', 'application/json; xcharset=utf-8'],
    ['application/json; charset=utf-80', 'application/json; charset=utf-80'],
    [`text/${'x'.repeat(100)}`, `text/${'x'.repeat(55)}`],
  ])('of the type %j is refused before it is read', async (contentType, named) => {
    for (const method of ['POST', 'PATCH'])
      expect(await readHttp(method, { contentType, body: '{}' })).toEqual({
        refused: 'unsupported_media_type',
        message: `Content-Type is ${named}; send application/json.`,
        errors: [],
        limits: [],
      })
  })

  test('may be missing where something is deleted, and needs a type where it is not', async () => {
    const bare = { input: { id: '7' }, misplaced: [], limits: [100] }
    expect(await readHttp('DELETE', { contentType: undefined })).toEqual(bare)
    expect(await readHttp('DELETE')).toEqual(bare)
    expect(await readHttp('DELETE', { body: '{"q":"a"}' })).toMatchObject({ input: { q: 'a', id: '7' } })
    expect(await readHttp('DELETE', { contentType: undefined, body: '{}' })).toMatchObject({
      refused: 'unsupported_media_type',
    })
    expect(await readHttp('POST')).toMatchObject({ refused: 'malformed_json' })
  })

  test.each(['null', '[]', '[{}]', '"a"', '7', 'true'])(
    'that is %s is no object, and refused',
    async (body) => {
      expect(await readHttp('POST', { body })).toMatchObject({
        refused: 'invalid_request',
        errors: [{ pointer: '', code: 'wrong_type', detail: 'the body must be an object' }],
      })
    },
  )

  test('that is no JSON is refused', async () => {
    expect(await readHttp('POST', { body: '{"q":' })).toMatchObject({ refused: 'malformed_json' })
  })

  test('names no part of the path, which wins, and no part of it stands in the query', async () => {
    const long = 'x'.repeat(100)
    expect(await readHttp('POST', { query: `q=b&${long}=`, body: '{"id":"8","q":"a"}' })).toEqual({
      input: { id: '7', q: 'a' },
      misplaced: [
        { parameter: 'q', code: 'unknown_member', detail: 'q does not belong in the query' },
        {
          parameter: long.slice(0, 60),
          code: 'unknown_member',
          detail: `${long.slice(0, 60)} does not belong in the query`,
        },
        { pointer: '/id', code: 'unknown_member', detail: 'id does not belong in the body' },
      ],
      limits: [100],
    })
  })
})

describe('a query', () => {
  test('names no part of the path, which wins, and comes without a body', async () => {
    const misplaced = [
      { parameter: 'id', code: 'unknown_member', detail: 'id does not belong in the query' },
      { parameter: 'limit', code: 'wrong_type', detail: 'limit is given more than once' },
    ]
    const query = 'id=8&limit=1&limit=2&limit=3'
    const input = { limit: 1, id: '7' }
    expect(await readHttp('GET', { query })).toEqual({ input, misplaced, limits: [] })
    const noBody = {
      pointer: '',
      code: 'unknown_member',
      detail: 'a GET has no body; use the query',
    }
    expect(await readHttp('GET', { query, hasBody: true })).toEqual({
      input,
      misplaced: [noBody, ...misplaced],
      limits: [],
    })
  })

  test('has lists where several values are wanted, and the first of those that nobody knows', async () => {
    const { input, misplaced } = await queried('status=a&sizes=1&status=b&sizes=2&sizes=x&more=1&more=2')
    expect(input).toEqual({ status: ['a', 'b'], sizes: [1, 2, 'x'], more: '1', id: '7' })
    expect(misplaced).toEqual([])
  })

  test.each([
    ['limit', ['0', '-0', '7', '-12', '9007199254740991', '1234567890123456']],
    ['near', ['0', '-0.5', '12.25', '1e-7', '1.5e300', '-0e-12', `0.${'1'.repeat(25)}`]],
  ])('has %s as a number from %j', async (name, texts) => {
    for (const text of texts) expect((await queried(`${name}=${text}`)).input[name]).toBe(Number(text))
  })

  test.each([
    ['limit', ['', '01', '-', '1.0', '1e2', '1x', 'x1', '0x1', '--1', '12345678901234567']],
    [
      'near',
      [
        '',
        '.5',
        '5.',
        '01.5',
        '1.5x',
        'x1.5',
        '1e',
        '1e1234',
        '-',
        '1-e1',
        `0.${'1'.repeat(26)}`,
        '12345678901234567',
      ],
    ],
    ['open', ['', 'TRUE', 'yes', '1', 'truefalse']],
    ['q', ['7', 'true', '1.5']],
    ['unknown', ['7', 'true']],
  ])('has %s as the text that it is in %j, which the validator names', async (name, texts) => {
    for (const text of texts) expect((await queried(`${name}=${text}`)).input[name]).toBe(text)
  })

  test('has yes and no as true and false', async () => {
    expect((await queried('open=true')).input).toEqual({ open: true, id: '7' })
    expect((await queried('open=false')).input).toEqual({ open: false, id: '7' })
  })

  test.each([
    ['2026-11-21T09:00:00+01:00', '2026-11-21T09:00:00+01:00'],
    ['2026-11-21T09:00:00.250+01:00', '2026-11-21T09:00:00.250+01:00'],
    // Other texts keep their spaces.
    ['2026-11-21+01:00', '2026-11-21 01:00'],
    ['x2026-11-21T09:00:00+01:00', 'x2026-11-21T09:00:00 01:00'],
    ['2026-11-21T09:00:00+01:00x', '2026-11-21T09:00:00 01:00x'],
    ['2026-11-21T09:00:00+1:00', '2026-11-21T09:00:00 1:00'],
    ['2026-11-21T+01:00', '2026-11-21T 01:00'],
  ])('has %s as %s', async (query, text) => {
    expect((await queried(`q=${query}`)).input['q']).toBe(text)
  })
})

describe('in process', () => {
  test('an input is a copy, and none is an empty one', async () => {
    const input = { q: 'a' }
    const read = await readRequestInput(operation('POST'), { input })
    expect(read).toEqual({ input, misplaced: [] })
    expect(read.input).not.toBe(input)
    expect(await readRequestInput(operation('POST'), {})).toEqual({ input: {}, misplaced: [] })
  })

  test('a text that no body could carry is refused of a change, and looked for by a read', async () => {
    const input = { q: 'a\0' }
    await expect(readRequestInput(operation('POST'), { input })).rejects.toMatchObject({
      code: 'malformed_json',
    })
    expect(await readRequestInput(operation('GET'), { input })).toEqual({ input, misplaced: [] })
  })
})

describe('a key', () => {
  const read = (idempotency: AnyOperation['idempotency'], text: string | undefined) =>
    readIdempotencyKey({ name: 'do_it', idempotency } as AnyOperation, text)

  test('is read where the operation takes one, and nowhere else', () => {
    for (const idempotency of ['required', 'supported'] as const) expect(read(idempotency, '"k"')).toBe('k')
    for (const text of ['k', 'not a key', undefined]) expect(read('none', text)).toBeUndefined()
  })

  test('may be missing unless the operation needs it', () => {
    expect(read('supported', undefined)).toBeUndefined()
    expect(() => read('required', undefined)).toThrow(
      expect.objectContaining({
        code: 'idempotency_key_required',
        message: 'do_it needs an Idempotency-Key header.',
      }) as Error,
    )
  })

  test('is refused by the name of its header when it is none', () => {
    for (const idempotency of ['required', 'supported'] as const)
      for (const text of ['', 'a b', 'x'.repeat(256)])
        expect(() => read(idempotency, text)).toThrow(
          expect.objectContaining({
            code: 'idempotency_key_invalid',
            errors: [
              {
                header: 'Idempotency-Key',
                code: 'invalid_format',
                detail: '1 to 255 visible ASCII characters',
              },
            ],
          }) as Error,
        )
  })
})
