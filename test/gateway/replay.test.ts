/** A key stands for one call: the same operation on the same path with the same body. */
import { expect, test } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { fingerprint, toInFlight } from '../../src/gateway/replay.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { makeParcel } from '../support/parcel.ts'
import { openTestSandbox } from '../support/world.ts'

const DAY = 24 * 3_600_000

test('the key that cancelled one parcel cancels no other one, and answers the first call again', async () => {
  const world = await openTestSandbox()
  const make = async (reference: string) =>
    (await world.ok('create_shipment', makeParcel({ reference }))).tracking_number
  const [first, second] = [await make('A'), await make('B')]
  const cancelled = await world.ok('cancel_shipment', { tracking_number: first }, { key: 'k' })
  const other = await world.refused('cancel_shipment', { tracking_number: second }, { key: 'k' })
  expect(other.code).toBe('idempotency_key_reused')
  expect((await world.ok('get_shipment', { tracking_number: second })).status).toBe('pre_transit')
  expect(await world.ok('cancel_shipment', { tracking_number: first }, { key: 'k' })).toEqual(cancelled)
})

test('every operation with ids in its path tells calls apart by each of them, and by its body', async () => {
  const keyed: string[] = []
  for (const load of Object.values(OPERATIONS)) {
    const operation: AnyOperation = await load()
    const { pathParameters, idempotency, name } = operation
    if (idempotency === 'none' || pathParameters.length === 0) continue
    keyed.push(name)
    const input = Object.fromEntries(pathParameters.map((id) => [id, 'one']))
    const others = [...pathParameters.map((id) => ({ ...input, [id]: 'two' })), { ...input, note: 'x' }]
    const prints = [input, ...others].map((each) => fingerprint(operation, each))
    expect([name, new Set(prints).size]).toEqual([name, prints.length])
    expect(fingerprint(operation, { ...input })).toBe(prints[0])
  }
  expect(keyed).toContain('cancel_shipment')
})

test('a key is remembered for 24 hours of the service, to the millisecond', async () => {
  for (const [ms, code] of [
    [DAY - 1, 'idempotency_key_reused'],
    [DAY, undefined],
  ] as const) {
    const world = await openTestSandbox()
    await world.ok('create_shipment', makeParcel({ reference: 'A' }), { key: 'k' })
    await world.advance(ms)
    const { body } = await world.call('create_shipment', makeParcel({ reference: 'B' }), { key: 'k' })
    expect([ms, body['code']]).toEqual([ms, code])
  }
})

const CANCEL = {
  method: 'POST',
  path: '/v1/rides/{ride_id}/stops/{stop_id}',
  pathParameters: ['ride_id', 'stop_id'],
}
const print = (input: Record<string, unknown>) => fingerprint(CANCEL as unknown as AnyOperation, input)

test('a call of an earlier release is known: by its method, its path and what else it says', () => {
  const said = (path: string, body: string) => sha256Hex(`POST\n/v1/rides/${path}\n${body}`)
  expect(print({ ride_id: 'A/B', stop_id: 's', b: 1, a: null })).toBe(
    said('A%2FB/stops/s', '{"a":null,"b":1}'),
  )
  // Parts of the response that are wanted are no part of the call.
  expect(print({ ride_id: 'r', stop_id: 's', fields: 'status' })).toBe(said('r/stops/s', '{}'))
})

test('an id that is none tells calls apart all the same', () => {
  const ids = ['a', 'a\ud800', 7, null, true, {}, { a: 1 }, []]
  const prints = [undefined, ...ids].map((ride_id) => print({ ride_id, stop_id: 's' }))
  // No id is as good as null.
  expect(new Set(prints).size).toBe(ids.length)
})

test('a call waits for the first one with its key only where that one holds it', () => {
  const held = Object.assign(new Error('no'), { code: '55P03' })
  for (const error of [held, new Error('outer', { cause: held })]) {
    const told = toInFlight(error) as AppError
    expect([told.code, told.cause]).toEqual(['idempotency_in_flight', error])
  }
  for (const error of [new Error('no'), new AppError('quote_expired', 'No.'), undefined])
    expect(toInFlight(error)).toBe(error)
})
