/** Injected faults over HTTP, as curl sees them: an operation of each kind meets each, and a change happens once. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { AnyOperation } from '../../src/core/operation.ts'
import { dumpRows } from '../../src/db/snapshot.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { createClient } from '../../src/library/client.ts'
import { iterations } from '../support/battery.ts'
import { callTestControl } from '../support/control.ts'
import { exampleAt, makeCaseExample } from '../support/examples.ts'
import { makeParcel } from '../support/parcel.ts'
import { plainRequest } from '../support/plain-request.ts'
import { NOON_MS, serveStore, type ServedStore } from '../support/served.ts'
import { ENGINES } from '../support/stores.ts'
import { createEndpoint, openSender } from '../support/webhooks.ts'
import { openTestSandbox, type TestSandbox, sandboxOverStore } from '../support/world.ts'

const loaded = await Promise.all(NAMES.map((name) => load(name)))
const operations = loaded.flatMap((entry) => (entry === undefined ? [] : [entry.operation]))
const named = operations.map((operation) => [operation.name, operation] as const)

let served: ServedStore
let world: TestSandbox
let token: string
let keys = 0

beforeAll(async () => {
  served = await serveStore({ registry: { NAMES, load } })
  world = sandboxOverStore(served.db)
  token = await served.token('everything', { expiresAt: NOON_MS + 365 * 86_400_000 })
})

type FaultyResponse = { status: number; text: string; retryAfter: string | null } | 'lost'

/** Sends a call. Returns `lost` where the connection ends before the whole response. */
async function send(
  operation: AnyOperation,
  input: Record<string, unknown>,
  headers: Record<string, string>,
): Promise<FaultyResponse> {
  const { target, body } = plainRequest(operation, input)
  try {
    const response = await fetch(served.url + target, {
      method: operation.method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    })
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, text: await response.text(), retryAfter }
  } catch {
    return 'lost'
  }
}

/** Returns all rows but those that say when somebody was there; nothing for a read, which takes long enough without. */
async function rows({ method }: AnyOperation): Promise<string> {
  if (method === 'GET') return ''
  return world.db.read(async (tx) => {
    let text = ''
    for await (const page of dumpRows(tx, 0))
      if (page.table !== 'accounts' && page.table !== 'world') text += JSON.stringify(page)
    return text
  })
}

/** A list, a read, a quote, a purchase, a change and a set: the gateway meets a fault before and after any operation alike. */
const SAMPLE = [
  'list_rides',
  'get_membership_status',
  'quote_ride',
  'request_ride',
  'set_catalog_item_availability',
  'create_shipments_batch',
]
const sampled = iterations(
  named.filter(([name]) => SAMPLE.includes(name)),
  named,
)

test('each call of the sample exists', () => expect(sampled.length).toBeGreaterThanOrEqual(SAMPLE.length))

const LOSSES = [{ cut: 'headers' }, { cut: 'body' }, { after_commit: true }] as const

describe.each(sampled)('%s', (name, operation) => {
  test('fails on order in each of nine ways, and a change is made once if its response is lost', async () => {
    const input = await makeCaseExample(world, operation)
    const before = await rows(operation)
    const key = (): Record<string, string> =>
      operation.idempotency === 'none' ? {} : { 'Idempotency-Key': `fault-${++keys}` }
    const met = async (fault: string) => send(operation, input, { ...key(), 'Sandbox-Fault': fault })
    for (const status of [500, 503])
      expect(await met(`status=${status}`)).toMatchObject({
        status,
        text: expect.stringContaining('Nothing was done.'),
      })
    for (const status of [502, 504])
      expect(await met(`status=${status}`)).toMatchObject({
        status,
        text: expect.stringMatching(new RegExp(`<html>.*${status}`, 's')),
      })
    expect(await met('rate_limit')).toMatchObject({ status: 429, retryAfter: '1' })
    expect(await rows(operation)).toBe(before)
    const pays = (operation.errors as readonly string[]).includes('payment_declined')
    const declined = pays ? await met('payments=declined') : { status: 402 }
    expect(declined).toMatchObject({ status: 402 })
    const headers = key()
    for (const loss of LOSSES) {
      await callTestControl(world, 'add_fault', { operation: name, times: 1, ...loss })
      expect([loss, await send(operation, input, headers)]).toEqual([loss, 'lost'])
    }
    await callTestControl(world, 'clear_faults', {})
    const after = await rows(operation)
    const again = await send(operation, input, { ...headers, 'Sandbox-Fault': 'latency=2ms±1ms' })
    expect(again, exampleAt(operation)).toMatchObject({ status: expect.toSatisfy((given) => given < 300) })
    // A second quote is another one.
    expect(operation.idempotency === 'none' ? after : await rows(operation)).toBe(after)
  })
})

test('the same seed and calls meet the same faults, up to the most that were ordered', async () => {
  const run = async () => {
    const sandbox = await openTestSandbox({ seed: '42' })
    await callTestControl(sandbox, 'add_fault', { operation: 'list_rides', status: 503, rate: 0.3, times: 5 })
    const met: number[] = []
    for (let call = 0; call < 40; call++) met.push((await sandbox.call('list_rides')).status)
    return { met, listed: await callTestControl(sandbox, 'list_faults', {}) }
  }
  const first = await run()
  expect(first.met.filter((status) => status === 503)).toHaveLength(5)
  expect(first.met.indexOf(503)).not.toBe(first.met.lastIndexOf(503) - 4)
  expect(await run()).toEqual(first)
  const [fault] = first.listed.data
  expect(fault).toMatchObject({ operation: 'list_rides', effect: 'status=503', rate: 0.3, times: 5, hits: 5 })
})

test.each(ENGINES)(
  'on $name calls at the same time meet a fault as often as it was ordered',
  async (engine) => {
    const sandbox = await openTestSandbox({ engine })
    await callTestControl(sandbox, 'add_fault', { rate_limit: true, times: 2 })
    const calls = await Promise.all(Array.from({ length: 8 }, () => sandbox.call('list_rides')))
    expect(calls.filter(({ status }) => status === 429)).toHaveLength(2)
    await callTestControl(sandbox, 'clear_faults', { fault_id: 1 })
    expect((await callTestControl(sandbox, 'list_faults', {})).data).toEqual([])
  },
)

test('a new fault has the number after the highest, and there is room for fifty', async () => {
  const sandbox = await openTestSandbox()
  const add = async () => (await callTestControl(sandbox, 'add_fault', { latency: '1ms' })).fault_id
  expect([await add(), await add()]).toEqual([1, 2])
  await callTestControl(sandbox, 'clear_faults', { fault_id: 1 })
  expect([await add(), await add()]).toEqual([3, 4])
  for (let count = 3; count < 50; count++) await add()
  await expect(add()).rejects.toMatchObject({ code: 'invalid_state' })
  expect((await callTestControl(sandbox, 'list_faults', {})).data).toHaveLength(50)
  await expect(callTestControl(sandbox, 'clear_faults', { fault_id: 1 })).rejects.toMatchObject({
    code: 'invalid_request',
  })
  expect(await callTestControl(sandbox, 'clear_faults', {})).toEqual({ cleared: 50 })
})

test('what the service reads for itself meets no fault, and counts for none', async () => {
  const sandbox = await openTestSandbox()
  const endpoint_id = await createEndpoint(sandbox)
  await callTestControl(sandbox, 'add_fault', { operation: 'get_shipment', status: 500 })
  const { tracking_number } = await sandbox.ok('create_shipment', makeParcel())
  await openSender(sandbox).run()
  const { data } = await sandbox.ok('list_webhook_deliveries', { endpoint_id })
  expect(data).toMatchObject([{ type: 'shipment.created', resource_id: tracking_number, status: 'pending' }])
  expect((await callTestControl(sandbox, 'list_faults', {})).data).toMatchObject([{ seen: 0, hits: 0 }])
  expect((await sandbox.call('get_shipment', { tracking_number })).status).toBe(500)
})

test('faults end with a reset', async () => {
  const sandbox = await openTestSandbox()
  await callTestControl(sandbox, 'add_fault', { latency: '1ms' })
  await callTestControl(sandbox, 'reset', {})
  expect((await callTestControl(sandbox, 'list_faults', {})).data).toEqual([])
})

test.each([
  [{}, 'status is required, or another one of status, latency, cut'],
  [{ status: 503, cut: 'body' }, 'cut must be another fault: each has one of'],
  [{ status: 404 }, 'status must be one of 500, 502, 503, 504'],
  [{ latency: '1m' }, 'latency must be a time such as 300ms'],
  [{ latency: '100ms±200ms' }, 'latency must wait at most 20 s, and vary by no more than it waits'],
  [{ latency: '21s' }, 'latency must wait at most 20 s'],
  [{ rate_limit: false }, 'rate_limit'],
  [{ status: 503, rate: 0 }, 'rate must be above 0'],
  [{ status: 503, rate: 1.1 }, 'rate must be'],
  [{ status: 503, times: 0 }, 'times must be'],
  [{ status: 503, operation: 'place_food_ordre' }, 'operation is unknown: use place_food_order'],
  [{ payments: 'declined', operation: 'get_ride' }, 'get_ride takes none'],
])('a fault %j is refused', async (order, message) => {
  const refusal = callTestControl(world, 'add_fault', order as { status: 503 })
  await expect(refusal).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(message),
  })
})

test('a header that orders no fault is rejected', async () => {
  const [, list] = named.find(([name]) => name === 'list_rides') ?? []
  for (const fault of [
    'status=404',
    'cut',
    'nonsense',
    'after_commit=1',
    'rate_limit=',
    'latency=',
    'cut=body=1',
    '',
  ])
    expect([fault, await send(list as AnyOperation, {}, { 'Sandbox-Fault': fault })]).toEqual([
      fault,
      expect.objectContaining({ status: 400, text: expect.stringContaining('Sandbox-Fault must be one of') }),
    ])
})

test('a caller who could not use the controls of the sandbox orders no fault', async () => {
  const closed = await serveStore({ registry: { NAMES, load }, control: false })
  const answer = await fetch(`${closed.url}/v1/rides`, {
    headers: { Authorization: `Bearer ${await closed.token('everything')}`, 'Sandbox-Fault': 'rate_limit' },
  })
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining('Sandbox-Fault is only for'),
  ])
})

test('the client repeats a change after its response was lost, and it is made once', async () => {
  const client = createClient({ baseUrl: served.url, token })
  const order = { pickup: { name: 'kings-cross' }, dropoff: { name: 'bank' } }
  const { quote_id } = await client.quoteRide(order)
  const before = (await client.listRides({ limit: 100 })).data.length
  const payment = { method: 'card', payment_token: 'tok_ok' } as const
  await callTestControl(world, 'add_fault', { operation: 'request_ride', cut: 'body', times: 1 })
  const { ride_id } = await client.requestRide(
    { quote_id, tier: 'economy', payment },
    { fault: 'after_commit' },
  )
  expect((await client.getRide({ ride_id })).ride_id).toBe(ride_id)
  expect((await client.listRides({ limit: 100 })).data.length).toBe(before + 1)
})
