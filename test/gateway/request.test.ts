/** The places of a call's input, and the order in which faults are reported (`contract.md` A1). */
import { beforeAll, describe, expect, test } from 'vitest'
import type { Problem } from '../../src/core/errors.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { makeParcel } from '../support/parcel.ts'
import { serveStore } from '../support/served.ts'
import type { Served } from '../support/served.ts'
import { ENGINES } from '../support/stores.ts'
import { openWorld } from '../support/world.ts'

let served: Served

beforeAll(async () => {
  served = await serveStore({ registry: { NAMES, load } })
})

type Sent = { as?: string; path?: string; body?: unknown; headers?: Record<string, string> }

/** Posts a parcel, by default a valid one of `everything`. */
async function post({ as = 'everything', path = '/v1/shipments', body = makeParcel(), headers }: Sent) {
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
    { parameter: 'colour', code: 'unknown_member', detail: 'colour is not known here' },
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
    const world = await openWorld({ engine })
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
