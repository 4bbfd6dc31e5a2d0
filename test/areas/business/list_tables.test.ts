import { expect, test } from 'vitest'
import { gbp, placeTestSale } from '../../support/adjusting.ts'
import { performAction } from '../../support/order-life.ts'
import { openTestSandbox } from '../../support/world.ts'

test('all tables are listed in their order, and with open those with a bill', async () => {
  const world = await openTestSandbox()
  const none = await world.ok('list_tables', { limit: 100 })
  expect(none.data.map(({ table_number }) => Number(table_number))).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
  ])
  expect(none.data[3]).toMatchObject({ total: gbp(0), open_since: null, orders: [] })
  expect((await world.ok('list_tables', { open: true })).data).toEqual([])
  const { order_id, total } = await placeTestSale(world, { type: 'dine_in', method: 'pay_at_table' })
  await performAction(world, order_id, ['accept'])
  const { data } = await world.ok('list_tables', { open: true })
  expect(data).toMatchObject([
    {
      table_number: '4',
      total,
      open_since: '2026-11-20T09:00:00.000Z',
      orders: [{ order_id, first_name: 'Priya', payment_status: 'unpaid', lines: [{ quantity: 3 }] }],
    },
  ])
})

test('the pages of the tables are together the whole list', async () => {
  const world = await openTestSandbox()
  const numbers: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await world.ok('list_tables', { limit: 5, ...(cursor !== undefined && { cursor }) })
    numbers.push(...page.data.map(({ table_number }) => table_number))
    cursor = page.next_cursor
  }
  expect(numbers).toHaveLength(12)
  expect(new Set(numbers).size).toBe(12)
})

test('a table that the store does not have is refused with those it has', async () => {
  const world = await openTestSandbox()
  expect(await world.refused('list_tables', { table_number: '99' })).toMatchObject({
    code: 'table_not_found',
    detail: 'Forno Santa Rosa has no table 99.',
    tables: expect.arrayContaining(['1', '12']),
  })
})
