import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { loadSnapshot, saveSnapshot } from '../../../src/sandbox/control/snapshot.ts'
import { callTestControl } from '../../support/control.ts'
import { performAction, attend, placeTestOrder } from '../../support/order-life.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

test('an account receives its own events only, each once, and only those of its scopes', async () => {
  const world = await openTestSandbox()
  await attend(world)
  const listed = (as: string, after?: string) =>
    world.ok('list_account_events', after === undefined ? {} : { after }, { as })
  const { last, data } = await listed('member')
  expect(data).toEqual([])
  const { order_id } = await placeTestOrder(world, { scenario: 'store_manual' })
  await performAction(world, order_id, ['accept'])
  const types = async (as: string) => (await listed(as, last)).data.map(({ type }) => type)
  expect(await types('member')).toEqual(['food_order.placed', 'food_order.accepted'])
  expect(await types('everything')).toEqual(['business_order.placed', 'business_order.accepted'])
  expect(await types('shipper')).toEqual([])
  expect((await listed('member', (await listed('member', last)).last)).data).toEqual([])
})

const eventsAfter = async (world: TestSandbox, after: unknown) =>
  world.ok('list_account_events', { after }, { as: 'member' })
const goneAt = async (world: TestSandbox, after: unknown) => {
  const refused = await world.refused('list_account_events', { after }, { as: 'member' })
  expect(refused).toMatchObject({ status: 410, code: 'position_gone' })
  return refused['first']
}
const placeOne = (world: TestSandbox) => placeTestOrder(world, { scenario: 'store_manual' })

async function saved(world: TestSandbox): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  await saveSnapshot(world.db, 0, (chunk) => chunks.push(chunk))
  return Buffer.concat(chunks)
}

async function loaded(world: TestSandbox, snapshot: Uint8Array): Promise<void> {
  const machine = { now: () => 0, random: (count: number) => randomBytes(count) }
  await loadSnapshot(world.db, machine, async function* () {
    yield snapshot
  })
}

describe.each(ENGINES)('a position on $name', (engine) => {
  test('of before a reset is rejected, and the error says from where nothing is missed', async () => {
    const world = await openTestSandbox({ engine })
    await placeOne(world)
    const { last, data } = await eventsAfter(world, '0')
    await callTestControl(world, 'reset', { at: '2026-11-20T09:00:00Z' })
    for (const position of [last, data[0]?.position]) await goneAt(world, position)
    // The same seed and the same calls: the same event at the same place, and yet of another life.
    await placeOne(world)
    const again = await eventsAfter(world, await goneAt(world, data[0]?.position))
    expect(again.data.map(({ event_id, type }) => [event_id, type])).toEqual(
      data.map(({ event_id, type }) => [event_id, type]),
    )
    expect(again.last).not.toBe(last)
    expect((await eventsAfter(world, again.last)).data).toEqual([])
  })

  test('of before a snapshot was loaded is rejected; what the snapshot brought did not happen again', async () => {
    const world = await openTestSandbox({ engine })
    await placeOne(world)
    const snapshot = await saved(world)
    await placeOne(world)
    const { last } = await eventsAfter(world, '0')
    await loaded(world, snapshot)
    const first = await goneAt(world, last)
    expect((await eventsAfter(world, first)).data).toEqual([])
    const { order_id } = await placeOne(world)
    expect((await eventsAfter(world, first)).data.map(({ resource_id }) => resource_id)).toEqual([order_id])
    expect((await eventsAfter(world, 0)).data).toHaveLength(2)
  })

  test('beyond the end is rejected, and a bare number within is one of this store', async () => {
    const world = await openTestSandbox({ engine })
    await goneAt(world, '999999999')
    expect(await goneAt(world, 999_999_999)).toBe((await eventsAfter(world, '0')).last)
    await placeOne(world)
    const { data, last } = await eventsAfter(world, 0)
    const number = Number(data[0]?.position.split('-').at(-1))
    expect((await eventsAfter(world, number)).last).toBe(last)
    const { code } = await world.refused('list_account_events', { after: 'x' }, { as: 'member' })
    expect(code).toBe('invalid_request')
  })

  test('of the whole sandbox is rejected, too, once that was reset', async () => {
    const world = await openTestSandbox({ engine })
    await placeOne(world)
    const { next_after } = await callTestControl(world, 'list_events', {})
    expect((await callTestControl(world, 'list_events', { after: next_after })).data).toEqual([])
    await callTestControl(world, 'reset', { at: '2026-11-20T09:00:00Z' })
    await expect(callTestControl(world, 'list_events', { after: next_after })).rejects.toMatchObject({
      code: 'position_gone',
    })
  })

  test('and a cursor of before a snapshot was loaded continue nothing', async () => {
    const world = await openTestSandbox({ engine })
    for (let count = 0; count < 3; count++) await placeOne(world)
    const snapshot = await saved(world)
    const listed = (cursor?: string) =>
      world.call('list_food_orders', { limit: 1, ...(cursor !== undefined && { cursor }) }, { as: 'member' })
    const { next_cursor } = (await listed()).body as { next_cursor: string }
    expect((await listed(next_cursor)).status).toBe(200)
    await loaded(world, snapshot)
    expect((await listed(next_cursor)).body).toMatchObject({ status: 400, code: 'invalid_cursor' })
  })
})

test('neither a snapshot nor what it is compared by holds the mark of the store', async () => {
  const world = await openTestSandbox()
  const before = await saved(world)
  await loaded(world, before)
  expect(await saved(world)).toEqual(before)
})

test('on PostgreSQL a position and a cursor end when a dump was restored beneath the service', async () => {
  const [, engine] = ENGINES
  const world = await openTestSandbox({ engine })
  await placeOne(world)
  await placeOne(world)
  const { last } = await eventsAfter(world, '0')
  const { next_cursor } = await world.ok('list_food_orders', { limit: 1 }, { as: 'member' })
  // As `pg_restore --clean` does: the table is made again, and has the rows of the dump.
  await world.db.write(async (tx) => {
    await tx.run('create table restored (like world including all)')
    await tx.run('insert into restored select * from world')
    await tx.run('drop table world')
    await tx.run('alter table restored rename to world')
  })
  await goneAt(world, last)
  const { code } = await world.refused(
    'list_food_orders',
    { limit: 1, cursor: next_cursor },
    { as: 'member' },
  )
  expect(code).toBe('invalid_cursor')
})
