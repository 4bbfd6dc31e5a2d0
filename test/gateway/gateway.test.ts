/** One request through the gateway: its headers, what comes first, and what its caller learns of a failure. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findAccount, findTokenWithAccount, insertToken } from '../../src/areas/account/queries/accounts.ts'
import type { OperationContext } from '../../src/core/context.ts'
import type { Db, TransactionOptions } from '../../src/core/db.ts'
import { AppError, type ErrorCode, toProblem } from '../../src/core/errors.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { storeAnswer } from '../../src/db/idempotency.ts'
import { MAX_DUE_BATCH_EVENTS } from '../../src/db/timeline.ts'
import type { GatewayDeps } from '../../src/gateway/deps.ts'
import { toErrorResponse, makeGateway } from '../../src/gateway/gateway.ts'
import type { HttpInput, GatewayRequest } from '../../src/gateway/request.ts'
import { load } from '../../src/generated/registry.ts'
import { makeParcel } from '../support/parcel.ts'
import { RESOURCE_SAMPLES } from '../support/resource-samples.ts'
import { ENGINES } from '../support/stores.ts'
import { NINE_AM, openTestSandbox, type TestSandbox, sandboxOverStore } from '../support/world.ts'

// SQLite has one writer at a time: there the second call waits until the first one ends.
const [, postgres] = ENGINES

test.skipIf(postgres === undefined)(
  'a repeat of a call that does not finish is told to retry later',
  async () => {
    const world = await openTestSandbox({ engine: postgres })
    const sent = makeParcel({ reference: 'A' })
    const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = world.db.write(async (tx) => {
      const account = await findAccount(tx, 'everything')
      const scope = { account_id: account?.account_id ?? '', operation: 'create_shipment', key: 'k' }
      await storeAnswer(tx, scope, {
        fingerprint: '',
        status: 201,
        location: undefined,
        body: '',
        completed_at: NINE_AM,
      })
      // The server has the response once it has answered a later statement.
      await tx.get('select 1 as one')
      held.resolve()
      await over.promise
      throw new Error('it crashed')
    })
    await held.promise
    // A copy waits for five seconds; this one only as long as it must.
    const { write } = world.db
    const impatient = sandboxOverStore({
      ...world.db,
      write: (work, limits) =>
        write(async (tx) => {
          await tx.run(`set local lock_timeout = '50ms'`)
          return work(tx)
        }, limits),
    })
    const copy = await impatient.call('create_shipment', sent, { key: 'k' })
    expect([copy.status, copy.body['code'], copy.headers['Retry-After']]).toEqual([
      409,
      'idempotency_in_flight',
      '1',
    ])
    over.resolve()
    await expect(first).rejects.toThrow('it crashed')
    expect((await world.call('create_shipment', sent, { key: 'k' })).status).toBe(201)
  },
)

test.each([{ toString: false }, 7, null, 'rid_\uD800'])(
  'an id that is none, %j, is refused and no failure, with a key as well',
  async (ride_id) => {
    const world = await openTestSandbox()
    const answer = await world.call('cancel_ride', { ride_id }, { key: 'k' })
    expect([400, 404]).toContain(answer.status)
  },
)

test('a call that is cancelled before it begins changes nothing; the same call with its key is made later', async () => {
  const world = await openTestSandbox()
  const parcel = makeParcel({ reference: 'CANCELLED' })
  const cancelled = await world.call('create_shipment', parcel, {
    key: 'k',
    beforeChange() {
      throw new AppError('call_cancelled', 'The caller left.')
    },
  })
  expect(cancelled.body['code']).toBe('call_cancelled')
  expect((await world.ok('list_shipments', { reference: 'CANCELLED' })).data).toEqual([])
  const again = await world.call('create_shipment', parcel, { key: 'k' })
  expect([again.status, again.headers['Idempotent-Replayed']]).toEqual([201, undefined])
})

let world: TestSandbox
let bugs: unknown[]

beforeAll(async () => {
  world = await openTestSandbox()
})
beforeEach(() => {
  bugs = []
})

/** Changes of an operation that makes a thing, or with `method: 'GET'` shows one. */
type Differences = Partial<AnyOperation>

/** Makes a gateway over the store that has one operation, `do_it`, and the real ones. */
function serve(differences: Differences = {}, deps: Partial<GatewayDeps> = {}) {
  const gateway = makeGateway({
    db: world.db,
    now: () => 0,
    weakRandomBytes: (count) => new Uint8Array(count),
    async load(name) {
      const loaded = await RESOURCE_SAMPLES.load(differences.method === 'GET' ? 'get_thing' : 'create_thing')
      if (loaded === undefined || name !== 'do_it') return load(name)
      return { ...loaded, operation: { ...loaded.operation, ...differences } }
    },
    hasDue: async () => false,
    drain: async () => 0,
    onBug: (error) => bugs.push(error),
    ...deps,
  })
  const input = differences.method === 'GET' ? { thing_id: 'lamp' } : { name: 'lamp' }
  return async (more: Partial<GatewayRequest> = {}) => {
    const credential = { account: 'everything' }
    const made = more.http === undefined ? { input } : {}
    const answer = await gateway.invoke({ operation: 'do_it', credential, ...made, ...more })
    return { ...answer, body: JSON.parse(answer.body) as Record<string, unknown> }
  }
}

/** The bytes of a request over HTTP, and whether they were read. */
function overHttp(more: Partial<HttpInput> = {}): HttpInput & { read: boolean } {
  const http = {
    params: { thing_id: 'lamp' },
    query: '',
    contentType: 'application/json',
    hasBody: false,
    read: false,
    async readBody(): Promise<Uint8Array> {
      http.read = true
      return new TextEncoder().encode('{"name":"lamp"}')
    },
    ...more,
  }
  return http
}

/** The store, with what is noted of each transaction, and writes that may fail. */
function watched({ fails = false } = {}): { db: Db; begun: string[]; limits: TransactionOptions[] } {
  const [begun, limits]: [string[], TransactionOptions[]] = [[], []]
  const note =
    (kind: 'read' | 'write'): Db['read'] =>
    async (work, given = {}) => {
      begun.push(kind)
      limits.push(given)
      if (fails && kind === 'write') throw new Error('no room')
      return world.db[kind](work, given)
    }
  return { db: { ...world.db, read: note('read'), write: note('write') }, begun, limits }
}

describe('an answer', () => {
  test('names its request, and its place where something was made', async () => {
    const call = serve()
    const made = await call({ requestId: 'req_mine' })
    expect([made.status, made.headers]).toEqual([
      201,
      {
        'Request-Id': 'req_mine',
        Environment: 'sandbox',
        'Cache-Control': 'no-store',
        'Service-Time': '2026-11-20T09:00:00.000Z;mode=frozen',
        'Content-Type': 'application/json',
        Location: `/v1/things/${String(made.body['thing_id'])}`,
      },
    ])
    expect((await call()).headers['Request-Id']).toMatch(/^req_\w{26}$/)
    expect((await serve({ method: 'GET' })()).headers).not.toHaveProperty('Location')
  })

  test('that was given before says so, and is a problem where it was a refusal', async () => {
    const call = serve({
      async run() {
        throw new AppError('quote_expired', 'It ended.')
      },
    })
    const [first, again] = [
      await call({ idempotencyKey: 'refused' }),
      await call({ idempotencyKey: 'refused' }),
    ]
    for (const { status, headers } of [first, again])
      expect([status, headers['Content-Type']]).toEqual([409, 'application/problem+json'])
    expect([first.headers['Idempotent-Replayed'], again.headers['Idempotent-Replayed']]).toEqual([
      undefined,
      'true',
    ])
  })

  test('shows the fields that were asked for, and of a refusal everything', async () => {
    const thing = await serve({ method: 'GET' })({ input: { thing_id: 'lamp', fields: 'owner' } })
    expect(thing.body).toEqual({ owner: 'everything' })
    const create = await RESOURCE_SAMPLES.load('create_thing')
    if (create === undefined) throw new Error('no create_thing')
    const run = async (): Promise<never> => {
      throw new AppError('quote_expired', 'It ended.')
    }
    const load = async () => ({ operation: { ...create.operation, run }, check: () => true })
    const input = { name: 'lamp', fields: 'thing_id' }
    const refused = await serve({}, { load })({ input, idempotencyKey: 'fields' })
    expect(refused.body).toMatchObject({ code: 'quote_expired', detail: 'It ended.' })
  })

  test('of an operation that there is not names as much of it as a person reads', async () => {
    const { status, body } = await serve()({ operation: 'x'.repeat(100) })
    expect([status, body['detail']]).toEqual([404, `Unknown operation ${'x'.repeat(60)}.`])
  })
})

test('an operation is loaded once, and one that there is not is looked for again', async () => {
  const asked: string[] = []
  const note: GatewayDeps['load'] = async (name) => {
    asked.push(name)
    return load(name)
  }
  const call = serve({}, { load: note })
  const rows = [1, 2, 3].map((at) => makeParcel({ reference: `ROW-${at}` }, { line2: null }))
  let read = 0
  const batch = await call({
    operation: 'create_shipments_batch',
    input: { shipments: rows },
    onRow: () => void (read += 1),
  })
  expect([batch.body['counts'], read]).toMatchObject([{ created: 3 }, 3])
  expect((await call({ operation: 'create_shipments_batch', input: { shipments: rows } })).status).toBe(200)
  // The rows have a reader of their own.
  expect(asked).toEqual(['create_shipments_batch', 'create_shipment', 'create_shipment'])
  for (const operation of ['nothing', 'nothing']) await call({ operation })
  expect(asked.slice(3)).toEqual(['nothing', 'nothing'])
})

describe('over HTTP', () => {
  test('a caller is checked before its body is read, and a read in one transaction', async () => {
    const [body, query] = [overHttp(), overHttp()]
    const accounts: string[] = []
    const { db, begun } = watched()
    expect((await serve()({ http: body, credential: { token: 'unknown' } })).status).toBe(401)
    expect(body.read).toBe(false)
    expect(
      (await serve({ scope: 'food.read' }, { db })({ http: body, credential: { account: 'shipper' } }))
        .status,
    ).toBe(403)
    expect([body.read, begun]).toEqual([false, ['read']])
    const onCaller = (account: string) => void accounts.push(account)
    expect((await serve({}, { db })({ http: overHttp({ onCaller }) })).status).toBe(201)
    expect(begun).toEqual(['read', 'read', 'write'])
    expect(new Set(accounts)).toEqual(
      new Set([(await world.db.read((tx) => findAccount(tx, 'everything')))?.account_id]),
    )
    expect((await serve({ method: 'GET' }, { db })({ http: query })).body).toEqual({
      thing_id: 'lamp',
      owner: 'everything',
    })
    expect([query.read, begun.slice(3)]).toEqual([false, ['read']])
  })

  test('and by a token or the session of a page nobody learns the cause of a failure', async () => {
    const run = async (): Promise<never> => {
      throw new AppError('service_unavailable', 'db.internal is away.', { cause: new Error('ECONNREFUSED') })
    }
    const call = serve({ run })
    const seen = async (more: Partial<GatewayRequest>) => String((await call(more)).body['detail'])
    expect(await seen({})).toBe('db.internal is away.')
    expect(bugs).toEqual([])
    for (const more of [
      { http: overHttp() },
      { credential: { account: 'everything', scopes: ['profile.read'] } },
    ] as const)
      expect(await seen(more)).toMatch(/^The service cannot do this now/)
    expect(bugs).toHaveLength(2)
  })

  test('a caller that left is told so, and no bug is', async () => {
    const beforeChange = (): void => {
      throw new AppError('call_cancelled', 'The caller left.')
    }
    for (const more of [{}, { http: overHttp() }])
      expect((await serve()({ ...more, beforeChange })).body).toMatchObject({ code: 'call_cancelled' })
    expect(bugs).toEqual([])
  })
})

test('a bug in process has an id, too', async () => {
  const run = async (): Promise<never> => {
    throw new TypeError('a bug')
  }
  const { status, body } = await serve({ run })({ requestId: 'req_mine' })
  expect([status, body['code'], body['detail']]).toEqual([
    500,
    'internal_error',
    'An unexpected error occurred. Its ID is req_mine.',
  ])
  expect(bugs).toMatchObject([{ message: 'a bug' }])
})

test('the presence of an owner that cannot be written down fails no read', async () => {
  const { db } = watched({ fails: true })
  const { status } = await serve({}, { db })({ operation: 'list_business_orders', input: {} })
  expect(status).toBe(200)
  expect(bugs).toMatchObject([{ message: 'no room' }])
})

describe('the first use of a refreshed token', () => {
  const note = async (name: string): Promise<void> => {
    const { account_id } = (await world.db.read((tx) => findAccount(tx, 'everything'))) ?? { account_id: '' }
    await world.write((tx, _stored, now) =>
      insertToken(tx, {
        token_hash: sha256Hex(name),
        account_id,
        scopes: ['profile.read'],
        created_at: now,
        expires_at: now + 1000,
        turned_from: sha256Hex('before'),
      }),
    )
  }
  const isNoted = async (name: string) =>
    (await world.db.read((tx) => findTokenWithAccount(tx, sha256Hex(name))))?.token.turned_from !== undefined

  test('is written down after a call, refused or not', async () => {
    for (const [name, more, status] of [
      ['used', {}, 200],
      ['refused', { input: {} }, 400],
    ] as const) {
      await note(name)
      expect((await serve({ method: 'GET' })({ credential: { token: name }, ...more })).status).toBe(status)
      expect([name, await isNoted(name)]).toEqual([name, false])
    }
  })

  test('that cannot be written down fails no call, and is tried again by the next', async () => {
    await note('full')
    const { db } = watched({ fails: true })
    expect((await serve({ method: 'GET' }, { db })({ credential: { token: 'full' } })).status).toBe(200)
    expect([await isNoted('full'), bugs]).toEqual([true, []])
  })
})

describe('the limit of an account', () => {
  const limited = (over?: { detail: string; wait: number }, differences: Differences = {}) => {
    const taken: [string, boolean][] = []
    const limiter: GatewayDeps['limiter'] = {
      policy: (spends) => (spends ? 'spend' : '"default";q=5;w=60'),
      async take(...call) {
        taken.push(call)
        return { remaining: '"default";r=4;t=60', ...(over && { over }) }
      },
    }
    return { taken, call: serve(differences, { limiter }) }
  }
  const named = { 'RateLimit-Policy': '"default";q=5;w=60', RateLimit: '"default";r=4;t=60' }

  test('is told with each answer, and with each refusal', async () => {
    const account = (await world.db.read((tx) => findAccount(tx, 'everything')))?.account_id
    const { call, taken } = limited()
    expect((await call()).headers).toMatchObject(named)
    expect((await call({ input: {} })).headers).toMatchObject({
      ...named,
      'Content-Type': 'application/problem+json',
    })
    expect(taken).toEqual([
      [account, false],
      [account, false],
    ])
    const buying = limited(undefined, { createsTransaction: true })
    expect((await buying.call()).headers['RateLimit-Policy']).toBe('spend')
    expect(buying.taken).toEqual([[account, true]])
  })

  test('counts a call that has no right, and none of somebody who is not known', async () => {
    const { call, taken } = limited(undefined, { scope: 'food.read' })
    const refused = await call({ credential: { account: 'shipper' } })
    expect([refused.status, refused.headers['RateLimit'], taken.length]).toEqual([403, named.RateLimit, 1])
    const unknown = await call({ credential: { token: 'unknown' } })
    expect([unknown.status, unknown.headers['RateLimit'], taken.length]).toEqual([401, undefined, 1])
  })

  test('refuses a call over it, with the time to wait', async () => {
    const { status, headers, body } = await limited({ detail: 'Five at most.', wait: 7 }).call()
    expect([status, headers['Retry-After'], headers['RateLimit']]).toEqual([429, '7', named.RateLimit])
    expect(body).toMatchObject({ code: 'rate_limited', detail: 'Five at most.', hint: 'Try again in 7 s.' })
  })

  test('does not count what another person does by a shared link', async () => {
    const { call, taken } = limited({ detail: 'Five at most.', wait: 7 })
    const { status, headers } = await call({ uncounted: true })
    expect([status, headers['RateLimit'], headers['RateLimit-Policy'], taken]).toEqual([
      201,
      undefined,
      undefined,
      [],
    ])
  })

  test('is not there for operations that have none', async () => {
    let taken = 0
    const take = async () => ({ remaining: String((taken += 1)) })
    const { status, headers } = await serve({}, { limiter: { policy: () => undefined, take } })()
    expect([status, taken]).toEqual([201, 0])
    expect(Object.keys(headers).filter((name) => name.startsWith('RateLimit'))).toEqual([])
  })
})

describe('what is due', () => {
  /** A thing with a number of due events; counts the batches that are applied, and the runs of the call. */
  function dueThing(differences: Differences, due: number) {
    const { db, begun, limits } = watched()
    let [left, runs] = [due, 0]
    const batches: number[] = []
    const call = serve(
      {
        ...differences,
        touches: () => ({ resource: 'lamp' }),
        async run() {
          runs += 1
          return { left }
        },
      },
      {
        db,
        hasDue: async () => left > 0,
        async drain(_scene, _due, limit) {
          const applied = Math.min(limit, left)
          left -= applied
          batches.push(applied)
          return applied
        },
      },
    )
    return { call, begun, batches, limits, runs: () => runs }
  }

  test.each<[string, Differences, number, string[], number[]]>([
    ['a read without any', { method: 'GET' }, 0, ['read'], []],
    ['a read', { method: 'GET' }, 1, ['read', 'write'], [1]],
    ['a change', {}, MAX_DUE_BATCH_EVENTS - 1, ['write'], [MAX_DUE_BATCH_EVENTS - 1]],
    // A full batch may have left some: it is undone, and they are applied in transactions of their own.
    [
      'a change after a full batch',
      {},
      MAX_DUE_BATCH_EVENTS,
      ['write', 'write', 'write'],
      [MAX_DUE_BATCH_EVENTS, 0],
    ],
    [
      'a change after many',
      {},
      2 * MAX_DUE_BATCH_EVENTS + 1,
      ['write', 'write', 'write', 'write'],
      [MAX_DUE_BATCH_EVENTS, MAX_DUE_BATCH_EVENTS, 1],
    ],
    ['a purchase', { createsTransaction: true }, 1, ['write', 'write', 'write'], [1]],
  ])('is applied before %s', async (_, differences, due, transactions, applied) => {
    const { call, begun, batches, limits, runs } = dueThing(differences, due)
    expect((await call()).body).toEqual({ left: 0 })
    expect([begun, batches, runs()]).toEqual([transactions, applied, 1])
    expect(limits.filter(({ totalMs }) => totalMs !== 30_000)).toEqual([])
  })

  test('is not looked for by an operation that concerns no resource', async () => {
    const hasDue = async (): Promise<never> => {
      throw new Error('it looked')
    }
    expect((await serve({}, { hasDue })()).status).toBe(201)
    expect((await serve({ touches: () => undefined }, { hasDue })()).status).toBe(201)
  })
})

test('an operation is told the rules of the operator, or none', async () => {
  const told = async (rules?: GatewayDeps['rules']) =>
    (
      await serve(
        { method: 'GET', run: async (context: OperationContext) => ({ ...context.rules }) },
        { rules },
      )()
    ).body
  expect([await told(), await told({ oneActiveRide: true })]).toEqual([
    { oneActiveRide: false },
    { oneActiveRide: true },
  ])
})

test('a call is told that its caller left only where it changes something', async () => {
  let told = 0
  const beforeChange = (): void => void (told += 1)
  await serve({ method: 'GET' })({ beforeChange })
  expect(told).toBe(0)
  await serve()({ beforeChange })
  expect(told).toBe(1)
})

test('a call has thirty seconds, less what has passed, and no more when the clock is set back', async () => {
  const { db, limits } = watched()
  let time = 0
  const times = async (ms: number) => {
    limits.length = 0
    let isDue = true
    // A read finds something due, which takes a second transaction to apply.
    const hasDue = async () => {
      const wasDue = isDue
      if (wasDue) time += ms
      isDue = false
      return wasDue
    }
    const differences: Differences = { method: 'GET', touches: () => ({ resource: 'lamp' }) }
    const { status } = await serve(differences, { db, now: () => time, hasDue })()
    return [status, ...limits.map(({ totalMs }) => totalMs)]
  }
  expect(await times(1000)).toEqual([200, 30_000, 29_000])
  expect(await times(-60_000)).toEqual([200, 30_000, 30_000])
  expect(await times(29_999)).toEqual([200, 30_000, 1])
  expect(await times(30_000)).toEqual([503, 30_000])
  limits.length = 0
  await serve({}, { db })()
  // The first statement of a read may be answered before the others, on PostgreSQL.
  await serve({ method: 'GET' }, { db })()
  await serve({}, { db })({ http: overHttp() })
  expect(limits).toEqual([
    { totalMs: 30_000 },
    { totalMs: 30_000, firstStatementOutsideTransaction: true },
    { firstStatementOutsideTransaction: true },
    { totalMs: 30_000 },
  ])
})

test('a repeat that finds the first call at work is told so, and only a call with a key repeats one', async () => {
  const locked = async (): Promise<never> => {
    throw Object.assign(new Error('locked'), { code: '55P03' })
  }
  const code = async (differences: Differences, more: Partial<GatewayRequest>) =>
    (await serve(differences, { db: { ...world.db, write: locked } })(more)).body['code']
  expect(await code({}, { idempotencyKey: 'k' })).toBe('idempotency_in_flight')
  expect(bugs).toEqual([])
  expect(await code({}, {})).toBe('internal_error')
  expect(await code({ idempotency: 'none' }, { idempotencyKey: 'k' })).toBe('internal_error')
})

describe('a failure', () => {
  const headersOf = (code: ErrorCode, extra = {}) => {
    const error = new AppError(code, 'No.', { extra })
    const { status, headers, body } = toErrorResponse(error, 'req_1', undefined)
    expect([status, body]).toEqual([error.entry.status ?? 500, JSON.stringify(toProblem(error, 'req_1'))])
    expect(headers).toMatchObject({ 'Request-Id': 'req_1', 'Content-Type': 'application/problem+json' })
    const { 'WWW-Authenticate': asks, 'Retry-After': wait } = headers
    return [asks, wait]
  }

  test.each<[ErrorCode, string | undefined, string | undefined]>([
    ['missing_token', 'Bearer realm="dray"', undefined],
    ['invalid_token', 'Bearer realm="dray", error="invalid_token"', undefined],
    ['insufficient_scope', 'Bearer realm="dray", error="insufficient_scope", scope="food.read"', undefined],
    ['idempotency_in_flight', undefined, '1'],
    ['service_unavailable', undefined, '1'],
    ['idempotency_key_reused', undefined, undefined],
    ['internal_error', undefined, undefined],
    ['call_cancelled', undefined, undefined],
  ])('with the code %s asks for %s, and for a pause of %s', (code, ...asked) => {
    expect(headersOf(code, { required_scope: 'food.read' })).toEqual(asked)
  })

  test('tells the time of the service where that is known', () => {
    const at = (time: string | undefined) =>
      toErrorResponse(new AppError('quote_expired', 'No.'), 'r', time).headers
    expect(at('now')['Service-Time']).toBe('now')
    expect(at(undefined)).not.toHaveProperty('Service-Time')
  })
})
