import { expect, test } from 'vitest'
import { chunkRows } from '../../src/core/cut-rows.ts'

test('rows are cut where a request would have more than 500 of them, or too many bytes', () => {
  const rows = Array.from({ length: 1001 }, (_, at) => at)
  expect(chunkRows(rows).map(({ length }) => length)).toEqual([500, 500, 1])
  expect(chunkRows(rows.slice(0, 5), () => 2_000_000)).toEqual([[0, 1], [2, 3], [4]])
  expect(chunkRows([])).toEqual([])
})
