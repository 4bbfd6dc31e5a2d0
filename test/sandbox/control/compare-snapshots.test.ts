import { expect, test } from 'vitest'
import { listSnapshotTables } from '../../../src/db/snapshot.ts'
import {
  compareSnapshots,
  differsInTime,
  readForComparison,
} from '../../../src/sandbox/control/compare-snapshots.ts'
import { KINDS, LEFT_OUT_COLUMNS, NOT_COMPARED } from '../../../src/sandbox/control/compared-kinds.ts'
import { readIgnored } from '../../../src/sandbox/control/ignored-fields.ts'
import { saveSnapshot } from '../../../src/sandbox/control/snapshot.ts'
import { callTestControl } from '../../support/control.ts'
import { CARD, findStore, makeBasketLine, makeBasket, makePickup, newKey } from '../../support/food.ts'
import { makeParcel } from '../../support/parcel.ts'
import { requestTestRide } from '../../support/rides.ts'
import { ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

/** Other seeds, so that no id of one world is an id of the other. */
const SEEDS = ['compared-1', 'compared-2'] as const

async function read({ db }: TestSandbox) {
  const chunks: Uint8Array[] = []
  await saveSnapshot(db, 0, (chunk) => void chunks.push(chunk))
  return readForComparison(
    (async function* () {
      yield* chunks
    })(),
    'saved',
  )
}

async function compare(
  one: TestSandbox,
  other: TestSandbox,
  ignored?: Parameters<typeof compareSnapshots>[2],
) {
  return compareSnapshots(await read(one), await read(other), ignored)
}

/** The differences as lines: resource, change, field, old and new value. */
async function linesOf(...worlds: Parameters<typeof compare>): Promise<unknown[][]> {
  const { data } = await compare(...worlds)
  return data.map((each) => [each.resource, each.change, each.field, each.old, each.new])
}

const SIZE = { length_mm: 300, width_mm: 200, height_mm: 100 }

const addParcel = (world: TestSandbox, reference: string | undefined, over: Record<string, unknown> = {}) =>
  world.ok('create_shipment', makeParcel({ reference, ...over }), { as: 'shipper', key: newKey() })

/** Sends two parcels, orders food, requests a ride and opens an account: the script of a test. */
async function act(world: TestSandbox): Promise<void> {
  await addParcel(world, 'A-1')
  await addParcel(world, undefined)
  const { quote_id } = await world.ok('quote_food_order', await makePickup(world))
  await world.ok('place_food_order', { quote_id, payment: CARD }, { key: newKey(), scenario: 'store_manual' })
  await requestTestRide(world)
  await callTestControl(world, 'add_account', { handle: 'passing', name: 'Passing Ltd' })
}

test('two runs of one script are the same on other seeds and engines, whatever the ids are', async () => {
  const [one, other] = [
    await openTestSandbox({ seed: SEEDS[0] }),
    await openTestSandbox({ seed: SEEDS[1], engine: ENGINES[1] ?? ENGINES[0] }),
  ]
  await act(one)
  await act(other)
  const compared = await compare(one, other)
  expect(compared.data).toEqual([])
  expect(compared.same).toBe(true)
  expect(compared.kinds.find(({ kind }) => kind === 'parcel')).toEqual({
    kind: 'parcel',
    old: 2,
    new: 2,
    changed: 0,
    added: 0,
    removed: 0,
  })
})

test('the times at which an item is sold are compared as the text that they are stored as', async () => {
  const [one, other] = [await openTestSandbox({ seed: SEEDS[0] }), await openTestSandbox({ seed: SEEDS[1] })]
  const { data } = await other.ok('list_catalog_items', { limit: 1 })
  const item_id = String(data[0]?.item_id)
  const spans = [{ day: 'mon', opens: '11:00', closes: '15:00' }] as const
  await other.ok('set_item_schedule', { item_id, spans: [...spans] })
  expect(await linesOf(one, other)).toContainEqual([
    expect.any(String),
    'changed',
    'schedule',
    null,
    expect.stringMatching(/^\d+-\d+$/),
  ])
})

test('resources that are made first, or in another order, are no change of the others', async () => {
  const [one, other] = [await openTestSandbox({ seed: SEEDS[0] }), await openTestSandbox({ seed: SEEDS[0] })]
  for (const reference of ['A-1', 'A-2', 'A-3']) await addParcel(one, reference)
  for (const reference of ['first', 'A-3', 'A-2', 'A-1']) await addParcel(other, reference)
  expect(await linesOf(one, other)).toEqual([
    ['parcel first of carrier agreement Thames Books', 'added', null, null, null],
  ])
  expect(await linesOf(other, one)).toEqual([
    ['parcel first of carrier agreement Thames Books', 'removed', null, null, null],
  ])
})

test('a difference names the field and both values, and an id reads as the resource that it names', async () => {
  const [one, other] = [await openTestSandbox({ seed: SEEDS[0] }), await openTestSandbox({ seed: SEEDS[1] })]
  const odd = 'A "$&" \\ 1'
  await addParcel(one, odd)
  await addParcel(other, odd, { service_level: 'two_day' })
  const item = (await findStore(other)).item('Summer Rolls')
  await other.ok(
    'set_catalog_item_availability',
    { item_id: item.item_id, available: false },
    { as: 'owner', key: newKey() },
  )
  const lines = await linesOf(one, other)
  const parcel = `parcel ${odd} of carrier agreement Thames Books`
  expect(lines).toContainEqual([parcel, 'changed', 'service_level', 'next_day', 'two_day'])
  expect(lines).toContainEqual([
    'item Summer Rolls of store Lime Street Noodles',
    'changed',
    'available',
    1,
    0,
  ])
  // The store's menu has another version.
  expect(new Set(lines.map(([resource]) => resource))).toEqual(
    new Set([parcel, 'item Summer Rolls of store Lime Street Noodles', 'store Lime Street Noodles']),
  )
})

test('an item with another name, and a parcel with another reference, are paired as people would', async () => {
  const [one, other] = [await openTestSandbox({ seed: SEEDS[0] }), await openTestSandbox({ seed: SEEDS[0] })]
  const { item_id } = (await findStore(other)).item('Summer Rolls')
  await other.ok('update_catalog_item', { item_id, name: 'Winter Rolls' }, { as: 'owner', key: newKey() })
  await addParcel(one, 'A-1')
  await addParcel(other, 'B-1')
  const lines = await linesOf(one, other)
  expect(lines).toContainEqual([
    'item Summer Rolls of store Lime Street Noodles',
    'changed',
    'name',
    'Summer Rolls',
    'Winter Rolls',
  ])
  // Both have the same number: the first one of their world.
  expect(lines.filter(([resource]) => String(resource).startsWith('parcel'))).toEqual([
    ['parcel A-1 of carrier agreement Thames Books', 'removed', null, null, null],
    ['parcel B-1 of carrier agreement Thames Books', 'added', null, null, null],
  ])
})

test('an order at another store, and its money, are told by the names of the stores', async () => {
  const at = Date.parse('2026-11-20T12:30:00Z')
  const [one, other] = [
    await openTestSandbox({ seed: SEEDS[0], at }),
    await openTestSandbox({ seed: SEEDS[1], at }),
  ]
  for (const [world, name] of [
    [one, 'Lime Street Noodles'],
    [other, 'Kettle & Cumin'],
  ] as const) {
    const { merchant_id, items } = await findStore(world, name)
    const basket = await makeBasket(world, {
      merchant_id,
      items: items.slice(0, 1).map((item) => makeBasketLine(item, 3)),
    })
    const { quote_id } = await world.ok('quote_food_order', basket)
    await world.ok(
      'place_food_order',
      { quote_id, payment: CARD },
      { key: newKey(), scenario: 'store_manual' },
    )
  }
  const lines = await linesOf(one, other)
  const order = 'order 1 of account everything'
  expect(lines).toContainEqual([
    order,
    'changed',
    'merchant_id',
    'store Lime Street Noodles',
    'store Kettle & Cumin',
  ])
  const paid = lines.find(([resource, , field]) => resource === `payment of ${order}` && field === 'amount')
  expect(paid?.slice(3)).toEqual([expect.any(Number), expect.any(Number)])
  const entry = `ledger entry capture card:account everything of ${order}`
  expect(lines.find(([resource]) => resource === entry)).toEqual([
    entry,
    'changed',
    'amount',
    -Number(paid?.[3]),
    -Number(paid?.[4]),
  ])
})

test('of two equal parcels, the one that goes on is told, whichever it is', async () => {
  const [one, other] = [await openTestSandbox({ seed: SEEDS[0] }), await openTestSandbox({ seed: SEEDS[0] })]
  for (const _ of [1, 2]) await addParcel(one, undefined)
  const { tracking_number } = await addParcel(other, undefined)
  await addParcel(other, undefined)
  await callTestControl(other, 'scan_shipment', { tracking_number, code: 'collected' })
  const { kinds, data } = await compare(one, other)
  expect(kinds.find(({ kind }) => kind === 'parcel')).toMatchObject({ changed: 1, added: 0, removed: 0 })
  expect(kinds.find(({ kind }) => kind === 'scan')).toMatchObject({ changed: 0, added: 1, removed: 0 })
  expect(data[0]).toMatchObject({ kind: 'parcel', old_id: tracking_number, new_id: tracking_number })
})

test('equal parcels of several hours are paired by their time, or else in their order', async () => {
  const hours = async (...at: number[]) => {
    const world = await openTestSandbox({ seed: SEEDS[0] })
    for (const hour of at) {
      await world.advanceTo(`2026-11-20T${hour}:00:00Z`)
      await addParcel(world, undefined)
    }
    await world.advanceTo('2026-11-20T14:00:00Z')
    return world
  }
  const created = async (one: TestSandbox, other: TestSandbox) =>
    (await linesOf(one, other))
      .filter(
        ([resource, , field]) =>
          String(resource).startsWith('parcel') && (field ?? 'created_at') === 'created_at',
      )
      .map(([resource, change, , old, now]) => [resource, change, old, now])
  const parcel = (number: number) => `parcel ${number} of carrier agreement Thames Books`
  const two = await hours(10, 11)
  expect(await created(two, await hours(11))).toEqual([[parcel(1), 'removed', null, null]])
  expect(await created(two, await hours(12, 13))).toEqual([
    [parcel(1), 'changed', '2026-11-20T10:00:00.000Z', '2026-11-20T12:00:00.000Z'],
    [parcel(2), 'changed', '2026-11-20T11:00:00.000Z', '2026-11-20T13:00:00.000Z'],
  ])
})

test('worlds of two days differ only in times, and fields that are ignored do not count', async () => {
  const [one, other] = [
    await openTestSandbox({ seed: SEEDS[0] }),
    await openTestSandbox({ seed: SEEDS[0], at: Date.parse('2026-11-27T09:00:00Z') }),
  ]
  const sizes = [1000, 2000].map((weight_grams) => ({ parcel: { ...SIZE, weight_grams } }))
  await addParcel(other, undefined)
  for (const world of [one, other]) {
    await addParcel(world, 'A-1')
    for (const size of sizes) await addParcel(world, undefined, size)
  }
  const { data } = await compare(one, other, differsInTime)
  expect(new Set(data.map(({ field }) => field))).toEqual(new Set([null, 'membership_anchor', 'stock_day']))
  expect(data.filter(({ kind }) => kind === 'parcel')).toMatchObject([
    { change: 'added', resource: 'parcel 3 of carrier agreement Thames Books' },
  ])
  expect((await compare(one, other)).data).toContainEqual(
    expect.objectContaining({
      resource: 'parcel A-1 of carrier agreement Thames Books',
      field: 'created_at',
      old: '2026-11-20T09:00:00.000Z',
      new: '2026-11-27T09:00:00.000Z',
    }),
  )
  const changed = await compare(one, other, () => true)
  expect(changed.data.map(({ change }) => change)).toEqual(['added'])
})

test('an order with one line more differs by the members of that line, from either side', async () => {
  const [one, other] = [await openTestSandbox({ seed: SEEDS[0] }), await openTestSandbox({ seed: SEEDS[0] })]
  for (const [world, count] of [
    [one, 1],
    [other, 2],
  ] as const) {
    const { merchant_id, items } = await findStore(world)
    const basket = await makePickup(world, {
      merchant_id,
      items: items.slice(0, count).map((item) => makeBasketLine(item)),
    })
    const { quote_id } = await world.ok('quote_food_order', basket)
    await world.ok(
      'place_food_order',
      { quote_id, payment: CARD },
      { key: newKey(), scenario: 'store_manual' },
    )
  }
  const order = 'order 1 of account everything'
  const changesOf = async (...worlds: [TestSandbox, TestSandbox]) =>
    (await linesOf(...worlds)).filter(
      ([resource, , field]) => resource === order && String(field).startsWith('lines[1]'),
    )
  const { name } = (await findStore(one)).items[1] ?? {}
  expect(await changesOf(one, other)).toContainEqual([
    order,
    'changed',
    'lines[1]',
    null,
    expect.objectContaining({ name }),
  ])
  expect(await changesOf(other, one)).toContainEqual([
    order,
    'changed',
    'lines[1]',
    expect.objectContaining({ name }),
    null,
  ])
})

test('a row whose changes are all ignored is not counted as changed', async () => {
  const [one, other] = [await openTestSandbox({ seed: SEEDS[0] }), await openTestSandbox({ seed: SEEDS[0] })]
  await addParcel(one, 'A-1')
  await addParcel(other, 'A-1', { customer: 'Green Cup' })
  await addParcel(one, 'A-2')
  await addParcel(other, 'A-2', { service_level: 'two_day' })
  const countOf = ({ kinds }: Awaited<ReturnType<typeof compare>>) =>
    kinds.find(({ kind }) => kind === 'parcel')
  expect(countOf(await compare(one, other))).toMatchObject({ old: 2, new: 2, changed: 2 })
  const some = await compare(one, other, readIgnored(['customer'], false, '--ignore'))
  expect(countOf(some)).toMatchObject({ old: 2, new: 2, changed: 1 })
  expect(some.data.some(({ field }) => field === 'customer')).toBe(false)
  const none = await compare(one, other, () => true)
  expect([none.same, countOf(none)?.changed]).toEqual([true, 0])
})

test('every table of a snapshot is compared or left out on purpose, by columns that it has', () => {
  const compared = KINDS.map(({ table }) => table)
  const tables = listSnapshotTables()
  expect([...compared, ...NOT_COMPARED].toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
  const columnsOf = (table: string) =>
    tables.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? []
  const missing = KINDS.flatMap(({ table, name = [], owner }) =>
    [...name, ...(owner === undefined ? [] : [owner])]
      .map((path) => path.split('.')[0] ?? '')
      .filter((column) => !columnsOf(table).includes(column) || LEFT_OUT_COLUMNS.has(column)),
  )
  expect(missing).toEqual([])
})

test('a snapshot whose document is no JSON is refused by its name', async () => {
  const world = await openTestSandbox()
  await world.write((tx) => tx.run("update hubs set doc = '{' where sort = 1"))
  await expect(read(world)).rejects.toMatchObject({
    code: 'file_error',
    message: 'The snapshot saved cannot be compared: a document in it is not JSON.',
  })
})
