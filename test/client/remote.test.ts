import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setDefaultCACertificates, getCACertificates } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import type { ClientCallOptions } from '../../src/client/client.ts'
import type { LoginStore } from '../../src/client/session.ts'
import { AppError } from '../../src/core/errors.ts'
import { makeCertificate } from '../support/certificate.ts'
import { sendValidResponse, raw, startFaults } from '../support/faults.ts'
import type { Script } from '../support/faults.ts'
import { makeParcel } from '../support/parcel.ts'
import { openTestRemote, type RemoteOptions } from '../support/remote-client.ts'
import { openTestSandbox } from '../support/world.ts'

const MEMBERSHIP = {
  active: true,
  entitlement: 'service_one',
  status: 'active',
  plan: null,
  current_period_start: null,
  current_period_end: null,
  cancel_at_period_end: false,
  benefits: [],
  checked_at: '2026-11-20T12:00:00.000Z',
}
/** A real response of the service. */
const SHIPMENT = await makeShipment()

async function makeShipment(): Promise<Record<string, unknown>> {
  const { call, db } = await openTestSandbox()
  const { body } = await call('create_shipment', makeParcel())
  await db.close()
  return body
}

/** Returns the result of a call to a misbehaving service, and the requests that it received. */
async function attempt(
  script: Script,
  operation = 'get_membership_status',
  input = {},
  callOptions: ClientCallOptions = {},
  options: RemoteOptions = {},
) {
  const faults = await startFaults(script)
  const { client, waits } = await openTestRemote(faults.url, options)
  const outcome = await client.call(operation, input, callOptions).catch((error: unknown) => error)
  return { outcome, waits, asked: faults.asked, url: faults.url }
}

async function failure(...given: Parameters<typeof attempt>) {
  const { outcome, ...rest } = await attempt(...given)
  expect(outcome).toBeInstanceOf(AppError)
  const { code, message, exitCode, hint, extra, errors } = outcome as AppError
  return { code, message, exitCode, hint, extra, errors, ...rest }
}

const CLOCK = { now: '2026-11-20T09:00:00.000Z', mode: 'frozen', factor: 1, next_due_at: null }

describe('what is sent', () => {
  test('nothing, when the caller does not want the change any more', async () => {
    const { outcome, asked } = await attempt(
      (response) => sendValidResponse(response, 201, SHIPMENT),
      'create_shipment',
      makeParcel(),
      {
        beforeChange() {
          throw new AppError('call_cancelled', 'Not any more.')
        },
      },
    )
    expect(outcome).toMatchObject({ code: 'call_cancelled' })
    expect(asked).toEqual([])
  })

  test('a read: path, query and credential', async () => {
    const { outcome, asked } = await attempt(
      (response) => sendValidResponse(response, 200, { data: [], has_more: false, next_cursor: null }),
      'list_shipments',
      {
        status: ['delivered', 'lost'],
        reference: 'A 1&2',
        limit: 5,
        cursor: undefined,
        created_from: null,
      },
    )
    expect(asked).toMatchObject([
      {
        method: 'GET',
        url: '/v1/shipments?status=delivered&status=lost&reference=A+1%262&limit=5',
        headers: { authorization: 'Bearer dray_sbx_test', accept: 'application/json' },
        body: '',
      },
    ])
    expect(asked[0]?.headers['idempotency-key']).toBeUndefined()
    expect(outcome).toEqual({
      value: { data: [], has_more: false, next_cursor: null },
      status: 200,
      replayed: false,
      requestId: 'req_test',
      serviceTime: { now: Date.UTC(2026, 10, 20, 12), frozen: true },
    })
  })

  test('a change: an id in the path, the rest in the body, under a key', async () => {
    const { asked } = await attempt(
      (response) => sendValidResponse(response, 200, { ...SHIPMENT, tracking_number: 'ZC968043370GB' }),
      'cancel_shipment',
      {
        tracking_number: 'zc 968043370 gb',
        note: 'Ünwanted',
      },
    )
    expect(asked).toMatchObject([
      {
        method: 'POST',
        url: '/v1/shipments/zc%20968043370%20gb/cancel',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': expect.stringMatching(/^key_[0-9a-z]{26}$/),
        },
        body: '{"note":"Ünwanted"}',
      },
    ])
  })

  test.each([{}, { tracking_number: '' }])('nothing where the path lacks its id: %j', async (input) => {
    const { asked, ...error } = await failure(
      (response) => sendValidResponse(response, 200, SHIPMENT),
      'get_shipment',
      input,
    )
    expect(asked).toEqual([])
    expect(error).toMatchObject({
      code: 'invalid_request',
      message: 'tracking_number is required.',
      errors: [{ parameter: 'tracking_number', code: 'required' }],
    })
  })

  test('the caller’s key and scenario; a replay is reported', async () => {
    const { outcome, asked } = await attempt(
      (response) => sendValidResponse(response, 201, SHIPMENT, { 'Idempotent-Replayed': 'true' }),
      'create_shipment',
      {},
      { idempotencyKey: 'mine', scenario: 'lost' },
    )
    expect(asked[0]?.headers).toMatchObject({ 'idempotency-key': 'mine', 'sandbox-scenario': 'lost' })
    expect(outcome).toMatchObject({ status: 201, replayed: true })
  })

  test('everything below the path of the address', async () => {
    const faults = await startFaults((response) => sendValidResponse(response, 200, MEMBERSHIP))
    const { client } = await openTestRemote(`${faults.url}/api/`)
    await client.call('get_membership_status', {})
    expect(faults.asked[0]?.url).toBe('/api/v1/me/membership')
  })

  test('the control token, for a control call', async () => {
    const faults = await startFaults((response) => sendValidResponse(response, 200, CLOCK))
    const { client } = await openTestRemote(faults.url)
    await client.control('get_clock', {})
    expect(faults.asked[0]).toMatchObject({
      method: 'GET',
      headers: { authorization: 'Bearer dray_ctl_test' },
    })
    expect(faults.asked[0]?.url).toMatch(/^\/sandbox\//)
  })

  test('nothing without a token', async () => {
    const { code, exitCode, asked } = await failure(
      (response) => sendValidResponse(response, 200, MEMBERSHIP),
      'get_membership_status',
      {},
      {},
      { target: { token: undefined } },
    )
    expect([code, exitCode, asked.length]).toEqual(['not_logged_in', 4, 0])
  })

  test('the bytes of a picture, as they are', async () => {
    const faults = await startFaults((response) => {
      response.writeHead(200, { 'Content-Type': 'image/png' })
      response.end(Uint8Array.of(1, 2, 255))
    })
    const { client } = await openTestRemote(faults.url)
    expect(await client.media('med_1')).toEqual({ contentType: 'image/png', bytes: Buffer.from([1, 2, 255]) })
    expect(faults.asked[0]).toMatchObject({
      url: '/media/med_1',
      headers: { authorization: 'Bearer dray_sbx_test' },
    })
  })
})

describe('tries again', () => {
  const failTwice =
    (status: number, headers: Record<string, string> = {}): Script =>
    (response, nth) =>
      nth < 2 ? sendValidResponse(response, status, {}, headers) : sendValidResponse(response, 201, SHIPMENT)

  test.each([408, 429, 502, 503, 504, 509, 520, 521, 522, 523, 524, 525, 529, 530])(
    'after %i, with the same key, waiting longer each time',
    async (status) => {
      const { outcome, asked, waits } = await attempt(failTwice(status), 'create_shipment')
      expect(outcome).toMatchObject({ status: 201 })
      expect(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
      expect(asked).toHaveLength(3)
      expect(waits.map(Math.round)).toEqual([100, 201])
    },
  )

  test('when the connection is reset before, while and after the answer begins', async () => {
    const { outcome, asked } = await attempt((response, nth) => {
      const socket = raw(response)
      if (nth === 0) socket.resetAndDestroy()
      else if (nth === 1) socket.write('HTTP/1.1 201 Created\r\nContent-Le', () => socket.resetAndDestroy())
      else if (nth === 2)
        socket.end(
          'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"tracking',
        )
      else sendValidResponse(response, 201, SHIPMENT)
    }, 'create_shipment')
    expect(outcome).toMatchObject({ status: 201 })
    expect(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(asked).toHaveLength(4)
  })

  test('an error after a lost attempt has the key, because that attempt may have been carried out', async () => {
    const refuse: Script = (response, nth) =>
      nth === 0
        ? raw(response).resetAndDestroy()
        : sendValidResponse(response, 401, { code: 'invalid_token', detail: 'It has expired.' })
    const { outcome } = await attempt(refuse, 'create_shipment')
    expect(outcome).toMatchObject({
      code: 'invalid_token',
      extra: { idempotency_key: expect.stringMatching(/^key_/) as string },
    })
    const plain = await attempt(
      (response) => sendValidResponse(response, 401, { code: 'invalid_token' }),
      'create_shipment',
    )
    expect((plain.outcome as AppError).extra).not.toHaveProperty('idempotency_key')
  })

  test('it tells the key also where the login was renewed between the lost try and the refusal', async () => {
    const renewed = { access_token: 'dray_sbx_next', token_type: 'Bearer', refresh_token: 'r2', scope: '' }
    const script: Script = (response, nth) => {
      if (nth === 0) raw(response).resetAndDestroy()
      else if (nth === 1)
        sendValidResponse(response, 401, { code: 'invalid_token', detail: 'It has expired.' })
      else if (nth === 2) sendValidResponse(response, 200, { ...renewed, expires_in: 3600 })
      else sendValidResponse(response, 422, { code: 'hub_not_found', detail: 'There is no such hub.' })
    }
    const kept: LoginStore = {
      read: async () => ({ token: 'dray_sbx_test', refreshToken: 'r1' }),
      write: async () => {},
      exclusive: (work) => work(),
    }
    const { outcome, asked } = await attempt(
      script,
      'create_shipment',
      {},
      { idempotencyKey: 'k1' },
      { kept },
    )
    expect(asked).toHaveLength(4)
    expect(outcome).toMatchObject({ message: 'There is no such hub.', extra: { idempotency_key: 'k1' } })
  })

  test('a read that times out reports why the earlier attempt failed', async () => {
    const { outcome } = await attempt(
      (response, nth) => (nth === 0 ? raw(response).resetAndDestroy() : undefined),
      'list_hubs',
      {},
      {},
      { target: { timeoutMs: 2000 } },
    )
    expect(outcome).toMatchObject({
      code: 'network_error',
      message: expect.stringContaining('cannot be reached') as string,
    })
  })

  test('while a copy of the same call is still running', async () => {
    const problem = { code: 'idempotency_in_flight', detail: 'still running' }
    const { outcome } = await attempt(
      (response, nth) =>
        nth === 0
          ? sendValidResponse(response, 409, problem, { 'Retry-After': '1' })
          : sendValidResponse(response, 201, SHIPMENT),
      'create_shipment',
    )
    expect(outcome).toMatchObject({ status: 201 })
  })

  test.each([
    ['seconds', { 'Retry-After': '7' }, 7000],
    [
      'a date, by the clock of the service',
      { 'Retry-After': 'Fri, 20 Nov 2099 12:00:09 GMT', Date: 'Fri, 20 Nov 2099 12:00:00 GMT' },
      9000,
    ],
    [
      'a date that is over',
      { 'Retry-After': 'Fri, 20 Nov 2020 12:00:00 GMT', Date: 'Fri, 20 Nov 2026 12:00:00 GMT' },
      100,
    ],
    ['a negative number', { 'Retry-After': '-5' }, 100],
    ['nonsense', { 'Retry-After': 'soon' }, 100],
  ])('after what Retry-After asks for: %s', async (_name, headers, expected) => {
    const { waits } = await attempt((response, nth) =>
      nth === 0
        ? sendValidResponse(response, 503, {}, headers)
        : sendValidResponse(response, 200, MEMBERSHIP),
    )
    expect(waits.map(Math.round)).toEqual([expected])
  })

  test('not when the wait would exceed its timeout', async () => {
    const { code, exitCode, waits } = await failure((response) =>
      sendValidResponse(
        response,
        429,
        { code: 'rate_limited', detail: 'slow down' },
        { 'Retry-After': '99999999' },
      ),
    )
    expect([code, exitCode, waits]).toEqual(['rate_limited', 10, []])
  })

  test('not forever', async () => {
    const { code, exitCode, waits } = await failure((response) => sendValidResponse(response, 503, {}))
    expect([code, exitCode]).toEqual(['service_unavailable', 11])
    expect(waits.every((wait) => wait <= 8000)).toBe(true)
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(30_000)
  })

  test('a change for longer than a read', async () => {
    const { waits } = await failure((response) => sendValidResponse(response, 503, {}), 'create_shipment')
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(60_000)
  })

  test.each([500, 507])('a read after %i, twice at most', async (status) => {
    const passing = await attempt((response, nth) =>
      nth < 2 ? sendValidResponse(response, status, {}) : sendValidResponse(response, 200, MEMBERSHIP),
    )
    expect(passing.outcome).toMatchObject({ value: MEMBERSHIP })
    const { code, exitCode, asked } = await failure((response) => sendValidResponse(response, status, {}))
    expect([code, exitCode, asked.length]).toEqual(['service_unavailable', 11, 3])
  })

  test('a read after 500, also between other failures, twice at most', async () => {
    const { asked } = await failure((response, nth) =>
      sendValidResponse(response, nth % 2 === 0 ? 500 : 503, {}),
    )
    expect(asked).toHaveLength(5)
  })

  test.each([400, 401, 402, 403, 404, 409, 413, 422, 425, 500, 501, 507, 526])(
    'not after %i',
    async (status) => {
      const { asked } = await failure(
        (response) => sendValidResponse(response, status, {}),
        'create_shipment',
      )
      expect(asked).toHaveLength(1)
    },
  )

  test('not a control call that changes something', async () => {
    const faults = await startFaults((response) => raw(response).resetAndDestroy())
    const { client } = await openTestRemote(faults.url)
    await expect(client.control('advance_clock', { by: '1h' })).rejects.toMatchObject({
      code: 'network_error',
    })
    expect(faults.asked).toHaveLength(1)
  })
})

describe('an invalid response', () => {
  test.each([{}, { ...CLOCK, now: 12 }])('to a control call is refused: %j', async (body) => {
    const faults = await startFaults((response) => sendValidResponse(response, 200, body))
    const { client } = await openTestRemote(faults.url)
    await expect(client.control('get_clock', {})).rejects.toMatchObject({ code: 'invalid_response' })
  })

  const text =
    (body: string | Uint8Array, headers: Record<string, string>): Script =>
    (response) => {
      response.writeHead(200, headers)
      response.end(body)
    }
  const json = { 'Content-Type': 'application/json' }
  const cases: Record<string, Script> = {
    'a page of HTML': text('<html>hello</html>', { 'Content-Type': 'text/html' }),
    'no Content-Type': text('{}', {}),
    'JSON that is cut off': text('{"active": tr', json),
    'no JSON at all': text('garbage', json),
    'bytes that are no UTF-8': text(Uint8Array.of(0x7b, 0xff, 0x7d), json),
    'an empty body': text('', json),
    'a list': text('[]', json),
    null: text('null', json),
    'an object without the members it must have': text('{"active":true}', json),
    'compressed garbage': text('garbage', { ...json, 'Content-Encoding': 'gzip' }),
    'an unknown encoding': text('{}', { ...json, 'Content-Encoding': 'zstd, br' }),
    'a compressed bomb': text(gzipSync(Buffer.alloc(80 * 1_048_576)), {
      ...json,
      'Content-Encoding': 'gzip',
    }),
    'more than it may hold': text(Buffer.alloc(65 * 1_048_576), json),
    'something that is not HTTP': (response) => void raw(response).end('SSH-2.0-OpenSSH_9.2\r\n'),
    'headers without end': (response) =>
      void raw(response).write(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(100_000)}`),
  }

  test.each(Object.entries(cases))('%s', async (_name, script) => {
    const { code, exitCode, message, asked } = await failure(script)
    expect([code, exitCode, asked.length]).toEqual(['invalid_response', 11, 1])
    expect(message).toMatch(/^The response did not come from a dray server: [^.\n]+\.$/)
  })

  test.each([
    { data: 'x', has_more: false, next_cursor: null },
    { data: [], has_more: 'maybe', next_cursor: null },
    { data: [], has_more: true, next_cursor: 5 },
  ])('for a list, %j', async (page) => {
    const { code, message } = await failure(
      (response) => sendValidResponse(response, 200, page),
      'list_shipments',
      {},
    )
    expect(code).toBe('invalid_response')
    expect(message).toContain('its response to list_shipments is not a list')
  })

  test('about another parcel than the requested one', async () => {
    const other = { ...SHIPMENT, tracking_number: 'ZC473124829GB' }
    const { code } = await failure((response) => sendValidResponse(response, 200, other), 'get_shipment', {
      tracking_number: 'ZC968043370GB',
    })
    expect(code).toBe('invalid_response')
  })

  test('one that is compressed and fits is read', async () => {
    const { outcome } = await attempt(
      text(gzipSync(JSON.stringify(MEMBERSHIP)), { ...json, 'Content-Encoding': 'gzip' }),
    )
    expect(outcome).toMatchObject({ value: MEMBERSHIP })
  })

  test('one without Service-Time uses the clock of this machine', async () => {
    const { outcome } = await attempt(text(JSON.stringify(MEMBERSHIP), json))
    expect(outcome).toMatchObject({ serviceTime: { now: Date.UTC(2026, 10, 20, 12), frozen: false } })
  })

  test('bytes after the answer end the connection, not the next call', async () => {
    const body = JSON.stringify(MEMBERSHIP)
    const faults = await startFaults((response, nth) => {
      if (nth > 0) return sendValidResponse(response, 200, MEMBERSHIP)
      return void raw(response).write(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}and more`,
      )
    })
    const { client } = await openTestRemote(faults.url)
    expect(await client.call('get_membership_status', {})).toMatchObject({ value: MEMBERSHIP })
    expect(await client.call('get_membership_status', {})).toMatchObject({ value: MEMBERSHIP })
  })
})

describe('a refusal', () => {
  test('is the error of the service, with all its members', async () => {
    const problem = {
      code: 'duplicate_reference',
      detail: 'A-1 is used.',
      hint: 'Use another.',
      existing_tracking_number: 'ZC968043370GB',
      request_id: 'req_1',
      errors: [{ pointer: '/reference', code: 'invalid_format', detail: 'used' }, 'nonsense', { code: 1 }],
    }
    const { code, message, hint, extra, errors, exitCode } = await failure(
      (response) => sendValidResponse(response, 409, problem),
      'create_shipment',
    )
    expect({ code, message, hint, exitCode }).toEqual({
      code: 'duplicate_reference',
      message: 'A-1 is used.',
      hint: 'Use another.',
      exitCode: 7,
    })
    expect(extra).toMatchObject({ existing_tracking_number: 'ZC968043370GB', request_id: 'req_1' })
    expect(errors).toEqual([problem.errors[0]])
  })

  test.each([
    [400, 'invalid_request'],
    [401, 'invalid_token'],
    [402, 'payment_required'],
    [403, 'insufficient_scope'],
    [404, 'route_not_found'],
    [409, 'invalid_state'],
    [413, 'payload_too_large'],
    [418, 'invalid_request'],
    [422, 'invalid_request'],
    [500, 'service_unavailable'],
    [507, 'service_unavailable'],
  ])('with a code that is not known here goes by its status: %i', async (status, expected) => {
    const { code, extra, message } = await failure((response) =>
      sendValidResponse(response, status, { code: 'brand_new', detail: 'What is that?' }),
    )
    expect([code, message, extra['remote_code']]).toEqual([expected, 'What is that?', 'brand_new'])
  })

  test('whose code contradicts its status is not trusted', async () => {
    const { code, extra } = await failure((response) =>
      sendValidResponse(response, 403, { code: 'not_confirmed', detail: 'Nothing changed.' }),
    )
    expect([code, extra['remote_code']]).toEqual(['insufficient_scope', 'not_confirmed'])
  })

  test.each([400, 401, 403, 404, 413])(
    'without a problem document is none of this service: %i',
    async (status) => {
      const { code } = await failure((response) => {
        response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>No')
      })
      expect(code).toBe('invalid_response')
    },
  )

  test('with invalid pointers is reported without them', async () => {
    const errors = [
      { pointer: 7, code: 'required', detail: 'x' },
      { parameter: {}, code: 'required', detail: 'x' },
    ]
    const said = await failure((response) =>
      sendValidResponse(response, 400, { code: 'invalid_request', detail: 'x', errors }),
    )
    expect(said.errors).toEqual([])
  })

  test('that is a page of 10 MB becomes one sentence', async () => {
    const { message } = await failure((response) => {
      response.writeHead(500, { 'Content-Type': 'text/html' })
      response.end('x'.repeat(10_000_000))
    })
    expect(message).toBe('The server responded with 500 and no reason.')
  })
})

describe('redirects', () => {
  const to =
    (status: number, location: string): Script =>
    (response) => {
      response.writeHead(status, { Location: location })
      response.end()
    }

  test.each([301, 302, 303, 307, 308])(
    'to another origin are not followed, and no token goes there: %i',
    async (status) => {
      const other = await startFaults((response) => sendValidResponse(response, 200, MEMBERSHIP))
      const { code, asked } = await failure(to(status, `${other.url}/v1/me/membership`))
      expect([code, asked.length, other.asked.length]).toEqual(['invalid_response', 1, 0])
    },
  )

  test.each([301, 302, 303, 307, 308])(
    'of a change are not followed, not even to the same origin: %i',
    async (status) => {
      const { code, asked } = await failure(to(status, '/elsewhere'), 'create_shipment')
      expect([code, asked.length]).toEqual(['invalid_response', 1])
    },
  )

  test('of a read to the same origin are followed', async () => {
    const { outcome, asked } = await attempt((response, nth) =>
      nth === 0
        ? to(307, '/new/place?a=1')(response, nth, { method: '', url: '', headers: {}, body: '' })
        : sendValidResponse(response, 200, MEMBERSHIP),
    )
    expect(outcome).toMatchObject({ value: MEMBERSHIP })
    expect(asked.map(({ url }) => url)).toEqual(['/v1/me/membership', '/new/place?a=1'])
  })

  test.each(['/v1/me/membership', 'javascript:alert(1)', 'file:///etc/passwd', '//', ''])(
    'in a circle or to nowhere end: %s',
    async (location) => {
      const { code, asked } = await failure(to(302, location))
      expect(code).toBe('invalid_response')
      expect(asked.length).toBeLessThan(10)
    },
  )
})

describe('a service that is slow or unreachable', () => {
  test('gets no more time because it redirects', async () => {
    const faults = await startFaults((response, nth) => {
      remote.pass(400)
      response.writeHead(302, { Location: `/place/${nth}` }).end()
    })
    const remote = await openTestRemote(faults.url, { target: { timeoutMs: 1000 } })
    await expect(remote.client.call('get_membership_status', {})).rejects.toMatchObject({
      code: 'network_error',
    })
    expect(faults.asked.length).toBeLessThanOrEqual(4)
  })

  test('never answers: the call ends at its timeout and says how to repeat it safely', async () => {
    const { code, exitCode, hint, extra } = await failure(
      () => {},
      'create_shipment',
      {},
      { idempotencyKey: 'k1' },
      { target: { timeoutMs: 80 } },
    )
    expect([code, exitCode, extra['idempotency_key']]).toEqual(['network_error', 11, 'k1'])
    expect(hint).toContain('--idempotency-key k1')
  })

  test('answers byte by byte: the call ends at its timeout', async () => {
    const { code } = await failure(
      (response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' })
        const timer = setInterval(() => response.write(' '), 5)
        response.on('close', () => clearInterval(timer))
      },
      'get_membership_status',
      {},
      {},
      { target: { timeoutMs: 80 } },
    )
    expect(code).toBe('network_error')
  })

  test('is not there', async () => {
    const faults = await startFaults(() => {})
    await faults.close()
    const { client } = await openTestRemote(faults.url)
    await expect(client.call('get_membership_status', {})).rejects.toMatchObject({
      code: 'network_error',
      message: `${faults.url} cannot be reached: connection refused.`,
      hint: 'Is `dray serve` running there?',
    })
  })

  test('is given up when the user interrupts', async () => {
    const controller = new AbortController()
    const reason = new Error('Ctrl-C')
    const { outcome } = await attempt(
      () => controller.abort(reason),
      'create_shipment',
      {},
      { signal: controller.signal },
    )
    expect(outcome).toBe(reason)
  })
})

describe('an address', () => {
  test.each([
    'http://example.com',
    'https://user:secret@example.com',
    'http://user@127.0.0.1:1',
    'ftp://127.0.0.1',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://127.0.0.1:0',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
  ])('to which no token may go is refused: %s', async (baseUrl) => {
    await expect(openTestRemote(baseUrl)).rejects.toMatchObject({
      code: 'config_error',
      message: expect.not.stringContaining('secret'),
    })
  })

  test('of IPv6 is valid', async () => {
    const { client } = await openTestRemote('http://[::1]:9')
    await expect(client.call('get_membership_status', {})).rejects.toMatchObject({ code: 'network_error' })
  })

  test('on this machine is never reached through a proxy', async () => {
    const proxy = await startFaults((response) => sendValidResponse(response, 200, MEMBERSHIP))
    const faults = await startFaults((response) => sendValidResponse(response, 200, MEMBERSHIP))
    const { client } = await openTestRemote(faults.url, {
      env: { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url },
    })
    await client.call('get_membership_status', {})
    expect([proxy.asked.length, faults.asked.length]).toEqual([0, 1])
  })

  test('whose certificates are not checked is warned about', async () => {
    const { warnings } = await openTestRemote('https://api.example.com', {
      env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    })
    expect(warnings).toEqual([expect.stringContaining('NODE_TLS_REJECT_UNAUTHORIZED')])
  })
})

describe('a certificate', () => {
  const trusted = getCACertificates()
  afterEach(() => setDefaultCACertificates(trusted))
  const year = (n: number): Date => new Date(Date.UTC(n, 0, 1))
  const cases: Record<string, { host: string; until: Date; trust: boolean }> = {
    'of an unknown authority': { host: '127.0.0.1', until: year(2100), trust: false },
    'that has expired': { host: '127.0.0.1', until: year(2001), trust: true },
    'of another host': { host: 'example.com', until: year(2100), trust: true },
  }

  test.each(Object.entries(cases))('%s is refused at once', async (_name, { host, until, trust }) => {
    const certificate = makeCertificate(host, { from: year(2000), until })
    let requests = 0
    const server = createTlsServer(certificate, (_request, response) => {
      requests++
      sendValidResponse(response, 200, MEMBERSHIP)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    if (trust) setDefaultCACertificates([...trusted, certificate.cert])
    const { client, waits } = await openTestRemote(
      `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    )
    await expect(client.call('get_membership_status', {})).rejects.toMatchObject({
      code: 'network_error',
      message: expect.stringContaining('certificate'),
    })
    expect([requests, waits]).toEqual([0, []])
    server.close()
  })

  test('that is good lets the call through', async () => {
    const certificate = makeCertificate('127.0.0.1', { from: year(2000), until: year(2100) })
    const server = createTlsServer(certificate, (_request, response) =>
      sendValidResponse(response, 200, MEMBERSHIP),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    setDefaultCACertificates([...trusted, certificate.cert])
    const { client } = await openTestRemote(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
    expect(await client.call('get_membership_status', {})).toMatchObject({ status: 200 })
    await client.close()
    server.close()
  })

  test('is missing: the service does not speak TLS', async () => {
    const faults = await startFaults((response) => sendValidResponse(response, 200, MEMBERSHIP))
    const { client, waits } = await openTestRemote(faults.url.replace('http:', 'https:'))
    await expect(client.call('get_membership_status', {})).rejects.toMatchObject({ code: 'invalid_response' })
    expect(waits).toEqual([])
  })
})
