import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AccountLimits } from '../../src/gateway/rate-limit.ts'
import { openEmbedded } from '../../src/host/embedded.ts'
import { RESOURCE_SAMPLES } from '../support/resource-samples.ts'
import { NOON_MS, serveStore } from '../support/served.ts'
import type { ServedStore } from '../support/served.ts'
import { ENGINES } from '../support/stores.ts'
import type { Engine } from '../support/stores.ts'

// Windows follow the machine's clock, which only a test moves.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON_MS })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A registry in which creating a thing creates a transaction. */
const REGISTRY = {
  ...RESOURCE_SAMPLES,
  async load(name: string) {
    const loaded = await RESOURCE_SAMPLES.load(name)
    if (loaded === undefined || name !== 'create_thing') return loaded
    return { ...loaded, operation: { ...loaded.operation, createsTransaction: true } }
  },
}

async function serve(limits: AccountLimits, engine?: Engine): Promise<ServedStore> {
  return serveStore({ registry: REGISTRY, limits, ...(engine !== undefined && { engine }) })
}

type LimitedResponse = {
  status: number
  code: unknown
  policy: string | null
  left: string | null
  wait: string | null
}

async function send(
  served: ServedStore,
  token: string,
  path: string,
  init: RequestInit = {},
): Promise<LimitedResponse> {
  const response = await fetch(`${served.url}${path}`, {
    ...init,
    headers: { ...(init.headers as Record<string, string>), Authorization: `Bearer ${token}` },
  })
  const { code } = (await response.json()) as { code?: unknown }
  const { headers } = response
  return {
    status: response.status,
    code,
    policy: headers.get('RateLimit-Policy'),
    left: headers.get('RateLimit'),
    wait: headers.get('Retry-After'),
  }
}

const read = (served: ServedStore, token: string): Promise<LimitedResponse> =>
  send(served, token, '/v1/things/lamp')
const make = (served: ServedStore, token: string, key: string): Promise<LimitedResponse> =>
  send(served, token, '/v1/things', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: '{"name":"lamp"}',
  })

describe.each(ENGINES)('on $name', (engine) => {
  test('an account learns how many requests are left, and when it has sent too many', async () => {
    const served = await serve({ rate: { requests: 3, seconds: 60 } }, engine)
    const token = await served.token('everything')
    const other = await served.token('everything')
    const policy = '"default";q=3;w=60'
    expect(await read(served, token)).toMatchObject({ status: 200, policy, left: '"default";r=2;t=60' })
    vi.setSystemTime(NOON_MS + 20_500)
    expect(await make(served, other, 'k')).toMatchObject({ status: 201, policy, left: '"default";r=1;t=40' })
    expect(await read(served, token)).toMatchObject({ status: 200, policy, left: '"default";r=0;t=40' })
    const over = { status: 429, code: 'rate_limited', policy, left: '"default";r=0;t=40', wait: '40' }
    expect(await read(served, token)).toEqual(over)
    expect(await make(served, other, 'k')).toEqual(over)
    vi.setSystemTime(NOON_MS + 60_001)
    expect(await read(served, token)).toMatchObject({ status: 200, left: '"default";r=2;t=60' })
    expect(served.bugs).toEqual([])
  })
})

test('each account has its own share, and unauthenticated requests use up none', async () => {
  const served = await serve({ rate: { requests: 1, seconds: 60 } })
  const [token, other] = [await served.token('everything'), await served.token('shipper')]
  expect(await read(served, `${token.slice(0, -1)}_`)).toMatchObject({
    status: 401,
    policy: '"default";q=1;w=60',
    left: null,
    wait: null,
  })
  expect((await read(served, token)).status).toBe(200)
  expect((await read(served, other)).status).toBe(200)
  expect((await read(served, token)).status).toBe(429)
  for (const path of ['/healthz', '/readyz', '/openapi.json'])
    expect(await send(served, token, path)).toMatchObject({ status: 200, policy: null, left: null })
})

test('the share is checked after the token and before its scopes', async () => {
  const served = await serve({ rate: { requests: 1, seconds: 60 } })
  const token = await served.token('everything', { scopes: ['food.read'] })
  expect(await read(served, token)).toMatchObject({
    status: 403,
    code: 'insufficient_scope',
    left: '"default";r=0;t=60',
  })
  expect(await read(served, token)).toMatchObject({ status: 429, code: 'rate_limited' })
})

test('a purchase counts twice: as a request and as a transaction', async () => {
  const served = await serve({ rate: { requests: 9, seconds: 60 }, spend: { requests: 1, seconds: 30 } })
  const token = await served.token('everything')
  const policy = '"default";q=9;w=60, "spend";q=1;w=30'
  expect(await make(served, token, 'first')).toMatchObject({
    status: 201,
    policy,
    left: '"default";r=8;t=60, "spend";r=0;t=30',
  })
  expect(await make(served, token, 'second')).toEqual({
    status: 429,
    code: 'rate_limited',
    policy,
    left: '"default";r=7;t=60, "spend";r=0;t=30',
    wait: '30',
  })
  expect(await read(served, token)).toMatchObject({
    status: 200,
    policy: '"default";q=9;w=60',
    left: '"default";r=6;t=60',
  })
})

test('a call over the limit has no effect: its key can be used again', async () => {
  const served = await serve({ spend: { requests: 1, seconds: 60 } })
  const token = await served.token('everything')
  await make(served, token, 'first')
  expect((await make(served, token, 'second')).status).toBe(429)
  const keys = await served.db.read((tx) => tx.all('select idempotency_key from idempotency'))
  expect(keys).toEqual([{ idempotency_key: 'first' }])
  vi.setSystemTime(NOON_MS + 60_001)
  expect((await make(served, token, 'second')).status).toBe(201)
})

test('when only spending is limited, reads have no RateLimit headers', async () => {
  const served = await serve({ spend: { requests: 1, seconds: 60 } })
  const token = await served.token('everything')
  expect(await read(served, token)).toMatchObject({ status: 200, policy: null, left: null })
})

test('agents in this process share the same limits, and their calls are logged', async () => {
  const store = await ENGINES[0]?.locate()
  const client = await openEmbedded(
    {
      kind: 'embedded',
      store: store ?? '',
      account: 'everything',
      limits: { rate: { requests: 1, seconds: 60 } },
      via: 'agent',
    },
    { now: Date.now, random: randomBytes, weakRandomBytes: randomBytes, env: {}, firstRun() {}, debug() {} },
  )
  await client.call('list_hubs', {})
  await expect(client.call('list_hubs', {})).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'This account has reached its limit of requests: 1 in 60 s.',
    hint: 'Try again in 60 s.',
  })
  const { data } = await client.control('list_requests', { status: '4xx' })
  expect(data).toMatchObject([{ transport: 'mcp', operation: 'list_hubs', code: 'rate_limited' }])
  await client.close()
})

describe('several services on one PostgreSQL', () => {
  const [, postgres] = ENGINES

  test('count together, and requests over the limit do not query the database', async () => {
    const limits = { rate: { requests: 3, seconds: 60 } }
    const first = await serve(limits, postgres)
    const token = await first.token('everything')
    const second = await serve(limits, { name: 'the same', locate: async () => first.service.store })
    expect((await read(first, token)).left).toBe('"default";r=2;t=60')
    expect((await read(second, token)).left).toBe('"default";r=1;t=60')
    expect((await read(first, token)).left).toBe('"default";r=0;t=60')
    expect((await read(second, token)).status).toBe(429)
    const counted = (): Promise<unknown> => first.db.read((tx) => tx.get('select points from rate_limits'))
    const before = await counted()
    expect([(await read(first, token)).status, (await read(second, token)).status]).toEqual([429, 429])
    expect(await counted()).toEqual(before)
  })

  test('count alone, and report it, when the database cannot count', async () => {
    const served = await serve({ rate: { requests: 2, seconds: 60 } }, postgres)
    const token = await served.token('everything')
    await served.db.write((tx) => tx.run('drop table rate_limits'))
    expect(await read(served, token)).toMatchObject({ status: 200, left: '"default";r=1;t=60' })
    expect((await read(served, token)).status).toBe(200)
    expect((await read(served, token)).status).toBe(429)
    expect(served.bugs.splice(0)).toHaveLength(3)
  })
})
