import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createShipment } from '../../src/areas/carrier/create_shipment.ts'
import { makeTrackingNumber } from '../../src/areas/carrier/rules/tracking-number.ts'
import { ERRORS } from '../../src/core/errors.ts'
import type { Problem } from '../../src/core/errors.ts'
import { listTables } from '../../src/db/tables.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { problemCodes } from '../../src/server/openapi.ts'
import { httpCases, memberCases, sampleOf, textCases, valueCases } from '../support/bad-requests.ts'
import type { BadRequest, Bearer, RequestCaseFacts, OddRequest } from '../support/bad-requests.ts'
import { iterations } from '../support/battery.ts'
import { FROM, PARCEL_OF_KEYS, requestOf, TO } from '../support/deliveries.ts'
import { exampleInput } from '../support/example-input.ts'
import { UNKNOWN } from '../support/examples.ts'
import { CARD } from '../support/food.ts'
import { BANK_STATION, KINGS_CROSS } from '../support/rides.ts'
import { NOON_MS, serveStore, talk } from '../support/served.ts'
import type { RawAnswer, ServedStore } from '../support/served.ts'
import { CONTACT, HOME } from '../support/services.ts'
import { ENGINES } from '../support/stores.ts'
import { taskInput } from '../support/tasks.ts'

const registry = { NAMES, load }
const loaded = await Promise.all(NAMES.map((name) => load(name)))
const operations = loaded.flatMap((entry) => (entry === undefined ? [] : [entry.operation]))

const JSON_TYPE = 'Content-Type: application/json'
const PARCEL = exampleInput(createShipment)

/** Items without a required choice. */
const PLAIN = ['Focaccia', 'Summer Rolls']

/** A placeholder for values of the store under test, so that every case has a fixed name. */
const KNOWN: RequestCaseFacts = {
  ids: {
    tracking_number: { own: '<parcel>', other: '<otherParcel>', unknown: makeTrackingNumber(4711) },
    order_id: { own: '<order>', other: '<otherOrder>', unknown: 'ord_01m7vkystgfp1b10jk5dh9yvxy' },
    item_id: { own: '<item>', other: '<otherItem>', unknown: 'itm_01m7vkystgf7vtyybg4s0p9p1s' },
    ride_id: { own: '<ride>', other: '<otherRide>', unknown: UNKNOWN['ride_id'] ?? '' },
    delivery_id: { own: '<delivery>', other: '<otherDelivery>', unknown: UNKNOWN['delivery_id'] ?? '' },
    booking_id: { own: '<booking>', other: '<otherBooking>', unknown: UNKNOWN['booking_id'] ?? '' },
    task_id: { own: '<task>', other: '<otherTask>', unknown: UNKNOWN['task_id'] ?? '' },
    provider_id: { own: '<provider>', other: '<provider>', unknown: UNKNOWN['provider_id'] ?? '' },
    endpoint_id: { own: '<endpoint>', other: '<otherEndpoint>', unknown: UNKNOWN['endpoint_id'] ?? '' },
    merchant_id: { own: '<store>', other: '<store>', unknown: 'mer_01m7vkystgef38d6j5p56t9yfw' },
  },
  cursor: '<cursor>',
  otherCursor: '<otherCursor>',
  usedKey: 'used',
}

const casesOf = (some: typeof operations): BadRequest[] => [
  ...httpCases(some, KNOWN),
  // Before the body is parsed, all operations behave alike.
  ...textCases(sampleOf(some), KNOWN),
  ...memberCases(some, KNOWN),
  ...valueCases(some, KNOWN),
]

const single: BadRequest[] = [
  {
    name: '22, 37 a key used with another body',
    method: 'POST',
    target: '/v1/shipments',
    headers: [JSON_TYPE, `Idempotency-Key: ${KNOWN.usedKey}`],
    body: JSON.stringify({ ...PARCEL, reference: 'B' }),
    code: 'idempotency_key_reused',
  },
  {
    name: '39 the key of somebody else is not theirs',
    method: 'POST',
    target: '/v1/shipments',
    headers: [JSON_TYPE, `Idempotency-Key: ${KNOWN.usedKey}`],
    body: JSON.stringify({ ...PARCEL, recipient: { ...(PARCEL['recipient'] as object), contact: {} } }),
    bearer: 'other',
    code: 'invalid_request',
  },
  {
    name: '31 a million rows',
    method: 'POST',
    target: '/v1/shipments/batch',
    headers: [JSON_TYPE],
    body: `{"shipments":[${Array.from({ length: 1_000_000 }, () => '{}').join(',')}]}`,
    code: 'manifest_too_large',
  },
  {
    name: '31 a million rows that are none',
    method: 'POST',
    target: '/v1/shipments/batch',
    headers: [JSON_TYPE],
    body: `{"shipments":[${Array.from({ length: 1_000_000 }, () => '0').join(',')}]}`,
    code: 'invalid_request',
  },
  {
    name: '34 100,000 combining marks',
    method: 'POST',
    target: '/v1/shipments',
    headers: [JSON_TYPE],
    body: JSON.stringify({ ...PARCEL, reference: `a${'\u0301'.repeat(100_000)}` }),
    code: 'invalid_request',
  },
  {
    name: '57 money beyond all bounds',
    method: 'POST',
    target: '/v1/shipments',
    headers: [JSON_TYPE],
    body: JSON.stringify({
      ...PARCEL,
      parcel: {
        ...(PARCEL['parcel'] as object),
        declared_value: { amount: 9_007_199_254_740_991, currency: 'GBP' },
      },
    }),
    code: 'invalid_request',
  },
  {
    name: '29 a weight of -0',
    method: 'POST',
    target: '/v1/shipments',
    headers: [JSON_TYPE],
    body: JSON.stringify(PARCEL).replace(/"weight_grams":\d+/, '"weight_grams":-0'),
    code: 'invalid_request',
  },
  {
    name: '29 a weight of 1E5',
    method: 'POST',
    target: '/v1/shipments',
    headers: [JSON_TYPE],
    body: JSON.stringify(PARCEL).replace(/"weight_grams":\d+/, '"weight_grams":1E5'),
    code: 'parcel_limits_exceeded',
  },
]

/** Unusual requests that must be accepted; none changes anything. */
const accepted: OddRequest[] = [
  { name: '24 Range', method: 'GET', target: '/v1/hubs', headers: ['Range: bytes=0-10'], status: 200 },
  { name: '24 If-Match', method: 'GET', target: '/v1/hubs', headers: ['If-Match: *'], status: 200 },
  {
    name: '7 X-HTTP-Method-Override',
    method: 'GET',
    target: '/v1/shipments/<parcel>',
    headers: ['X-HTTP-Method-Override: DELETE'],
    status: 200,
  },
  {
    name: '56 small letters, spaces and hyphens',
    method: 'GET',
    target: '/v1/shipments/%20<parcel>%20',
    status: 200,
  },
  {
    name: '58 a postcode in small letters',
    method: 'GET',
    target: '/v1/coverage?postal_code=rg11db&country_code=GB',
    status: 200,
  },
  {
    name: '58 the middle of the sea',
    method: 'GET',
    target: '/v1/coverage?latitude=0&longitude=0',
    status: 200,
  },
  {
    name: '59 from after to',
    method: 'GET',
    target: '/v1/shipments?created_from=2026-12-01&created_to=2026-11-01',
    status: 200,
  },
  {
    name: '44 the same call written otherwise is replayed',
    method: 'POST',
    target: '/v1/shipments',
    headers: ['content-type: Application/JSON;charset=UTF-8', `Idempotency-Key: "${KNOWN.usedKey}"`],
    body: ` ${JSON.stringify(Object.fromEntries(Object.entries({ ...PARCEL, reference: 'A' }).toReversed()), null, 2)}\n`,
    status: 201,
  },
]

/** Bad input is rejected before the store is used: for the second engine, one operation of each kind suffices. */
const RUNS = ENGINES.map((engine, at) => ({
  ...engine,
  cases: [
    ...casesOf(at === 0 ? iterations(sampleOf(operations), operations) : sampleOf(operations)),
    ...single,
  ],
}))

for (const { cases } of RUNS) {
  const names = cases.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`two cases are called ${twice}`)
}

describe.each(RUNS)('over HTTP on $name', ({ cases, ...engine }) => {
  let served: ServedStore
  /** The values of the placeholders. */
  let real: Record<string, string>
  let tokens: Record<Exclude<Bearer, object | 'none'>, string>
  let before: Record<string, string>

  beforeAll(async () => {
    served = await serveStore({ registry, engine })
    const own = await served.token('everything')
    const last = own.at(-1) === 'A' ? 'B' : 'A'
    tokens = {
      own,
      other: await served.token('shipper2'),
      customer: await served.token('member'),
      keeper: await served.token('owner'),
      expired: await served.token('everything', { expiresAt: NOON_MS }),
      flipped: own.slice(0, -1) + last,
    }
    const ours = await ownThings('own', 'own')
    const theirs = await ownThings('customer', 'keeper')
    const [moving, theirMoving] = [await movingThings('own'), await movingThings('customer')]
    real = {
      parcel: await makeParcels('own', KNOWN.usedKey),
      otherParcel: await makeParcels('other', 'theirs'),
      ...ours,
      ...moving,
      otherOrder: theirs.order,
      otherItem: theirs.item,
      otherRide: theirMoving.ride,
      otherDelivery: theirMoving.delivery,
      otherBooking: theirMoving.booking,
      otherTask: theirMoving.task,
      endpoint: await makeEndpoint('own'),
      otherEndpoint: await makeEndpoint('customer'),
      cursor: await firstCursor('own'),
      otherCursor: await firstCursor('other'),
    }
    before = await digestTables(served)
  })

  async function ask<T>(request: Omit<OddRequest, 'name' | 'status'>): Promise<T> {
    const answer = await send(request)
    if (answer.status >= 300) throw new Error(answer.body)
    return JSON.parse(answer.body) as T
  }

  /** Creates two parcels, the first under a key. */
  async function makeParcels(bearer: Bearer, key: string): Promise<string> {
    const numbers: string[] = []
    for (const [reference, headers] of [
      ['A', [`Idempotency-Key: ${key}`]],
      ['Z', []],
    ] as const) {
      const { tracking_number } = await ask<{ tracking_number: string }>({
        method: 'POST',
        target: '/v1/shipments',
        headers: [JSON_TYPE, ...headers],
        body: JSON.stringify({ ...PARCEL, reference }),
        bearer,
      })
      numbers.push(tracking_number)
    }
    return numbers[0] ?? ''
  }

  async function makeEndpoint(bearer: Bearer): Promise<string> {
    const { endpoint_id } = await ask<{ endpoint_id: string }>({
      method: 'POST',
      target: '/v1/webhook-endpoints',
      headers: [JSON_TYPE],
      body: JSON.stringify({ url: 'https://hooks.example.com/dray' }),
      bearer,
    })
    return endpoint_id
  }

  /** Returns the items of a store's owner, and a customer's order of one. */
  async function ownThings(customer: Bearer, keeper: Bearer) {
    const { data } = await ask<{ data: Record<'item_id' | 'merchant_id' | 'name', string>[] }>({
      method: 'GET',
      target: '/v1/business/catalog/items',
      bearer: keeper,
    })
    const dish = data.find(({ name }) => PLAIN.includes(name))
    if (dish === undefined) throw new Error('nobody sells what needs no choice')
    const { item_id, merchant_id } = dish
    const basket = { merchant_id, fulfillment_type: 'pickup', items: [{ item_id, quantity: 1 }] }
    const { quote_id } = await ask<{ quote_id: string }>({
      method: 'POST',
      target: '/v1/food/orders/quote',
      headers: [JSON_TYPE],
      body: JSON.stringify(basket),
      bearer: customer,
    })
    const { order_id } = await ask<{ order_id: string }>({
      method: 'POST',
      target: '/v1/food/orders',
      headers: [JSON_TYPE, `Idempotency-Key: ${quote_id}`],
      body: JSON.stringify({ quote_id, payment: { method: 'card', payment_token: 'tok_ok' } }),
      bearer: customer,
    })
    return { store: merchant_id, item: item_id, order: order_id }
  }

  /** Quotes, and confirms the quote. */
  async function confirm<M extends string>(
    bearer: Bearer,
    target: string,
    [quoted, request]: [quoted: object, request: object],
  ): Promise<Record<M, string>> {
    const post = { method: 'POST', bearer }
    const asked = { target: `${target}/quote`, headers: [JSON_TYPE], body: JSON.stringify(quoted) }
    const { quote_id } = await ask<{ quote_id: string }>({ ...post, ...asked })
    const headers = [JSON_TYPE, `Idempotency-Key: ${quote_id}`]
    return ask({ ...post, target, headers, body: JSON.stringify({ payment: CARD, ...request, quote_id }) })
  }

  /** Creates a ride, a delivery, a booking and a task. */
  async function movingThings(bearer: Bearer) {
    const providers = { method: 'GET', target: '/v1/services/providers?category=cleaning', bearer }
    const { latitude, longitude } = HOME.location
    const near = { ...providers, target: `${providers.target}&latitude=${latitude}&longitude=${longitude}` }
    const { data } = await ask<{ data: { provider_id: string }[] }>(near)
    const provider = data[0]?.provider_id ?? ''
    const job = { provider_id: provider, service_code: 'regular_clean', place: HOME }
    const { ride_id } = await confirm<'ride_id'>(bearer, '/v1/rides', [
      { pickup: BANK_STATION, dropoff: KINGS_CROSS },
      { tier: 'economy' },
    ])
    const { delivery_id } = await confirm<'delivery_id'>(bearer, '/v1/deliveries', [
      { pickup: FROM, dropoff: TO, parcel: PARCEL_OF_KEYS },
      requestOf(''),
    ])
    const { booking_id } = await confirm<'booking_id'>(bearer, '/v1/services/bookings', [
      job,
      { contact: CONTACT },
    ])
    const { task_id } = await confirm<'task_id'>(bearer, '/v1/tasks', [taskInput(), {}])
    return { provider, ride: ride_id, delivery: delivery_id, booking: booking_id, task: task_id }
  }

  async function firstCursor(bearer: Bearer): Promise<string> {
    const page = { method: 'GET', target: '/v1/shipments?limit=1', bearer }
    return (await ask<{ next_cursor: string }>(page)).next_cursor
  }

  async function bearerLine(bearer: Bearer = 'own'): Promise<string[]> {
    if (bearer === 'none') return []
    const token =
      typeof bearer === 'string'
        ? tokens[bearer]
        : await served.token('everything', { scopes: bearer.scopes as [] })
    return [`Authorization: Bearer ${token}`]
  }

  async function send({
    method,
    target,
    headers = [],
    body,
    bearer,
  }: Pick<BadRequest, 'method' | 'target' | 'headers' | 'body' | 'bearer'>): Promise<RawAnswer> {
    const path = target.replaceAll(/<(\w+)>(\.\.\.)?/g, (_, name: string) => real[name] ?? name)
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const lines = [
      `Host: 127.0.0.1:${served.port}`,
      'Connection: close',
      ...(await bearerLine(bearer)),
      ...headers,
      ...(bytes === undefined ? [] : [`Content-Length: ${bytes.length}`]),
    ]
    const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
    const answers = await talk(served.port, bytes === undefined ? head : [head, bytes])
    expect(answers).toHaveLength(1)
    return answers[0] as RawAnswer
  }

  test.each(cases)('refuses $name', async (request) => {
    const answer = await send(request)
    const problem = JSON.parse(Buffer.from(answer.body, 'latin1').toString()) as Problem
    const { code } = request
    expect([answer.status, problem.code]).toEqual([ERRORS[code].status, code])
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(problem).toMatchObject({
      type: `urn:dray:problem:${code}`,
      title: ERRORS[code].title,
      status: answer.status,
      detail: expect.stringMatching(/^\S.*\.$/s),
      instance: `urn:dray:request:${String(answer.headers['request-id'])}`,
      request_id: answer.headers['request-id'],
      retryable: ERRORS[code].retryable ?? false,
      errors: expect.any(Array),
    })
    expect(answer.body.length).toBeLessThan(100_000)
    expect(answer.body).not.toContain(tokens.own)
    const operation = operations.find((one) => request.name.startsWith(`${one.name}:`))
    const ofNoOperation = operation === undefined || ['route_not_found', 'method_not_allowed'].includes(code)
    expect(ofNoOperation ? [code] : problemCodes(operation)).toContain(code)
  })

  test.each(accepted)('accepts $name', async (request) => {
    expect((await send(request)).status).toBe(request.status)
  })

  test('gives the same error for another caller’s parcel as for a missing one', async () => {
    const told = async (number: string): Promise<unknown> => {
      const { body } = await send({ method: 'GET', target: `/v1/shipments/${number}` })
      const { instance: _instance, request_id: _requestId, ...rest } = JSON.parse(body) as Problem
      return JSON.parse(JSON.stringify(rest).replaceAll(real[number.slice(1, -1)] ?? number, '#'))
    }
    expect(await told('<otherParcel>')).toEqual(await told(makeTrackingNumber(4711)))
  })

  test('no bad request changes anything', async () => {
    expect(served.bugs).toEqual([])
    expect(served.log.filter(({ status }) => status >= 500)).toEqual([])
    const after = await digestTables(served)
    // Refusals with a key are stored; nothing else may have changed.
    expect({ ...after, idempotency: '', tokens: '' }).toEqual({ ...before, idempotency: '', tokens: '' })
  })
})

/** Returns a digest of every table's rows. */
async function digestTables({ db }: ServedStore): Promise<Record<string, string>> {
  const tables = listTables().map(({ name }) => name)
  const digests: Record<string, string> = {}
  await db.read(async (tx) => {
    for (const table of tables) {
      const rows = (await tx.all(`select * from ${table}`)).map((row) => JSON.stringify(row)).toSorted()
      digests[table] = createHash('sha256').update(rows.join('\n')).digest('hex')
    }
  })
  return digests
}
