/** Characters that nobody sees, in what one account writes and another reads. */
import { describe, expect, test } from 'vitest'
import { callTestControl } from '../support/control.ts'
import { makeParcel } from '../support/parcel.ts'
import { openTestSandbox } from '../support/world.ts'

const EVIL = 'Laksa\u202egnp'
const item = { name: 'Laksa', category: 'Soups', price: { amount: 900, currency: 'GBP' } }
const modifier = { name: 'Large', price_delta: { amount: 100, currency: 'GBP' } }
const group = { name: 'Size', min_selections: 0, max_selections: 1, modifiers: [modifier] }
const place = { location: { latitude: 51.5134, longitude: -0.0889 } }

describe('a text that holds characters nobody sees is refused, and the field is named', () => {
  test.each([
    ['/name', 'create_catalog_item', { ...item, name: EVIL }],
    ['/category', 'create_catalog_item', { ...item, category: EVIL }],
    ['/dietary_tags/0', 'create_catalog_item', { ...item, dietary_tags: [EVIL] }],
    [
      '/modifier_groups/0/modifiers/0/name',
      'create_catalog_item',
      { ...item, modifier_groups: [{ ...group, modifiers: [{ ...modifier, name: EVIL }] }] },
    ],
    ['/recipient/address/line1', 'create_shipment', makeParcel({}, { line1: EVIL })],
    ['/pickup/name', 'quote_ride', { pickup: { ...place, name: EVIL }, dropoff: place }],
    [
      '/requirements/store_name',
      'quote_task',
      { task_type: 'shelf_audit', place, requirements: { store_name: EVIL, products: ['Milk'] } },
    ],
    ['/notes', 'place_food_order', { quote_id: 'quo_1', payment: { method: 'card' }, notes: EVIL }],
  ] as const)('at %s of %s', async (pointer, operation, input) => {
    const world = await openTestSandbox()
    const { status, body } = await world.call(operation, input, { key: 'one' })
    expect(status).toBe(422)
    expect(body).toMatchObject({
      code: 'hidden_characters',
      errors: [
        {
          pointer,
          code: 'hidden_characters',
          detail: expect.stringMatching(/^\w+ has U\+202E, an invisible character/) as string,
        },
      ],
    })
  })
})

test('it stands beside the other faults of a request', async () => {
  const world = await openTestSandbox()
  const { errors } = await world.refused('create_catalog_item', { ...item, name: EVIL, price: undefined })
  expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual([
    ['/price', 'wrong_type'],
    ['/name', 'hidden_characters'],
  ])
})

test('a row with it is rejected, and the others are created', async () => {
  const world = await openTestSandbox()
  const { results } = await world.ok('import_catalog_items', { items: [{ ...item, name: EVIL }, item] })
  expect(results).toMatchObject([
    {
      row: 1,
      result: 'rejected',
      reason: { code: 'invalid_row', errors: [{ pointer: '/name', code: 'hidden_characters' }] },
    },
    { row: 2, result: 'created' },
  ])
})

test('a search finds by such words, as it stores none', async () => {
  const world = await openTestSandbox()
  await world.ok('create_catalog_item', item)
  const { data } = await world.ok('list_catalog_items', { q: 'Lak\u200bsa' })
  expect(data.map(({ name }) => name)).toContain('Laksa')
})

test('an account of a sandbox is not named so', async () => {
  const world = await openTestSandbox()
  await expect(callTestControl(world, 'add_account', { handle: 'evil', name: EVIL })).rejects.toMatchObject({
    code: 'hidden_characters',
    errors: [{ pointer: '/name' }],
  })
})
