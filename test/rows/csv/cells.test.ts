import { expect, test } from 'vitest'
import { readText } from '../../../src/rows/csv/cells.ts'

test('text is refused when it is too long in characters or holds control characters', () => {
  expect(readText('é'.repeat(64), 64)).toEqual({ value: 'é'.repeat(64) })
  expect(readText('😀'.repeat(65), 64)).toMatchObject({ fault: { code: 'too_long' } })
  expect(readText('a\u001b[2Jb', 64)).toMatchObject({ fault: { code: 'invalid_format' } })
  expect(readText('a\u202eb', 64)).toMatchObject({ fault: { code: 'invalid_format' } })
})
