import { describe, expect, test } from 'vitest'
import {
  assertSlotFree,
  claimSlot,
  findAlternatives,
  isSlotStart,
  releaseSlots,
  type SlotWish,
} from '../../../../src/areas/orders/lifecycle/slots.ts'
import { AppError } from '../../../../src/core/errors.ts'
import { lockWorld } from '../../../../src/db/world.ts'
import { changeStore, findStore } from '../../../support/food.ts'
import { fc } from '../../../support/properties.ts'
import { ENGINES } from '../../../support/stores.ts'
import { openServers, openTestSandbox, type TestSandbox } from '../../../support/world.ts'

const QUARTER = 900_000
const NOON = Date.parse('2026-11-20T12:00:00Z')

const pickup = (scheduled_for: number): SlotWish => ({
  fulfillment_type: 'pickup',
  table: null,
  scheduled_for,
})
const dineIn = (table_number: string, scheduled_for: number): SlotWish => ({
  fulfillment_type: 'dine_in',
  table: { table_number, party_size: null },
  scheduled_for,
})

async function open(engine = ENGINES[0], name?: string, slot_capacity = 2) {
  return limit(await openTestSandbox({ ...(engine && { engine }) }), slot_capacity, name)
}

/** Gives a store of a world a number of places in each slot. */
async function limit(world: TestSandbox, slot_capacity: number, name?: string) {
  const { merchant_id } = await findStore(world, name)
  await changeStore(world, merchant_id, { slot_capacity })
  return { world, store: await findStore(world, name) }
}

type WorldWithStore = Awaited<ReturnType<typeof open>>

/** Returns whether the order got its slot. */
async function claim({ world, store }: WorldWithStore, wish: SlotWish, orderId: string): Promise<boolean> {
  try {
    await world.write(async (tx, _, now) => {
      await lockWorld(tx)
      await claimSlot({ tx, at: now }, store, wish, orderId)
    })
    return true
  } catch (error) {
    if (error instanceof AppError && error.code === 'slot_unavailable') return false
    throw error
  }
}

const units = ({ db }: TestSandbox) =>
  db.read(async (tx) =>
    (await tx.all('select unit, order_id from slot_claims order by unit')).map(
      (row) => `${String(row['unit'])} ${String(row['order_id'])}`,
    ),
  )

describe.each(ENGINES)('on $name', (engine) => {
  test('a kitchen takes as many orders in a quarter of an hour as it can', async () => {
    const opened = await open(engine)
    expect(await claim(opened, pickup(NOON), 'ord_1')).toBe(true)
    expect(await claim(opened, pickup(NOON), 'ord_2')).toBe(true)
    expect(await claim(opened, pickup(NOON), 'ord_3')).toBe(false)
    expect(await claim(opened, pickup(NOON + QUARTER), 'ord_3')).toBe(true)
    expect(await units(opened.world)).toEqual(['kitchen:1 ord_1', 'kitchen:1 ord_3', 'kitchen:2 ord_2'])
  })

  test('a released unit is free again, and a second release does no harm', async () => {
    const opened = await open(engine)
    for (const order of ['ord_1', 'ord_2']) await claim(opened, pickup(NOON), order)
    for (const _ of [1, 2]) await opened.world.write((tx) => releaseSlots(tx, 'ord_1'))
    expect(await claim(opened, pickup(NOON), 'ord_3')).toBe(true)
    expect(await units(opened.world)).toEqual(['kitchen:1 ord_3', 'kitchen:2 ord_2'])
  })

  test('a table takes one party, whatever the kitchen’s capacity is', async () => {
    const opened = await open(engine, 'Forno Santa Rosa', 1)
    expect(await claim(opened, pickup(NOON), 'ord_1')).toBe(true)
    expect(await claim(opened, dineIn('4', NOON), 'ord_2')).toBe(true)
    expect(await claim(opened, dineIn('4', NOON), 'ord_3')).toBe(false)
    expect(await claim(opened, dineIn('5', NOON), 'ord_3')).toBe(true)
  })

  test('a read reserves nothing', async () => {
    const { world, store } = await open(engine)
    await world.db.read((tx) => assertSlotFree(tx, store, NOON - 1, pickup(NOON)))
    expect(await units(world)).toEqual([])
  })
})

describe('the alternatives', () => {
  test('leave out full slots and slots that have begun', async () => {
    const opened = await open(ENGINES[0], undefined, 1)
    for (const [index, at] of [NOON, NOON + QUARTER, NOON + 3 * QUARTER].entries())
      await claim(opened, pickup(at), `ord_${index}`)
    const free = await opened.world.db.read((tx) =>
      findAlternatives(tx, opened.store, NOON + 1, pickup(NOON - QUARTER)),
    )
    expect(free).toEqual([NOON + 2 * QUARTER, NOON + 4 * QUARTER, NOON + 5 * QUARTER])
  })

  test('are in the evening of the wish before those of the next day', async () => {
    const { world, store } = await open(ENGINES[0], 'Quán Sen')
    const late = (at: string) =>
      world.db.read(async (tx) => {
        const free = await findAlternatives(tx, store, NOON, pickup(Date.parse(at)))
        return free.map((each) => new Date(each).toISOString().slice(8, 16))
      })
    const evening = await late('2026-11-20T23:45:00Z')
    expect(evening).toEqual(['20T21:45', '20T22:00', '20T22:15'])
    // One is after the wish.
    expect(await late('2026-11-20T22:00:00Z')).toEqual(['20T21:30', '20T21:45', '20T22:15'])
    // A wish by night means the evening before.
    expect(await late('2026-11-21T02:00:00Z')).toEqual(evening)
  })

  test('goes on with the next opening, at a full quarter', async () => {
    const { world, store } = await open(ENGINES[0], 'Quán Sen')
    const free = await world.db.read((tx) =>
      findAlternatives(tx, store, NOON, pickup(Date.parse('2026-11-20T14:30:00Z'))),
    )
    expect(free.map((at) => new Date(at).toISOString())).toEqual([
      '2026-11-20T14:45:00.000Z',
      '2026-11-20T17:30:00.000Z',
      '2026-11-20T17:45:00.000Z',
    ])
  })

  test('ends a week ahead, and where a store never opens', async () => {
    const { world, store } = await open()
    const week = NOON + 7 * 24 * 4 * QUARTER
    const last = await world.db.read((tx) => findAlternatives(tx, store, NOON, pickup(week - 2 * QUARTER)))
    expect(last).toEqual([week - 3 * QUARTER, week - QUARTER, week])
    const never = await world.db.read((tx) =>
      findAlternatives(tx, { ...store, week: '' }, NOON, pickup(NOON)),
    )
    expect(never).toEqual([])
  })
})

test('capacity is never exceeded, and every free unit can be reserved', async () => {
  const steps = fc.array(
    fc.record({
      order: fc.nat(9),
      at: fc.nat(2),
      release: fc.boolean(),
      table: fc.option(fc.constantFrom('1', '2')),
    }),
    { maxLength: 30 },
  )
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (all, capacity) => {
      const opened = await open(ENGINES[0], 'Forno Santa Rosa', capacity)
      const held = new Map<string, string>()
      for (const [index, { order, at, release, table }] of all.entries()) {
        const startsAt = NOON + at * QUARTER
        if (release) {
          const id = [...held.keys()][order]
          if (id === undefined) continue
          await opened.world.write((tx) => releaseSlots(tx, id))
          held.delete(id)
          continue
        }
        const kind = `${startsAt} ${table ?? 'kitchen'}`
        const taken = [...held.values()].filter((each) => each === kind).length
        const wish = table === null ? pickup(startsAt) : dineIn(table, startsAt)
        const got = await claim(opened, wish, `ord_${index}`)
        expect(got).toBe(taken < (table === null ? capacity : 1))
        if (got) held.set(`ord_${index}`, kind)
      }
      expect(await units(opened.world)).toHaveLength(held.size)
    }),
    { numRuns: 15 },
  )
})

test('a slot starts at a full quarter of an hour', () => {
  expect(isSlotStart(NOON)).toBe(true)
  expect(isSlotStart(NOON + 1)).toBe(false)
})

test('32 connections that want the last places get as many as there are', async () => {
  const worlds = await openServers(32)
  const [world] = worlds
  const { store } = await limit(world, 5)
  const won = await Promise.all(
    worlds.map((each, index) => claim({ world: each, store }, pickup(NOON), `ord_${index}`)),
  )
  expect(won.filter(Boolean)).toHaveLength(5)
  expect(await units(world)).toHaveLength(5)
})
