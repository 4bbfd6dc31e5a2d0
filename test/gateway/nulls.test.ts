/** A null of an optional field means that it is absent, and answers can be sent back as they are. */
import { describe, expect, test } from 'vitest'
import { withoutNulls } from '../../src/core/nulls.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { listFieldErrors } from '../../src/gateway/validation-details.ts'
import { EXAMPLES } from '../../src/generated/examples.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { openTestSandbox } from '../support/world.ts'

const PICKUP = { location: { latitude: 51.53, longitude: -0.1238 } }
const DROPOFF = { location: { latitude: 51.5133, longitude: -0.0886 } }
const NULLS = { scheduled_for: null, stops: null, passengers: null }

const ROW = {
  recipient: {
    contact: { name: 'A' },
    address: { line1: '1 High St', city: 'London', postal_code: 'E1 6EA', country_code: 'GB' },
  },
  parcel: { weight_grams: 500, length_mm: 200, width_mm: 100, height_mm: 50 },
  service_level: 'next_day',
}
const ROW_OF_NULLS = {
  ...ROW,
  recipient: {
    company: null,
    contact: { ...ROW.recipient.contact, phone: null, email: null },
    address: { ...ROW.recipient.address, line2: null, region: null },
  },
}

test('a ride, a list and the rows of a manifest are read as without their nulls', async () => {
  const world = await openTestSandbox()
  const plain = await world.ok('quote_ride', { pickup: PICKUP, dropoff: DROPOFF })
  const nulls = { pickup: { ...PICKUP, name: null, address: null }, dropoff: DROPOFF, ...NULLS }
  expect((await world.ok('quote_ride', nulls)).fares).toEqual(plain.fares)
  const none = { status: null, created_from: null, created_to: null, limit: null, cursor: null }
  expect(await world.ok('list_rides', none)).toEqual(await world.ok('list_rides'))
  const shipments = [
    { reference: 'N1', ...ROW_OF_NULLS },
    { reference: 'N2', ...ROW_OF_NULLS },
  ]
  expect((await world.ok('create_shipments_batch', { shipments })).counts).toMatchObject({ created: 2 })
})

test('the value for all rows counts for a row that says null', async () => {
  const world = await openTestSandbox()
  const shipments = [{ reference: 'N1', ...ROW, service_level: null }]
  const batch = { shipments, default_service_level: 'economy', default_hub_id: null, on_cancelled: null }
  const { results } = await world.ok('create_shipments_batch', batch)
  const shipment = await world.ok('get_shipment', { tracking_number: results[0]?.tracking_number })
  expect(shipment.service_level).toBe('economy')
  const items = [{ name: 'Laksa', category: null, price: { amount: 1200, currency: 'GBP' } }]
  const imported = await world.ok('import_catalog_items', { items, default_category: 'Soups' })
  expect(imported.categories).toMatchObject([{ name: 'Soups' }])
})

test('the same call without its nulls is the same call, in a body and in its rows', async () => {
  const world = await openTestSandbox()
  for (const [operation, nulls, plain] of [
    ['create_shipment', { ...ROW_OF_NULLS, reference: null }, ROW],
    [
      'create_shipments_batch',
      { shipments: [{ reference: 'N1', ...ROW_OF_NULLS }], price_only: null },
      { shipments: [{ reference: 'N1', ...ROW }] },
    ],
  ] as const) {
    const first = await world.call(operation, nulls, { key: operation })
    expect(first.status).toBeLessThan(300)
    expect(await world.call(operation, plain, { key: operation })).toMatchObject({ text: first.text })
  }
})

test('a required null is missing, an unknown one unknown, and one in a list no entry', async () => {
  const world = await openTestSandbox()
  const { errors } = await world.refused('quote_ride', {
    pickup: null,
    dropof: null,
    dropoff: DROPOFF,
    stops: [null],
  })
  expect(errors).toEqual([
    { pointer: '/pickup', code: 'required', detail: 'pickup is required' },
    expect.objectContaining({ pointer: '/dropof', code: 'unknown_member' }),
    expect.objectContaining({ pointer: '/stops/0', code: 'wrong_type' }),
  ])
  const { results } = await world.ok('create_shipments_batch', {
    shipments: [{ reference: 'N1', ...ROW, recipient: null }],
  })
  expect(results).toMatchObject([{ reason: { errors: [{ pointer: '/recipient', code: 'required' }] } }])
})

test('a null that means something is kept: it removes the description, and a null name changes nothing', async () => {
  const world = await openTestSandbox()
  const price = { amount: 950, currency: 'GBP' }
  const made = await world.ok('create_catalog_item', {
    name: 'Pho',
    category: 'Soups',
    price,
    description: 'Hot',
  })
  const changed = await world.ok('update_catalog_item', {
    item_id: made.item_id,
    name: null,
    description: null,
  })
  expect(changed).toMatchObject({ name: 'Pho', description: null })
  const { code } = await world.refused('update_catalog_item', {
    item_id: made.item_id,
    name: null,
    price: null,
  })
  expect(code).toBe('invalid_request')
})

test('the requirements of a task are read by the schema of its type', async () => {
  const world = await openTestSandbox()
  const { data } = await world.ok('list_task_types')
  const audit = data.find(({ task_type }) => task_type === 'shelf_audit')
  const { properties = {} } = { ...audit?.requirements_schema } as { properties?: object }
  const needed = { store_name: 'Spar', products: ['Milk'] }
  const nulls = Object.fromEntries(Object.keys(properties).map((name) => [name, null]))
  const quote = await world.ok('quote_task', {
    task_type: 'shelf_audit',
    place: PICKUP,
    requirements: { ...nulls, ...needed },
  })
  expect(quote.requirements).toEqual(needed)
})

describe('a category', () => {
  const price = { amount: 950, currency: 'GBP' }

  test('is taken as an item shows it, in a body, an update and a row', async () => {
    const world = await openTestSandbox()
    const { category } = await world.ok('create_catalog_item', { name: 'Pho', category: 'Soups', price })
    const second = await world.ok('create_catalog_item', { name: 'Ramen', category, price })
    expect(second.category).toEqual(category)
    const { item_id } = await world.ok('create_catalog_item', { name: 'Udon', category: 'Noodles', price })
    expect((await world.ok('update_catalog_item', { item_id, category })).category).toEqual(category)
    const { counts, categories } = await world.ok('import_catalog_items', {
      items: [{ name: 'Miso', category, price }],
    })
    expect(counts).toMatchObject({ created: 1, categories_created: 0 })
    expect(categories).toMatchObject([{ category_id: category.category_id }])
  })

  test('of another store is found or made by its name', async () => {
    const world = await openTestSandbox()
    const category = { category_id: 'cat_00000000000000000000000000', name: 'Soups', sort_order: 77 }
    const made = await world.ok('create_catalog_item', { name: 'Pho', category, price })
    expect(made.category).toMatchObject({ name: 'Soups', sort_order: 77 })
    const second = await world.ok('create_catalog_item', {
      name: 'Ramen',
      category: { ...category, sort_order: null },
      price,
    })
    expect(second.category).toEqual(made.category)
  })
})

type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; type?: string }

/** Returns the part of a response that the input has by name. */
function shared(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => shared(schema.items ?? {}, entry))
  if (typeof value !== 'object' || value === null) return value
  const { properties } = schema.anyOf?.find(({ type }) => type === 'object') ?? schema
  if (properties === undefined) return value
  const known = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name))
  return Object.fromEntries(known.map(([name, member]) => [name, shared(properties[name] ?? {}, member)]))
}

/** Names with two meanings: evidence that is required of a task, and what the task requires; rows, and what is said of them. */
const OTHER_MEANING = [
  'create_claim reason_code',
  'get_catalog_item_history change',
  'list_statement_entries kind',
  'list_statement_entries reason',
  'list_catalog_changes change',
  'get_task_evidence requirements',
  'check_catalog_prices items',
  'check_catalog_prices updates',
  // Of the settings, and of an item.
  'get_store_settings version',
]

/** Returns why a change does not take a field as a response shows it; undefined when it does. */
function refusalOf(input: Schema, member: string, value: unknown): string | undefined {
  const sent = withoutNulls(input, { [member]: value })
  if (!Object.hasOwn(sent, member)) return undefined
  return listFieldErrors(input.properties?.[member] as object, sent[member])[0]?.detail
}

test('every change takes each member as the answers of its area show it, null included', async () => {
  const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
  const tries = EXAMPLES.flatMap(({ name: from, answer }) => {
    const area = operations.find(({ name }) => name === from)?.area
    const rows = (answer as { data?: object[] }).data ?? [answer as object]
    const changes = operations.filter((one) => one.area === area && one.method !== 'GET')
    return changes.flatMap(({ name, input }) =>
      rows
        .flatMap((row) => Object.entries(shared(input as Schema, row) as object))
        .filter(
          ([member, value]) => value !== null || !(input.required as string[] | undefined)?.includes(member),
        )
        .filter(([member]) => !OTHER_MEANING.includes(`${from} ${member}`))
        // The codes of a parcel's label, and the place of a return's.
        .filter(([member]) => name !== 'create_return' || member !== 'label')
        // The lines of an order, and what is done of them.
        .filter(([member]) => name !== 'tick_order_lines' || member !== 'lines')
        // The rows of a response, and which of them are wanted.
        .filter(([member]) => member !== 'results')
        .map(([member, value]: [string, unknown]) => ({
          call: `${from} to ${name}: ${member}`,
          refusal: refusalOf(input as Schema, member, value),
        })),
    )
  })
  expect(tries.length).toBeGreaterThan(300)
  const why =
    'a change refuses what an answer shows: one of both schemas is wrong, or the name belongs in OTHER_MEANING of test/gateway/nulls.test.ts'
  expect(
    tries.filter(({ refusal }) => refusal !== undefined),
    why,
  ).toEqual([])
})
