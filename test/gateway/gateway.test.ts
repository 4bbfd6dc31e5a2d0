import { expect, test } from 'vitest'
import { findAccount } from '../../src/areas/account/store.ts'
import { AppError } from '../../src/core/errors.ts'
import { storeAnswer } from '../../src/store/idempotency.ts'
import { makeParcel } from '../support/parcel.ts'
import { ENGINES } from '../support/stores.ts'
import { NINE, openWorld, worldOver } from '../support/world.ts'

// SQLite has one writer at a time: there the second call waits until the first one ends.
const [, postgres] = ENGINES

test('a repeat of a call that does not finish is told to retry later', async () => {
  const world = await openWorld({ engine: postgres })
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
      completed_at: NINE,
    })
    // The server has the answer once it has answered a later statement.
    await tx.get('select 1 as one')
    held.resolve()
    await over.promise
    throw new Error('it crashed')
  })
  await held.promise
  // A copy waits for five seconds; this one only as long as it must.
  const { write } = world.db
  const impatient = worldOver({
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
})

test.each([{ toString: false }, 7, null, 'rid_\uD800'])(
  'an id that is none, %j, is refused and no failure, with a key as well',
  async (ride_id) => {
    const world = await openWorld()
    const answer = await world.call('cancel_ride', { ride_id }, { key: 'k' })
    expect([400, 404]).toContain(answer.status)
  },
)

test('a call that is cancelled before it begins changes nothing; the same call with its key is made later', async () => {
  const world = await openWorld()
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
