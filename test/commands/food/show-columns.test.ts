import { expect, test } from 'vitest'
import { columnsFor } from '../../../src/commands/food/show-columns.ts'
import { loadSpec } from '../../../src/generated/registry.ts'

const columns = (await loadSpec('get_food_order'))?.operation?.columns ?? []
const labelsOf = (order: Parameters<typeof columnsFor>[0]) =>
  columnsFor(order, columns).map(({ field, label = field }) => `${label} ${field}`)

test.each([
  ['delivery', ['Deliver to dropoff']],
  ['pickup', ['Pick up at merchant.address']],
  ['dine_in', ['Store address merchant.address', 'Table table.table_number']],
] as const)('an order for %s says where it goes, and when', (fulfillment_type, places) => {
  const labels = labelsOf({ fulfillment_type, status: 'preparing', refunds: [] })
  expect(labels.filter((label) => /dropoff|address|table/.test(label))).toEqual(places)
  expect(labels).toContain('Ready time estimated_ready_at')
})

test.each([
  ['delivery', 'Delivered'],
  ['pickup', 'Collected'],
  ['dine_in', 'Served'],
] as const)('a %s that is over says when, and promises nothing any more', (fulfillment_type, done) => {
  const labels = labelsOf({ fulfillment_type, status: 'completed', refunds: [] })
  expect(labels).toContain(`${done} completed_at`)
  expect(labels.join()).not.toMatch(/estimated|cancellable/)
})

test('several refunds are one sum, and the notes below list its parts', () => {
  const labels = (refunds: Parameters<typeof columnsFor>[0]['refunds']) =>
    labelsOf({ fulfillment_type: 'delivery', status: 'completed', refunds }).filter((each) =>
      /efund/.test(each),
    )
  const refund = { ...({} as Parameters<typeof columnsFor>[0]['refunds'][number]) }
  expect(labels([refund])).toEqual(['Refunded refunded', 'Refund status refund.status'])
  expect(labels([refund, refund])).toEqual(['Refunded refunded'])
})
