/** Responses get lost after the service has carried out the call, and copies of a call race each other. */
import { describe, expect, test } from 'vitest'
import { load, NAMES } from '../../src/generated/registry.ts'
import { makeConfirm, placeCustomerOrder, unique } from '../support/baskets.ts'
import { limit, recordTally, iterations } from '../support/battery.ts'
import { callTestControl } from '../support/control.ts'
import { quoteRun, requestOf } from '../support/deliveries.ts'
import { type ProxiedResponse, type ProxyFault, startFaultProxy } from '../support/fault-proxy.ts'
import { raw } from '../support/faults.ts'
import { CARD } from '../support/food.ts'
import { checkInvariants } from '../support/invariants.ts'
import { makeParcel } from '../support/parcel.ts'
import { openTestRemote } from '../support/remote-client.ts'
import { quoteTestRide } from '../support/rides.ts'
import { serveStore } from '../support/served.ts'
import { ENGINES } from '../support/stores.ts'
import { quoteTestTask } from '../support/tasks.ts'
import { type TestSandbox, sandboxOverStore } from '../support/world.ts'

const CALLS = iterations(200, 1000)
const COPIES = 3
const PATIENCE_MS = limit(60_000, 600_000)
const AT_ONCE = 8
/** After so many losses of one key its responses arrive: the client's endurance is not under test. */
const MAX_LOSSES_PER_KEY = 12

type Input = Record<string, unknown>

/** The operations called in turn: an input, made again each time, and the rows that they create. */
const KINDS: Readonly<Record<string, { make(world: TestSandbox): Promise<Input>; rows: string }>> = {
  create_shipment: {
    make: async () => makeParcel({ reference: unique('lost') }),
    rows: 'select count(*) as n from shipments',
  },
  place_food_order: {
    make: (world) => makeConfirm(world),
    rows: 'select count(*) as n from orders',
  },
  accept_business_order: {
    make: async (world) => ({ order_id: (await placeCustomerOrder(world)).order_id }),
    rows: `select count(*) as n from orders where status = 'accepted'`,
  },
  create_catalog_item: {
    make: async () => ({
      name: unique('Dish'),
      category: 'Tests',
      price: { amount: 500, currency: 'GBP' },
    }),
    rows: 'select count(*) as n from catalog_items',
  },
  request_delivery: {
    make: async (world) => requestOf((await quoteRun(world, { as: 'everything' })).quote_id),
    rows: 'select count(*) as n from deliveries',
  },
  request_ride: {
    make: async (world) => ({
      quote_id: (await quoteTestRide(world)).quote_id,
      tier: 'economy',
      payment: CARD,
    }),
    rows: 'select count(*) as n from rides',
  },
  create_task: {
    make: async (world) => ({
      quote_id: (await quoteTestTask(world, {}, 'everything')).quote_id,
      payment: CARD,
    }),
    rows: 'select count(*) as n from tasks',
  },
  cancel_shipment: {
    make: async (world) => ({
      tracking_number: (await world.ok('create_shipment', makeParcel())).tracking_number,
    }),
    rows: `select count(*) as n from shipments where status = 'cancelled'`,
  },
}

/** Returns true for three of ten, the same ones in every run. */
function isLost(key: string, nth: number): boolean {
  let state = nth * 7919 + 17
  for (const letter of key) state = Math.imul(state ^ letter.charCodeAt(0), 0x9e3779b1) >>> 0
  return nth < MAX_LOSSES_PER_KEY && state % 10 < 3
}

/** Loses responses, and stores the service's response for each key. */
function makeStorm() {
  const asked = new Map<string, number>()
  const answers = new Map<string, ProxiedResponse[]>()
  let losses = 0
  const storm: ProxyFault = async ({ asked: { headers }, forward, pass, response }) => {
    const key = String(headers['idempotency-key'])
    const nth = asked.get(key) ?? 0
    asked.set(key, nth + 1)
    const answered = await forward()
    answers.set(key, [...(answers.get(key) ?? []), answered])
    if (!isLost(key, nth)) return pass(answered)
    losses += 1
    raw(response).resetAndDestroy()
  }
  return { storm, answers, losses: () => losses }
}

async function countRows(world: TestSandbox): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  await world.db.read(async (tx) => {
    for (const [name, { rows }] of Object.entries(KINDS)) counts[name] = Number((await tx.get(rows))?.['n'])
  })
  return counts
}

describe.each(iterations(ENGINES.slice(0, 1), ENGINES))('on $name', (engine) => {
  test(
    `${CALLS} calls in ${COPIES} copies each, three of ten answers lost: one effect and one answer a key`,
    async () => {
      const served = await serveStore({ registry: { NAMES, load }, engine })
      const world = sandboxOverStore(served.db)
      // Some hundred calls need more workers than the world has.
      await callTestControl(world, 'set_supply', { supply: 'unlimited' })
      const names = Object.keys(KINDS)
      const calls: { operation: string; input: Input; idempotencyKey: string }[] = []
      for (let made = 0; made < CALLS; made++) {
        const operation = names[made % names.length] ?? ''
        const input = (await KINDS[operation]?.make(world)) ?? {}
        calls.push({ operation, input, idempotencyKey: `storm-${made}` })
      }
      const before = await countRows(world)

      const proxy = await startFaultProxy(served.url)
      const { storm, answers, losses } = makeStorm()
      proxy.choose(() => storm)
      const { client } = await openTestRemote(proxy.url, {
        target: { token: await served.token('everything') },
      })
      const told = new Map<string, unknown[]>()
      const waiting = calls.values()
      const work = async (): Promise<void> => {
        for (const { operation, input, idempotencyKey } of waiting) {
          const copies = Array.from({ length: COPIES }, () =>
            client.call(operation, input, { idempotencyKey }),
          )
          told.set(
            idempotencyKey,
            (await Promise.all(copies)).map(({ value }) => value),
          )
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))

      const after = await countRows(world)
      const effects = Object.fromEntries(
        names.map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]),
      )
      const keys = Object.fromEntries(
        names.map((name) => [name, calls.filter(({ operation }) => operation === name).length]),
      )
      const more = names.map((name) => (effects[name] ?? 0) - (keys[name] ?? 0))
      recordTally({
        tries: CALLS * COPIES,
        lost: more.reduce((all, each) => all + Math.max(0, -each), 0),
        doubled: more.reduce((all, each) => all + Math.max(0, each), 0),
      })
      expect(effects).toEqual(keys)
      expect(losses()).toBeGreaterThan(CALLS / 2)
      for (const [key, values] of told) {
        const [first] = values
        expect(values, key).toEqual(Array.from({ length: COPIES }, () => first))
        const given = (answers.get(key) ?? []).filter(({ status }) => status < 300)
        expect(new Set(given.map(({ status, body }) => `${status} ${body.toString()}`)).size, key).toBe(1)
        expect(
          given.filter(({ headers }) => headers['idempotent-replayed'] !== 'true'),
          key,
        ).toHaveLength(1)
      }
      expect(served.bugs).toEqual([])
      expect(await checkInvariants(served.db)).toEqual([])
    },
    PATIENCE_MS,
  )
})
