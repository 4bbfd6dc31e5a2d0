/** The changes of what a store is due, page by page; `month.test.ts` holds the sums of all kinds of them on both engines. */
import { expect, test } from 'vitest'
import { adjustTestOrder, completed, gbp, placeTestSale } from '../../support/adjusting.ts'
import { callTestControl } from '../../support/control.ts'
import { findStore } from '../../support/food.ts'
import { FORNO } from '../../support/order-life.ts'
import { openTestSandbox } from '../../support/world.ts'

const MONTH = { from: '2026-11-01', to: '2026-12-01' }

test('each change is listed once, in order, whatever the size of a page; a stretch ends before the next one begins', async () => {
  const world = await openTestSandbox()
  const order_id = await completed(world, { token: 'tok_store' })
  await adjustTestOrder(world, order_id)
  await placeTestSale(world, { method: 'cash' })
  await world.advance(86_400_000)
  await completed(world)
  const { merchant_id } = await findStore(world, FORNO)
  await callTestControl(world, 'pay_out', { merchant_id, amount: gbp(100) })
  const { data, has_more } = await world.ok('list_statement_entries', { ...MONTH, limit: 100 })
  expect(has_more).toBe(false)
  expect(data.map(({ kind, amount, reason }) => [kind, amount.amount, reason])).toEqual([
    ['sale', 1485, null],
    ['collected_by_store', -1511, null],
    ['refund', -495, 'missing'],
    ['refunded_by_store', 445, 'missing'],
    ['sale', 1485, null],
    ['payout', -100, null],
  ])
  expect(data[0]).toMatchObject({ order_id, business_day: '2026-11-20', method: 'card', payout_id: null })
  expect(data[5]).toMatchObject({ order_id: null, display_number: null, business_day: '2026-11-21' })
  for (const limit of [1, 2, 5]) {
    const pages: typeof data = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const input = { ...MONTH, limit, ...(cursor !== undefined && { cursor }) }
      const page = await world.ok('list_statement_entries', input)
      pages.push(...page.data)
      cursor = page.next_cursor
    }
    expect(pages).toEqual(data)
  }
  const first = await world.ok('list_statement_entries', { from: '2026-11-20', to: '2026-11-21' })
  const second = await world.ok('list_statement_entries', { from: '2026-11-21', to: '2026-11-22' })
  expect([...first.data, ...second.data]).toEqual(data)
})

test('a stretch that ends before it begins is rejected by name, and another account’s store is not found', async () => {
  const world = await openTestSandbox()
  const wrong = await world.refused('list_statement_entries', { from: '2026-11-20', to: '2026-11-19' })
  expect(wrong).toMatchObject({
    code: 'invalid_request',
    errors: [{ parameter: 'to', code: 'out_of_range' }],
  })
  const { merchant_id } = await findStore(world, FORNO)
  const other = await world.refused('list_statement_entries', { ...MONTH, merchant_id }, { as: 'owner' })
  expect(other).toMatchObject({ code: 'merchant_not_found' })
})
