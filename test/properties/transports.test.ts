/** P17: a call has the same result in process, over HTTP and from the command line. */
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/areas/index.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { caseFaults } from '../support/cases.ts'
import { FROM, KEYS, requestOf, TO } from '../support/deliveries.ts'
import { exampleInput } from '../support/example-input.ts'
import { CARD } from '../support/food.ts'
import { makeParcel } from '../support/parcel.ts'
import { builtProgram, start } from '../support/program.ts'
import { BANK, KINGS_CROSS } from '../support/rides.ts'
import { NOON, type Served, serveStore } from '../support/served.ts'
import { CONTACT, HOME } from '../support/services.ts'
import { makeFolder } from '../support/stores.ts'
import { taskInput } from '../support/tasks.ts'
import { openWorld } from '../support/world.ts'

const SEED = '1'
const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))

/** The operation, its input, and the key of calls that have one. */
type Call = [operation: string, input: Record<string, unknown>, key?: string]
type Input = Record<string, unknown>
type Result = { status: number; body: unknown }
type Carrier = (...call: Call) => Promise<Result>
type Transport = { name: string; open(): Promise<Carrier> }

const examples = (area: string): Call[] =>
  operations
    .filter((operation) => operation.area === area)
    .map((operation) => [operation.name, exampleInput(operation)])
const DISH = { name: 'Soup of the day', category: 'Soups', price: { amount: 650, currency: 'GBP' } }
const NOBODYS = { order_id: 'ord_01m7vkystgfp1b10jk5dh9yvxy' }

type Done = [operation: string, result: Result]

/** Every operation with a valid input, and some with invalid ones, on stores with content. */
const CALLS: Call[] = [
  ['create_shipment', makeParcel({ reference: 'FIRST' })],
  ...examples('account'),
  ...examples('carrier'),
  ['create_shipment', makeParcel({ reference: 'AGAIN' })],
  ['create_shipment', makeParcel({ reference: 'AGAIN' })],
  ['create_shipment', makeParcel({}, { country_code: 'FR', postal_code: '75001' })],
  ['create_shipment', makeParcel({ service_level: 'tomorrow', surprise: true })],
  ['create_shipments_batch', { shipments: [] }],
  ['get_shipment', { tracking_number: 'ZC473124829GB' }],
  ['get_shipment', { tracking_number: 'nonsense' }],
  ['list_shipments', { status: ['pre_transit', 'cancelled'], created_from: '2026-11-20', limit: 1 }],
  ['list_shipments', { limit: 101 }],
  ['check_coverage', {}],
  ['search_restaurants', { latitude: 51.5258, longitude: -0.1093, q: 'forno' }],
  ['search_restaurants', { latitude: 91, longitude: 0 }],
  ['get_food_order', NOBODYS],
  ['accept_business_order', NOBODYS],
  ['import_catalog_items', { items: [DISH, DISH, { name: 'Nothing' }] }],
]

/** Makes calls that need earlier responses: an item that is created and deleted, and three orders. */
async function shop(call: Carrier): Promise<void> {
  const made = await call('create_catalog_item', { ...DISH, name: 'Ribollita', stock: 7 }, 'dish')
  const { item_id, merchant_id } = made.body as { item_id: string; merchant_id: string }
  await call('create_catalog_item', { ...DISH, name: 'ribollita' })
  await call('check_catalog_prices', { updates: [{ item_id, price: { amount: 70, currency: 'GBP' } }] })
  await call('update_catalog_item', { item_id, price: { amount: 700, currency: 'GBP' } })
  await call('list_catalog_items', { category: 'Soups', available: true })
  await call('get_catalog_item_history', { item_id })
  await call('get_restaurant_menu', { merchant_id, category: 'Soups' })
  const basket = { merchant_id, fulfillment_type: 'pickup', items: [{ item_id, quantity: 2 }] }
  const order = async (key: string, payment: Record<string, string>): Promise<string> => {
    const quoted = await call('quote_food_order', basket)
    const { quote_id } = quoted.body as { quote_id: string }
    const placed = await call('place_food_order', { quote_id, payment }, key)
    await call('place_food_order', { quote_id, payment }, `${key}-again`)
    return (placed.body as { order_id: string }).order_id
  }
  const order_id = await order('one', { method: 'card', payment_token: 'tok_ok' })
  await call('get_food_order', { order_id })
  await call('list_food_orders', { status: ['placed'], limit: 1 })
  await call('list_business_orders', { active: true })
  await call('accept_business_order', { order_id, prep_time_minutes: 5 })
  await call('start_business_order_prep', { order_id })
  await call('mark_business_order_ready', { order_id })
  await call('cancel_food_order', { order_id })
  await call('complete_business_order', { order_id })
  await call('get_business_order', { order_id })
  await call('cancel_food_order', { order_id: await order('two', { method: 'wallet' }) })
  const rejected = await order('three', { method: 'card', payment_token: 'tok_store' })
  await call('reject_business_order', { order_id: rejected, reason_code: 'too_busy' })
  await call('set_catalog_item_availability', { item_id, available: false })
  await call('quote_food_order', basket)
  await call('delete_catalog_item', { item_id })
  await call('delete_catalog_item', { item_id })
}

/** Quotes and confirms a ride, a delivery, a booking and a task, with one refusal each. */
async function move(call: Carrier): Promise<void> {
  const confirm = async (quote: string, name: string, job: Input, request: Input): Promise<Input> => {
    const { quote_id } = (await call(quote, job)).body as { quote_id: string }
    const { body } = await call(name, { payment: CARD, ...request, quote_id }, name)
    await call(name, { payment: CARD, ...request, quote_id }, `${name}-again`)
    return body as Input
  }
  await call('search_ride_options', { latitude: 51.5125, longitude: -0.0803, passengers: 2 })
  const way = { pickup: BANK, dropoff: KINGS_CROSS, passengers: 2 }
  const { ride_id } = await confirm('quote_ride', 'request_ride', way, { tier: 'economy' })
  await call('get_ride', { ride_id })
  await call('list_rides', { status: ['processing', 'accepted'], limit: 1 })
  await call('cancel_ride', { ride_id, reason_code: 'changed_plans' })
  await call('cancel_ride', { ride_id })
  const run = { pickup: FROM, dropoff: TO, parcel: KEYS }
  const { delivery_id } = await confirm('quote_delivery', 'request_delivery', run, requestOf(''))
  await call('get_delivery', { delivery_id })
  const near = { latitude: 51.5129, longitude: -0.0823, category: 'cleaning', date: '2026-11-21' }
  const found = (await call('search_service_providers', near)).body as { data: { provider_id: string }[] }
  const provider_id = found.data[0]?.provider_id
  const service_code = 'regular_clean'
  await call('get_provider_availability', { provider_id, date: '2026-11-21', service_code })
  const job = { provider_id, service_code, place: HOME }
  const { booking_id } = await confirm('quote_service', 'book_service', job, { contact: CONTACT })
  await call('get_service_booking', { booking_id })
  await call('list_task_types', { category: 'retail_audit' })
  const { task_id } = await confirm('quote_task', 'create_task', taskInput(), {})
  await call('get_task', { task_id })
  await call('get_task_evidence', { task_id, kind: 'photo' })
  await call('cancel_task', { task_id })
  await call('cancel_task', { task_id })
}

const inProcess: Transport = {
  name: 'in process',
  async open() {
    const world = await openWorld({ seed: SEED, at: NOON })
    return async (operation, input, key) => {
      const { status, body } = await world.call(operation, input, key === undefined ? {} : { key })
      return { status, body: neutral(body) }
    }
  },
}

const overHttp: Transport = {
  name: 'over HTTP',
  async open() {
    const { served, token } = await serve()
    return async (name, input, key) => {
      const operation = operations.find((each) => each.name === name)
      if (operation === undefined) throw new Error(`no operation ${name}`)
      const { method, pathParameters } = operation
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, member: string) =>
        encodeURIComponent(String(input[member])),
      )
      const rest = Object.entries(input).filter(([member]) => !pathParameters.includes(member))
      const query = new URLSearchParams(
        rest.flatMap(([member, value]) => [value].flat().map((one) => [member, String(one)])),
      )
      const answer = await fetch(
        method === 'GET' ? `${served.url}${path}?${query.toString()}` : served.url + path,
        {
          method,
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': 'application/json',
            ...(key !== undefined && { 'Idempotency-Key': key }),
          },
          ...(method !== 'GET' && { body: JSON.stringify(Object.fromEntries(rest)) }),
        },
      )
      return { status: answer.status, body: neutral(await answer.json()) }
    }
  },
}

const onCommand: Transport = {
  name: 'on the command line',
  async open() {
    const home = await makeFolder()
    return dray({ DRAY_HOME: join(home, 'dray'), DRAY_SEED: SEED, DRAY_NOW: new Date(NOON).toISOString() })
  },
}

const onCommandElsewhere: Transport = {
  name: 'on the command line, over HTTP',
  async open() {
    const { served, token } = await serve()
    const home = await makeFolder()
    return dray({ DRAY_HOME: join(home, 'dray'), DRAY_BASE_URL: served.url, DRAY_TOKEN: token })
  },
}

async function serve(): Promise<{ served: Served; token: string }> {
  const registry = await import('../../src/generated/registry.ts')
  const served = await serveStore({ registry })
  return { served, token: await served.token('everything') }
}

/** Operations without a quote, for which `--yes` needs `--max-total`. */
const INVOICED = new Set(operations.filter(({ spends }) => spends?.how === 'invoice').map(({ name }) => name))

/** Runs `dray api` with the whole input as JSON. */
function dray(env: Record<string, string>): Carrier {
  return async (operation, input, key) => {
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
      ...(named === undefined ? [] : ['--confirm', named]),
    ]
    const ran = await start(words, { env, input: JSON.stringify(input) }).ended
    const { exit_code: exit, ...body } = ran.json<Record<string, unknown>>()
    expect(ran.exitCode, ran.stderr).toBe(exit ?? 0)
    return { status: exit === undefined ? success : Number(body['status']), body: neutral(body) }
  }
}

/** Returns a failure without members that differ in every request. */
function neutral(body: unknown): unknown {
  const {
    request_id: _request,
    instance: _instance,
    next_cursor: cursor,
    ...rest
  } = body as Record<string, unknown>
  const same = { ...rest, ...(cursor !== undefined && { next_cursor: typeof cursor }) }
  // The history of an item says by which door each change came.
  return JSON.parse(JSON.stringify(same).replaceAll(/"via":"\w+"/g, '"via":"a door"'))
}

describe('the same calls on stores that are alike', () => {
  let expected: Done[]

  /** Makes every call, and returns each with its result. */
  async function carryOut({ open }: Transport): Promise<Done[]> {
    const call = await open()
    const results: Done[] = []
    const record: Carrier = async (...each) => {
      const result = await call(...each)
      results.push([each[0], result])
      return result
    }
    for (const each of CALLS) await record(...each)
    await shop(record)
    await move(record)
    return results
  }

  beforeAll(async () => {
    await builtProgram()
    expected = await carryOut(inProcess)
  })

  test('go as they should, every operation among them', () => {
    expect(
      caseFaults(
        operations.map(({ name }) => name),
        expected.map(([name]) => name),
        'test/properties/transports.test.ts, CALLS, shop or move',
      ),
    ).toEqual([])
    const own = new Set(
      operations.filter(({ area }) => area === 'account' || area === 'carrier').map(({ name }) => name),
    )
    expect(
      expected.filter(([name]) => own.has(name)).map(([name, { status }]) => `${name} ${status}`),
    ).toEqual([
      'create_shipment 201',
      ...[...examples('account'), ...examples('carrier')].map(
        ([name]) => `${name} ${operations.find((each) => each.name === name)?.status}`,
      ),
      'create_shipment 201',
      'create_shipment 409',
      'create_shipment 422',
      'create_shipment 400',
      'create_shipments_batch 400',
      'get_shipment 404',
      'get_shipment 400',
      'list_shipments 200',
      'list_shipments 400',
      'check_coverage 400',
    ])
    expect(
      expected
        .filter(([name]) => !own.has(name))
        .flatMap(([name, { status }]) => (status < 300 ? [] : `${name} ${status}`)),
    ).toEqual([
      'search_restaurants 400',
      'get_food_order 404',
      'accept_business_order 404',
      'create_catalog_item 409',
      'place_food_order 409',
      'cancel_food_order 409',
      'place_food_order 409',
      'place_food_order 409',
      'quote_food_order 409',
      'delete_catalog_item 404',
      'request_ride 409',
      'cancel_ride 409',
      'request_delivery 409',
      'book_service 409',
      'create_task 409',
      'cancel_task 409',
    ])
  })

  test.each([overHttp, onCommand, onCommandElsewhere])('have the same results $name', async (transport) => {
    const results = await carryOut(transport)
    expect(results).toHaveLength(expected.length)
    for (const [index, result] of results.entries()) expect(result, result[0]).toEqual(expected[index])
  })
})
