import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/areas/index.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import { caseFaults } from '../support/cases.ts'

const all: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
/** Those that have a tool. */
const operations = all.filter(({ toolset }) => toolset !== null)

/**
 * By hand, from the interface: r looks only, w writes, d undoes or removes what somebody counts on. Each may be repeated,
 * and none reaches beyond the sandbox.
 */
const HINTS: Readonly<Record<string, 'r' | 'w' | 'd'>> = {
  get_membership_status: 'r',
  search_restaurants: 'r',
  get_restaurant_menu: 'r',
  quote_food_order: 'r',
  place_food_order: 'w',
  get_food_order: 'r',
  list_food_orders: 'r',
  cancel_food_order: 'd',
  search_ride_options: 'r',
  quote_ride: 'r',
  request_ride: 'w',
  get_ride: 'r',
  list_rides: 'r',
  cancel_ride: 'd',
  quote_delivery: 'r',
  request_delivery: 'w',
  get_delivery: 'r',
  check_coverage: 'r',
  quote_rates: 'r',
  create_shipment: 'w',
  create_shipments_batch: 'w',
  get_shipment: 'r',
  list_shipments: 'r',
  cancel_shipment: 'd',
  list_shipment_events: 'r',
  list_hubs: 'r',
  search_service_providers: 'r',
  get_provider_availability: 'r',
  quote_service: 'r',
  book_service: 'w',
  get_service_booking: 'r',
  list_task_types: 'r',
  quote_task: 'r',
  create_task: 'w',
  get_task: 'r',
  get_task_evidence: 'r',
  cancel_task: 'd',
  list_business_orders: 'r',
  get_business_order: 'r',
  accept_business_order: 'w',
  reject_business_order: 'd',
  start_business_order_prep: 'w',
  mark_business_order_ready: 'w',
  complete_business_order: 'w',
  list_catalog_items: 'r',
  create_catalog_item: 'w',
  update_catalog_item: 'w',
  set_catalog_item_availability: 'w',
  delete_catalog_item: 'd',
  import_catalog_items: 'w',
}

test('there is a tool of the same name for each operation that has one, in their order', () => {
  expect(TOOLS.map(({ name }) => name)).toEqual(operations.map(({ name }) => name))
  expect(TOOLS.length).toBeGreaterThan(0)
})

test('all four hints of the tool of every operation equal a table written by hand', () => {
  const names = TOOLS.map(({ name }) => name)
  expect(caseFaults(names, Object.keys(HINTS), 'test/mcp/tools.test.ts, HINTS')).toEqual([])
  expect(Object.fromEntries(TOOLS.map(({ name, listed }) => [name, listed.annotations]))).toEqual(
    Object.fromEntries(
      Object.entries(HINTS).map(([name, kind]) => [
        name,
        {
          readOnlyHint: kind === 'r',
          destructiveHint: kind === 'd',
          idempotentHint: true,
          openWorldHint: false,
        },
      ]),
    ),
  )
})

describe('the input of a tool', () => {
  test('is path, query and body of its operation in one closed object, with keywords of JSON Schema only', () => {
    for (const { name, listed } of TOOLS) {
      const { input } = operations.find((operation) => operation.name === name) as AnyOperation
      const { properties, required = [] } = input as { properties: object; required?: string[] | undefined }
      const { idempotency_key: _, ...members } = listed.inputSchema.properties
      expect({ name, members: Object.keys(members) }).toEqual({ name, members: Object.keys(properties) })
      expect(listed.inputSchema.required ?? []).toEqual(required)
      expect(listed.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(JSON.stringify(listed.inputSchema)).not.toMatch(
        /"(?:x-[\w-]+|errorMessage|label|meaning|named)":/,
      )
    }
  })

  test('has an optional idempotency key where the operation accepts one', () => {
    const keyed = TOOLS.filter(({ listed }) => 'idempotency_key' in listed.inputSchema.properties)
    expect(keyed.map(({ name }) => name)).toEqual(
      operations.filter(({ idempotency }) => idempotency !== 'none').map(({ name }) => name),
    )
    expect(keyed.length).toBeGreaterThan(0)
    for (const { listed } of keyed) expect(listed.inputSchema.required ?? []).not.toContain('idempotency_key')
  })
})

test('the list equals the reviewed file, word for word', () => {
  const file = join(import.meta.dirname, '../snapshots/mcp-tools.json')
  const { tools, beside } = JSON.parse(readFileSync(file, 'utf8')) as Record<'tools' | 'beside', unknown[]>
  const named = TOOLS.map(({ toolset, listed }) => (toolset === undefined ? listed : { toolset, ...listed }))
  expect(named).toEqual([...tools, ...beside])
})
