/** A call has the same result in process, over HTTP and from the command line. */
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AnyOperation } from '../../src/core/operation.ts'
import { listSteps } from '../../src/generate/examples.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { callTestControl } from '../support/control.ts'
import { runInline } from '../support/inline.ts'
import { makeParcel } from '../support/parcel.ts'
import { plainRequest } from '../support/plain-request.ts'
import { NOON_MS, type ServedStore, serveStore } from '../support/served.ts'
import { makeTempFolder } from '../support/stores.ts'
import { openTestSandbox, type TestSandbox, sandboxOverStore } from '../support/world.ts'

const SEED = '1'
const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))

type Input = Record<string, unknown>
type Result = { status: number; body: unknown }
/** Only calls that take a key have one. */
type CarriedWith = { key?: string | undefined; scenario?: string | undefined }
/** Makes calls. */
type Carrier = {
  call(operation: string, input: Input, options: CarriedWith): Promise<Result>
  /** Advances the clock of the store. */
  advance(by: string): Promise<void>
}
type Transport = { name: string; open(): Promise<Carrier> }
type CompletedCall = [operation: string, result: Result]

const STEPS = listSteps(operations)
const DISH = { name: 'Soup of the day', category: 'Soups', price: { amount: 650, currency: 'GBP' } }
const NOBODYS = { order_id: 'ord_01m7vkystgfp1b10jk5dh9yvxy' }

/** Calls that are rejected, or say what no example says, and their status. */
const ODD: [operation: string, input: Input, status: number][] = [
  ['create_shipment', makeParcel({ reference: 'AGAIN' }), 201],
  ['create_shipment', makeParcel({ reference: 'AGAIN' }), 409],
  ['create_shipment', makeParcel({}, { country_code: 'FR', postal_code: '75001' }), 422],
  ['create_shipment', makeParcel({ service_level: 'tomorrow', surprise: true }), 400],
  ['create_shipments_batch', { shipments: [] }, 400],
  ['get_shipment', { tracking_number: 'ZC473124829GB' }, 404],
  ['get_shipment', { tracking_number: 'nonsense' }, 400],
  ['list_shipments', { status: ['pre_transit', 'cancelled'], created_from: '2026-11-20', limit: 1 }, 200],
  ['list_shipments', { limit: 101 }, 400],
  ['check_coverage', {}, 400],
  ['search_restaurants', { latitude: 51.5258, longitude: -0.1093, q: 'forno' }, 200],
  ['search_restaurants', { latitude: 91, longitude: 0 }, 400],
  ['get_food_order', NOBODYS, 404],
  ['accept_business_order', NOBODYS, 404],
  ['import_catalog_items', { items: [DISH, DISH, { name: 'Nothing' }] }, 200],
  ['create_catalog_item', { ...DISH, name: 'soup of the DAY' }, 409],
  ['list_food_orders', { status: ['cancelled'], limit: 1 }, 200],
  ['list_rides', { status: ['processing', 'accepted'], limit: 1 }, 200],
]

/** Operations that reject their example when it is called again. */
const ONCE = Object.entries({
  place_food_order: 409,
  request_ride: 409,
  cancel_ride: 409,
  request_delivery: 409,
  book_service: 409,
  create_task: 409,
  cancel_task: 409,
  cancel_food_order: 409,
  reject_business_order: 409,
  delete_catalog_item: 404,
})

/** Makes all calls and returns the status that each should have. */
async function makeAllCalls({ call, advance }: Carrier): Promise<number[]> {
  const expected: number[] = []
  const done: Record<string, unknown> = {}
  const inputs: Record<string, Input> = {}
  const make = async (
    status: number,
    name: string,
    input: Input,
    { key, scenario }: { key: string; scenario?: string | undefined },
  ): Promise<Input> => {
    expected.push(status)
    const keyed = operations.find((each) => each.name === name)?.idempotency !== 'none'
    return (await call(name, input, { key: keyed ? key : undefined, scenario })).body as Input
  }
  for (const { operation, name, advances, scenario, input } of STEPS) {
    for (const by of advances) await advance(by)
    inputs[name] = input(done)
    done[name] = await make(operation.status, operation.name, inputs[name], { key: name, scenario })
  }
  for (const [name, status] of ONCE) await make(status, name, inputs[name] ?? {}, { key: `${name}-again` })
  for (const [index, [name, input, status]] of ODD.entries())
    await make(status, name, input, { key: `odd-${index}` })
  // The item of the example is off sale by now; an order of another one by wallet is refunded.
  const basket = inputs['quote_food_order'] ?? {}
  await make(409, 'quote_food_order', basket, { key: '' })
  const { data } = await make(200, 'list_catalog_items', { category: 'Soups', available: true }, { key: '' })
  const [{ item_id }] = data as [{ item_id: string }]
  const { quote_id } = await make(
    200,
    'quote_food_order',
    { ...basket, items: [{ item_id, quantity: 3 }] },
    { key: '' },
  )
  const wallet = { quote_id, payment: { method: 'wallet' } }
  const { order_id } = await make(201, 'place_food_order', wallet, { key: 'wallet' })
  await make(200, 'cancel_food_order', { order_id }, { key: 'refund' })
  return expected
}

const inProcess: Transport = {
  name: 'in process',
  async open() {
    const world = await openTestSandbox({ seed: SEED, at: NOON_MS })
    return {
      advance: (by) => advance(world, by),
      async call(operation, input, { key, scenario }) {
        const given = { ...(key !== undefined && { key }), ...(scenario !== undefined && { scenario }) }
        const { status, body } = await world.call(operation, input, given)
        return { status, body: neutral(body) }
      },
    }
  },
}

const overHttp: Transport = {
  name: 'over HTTP',
  async open() {
    const { served, token } = await serve()
    const call: Carrier['call'] = async (name, input, { key, scenario }) => {
      const operation = operations.find((each) => each.name === name)
      if (operation === undefined) throw new Error(`no operation ${name}`)
      const { target, body } = plainRequest(operation, input)
      const answer = await fetch(served.url + target, {
        method: operation.method,
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          ...(key !== undefined && { 'Idempotency-Key': key }),
          ...(scenario !== undefined && { 'Sandbox-Scenario': scenario }),
        },
        ...(body !== undefined && { body }),
      })
      return { status: answer.status, body: neutral(await answer.json()) }
    }
    return { call, advance: (by) => advance(sandboxOverStore(served.db), by) }
  },
}

const onCommand: Transport = {
  name: 'on the command line',
  async open() {
    const home = await makeTempFolder()
    const env = { DRAY_HOME: join(home, 'dray'), DRAY_SEED: SEED, DRAY_NOW: new Date(NOON_MS).toISOString() }
    return {
      call: dray(env),
      async advance(by) {
        expect(await runInline(['sandbox', 'clock', 'advance', by], { env })).toMatchObject({
          exitCode: 0,
        })
      },
    }
  },
}

const onCommandElsewhere: Transport = {
  name: 'on the command line, over HTTP',
  async open() {
    const { served, token } = await serve()
    const home = await makeTempFolder()
    return {
      call: dray({ DRAY_HOME: join(home, 'dray'), DRAY_BASE_URL: served.url, DRAY_TOKEN: token }),
      advance: (by) => advance(sandboxOverStore(served.db), by),
    }
  },
}

async function advance(world: TestSandbox, by: string): Promise<void> {
  await callTestControl(world, 'advance_clock', { by })
}

async function serve(): Promise<{ served: ServedStore; token: string }> {
  const registry = await import('../../src/generated/registry.ts')
  const served = await serveStore({ registry })
  return { served, token: await served.token('everything', { expiresAt: NOON_MS + 7 * 86_400_000 }) }
}

/** Operations without a quote, for which `--yes` needs `--max-total`. */
const INVOICED = new Set(operations.filter(({ spends }) => spends?.how === 'invoice').map(({ name }) => name))

/** Runs `dray api` with the whole input as JSON. */
function dray(env: Record<string, string>): Carrier['call'] {
  return async (operation, input, { key, scenario }) => {
    const { pathParameters = [], status: success = 200 } =
      operations.find(({ name }) => name === operation) ?? {}
    const [named] = pathParameters.map((member) => String(input[member]))
    const words = [
      'api',
      operation,
      '--input',
      '-',
      '--json',
      '--yes',
      ...(INVOICED.has(operation) ? ['--max-total', '1000'] : []),
      ...(key === undefined ? [] : ['--idempotency-key', key]),
      ...(scenario === undefined ? [] : ['--scenario', scenario]),
      ...(named === undefined ? [] : ['--confirm', named]),
    ]
    const ran = await runInline(words, { env, input: JSON.stringify(input) })
    const { exit_code: exit, ...body } = ran.json<Record<string, unknown>>()
    expect(ran.exitCode, ran.stderr).toBe(exit ?? 0)
    return { status: exit === undefined ? success : Number(body['status']), body: neutral(body) }
  }
}

/** Returns a failure without fields that differ in every request. */
function neutral(body: unknown): unknown {
  const {
    request_id: _request,
    instance: _instance,
    next_cursor: cursor,
    // The secrets of webhooks are made with the key of the store.
    secret: _secret,
    ...rest
  } = body as Record<string, unknown>
  const same = { ...rest, ...(cursor !== undefined && { next_cursor: typeof cursor }) }
  // The history of an item says by which door each change came.
  // Positions of events hold the life of the store.
  return JSON.parse(
    JSON.stringify(same)
      .replaceAll(/"via":"\w+"/g, '"via":"a door"')
      .replaceAll(/"[0-9a-f]{12}-\d+"/g, '"a position"'),
  )
}

describe('the same calls on stores that are alike', () => {
  let expected: CompletedCall[]
  let statuses: number[]

  /** Makes every call; returns each with its result, and the statuses that they should have. */
  async function carryOut({ open }: Transport): Promise<[CompletedCall[], number[]]> {
    const { call, advance } = await open()
    const results: CompletedCall[] = []
    const told = await makeAllCalls({
      advance,
      async call(operation, input, options) {
        const result = await call(operation, input, options)
        results.push([operation, result])
        return result
      },
    })
    return [results, told]
  }

  beforeAll(async () => {
    ;[expected, statuses] = await carryOut(inProcess)
  })

  test('go as they should, every operation among them', () => {
    expect(expected.map(([name, { status }]) => `${name} ${status}`)).toEqual(
      expected.map(([name], index) => `${name} ${statuses[index]}`),
    )
    const called = new Set(expected.map(([name]) => name))
    expect(operations.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([])
  })

  test.each([overHttp, onCommand, onCommandElsewhere])('have the same results $name', async (transport) => {
    const [results] = await carryOut(transport)
    expect(results).toHaveLength(expected.length)
    for (const [index, result] of results.entries()) expect(result, result[0]).toEqual(expected[index])
  })
})
