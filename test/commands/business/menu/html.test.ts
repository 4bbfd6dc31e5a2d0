import { expect, test } from 'vitest'
import { plainText } from '../../../../src/commands/business/menu/presets.ts'
import { loadEntities } from '../../../../src/tabular/csv/entities.ts'

await loadEntities('&amp;')

test.each([
  ['<p>Two <b>eggs</b> &amp; toast.</p><p>All day&nbsp;long</p>', 'Two eggs & toast.\nAll day long'],
  ['<ul><li>Rye</li>\n<li>Butter</li></ul>', '• Rye\n• Butter'],
  ['One<br/>two<br>three', 'One\ntwo\nthree'],
  ['Caf&eacute; &#8211; &#x1F35C;', 'Café – 🍜'],
  ['<script>alert(1)</script>Safe<style>p{}</style>', 'Safe'],
  ['Plain: 2 < 3 & 4 > 1', 'Plain: 2 < 3 & 4 > 1'],
  ['Line one\nline two', 'Line one\nline two'],
  ['&unknown; &#0; x<i>y</i>', '&unknown;   xy'.replaceAll(/\s+/g, ' ')],
])('%s', (html, text) => {
  expect(plainText(html)).toBe(text)
})
