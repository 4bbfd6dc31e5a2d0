/** `fields` of a read: only those fields of its response, the same over every way to call it. */
import { describe, expect, test } from 'vitest'
import { fieldNames, assertKnownFields } from '../../src/core/fields.ts'
import { type AnyOperation, isRead } from '../../src/core/operation.ts'
import { applyViewOptions } from '../../src/core/views.ts'
import { EXAMPLES } from '../../src/generated/examples.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import * as registry from '../../src/generated/registry.ts'
import { openTestRemote } from '../support/remote-client.ts'
import { serveStore } from '../support/served.ts'
import { openTestSandbox } from '../support/world.ts'

const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((load) => load()))
const reads = operations.filter(isRead)
const TRIP = { pickup: { name: 'kings-cross' }, dropoff: { name: 'london-bridge' } }

test('every read takes it, and no change does', () => {
  expect(operations.filter(({ input }) => 'fields' in input.properties)).toEqual(reads)
  expect(reads.length).toBeGreaterThan(25)
})

test.each(reads.map((operation) => [operation.name, operation] as const))(
  'every field of an answer of %s can be asked for by its name',
  (name, { output }) => {
    const answers = EXAMPLES.filter((example) => example.name === name).map(({ answer }) => answer as object)
    expect(answers.length).toBeGreaterThan(0)
    const names = fieldNames(output).filter((field) => !field.endsWith('.*'))
    for (const answer of answers) {
      // All fields together are the response.
      const all = names.filter((field) => !field.includes('.')).join(',')
      expect(() => assertKnownFields(output, names.join(','))).not.toThrow()
      expect(applyViewOptions({ fields: all }, answer)).toEqual(answer)
      expect(applyViewOptions({ fields: 'all' }, answer)).toBe(answer)
    }
  },
)

describe('a call with fields', () => {
  test('gives them in the order of the list, of each row, and leaves out what the answer lacks', async () => {
    const world = await openTestSandbox()
    const asked = { latitude: 51.53, longitude: -0.1238, limit: 2 }
    const whole = await world.ok('search_restaurants', asked)
    const { body } = await world.call('search_restaurants', {
      ...asked,
      fields: 'name, delivery.fee.amount,address.line2,merchant_id',
    })
    expect(body).toEqual({
      data: whole.data.map(({ name, delivery, merchant_id }) => ({
        name,
        delivery: { fee: { amount: delivery?.fee.amount } },
        address: {},
        merchant_id,
      })),
      has_more: true,
      next_cursor: expect.any(String),
    })
    expect(Object.keys((body['data'] as object[])[0] ?? {})).toEqual([
      'name',
      'delivery',
      'address',
      'merchant_id',
    ])
  })

  test('gives a cursor that continues with other fields, too', async () => {
    const world = await openTestSandbox()
    const asked = { latitude: 51.53, longitude: -0.1238, limit: 2 }
    const { body } = await world.call('search_restaurants', { ...asked, fields: 'name' })
    const cursor = body['next_cursor']
    const next = await world.ok('search_restaurants', { ...asked, cursor })
    const whole = await world.ok('search_restaurants', { ...asked, limit: 4 })
    expect(next.data).toEqual(whole.data.slice(2))
  })

  test('of a quote makes the whole quote', async () => {
    const world = await openTestSandbox()
    const { body } = await world.call('quote_ride', { ...TRIP, fields: 'quote_id' })
    expect(Object.keys(body)).toEqual(['quote_id'])
    await world.ok(
      'request_ride',
      {
        quote_id: body['quote_id'],
        tier: 'economy',
        payment: { method: 'card', payment_token: 'tok_ok' },
      },
      { key: 'ride-1' },
    )
  })

  test.each([
    ['nmae', 'name', 'Did you mean name?'],
    ['fee', 'delivery.fee', 'Did you mean delivery.fee?'],
    ['name,delivery.fees', 'delivery.fee', 'Did you mean delivery.fee?'],
  ])('refuses %s with what is probably meant', async (fields, meant, hint) => {
    const world = await openTestSandbox()
    expect(await world.refused('search_restaurants', { near: 'kings-cross', fields })).toMatchObject({
      code: 'unknown_field',
      status: 422,
      alternatives: [meant],
      hint,
      errors: [{ parameter: 'fields', code: 'invalid_enum' }],
    })
    expect(await world.refused('quote_ride', { ...TRIP, fields: 'fare' })).toMatchObject({
      errors: [{ pointer: '/fields' }],
    })
  })

  test.each([[''], [' '], [5], [['name']], [','], ['all,name']])('refuses %o', async (fields) => {
    const world = await openTestSandbox()
    const { status } = await world.call('get_membership_status', { fields })
    expect(status).toBe(typeof fields === 'string' && fields.trim() !== '' ? 422 : 400)
  })

  test('answers the same over HTTP, in process and by our client', async () => {
    const served = await serveStore({ registry })
    const token = await served.token('everything')
    const get = async (query: string) => {
      const headers = { Authorization: `Bearer ${token}` }
      const answer = await fetch(`${served.url}/v1/food/merchants?near=kings-cross&limit=3${query}`, {
        headers,
      })
      return (await answer.json()) as { data: { name: string; rating: unknown }[] }
    }
    const whole = await get('')
    const part = await get('&fields=name,rating')
    expect(part.data).toEqual(whole.data.map(({ name, rating }) => ({ name, rating })))
    expect(await get('&fields=all')).toEqual(whole)
    const { client } = await openTestRemote(served.url, { target: { token } })
    const asked = { near: 'kings-cross', limit: 3, fields: 'name,rating' }
    expect((await client.call('search_restaurants', asked)).value).toEqual({
      ...part,
      next_cursor: expect.any(String),
    })
    expect((await client.call('get_membership_status', { fields: 'active' })).value).toEqual({ active: true })
  })
})

test('a batch repeated with other results shows more of the same answer', async () => {
  const world = await openTestSandbox()
  const shipments = [{ reference: 'X1' }, { reference: 'X2' }]
  const options = { key: 'manifest-1' }
  const first = await world.call('create_shipments_batch', { shipments }, options)
  const again = await world.call('create_shipments_batch', { shipments, results: 'problems' }, options)
  expect(again.headers['Idempotent-Replayed']).toBe('true')
  expect(again.body).toEqual(first.body)
  const items = [{ name: 'Laksa', price: { amount: 1200, currency: 'GBP' } }, { name: 'Pho' }]
  const asked = { items, default_category: 'Soups' }
  const imported = await world.call('import_catalog_items', { ...asked, results: 'problems' }, { key: 'i-1' })
  expect(imported.body).toMatchObject({ counts: { created: 1, rejected: 1 }, results: [{ row: 2 }] })
  const whole = await world.call('import_catalog_items', asked, { key: 'i-1' })
  expect(whole.body).toMatchObject({
    import_id: imported.body['import_id'],
    results: [{ row: 1 }, { row: 2 }],
  })
  expect((await world.call('import_catalog_items', asked, { key: 'i-1' })).text).toBe(whole.text)
})
