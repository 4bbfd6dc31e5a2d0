import { expect, test } from 'vitest'
import { cutRows } from '../../src/core/cut-rows.ts'

test('rows are cut where a request would have more than 500 of them, or too many bytes', () => {
  const rows = Array.from({ length: 1001 }, (_, at) => at)
  expect(cutRows(rows).map(({ length }) => length)).toEqual([500, 500, 1])
  expect(cutRows(rows.slice(0, 5), () => 2_000_000)).toEqual([[0, 1], [2, 3], [4]])
  expect(cutRows([])).toEqual([])
})
