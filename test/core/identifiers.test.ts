import { expect, test } from 'vitest'
import { normalizeIdentifier } from '../../src/core/identifiers.ts'

test.each([
  ['INV-1\u200b', 'a zero-width space'],
  ['I\u200cN\u200dV-\u20601', 'joiners'],
  ['\ufeffINV-1', 'a byte order mark'],
  ['IN\u00adV-1', 'a soft hyphen'],
  ['\u202aINV-1\u202c', 'marks of an embedding'],
  ['\u2067INV-1\u2069', 'marks of an isolate'],
  ['\u200eINV-1\u200f', 'marks of direction'],
  ['INV\u180e-1', 'a Mongolian separator'],
  ['INV\u034f-1', 'a combining joiner'],
  ['INV-1\ufe0f', 'a variation selector'],
  ['INV-1\u{e0041}\u{e007f}', 'tags'],
  ['INV\u3164-1', 'a filler'],
  ['\ufff9INV-1\ufffb', 'marks of an annotation'],
  ['\u0002INV-1\u0003\u0085', 'control characters of a scanner'],
  ['INV\u20111', 'a hyphen that does not break'],
  ['INV\u20101', 'a typographic hyphen'],
  ['\u00a0INV-1\u3000', 'wide blanks at the ends'],
  ['INV-1\r\n', 'the end of a line'],
])('%j is INV-1, in spite of %s', (typed) => {
  expect(normalizeIdentifier(typed)).toBe('INV-1')
})

test.each([
  ['INV\u00a022', 'INV 22'],
  ['INV\t22', 'INV 22'],
  ['INV\u280022', 'INV 22'],
  ['e\u0301-1', '\u00e9-1'],
])('%j is %j', (typed, cleaned) => {
  expect(normalizeIdentifier(typed)).toBe(cleaned)
})

test.each([
  'INV-1',
  'inv 22',
  'A  1',
  'Bestellung Ä-7',
  '注文-1',
  '۱۲۳',
  'A–1',
  'A−1',
  '\u0601 12',
  '📦-1',
  '',
])('%j differs from others in what is seen, and stays as it is', (typed) => {
  expect(normalizeIdentifier(typed)).toBe(typed)
})

test('a code of characters that show nothing is no code', () => {
  expect(normalizeIdentifier('\u200b\u00ad ')).toBe('')
})
