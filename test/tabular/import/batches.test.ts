import { expect, test } from 'vitest'
import { toBatches } from '../../../src/tabular/import/batches.ts'

const sizes = (rows: readonly number[], sizeOf?: (row: number) => number) =>
  toBatches(rows, (chunk) => ({ rows: chunk }), sizeOf).map((batch) => batch.rows.length)

test('a batch holds at most 500 rows, in the order of the file', () => {
  const rows = Array.from({ length: 1001 }, (_, index) => index)
  const batches = toBatches(rows, (chunk) => ({ rows: chunk }))
  expect(batches.map((batch) => batch.rows.length)).toEqual([500, 500, 1])
  expect(batches.flatMap((batch) => batch.body['rows'])).toEqual(rows)
})

test('large rows make smaller batches, and one that is too large goes alone', () => {
  const mebibyte = 1_048_576
  expect(sizes([1, 2, 1, 3, 9, 1], (row) => row * mebibyte)).toEqual([3, 1, 1, 1])
})

test('no rows are no batches', () => {
  expect(sizes([])).toEqual([])
})
