/**
 * Past dates where a future one is needed: the error names the service's time, because the caller's clock may differ.
 */
import { beforeAll, expect, test } from 'vitest'
import { FROM, PARCEL_OF_KEYS, TO } from '../support/deliveries.ts'
import { CARD, makeBasket, newKey } from '../support/food.ts'
import { makeItem, readStoreId } from '../support/items.ts'
import { makeParcel } from '../support/parcel.ts'
import { BANK_STATION, KINGS_CROSS } from '../support/rides.ts'
import { timestampAt, CONTACT, findProviderNamed, HOME, makeJob } from '../support/services.ts'
import { taskInput } from '../support/tasks.ts'
import { openTestSandbox, type TestSandbox } from '../support/world.ts'

const NOW = '2026-11-20T09:00:00.000Z'
const YESTERDAY = '2026-11-19T14:00:00Z'

let world: TestSandbox

beforeAll(async () => {
  world = await openTestSandbox()
})

type Case = readonly [
  operation: string,
  place: string,
  input: (given: TestSandbox) => Promise<Record<string, unknown>> | Record<string, unknown>,
]

const CASES: readonly Case[] = [
  ['quote_food_order', '/scheduled_for', (given) => makeBasket(given, { scheduled_for: YESTERDAY })],
  [
    'quote_ride',
    '/scheduled_for',
    () => ({ pickup: BANK_STATION, dropoff: KINGS_CROSS, scheduled_for: YESTERDAY }),
  ],
  [
    'quote_delivery',
    '/pickup_ready_at',
    () => ({ pickup: FROM, dropoff: TO, parcel: PARCEL_OF_KEYS, pickup_ready_at: YESTERDAY }),
  ],
  [
    'create_shipment',
    '/options/not_before_date',
    () => makeParcel({ options: { not_before_date: '2026-11-19' } }),
  ],
  [
    'search_service_providers',
    'date',
    () => ({ ...HOME.location, category: 'cleaning', date: '2026-11-19' }),
  ],
  [
    'get_provider_availability',
    'date',
    async (given) => ({
      provider_id: (await findProviderNamed(given)).provider_id,
      service_code: 'regular_clean',
      date: '2026-11-19',
    }),
  ],
  ['quote_service', '/starts_at', (given) => makeJob(given, { starts_at: YESTERDAY })],
  ['book_service', '/starts_at', (given) => confirm(given, { starts_at: YESTERDAY })],
  [
    'book_service',
    '/preferred_window',
    (given) =>
      confirm(given, { preferred_window: { starts_at: YESTERDAY, ends_at: '2026-11-19T18:00:00Z' } }),
  ],
  [
    'quote_task',
    '/window/ends_at',
    () => taskInput({ window: { starts_at: YESTERDAY, ends_at: '2026-11-19T18:00:00Z' } }),
  ],
  [
    'create_catalog_item',
    '/unavailable_until',
    async (given) =>
      makeItem({ merchant_id: await readStoreId(given), available: false, unavailable_until: YESTERDAY }),
  ],
  [
    'set_catalog_item_availability',
    '/until',
    async (given) => {
      const merchant_id = await readStoreId(given)
      const { data } = await given.ok('list_catalog_items', { merchant_id, limit: 1 })
      return { item_id: data[0]?.item_id, available: false, until: YESTERDAY }
    },
  ],
]

/** Confirms a quote for a job without a start. */
async function confirm(given: TestSandbox, body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { quote_id } = await given.ok('quote_service', await makeJob(given))
  return { quote_id, contact: CONTACT, payment: CARD, ...body }
}

test.each(CASES)(
  '%s refuses %s in the past, with the time of the service',
  async (operation, place, make) => {
    const input = await make(world)
    const { status, body } = await world.call(operation, input, { key: newKey() })
    expect({ status, body }).toMatchObject({
      status: expect.toSatisfy((code: number) => [400, 409, 422].includes(code)),
      body: { detail: expect.stringContaining(`is in the past: by the service's clock it is ${NOW}`) },
    })
    const errors = body['errors'] as { pointer?: string; parameter?: string; detail: string }[]
    expect(errors).toEqual([
      expect.objectContaining({
        [place.startsWith('/') ? 'pointer' : 'parameter']: place,
        code: 'out_of_range',
        detail: expect.stringContaining(NOW),
      }),
    ])
  },
)

test('no booking is more than a year ahead', async () => {
  const job = await makeJob(world)
  const far = '2036-03-01T09:00:00Z'
  const { status, body } = await world.call('quote_service', { ...job, starts_at: far }, { key: newKey() })
  const detail = `starts_at must be within 365 days: by the service's clock it is ${NOW}`
  expect({ status, body }).toMatchObject({
    status: 409,
    body: { code: 'slot_unavailable', errors: [{ pointer: '/starts_at', code: 'out_of_range', detail }] },
  })
  expect(body['alternatives']).toHaveLength(3)
  const { provider_id, service_code } = job
  const days = await world.call('get_provider_availability', {
    provider_id,
    service_code,
    date: '2036-03-01',
  })
  expect(days).toMatchObject({ status: 400, body: { errors: [{ parameter: 'date', code: 'out_of_range' }] } })
})

test('the error for a past start has the next open ones', async () => {
  const { body } = await world.call('quote_service', await makeJob(world, { starts_at: YESTERDAY }))
  expect(body).toMatchObject({ code: 'slot_unavailable', alternatives: expect.any(Array) })
  const first = (body['alternatives'] as string[])[0] ?? ''
  await world.ok('quote_service', await makeJob(world, { starts_at: first }))
})

test('a date too far ahead is rejected with the time of the service, too', async () => {
  const far = timestampAt('14:00', '2027-11-20')
  const trip = { pickup: BANK_STATION, dropoff: KINGS_CROSS, scheduled_for: far }
  for (const [operation, input] of [
    ['quote_ride', trip],
    ['quote_food_order', await makeBasket(world, { scheduled_for: far })],
    ['quote_delivery', { pickup: FROM, dropoff: TO, parcel: PARCEL_OF_KEYS, pickup_ready_at: far }],
    ['quote_task', taskInput({ window: { starts_at: NOW, ends_at: far } })],
  ] as const) {
    const { detail } = (await world.call(operation, input)).body
    expect(detail).toContain(`by the service's clock it is ${NOW}`)
  }
})

test('a time just before now counts as ready', async () => {
  const run = { pickup: FROM, dropoff: TO, parcel: PARCEL_OF_KEYS, pickup_ready_at: '2026-11-20T08:57:00Z' }
  expect(await world.ok('quote_delivery', run)).toMatchObject({ pickup_ready_at: null })
})

test('a manifest sent again the day after is no less a repetition', async () => {
  const row = makeParcel({ reference: 'ONCE-1', options: { not_before_date: '2026-11-20' } })
  const { counts } = await world.ok('create_shipments_batch', { shipments: [row] }, { key: newKey() })
  expect(counts).toMatchObject({ created: 1 })
  await world.advance(86_400_000)
  const other = { ...row, reference: 'LATE-1' }
  const { results } = await world.ok('create_shipments_batch', { shipments: [row, other] }, { key: newKey() })
  expect(results).toMatchObject([
    { result: 'duplicate' },
    {
      result: 'rejected',
      reason: {
        code: 'invalid_row',
        errors: [{ pointer: '/options/not_before_date', code: 'out_of_range' }],
      },
    },
  ])
})
