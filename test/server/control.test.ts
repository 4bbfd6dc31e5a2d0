import { beforeAll, describe, expect, test } from 'vitest'
import type { Problem } from '../../src/core/errors.ts'
import * as registry from '../../src/generated/registry.ts'
import { makeParcel } from '../support/parcel.ts'
import { RESOURCE_SAMPLES } from '../support/resource-samples.ts'
import { serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'

let served: ServedStore

beforeAll(async () => {
  served = await serveStore({ registry: RESOURCE_SAMPLES })
})

type Call = { token?: string; type?: string; body?: unknown; headers?: Record<string, string> }

async function call(
  method: string,
  path: string,
  { token = served.controlToken, type = 'application/json', body, headers = {} }: Call = {},
) {
  const answer = await fetch(served.url + path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': type }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return {
    status: answer.status,
    headers: answer.headers,
    value: (await answer.json()) as Record<string, unknown> & Problem,
  }
}

describe('the control plane', () => {
  test('shows and moves the clock', async () => {
    expect(await call('GET', '/sandbox/clock')).toMatchObject({
      status: 200,
      value: { now: '2026-11-20T12:00:00.000Z', mode: 'frozen' },
    })
    const moved = await call('POST', '/sandbox/clock/advance', { body: { by: '2h' } })
    expect(moved.value).toMatchObject({ now: '2026-11-20T14:00:00.000Z' })
    expect(moved.headers.get('service-time')).toBe('2026-11-20T14:00:00.000Z;mode=frozen')
    expect(moved.headers.get('cache-control')).toBe('no-store')
  })

  test('mints a token, which an operation then takes', async () => {
    const { value } = await call('POST', '/sandbox/accounts/everything/tokens', { body: {} })
    const answer = await fetch(`${served.url}/v1/things/a`, {
      headers: { Authorization: `Bearer ${String(value['token'])}` },
    })
    expect(answer.status).toBe(200)
  })

  test('parses numbers of a query', async () => {
    expect(await call('GET', '/sandbox/events?after=0&limit=2')).toMatchObject({ status: 200 })
  })

  test('names the call in its log, but never the token', async () => {
    await expect.poll(() => served.log.map(({ operation }) => operation)).toContain('sandbox:advance_clock')
    expect(JSON.stringify(served.log)).not.toContain(served.controlToken)
  })
})

describe('refuses', () => {
  const advance = { body: { by: '1h' } }

  test('a caller without a token, with another one, or with that of an account', async () => {
    const account = await served.token('everything')
    for (const token of ['x', account, served.controlToken.slice(0, -1)]) {
      expect(await call('POST', '/sandbox/clock/advance', { ...advance, token })).toMatchObject({
        status: 401,
        value: { code: 'invalid_token' },
      })
    }
    const none = await fetch(`${served.url}/sandbox/clock`)
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="dray"'])
  })

  test('the control token for an operation', async () => {
    const answer = await fetch(`${served.url}/v1/things/a`, {
      headers: { Authorization: `Bearer ${served.controlToken}` },
    })
    expect(answer.status).toBe(401)
  })

  test('a form, and any request from another origin', async () => {
    expect(await call('POST', '/sandbox/clock/advance', { ...advance, type: 'text/plain' })).toMatchObject({
      status: 415,
    })
    const foreign = { ...advance, headers: { Origin: 'https://evil.example' } }
    expect(await call('POST', '/sandbox/clock/advance', foreign)).toMatchObject({
      status: 403,
      value: { code: 'origin_not_allowed' },
    })
  })

  test('unknown members, however many, and wrong values', async () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, 0]))
    for (const body of [{ by: '1h', unknown: 1 }, { by: '1h', ...many }, { by: 1 }, {}]) {
      expect(await call('POST', '/sandbox/clock/advance', { body })).toMatchObject({
        status: 400,
        value: { code: 'invalid_request' },
      })
    }
  })

  test('a body beyond 64 KiB', async () => {
    expect(await call('POST', '/sandbox/clock/advance', { body: { by: 'x'.repeat(70_000) } })).toMatchObject({
      status: 413,
    })
  })

  test('paths and methods that it does not have', async () => {
    expect(await call('GET', '/sandbox/nothing')).toMatchObject({
      status: 404,
      value: { code: 'route_not_found' },
    })
    const wrong = await call('PUT', '/sandbox/reset', { body: {} })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('to go backwards', async () => {
    const body = { to: '2026-11-20T00:00:00Z' }
    expect(await call('POST', '/sandbox/clock/advance', { body })).toMatchObject({
      status: 409,
      value: { code: 'invalid_state' },
    })
  })

  test('every call when it is off', async () => {
    const closed = await serveStore({ registry: RESOURCE_SAMPLES, control: false })
    const answer = await fetch(`${closed.url}/sandbox/clock`, { headers: { Authorization: 'Bearer x' } })
    expect(answer.status).toBe(404)
  })
})

test('others get responses while hundreds of parcels move', async () => {
  const busy = await serveStore({ registry })
  const token = await busy.token('everything')
  const shipments = Array.from({ length: 490 }, (_, at) => makeParcel({ reference: `R-${at}` }))
  const sent = await fetch(`${busy.url}/v1/shipments/batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ shipments }),
  })
  expect(sent.status).toBe(200)
  let moving = true
  const moved = fetch(`${busy.url}/sandbox/clock/advance`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${busy.controlToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ by: '10d' }),
  }).finally(() => (moving = false))
  let between = 0
  while (moving) {
    expect((await fetch(`${busy.url}/healthz`)).status).toBe(200)
    if (moving) between += 1
  }
  expect((await moved).status).toBe(200)
  // The way in which a single transaction gives way is in test/db/group-commit.test.ts, without dependence on the machine's speed.
  expect(between).toBeGreaterThan(0)
})
