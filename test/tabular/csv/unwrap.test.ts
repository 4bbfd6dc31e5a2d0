import { expect, test } from 'vitest'
import { loadEntities } from '../../../src/tabular/csv/entities.ts'
import { unwrap } from '../../../src/tabular/csv/unwrap.ts'

await loadEntities('&amp;')

test.each([
  ['="000123"', '000123'],
  ['="5"" pipe"', '5" pipe'],
  ["'000123", '000123'],
  ["'E1 6EA", 'E1 6EA'],
  ["'1/2", '1/2'],
  ["'-5", '-5'],
  ["'tis", "'tis"],
  ["'90s Café", "'90s Café"],
  ["'Allo House", "'Allo House"],
  ['Marsh &amp; Daughters', 'Marsh & Daughters'],
  ['O&#39;Dowd', "O'Dowd"],
  ['&Eacute;cole &lstrok;&oslash;&ntilde;', 'École łøñ'],
  ['AT&T;', 'AT&T;'],
  ['Fern&nbsp;Hollo&shy;way', 'Fern Holloway'],
  ['12 Lamb Street_x000D_\nFlat 3', '12 Lamb Street\nFlat 3'],
  ['<p>under &lt;5 kg&gt;</p>', '<p>under &lt;5 kg&gt;</p>'],
])('%j is %j', (cell, value) => {
  expect(unwrap(cell)).toBe(value)
})
