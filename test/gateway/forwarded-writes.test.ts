/** Two processes that share a store: one hands its changes to the other, and either has the same response for its caller. */
import { beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { hasDueEvents } from '../../src/db/timeline.ts'
import type { GatewayDeps } from '../../src/gateway/deps.ts'
import { type ForwardWrite, Stale } from '../../src/gateway/forwarded-writes.ts'
import { makeGateway } from '../../src/gateway/gateway.ts'
import type { GatewayRequest } from '../../src/gateway/request.ts'
import { load } from '../../src/generated/registry.ts'
import { runDueEvents } from '../../src/sandbox/due-events.ts'
import { makeParcel } from '../support/parcel.ts'
import { BANK_STATION, KINGS_CROSS } from '../support/rides.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

type ForwardedAttempt = Parameters<ForwardWrite>[0]
type ForwardedAttemptResult = Awaited<ReturnType<ForwardWrite>>

let world: TestSandbox
/** The calls that were handed over. */
let handed: ForwardedAttempt[]
let bugs: unknown[]
/** Replaces what the other process does. */
let other: ((attempt: ForwardedAttempt) => Promise<ForwardedAttemptResult | undefined>) | undefined

/** Messages between processes are JSON. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

function deps(): GatewayDeps {
  return {
    db: world.db,
    now: () => 0,
    weakRandomBytes: (count) => new Uint8Array(count),
    load,
    hasDue: hasDueEvents,
    drain: runDueEvents,
    onBug: (error) => bugs.push(error),
  }
}

beforeEach(async () => {
  world = await openTestSandbox()
  handed = []
  bugs = []
  other = undefined
})

/** Makes a call at a process that hands its changes over. */
async function call(operation: string, input: Record<string, unknown>, more: Partial<GatewayRequest> = {}) {
  const writer = makeGateway(deps())
  const hand: ForwardWrite = async (attempt) => {
    handed.push(attempt)
    const carried = await (other?.(attempt) ?? writer.carry(sent(attempt), () => {}))
    if (carried === undefined) throw new Error('it was stale')
    return sent(carried)
  }
  const answer = await makeGateway(deps(), hand).invoke({
    operation,
    credential: { account: 'everything' },
    input,
    ...more,
  })
  return { ...answer, body: JSON.parse(answer.body) as Record<string, unknown> }
}

const parcels = async () => (await world.ok('list_shipments', {})).data.map(({ reference }) => reference)

describe('a change', () => {
  test('is carried out by the process that writes, and answered with its place and the time of the service', async () => {
    let begun = 0
    const { status, headers, body } = await call('create_shipment', makeParcel({ reference: 'A' }), {
      idempotencyKey: 'k',
      beforeChange: () => void (begun += 1),
    })
    expect([status, body['reference'], begun]).toEqual([201, 'A', 1])
    expect(headers).toMatchObject({
      Location: `/v1/shipments/${String(body['tracking_number'])}`,
      'Service-Time': '2026-11-20T09:00:00.000Z;mode=frozen',
    })
    expect(handed).toHaveLength(1)
    expect(handed[0]?.request).toEqual({
      operation: 'create_shipment',
      credential: { account: 'everything' },
      idempotencyKey: 'k',
      requestId: headers['Request-Id'],
    })
    expect(handed[0]?.totalMs).toBe(30_000)
    expect(await parcels()).toEqual(['A'])
  })

  test('that its caller cancelled is not handed over', async () => {
    const { body } = await call('create_shipment', makeParcel(), {
      beforeChange() {
        throw new AppError('call_cancelled', 'The caller left.')
      },
    })
    expect([body['code'], handed, await parcels()]).toEqual(['call_cancelled', [], []])
  })

  test('that is refused has the same problem as without another process', async () => {
    await call('create_shipment', makeParcel({ reference: 'A' }))
    const again = makeParcel({ reference: 'A' })
    const { status, body } = await call('create_shipment', again)
    expect([status, body['code'], body['existing_tracking_number']]).toEqual([
      409,
      'duplicate_reference',
      (await world.ok('list_shipments', {})).data[0]?.tracking_number,
    ])
    const own = await world.refused('create_shipment', again)
    expect({ ...body, request_id: own.request_id }).toEqual(own)
  })

  test('that meets a bug there has an id of it, and no cause', async () => {
    other = (attempt) =>
      makeGateway({ ...deps(), load: async () => undefined }).carry(sent(attempt), () => {})
    const { status, body } = await call('create_shipment', makeParcel())
    expect([status, body['code']]).toEqual([500, 'internal_error'])
    expect(String(body['detail'])).toContain(String(body['request_id']))
    expect(bugs).toMatchObject([{ message: 'no operation create_shipment' }])
  })

  test('with a problem of a newer process that this one does not know is an error with its text', async () => {
    const problem = { code: 'newer_code', detail: 'It is new.' } as never
    other = async () => ({ findings: { limits: {} }, problem })
    const { status } = await call('create_shipment', makeParcel())
    expect(status).toBe(500)
    expect(bugs).toMatchObject([{ message: 'It is new.' }])
  })
})

describe('while the process that writes is silent', () => {
  test('a change that was not sent is carried out here', async () => {
    other = async () => 'unsent'
    expect((await call('create_shipment', makeParcel({ reference: 'A' }))).status).toBe(201)
    expect(await parcels()).toEqual(['A'])
  })

  test('a change that may have been carried out is repeated here only under a key', async () => {
    other = async () => 'unknown'
    const without = await call('create_shipment', makeParcel({ reference: 'A' }))
    expect([without.status, without.body['code'], without.headers['Retry-After']]).toEqual([
      503,
      'service_unavailable',
      '1',
    ])
    expect(String(without.body['detail'])).toContain('Check before you repeat it')
    expect(await parcels()).toEqual([])
    const keyed = await call('create_shipment', makeParcel({ reference: 'A' }), { idempotencyKey: 'k' })
    expect([keyed.status, await parcels()]).toEqual([201, ['A']])
    // The other process did it after all: its response is found.
    other = undefined
    const again = await call('create_shipment', makeParcel({ reference: 'A' }), { idempotencyKey: 'k' })
    expect(again.headers['Idempotent-Replayed']).toBe('true')
    expect(again.body).toEqual(keyed.body)
  })

  test('a quote, which changes nothing, is made here, whatever key it brings', async () => {
    other = async () => 'unknown'
    for (const key of [{}, { idempotencyKey: 'k' }])
      expect((await call('quote_ride', { pickup: KINGS_CROSS, dropoff: BANK_STATION }, key)).status).toBe(200)
    expect(handed.map(({ request }) => request.operation)).toEqual(['quote_ride', 'quote_ride'])
  })
})

test('a read is not handed over', async () => {
  expect((await call('list_shipments', {})).status).toBe(200)
  expect(handed).toEqual([])
})

test('an attempt of a process that was stopped meanwhile is given up, and leaves nothing', async () => {
  other = async (attempt) => {
    const carried = await makeGateway(deps()).carry(sent(attempt), () => {
      throw new Stale()
    })
    expect(carried).toBeUndefined()
    return 'unsent'
  }
  expect((await call('create_shipment', makeParcel({ reference: 'A' }))).status).toBe(201)
  expect([await parcels(), bugs]).toEqual([['A'], []])
})
