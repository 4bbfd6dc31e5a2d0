import { beforeAll, describe, expect, test } from 'vitest'
import { FULFILLMENT_TYPES } from '../../../src/areas/merchants/rules.ts'
import { ORDER_STATUSES } from '../../../src/areas/orders/states.ts'
import { PAYMENT_STATUSES } from '../../../src/areas/payments/rules/payment.ts'
import { iterations } from '../../support/battery.ts'
import { callTestControl } from '../../support/control.ts'
import { findStore, LIME_STREET } from '../../support/food.ts'
import { performAction, attend, placeTestOrder, type TestOrderOptions } from '../../support/order-life.ts'
import { fc } from '../../support/properties.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { openTestSandbox, type TestSandbox } from '../../support/world.ts'

const MINUTE = 60_000

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  let world: TestSandbox
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    world = await openTestSandbox({ engine })
    const make = async (
      name: string,
      wish: TestOrderOptions,
      actions: Parameters<typeof performAction>[2] = [],
    ) => {
      const { order_id } = await placeTestOrder(world, wish)
      ids[name] = order_id
      await performAction(world, order_id, actions)
      await world.advance(MINUTE)
    }
    await make('rejected', {}, ['reject'])
    await make('ready', { type: 'pickup', method: 'cash' }, ['accept', 'ready'])
    await make('guests', { type: 'dine_in', method: 'pay_at_table' }, ['accept'])
    await make('completed', {}, ['accept', 'complete'])
    await make('placed', { type: 'delivery', as: 'everything' })
    await placeTestOrder(world, { store: LIME_STREET })
  })

  const list = async (input: Record<string, unknown> = {}) => {
    const { data } = await world.ok('list_business_orders', input)
    return data.map(({ order_id }) => Object.keys(ids).find((name) => ids[name] === order_id))
  }

  test('lists the store’s own orders, newest first, whoever ordered', async () => {
    expect(await list()).toEqual(['placed', 'completed', 'guests', 'ready', 'rejected'])
  })

  test('lists active orders, or those that match a filter', async () => {
    expect(await list({ active: true })).toEqual(['placed', 'guests', 'ready'])
    expect(await list({ active: false })).toHaveLength(5)
    expect(await list({ active: true, status: ['ready', 'placed'] })).toEqual(['placed', 'ready'])
    expect(await list({ status: ['completed', 'rejected'] })).toEqual(['completed', 'rejected'])
    expect(await list({ fulfillment_type: ['dine_in', 'delivery'] })).toEqual(['placed', 'guests'])
    expect(await list({ payment_status: 'unpaid' })).toEqual(['guests', 'ready'])
    expect(await list({ payment_status: 'refunded', status: ['rejected', 'failed'] })).toEqual(['rejected'])
    expect(await list({ active: true, fulfillment_type: ['pickup'], payment_status: 'paid' })).toEqual([])
    expect(await list({ created_from: '2026-11-20T09:01:00Z', created_to: '2026-11-20T09:03:00Z' })).toEqual([
      'guests',
      'ready',
    ])
  })

  test('any filters on pages of any length give exactly the orders that fit, in order', async () => {
    const all = (await world.ok('list_business_orders', { limit: 100 })).data
    type Row = (typeof all)[number]
    const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
    const some = <T>(values: readonly T[], maxLength: number) =>
      optional(fc.subarray([...values], { minLength: 1, maxLength }))
    const instants = all.map(({ created_at }) => created_at)
    const queries = fc.record({
      status: some(ORDER_STATUSES, 9),
      fulfillment_type: some(FULFILLMENT_TYPES, 3),
      payment_status: optional(fc.constantFrom(...PAYMENT_STATUSES)),
      created_from: optional(fc.constantFrom(...instants)),
      created_to: optional(fc.constantFrom(...instants)),
    })
    type Query = typeof queries extends fc.Arbitrary<infer T> ? T : never
    const fits = (row: Row, query: Query): boolean =>
      query.status?.includes(row.status) !== false &&
      query.fulfillment_type?.includes(row.fulfillment_type) !== false &&
      (query.payment_status ?? row.payment.status) === row.payment.status &&
      (query.created_from ?? row.created_at) <= row.created_at &&
      (query.created_to === undefined || row.created_at < query.created_to)
    await fc.assert(
      fc.asyncProperty(queries, fc.integer({ min: 1, max: 4 }), async (query, limit) => {
        const found: string[] = []
        let cursor: string | null | undefined
        while (cursor !== null) {
          const page: { data: Row[]; next_cursor: string | null } = await world.ok('list_business_orders', {
            ...JSON.parse(JSON.stringify(query)),
            limit,
            ...(cursor && { cursor }),
          })
          found.push(...page.data.map(({ order_id }) => order_id))
          cursor = page.next_cursor
        }
        expect(found).toEqual(all.filter((row) => fits(row, query)).map(({ order_id }) => order_id))
      }),
      { numRuns: engine.name === 'SQLite' ? iterations(60, 150) : iterations(20, 50) },
    )
  })

  test('a row has everything but the history', async () => {
    const { data } = await world.ok('list_business_orders', { limit: 1 })
    const { status_history: _history, ...rest } = await world.ok('get_business_order', {
      order_id: ids['placed'],
    })
    expect(data).toEqual([rest])
  })

  test('pages join without gap or repeat, though orders are placed and moved between them', async () => {
    const whole = (await world.ok('list_business_orders', { limit: 100 })).data.map(
      ({ order_id }) => order_id,
    )
    const found: string[] = []
    let cursor: string | null = null
    do {
      const query: Record<string, unknown> = { limit: 2, ...(cursor !== null && { cursor }) }
      const page: { data: { order_id: string }[]; next_cursor: string | null } = await world.ok(
        'list_business_orders',
        query,
      )
      found.push(...page.data.map(({ order_id }) => order_id))
      cursor = page.next_cursor
      const { order_id } = await placeTestOrder(world, { method: 'cash' })
      await performAction(world, order_id, ['accept'])
    } while (cursor !== null)
    expect(found).toEqual(whole)
  })

  test('a new order is listed at once, at the top', async () => {
    const placed = await placeTestOrder(world)
    const [top] = (await world.ok('list_business_orders', { limit: 1 })).data
    expect(top).toMatchObject({
      order_id: placed.order_id,
      display_number: placed.display_number,
      total: placed.total,
      lines: placed.lines,
    })
  })

  test('an order is found by the payment that it has now', async () => {
    const { order_id } = await placeTestOrder(world, { method: 'card', token: 'tok_pending' })
    const unpaid = { payment_status: 'unpaid', limit: 1 }
    expect((await world.ok('list_business_orders', unpaid)).data[0]?.order_id).toBe(order_id)
    await callTestControl(world, 'settle_payment', { order_id })
    const paid = { payment_status: 'paid', limit: 1 }
    expect((await world.ok('list_business_orders', paid)).data[0]?.order_id).toBe(order_id)
    await performAction(world, order_id, ['reject'])
    const refunded = { payment_status: 'refunded', limit: 1 }
    expect((await world.ok('list_business_orders', refunded)).data[0]?.order_id).toBe(order_id)
    expect((await world.ok('list_business_orders', paid)).data[0]?.order_id).not.toBe(order_id)
  })
})

test.each(['completed', 'rejected', 'cancelled', 'failed'])(
  'active work that is %s is a contradiction',
  async (status) => {
    const world = await openTestSandbox()
    expect(
      await world.refused('list_business_orders', { active: true, status: ['placed', status] }),
    ).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [{ parameter: 'status', code: 'mutually_exclusive' }],
    })
  },
)

test('who has several stores says which, and only his own', async () => {
  const world = await openTestSandbox()
  expect(await world.refused('list_business_orders', {}, { as: 'chain' })).toMatchObject({
    code: 'invalid_request',
    errors: [{ parameter: 'merchant_id', code: 'required' }],
  })
  const own = await findStore(world, 'Goosefoot Grocer Clerkenwell')
  expect(
    (await world.ok('list_business_orders', { merchant_id: own.merchant_id }, { as: 'chain' })).data,
  ).toEqual([])
  const other = await findStore(world, LIME_STREET)
  expect(
    await world.refused('list_business_orders', { merchant_id: other.merchant_id }, { as: 'chain' }),
  ).toMatchObject({ code: 'merchant_not_found' })
})

test('due events of the store happen before the list is read', async () => {
  const world = await openTestSandbox()
  await attend(world)
  const { order_id } = await placeTestOrder(world)
  await world.write(async (tx) => {
    const { frozenClock } = await import('../../../src/core/clock.ts')
    const { saveClock } = await import('../../../src/db/world.ts')
    await saveClock(tx, frozenClock(Date.parse('2026-11-20T09:30:00.000Z')))
  })
  const { data } = await world.ok('list_business_orders')
  expect(data).toMatchObject([
    { order_id, status: 'rejected', rejection: { reason_code: 'not_accepted_in_time' } },
  ])
})
