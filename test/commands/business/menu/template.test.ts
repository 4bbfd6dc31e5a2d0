import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { emptyCsv, exampleCsv } from '../../../../src/cli/upload/template.ts'
import { MENU_FILE_KIND } from '../../../../src/commands/business/menu/kind.ts'
import { draftsOf, readMenu } from '../../../support/menus.ts'

test('the template is one line of columns that a menu knows', () => {
  const header = emptyCsv(MENU_FILE_KIND)
  expect(header.split('\r\n')).toHaveLength(2)
  expect(readMenu(`${header}x`).unknown).toEqual([])
  expect(readMenu(`${header}x`).mapping.sources.size).toBe(header.split(',').length)
})

test('the example is five valid items, in both forms of modifiers', () => {
  const items = draftsOf(readMenu(exampleCsv(MENU_FILE_KIND)))
  expect(
    items.map(({ name, modifier_groups = [] }) => [name, modifier_groups.map((group) => group.name)]),
  ).toEqual([
    ['Edamame', []],
    ['Pad Thai', ['Protein', 'Extras']],
    ['Laksa', ['Size', 'Heat']],
    ['Sparkling water', []],
    ['Mango sticky rice', []],
  ])
  expect(items.at(-1)?.available).toBe(false)
})

test('the menu among the examples is right too', () => {
  const text = readFileSync(new URL('../../../../examples/menu.csv', import.meta.url), 'utf8')
  expect(draftsOf(readMenu(text))).toHaveLength(12)
})
