/** One call in its transactions: what is due comes first, an error is final, and what failed leaves nothing. */
import { beforeEach, describe, expect, test } from 'vitest'
import { findStoreOwnerLastSeenAt, loadAccount } from '../../src/areas/account/queries/accounts.ts'
import { frozenClock } from '../../src/core/clock.ts'
import { AppError, type ErrorCode, type Problem } from '../../src/core/errors.ts'
import { hasDueEvents } from '../../src/db/timeline.ts'
import { saveClock, type StoredWorld } from '../../src/db/world.ts'
import { rowReader, serviceTime } from '../../src/gateway/attempt.ts'
import type { GatewayDeps } from '../../src/gateway/deps.ts'
import { makeGateway } from '../../src/gateway/gateway.ts'
import { load } from '../../src/generated/registry.ts'
import { runDueEvents } from '../../src/sandbox/due-events.ts'
import { placeTestOrder } from '../support/order-life.ts'
import { makeParcel } from '../support/parcel.ts'
import { BANK_STATION, KINGS_CROSS } from '../support/rides.ts'
import { NINE_AM, openTestSandbox, type TestSandbox } from '../support/world.ts'

const MINUTE = 60_000
let world: TestSandbox

beforeEach(async () => {
  world = await openTestSandbox()
})

/** Moves the clock, and applies nothing of what is due. */
const move = (ms: number) => world.write((tx, _stored, now) => saveClock(tx, frozenClock(now + ms)))

/** Returns the transfers of which only one side is written. */
const unbalanced = () =>
  world.write((tx) => tx.all('select transaction_id from ledger group by 1 having sum(amount) <> 0'))

const parcel = (reference: string, differences: Record<string, unknown> = {}) =>
  makeParcel({ reference, ...differences })

describe('a call with a key', () => {
  test('that is refused by what it found is refused again in the same bytes, when it would succeed now, too', async () => {
    const { tracking_number } = await world.ok('create_shipment', parcel('A'))
    const first = await world.call('create_shipment', parcel('A'), { key: 'k' })
    expect([first.status, first.headers['Idempotent-Replayed']]).toEqual([409, undefined])
    await world.ok('cancel_shipment', { tracking_number })
    const again = await world.call('create_shipment', parcel('A'), { key: 'k' })
    expect([again.status, again.text, again.headers['Idempotent-Replayed']]).toEqual([
      409,
      first.text,
      'true',
    ])
    expect((await world.call('create_shipment', parcel('A'), { key: 'other' })).status).toBe(201)
  })

  test('that was answered before leaves no refund half done when a write fails', async () => {
    const { order_id } = await placeTestOrder(world)
    const prepare = () => world.call('start_business_order_prep', { order_id }, { key: 'k' })
    const first = await prepare()
    expect(first.status).toBe(409)
    // The order is not accepted in time. A disk may fail at one statement, and leave the transaction open.
    await move(11 * MINUTE)
    await world.write((tx) =>
      tx.run(
        `create trigger fails before insert on ledger when new.amount > 0 begin select raise(fail, 'no room'); end`,
      ),
    )
    await prepare().catch(() => undefined)
    expect(await unbalanced()).toEqual([])
    await world.write((tx) => tx.run('drop trigger fails'))
    expect((await prepare()).text).toBe(first.text)
    expect((await world.ok('get_business_order', { order_id })).payment.status).toBe('refunded')
    expect(await unbalanced()).toEqual([])
  })

  test('that was not valid may be corrected under its key', async () => {
    const bad = parcel('A', { service_level: 'never' })
    expect((await world.refused('create_shipment', bad, { key: 'k' })).code).toBe('invalid_request')
    const made = await world.call('create_shipment', parcel('A'), { key: 'k' })
    expect([made.status, made.headers['Idempotent-Replayed']]).toEqual([201, undefined])
  })

  test('that was not allowed may be made under its key once it is', async () => {
    const end = (status: string) =>
      world.write((tx) =>
        tx.run(`update accounts set carrier_agreement_status = $1 where handle = 'shipper2'`, status),
      )
    await end('ended')
    const options = { as: 'shipper2', key: 'k' }
    expect((await world.refused('create_shipment', parcel('A'), options)).code).toBe('agreement_required')
    await end('active')
    expect((await world.call('create_shipment', parcel('A'), options)).status).toBe(201)
  })

  test('is answered again with the place of what it made', async () => {
    const [first, again] = [
      await world.call('create_shipment', parcel('A'), { key: 'k' }),
      await world.call('create_shipment', parcel('A'), { key: 'k' }),
    ]
    const place = `/v1/shipments/${String(first.body['tracking_number'])}`
    expect([first.headers['Location'], again.headers['Location']]).toEqual([place, place])
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
  })

  test('is its account’s alone, and its operation’s', async () => {
    expect((await world.call('create_shipment', parcel('A'), { key: 'k' })).status).toBe(201)
    const other = await world.call('create_shipment', parcel('A'), { key: 'k', as: 'shipper2' })
    expect([other.status, other.headers['Idempotent-Replayed']]).toEqual([201, undefined])
  })
})

describe('a refusal', () => {
  /** Returns whether a call with a key that is rejected so is answered from memory when it is repeated. */
  async function isFinal(code: ErrorCode): Promise<boolean> {
    const gateway = makeGateway({
      db: world.db,
      now: () => 0,
      weakRandomBytes: (count) => new Uint8Array(count),
      async load(name) {
        const loaded = await load(name)
        if (loaded === undefined) return undefined
        const run = async (): Promise<never> => {
          throw new AppError(code, 'No.')
        }
        return { ...loaded, operation: { ...loaded.operation, run } }
      },
      hasDue: hasDueEvents,
      drain: async () => 0,
      onBug() {},
    })
    const request = {
      operation: 'create_shipment',
      credential: { account: 'everything' },
      input: parcel('A'),
      idempotencyKey: code,
    }
    const [first, again] = [await gateway.invoke(request), await gateway.invoke(request)]
    for (const { body } of [first, again]) expect((JSON.parse(body) as Problem).code).toBe(code)
    return again.headers['Idempotent-Replayed'] === 'true' && again.body === first.body
  }

  test.each<ErrorCode>(['payment_declined', 'order_not_found', 'not_cancellable', 'quote_mismatch'])(
    'by a rule is final: %s',
    async (code) => {
      expect(await isFinal(code)).toBe(true)
    },
  )

  test.each<ErrorCode>([
    'invalid_request',
    'insufficient_scope',
    'method_not_allowed',
    'payload_too_large',
    'internal_error',
    // These may be fixed, and the same call made again.
    'insufficient_funds',
    'item_unavailable',
    'agreement_required',
    'service_unavailable',
  ])('by another check, or one that passes, is not: %s', async (code) => {
    expect(await isFinal(code)).toBe(false)
  })
})

test('a refusal undoes everything that the call had written', async () => {
  await world.ok('create_shipment', parcel('A'))
  const count = () => world.db.read((tx) => tx.all('select * from events'))
  const before = await count()
  await world.refused('create_shipment', parcel('A'), { key: 'k' })
  expect(await count()).toEqual(before)
})

describe('what is due by the clock', () => {
  test('happens before a read of its resource', async () => {
    const { tracking_number } = await world.ok('create_shipment', parcel('A'))
    await move(48 * 60 * MINUTE)
    expect((await world.ok('get_shipment', { tracking_number })).status).toBe('delivered')
  })

  test('happens before a change, which is then made or refused by what it is now', async () => {
    const { tracking_number } = await world.ok('create_shipment', parcel('A'))
    await move(48 * 60 * MINUTE)
    expect((await world.refused('cancel_shipment', { tracking_number }, { key: 'k' })).code).toBe(
      'not_cancellable',
    )
  })

  test('of a membership happens before a call that depends on it', async () => {
    const { current_period_end } = await world.ok('get_membership_status', {}, { as: 'member' })
    await world.write((tx) => saveClock(tx, frozenClock(Date.parse(current_period_end ?? ''))))
    const now = await world.ok('get_membership_status', {}, { as: 'member' })
    expect(Date.parse(now.current_period_end ?? '')).toBeGreaterThan(Date.parse(current_period_end ?? ''))
  })
})

test('the fields that a call wants must be fields of its answer, at the place where they were named', async () => {
  const { errors } = await world.refused('list_shipments', { fields: 'nothing' })
  expect(errors).toMatchObject([{ parameter: 'fields' }])
  const quote = { pickup: KINGS_CROSS, dropoff: BANK_STATION, fields: 'nothing' }
  const change = await world.refused('quote_ride', quote)
  expect(change.errors.map(({ pointer, parameter }) => [pointer, parameter])).toEqual([
    ['/fields', undefined],
  ])
})

test('the owner of a store counts as present for five minutes after a call, and not for other calls', async () => {
  const { account_id, businessAgreement } = await world.db.read((tx) => loadAccount(tx, 'everything'))
  const seen = () =>
    world.db.read((tx) => findStoreOwnerLastSeenAt(tx, businessAgreement?.agreement_id ?? account_id))
  await world.ok('list_shipments', {})
  expect(await seen()).toBeNull()
  await world.ok('list_business_orders', {})
  expect(await seen()).toBe(NINE_AM)
  await world.advance(5 * MINUTE)
  await world.ok('list_business_orders', {})
  expect(await seen()).toBe(NINE_AM)
  await world.advance(1)
  await world.ok('list_business_orders', {})
  expect(await seen()).toBe(NINE_AM + 5 * MINUTE + 1)
})

test('the time of the service says whether its clock runs', () => {
  const stored = (mode: string) => ({ clock: { mode } }) as StoredWorld
  const shown = ['frozen', 'real', 'offset', 'scaled'].map((mode) => serviceTime(stored(mode), NINE_AM))
  const at = '2026-11-20T09:00:00.000Z'
  expect(shown).toEqual([`${at};mode=frozen`, ...Array<string>(3).fill(`${at};mode=running`)])
})

test('a row of an operation that there is not is a bug, and no valid row', async () => {
  const read = rowReader({ load: async () => undefined } as unknown as GatewayDeps)
  await expect(read('nothing', {})).rejects.toThrow('no operation nothing')
})

test('a call takes thirty seconds at most, and is then to be repeated', async () => {
  let time = 0
  const gateway = makeGateway({
    db: world.db,
    now: () => time,
    weakRandomBytes: (count) => new Uint8Array(count),
    load,
    // Each look takes longer.
    async hasDue(...due) {
      time += 30_000
      return hasDueEvents(...due)
    },
    drain: runDueEvents,
    onBug() {},
  })
  const { tracking_number } = await world.ok('create_shipment', parcel('A'))
  await move(48 * 60 * MINUTE)
  const credential = { account: 'everything' }
  const { status, headers, body } = await gateway.invoke({
    operation: 'get_shipment',
    credential,
    input: { tracking_number },
  })
  expect([status, headers['Retry-After']]).toEqual([503, '1'])
  expect(body).toContain('took too long')
})
