import { expect, test } from 'vitest'
import { elementLines } from '../../../../src/commands/business/menu/json-menu.ts'

test.each([
  ['[{"a":1},\n{"a":[1,2]},\n\n  "x", {"b":"],[{\\""}]', [1, 2, 4, 4]],
  ['{"has_more": false,\n "data": [\n  {"tags": ["a",\n "b"]},\n  {}]}', [3, 5]],
  ['[]', []],
  ['{\n"items":\n[ 1,\n2]}', [3, 4]],
])('%j has items on the lines %j', (source, lines) => {
  expect(elementLines(source)).toEqual(lines)
})
